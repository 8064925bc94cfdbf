"""Dice board: the sight on the back of each company's cards, from 0 to 200 in both directions."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from vision.simulate.drawing import Board, Colour, Spot, arc, mix


@dataclass(frozen=True, slots=True)
class Daylight:
    """Colours of a sight at some time of the day.

    Attributes:
        sky: behind it.
        far: hills and buildings behind it.
        lit: sides towards the light.
        shaded: sides away from it, outlines.
        ground: before it.
        glow: windows, lamps, flags.
    """

    sky: Colour
    far: Colour
    lit: Colour
    shaded: Colour
    ground: Colour
    glow: Colour


SUNS: Mapping[str, Spot] = {
    "bakery": (158.0, 36.0),
    "brewery": (82.0, 48.0),
    "shipyard": (96.0, 62.0),
    "theatre": (172.0, 44.0),
    "post": (30.0, 66.0),
}
"""Where the sun or moon stands in the sky of each sight."""


def draw_sight(board: Board, company: str, day: Daylight) -> None:
    """Draw the sight of a company over a sky that is there already."""
    _SIGHTS[company](board, day)


def _windmill(board: Board, day: Daylight) -> None:
    board.polygon([(0, 150), (60, 118), (130, 140), (200, 110), (200, 200), (0, 200)], day.far)
    board.polygon([(0, 172), (90, 150), (200, 166), (200, 200), (0, 200)], day.ground)
    for furrow in range(6):
        board.stroke([(20 + furrow * 34, 200), (60 + furrow * 22, 160)], 4, day.glow)
    body: list[Spot] = [(66, 172), (80, 84), (124, 84), (138, 172)]
    board.polygon(body, day.lit)
    board.polygon([(102, 172), (102, 84), (124, 84), (138, 172)], mix(day.lit, day.shaded, 0.55))
    board.polygon(arc((102, 84), 25, 26, 180, 360), day.shaded)
    board.stroke(body, 3, day.shaded, closed=True)
    board.box(68, 124, 136, 130, day.shaded)
    board.arch(84, 146, 100, 172, day.shaded)
    board.arch(92, 96, 104, 114, day.glow)
    for across, down in ((0.92, 0.39), (-0.39, 0.92), (-0.92, -0.39), (0.39, -0.92)):
        tip = (98 + across * 84, 78 + down * 84)
        board.stroke([(98, 78), tip], 5, day.shaded)
        near = (98 + across * 22, 78 + down * 22)
        aside = -down * 20, across * 20
        sail = [
            near,
            tip,
            (tip[0] + aside[0], tip[1] + aside[1]),
            (near[0] + aside[0], near[1] + aside[1]),
        ]
        board.polygon(sail, day.lit)
        board.stroke(sail, 3, day.shaded, closed=True)
        for step in (0.4, 0.7):
            x, y = near[0] + (tip[0] - near[0]) * step, near[1] + (tip[1] - near[1]) * step
            board.stroke([(x, y), (x + aside[0], y + aside[1])], 2.5, day.shaded)
    board.disc(98, 78, 8, day.glow)


def _castle(board: Board, day: Daylight) -> None:
    board.polygon(
        [(0, 200), (0, 170), (30, 150), (70, 140), (160, 146), (200, 178), (200, 200)], day.ground
    )
    walls: tuple[tuple[float, float, float, float], ...] = (
        (22, 92, 56, 160), (56, 112, 122, 160), (118, 50, 162, 160), (162, 116, 188, 166),
    )  # fmt: skip
    for left, top, right, bottom in walls:
        board.box(left, top, right, bottom, day.lit)
        board.box((left + right) / 2, top, right, bottom, mix(day.lit, day.shaded, 0.4))
        battlement = left
        while battlement < right - 4:
            board.box(battlement, top - 9, min(battlement + 7, right), top + 1, day.lit)
            battlement += 12
        board.stroke([(left, bottom), (left, top), (right, top), (right, bottom)], 3, day.shaded)
    board.polygon([(112, 46), (140, 8), (168, 46)], day.shaded)
    board.stroke([(39, 92), (39, 52)], 4, day.shaded)
    board.polygon([(39, 52), (8, 62), (39, 74)], day.glow)
    for x, y in ((132, 62), (132, 92), (34, 108), (170, 130), (144, 124)):
        board.arch(x, y, x + 11, y + 18, day.glow)
    board.arch(74, 124, 106, 160, day.shaded)
    for bar in (82, 90, 98):
        board.stroke([(bar, 128), (bar, 160)], 2, day.glow)
    board.polygon([(78, 160), (102, 160), (70, 200), (20, 200)], day.far)
    for x, y, size in ((146, 176, 14), (178, 186, 11), (124, 190, 9)):
        board.disc(x, y, size, day.shaded)
        board.disc(x - 3, y - 3, size * 0.55, day.far)


def _bridge(board: Board, day: Daylight) -> None:
    board.polygon(
        [(0, 120), (40, 96), (84, 122), (140, 104), (200, 122), (200, 150), (0, 150)], day.far
    )
    board.box(0, 138, 200, 200, day.ground)
    for wave, (x, y) in enumerate(
        ((20, 176), (70, 190), (120, 172), (164, 186), (30, 194), (96, 158))
    ):
        board.stroke(arc((x, y), 14, 4 + wave % 2, 190, 350, 8), 4, day.glow)
    for x, top in ((52, 30), (140, 46)):
        board.stroke(arc((96, top + 6), 46, 76, 20, 160), 3.5, day.shaded)
        board.box(x - 13, top, x - 3, 176, day.lit)
        board.box(x + 3, top, x + 13, 176, mix(day.lit, day.shaded, 0.4))
        for y in (top, top + 34):
            board.box(x - 15, y, x + 15, y + 9, day.shaded)
        board.box(x - 18, 164, x + 18, 182, day.shaded)
        board.disc(x, top - 7, 6, day.glow)
    for start, end in (((52, 32), (-30, 124)), ((140, 48), (230, 122))):
        board.stroke([start, end], 4, day.shaded)
    board.box(0, 122, 200, 132, day.lit)
    board.box(0, 130, 200, 137, day.shaded)
    for x in range(6, 200, 16):
        board.stroke([(x, 112), (x, 124)], 3, day.shaded)
    board.round_box(74, 106, 118, 124, 5, day.glow)
    for x in (80, 93, 106):
        board.box(x, 110, x + 8, 117, day.shaded)
    board.polygon([(150, 158), (196, 158), (186, 172), (160, 172)], day.shaded)
    board.polygon([(170, 156), (170, 128 + 12), (190, 156)], day.lit)


def _opera(board: Board, day: Daylight) -> None:
    board.box(0, 168, 200, 200, day.ground)
    for flight in range(3):
        board.box(24 - 8 * flight, 160 + 9 * flight, 176 + 8 * flight, 166 + 9 * flight, day.lit)
    board.polygon(arc((112, 74), 46, 48, 180, 360), day.far)
    for x in (84, 98, 112, 126, 140):
        board.stroke([(x, 74), (112, 26)], 2.5, day.shaded)
    board.stroke(arc((112, 74), 46, 48, 180, 360), 4, day.shaded, closed=True)
    board.stroke([(112, 28), (112, 8)], 4, day.shaded)
    board.disc(112, 10, 7, day.glow)
    board.box(20, 78, 182, 162, day.lit)
    board.polygon([(48, 82), (112, 52), (176, 82)], mix(day.lit, day.shaded, 0.3))
    board.stroke([(48, 82), (112, 52), (176, 82)], 4, day.shaded, closed=True)
    board.disc(112, 71, 7, day.glow)
    board.box(14, 80, 188, 90, day.shaded)
    board.box(54, 92, 170, 160, day.shaded)
    for x in (58, 80, 102, 124, 146):
        board.box(x, 92, x + 12, 160, day.lit)
        board.arch(x + 13, 116, x + 21, 160, day.glow)
    for y in (98, 124):
        board.arch(26, y, 38, y + 20, day.shaded)
        board.disc(181, y + 10, 5, day.glow)
    board.polygon([(20, 78), (20, 56), (34, 46), (48, 56), (48, 78)], day.shaded)
    board.stroke([(34, 46), (34, 26)], 3, day.shaded)
    board.polygon([(34, 26), (56, 32), (34, 38)], day.glow)


def _clock_tower(board: Board, day: Daylight) -> None:
    for left, top, right in ((0, 128, 34), (30, 144, 62), (120, 136, 156), (154, 118, 200)):
        board.box(left, top, right, 184, day.far)
        for y in range(top + 8, 176, 14):
            for x in range(left + 5, right - 6, 11):
                board.box(x, y, x + 5, y + 7, day.glow)
    board.box(0, 180, 200, 200, day.ground)
    board.box(64, 52, 112, 188, day.lit)
    board.box(92, 52, 112, 188, mix(day.lit, day.shaded, 0.45))
    board.polygon([(58, 54), (88, 4), (118, 54)], day.shaded)
    board.stroke([(64, 188), (64, 52), (112, 52), (112, 188)], 3, day.shaded)
    board.disc(88, 80, 21, day.shaded)
    board.disc(88, 80, 16.5, day.glow)
    board.stroke([(88, 68), (88, 80), (97, 86)], 4, day.shaded)
    for y in (110, 136):
        board.box(62, y - 4, 114, y, day.shaded)
        for x in (72, 92):
            board.arch(x, y + 4, x + 11, y + 20, day.shaded)
    board.arch(76, 160, 100, 188, day.shaded)
    board.oval(156, 46, 36, 18, day.shaded)
    board.oval(156, 44, 32, 14, day.lit)
    board.oval(150, 44, 12, 14, day.glow)
    board.polygon([(184, 44), (198, 30), (198, 58)], day.shaded)
    board.round_box(144, 64, 170, 74, 4, day.shaded)
    for x in (14, 138, 178):
        board.stroke([(x, 196), (x, 162)], 4, day.shaded)
        board.disc(x, 158, 7, day.glow)


_SIGHTS: Mapping[str, Callable[[Board, Daylight], None]] = {
    "bakery": _windmill,
    "brewery": _castle,
    "shipyard": _bridge,
    "theatre": _opera,
    "post": _clock_tower,
}
