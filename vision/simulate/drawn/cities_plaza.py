"""The stone plaza under each sight of the Cities tiles: paving, and what stands about on it."""

from collections.abc import Callable

import numpy as np

from vision.simulate.drawing import Board, Colour, Spot, arc, from_hex, mix, ring
from vision.simulate.drawn.cities_ink import INK, IVORY, ball, shape
from vision.simulate.drawn.cities_scatter import free_places, turned

_SAND = tuple(
    from_hex(colour) for colour in ("#dfc48e", "#ead6ae", "#cdb184", "#e3c795", "#d3bfa0")
)
_JOINT = from_hex("#b0905c")
_PALE = from_hex("#f3e4bf")


def draw_plaza(
    board: Board, rng: np.random.Generator, variant: int, size: tuple[float, float]
) -> None:
    """Pave a field, or two, of (width, height) units."""
    sand = _SAND[variant % len(_SAND)]
    board.box(0, 0, size[0], size[1], sand)
    _PAVINGS[variant % len(_PAVINGS)](board, rng, sand, size)


def draw_passers_by(
    board: Board, rng: np.random.Generator, variant: int, size: tuple[float, float]
) -> None:
    """Lamps, tubs, pigeons and strollers along the edges, beside and behind the landmark."""
    places = free_places(rng, 40, 13.0, within=(5.0, max(size) - 5.0))
    number = 0
    for x, y in places:
        inside = x < size[0] - 5 and y < size[1] - 5
        beside = min(x, size[0] - x) < 11 and y > 26
        if inside and beside and number < 4 + size[1] // 150:
            _SMALL[(variant + number) % len(_SMALL)](board.part(x, y), rng)
            number += 1


def _rings(board: Board, rng: np.random.Generator, sand: Colour, size: tuple[float, float]) -> None:
    """Rings of slabs round a spot."""
    x, y = size[0] * float(rng.uniform(0.3, 0.7)), size[1] * float(rng.uniform(0.4, 0.8))
    step = float(rng.uniform(10, 13))
    for number in range(18, 0, -1):
        radius = number * step
        tone = mix(sand, _PALE, 0.6) if number % 2 else mix(sand, _JOINT, 0.22)
        board.disc(x, y, radius, tone)
        board.stroke(arc((x, y), radius, radius, 0, 360, 60), 0.9, _JOINT)
        start = float(rng.uniform(0, 60))
        for angle in np.arange(start, start + 360, 360 / (4 * number)):
            joint = [arc((x, y), r, r, angle, angle, 1)[0] for r in (radius - step, radius)]
            board.stroke(joint, 0.8, _JOINT)


def _checker(
    board: Board, rng: np.random.Generator, sand: Colour, size: tuple[float, float]
) -> None:
    """Slanting squares in two tones."""
    turn, step = float(rng.uniform(20, 70)), float(rng.uniform(13, 17))
    most = int(max(size) / step) + 6
    for row in range(-8, most):
        for column in range(-8, most):
            left, top = column * step, row * step
            slab = [(left, top), (left + step, top), (left + step, top + step), (left, top + step)]
            laid = turned(slab, turn)
            tone = _PALE if (row + column) % 2 else sand
            board.polygon(laid, mix(tone, _JOINT, float(rng.uniform(0, 0.3))))
            board.stroke(laid[:3], 0.9, _JOINT)


def _rays(board: Board, rng: np.random.Generator, sand: Colour, size: tuple[float, float]) -> None:
    """Wedges that run out from a spot, crossed by bands."""
    x, y = size[0] * float(rng.uniform(0.35, 0.65)), size[1] * float(rng.uniform(0.6, 0.9))
    count, start = int(rng.integers(18, 28)), float(rng.uniform(0, 20))
    reach = 2.0 * max(size)
    tips = ring((x, y), reach, count, start)
    for number in range(count):
        tone = (_PALE, sand, mix(sand, _JOINT, 0.25))[number % 3]
        board.polygon([(x, y), tips[number], tips[(number + 1) % count]], tone)
        board.stroke([(x, y), tips[number]], 0.9, _JOINT)
    for radius in np.arange(22, reach, 24):
        board.stroke(arc((x, y), radius, radius, 0, 360, 60), 1.8, mix(_JOINT, _PALE, 0.4))


