"""Real buttons on the header, through gpiozero and lgpio.

Edges come on a thread of the library; the debouncer of this package judges them.
"""

import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from hardware.buttons.button import Button, ButtonEvent, ButtonWiring
from hardware.buttons.debouncer import Debouncer
from hardware.errors import ButtonsError
from hardware.gpio import NoHeaderError, gpio_errors, lgpio_factory

_EDGES_KEPT: Final = 1000
"""Between two polls; a broken contact can bounce for ever."""


class GpioButtons:
    """The buttons on lines of the header; ``open_buttons`` makes one.

    Edges are taken with their time as they come, and the level of each line is read at every
    ``poll``, so that neither a short press nor a lost edge is missed.

    Args:
        factory: a pin factory of gpiozero; it is closed with the buttons.
        wiring: which lines.
        clock: gives monotonic seconds, as ``poll`` takes them.
    """

    def __init__(
        self,
        factory: Any,
        wiring: ButtonWiring,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        from gpiozero import DigitalInputDevice

        self._factory = factory
        self._clock = clock
        self._closed = False
        self._edges: deque[tuple[float, Button, bool]] = deque(maxlen=_EDGES_KEPT)
        self._lines: dict[Button, Any] = {}
        self._contacts: dict[Button, Debouncer] = {}
        try:
            for button, gpio in wiring.lines.items():
                line = DigitalInputDevice(gpio, pull_up=True, pin_factory=factory)
                self._lines[button] = line
                self._contacts[button] = Debouncer(button, long_press_s=wiring.long_press_s)
                line.when_activated = self._on_edge(button, down=True)
                line.when_deactivated = self._on_edge(button, down=False)
                self._hear(button, clock(), down=self._read(button))
        except BaseException:
            self.close()
            raise

    def poll(self, now_s: float) -> list[ButtonEvent]:
        """What happened since the last call, oldest first."""
        if self._closed:
            raise ButtonsError("buttons-closed", "the buttons are closed: open them again", "GPIO")
        events: list[ButtonEvent] = []
        while self._edges:
            at_s, button, down = self._edges.popleft()
            events += self._hear(button, at_s, down=down)
        # Read after the edges were taken: an older level must not follow a newer edge.
        for button in Button:
            events += self._hear(button, now_s, down=self._read(button))
        return sorted(events, key=lambda event: event.at_s)

    def close(self) -> None:
        """Let go of the lines."""
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

    def _on_edge(self, button: Button, *, down: bool) -> Callable[[], None]:
        def note() -> None:
            self._edges.append((self._clock(), button, down))

        return note

    def _read(self, button: Button) -> bool:
        try:
            return bool(self._lines[button].is_active)
        except gpio_errors() as error:
            raise _buttons_error(error) from error

    def _hear(self, button: Button, at_s: float, *, down: bool) -> tuple[ButtonEvent, ...]:
        contact, events = self._contacts[button].hear(at_s, down=down)
        self._contacts[button] = contact
        return events


def open_buttons(
    wiring: ButtonWiring | None = None,
    *,
    factory: Any = None,
    clock: Callable[[], float] = time.monotonic,
) -> GpioButtons:
    """Take the lines of the buttons.

    Args:
        wiring: which lines; without it those of the wiring guide.
        factory: a pin factory of gpiozero to use instead of the one of lgpio.
        clock: gives monotonic seconds.

    Raises:
        ButtonsError: No GPIO here, no permission, a missing package, or a line is in use.
    """
    wiring = wiring or ButtonWiring()
    try:
        return GpioButtons(factory or lgpio_factory(wiring.chip), wiring, clock=clock)
    except gpio_errors() as error:
        raise _buttons_error(error) from error


def _buttons_error(error: Exception) -> ButtonsError:
    said = " ".join(str(error).split())
    if isinstance(error, ImportError):
        what = (
            f"the package '{error.name}' is missing: install python3-gpiozero and "
            "python3-lgpio with apt, or use --emulate"
        )
        return ButtonsError("buttons-driver-missing", what, "GPIO")
    if isinstance(error, PermissionError) or "permission" in said.lower():
        what = "no permission for the lines: add the user to the group gpio, then log in again"
        return ButtonsError("buttons-no-permission", what, "GPIO")
    if "busy" in said.lower() or "in use" in said.lower():
        what = f"a line is in use already ({said}): end the other program, or wire another line"
        return ButtonsError("buttons-busy", what, "GPIO")
    if isinstance(error, NoHeaderError) or type(error).__name__ == "PinUnknownPi":
        what = "this computer has no GPIO header: use a Raspberry Pi, or --emulate"
        return ButtonsError("buttons-not-found", what, "GPIO")
    what = f"the buttons failed ({said or type(error).__name__}): check their wires"
    return ButtonsError("buttons-broken", what, "GPIO")
