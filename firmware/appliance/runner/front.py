"""What stands on the front of the scanner: the machine's view, on all that shows screens."""

from collections.abc import Sequence

from firmware.appliance.effects import Show
from firmware.appliance.runner.glass import Glass
from firmware.language import LANGUAGES
from firmware.screens import render
from firmware.screens.views import FaultView, Hints
from firmware.settings import DisplaySettings
from hardware.errors import HardwareError


class Front:
    """Shows the machine's views, and in their place what the machine cannot act on.

    Args:
        glasses: what shows the screens.
    """

    def __init__(self, glasses: Sequence[Glass]) -> None:
        self._glasses = tuple(glasses)
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

    def dim(self, *, dimmed: bool) -> None:
        """Let all go easy on themselves, or be bright again."""
        for glass in self._glasses:
            glass.dim(dimmed=dimmed)

    def use(self, settings: DisplaySettings) -> None:
        """Show with other settings from now on."""
        for glass in self._glasses:
            glass.use(settings)

    def turn(self, now_s: float) -> None:
        """Have all do what is due."""
        for glass in self._glasses:
            glass.turn(now_s)

    def next_turn_s(self) -> float:
        """When something is due, in monotonic seconds; may be infinite."""
        return min((glass.next_turn_s() for glass in self._glasses), default=float("inf"))

    def close(self) -> None:
        """Go dark."""
        for glass in self._glasses:
            glass.close()

    def _draw(self) -> None:
        if self._wanted is None:
            return
        view = self._wanted.view
        if self._problem is not None:
            problem = self._problem
            view = FaultView(code=problem.code, detail=problem.message, hints=Hints())
        language = next((code for code in LANGUAGES if code == self._wanted.language), None)
        screen = render(view, language)
        for glass in self._glasses:
            glass.show(screen)
