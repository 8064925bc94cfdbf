"""Where screens are shown: what the loop knows of a display."""

from typing import Protocol

from firmware.screens.canvas import Screen
from firmware.settings import DisplaySettings


class Glass(Protocol):
    """Anything that shows screens, and looks after itself."""

    def show(self, screen: Screen) -> None:
        """Show a screen until the next one; returns at once and never fails."""
        ...

    def dim(self, *, dimmed: bool) -> None:
        """Go easy on itself because nobody looks, or be bright again."""
        ...

    def use(self, settings: DisplaySettings) -> None:
        """Show with other settings from now on."""
        ...

    def turn(self, now_s: float) -> None:
        """Do what is due.

        Args:
            now_s: monotonic seconds.
        """
        ...

    def next_turn_s(self) -> float:
        """When ``turn`` has to be called at the latest, in monotonic seconds; may be infinite."""
        ...

    def close(self) -> None:
        """Go dark and let go."""
        ...
