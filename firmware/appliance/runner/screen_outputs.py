"""Outputs that show the screens of the machine, above all the display.

Pictures are sent to the display, and a lost display is looked for, in tasks, so that neither
a slow bus nor a dead one holds up the buttons. All else goes on without the display; when it comes
back, it shows the latest screen.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from PIL import Image, ImageChops

from firmware.appliance.base import Show
from firmware.appliance.display_transitions import DisplayFound, DisplayLost
from firmware.appliance.runner.tasks import (
    NEVER_S,
    OverdueError,
    TaskResult,
    TaskRunner,
    problem_from,
)
from firmware.base.language import current_language, use_language
from firmware.base.problem import Problem
from firmware.screens.canvas import Screen
from firmware.screens.device_views import ProblemView
from firmware.screens.render import render
from firmware.screens.view import Hints
from firmware.settings import DisplaySettings
from firmware.wording.problem_text import translate
from hardware.display import Display, dimmed_contrast_and_shift, open_display
from hardware.errors import HardwareError
from hardware.timeouts import BackOff
from vision.message import Message

_WORK: Final = "display"
_AT_ONCE: Final = float("-inf")


class ScreenOutput:
    """Output that shows screens, such as a display or a terminal."""

    def show(self, screen: Screen) -> None:
        """Show a screen until the next one; return at once and never fail."""
        raise NotImplementedError

    def dim(self, *, dimmed: bool) -> None:
        """Dim the output, or make it bright again."""

    def use_settings(self, settings: DisplaySettings) -> None:
        """Use other settings from now on."""

    def run_due(self, now_s: float) -> None:
        """Do what is due.

        Args:
            now_s: Monotonic seconds.
        """

    def next_due_s(self) -> float:
        """Return the latest time of the next ``run_due`` in monotonic seconds; may be infinite."""
        return NEVER_S

    def close(self) -> None:
        """Switch the output off and release it."""


class FrontPanel:
    """Front of the scanner: the view of the machine, or the problem of the buttons, on all outputs.

    Args:
        outputs: Outputs that show the screens.
    """

    def __init__(self, outputs: Sequence[ScreenOutput]) -> None:
        self.outputs = tuple(outputs)
        self._shown: Show | None = None
        self._problem: HardwareError | None = None

    def show(self, effect: Show) -> None:
        """Show a view of the machine."""
        self._shown = effect
        self._draw()

    def show_problem(self, problem: HardwareError | None) -> None:
        """Show the problem of the buttons; None when they work again."""
        self._problem = problem
        self._draw()

    def _draw(self) -> None:
        if self._shown is None:
            return
        view = self._shown.view
        if self._problem is not None:
            problem = self._problem
            view = ProblemView(code=problem.code, detail=translate(problem.message), hints=Hints())
        if current_language() != self._shown.language:
            use_language(self._shown.language)
        screen = render(view)
        for output in self.outputs:
            output.show(screen)


SEND_LIMIT_S: Final = 5.0
"""Longest time to send a picture in seconds; it takes 0.1 s on the slowest bus."""
DISPLAY_OPEN_LIMIT_S: Final = 10.0
"""Longest time to open the display in seconds."""
REFRESH_EVERY_S: Final = 5.0
"""Interval in seconds after which the picture is sent again. That detects a lost display, sets up
one that was unplugged for a moment, and moves the picture of a dimmed one."""
LONGEST_PAUSE_S: Final = 5.0
"""Longest pause in seconds between two attempts to open the display."""

_SILENT: Final = Problem(
    "display-silent", Message("the display does not answer: check its wires"), "display"
)


class DisplayOutput(ScreenOutput):
    """Display of the scanner; all methods belong to the loop's thread.

    Args:
        settings: Connection and brightness of the display.
        tasks: Runner of slow tasks.
        report: Receiver of the events that the display is lost or back.
        open_display: Function that opens the display, initialised and dark.
        display: Display that is open already; None to open it.
    """

    def __init__(
        self,
        settings: DisplaySettings,
        tasks: TaskRunner,
        report: Callable[[DisplayLost | DisplayFound], None],
        open_display: Callable[[DisplaySettings], Display] = open_display,
        *,
        display: Display | None = None,
    ) -> None:
        self._settings = settings
        self._tasks = tasks
        self._report = report
        self._open_display = open_display
        self._display = display
        self._to_close: list[Display] = []
        self._wanted: Image.Image | None = None
        self._is_sent = False
        self._dimmed_at_s: float | None = None
        self._back_off = BackOff()
        self._due_s = _AT_ONCE
        self._is_lost = False
        self._has_ended = False

    def show(self, screen: Screen) -> None:
        """Show a screen as soon as the display takes it; skip one that was not sent yet."""
        self._wanted, self._is_sent = screen.image, False

    def dim(self, *, dimmed: bool) -> None:
        """Dim the display, or make it bright again."""
        self._dimmed_at_s = self._tasks.now_s() if dimmed else None
        self._is_sent = False

    def use_settings(self, settings: DisplaySettings) -> None:
        """Use other settings from now on; open the display again unless only brightness differs."""
        before, self._settings = self._settings, settings
        self._is_sent = self._is_sent and settings == before
        if not _is_same_connection(settings, before):
            self._due_s = _AT_ONCE
            self._release()

    def run_due(self, now_s: float) -> None:
        """Send the screen if it has changed, or look for the display."""
        if self._tasks.is_running(_WORK):
            return
        if self._display is None:
            if now_s >= self._due_s and not self._has_ended:
                settings = self._settings
                self._tasks.start(
                    _WORK,
                    lambda: self._open_display(settings),
                    on_result=partial(self._on_opened, settings),
                    limit_s=DISPLAY_OPEN_LIMIT_S,
                    on_late_result=self._on_opened_late,
                )
        elif self._wanted is not None and (not self._is_sent or now_s >= self._due_s):
            self._send(self._display, self._wanted)

    def next_due_s(self) -> float:
        """Return the time at which something is due."""
        if self._tasks.is_running(_WORK):
            return NEVER_S
        waits = self._display is not None and self._wanted is not None and not self._is_sent
        return _AT_ONCE if waits else self._due_s

    def close(self) -> None:
        """Switch the display off and release the bus."""
        self._has_ended = True
        self._due_s = NEVER_S
        self._release()

    def _send(self, display: Display, image: Image.Image) -> None:
        contrast, shift_px = self._settings.contrast, (0, 0)
        if self._dimmed_at_s is not None:
            contrast, shift_px = dimmed_contrast_and_shift(
                contrast, self._tasks.now_s() - self._dimmed_at_s
            )

        def send() -> None:
            display.set_contrast(contrast)
            display.show(ImageChops.offset(image, *shift_px) if any(shift_px) else image)

        self._is_sent = True
        self._due_s = self._tasks.now_s() + REFRESH_EVERY_S
        self._tasks.start(
            _WORK,
            send,
            on_result=self._on_sent,
            limit_s=SEND_LIMIT_S,
            on_late_result=lambda _result: self._close_released(),
        )

    def _on_sent(self, result: TaskResult) -> None:
        self._close_released()
        if result.error is not None and not self._has_ended:
            self._handle_failure(result.error)

    def _on_opened(self, settings: DisplaySettings, result: TaskResult) -> None:
        if result.error is not None:
            self._handle_failure(result.error)
            return
        self._display, self._is_sent = result.value, False
        self._back_off = BackOff()
        if self._has_ended or not _is_same_connection(settings, self._settings):
            self._release()
        elif self._is_lost:
            self._is_lost = False
            self._report(DisplayFound())

    def _on_opened_late(self, result: TaskResult) -> None:
        if result.value is not None:
            self._display = result.value
            self._release()

    def _handle_failure(self, error: Exception) -> None:
        self._release()
        self._back_off = self._back_off.after_failure(self._tasks.now_s())
        self._due_s = min(self._back_off.next_try_s, self._tasks.now_s() + LONGEST_PAUSE_S)
        if not self._is_lost:
            self._is_lost = True
            silent = isinstance(error, OverdueError)
            self._report(DisplayLost(_SILENT if silent else problem_from(error)))

    def _release(self) -> None:
        """Close the display, once no picture is being sent to it."""
        if self._display is not None:
            self._to_close.append(self._display)
            self._display = None
        self._close_released()

    def _close_released(self) -> None:
        if self._to_close and not self._tasks.is_running(_WORK):
            self._tasks.start(_WORK, self._to_close.pop().close, limit_s=SEND_LIMIT_S)


def _is_same_connection(first: DisplaySettings, second: DisplaySettings) -> bool:
    """Return whether settings differ in brightness at most."""
    return replace(first, contrast=second.contrast, dim_after_s=second.dim_after_s) == second
