"""Trees of the park fields of the Cities tiles, seen from above with a shadow."""

from collections.abc import Callable

import numpy as np

from vision.simulate.drawing import Board, from_hex, mix, ring
from vision.simulate.drawn.cities_ink import INK, shape
from vision.simulate.drawn.cities_scatter import free_places, turned

_SHADE = from_hex("#6f9450")
_LIGHT = from_hex("#dbe6a2")
_CROWNS = tuple(
    from_hex(colour)
    for colour in ("#4a7a3c", "#35633f", "#6a8a35", "#577f52", "#b5803a", "#7d9a4a", "#a3506a")
)


def draw_round_tree(board: Board, rng: np.random.Generator) -> None:
    """A crown of radius 1 with lighter clumps, its shadow beside it."""
    colour = _CROWNS[int(rng.integers(len(_CROWNS)))]
    board.disc(0.2, 0.26, 1.0, mix(_SHADE, INK, 0.45))
    lobes = int(rng.integers(7, 11))
    start = float(rng.uniform(0, 60))
    rim = ring((0, 0), 0.78, lobes, start)
    for x, y in rim:
        board.disc(x, y, 0.36, INK)
    board.disc(0, 0, 0.9, INK)
    for x, y in rim:
        board.disc(x, y, 0.27, colour)
    board.disc(0, 0, 0.82, colour)
    for x, y in rng.uniform(-0.55, 0.55, (5, 2)):
        board.disc(float(x) - 0.08, float(y) - 0.1, float(rng.uniform(0.13, 0.26)),
                   mix(colour, _LIGHT, float(rng.uniform(0.3, 0.6))))  # fmt: skip
    for x, y in rng.uniform(-0.6, 0.6, (3, 2)):
        board.disc(float(x), float(y), 0.12, mix(colour, INK, 0.45))


def _conifer(board: Board, rng: np.random.Generator) -> None:
    """A star of radius 1 in three tiers."""
    colour = (from_hex("#2f5a46"), from_hex("#3f6a3a"), from_hex("#4b6f5c"))[int(rng.integers(3))]
    board.disc(0.2, 0.26, 0.95, mix(_SHADE, INK, 0.45))
    start, points = float(rng.uniform(0, 90)), int(rng.integers(8, 12))
    for tier, radius in enumerate((1.05, 0.72, 0.4)):
        tips = ring((0, 0), radius, points, start + tier * 14)
        dents = ring((0, 0), radius * 0.66, points, start + tier * 14 + 180 / points)
        star = [spot for pair in zip(tips, dents, strict=True) for spot in pair]
        shape(board, star, mix(colour, _LIGHT, 0.26 * tier), 0.09)
    board.disc(0, 0, 0.1, INK)


def _blossom_tree(board: Board, rng: np.random.Generator) -> None:
    """A crown full of blossom."""
    petal = (from_hex("#f3c6d3"), from_hex("#fbf2ea"), from_hex("#e9a7b9"))[int(rng.integers(3))]
    board.disc(0.2, 0.26, 0.98, mix(_SHADE, INK, 0.45))
    board.disc(0, 0, 1.0, INK)
    board.disc(0, 0, 0.9, _CROWNS[int(rng.integers(3))])
    for x, y in free_places(rng, 12, 0.36, within=(-0.72, 0.72)):
        if x * x + y * y < 0.6:
            board.disc(x, y, float(rng.uniform(0.14, 0.22)), petal)


def _bush_pair(board: Board, rng: np.random.Generator) -> None:
    angle = float(rng.uniform(0, 360))
    for side, radius in ((-0.42, 0.58), (0.5, 0.46)):
        x, y = turned([(side, 0)], angle, (0, 0))[0]
        colour = _CROWNS[int(rng.integers(len(_CROWNS)))]
        board.disc(x + 0.12, y + 0.16, radius, mix(_SHADE, INK, 0.45))
        board.disc(x, y, radius, INK)
        board.disc(x, y, radius * 0.84, colour)
        board.disc(x - radius * 0.25, y - radius * 0.25, radius * 0.32, mix(colour, _LIGHT, 0.6))


TREES: tuple[Callable[[Board, np.random.Generator], None], ...] = (
    draw_round_tree,
    _conifer,
    draw_round_tree,
    _blossom_tree,
    draw_round_tree,
    _bush_pair,
    _conifer,
)
"""Kinds of tree, each drawn round (0, 0) with the radius 1."""
