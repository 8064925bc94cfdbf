"""What the display shows: pure functions from data to one-bit pictures of 128x64."""

from firmware.screens.canvas import PlacedText, Screen
from firmware.screens.crop import decoded_crop, place_patch, place_picture
from firmware.screens.render import paged, render
from firmware.screens.result import remark_views, result_screens, result_views
from firmware.screens.save import result_files, save_screens
from firmware.screens.table_map import table_map_of

__all__ = [
    "PlacedText",
    "Screen",
    "decoded_crop",
    "paged",
    "place_patch",
    "place_picture",
    "remark_views",
    "render",
    "result_files",
    "result_screens",
    "result_views",
    "save_screens",
    "table_map_of",
]
