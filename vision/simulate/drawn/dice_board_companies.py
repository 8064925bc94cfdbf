"""Dice board: what the signs of the five companies show.

A sign is drawn from 0 to 200 in both directions, its middle at (100, 100); all of it lies within
78 of the middle. The same drawing serves as the small symbol on each card.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from vision.simulate.drawing import Board, Colour, Spot, arc, mix, ring

COMPANIES = ("bakery", "brewery", "shipyard", "theatre", "post")


@dataclass(frozen=True, slots=True)
class Inks:
    """Colours of a sign.

    Attributes:
        figure: of what the sign shows, far lighter or darker than ``ground``.
        ground: on which it stands.
        accent: of details.
    """

    figure: Colour
    ground: Colour
    accent: Colour

    @property
    def half(self) -> Colour:
        """Between figure and ground."""
        return mix(self.figure, self.ground, 0.45)


def draw_company(board: Board, company: str, inks: Inks) -> None:
    """Draw what a company's sign shows."""
    _PICTURES[company](board, inks)


def _bakery(board: Board, inks: Inks) -> None:
    """A pretzel, a croissant to its lower right, a loaf and a wheat ear."""
    left = arc((60, 84), 24, 26, 45, 300, 48)
    right = [(168 - x, y) for x, y in left]
    for width, colour in ((14.0, inks.figure), (6.0, inks.half)):
        board.stroke([*left, (84, 78), (104, 115)], width, colour)
        board.stroke([*right, (84, 78), (64, 115)], width, colour)
    salt = ((42, 72), (40, 96), (122, 70), (129, 92), (64, 113), (104, 113), (84, 78))
    for grain in salt:
        board.disc(*grain, 3.4, inks.accent)
    crescent = [*arc((130, 144), 40, 35, 165, 375, 48), *arc((130, 152), 23, 17, 350, 190, 48)]
    board.stroke(crescent, 7, inks.ground, closed=True)
    board.polygon(crescent, inks.figure)
    for angle in (205, 240, 272, 304, 338):
        (near,) = arc((130, 147), 21, 17, angle, angle, 1)
        (far,) = arc((130, 144), 39, 34, angle + 6, angle + 6, 1)
        board.stroke([near, far], 4.5, inks.accent)
    board.oval(136, 50, 28, 16, inks.figure, 24)
    for slash in (-16.0, 0.0, 16.0):
        x, y = 136 + slash, 50 + slash * 0.45
        board.stroke([(x - 2, y - 9), (x + 6, y + 7)], 4.5, inks.ground)
    board.stroke([(46, 138), (82, 168)], 5, inks.accent)
    for pair in range(4):
        x, y = 48.0 + pair * 9, 139 + pair * 7.5
        board.oval(x + 6, y - 4, 8, 4, inks.accent, -10)
        board.oval(x - 3, y + 7, 8, 4, inks.accent, 85)


def _brewery(board: Board, inks: Inks) -> None:
    """A foaming mug with its handle to the right, hops to the left."""
    board.stroke(arc((138, 112), 26, 30, -90, 90), 14, inks.figure)
    board.round_box(58, 62, 142, 170, 10, inks.figure)
    board.round_box(68, 82, 132, 160, 7, inks.accent)
    for x, top in ((80, 98), (100, 92), (120, 104)):
        board.stroke([(x, top), (x, 150)], 8, inks.figure)
    for x, y, radius in (
        (58, 62, 17), (80, 48, 21), (106, 40, 24), (134, 56, 19), (62, 82, 9), (112, 72, 14),
    ):  # fmt: skip
        board.disc(x, y, radius + 2.5, inks.half)
        board.disc(x, y, radius, inks.figure)
    for row, count in enumerate((3, 3, 2, 1)):
        for leaf in range(count):
            board.disc(40 + (leaf - (count - 1) / 2) * 11, 116 + row * 9, 7, inks.half)
            board.disc(40 + (leaf - (count - 1) / 2) * 11, 114 + row * 9, 5, inks.figure)
    board.stroke([(40, 112), (34, 92), (46, 78)], 4, inks.figure)


