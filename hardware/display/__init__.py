"""The little display: one interface, the OLEDs behind it, and a stand-in."""

from hardware.display.interface import (
    CONTRAST,
    SIZE_WH,
    Controller,
    Display,
    DisplayWiring,
)
from hardware.display.oled import OledDisplay, open_display
from hardware.display.rest import Rest
from hardware.display.stand_in import EmulatedDisplay

__all__ = [
    "CONTRAST",
    "SIZE_WH",
    "Controller",
    "Display",
    "DisplayWiring",
    "EmulatedDisplay",
    "OledDisplay",
    "Rest",
    "open_display",
]
