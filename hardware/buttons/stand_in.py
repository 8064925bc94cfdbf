"""Buttons without hardware, for tests, a terminal's keys and a laptop."""

from dataclasses import dataclass, field

from hardware.buttons.button import Button, ButtonEvent, ButtonWiring
from hardware.buttons.debouncer import Debouncer
from hardware.errors import ButtonsError


@dataclass(frozen=True, slots=True)
class _Level:
    at_s: float
    button: Button
    down: bool


@dataclass(slots=True)
class StandInButtons:
    """Buttons that a program presses.

    ``press`` gives finished presses; ``set_level`` gives edges, as bouncing as they may be, which
    go through the same debouncer as those of real lines.

    Attributes:
        long_press_s: how long is a long press.
        closed: whether ``close`` was called.
    """

    long_press_s: float = ButtonWiring().long_press_s
    closed: bool = False
    _presses: list[tuple[Button, bool]] = field(default_factory=list)
    _levels: list[_Level] = field(default_factory=list)
    _contacts: dict[Button, Debouncer] = field(default_factory=dict)
    _down: dict[Button, bool] = field(default_factory=dict)
    _failure: ButtonsError | None = None

    def __post_init__(self) -> None:
        for button in Button:
            self._contacts[button] = Debouncer(
                button, long_press_s=self.long_press_s, down=False, level=False
            )
            self._down[button] = False

    def press(self, button: Button, *, long: bool = False) -> None:
        """Press a button and release it; the next ``poll`` reports it."""
        self._presses.append((button, long))

    def set_level(self, button: Button, at_s: float, *, down: bool) -> None:
        """Move the contact of a button at a moment before the next ``poll``."""
        self._levels.append(_Level(at_s, button, down))

    def fail(self, error: ButtonsError | None) -> None:
        """Raise this error at each ``poll`` from now on; None: work again."""
        self._failure = error

    def poll(self, now_s: float) -> list[ButtonEvent]:
        """What was pressed since the last call, oldest first."""
        if self._failure is not None:
            raise self._failure
        if self.closed:
            raise ButtonsError("buttons-closed", "the buttons are closed: open them again", "keys")
        events: list[ButtonEvent] = []
        for level in sorted(self._levels, key=lambda level: level.at_s):
            self._down[level.button] = level.down
            events += self._hear(level.button, level.at_s)
        self._levels.clear()
        for button in Button:
            events += self._hear(button, now_s)
        events.sort(key=lambda event: event.at_s)
        for button, long in self._presses:
            events.append(ButtonEvent(button, "press", now_s))
            events.append(ButtonEvent(button, "long" if long else "short", now_s))
        self._presses.clear()
        return events

    def close(self) -> None:
        """Take no more presses."""
        self.closed = True

    def _hear(self, button: Button, at_s: float) -> tuple[ButtonEvent, ...]:
        contact, events = self._contacts[button].hear(at_s, down=self._down[button])
        self._contacts[button] = contact
        return events
