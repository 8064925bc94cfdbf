"""The three buttons: their actions, real lines through gpiozero and lgpio, and a stand-in.

Times are monotonic seconds. A contact bounces for some milliseconds when it closes and when it
opens, and an edge can get lost: so a new level counts once it has lasted, and the level is read
again at every poll.
"""

import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Final, Literal, Protocol, TypeAlias

from hardware.errors import N_, ButtonsError, error_reason
from hardware.gpio import NoHeaderError, gpio_errors, lgpio_factory
from hardware.settings import ButtonSettings

LONG_PRESS_S: Final = 2.0
"""Time after which a press is a long one."""

REPEAT_AFTER_S: Final = 0.5
"""Time until a held button repeats for the first time."""
REPEAT_EVERY_S: Final = 0.15
"""Time from one repeat to the next."""
MAX_REPEATS: Final = 60
"""Maximum number of repeats of one press, so that a stuck button falls silent."""

SETTLE_S: Final = 0.02
"""Time that a level must last to count. Good contacts bounce for 1 to 10 ms; nobody presses a
button for less than 30 ms."""

_EDGES_KEPT: Final = 1000
"""Maximum number of edges kept between two polls; a broken contact can bounce for ever."""

_LONG_AGO: Final = float("-inf")


class Button(Enum):
    """Buttons, named by their labels on the case."""

    SCAN = "scan"
    NEXT = "next"
    OK = "ok"


PressKind = Literal["repeat", "short", "long"]
"""``repeat`` while a button is held, for lists; ``short`` when it is released before
``LONG_PRESS_S``; ``long`` once it has been held for that."""


@dataclass(frozen=True, slots=True)
class ButtonAction:
    """Short press, long press or repeat of a button.

    Attributes:
        button: Button.
        kind: Kind of press.
        at_s: Monotonic seconds.
        repeats: Number of repeats since it went down, this one included.
    """

    button: Button
    kind: PressKind
    at_s: float
    repeats: int = 0


def press_actions(button: Button, at_s: float, *, long: bool = False) -> list[ButtonAction]:
    """Return the actions of a press by a program or key, short or long, all at one time.

    Args:
        button: Button.
        at_s: Monotonic seconds.
        long: True for a long press.
    """
    contact = ContactState(button, down=False)
    actions: list[ButtonAction] = []
    for after_s, is_closed in ((0.0, True), (LONG_PRESS_S if long else SETTLE_S, False)):
        contact, more = contact.update(after_s, is_closed=is_closed)
        actions += more
    _contact, more = contact.update(2 * LONG_PRESS_S, is_closed=False)
    return [replace(action, at_s=at_s) for action in (*actions, *more)]


class Buttons(Protocol):
    """Interface of the three buttons."""

    def poll(self, now_s: float) -> list[ButtonAction]:
        """Return the actions since the last call, oldest first, without waiting.

        A press between two calls is not lost. A long press is reported by the first call after
        it has lasted long enough, so call it several times a second.

        Args:
            now_s: Monotonic seconds.

        Raises:
            ButtonsError: The lines cannot be read any more.
        """
        ...

    def close(self) -> None:
        """Release the lines; calling it again does nothing."""
        ...


@dataclass(frozen=True, slots=True)
class ContactState:
    """State of a button's contact; each level that is read gives a new state.

    A button that is down from the start, held at power-on or stuck, reports nothing until it
    has been up once. One that gets stuck later reports up to ``MAX_REPEATS`` repeats and ``long``
    once, then nothing more.

    Attributes:
        button: Button.
        down: True while the button counts as down; None until the first level has settled.
        level: Level read last, which may still bounce: True for a closed contact; None before the
            first one.
        since_s: Monotonic seconds at which ``level`` began.
        pressed_s: Monotonic seconds at which the present press began; None without one.
        repeats: Number of repeats of that press.
        reported_long: True once it was reported as a long press.
    """

    button: Button
    down: bool | None = None
    level: bool | None = None
    since_s: float = _LONG_AGO
    pressed_s: float | None = None
    repeats: int = 0
    reported_long: bool = False
    _updated_s: float = _LONG_AGO

    def update(
        self, at_s: float, *, is_closed: bool
    ) -> tuple["ContactState", tuple[ButtonAction, ...]]:
        """Take the level of the line at a moment, at an edge or between two.

        Args:
            at_s: Monotonic seconds; a moment before the last one counts as that one.
            is_closed: Level read now: True if the contact is closed, which may still bounce.

        Returns:
            The new state, and the actions that are certain now, oldest first.
        """
        at_s = max(at_s, self._updated_s)
        settled, released = _accept_level(self, at_s)
        after_hold, hold_actions = _report_hold(settled, at_s)
        if is_closed != after_hold.level:
            after_hold = replace(after_hold, level=is_closed, since_s=at_s)
        return replace(after_hold, _updated_s=at_s), (*released, *hold_actions)


