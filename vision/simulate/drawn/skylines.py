"""Four panoramas for the sides of a board's frame; each is 10 units high and as long as asked."""

import numpy as np

from vision.simulate.drawing import Board, arc, from_hex
from vision.simulate.drawn.skyline_things import (
    balloon,
    church,
    cow,
    crane,
    field,
    fir,
    gabled,
    high_rise,
    leafy_tree,
    lighthouse,
    sailing_boat,
    steamer,
    tram,
    windmill,
)
from vision.simulate.emblems import IVORY


def old_town(board: Board, length: float, rng: np.random.Generator) -> None:
    """Gabled houses, church towers and trees under a yellow sky."""
    board.box(0, 0, length, 10, from_hex("#f6e3a6"))
    for cloud in range(int(length / 18)):
        x = (cloud + rng.uniform(0.2, 0.8)) * 18
        board.oval(x, rng.uniform(1.0, 2.6), rng.uniform(2, 4), rng.uniform(0.5, 0.9), IVORY)
    board.box(0, 9.0, length, 10, from_hex("#8a7a5c"))
    x = 0.5
    while x < length - 1:
        kind = rng.integers(6)
        wide = float(rng.uniform(3.0, 6.0))
        if kind == 0:
            church(board, x, wide, rng)
        elif kind == 1:
            wide = float(rng.uniform(1.8, 3.0))
            leafy_tree(board, x + wide / 2, 9.3, float(rng.uniform(3.2, 6.0)), rng)
        else:
            gabled(board, x, wide, rng)
        x += wide + float(rng.uniform(0.0, 0.7))


def harbour(board: Board, length: float, rng: np.random.Generator) -> None:
    """Ships, cranes, buoys and a lighthouse on the water."""
    board.box(0, 0, length, 10, from_hex("#bfe3e6"))
    board.box(0, 6.4, length, 10, from_hex("#1c6a8c"))
    for row in range(3):
        for x in np.arange(0.5 * row, length, 2.3).tolist():
            crest = x + rng.uniform(-0.6, 0.6), 7.4 + row * 0.95
            board.stroke(arc(crest, 0.7, 0.35, 200, 340, 6), 0.22, from_hex("#9fd4e0"))
    x = 1.0
    while x < length - 3:
        kind = rng.integers(5)
        wide = float(rng.uniform(4.0, 8.0))
        if kind == 0:
            lighthouse(board, x + wide / 2, rng)
        elif kind == 1:
            crane(board, x + 1, wide, rng)
        elif kind == 2:
            steamer(board, x, wide, rng)
        else:
            sailing_boat(board, x, wide, rng)
        x += wide + float(rng.uniform(0.3, 1.5))


def new_town(board: Board, length: float, rng: np.random.Generator) -> None:
    """High-rise buildings with lit windows, trams and lamps at dusk."""
    board.box(0, 0, length, 10, from_hex("#3a2f5c"))
    board.box(0, 5.0, length, 10, from_hex("#8a4a6e"))
    for _ in range(int(length / 2)):
        board.disc(rng.uniform(0, length), rng.uniform(0.5, 4), rng.uniform(0.08, 0.22), IVORY)
    x = 0.4
    while x < length - 1:
        wide = float(rng.uniform(2.2, 5.0))
        high_rise(board, x, wide, rng)
        x += wide + float(rng.uniform(0.0, 1.0))
    board.box(0, 9.1, length, 10, from_hex("#2a2636"))
    x = float(rng.uniform(3, 9))
    while x < length - 8:
        tram(board, x, rng)
        x += float(rng.uniform(12, 24))


def country(board: Board, length: float, rng: np.random.Generator) -> None:
    """Hills, woods, windmills, balloons and cows."""
    board.box(0, 0, length, 10, from_hex("#cfe8c0"))
    greens = [from_hex(rgb) for rgb in ("#6fae4f", "#3f7f3c", "#9cc75a", "#2f6440")]
    for x in np.arange(0, length, 6.5).tolist():
        top = float(rng.uniform(4.5, 7.5))
        board.oval(x, 10, float(rng.uniform(4, 8)), 10 - top, greens[int(rng.integers(4))])
    for x in np.arange(1.5, length, 4.2).tolist():
        field(board, x + float(rng.uniform(-1, 1)), rng)
    x = 0.8
    while x < length - 2:
        kind = rng.integers(7)
        wide = float(rng.uniform(2.4, 5.0))
        if kind == 6:
            gabled(board, x, max(wide, 3.0), rng)
        elif kind == 0:
            windmill(board, x + wide / 2, rng)
        elif kind == 1:
            balloon(board, x + wide / 2, rng)
        elif kind == 2:
            cow(board, x + wide / 2, rng)
        elif kind == 3:
            leafy_tree(board, x + wide / 2, 9.6, float(rng.uniform(3, 6)), rng)
        else:
            fir(board, x + wide / 2, float(rng.uniform(3.5, 7.5)), rng)
        x += wide
