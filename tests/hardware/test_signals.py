"""Buzzer and lamp on gpiozero's mock of lines."""

import pytest
from gpiozero.pins.mock import MockFactory

from hardware.settings import SignalSettings
from hardware.signals import GpioSignals, NoSignals, Signal, open_signals
from tests.refusals import refused


def switched_on(factory, gpio):
    return [state.state for state in factory.pin(gpio).states].count(True)


@pytest.mark.parametrize(
    ("signal", "times"), [(Signal.PHOTO_TAKEN, 1), (Signal.LOOK_AT_DISPLAY, 2)]
)
def test_each_signal_sounds_and_flashes_so_often(signal, times, monkeypatch):
    for name in ("SOUND_S", "FLASH_S", "PAUSE_S"):
        monkeypatch.setattr(f"hardware.signals.{name}", 0.001)
    factory = MockFactory()
    signals = open_signals(SignalSettings(12, 16), factory=lambda: factory)
    assert isinstance(signals, GpioSignals)
    signals.give(signal)
    for line, _on_s in signals._lines:
        line._blink_thread.join(5)
    assert [switched_on(factory, gpio) for gpio in (12, 16)] == [times, times]
    signals.close()
    signals.close()


def test_one_signal_is_enough_and_unavailable_lines_are_refused():
    factory = MockFactory()
    signals = open_signals(SignalSettings(lamp_gpio=16), factory=lambda: factory)
    assert len(signals._lines) == 1
    signals.give(Signal.LOOK_AT_DISPLAY)
    assert switched_on(factory, 16) >= 1
    signals.close()

    def forbidden():
        raise AssertionError("nothing is to be opened")

    signals = open_signals(SignalSettings(), factory=forbidden)
    assert isinstance(signals, NoSignals)
    signals.give(Signal.LOOK_AT_DISPLAY)
    signals.close()

    def missing():
        raise OSError("no chip")

    with refused("signals-broken", "no chip"):
        open_signals(SignalSettings(buzzer_gpio=12), factory=missing)
