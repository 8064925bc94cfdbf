"""Cafe fields of the Cities tiles: terracotta paving, a striped awning, parasols and set tables.

A field is drawn on a board of 100 x 100 units, seen from above. ``variant`` picks paving and
colours, the random numbers the places: fields differ from tile to tile.
"""

from collections.abc import Callable

import numpy as np

from vision.simulate.drawing import Board, Colour, Spot, arc, from_hex, mix
from vision.simulate.drawn.cities_ink import INK, IVORY, shape
from vision.simulate.drawn.cities_scatter import Round, free_places, turned

_BRICK = tuple(
    from_hex(colour) for colour in ("#b5674a", "#98503f", "#c98058", "#a3604f", "#bd6e45")
)
_JOINT = from_hex("#84432f")
_PALE_BRICK = from_hex("#d39a78")
_CLOTHS: tuple[tuple[Colour, Colour], ...] = (
    (from_hex("#e07b39"), IVORY),
    (from_hex("#6f4a78"), from_hex("#f3dfc0")),
    (from_hex("#2f7c80"), IVORY),
    (from_hex("#8c3b52"), from_hex("#f6e3d0")),
    (from_hex("#3f4a5c"), from_hex("#f2d9a0")),
    (from_hex("#7a8a3c"), from_hex("#fbf4e3")),
    (from_hex("#c76a86"), from_hex("#fdf0ea")),
)
"""Stripe colours of awnings and parasols; none is that of a tourist."""


