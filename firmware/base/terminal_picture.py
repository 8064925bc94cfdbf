"""Screens of the display drawn with Unicode characters, for a terminal."""

from collections.abc import Sequence
from typing import Final

from PIL import Image

_HALF_BLOCKS: Final = (" ", "\N{UPPER HALF BLOCK}", "\N{LOWER HALF BLOCK}", "\N{FULL BLOCK}")
_BRAILLE_BLANK: Final = 0x2800
# Unicode numbers the eight dots of a pattern down the left column, down the right one, and gives
# the bottom row the last two bits.
_BRAILLE_BITS: Final = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))


def picture_lines(image: Image.Image, columns: int) -> list[str]:
    """Draw a one-bit picture as lines of equal length.

    Half blocks show 1 x 2 pixels a character. If they do not fit, Braille patterns show 2 x 4.

    Args:
        image: Picture of mode ``"1"``; lit pixels are drawn.
        columns: Width of the terminal.
    """
    width, height = image.size
    data = list(image.convert("L").tobytes())
    pixels = [[bool(value) for value in data[y * width : (y + 1) * width]] for y in range(height)]
    if width <= columns:
        return [
            "".join(
                _HALF_BLOCKS[upper + 2 * lower]
                for upper, lower in zip(pixels[y], pixels[y + 1], strict=True)
            )
            for y in range(0, height, 2)
        ]
    return [
        "".join(_braille(pixels, x, y) for x in range(0, width, 2)) for y in range(0, height, 4)
    ]


def _braille(pixels: Sequence[Sequence[bool]], x: int, y: int) -> str:
    return chr(
        _BRAILLE_BLANK
        + sum(
            bit
            for row, bits in enumerate(_BRAILLE_BITS)
            for column, bit in enumerate(bits)
            if pixels[y + row][x + column]
        )
    )