def _shipyard(board: Board, inks: Inks) -> None:
    """A two-masted ship under sail to the left, a gull and waves."""
    for x, top in ((82, 30), (128, 52)):
        board.stroke([(x, top), (x, 136)], 5, inks.figure)
    board.polygon([(78, 36), (78, 116), (34, 116), (48, 74)], inks.figure)
    board.polygon([(87, 44), (87, 116), (118, 116), (110, 70)], inks.half)
    board.polygon([(132, 60), (132, 116), (168, 116), (156, 82)], inks.figure)
    board.stroke([(40, 98), (78, 98)], 4, inks.accent)
    board.stroke([(132, 100), (163, 100)], 4, inks.accent)
    board.polygon([(82, 30), (82, 44), (108, 37)], inks.accent)
    hull: list[Spot] = [(24, 122), (40, 130), (166, 130), (176, 120), (160, 158), (52, 158)]
    board.polygon(hull, inks.figure)
    for x in range(62, 156, 18):
        board.disc(x, 143, 4.5, inks.ground)
    for row, y in enumerate((164, 172)):
        for crest in range(5 - row * 2):
            x = 56 + row * 22 + crest * 22
            board.stroke(arc((x, y), 10, 5, 190, 350, 8), 4, inks.accent)
    board.stroke([*arc((140, 36), 9, 7, 190, 340, 8)], 4, inks.figure)
    board.stroke([*arc((157, 36), 9, 7, 200, 350, 8)], 4, inks.figure)


def _theatre(board: Board, inks: Inks) -> None:
    """A laughing and a crying mask, ribbons and a star."""
    _mask(board.part(76, 80, 46), inks, laughing=True)
    _mask(board.part(132, 122, 40), Inks(inks.half, inks.ground, inks.accent), laughing=False)
    board.polygon(_star((142, 52), 22), inks.accent)
    ribbon: list[Spot] = [
        (44, 116), (36, 138), (58, 148), (52, 168), (76, 172),
    ]  # fmt: skip
    board.stroke(ribbon, 7, inks.accent)


def _mask(board: Board, inks: Inks, *, laughing: bool) -> None:
    outline = [(-0.9, -0.8), (0.0, -0.95), (0.9, -0.8), *arc((0, 0.1), 0.9, 1.0, 0, 180)]
    board.stroke(outline, 0.16, inks.ground, closed=True)
    board.polygon(outline, inks.figure)
    for side in (-1.0, 1.0):
        lean = -20 * side if laughing else 25 * side
        board.oval(side * 0.42, -0.22, 0.27, 0.17, inks.ground, lean)
    board.stroke([(0, -0.2), (0.08, 0.18), (-0.08, 0.2)], 0.1, inks.ground)
    if laughing:
        board.polygon(arc((0, 0.4), 0.55, 0.45, 0, 180), inks.ground)
        board.polygon(arc((0, 0.72), 0.3, 0.14, 180, 360), inks.accent)
    else:
        board.stroke(arc((0, 0.8), 0.42, 0.36, 195, 345), 0.18, inks.ground)
        board.oval(-0.5, 0.22, 0.1, 0.18, inks.accent)


def _star(middle: Spot, size: float) -> list[Spot]:
    outer, inner = ring(middle, size, 5), ring(middle, size * 0.42, 5, -54)
    return [spot for pair in zip(outer, inner, strict=True) for spot in pair]


def _post(board: Board, inks: Inks) -> None:
    """A post horn with tassels above a sealed letter."""
    board.stroke(arc((84, 76), 34, 32, -60, 290, 72), 13, inks.figure)
    board.stroke([(62, 102), (104, 52), (122, 44)], 12, inks.figure)
    board.polygon([(106, 40), (146, 28), (156, 70), (122, 60)], inks.figure)
    board.oval(151, 49, 7, 22, inks.accent, -12)
    board.stroke([(56, 108), (36, 126)], 8, inks.figure)
    for x, y in ((58, 58), (112, 92)):
        board.disc(x, y, 7, inks.accent)
    board.stroke([(112, 96), (122, 112)], 5, inks.accent)
    letter = board.part(106, 138)
    corners = _turned([(-48, -28), (48, -28), (48, 28), (-48, 28)], -8)
    letter.stroke(corners, 8, inks.ground, closed=True)
    letter.polygon(corners, inks.figure)
    fold = _turned([(-46, -26), (0, 8), (46, -26)], -8)
    letter.stroke(fold, 5, inks.ground)
    letter.disc(1, 8, 11, inks.accent)
    letter.disc(1, 8, 5, inks.ground)
    for line, y in enumerate((12, 19)):
        letter.stroke(_turned([(20, y), (38 - 6 * line, y)], -8), 3.5, inks.ground)
    board.polygon(_star((42, 154), 15), inks.accent)


def _turned(spots: list[Spot], degrees: float) -> list[Spot]:
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return [(x * cos - y * sin, x * sin + y * cos) for x, y in spots]


_PICTURES: Mapping[str, Callable[[Board, Inks], None]] = {
    "bakery": _bakery,
    "brewery": _brewery,
    "shipyard": _shipyard,
    "theatre": _theatre,
    "post": _post,
}