_Update: TypeAlias = tuple[ContactState, tuple[ButtonAction, ...]]


def _accept_level(contact: ContactState, at_s: float) -> _Update:
    """Accept the last level if it has lasted ``SETTLE_S``; a release ends the press."""
    settled_s = contact.since_s + SETTLE_S
    if contact.level is None or contact.level == contact.down or at_s < settled_s:
        return contact, ()
    if contact.down is None:
        return replace(contact, down=contact.level), ()
    if contact.level:
        begun = replace(contact, pressed_s=contact.since_s, repeats=0, reported_long=False)
        return replace(begun, down=True), ()
    held, actions = _report_hold(contact, contact.since_s)
    if held.pressed_s is not None and not held.reported_long:
        actions = (*actions, ButtonAction(contact.button, "short", settled_s, held.repeats))
    return replace(held, down=False, pressed_s=None), actions


def _report_hold(contact: ContactState, at_s: float) -> _Update:
    """Report the repeats of a press that still lasts, and its long press."""
    if contact.pressed_s is None:
        return contact, ()
    actions: list[ButtonAction] = []
    long_s = contact.pressed_s + LONG_PRESS_S
    lasted_s = at_s if contact.level else min(at_s, contact.since_s)
    repeats, reported_long = contact.repeats, contact.reported_long
    while repeats < MAX_REPEATS or not reported_long:
        next_s = contact.pressed_s + REPEAT_AFTER_S + repeats * REPEAT_EVERY_S
        is_long = not reported_long and long_s <= next_s
        due_s = long_s if is_long else next_s
        if due_s > lasted_s:
            break
        if is_long:
            reported_long = True
            actions.append(ButtonAction(contact.button, "long", long_s, repeats))
        else:
            repeats += 1
            actions.append(ButtonAction(contact.button, "repeat", next_s, repeats))
    return replace(contact, repeats=repeats, reported_long=reported_long), tuple(actions)


class GpioButtons:
    """The buttons on lines of the header; ``open_buttons`` makes one.

    Edges are taken with their time as they come, on a thread of the library, and the level of
    each line is read at every ``poll``, so that neither a short press nor a lost edge is missed.

    Args:
        factory: Pin factory of gpiozero; it is closed with the buttons.
        settings: GPIO lines of the buttons.
        clock: Function that returns monotonic seconds, as ``poll`` takes them.
    """

    def __init__(self, factory: Any, settings: ButtonSettings, clock: Callable[[], float]) -> None:
        from gpiozero import DigitalInputDevice

        self._factory = factory
        self._clock = clock
        self._closed = False
        self._edges: deque[tuple[float, Button, bool]] = deque(maxlen=_EDGES_KEPT)
        self._lines: dict[Button, Any] = {}
        self._contacts = {button: ContactState(button) for button in Button}
        try:
            for button, gpio in gpio_of_buttons(settings).items():
                line = DigitalInputDevice(gpio, pull_up=True, pin_factory=factory)
                self._lines[button] = line
                line.when_activated = self._on_edge(button, is_closed=True)
                line.when_deactivated = self._on_edge(button, is_closed=False)
                self._update(button, clock(), is_closed=self._read(button))
        except BaseException:
            self.close()
            raise

    def poll(self, now_s: float) -> list[ButtonAction]:
        """Return the actions since the last call, oldest first."""
        if self._closed:
            raise ButtonsError("buttons-closed", "the buttons are closed: open them again", "GPIO")
        actions: list[ButtonAction] = []
        while self._edges:
            at_s, button, is_closed = self._edges.popleft()
            actions += self._update(button, at_s, is_closed=is_closed)
        # Read after the edges were taken: an older level must not follow a newer edge.
        for button in Button:
            actions += self._update(button, now_s, is_closed=self._read(button))
        return sorted(actions, key=lambda action: action.at_s)

    def close(self) -> None:
        """Release the lines."""
        if self._closed:
            return
        self._closed = True
        for line in self._lines.values():
            with suppress(*gpio_errors()):
                # Else lgpio calls back for a line that is closed, as soon as it is opened again
                line.when_activated = line.when_deactivated = None
                line.close()
        with suppress(*gpio_errors()):
            self._factory.close()

    def _on_edge(self, button: Button, *, is_closed: bool) -> Callable[[], None]:
        return lambda: self._edges.append((self._clock(), button, is_closed))

    def _read(self, button: Button) -> bool:
        try:
            return bool(self._lines[button].is_active)
        except gpio_errors() as error:
            raise _buttons_error(error) from error

    def _update(self, button: Button, at_s: float, *, is_closed: bool) -> tuple[ButtonAction, ...]:
        self._contacts[button], actions = self._contacts[button].update(at_s, is_closed=is_closed)
        return actions


