"""Text on annotated photos and on the picture to share.

The font is DejaVu Sans: Latin, Greek and Cyrillic; it draws a box for any other letter. The display
has its own font, see ``firmware.screens.typeset``.
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
"""Coverage of each pixel by letters, 0 to 255; shape (height, width)."""

ASCENT: Final = 0.76
"""Height of letters above the base line as a share of the font size; accents on capitals reach a
fifth higher."""
DESCENT: Final = 0.24
"""Depth of letters below the base line as a share of the font size."""


@cache
def font_file() -> bytes:
    """Return the content of the font file."""
    # Bytes and not a path: the package may lie in a zip file
    return (files("firmware") / "fonts" / "DejaVuSans.ttf").read_bytes()


@lru_cache(maxsize=8)  # each holds a copy of the file
def font(size: float) -> ImageFont.FreeTypeFont:
    """Return the font in a size in pixels."""
    # Pillow's other layout engine is not on every machine, and spaces letters differently
    return ImageFont.truetype(BytesIO(font_file()), size, layout_engine=ImageFont.Layout.BASIC)


def drawable_text(text: str) -> str:
    """Return a text as one line with composed accents, as it is drawn."""
    return printable(unicodedata.normalize("NFC", text))


def text_width_px(text: str, size: float) -> int:
    """Return the width of a text in pixels."""
    return round(font(size).getlength(drawable_text(text)))


@lru_cache(maxsize=32)  # labels of a city repeat, and Pillow is slow
def text_mask(text: str, size: float) -> tuple[Mask, tuple[int, int]]:
    """Draw a text.

    Returns:
        Mask of the text, and its top left corner relative to the start of the base line.
    """
    line, letters = drawable_text(text), font(size)
    left, top, right, bottom = map(round, letters.getbbox(line, anchor="ls"))
    picture = Image.new("L", (max(right - left, 0), max(bottom - top, 0)))
    ImageDraw.Draw(picture).text((-left, -top), line, 255, letters, anchor="ls")
    return np.asarray(picture), (left, top)
