"""City Blocks: houses, shops and factories, as many of them on a tile as it is worth.

Scenes are drawn on a board of 100 x 100 units over the owner's ground; the badge with the value
covers the place that ``badge_at`` names.
"""

from collections.abc import Mapping

import numpy as np

from vision.simulate.drawing import Board, Colour, Spot, from_hex, mix
from vision.simulate.emblems import INK, IVORY

_BADGES: Mapping[str, Spot] = {"house": (26.0, 26.0), "shop": (74.0, 26.0), "factory": (27.0, 66.0)}
_OTHER_BADGES: Mapping[tuple[str, int], Spot] = {
    ("house", 5): (50.0, 42.0),
    ("factory", 5): (50.0, 64.0),
}

_LAWN, _LAWN_DARK = from_hex("#8cc063"), from_hex("#4f8a3c")
_ROOFS = tuple(from_hex(rgb) for rgb in ("#b8481f", "#8d2f1c", "#d0662a", "#a23a2a", "#7a3a1e"))
_WALLS = tuple(from_hex(rgb) for rgb in ("#fff3d6", "#f6dcae", "#ffffff", "#f3e6c0", "#ffe9c9"))
_PANE, _DOOR = from_hex("#2d4a66"), from_hex("#5a3420")

_PAVEMENT = from_hex("#d9cfb8")
_SHOP_WALLS = tuple(
    from_hex(rgb) for rgb in ("#f5b81c", "#e59a12", "#ffd35a", "#f0a92a", "#fac63c", "#dd8f10")
)
_AWNINGS = tuple(
    from_hex(rgb) for rgb in ("#0f7a6b", "#7a1f5c", "#1d5fa8", "#b3261e", "#2f7d32", "#4b3a9b")
)

_BRICK, _BRICK_DARK = from_hex("#4b4f57"), from_hex("#2c2f36")
_GLOW, _SMOKE = from_hex("#ffcf5a"), from_hex("#8d9097")

_HOUSE_PLACES: Mapping[int, tuple[tuple[float, float, float], ...]] = {
    1: ((58, 80, 66),),
    2: ((72, 52, 36), (34, 81, 36)),
    3: ((74, 37, 27), (63, 81, 25), (90, 81, 25)),
    4: ((58, 33, 22), (82, 33, 22), (22, 81, 25), (80, 81, 25)),
    5: ((17, 38, 22), (83, 38, 22), (18, 81, 24), (51, 82, 22), (82, 81, 24)),
}
"""Middle of the foot (x, y) and width of each house."""

_SHOP_PLACES: Mapping[int, tuple[tuple[float, float, float, float], ...]] = {
    2: ((8, 12, 38, 70), (50, 50, 42, 32)),
    3: ((8, 10, 43, 32), (8, 58, 56, 24), (70, 48, 22, 34)),
    4: ((8, 34, 20, 48), (31, 10, 20, 72), (54, 48, 18, 34), (75, 62, 17, 20)),
    5: ((8, 10, 20, 30), (31, 10, 20, 30), (8, 52, 25, 30), (37, 52, 25, 30), (66, 52, 26, 30)),
    6: (
        (8, 9, 20, 21), (31, 9, 20, 21), (8, 34, 20, 22), (31, 34, 20, 22),
        (8, 61, 20, 21), (72, 61, 20, 21),
    ),
}  # fmt: skip
"""Left, top, width and height of each shop."""

_CHIMNEY_TOPS: Mapping[int, tuple[float, ...]] = {
    3: (12, 30, 46),
    4: (46, 36, 22, 10),
    5: (10, 24, 34, 24, 10),
    6: (44, 26, 12, 12, 26, 44),
    7: (10, 40, 14, 40, 14, 40, 10),
}


def badge_at(kind: str, value: int) -> Spot:
    """Middle of the badge of a building of this kind and value."""
    return _OTHER_BADGES.get((kind, value), _BADGES[kind])


def house(board: Board, value: int) -> None:
    """Draw as many cottages as the house is worth, on a lawn with paths and trees."""
    horizon = (66, 40, 44, 40, 50)[value - 1]
    board.box(0, horizon, 100, 100, _LAWN)
    for row in range(horizon + 5, 96, 9):
        for tuft in range(6 + row % 7, 96, 13):
            board.stroke([(tuft, row), (tuft + 3, row)], 1.2, _LAWN_DARK)
    if value == 1:
        _tree(board, 17, 84, 15)
    if value == 2:
        board.polygon([(60, 52), (74, 52), (96, 94), (52, 94)], _PAVEMENT)
        _tree(board, 88, 80, 11)
    if value == 3:
        board.polygon([(6, 60), (44, 52), (44, 94), (6, 94)], from_hex("#5fa6d8"))
        board.oval(24, 74, 12, 4, IVORY)
    if value == 4:
        board.polygon([(6, 46), (94, 40), (94, 50), (6, 56)], _PAVEMENT)
        _tree(board, 51, 82, 12)
    for place, (x, foot, width) in enumerate(_HOUSE_PLACES[value]):
        style = (value + place) % len(_ROOFS)
        _cottage(board.part(x, foot, width), _WALLS[style], _ROOFS[style])


