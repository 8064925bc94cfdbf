"""Park fields of the Cities tiles: lawn, paths, trees and what people do there, from above.

A field is drawn on a board of 100 x 100 units. ``variant`` picks path and main thing, the random
numbers the places: fields differ from tile to tile.
"""

from collections.abc import Callable

import numpy as np

from vision.simulate.drawing import Board, Colour, Spot, arc, from_hex, mix
from vision.simulate.drawn.cities_ink import INK, IVORY, shape
from vision.simulate.drawn.cities_park_things import THINGS
from vision.simulate.drawn.cities_scatter import Round, free_places, turned
from vision.simulate.drawn.cities_trees import TREES

_LAWN = tuple(
    from_hex(colour) for colour in ("#b4cb77", "#98b968", "#c4d27e", "#a6c37e", "#8fb070")
)
_SHADE = from_hex("#6f9450")
_LIGHT = from_hex("#dbe6a2")
_PATH = from_hex("#eddcb4")
_PATH_EDGE = from_hex("#b59a6a")


def draw_park(board: Board, rng: np.random.Generator, variant: int) -> None:
    """Draw one park field."""
    lawn = _LAWN[variant % len(_LAWN)]
    board.box(0, 0, 100, 100, lawn)
    _grass(board, rng, lawn)
    _paths(board, rng, variant)
    x, y = (float(v) for v in rng.uniform(33, 67, 2))
    thing = THINGS[variant % len(THINGS)]
    thing(board.part(x, y, float(rng.uniform(0.95, 1.15))), rng)
    taken: list[Round] = [(x, y, 32.0)]
    for number, (u, v) in enumerate(free_places(rng, 4 + variant % 3, 20.0, taken, (2.0, 98.0))):
        radius = float(rng.uniform(8.5, 13.5))
        TREES[(variant + number * 2) % len(TREES)](board.part(u, v, radius), rng)
        taken.append((u, v, radius + 6.0))
    for number, (u, v) in enumerate(free_places(rng, 5, 10.0, taken, (5.0, 95.0))):
        _SMALL[(variant + number) % len(_SMALL)](board.part(u, v), rng)


def _grass(board: Board, rng: np.random.Generator, lawn: Colour) -> None:
    for share in (0.45, 0.3, -0.5, 0.35, -0.4):
        tone = mix(lawn, _SHADE, share) if share > 0 else mix(lawn, _LIGHT, -share)
        x, y = (float(v) for v in rng.uniform(0, 100, 2))
        board.oval(x, y, float(rng.uniform(14, 30)), float(rng.uniform(8, 17)), tone,
                   float(rng.uniform(0, 180)))  # fmt: skip
    for x, y in free_places(rng, 60, 7.0, within=(0.0, 100.0)):
        colour = mix(_SHADE, INK, 0.15) if rng.random() < 0.7 else _LIGHT
        lean = float(rng.uniform(-1.5, 1.5))
        board.stroke([(x - 1.8, y - 3), (x, y), (x + 0.3 + lean, y - 4)], 1.0, colour)
        board.stroke([(x, y), (x + 2.2, y - 2.6)], 1.0, colour)


def _paths(board: Board, rng: np.random.Generator, variant: int) -> None:
    a, b, c, d = (float(v) for v in rng.uniform(18, 82, 4))
    ring_middle = 50 + (a - 50) / 6, 50 + (b - 50) / 6
    layouts: tuple[tuple[list[Spot], ...], ...] = (
        (_curve((-5, a), (30, b), (60, c), (105, d)),),
        (
            _curve((a, -5), (b, 40), (c, 70), (d, 105)),
            _curve((60, 60), (75, 50), (85, b), (105, c)),
        ),
        (_curve((-5, a), (40, a), (b, 40), (b, -5)),),
        (arc(ring_middle, 35, 33, 0, 360, 60), _curve((84, 50), (90, 50), (95, c), (105, c))),
        (
            _curve((-5, -5), (30, a), (70, b), (105, 105)),
            _curve((105, -5), (c, 30), (d, 60), (20, 60)),
        ),
        (
            _curve((a, 105), (a, 60), (105, b), (105, 30)),
            _curve((-5, c), (10, 20), (30, 20), (d, -5)),
        ),
    )
    chosen = layouts[variant % len(layouts)]
    for width, colour in ((12.5, _PATH_EDGE), (9.5, _PATH)):
        for line in chosen:
            board.stroke(line, width, colour)
    for line in chosen:
        for x, y in line[::3]:
            u, v = rng.uniform(-3.2, 3.2, 2)
            board.disc(x + float(u), y + float(v), 0.9, _PATH_EDGE)


def _curve(first: Spot, second: Spot, third: Spot, last: Spot) -> list[Spot]:
    """A cubic Bezier curve."""
    t = np.linspace(0, 1, 40)[:, None]
    spots = (
        (1 - t) ** 3 * np.array(first) + 3 * t * (1 - t) ** 2 * np.array(second)
        + 3 * t**2 * (1 - t) * np.array(third) + t**3 * np.array(last)
    )  # fmt: skip
    return [(float(x), float(y)) for x, y in spots]


def _flowers(board: Board, rng: np.random.Generator) -> None:
    colour = (from_hex("#f7eef2"), from_hex("#d98aa8"), from_hex("#a487c4"), from_hex("#eda45c"))[
        int(rng.integers(4))
    ]
    for x, y in free_places(rng, 5, 3.2, within=(-5.0, 5.0)):
        board.disc(x, y, 1.9, mix(_SHADE, INK, 0.35))
        board.disc(x, y, 1.5, colour)


def _bench(board: Board, rng: np.random.Generator) -> None:
    turn = float(rng.uniform(0, 180))
    shape(board, turned([(-8, -3), (8, -3), (8, 3), (-8, 3)], turn, (0, 0)), from_hex("#a8703f"))
    board.stroke(turned([(-7, 0), (7, 0)], turn, (0, 0)), 1.2, from_hex("#e8c795"))


def _stone(board: Board, rng: np.random.Generator) -> None:
    turn = float(rng.uniform(-40, 40))
    board.oval(0.8, 1.2, 5.0, 3.6, mix(_SHADE, INK, 0.4), turn)
    board.oval(0, 0, 4.6, 3.3, from_hex("#b9b6a8"), turn)
    board.oval(-1.2, -0.9, 2.0, 1.2, IVORY, turn)


def _rabbit(board: Board, rng: np.random.Generator) -> None:
    turn = float(rng.uniform(0, 360))
    fur = (IVORY, from_hex("#9a7a58"))[int(rng.integers(2))]
    for spots in ([(3, -1), (9, -3)], [(3, 1), (9, 3)]):
        board.stroke(turned(spots, turn, (0, 0)), 2.8, INK)
        board.stroke(turned(spots, turn, (0, 0)), 1.5, fur)
    board.oval(-2, 0, 6.0, 4.0, INK)
    board.oval(-2, 0, 5.0, 3.0, fur)


_SMALL: tuple[Callable[[Board, np.random.Generator], None], ...] = (
    _flowers,
    _bench,
    _flowers,
    _stone,
    _rabbit,
)