def _slabs(board: Board, rng: np.random.Generator, sand: Colour, size: tuple[float, float]) -> None:
    """Slabs of unequal length in slanting rows."""
    turn = float(rng.uniform(-25, 25))
    for row in range(-8, int(max(size) / 11) + 8):
        left = float(rng.uniform(-75, -60))
        while left < size[0] + 75:
            length = float(rng.uniform(10, 24))
            top = row * 11.0
            slab = [(left, top), (left + length, top), (left + length, top + 11), (left, top + 11)]
            laid = turned(slab, turn)
            tone = mix(sand, _PALE, float(rng.uniform(0, 0.7)))
            board.polygon(laid, mix(tone, _JOINT, 0.35) if rng.random() < 0.16 else tone)
            board.stroke(laid[:3], 0.9, _JOINT)
            left += length


def _fans(board: Board, rng: np.random.Generator, sand: Colour, size: tuple[float, float]) -> None:
    """Overlapping fans of small stones."""
    radius = float(rng.uniform(15, 19))
    shift = float(rng.uniform(0, radius))
    for row in range(-1, int(size[1] / radius / 0.62) + 3):
        for column in range(-1, int(size[0] / radius / 2) + 3):
            x = column * 2 * radius + radius * (row % 2) - shift
            y = row * radius * 0.62
            tone = mix(sand, _PALE, float(rng.uniform(0.1, 0.7)))
            for part in (1.0, 0.66, 0.33):
                reach = radius * part
                board.disc(x, y, reach, mix(tone, _JOINT, 0.16) if part == 0.66 else tone)
                board.stroke(arc((x, y), reach, reach, 180, 360, 20), 0.9, _JOINT)


_PAVINGS: tuple[Callable[[Board, np.random.Generator, Colour, tuple[float, float]], None], ...] = (
    _rings,
    _checker,
    _slabs,
    _rays,
    _fans,
)


def _lamp(board: Board, rng: np.random.Generator) -> None:
    board.oval(4, 1, 6, 1.6, _JOINT)
    top = -float(rng.uniform(11, 16))
    board.stroke([(0, 0), (0, top)], 1.9, INK)
    board.stroke([(-2.6, 0), (2.6, 0)], 1.9, INK)
    ball(board, 0, top, 2.6, from_hex("#ffe9a8"))


def _tub(board: Board, rng: np.random.Generator) -> None:
    board.oval(3, 1, 6, 2, _JOINT)
    ball(board, 0, -6, float(rng.uniform(3.4, 5.0)), from_hex("#5f7f4a"))
    shape(board, [(-4, -4), (4, -4), (3, 2), (-3, 2)], from_hex("#b8694a"))


def _pigeons(board: Board, rng: np.random.Generator) -> None:
    for x, y in free_places(rng, 2, 6.0, within=(-5.0, 5.0)):
        side = 1.0 if rng.random() < 0.5 else -1.0
        body: list[Spot] = [(4, -1.5), (1.5, 1.5), (-5, 1), (-2, -2), (2, -4), (4, -4)]
        shape(board, [(x + u * side, y + v) for u, v in body], from_hex("#8a949e"), 0.8)


def _stroller(board: Board, rng: np.random.Generator) -> None:
    """A passer-by; the coats are duller than any tourist."""
    coat = (from_hex("#7a5a80"), from_hex("#8a5a3c"), from_hex("#4f6a70"), from_hex("#b58a5a"))[
        int(rng.integers(4))
    ]
    board.oval(3.4, 0.6, 5.4, 1.5, _JOINT)
    shape(board, [(-2.8, 0), (-1.6, -8), (1.6, -8), (2.8, 0)], coat, 1.0)
    ball(board, 0, -9.4, 1.9, from_hex("#e8bd95"))


def _poster_column(board: Board, rng: np.random.Generator) -> None:
    board.oval(4, 0.8, 7.5, 2.2, _JOINT)
    shape(board, [(-3.6, 0.5), (-3.6, -12), (3.6, -12), (3.6, 0.5)], IVORY, 1.0)
    tones = (from_hex("#c48a6a"), from_hex("#7a6aa0"), from_hex("#6a9a8a"), from_hex("#d9a441"))
    first = int(rng.integers(4))
    for number, (left, top) in enumerate(((-2.8, -11), (0.2, -8), (-2.8, -5.5))):
        board.box(left, top, left + 2.7, top + 4, tones[(first + number) % 4])
    shape(board, [(-4.6, -12), *arc((0, -12), 4.0, 4.4, 180, 360, 10), (4.6, -12)],
          from_hex("#53707a"), 1.0)  # fmt: skip


_SMALL: tuple[Callable[[Board, np.random.Generator], None], ...] = (
    _lamp,
    _stroller,
    _pigeons,
    _tub,
    _stroller,
    _poster_column,
)