def _cottage(board: Board, wall: Colour, roof: Colour) -> None:
    board.box(0.18, -0.92, 0.32, -0.5, mix(roof, INK, 0.5))
    board.box(-0.42, -0.5, 0.42, 0.0, wall)
    board.stroke([(-0.42, -0.5), (-0.42, 0), (0.42, 0), (0.42, -0.5)], 0.035, INK)
    board.polygon([(-0.54, -0.46), (0.0, -0.98), (0.54, -0.46)], roof)
    board.stroke([(-0.54, -0.46), (0.0, -0.98), (0.54, -0.46)], 0.045, INK, closed=True)
    board.disc(0.0, -0.64, 0.08, IVORY)
    board.box(-0.09, -0.28, 0.11, 0.0, _DOOR)
    for left in (-0.34, 0.18):
        board.box(left, -0.36, left + 0.18, -0.16, _PANE)
        board.stroke([(left + 0.09, -0.36), (left + 0.09, -0.16)], 0.025, IVORY)


def _tree(board: Board, x: float, foot: float, height: float) -> None:
    tree = board.part(x, foot, height)
    tree.box(-0.1, -0.5, 0.1, 0.0, _DOOR)
    tree.disc(0.0, -0.75, 0.46, _LAWN_DARK)
    tree.disc(-0.12, -0.86, 0.24, mix(_LAWN_DARK, _LAWN, 0.6))


def shop(board: Board, value: int) -> None:
    """Draw as many shop fronts with striped awnings as the shop is worth."""
    board.box(0, 82, 100, 100, _PAVEMENT)
    for x in range(4, 100, 16):
        board.stroke([(x, 82), (x - 4, 96)], 1.0, mix(_PAVEMENT, INK, 0.4))
    if value == 6:
        _lamp(board, 51, 84)
    for place, spot in enumerate(_SHOP_PLACES[value]):
        style = (2 * value + place) % len(_AWNINGS)
        _shop_front(board, spot, _SHOP_WALLS[style], _AWNINGS[style])


def _shop_front(
    board: Board, place: tuple[float, float, float, float], wall: Colour, awning: Colour
) -> None:
    left, top, wide, tall = place
    right, bottom = left + wide, top + tall
    board.box(left, top, right, bottom, wall)
    awning_top = bottom - min(0.8 * tall, 24)
    for row in range(int((awning_top - top) // 10)):
        for column in (0.15, 0.57):
            x, y = left + wide * column, top + 3 + 10 * row
            board.box(x, y, x + wide * 0.28, y + 6, _PANE)
    stripes = 5
    board.box(left + 2, awning_top + 7, right - 2, bottom - 2, _PANE)
    board.box(left + wide * 0.56, awning_top + 7, right - wide * 0.14, bottom, _DOOR)
    board.disc(left + wide * 0.3, bottom - 5, 2.4, from_hex("#ffdf6b"))
    for stripe in range(stripes):
        x0, x1 = left + wide * stripe / stripes, left + wide * (stripe + 1) / stripes
        colour = awning if stripe % 2 == 0 else IVORY
        board.box(x0, awning_top, x1, awning_top + 7, colour)
        board.disc((x0 + x1) / 2, awning_top + 7, wide / stripes / 2, colour)
    board.stroke(
        [(left, top), (right, top), (right, bottom), (left, bottom)], 1.4, INK, closed=True
    )


def _lamp(board: Board, x: float, foot: float) -> None:
    board.stroke([(x, foot), (x, foot - 24)], 2.4, INK)
    board.disc(x, foot - 27, 4.4, INK)
    board.disc(x, foot - 27, 3.2, _GLOW)


def factory(board: Board, value: int) -> None:
    """Draw a factory with as many smoking chimneys as it is worth."""
    board.box(0, 84, 100, 100, from_hex("#a8a294"))
    tops = _CHIMNEY_TOPS[value]
    step = 84 / value
    wide = min(15.0, step * 0.62)
    for place, top in enumerate(tops):
        _chimney(board, 8 + step * (place + 0.5), top, wide)
    if value % 2:
        hall_top = 56
        roof = [(6.0 + 11 * tooth, hall_top - 9 * (tooth % 2)) for tooth in range(9)]
    else:
        hall_top = 62
        roof = [(6, 50), (28, 50), (28, 62), (50, 52), (50, 62), (72, 52), (72, 62), (94, 52)]
    board.polygon([*roof, (94, 84), (6, 84)], _BRICK)
    board.stroke([*roof, (94, 84), (6, 84)], 1.6, _BRICK_DARK, closed=True)
    for left, right in ((10.0, 28.0), (72.0, 92.0)) if value == 5 else ((50.0, 92.0),):
        step = (right - left) / (2 if value == 5 else value)
        for x in np.arange(left, right - 1, step).tolist():
            board.box(x, 66, x + step - 2, 77, _GLOW)
            board.stroke([(x + step / 2 - 1, 66), (x + step / 2 - 1, 77)], 0.8, _BRICK_DARK)
    for y in (64.5, 79.5):
        board.stroke([(10, y), (92, y)], 1.0, _BRICK_DARK)


def _chimney(board: Board, x: float, top: float, wide: float) -> None:
    half = wide / 2
    board.polygon(
        [(x - half * 0.8, top), (x + half * 0.8, top), (x + half, 64), (x - half, 64)], _BRICK_DARK
    )
    for ring in range(2):
        y = top + 4 + 7 * ring
        board.box(x - half * 0.84, y, x + half * 0.84, y + 3, from_hex("#e4572e"))
    board.disc(x + half * 0.3, top - 2.5, half * 0.8, _SMOKE)
    board.disc(x + half * 1.1, top - 5.5, half * 0.6, mix(_SMOKE, IVORY, 0.4))
