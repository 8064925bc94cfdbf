"""From the bouncing level of a line to what a person did with the button.

A contact bounces for some milliseconds when it closes and when it opens, and an edge can get
lost. So a new level counts once it has lasted, and the level is read again at every call.
"""

from dataclasses import dataclass, replace
from typing import Final

from hardware.buttons.button import LONG_PRESS_S, Button, ButtonEvent

SETTLE_S: Final = 0.02
"""A level that lasts so long is no bounce. Good contacts bounce for 1 to 10 ms; nobody presses a
button for less than 30 ms."""

_NEVER: Final = float("-inf")


@dataclass(frozen=True, slots=True)
class Debouncer:
    """One button's contact so far; each level heard gives a new one.

    A button that is down from the start, held at power-on or stuck, says nothing until it has
    been up once. One that gets stuck later says ``long`` once and nothing more.

    Attributes:
        button: which one.
        settle_s: how long a level lasts that is no bounce.
        long_press_s: how long is a long press.
        down: the level that counts; None before the first one has settled.
        level: the level heard last.
        since_s: monotonic seconds at which ``level`` began.
        pressed_s: at which the press that is going on began; None without one.
        said_long: that press was reported as a long one.
    """

    button: Button
    settle_s: float = SETTLE_S
    long_press_s: float = LONG_PRESS_S
    down: bool | None = None
    level: bool | None = None
    since_s: float = _NEVER
    pressed_s: float | None = None
    said_long: bool = False
    _heard_s: float = _NEVER

    def hear(self, at_s: float, *, down: bool) -> tuple["Debouncer", tuple[ButtonEvent, ...]]:
        """Take the level at a moment: an edge, or just how it is now.

        Args:
            at_s: monotonic seconds; a moment before the last one counts as that one.
            down: whether the contact is closed.

        Returns:
            The contact after it, and what became certain by it, oldest first.
        """
        at_s = max(at_s, self._heard_s)
        events: list[ButtonEvent] = []
        settled = self._settle(at_s, events)._hold(at_s, events)
        if down != settled.level:
            settled = replace(settled, level=down, since_s=at_s)
        return replace(settled, _heard_s=at_s), tuple(events)

    def _settle(self, at_s: float, events: list[ButtonEvent]) -> "Debouncer":
        """The level heard last counts if it has lasted."""
        settled_s = self.since_s + self.settle_s
        if self.level is None or self.level == self.down or at_s < settled_s:
            return self
        if self.down is None:
            return replace(self, down=self.level)
        if self.level:
            events.append(ButtonEvent(self.button, "press", settled_s))
            return replace(self, down=True, pressed_s=self.since_s, said_long=False)
        held = self._hold(self.since_s, events)
        if held.pressed_s is not None and not held.said_long:
            events.append(ButtonEvent(self.button, "short", settled_s))
        return replace(held, down=False, pressed_s=None)

    def _hold(self, at_s: float, events: list[ButtonEvent]) -> "Debouncer":
        """A press that has lasted long enough until then is a long one."""
        if self.pressed_s is None or self.said_long:
            return self
        long_s = self.pressed_s + self.long_press_s
        lasted_s = at_s if self.level else min(at_s, self.since_s)
        if lasted_s < long_s:
            return self
        events.append(ButtonEvent(self.button, "long", long_s))
        return replace(self, said_long=True)