def draw_cafe(board: Board, rng: np.random.Generator, variant: int) -> None:
    """Draw one cafe field."""
    brick = _BRICK[variant % len(_BRICK)]
    board.box(0, 0, 100, 100, brick)
    _PAVINGS[variant % len(_PAVINGS)](board, rng, brick)
    taken: list[Round] = []
    reach = float(rng.uniform(17, 25))
    side = 90.0 * ((variant * 7 // 3) % 4)
    for number, place in enumerate(_parasol_places(rng, variant)):
        x, y = turned([place], side)[0]
        cloth = _CLOTHS[(variant * 2 + number) % len(_CLOTHS)]
        radius = float(rng.uniform(15.5, 19.5)) * (0.85 if number else 1.1)
        _seats(board.part(x, y), rng, radius)
        _parasol(board.part(x, y, radius), cloth, int(rng.choice((6, 8, 10))),
                 float(rng.uniform(0, 60)))  # fmt: skip
        taken.append((x, y, radius + 17.0))
    taken += [
        (*turned([(x, 100.0)], side)[0], reach + 12.0) for x in (0.0, 25.0, 50.0, 75.0, 100.0)
    ]
    for number, (x, y) in enumerate(free_places(rng, 2, 24.0, taken, (10.0, 90.0))):
        _table(board.part(x, y, float(rng.uniform(0.9, 1.1))), rng, variant + number)
        taken.append((x, y, 18.0))
    for number, (x, y) in enumerate(free_places(rng, 4, 14.0, taken, (7.0, 93.0))):
        _EXTRAS[(variant + number) % len(_EXTRAS)](board.part(x, y), rng)
    _awning(board, _CLOTHS[(variant * 3 + 1) % len(_CLOTHS)], reach, side, rng)


def _parasol_places(rng: np.random.Generator, variant: int) -> list[Spot]:
    """Two to three, in the part in front of the awning."""
    layouts: tuple[tuple[Spot, ...], ...] = (
        ((30, 34), (74, 56)),
        ((68, 30), (27, 58)),
        ((24, 26), (70, 24), (50, 62)),
        ((38, 46), (80, 26)),
        ((62, 48), (20, 30)),
    )
    moves = rng.uniform(-4, 4, (3, 2))
    return [
        (x + float(dx), y + float(dy))
        for (x, y), (dx, dy) in zip(layouts[variant % len(layouts)], moves, strict=False)
    ]


def _running_bond(board: Board, rng: np.random.Generator, brick: Colour) -> None:
    turn = float(rng.choice((-28.0, 17.0, 40.0, 62.0)))
    for row in range(-5, 15):
        for column in range(-3, 8):
            left, top = column * 18.0 - 9.0 * (row % 2), row * 9.0
            _stone(board, [(left, top), (left + 16.6, top), (left + 16.6, top + 7.7),
                           (left, top + 7.7)], turn, rng, brick)  # fmt: skip


def _diamonds(board: Board, rng: np.random.Generator, brick: Colour) -> None:
    turn, step = float(rng.uniform(30, 60)), float(rng.uniform(12, 15))
    for row in range(-4, 13):
        for column in range(-4, 13):
            left, top = column * step - 10, row * step - 10
            tone = mix(brick, _PALE_BRICK, 0.55) if (row + column) % 2 else brick
            far = step - 1.2
            _stone(board, [(left, top), (left + far, top), (left + far, top + far),
                           (left, top + far)], turn, rng, tone)  # fmt: skip


def _herringbone(board: Board, rng: np.random.Generator, brick: Colour) -> None:
    turn, unit = float(rng.uniform(0, 90)), 8.5
    for row in range(-8, 20):
        for column in range(-8, 20):
            phase = (column - row) % 4
            if phase % 2:
                continue
            left, top = column * unit - 20, row * unit - 20
            right, bottom = left + unit - 1.2, top + unit - 1.2
            if phase == 0:
                right += unit
            else:
                top -= unit
            spots = [(left, top), (right, top), (right, bottom), (left, bottom)]
            _stone(board, spots, turn, rng, brick)


def _stone(
    board: Board, spots: list[Spot], turn: float, rng: np.random.Generator, brick: Colour
) -> None:
    """One paving stone of an own tone, on a darker ground that shows as joints."""
    tone = mix(brick, _PALE_BRICK, float(rng.uniform(0, 0.4)))
    if rng.random() < 0.12:
        tone = mix(brick, _JOINT, 0.55)
    laid = turned(spots, turn)
    board.polygon(laid, tone)
    board.stroke([laid[2], laid[3]], 0.9, _JOINT)
    board.stroke([laid[1], laid[2]], 0.9, _JOINT)


_PAVINGS: tuple[Callable[[Board, np.random.Generator, Colour], None], ...] = (
    _running_bond,
    _diamonds,
    _herringbone,
)


def _awning(
    board: Board, cloth: tuple[Colour, Colour], reach: float, side: float, rng: np.random.Generator
) -> None:
    """The house: a striped awning with a scalloped edge, along the bottom turned by ``side``."""
    stripes = int(rng.integers(6, 10))
    width = 100.0 / stripes
    top = 100.0 - reach

    def fill(spots: list[Spot], colour: Colour) -> None:
        board.polygon(turned(spots, side), colour)

    def line(spots: list[Spot], weight: float, colour: Colour) -> None:
        board.stroke(turned(spots, side), weight, colour)

    shadow = [(0.0, top - 5.5), (100.0, top - 5.5), (100.0, top + 8), (0.0, top + 8)]
    fill(shadow, mix(_JOINT, INK, 0.5))
    for number in range(stripes):
        left, right = number * width, (number + 1) * width
        edge = arc((left + width / 2, top), width / 2, 4.0, 180, 360, 10)
        fill([(left, 100), (left, top), *edge, (right, top), (right, 100)], cloth[number % 2])
        line(edge, 1.0, INK)
    fill([(0, 95), (100, 95), (100, 100), (0, 100)], mix(cloth[0], INK, 0.45))
    line([(0, 95), (100, 95)], 1.2, INK)
    fold = top + reach * 0.35
    line([(0, fold), (100, fold)], 0.9, mix(cloth[0], INK, 0.3))


def _parasol(board: Board, cloth: tuple[Colour, Colour], ribs: int, start: float) -> None:
    """A parasol of radius 1 from above, its shadow beside it."""
    board.disc(0.16, 0.2, 1.03, mix(_JOINT, INK, 0.6))
    step = 360.0 / ribs
    tips = arc((0, 0), 1.0, 1.0, start, start + 360.0 - step, ribs)
    shape(board, tips, cloth[0], 0.09)
    for rib in range(0, ribs, 2):
        board.polygon([(0, 0), tips[rib], tips[(rib + 1) % ribs]], cloth[1])
    for tip in tips:
        board.stroke([(0, 0), tip], 0.04, INK)
    board.stroke(tips, 0.07, INK, closed=True)
    board.disc(0, 0, 0.14, INK)
    board.disc(0, 0, 0.08, IVORY)


def _seats(board: Board, rng: np.random.Generator, radius: float) -> None:
    """Chairs that look out from under a parasol."""
    start, count = float(rng.uniform(0, 360)), int(rng.integers(2, 5))
    for seat in range(count):
        angle = start + 360.0 * seat / count
        _chair(board, turned([(radius + 1.0, 0)], angle, (0, 0))[0], angle)


def _chair(board: Board, at: Spot, angle: float) -> None:
    chair = board.part(*at)
    seat = [(-4, -4), (3, -4), (3, 4), (-4, 4)]
    shape(chair, turned(seat, angle, (0, 0)), from_hex("#e4bd84"), 1.1)
    chair.stroke(turned([(3.4, -4.5), (3.4, 4.5)], angle, (0, 0)), 2.4, INK)


def _table(board: Board, rng: np.random.Generator, variant: int) -> None:
    """A round or square table with cups and a plate, and two chairs."""
    turn = float(rng.uniform(0, 180))
    for angle in (turn, turn + 180.0):
        _chair(board, turned([(12.5, 0)], angle, (0, 0))[0], angle)
    board.disc(1.5, 2, 10.0, mix(_JOINT, INK, 0.6))
    if variant % 2:
        shape(board, arc((0, 0), 9, 9, 0, 350, 30), IVORY)
    else:
        shape(board, turned([(-8, -8), (8, -8), (8, 8), (-8, 8)], turn, (0, 0)), IVORY)
        cross = (from_hex("#b8606a"), from_hex("#5d7f9a"), from_hex("#b98a3c"))[variant % 3]
        for shift in (-5, 0, 5):
            board.stroke(turned([(shift, -7), (shift, 7)], turn, (0, 0)), 1.2, cross)
            board.stroke(turned([(-7, shift), (7, shift)], turn, (0, 0)), 1.2, cross)
    for angle in (turn + 70.0, turn + 235.0):
        x, y = turned([(4.6, 0)], angle, (0, 0))[0]
        board.disc(x, y, 2.9, INK)
        board.disc(x, y, 2.2, IVORY)
        board.disc(x, y, 1.3, from_hex("#5a3220"))


def _plant(board: Board, rng: np.random.Generator) -> None:
    """A round tub with leaves."""
    board.disc(1, 1.4, 6.4, mix(_JOINT, INK, 0.6))
    board.disc(0, 0, 6.0, INK)
    board.disc(0, 0, 5.0, from_hex("#e2c9a2"))
    for angle in range(0, 360, 60):
        x, y = turned([(3.4, 0)], angle + float(rng.uniform(-15, 15)), (0, 0))[0]
        board.oval(x, y, 2.9, 1.6, from_hex("#4d6f3c"), angle)
    board.disc(0, 0, 1.4, from_hex("#f2b8c4"))


def _menu(board: Board, rng: np.random.Generator) -> None:
    """A blackboard on an easel."""
    turn = float(rng.uniform(-35, 35))
    frame = [(-5, -7), (5, -7), (5, 7), (-5, 7)]
    shape(board, turned(frame, turn, (0, 0)), from_hex("#c99a5c"))
    inner = [(x * 0.72, y * 0.78) for x, y in frame]
    board.polygon(turned(inner, turn, (0, 0)), from_hex("#2e3433"))
    for y in (-3, 0, 3):
        end = float(rng.uniform(0, 2.6))
        board.stroke(turned([(-2.4, y), (end, y)], turn, (0, 0)), 0.9, IVORY)


def _pigeon(board: Board, rng: np.random.Generator) -> None:
    turn = float(rng.uniform(0, 360))
    body = [(6, 0), (1, -3), (-6, -1.6), (-6, 1.6), (1, 3)]
    shape(board, turned(body, turn, (0, 0)), from_hex("#c5c9cc"), 0.9)
    board.disc(*turned([(5, 0)], turn, (0, 0))[0], 1.7, from_hex("#55606b"))


def _stool(board: Board, rng: np.random.Generator) -> None:
    seat = mix(from_hex("#efd6a8"), from_hex("#b98a52"), float(rng.uniform(0, 0.7)))
    board.disc(0.8, 1.0, 4.4, mix(_JOINT, INK, 0.6))
    board.disc(0, 0, 4.2, INK)
    board.disc(0, 0, 3.2, seat)
    board.disc(0, 0, 1.3, mix(seat, INK, 0.4))


_EXTRAS: tuple[Callable[[Board, np.random.Generator], None], ...] = (
    _plant,
    _menu,
    _pigeon,
    _stool,
    _plant,
)
