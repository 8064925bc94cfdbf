"""The data/command and reset lines of a display by SPI, through gpiozero.

luma drives them by the interface of the package ``RPi.GPIO``, which does not know the Raspberry
Pi 5. So the buttons' library is used for them as well: one way to the header for all.
"""

from collections.abc import Iterable
from contextlib import suppress
from typing import Any, Final

from hardware.gpio import gpio_errors


class GpiozeroLines:
    """What luma asks of ``RPi.GPIO``, no more.

    Args:
        factory: a pin factory of gpiozero; it is closed by ``close``.
    """

    LOW: Final = 0
    HIGH: Final = 1
    OUT: Final = "out"

    def __init__(self, factory: Any) -> None:
        self._factory = factory
        self._lines: dict[int, Any] = {}

    def setup(self, gpio: int, _direction: str) -> None:
        """Make a line an output."""
        from gpiozero import DigitalOutputDevice

        if gpio not in self._lines:
            self._lines[gpio] = DigitalOutputDevice(gpio, pin_factory=self._factory)

    def output(self, gpio: int, level: int) -> None:
        """Set the level of a line."""
        self._lines[gpio].value = level

    def cleanup(self, gpios: Iterable[int]) -> None:
        """Let go of lines."""
        for gpio in gpios:
            line = self._lines.pop(gpio, None)
            if line is not None:
                line.close()

    def close(self) -> None:
        """Let go of all lines and of the header."""
        self.cleanup(tuple(self._lines))
        with suppress(*gpio_errors()):
            self._factory.close()
