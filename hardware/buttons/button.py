"""The three buttons, and what they say.

Times are monotonic seconds that the caller passes in; nothing here reads a clock.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final, Literal, Protocol

LONG_PRESS_S: Final = 2.0
"""Held for so long, a button means its other function."""


class Button(Enum):
    """The buttons by what stands beside them."""

    SCAN = "scan"
    NEXT = "next"
    OK = "ok"


PressKind = Literal["press", "short", "long"]
"""``press``: it went down, for instant feedback. Then one of the two that are acted on: ``short``
when it is released before ``LONG_PRESS_S``, ``long`` as soon as it has been held for that."""


@dataclass(frozen=True, slots=True)
class ButtonEvent:
    """Something that a person did with a button.

    Attributes:
        button: which one.
        kind: what was done.
        at_s: monotonic seconds.
    """

    button: Button
    kind: PressKind
    at_s: float


class Buttons(Protocol):
    """The three buttons, however they are made."""

    def poll(self, now_s: float) -> list[ButtonEvent]:
        """What happened since the last call, oldest first; returns at once.

        A press between two calls is not lost. A long press is reported by the first call after
        it has lasted long enough, so call it several times a second.

        Args:
            now_s: monotonic seconds.

        Raises:
            ButtonsError: The lines cannot be read any more.
        """
        ...

    def close(self) -> None:
        """Let go of the lines; more calls do nothing."""
        ...


@dataclass(frozen=True, slots=True)
class ButtonWiring:
    """How the buttons are connected: each between its line and ground.

    Attributes:
        scan_gpio: GPIO number (not the pin of the header) of SCAN.
        next_gpio: GPIO number of NEXT.
        ok_gpio: GPIO number of OK.
        chip: number of the GPIO chip, N of ``/dev/gpiochipN``; None: the one that calls itself
            that of the header, wherever the kernel has put it.
        long_press_s: how long is a long press.
    """

    scan_gpio: int = 17
    next_gpio: int = 27
    ok_gpio: int = 22
    chip: int | None = None
    long_press_s: float = LONG_PRESS_S

    @property
    def lines(self) -> dict[Button, int]:
        """The GPIO number of each button."""
        return {
            Button.SCAN: self.scan_gpio,
            Button.NEXT: self.next_gpio,
            Button.OK: self.ok_gpio,
        }
