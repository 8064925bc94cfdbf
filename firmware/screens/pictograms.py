"""Small signs for the display: 11 pixels square, drawn as text in which ``#`` is lit."""

from collections.abc import Mapping
from typing import Final

from PIL import Image

from firmware.screens import typeset
from firmware.screens.views import Bitmap, Other


def drawn(drawings: str) -> tuple[Bitmap, ...]:
    """The signs of drawings that stand beside each other, with a space between them."""
    signs = zip(*(line.split() for line in drawings.split("\n") if line), strict=True)
    return tuple(_bitmap(rows) for rows in signs)


def _bitmap(rows: tuple[str, ...]) -> Bitmap:
    width = len(rows[0])
    filled = -(-width // 8) * 8
    bits = "".join(row.replace("#", "1").replace(".", "0").ljust(filled, "0") for row in rows)
    return Bitmap((width, len(rows)), int(bits, 2).to_bytes(len(bits) // 8, "big"))


def picture(bitmap: Bitmap) -> Image.Image:
    """As a picture of mode ``"1"``."""
    image = Image.frombytes("1", bitmap.size_wh, bitmap.bits)
    return image.point(lambda dot: typeset.LIT if dot else 0)


_GAP, _DOTS = drawn(
    """
##.##.##.## ...........
#.........# ...........
........... ...........
#.........# ...........
#.........# ...........
........... ##..##...##
#.........# ##..##...##
#.........# ...........
........... ...........
#.........# ...........
##.##.##.## ...........
"""
)
LIGHT, SHARPNESS = drawn(
    """
#.#.# ##.##
.###. #...#
##### ..#..
.###. #...#
#.#.# ##.##
"""
)
"""Over the bars beside the live picture."""
OTHERS: Final[Mapping[Other, Bitmap]] = {Other.NO_TILE: _GAP, Other.LATER: _DOTS}
"""The signs of what a person may say instead of a face."""
