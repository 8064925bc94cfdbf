"""What stands on the front of the scanner, and the displays that show it.

Sending a picture to the real display and finding it again happen beside the loop, so that neither a
slow bus nor a dead one holds up the buttons. A display that stays away is only missed on the glass:
all else goes on, and what was to be seen is drawn when it comes back.
"""

from collections.abc import Callable, Sequence
from typing import Final

from PIL import Image, ImageChops

from firmware.appliance.effects import Show
from firmware.appliance.events import DisplayBack, DisplayLost
from firmware.appliance.faults import Fault
from firmware.appliance.runner.crew import Crew, Outcome, OverdueError, told
from firmware.base.errors import translate
from firmware.base.language import current_language, use_language
from firmware.screens import render
from firmware.screens.canvas import Screen
from firmware.screens.views import FaultView, Hints
from firmware.settings import DisplaySettings
from hardware.display import Display, at_rest, open_display
from hardware.errors import HardwareError
from hardware.timeouts import BackOff
from vision.errors import Message

_WORK: Final = "display"
_NEVER: Final = float("inf")


class Glass:
    """Anything that shows screens, and looks after itself; one that need not do so does nothing."""

    def show(self, screen: Screen) -> None:
        """Show a screen until the next one; returns at once and never fails."""
        raise NotImplementedError

    def dim(self, *, dimmed: bool) -> None:
        """Go easy on itself because nobody looks, or be bright again."""

    def use(self, settings: DisplaySettings) -> None:
        """Show with other settings from now on."""

    def turn(self, now_s: float) -> None:
        """Do what is due.

        Args:
            now_s: monotonic seconds.
        """

    def next_turn_s(self) -> float:
        """When ``turn`` has to be called at the latest, in monotonic seconds; may be infinite."""
        return _NEVER

    def close(self) -> None:
        """Go dark and let go."""


class Front:
    """Shows the machine's views, and in their place what the machine cannot act on.

    Args:
        glasses: what shows the screens.
    """

    def __init__(self, glasses: Sequence[Glass]) -> None:
        self.glasses = tuple(glasses)
        self._wanted: Show | None = None
        self._problem: HardwareError | None = None

    def show(self, wanted: Show) -> None:
        """Show a view of the machine."""
        self._wanted = wanted
        self._draw()

    def hinder(self, problem: HardwareError | None) -> None:
        """Show why no button works; None: they work again."""
        self._problem = problem
        self._draw()

    def _draw(self) -> None:
        if self._wanted is None:
            return
        view = self._wanted.view
        if self._problem is not None:
            problem = self._problem
            view = FaultView(code=problem.code, detail=translate(problem.message), hints=Hints())
        if current_language() != self._wanted.language:
            use_language(self._wanted.language)
        screen = render(view)
        for glass in self.glasses:
            glass.show(screen)


SEND_LIMIT_S: Final = 5.0
"""A picture takes 0.1 s on the slowest bus."""
OPEN_LIMIT_S: Final = 10.0
REFRESH_EVERY_S: Final = 5.0
"""So often the picture is sent again: that finds out whether the display is still there, sets up
one that was unplugged for a moment, and moves the picture of one that rests."""
LONGEST_PAUSE_S: Final = 5.0
"""Between two tries to find the display."""

_SILENT: Final = Fault(
    "display-silent", Message("the display does not answer: check its wires"), "display"
)


class DeviceGlass(Glass):
    """Keeps a display showing what it should show; all methods belong to the loop's thread.

    Args:
        settings: how the display is connected, and how bright it is.
        crew: does what may take long.
        report: is told when the display is lost and when it is back.
        open_display: finds the display, initialised and dark.
        display: it, if it is open already.
    """

    def __init__(
        self,
        settings: DisplaySettings,
        crew: Crew,
        report: Callable[[DisplayLost | DisplayBack], None],
        open_display: Callable[[DisplaySettings], Display] = open_display,
        *,
        display: Display | None = None,
    ) -> None:
        self._settings = settings
        self._crew = crew
        self._report = report
        self._open_display = open_display
        self._display = display
        self._wanted: Image.Image | None = None
        self._is_sent = False
        self._dimmed_s: float | None = None
        self._back_off = BackOff()
        self._due_s = -_NEVER
        self._is_lost = False
        self._has_ended = False

    def show(self, screen: Screen) -> None:
        """Show a screen as soon as the display takes it; one not yet sent is passed over."""
        self._wanted, self._is_sent = screen.image, False

    def dim(self, *, dimmed: bool) -> None:
        """Rest, or be bright again."""
        self._dimmed_s = self._crew.now_s() if dimmed else None
        self._is_sent = False

    def use(self, settings: DisplaySettings) -> None:
        """Show with other settings from now on; the display is set up anew if need be."""
        if settings != self._settings:
            self._settings = settings
            self._due_s = -_NEVER
            self._let_go()

    def turn(self, now_s: float) -> None:
        """Send what has changed, or look for the display."""
        if self._crew.running(_WORK):
            return
        if self._display is None:
            if now_s >= self._due_s and not self._has_ended:
                settings = self._settings
                self._crew.begin(
                    _WORK,
                    lambda: self._open_display(settings),
                    then=self._opened,
                    limit_s=OPEN_LIMIT_S,
                    late=self._opened_late,
                )
        elif self._wanted is not None and (not self._is_sent or now_s >= self._due_s):
            self._send(self._display, self._wanted)

    def next_turn_s(self) -> float:
        """When something is due."""
        if self._crew.running(_WORK):
            return _NEVER
        waits = self._display is not None and self._wanted is not None and not self._is_sent
        return -_NEVER if waits else self._due_s

    def close(self) -> None:
        """Go dark and let go of the bus."""
        self._has_ended = True
        self._due_s = _NEVER
        self._let_go()

    def _send(self, display: Display, image: Image.Image) -> None:
        idle_s = 0.0
        if self._dimmed_s is not None:
            idle_s = self._settings.dim_after_s + self._crew.now_s() - self._dimmed_s
        contrast, shift_px = at_rest(self._settings, idle_s)

        def put() -> None:
            display.set_contrast(contrast)
            display.show(ImageChops.offset(image, *shift_px) if any(shift_px) else image)

        self._is_sent = True
        self._due_s = self._crew.now_s() + REFRESH_EVERY_S
        self._crew.begin(_WORK, put, then=self._put, limit_s=SEND_LIMIT_S)

    def _put(self, outcome: Outcome) -> None:
        if outcome.error is not None and not self._has_ended:
            self._lose(outcome.error)

    def _opened(self, outcome: Outcome) -> None:
        if outcome.error is not None:
            self._lose(outcome.error)
            return
        self._display, self._is_sent = outcome.value, False
        self._back_off = BackOff()
        if self._has_ended:
            self._let_go()
        elif self._is_lost:
            self._is_lost = False
            self._report(DisplayBack())

    def _opened_late(self, outcome: Outcome) -> None:
        """A display that was found after all, when nobody waited for it any longer."""
        if outcome.value is not None:
            self._display = outcome.value
            self._let_go()

    def _lose(self, error: Exception) -> None:
        self._let_go()
        self._back_off = self._back_off.after_failure(self._crew.now_s())
        self._due_s = min(self._back_off.next_try_s, self._crew.now_s() + LONGEST_PAUSE_S)
        if not self._is_lost:
            self._is_lost = True
            silent = isinstance(error, OverdueError)
            self._report(DisplayLost(_SILENT if silent else told(error)))

    def _let_go(self) -> None:
        display, self._display = self._display, None
        if display is not None:
            self._crew.begin(_WORK, display.close, limit_s=SEND_LIMIT_S)