class StandInButtons:
    """Buttons that a program presses.

    Attributes:
        closed: True once ``close`` was called.
    """

    def __init__(self) -> None:
        self.closed = False
        self._presses: list[tuple[Button, bool]] = []
        self._failure: ButtonsError | None = None

    def press(self, button: Button, *, long: bool = False) -> None:
        """Press a button and release it; the next ``poll`` reports it."""
        self._presses.append((button, long))

    def fail(self, error: ButtonsError | None) -> None:
        """Raise this error at each ``poll`` from now on; None: work again."""
        self._failure = error

    def poll(self, now_s: float) -> list[ButtonAction]:
        """Return the buttons pressed since the last call, oldest first."""
        if self._failure is not None:
            raise self._failure.with_traceback(None)
        if self.closed:
            raise ButtonsError("buttons-closed", "the buttons are closed: open them again", "keys")
        presses, self._presses = self._presses, []
        return [
            action for button, long in presses for action in press_actions(button, now_s, long=long)
        ]

    def close(self) -> None:
        """Take no more presses."""
        self.closed = True


def gpio_of_buttons(settings: ButtonSettings) -> dict[Button, int]:
    """Return the GPIO number of each button."""
    return {
        Button.SCAN: settings.scan_gpio,
        Button.NEXT: settings.next_gpio,
        Button.OK: settings.ok_gpio,
    }


def open_buttons(
    settings: ButtonSettings | None = None,
    *,
    factory: Any = None,
    clock: Callable[[], float] = time.monotonic,
) -> GpioButtons:
    """Take the lines of the buttons.

    Args:
        settings: GPIO lines; those of the wiring guide by default.
        factory: Pin factory of gpiozero to use instead of the one of lgpio.
        clock: Function that returns monotonic seconds.

    Raises:
        ButtonsError: No GPIO here, no permission, a missing package, or a line is in use.
    """
    try:
        return GpioButtons(factory or lgpio_factory(), settings or ButtonSettings(), clock)
    except gpio_errors() as error:
        raise _buttons_error(error) from error


def _buttons_error(error: Exception) -> ButtonsError:
    message = " ".join(str(error).split())
    if isinstance(error, ImportError):
        code = "buttons-driver-missing"
        template = N_(
            "the package '{package}' is missing: "
            "sudo apt install python3-gpiozero python3-lgpio, or use --emulate"
        )
    elif isinstance(error, PermissionError) or "permission" in message.lower():
        code = "buttons-no-permission"
        template = N_("no permission for the lines: sudo adduser $USER gpio, then log in again")
    elif "busy" in message.lower() or "in use" in message.lower():
        code = "buttons-busy"
        template = N_(
            "a line is in use already ({reason}): end the other program, or wire another line"
        )
    elif isinstance(error, NoHeaderError) or type(error).__name__ == "PinUnknownPi":
        code = "buttons-not-found"
        template = N_("this computer has no GPIO header: use a Raspberry Pi, or --emulate")
    else:
        code = "buttons-broken"
        template = N_("the buttons failed ({reason}): check their wires")
    package = getattr(error, "name", None)
    return ButtonsError(code, template, "GPIO", reason=error_reason(error), package=str(package))
