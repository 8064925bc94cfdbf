"""What the display shows: pure functions from data to one-bit pictures of 128x64."""

from firmware.screens.canvas import PlacedText, Screen
from firmware.screens.changes import change_views
from firmware.screens.messages import (
    error_screens,
    hold_still_screen,
    message_screens,
    reading_screen,
    ready_screen,
)
from firmware.screens.notes import doubtful_notes, note_views, unread_views
from firmware.screens.render import paged, render
from firmware.screens.result import result_screens, result_views
from firmware.screens.save import is_result_file, save_screens
from firmware.screens.table_map import table_map_of

__all__ = [
    "PlacedText",
    "Screen",
    "change_views",
    "doubtful_notes",
    "error_screens",
    "hold_still_screen",
    "is_result_file",
    "message_screens",
    "note_views",
    "paged",
    "reading_screen",
    "ready_screen",
    "render",
    "result_screens",
    "result_views",
    "save_screens",
    "table_map_of",
    "unread_views",
]
