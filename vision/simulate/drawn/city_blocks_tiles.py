"""City Blocks: the faces of all tiles, own drawing.

Blue and red differ in more than colour, which a lamp can turn: blue has a solid rim, round badges
and clouds; red a hatched rim, square badges and hatched ground, and stands the other way round.
Even values stand the other way round than odd ones.
"""

from functools import partial

from vision.arrays import Image
from vision.simulate.drawing import Board, Colour, from_hex, mix
from vision.simulate.drawn import city_blocks_halls as halls
from vision.simulate.drawn import city_blocks_houses as houses
from vision.simulate.drawn.canvas import draw_tile
from vision.simulate.drawn.city_blocks_values import VALUES, value
from vision.simulate.drawn.numerals import draw_number
from vision.simulate.emblems import IVORY

OWNERS = ("blue", "red")

_WORTH = {"house": range(1, 6), "shop": range(2, 7), "factory": range(3, 8)}
_WORTHY = {"house": houses.house, "shop": houses.shop, "factory": houses.factory}
_HALLS = {
    "school": halls.school,
    "power-plant": halls.power_plant,
    "mall": halls.mall,
    "court": halls.court,
}

_LIGHT = {"blue": from_hex("#c4e2fb"), "red": from_hex("#fcc7c1")}
_DARK = {"blue": from_hex("#0e4fa3"), "red": from_hex("#c0141f")}

BUILDINGS = tuple(
    f"{owner}-{kind}"
    for owner in OWNERS
    for kind in (*(f"{kind}-{worth}" for kind in _WORTH for worth in _WORTH[kind]), *_HALLS)
)
"""Names of all buildings, blue ones first."""

VALUE_TILES = tuple(f"value-{dollars}" for dollars in VALUES)
"""Names of the value tiles, by value."""

FACES = BUILDINGS + VALUE_TILES
"""Names of all faces."""


def draw_face(name: str, size_px: int = 192) -> Image:
    """Draw a face upright, from edge to edge.

    Args:
        name: one of ``FACES``.
        size_px: edge of the square picture.

    Returns:
        A new BGR picture (size_px, size_px, 3).

    Raises:
        KeyError: no such face.
        ValueError: the size is under ``SMALLEST_PICTURE_PX``.
    """
    if name not in FACES:
        raise KeyError(name)
    owner, _, rest = name.partition("-")
    if owner == "value":
        return draw_tile(partial(value, dollars=int(rest)), size_px)
    return draw_tile(partial(_building, owner=owner, kind=rest), size_px)


def _building(board: Board, owner: str, kind: str) -> None:
    _ground(board, owner)
    if kind in _HALLS:
        _HALLS[kind](board)
        if owner == "red":
            _mirror(board)
    else:
        sort, _, worth = kind.partition("-")
        _WORTHY[sort](board, int(worth))
        x, y = houses.badge_at(sort, int(worth))
        if (owner == "red") != (int(worth) % 2 == 0):
            _mirror(board)
            x = 100 - x
        _badge(board, owner, x, y, worth)
        _pips(board, owner, int(worth))
    _rim(board, owner)


def _mirror(board: Board) -> None:
    board.image[:] = board.image[:, ::-1].copy()


def _ground(board: Board, owner: str) -> None:
    light = _LIGHT[owner]
    board.box(0, 0, 100, 100, light)
    if owner == "red":
        for offset in range(-100, 101, 12):
            board.stroke([(offset, 100), (offset + 100, 0)], 2.4, mix(light, _DARK[owner], 0.28))
    else:
        for x, y, wide in ((34, 16, 13), (70, 30, 15), (20, 46, 11)):
            for shift, rise in ((-0.6, 0.1), (0.0, -0.15), (0.6, 0.1)):
                board.oval(x + shift * wide, y + rise * wide, wide * 0.6, wide * 0.32, IVORY)


def _badge(board: Board, owner: str, x: float, y: float, worth: str) -> None:
    badge, dark = board.part(x, y, 18.5), _DARK[owner]
    if owner == "blue":
        badge.disc(0, 0, 1.12, IVORY)
        badge.disc(0, 0, 1.0, dark)
        draw_number(badge, worth, 0, 0, 1.35, IVORY)
    else:
        badge.round_box(-1.05, -1.05, 1.05, 1.05, 0.2, dark)
        badge.round_box(-0.9, -0.9, 0.9, 0.9, 0.12, IVORY)
        draw_number(badge, worth, 0, 0, 1.35, mix(dark, (0, 0, 0), 0.25))


def _pips(board: Board, owner: str, count: int) -> None:
    board.box(0, 84, 100, 100, _DARK[owner])
    for pip in range(count):
        x = 50 + (pip - (count - 1) / 2) * 11
        if owner == "blue":
            board.disc(x, 89.5, 3.6, IVORY)
        else:
            board.box(x - 3.2, 86.3, x + 3.2, 92.7, IVORY)


def _rim(board: Board, owner: str) -> None:
    dark: Colour = _DARK[owner]
    if owner == "blue":
        outline = [(2.0, 2.0), (98.0, 2.0), (98.0, 98.0), (2.0, 98.0)]
        board.stroke(outline, 6.0, dark, closed=True)
        return
    for near, far in ((0.0, 5.0), (95.0, 100.0)):
        board.box(0, near, 100, far, IVORY)
        board.box(near, 0, far, 100, IVORY)
    for start in range(0, 100, 10):
        for near, far in ((0.0, 5.0), (95.0, 100.0)):
            board.polygon(
                [(start, far), (start + 5, far), (start + 8, near), (start + 3, near)], dark
            )
            board.polygon(
                [(far, start), (far, start + 5), (near, start + 8), (near, start + 3)], dark
            )
