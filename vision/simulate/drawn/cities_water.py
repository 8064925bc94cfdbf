"""Water fields of the Cities tiles: seen from above, with waves, boats, ducks and lilies.

A field is drawn on a board of 100 x 100 units. ``variant`` picks what swims there, the random
numbers where: fields differ from tile to tile.
"""

import math
from collections.abc import Callable

import numpy as np

from vision.simulate.drawing import Board, Colour, Spot, arc, from_hex, mix
from vision.simulate.drawn.cities_boats import LARGE, draw_lily
from vision.simulate.drawn.cities_ink import INK, IVORY, shape
from vision.simulate.drawn.cities_scatter import free_places, turned

_WATER = tuple(
    from_hex(colour) for colour in ("#6db3c4", "#4f98b5", "#7cc0c6", "#5a9fae", "#8bbfd2")
)
_DEEP = from_hex("#35799a")
_PALE = from_hex("#c9ecee")


def draw_water(board: Board, rng: np.random.Generator, variant: int) -> None:
    """Draw one water field."""
    water = _WATER[(2 * variant + variant // len(_WATER)) % len(_WATER)]
    board.box(0, 0, 100, 100, water)
    _depths(board, rng, water)
    _WAVES[variant % len(_WAVES)](board, rng)
    large = LARGE[variant % len(LARGE)]
    x, y = float(rng.uniform(37, 63)), float(rng.uniform(38, 63))
    scale = float(rng.uniform(0.9, 1.12))
    _wake(board, (x, y), 25 * scale)
    large(board.part(x, y, scale), rng)
    for number, (u, v) in enumerate(free_places(rng, 5, 13.0, ((x, y, 35.0 * scale),))):
        small = _SMALL[(variant + number) % len(_SMALL)]
        small(board.part(u, v, float(rng.uniform(0.8, 1.15))), rng)


def _depths(board: Board, rng: np.random.Generator, water: Colour) -> None:
    for share in (0.30, 0.18, -0.30, 0.42):
        tone = mix(water, _DEEP, share) if share > 0 else mix(water, _PALE, -share)
        x, y = (float(v) for v in rng.uniform(0, 100, 2))
        board.oval(x, y, float(rng.uniform(18, 36)), float(rng.uniform(9, 18)), tone,
                   float(rng.uniform(0, 180)))  # fmt: skip


def _wake(board: Board, centre: Spot, radius: float) -> None:
    board.oval(centre[0], centre[1], radius, radius * 0.9, mix(_WATER[0], _DEEP, 0.5))


def _rolling(board: Board, rng: np.random.Generator) -> None:
    """Long wavy lines, all in one direction."""
    turn = float(rng.uniform(0, 180))
    for row in np.arange(-90, 91, 12):
        shift, tall = rng.uniform(0, 6.3), rng.uniform(1.4, 2.8)
        line = [
            (50 + float(s), 50 + float(row + tall * math.sin(s / 5.5 + shift)))
            for s in np.arange(-90, 91, 3)
        ]
        colour = _PALE if rng.random() < 0.6 else _DEEP
        start = int(rng.integers(0, 9))
        while start < len(line) - 4:
            stop = start + int(rng.integers(6, 22))
            board.stroke(turned(line[start:stop], turn), 1.9, colour)
            start = stop + int(rng.integers(3, 9))


def _scallops(board: Board, rng: np.random.Generator) -> None:
    """Small arcs like scales, in broken rows."""
    turn = float(rng.uniform(0, 360))
    for row in range(-7, 8):
        for column in range(-6, 7):
            if rng.random() < 0.42:
                continue
            x = 50 + (column + 0.5 * (row % 2)) * 15
            spots = arc((x, 50 + row * 11.0), 6.5, 5.0, 20, 160, 9)
            board.stroke(turned(spots, turn), 1.9, _PALE if rng.random() < 0.6 else _DEEP)


def _ripples(board: Board, rng: np.random.Generator) -> None:
    """Rings that spread from two spots."""
    for x, y in rng.uniform(5, 95, (2, 2)):
        for radius in np.arange(7, 62, 8.5):
            start = float(rng.uniform(0, 360))
            spots = arc((float(x), float(y)), radius, radius * 0.8, start,
                        start + float(rng.uniform(60, 230)), 30)  # fmt: skip
            board.stroke(spots, 1.8, _PALE if rng.random() < 0.6 else _DEEP)


def _glitter(board: Board, rng: np.random.Generator) -> None:
    """Short double dashes, curved like a tilde, each at an own angle near the common one."""
    turn = float(rng.uniform(0, 180))
    for x, y in free_places(rng, 26, 11.0):
        length = float(rng.uniform(5, 9))
        angle = turn + float(rng.normal(0, 9))
        for lift, colour in ((0.0, _PALE), (2.6, _DEEP)):
            tilde = [
                (x + length * s, y + lift + 2.0 * math.sin(s * 3.1)) for s in np.linspace(-1, 1, 9)
            ]
            board.stroke(turned(tilde, angle, (x, y)), 1.7, colour)


_WAVES: tuple[Callable[[Board, np.random.Generator], None], ...] = (
    _rolling,
    _glitter,
    _scallops,
    _glitter,
    _ripples,
)


def _duck(board: Board, rng: np.random.Generator) -> None:
    """A duck from above with its wake."""
    turn = float(rng.uniform(0, 360))
    feather = (from_hex("#a07a52"), from_hex("#f3ead6"), from_hex("#7b6a5c"))[int(rng.integers(3))]
    head = (from_hex("#3f6b52"), from_hex("#e8c77a"), from_hex("#5b4638"))[int(rng.integers(3))]
    for side in (-1, 1):
        board.stroke(turned([(-3, side * 5), (-14, side * 9)], turn, (0, 0)), 1.2, _PALE)
    body = [(-11.0, 0.0), (-7.0, -2.5), *arc((0, 0), 6, 5, 220, 500, 16), (-7.0, 2.5)]
    shape(board, turned(body, turn, (0, 0)), feather)
    for side in (-1, 1):
        wing = arc((-1, side * 2.2), 4.6, 1.4, 150, 330, 8)
        board.stroke(turned(wing, turn, (0, 0)), 1.0, mix(feather, INK, 0.6))
    board.stroke(turned([(9, 0), (12.5, 0)], turn, (0, 0)), 2.6, from_hex("#e8953a"))
    at = turned([(6.8, 0)], turn, (0, 0))[0]
    board.disc(*at, 4.0, INK)
    board.disc(*at, 2.9, head)


def _buoy(board: Board, rng: np.random.Generator) -> None:
    colour = (from_hex("#d9703c"), from_hex("#5d4a78"))[int(rng.integers(2))]
    board.disc(0, 0, 5.2, INK)
    board.disc(0, 0, 4.2, IVORY)
    board.polygon([(0, 0), *arc((0, 0), 4.2, 4.2, 0, 90, 8)], colour)
    board.polygon([(0, 0), *arc((0, 0), 4.2, 4.2, 180, 270, 8)], colour)


def _fish(board: Board, rng: np.random.Generator) -> None:
    turn = float(rng.uniform(0, 360))
    colour = (from_hex("#eec08a"), from_hex("#e2ecec"), from_hex("#2f6380"))[int(rng.integers(3))]
    body = [(9, 0), (3, -4), (-4, -1), (-9, -4.5), (-9, 4.5), (-4, 1), (3, 4)]
    board.polygon(turned(body, turn, (0, 0)), colour)
    board.disc(*turned([(5, -0.8)], turn, (0, 0))[0], 0.9, INK)


def _stones(board: Board, rng: np.random.Generator) -> None:
    for x, y in rng.uniform(-5, 5, (3, 2)):
        board.oval(float(x), float(y) + 1, 4.0, 3.0, _DEEP)
        board.oval(float(x), float(y), 3.6, 2.6, from_hex("#b9b4a6"))


_SMALL: tuple[Callable[[Board, np.random.Generator], None], ...] = (
    _duck,
    draw_lily,
    _fish,
    _buoy,
    _duck,
    _stones,
    draw_lily,
)
