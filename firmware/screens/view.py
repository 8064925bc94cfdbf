"""What all views have in common."""

from dataclasses import dataclass

from firmware.screens.hints import NO_HINTS, Hints


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What a screen says.

    Attributes:
        hints: what the three buttons do on it.
    """

    hints: Hints = NO_HINTS
