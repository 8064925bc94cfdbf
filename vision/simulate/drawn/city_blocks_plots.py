"""City Blocks: the thirty empty building plots of the board, no two alike."""

import numpy as np

from scoring.faces import Cell
from vision.simulate.drawing import Board, Colour, from_hex, mix
from vision.simulate.emblems import INK, IVORY

_SOILS = tuple(
    from_hex(rgb) for rgb in ("#c9d8a2", "#d8c79a", "#b9cfa8", "#e0d2ae", "#cdbf8f", "#a9c48f")
)
_TRUNK, _LEAF = from_hex("#6b4a2b"), from_hex("#3f7f3c")
_TIMBER, _BRICK = from_hex("#b98546"), from_hex("#b5532d")


def draw_plot(board: Board, cell: Cell) -> None:
    """Draw a plot from -1 to 1 in both directions."""
    rng = np.random.default_rng((cell[0] + 1, cell[1] + 1))
    soil = _SOILS[int(rng.integers(len(_SOILS)))]
    board.round_box(-1, -1, 1, 1, 0.1, mix(soil, INK, 0.45))
    board.round_box(-0.94, -0.94, 0.94, 0.94, 0.08, soil)
    for _ in range(26):
        x, y = rng.uniform(-0.85, 0.85, 2).tolist()
        board.stroke([(x, y), (x + 0.05, y - 0.09)], 0.03, mix(soil, _LEAF, 0.7))
    _paths(board, soil, rng)
    things = (_tree, _timber, _bricks, _pond, _tent, _bush, _crate)
    spots = [(-0.5, -0.5), (0.5, -0.45), (-0.48, 0.5), (0.5, 0.5), (0.0, 0.02)]
    for spot in rng.permutation(len(spots))[: int(rng.integers(3, 5))].tolist():
        x, y = spots[spot]
        thing = things[int(rng.integers(len(things)))]
        thing(board.part(x + rng.uniform(-0.15, 0.15), y + rng.uniform(-0.15, 0.15)), rng)
    _pegs(board, rng)


def _paths(board: Board, soil: Colour, rng: np.random.Generator) -> None:
    ends = [(float(rng.uniform(-0.9, 0.9)), -0.92), (0.92, float(rng.uniform(-0.9, 0.9)))]
    ends += [(float(rng.uniform(-0.9, 0.9)), 0.92), (-0.92, float(rng.uniform(-0.9, 0.9)))]
    first, second = rng.permutation(4)[:2].tolist()
    bend = (float(rng.uniform(-0.3, 0.3)), float(rng.uniform(-0.3, 0.3)))
    board.stroke([ends[first], bend, ends[second]], 0.2, mix(soil, IVORY, 0.55))


def _pegs(board: Board, rng: np.random.Generator) -> None:
    """Surveyor's pegs with a cord at two or three of the corners."""
    for x, y in ((-0.86, -0.86), (0.86, -0.86), (0.86, 0.86), (-0.86, 0.86)):
        if rng.random() < 0.65:
            toward = 0.35 if x < 0 else -0.35
            board.stroke([(x, y), (x + toward, y)], 0.03, _TRUNK)
            board.disc(x, y, 0.07, from_hex("#c5352b"))


def _tree(board: Board, rng: np.random.Generator) -> None:
    leaf = mix(_LEAF, from_hex("#b7b23c"), float(rng.uniform(0, 0.6)))
    size = float(rng.uniform(0.16, 0.3))
    board.disc(size * 0.3, size * 0.3, size, from_hex("#7f7a55"))
    for _ in range(int(rng.integers(4, 8))):
        x, y = (rng.uniform(-0.6, 0.6, 2) * size).tolist()
        board.disc(x, y, size * 0.62, mix(leaf, INK, float(rng.uniform(0, 0.4))))
    board.disc(-size * 0.2, -size * 0.2, size * 0.4, mix(leaf, IVORY, 0.35))


def _bush(board: Board, rng: np.random.Generator) -> None:
    for _ in range(int(rng.integers(3, 7))):
        x, y = rng.uniform(-0.25, 0.25, 2).tolist()
        board.disc(x, y, 0.09, mix(_LEAF, INK, float(rng.uniform(0.0, 0.4))))
        board.disc(x, y, 0.04, from_hex("#e7d64a") if rng.random() < 0.5 else from_hex("#e08aa8"))


def _timber(board: Board, rng: np.random.Generator) -> None:
    lean, count = float(rng.uniform(-0.2, 0.2)), int(rng.integers(3, 6))
    for beam in range(count):
        y = (beam - count / 2) * 0.1
        ends = [(-0.28, y - lean), (0.28 + 0.04 * (beam % 2), y + lean)]
        board.stroke(ends, 0.1, INK)
        board.stroke(ends, 0.06, mix(_TIMBER, IVORY, float(rng.uniform(0, 0.4))))


def _bricks(board: Board, rng: np.random.Generator) -> None:
    for row in range(int(rng.integers(2, 5))):
        for column in range(int(rng.integers(1, 4))):
            left, top = -0.3 + column * 0.2 + 0.07 * (row % 2), 0.2 - row * 0.12
            board.box(left - 0.01, top - 0.01, left + 0.19, top + 0.11, INK)
            shade = mix(_BRICK, IVORY, float(rng.uniform(0, 0.35)))
            board.box(left + 0.01, top + 0.01, left + 0.17, top + 0.09, shade)


def _pond(board: Board, rng: np.random.Generator) -> None:
    wide, tall = float(rng.uniform(0.22, 0.38)), float(rng.uniform(0.14, 0.24))
    turn = float(rng.uniform(0, 180))
    board.oval(0, 0, wide + 0.05, tall + 0.05, from_hex("#7a6a48"), turn)
    board.oval(0, 0, wide, tall, from_hex("#4f9cc8"), turn)
    board.oval(-0.05, -0.04, wide * 0.4, tall * 0.25, from_hex("#c9e8f4"), turn)


def _tent(board: Board, rng: np.random.Generator) -> None:
    paint = (from_hex("#d98a2a"), from_hex("#4a78b0"), IVORY)[int(rng.integers(3))]
    half = float(rng.uniform(0.2, 0.3))
    board.polygon([(-half, 0.18), (0, -0.24), (half, 0.18)], paint)
    board.polygon([(-half * 0.3, 0.18), (0, -0.2), (half * 0.3, 0.18)], INK)
    board.stroke([(-half, 0.18), (0, -0.24), (half, 0.18)], 0.03, INK, closed=True)


def _crate(board: Board, rng: np.random.Generator) -> None:
    half = float(rng.uniform(0.12, 0.22))
    board.box(-half, -half, half, half, INK)
    board.box(-half + 0.03, -half + 0.03, half - 0.03, half - 0.03, _TIMBER)
    board.stroke([(-half, -half), (half, half)], 0.04, INK)
    if rng.random() < 0.5:
        board.stroke([(half, -half), (-half, half)], 0.04, INK)
