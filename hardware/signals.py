"""Optional buzzer and lamp: they signal a photo that was taken, and something on the display.

Real ones are two lines of the header that gpiozero switches; the stand-in remembers the signals.
"""

from collections.abc import Callable
from contextlib import suppress
from enum import Enum
from typing import Any, Final, Protocol

from hardware.errors import N_, SignalsError, error_reason
from hardware.gpio import gpio_errors, lgpio_factory
from hardware.settings import SignalSettings


class Signal(Enum):
    """Signal to people; its value is the number of beeps and flashes."""

    PHOTO_TAKEN = 1
    LOOK_AT_DISPLAY = 2
    """The display shows something to look at: a result, a question or why it failed."""


SOUND_S: Final = 0.06
"""Length of a beep."""
FLASH_S: Final = 0.25
"""Length of a flash."""
PAUSE_S: Final = 0.12
"""Pause after each of them."""


class Signals(Protocol):
    """Interface of buzzer and lamp."""

    def give(self, signal: Signal) -> None:
        """Start a signal, replacing one that is still running; does not wait.

        Raises:
            SignalsError: The lines cannot be used any more.
        """
        ...

    def close(self) -> None:
        """Fall silent and release the lines; calling it again does nothing."""
        ...


class GpioSignals:
    """Buzzer and lamp on lines of the header; ``open_signals`` makes one.

    Args:
        factory: Pin factory of gpiozero; it is closed with the signals.
        settings: GPIO lines of buzzer and lamp.
    """

    def __init__(self, factory: Any, settings: SignalSettings) -> None:
        from gpiozero import DigitalOutputDevice

        self._factory = factory
        self._lines: list[tuple[Any, float]] = []
        try:
            for gpio, on_s in (settings.buzzer_gpio, SOUND_S), (settings.lamp_gpio, FLASH_S):
                if gpio >= 0:
                    line = DigitalOutputDevice(gpio, pin_factory=factory)
                    self._lines.append((line, on_s))
        except BaseException:
            self.close()
            raise

    def give(self, signal: Signal) -> None:
        """Start a signal, on a thread of the library."""
        try:
            for line, on_s in self._lines:
                line.blink(on_time=on_s, off_time=PAUSE_S, n=signal.value, background=True)
        except gpio_errors() as error:
            raise _signals_error(error) from error

    def close(self) -> None:
        """Fall silent and release the lines."""
        lines, self._lines = self._lines, []
        for line, _on_s in lines:
            with suppress(*gpio_errors()):
                line.close()
        with suppress(*gpio_errors()):
            self._factory.close()


class NoSignals:
    """Signals of a scanner without buzzer and lamp: none is given."""

    def give(self, signal: Signal) -> None:
        """Give nothing."""

    def close(self) -> None:
        """Do nothing."""


class StandInSignals:
    """Signals that are only remembered, for tests.

    Attributes:
        given: Signals so far.
        closed: True once ``close`` was called.
    """

    def __init__(self) -> None:
        self.given: list[Signal] = []
        self.closed = False

    def give(self, signal: Signal) -> None:
        """Remember a signal."""
        self.given.append(signal)

    def close(self) -> None:
        """Note that the signals were closed."""
        self.closed = True


def open_signals(
    settings: SignalSettings, *, factory: Callable[[], Any] = lgpio_factory
) -> Signals:
    """Take the lines of buzzer and lamp; where neither is there, nothing is opened.

    Args:
        settings: GPIO lines of buzzer and lamp.
        factory: Function that makes the pin factory of gpiozero.

    Raises:
        SignalsError: No GPIO here, no permission, a missing package, or a line is in use.
    """
    if not settings.is_connected:
        return NoSignals()
    try:
        return GpioSignals(factory(), settings)
    except gpio_errors() as error:
        raise _signals_error(error) from error


def _signals_error(error: Exception) -> SignalsError:
    return SignalsError(
        "signals-broken",
        N_("buzzer and lamp cannot be used ({reason}): check their numbers in the settings"),
        "GPIO",
        reason=error_reason(error),
    )
