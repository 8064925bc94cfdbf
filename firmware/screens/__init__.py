"""What the display shows: pure functions from a score sheet to one-bit pictures of 128x64."""

from firmware.screens.canvas import PlacedText, Screen
from firmware.screens.messages import (
    error_screens,
    hold_still_screen,
    message_screens,
    reading_screen,
    ready_screen,
)
from firmware.screens.result import result_screens
from firmware.screens.save import is_result_file, save_screens

__all__ = [
    "PlacedText",
    "Screen",
    "error_screens",
    "hold_still_screen",
    "is_result_file",
    "message_screens",
    "reading_screen",
    "ready_screen",
    "result_screens",
    "save_screens",
]
