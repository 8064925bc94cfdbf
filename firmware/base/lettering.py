"""Letters on photos, and on the picture of a game to send.

The font is DejaVu Sans: Latin, Greek and Cyrillic. For what it lacks it draws a box. The display
has a font of its own, see ``firmware.screens.typeset``.
"""

import unicodedata
from functools import cache, lru_cache
from importlib.resources import files
from io import BytesIO
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from firmware.base.errors import printable

Mask = NDArray[np.uint8]
"""How much of each pixel letters cover, 0 to 255; shape (height, width)."""

ASCENT: Final = 0.76
"""How far letters reach above their base line as a share of their size; accents of capitals reach
a fifth of it higher."""
DESCENT: Final = 0.24


@cache
def font_file() -> bytes:
    """The file of the font."""
    # Bytes and not a path: the package may lie in a zip file.
    return (files("firmware") / "fonts" / "DejaVuSans.ttf").read_bytes()


@lru_cache(maxsize=8)  # each holds a copy of the file
def font(size: float) -> ImageFont.FreeTypeFont:
    """The font with letters of a size in pixels."""
    # Pillow's other engine is not there on every machine, and spaces letters otherwise
    return ImageFont.truetype(BytesIO(font_file()), size, layout_engine=ImageFont.Layout.BASIC)


def drawable_text(text: str) -> str:
    """A text as it is drawn: letters joined with their accents, on one line."""
    return printable(unicodedata.normalize("NFC", text))


def text_width_px(text: str, size: float) -> int:
    """Of a text that is drawn, in pixels."""
    return round(font(size).getlength(drawable_text(text)))


@lru_cache(maxsize=32)  # the labels of a city are alike, and Pillow takes a while
def text_mask(text: str, size: float) -> tuple[Mask, tuple[int, int]]:
    """A text as it is drawn.

    Returns:
        What it covers, and where its left upper corner lies from the beginning of the base line.
    """
    said, letters = drawable_text(text), font(size)
    left, top, right, bottom = map(round, letters.getbbox(said, anchor="ls"))
    picture = Image.new("L", (max(right - left, 0), max(bottom - top, 0)))
    ImageDraw.Draw(picture).text((-left, -top), said, 255, letters, anchor="ls")
    return np.asarray(picture), (left, top)
