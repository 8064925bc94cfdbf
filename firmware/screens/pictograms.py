"""Signs for the display, 11 pixels square, drawn as text in which ``#`` is a lit pixel."""

from collections.abc import Mapping
from typing import Final

from firmware.screens.question_views import SpecialAnswer
from firmware.screens.view import Bitmap


def bitmaps_of(drawings: str) -> tuple[Bitmap, ...]:
    """Return the bitmaps of drawings that stand beside each other, separated by spaces."""
    signs = zip(*(line.split() for line in drawings.split("\n") if line), strict=True)
    return tuple(_bitmap(rows) for rows in signs)


def _bitmap(rows: tuple[str, ...]) -> Bitmap:
    width = len(rows[0])
    filled = -(-width // 8) * 8
    bits = "".join(row.replace("#", "1").replace(".", "0").ljust(filled, "0") for row in rows)
    return Bitmap((width, len(rows)), int(bits, 2).to_bytes(len(bits) // 8, "big"))


_GAP, _DOTS = bitmaps_of(
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
LIGHT, SHARPNESS = bitmaps_of(
    """
#.#.# ##.##
.###. #...#
##### ..#..
.###. #...#
#.#.# ##.##
"""
)
"""Signs over the bars beside the live picture."""
SPECIAL_ANSWER_SIGNS: Final[Mapping[SpecialAnswer, Bitmap]] = {
    SpecialAnswer.NO_TILE: _GAP,
    SpecialAnswer.LATER: _DOTS,
}
"""Signs of the answers that name no face."""
