"""The three buttons: real lines through gpiozero, and a stand-in."""

from hardware.buttons.button import (
    LONG_PRESS_S,
    Button,
    ButtonEvent,
    Buttons,
    ButtonWiring,
    PressKind,
)
from hardware.buttons.debouncer import Debouncer
from hardware.buttons.gpio import GpioButtons, open_buttons
from hardware.buttons.stand_in import StandInButtons

__all__ = [
    "LONG_PRESS_S",
    "Button",
    "ButtonEvent",
    "ButtonWiring",
    "Buttons",
    "Debouncer",
    "GpioButtons",
    "PressKind",
    "StandInButtons",
    "open_buttons",
]
