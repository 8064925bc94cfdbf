"""Dice board: the 144 empty plots, a town seen from above; no two plots are alike."""

import numpy as np

from scoring.faces import Cell
from vision.simulate.drawing import Board, Colour, Spot, arc, from_hex, mix
from vision.simulate.drawn.numerals import draw_number
from vision.simulate.emblems import INK, IVORY

_LAND = tuple(
    from_hex(rgb)
    for rgb in ("#e6d9bd", "#d9cba6", "#cfd9b0", "#e0cfc0", "#c9d3c4", "#ddd6c8", "#d4c3a0")
)
_ROOFS = tuple(
    from_hex(rgb)
    for rgb in ("#c98a6b", "#b5705a", "#a7a39a", "#8f9aa8", "#c7a46a", "#9a7f74", "#b99a86")
)
_LEAF, _LAWN = from_hex("#5f8f4e"), from_hex("#a9c98a")
_WATER, _SAND = from_hex("#7fb2cc"), from_hex("#e8d6a0")


def draw_plot(board: Board, cell: Cell, worth: int) -> None:
    """Draw a plot from -1 to 1 in both directions.

    Args:
        board: to draw on.
        cell: of the plot, which makes it different from all others.
        worth: its value, written small in the middle.
    """
    rng = np.random.default_rng((cell[0] + 11, cell[1] + 5))
    land = _LAND[int(rng.integers(len(_LAND)))]
    board.box(-1, -1, 1, 1, mix(land, INK, 0.4))
    board.box(-0.95, -0.95, 0.95, 0.95, land)
    kinds = (_terrace, _terrace, _courtyard, _villas, _villas, _park, _pond, _works, _market)
    kinds[int(rng.integers(len(kinds)))](board, rng)
    board.disc(0, 0, 0.3, mix(land, INK, 0.45))
    board.disc(0, 0, 0.26, IVORY)
    draw_number(board, str(worth), 0, 0, 0.3 if worth < 10 else 0.27, from_hex("#5b4632"))


def _roof(
    board: Board, left: float, top: float, right: float, bottom: float, rng: np.random.Generator
) -> None:
    """A roof from above, its ridge along the longer side, one slope in the shade."""
    colour = mix(_ROOFS[int(rng.integers(len(_ROOFS)))], INK, float(rng.uniform(0, 0.35)))
    board.box(left, top, right, bottom, colour)
    x, y = (left + right) / 2, (top + bottom) / 2
    shade = mix(colour, IVORY, 0.4)
    if right - left > bottom - top:
        board.box(left, top, right, y, shade)
    else:
        board.box(left, top, x, bottom, shade)
    board.stroke(
        [(left, top), (right, top), (right, bottom), (left, bottom)], 0.05, INK, closed=True
    )
    if rng.random() < 0.5:
        chimney = left + (right - left) * 0.7, top + (bottom - top) * 0.3
        board.disc(*chimney, 0.05, INK)


def _terrace(board: Board, rng: np.random.Generator) -> None:
    """Rows of houses along two opposite streets."""
    upright = rng.random() < 0.5
    for side in (-1, 1):
        at = -0.88
        while at < 0.7:
            wide, deep = float(rng.uniform(0.28, 0.6)), float(rng.uniform(0.3, 0.55))
            end = min(at + wide, 0.88)
            near, far = sorted((side * 0.88, side * (0.88 - deep)))
            if upright:
                _roof(board, near, at, far, end, rng)
            else:
                _roof(board, at, near, end, far, rng)
            at = end + float(rng.choice([0.0, 0.0, 0.12]))
    _trees(board, rng, int(rng.integers(2, 5)), 0.3)


def _courtyard(board: Board, rng: np.random.Generator) -> None:
    """Houses round a green court, one side open."""
    wing, gap = float(rng.uniform(0.3, 0.42)), int(rng.integers(4))
    board.box(-0.7, -0.7, 0.7, 0.7, _LAWN)
    wings = (
        (-0.88, -0.88, 0.88, -0.88 + wing), (0.88 - wing, -0.5, 0.88, 0.5),
        (-0.88, 0.88 - wing, 0.88, 0.88), (-0.88, -0.5, -0.88 + wing, 0.5),
    )  # fmt: skip
    for place, spot in enumerate(wings):
        if place != gap:
            _roof(board, *spot, rng)
    _trees(board, rng, int(rng.integers(3, 7)), 0.45)


def _villas(board: Board, rng: np.random.Generator) -> None:
    """Single houses of different sizes in gardens."""
    for x, y in ((-0.55, -0.55), (0.55, -0.55), (0.55, 0.55), (-0.55, 0.55)):
        if rng.random() < 0.2:
            board.box(x - 0.3, y - 0.3, x + 0.3, y + 0.3, _LAWN)
            _trees(board.part(x, y, 0.4), rng, 3, 0.6)
            continue
        half_x, half_y = rng.uniform(0.16, 0.32, 2).tolist()
        plot = board.part(x + float(rng.uniform(-0.08, 0.08)), y + float(rng.uniform(-0.08, 0.08)))
        _roof(plot, -half_x, -half_y, half_x, half_y, rng)
    _trees(board, rng, int(rng.integers(2, 6)), 0.8)


def _park(board: Board, rng: np.random.Generator) -> None:
    """Lawn with trees and a winding path."""
    board.box(-0.95, -0.95, 0.95, 0.95, _LAWN)
    bends: list[Spot] = [(-0.95, float(rng.uniform(-0.8, 0.8)))]
    bends += [(x, float(rng.uniform(-0.7, 0.7))) for x in (-0.4, 0.4)]
    bends += [(0.95, float(rng.uniform(-0.8, 0.8)))]
    board.stroke(bends, 0.18, _SAND)
    _trees(board, rng, int(rng.integers(9, 15)), 0.8)


def _pond(board: Board, rng: np.random.Generator) -> None:
    """A pond with a jetty, rushes and a boat."""
    board.box(-0.95, -0.95, 0.95, 0.95, _LAWN)
    wide, tall, lean = (
        float(rng.uniform(0.6, 0.85)),
        float(rng.uniform(0.45, 0.7)),
        float(rng.uniform(0, 180)),
    )
    board.oval(0, 0, wide + 0.08, tall + 0.08, mix(_SAND, INK, 0.35), lean)
    board.oval(0, 0, wide, tall, _WATER, lean)
    for _ in range(3):
        x, y = rng.uniform(-0.4, 0.4, 2).tolist()
        board.stroke(arc((x, y), 0.14, 0.06, 190, 350, 6), 0.05, IVORY)
    x, y = rng.uniform(-0.45, 0.45, 2).tolist()
    board.oval(x, y, 0.16, 0.07, _ROOFS[int(rng.integers(len(_ROOFS)))], float(rng.uniform(0, 180)))
    _trees(board, rng, int(rng.integers(4, 8)), 0.85)


def _works(board: Board, rng: np.random.Generator) -> None:
    """A works with saw-tooth roofs, tanks and rails."""
    teeth, left, right = (
        int(rng.integers(4, 7)),
        float(rng.uniform(-0.88, -0.5)),
        float(rng.uniform(0.3, 0.6)),
    )
    top, bottom = -0.85, float(rng.uniform(0.1, 0.5))
    base = _ROOFS[int(rng.integers(2, 4))]
    for tooth in range(teeth):
        x0, x1 = (left + (right - left) * (tooth + part) / teeth for part in (0.0, 1.0))
        board.box(x0, top, x1, bottom, mix(base, INK, 0.45))
        board.box(x0, top, x0 + (x1 - x0) * 0.6, bottom, mix(base, IVORY, 0.35))
    board.stroke(
        [(left, top), (right, top), (right, bottom), (left, bottom)], 0.05, INK, closed=True
    )
    for y in rng.uniform(-0.75, 0.4, int(rng.integers(1, 4))).tolist():
        board.disc(0.78, y, 0.16, INK)
        board.disc(0.78, y, 0.12, mix(base, IVORY, 0.6))
    for rail in (0.72, 0.84):
        board.stroke([(-0.95, rail), (0.95, rail)], 0.035, INK)
    for sleeper in np.arange(-0.9, 0.95, 0.16 + 0.02 * teeth).tolist():
        board.stroke([(sleeper, 0.66), (sleeper, 0.9)], 0.035, from_hex("#7a6248"))


def _market(board: Board, rng: np.random.Generator) -> None:
    """A paved square with stalls, and a church or a hall at its edge."""
    board.box(-0.95, -0.95, 0.95, 0.95, from_hex("#d8cfc2"))
    for line in np.arange(-0.8, 0.9, 0.3).tolist():
        board.stroke([(-0.95, line), (0.95, line)], 0.025, from_hex("#b5aa9a"))
        board.stroke([(line, -0.95), (line, 0.95)], 0.025, from_hex("#b5aa9a"))
    side = float(rng.choice([-1, 1]))
    near, far = sorted((side * 0.88, side * 0.38))
    _roof(board, -0.4, near, float(rng.uniform(0.4, 0.85)), far, rng)
    _roof(board, -0.8, near, -0.42, far, rng)
    for _ in range(int(rng.integers(4, 8))):
        x, y = float(rng.uniform(-0.8, 0.8)), float(rng.uniform(0.3, 0.8)) * -side
        paint: Colour = _ROOFS[int(rng.integers(len(_ROOFS)))]
        board.box(x - 0.13, y - 0.1, x + 0.13, y + 0.1, INK)
        board.box(x - 0.1, y - 0.07, x + 0.1, y + 0.07, IVORY)
        board.box(x - 0.1, y - 0.07, x, y + 0.07, paint)


def _trees(board: Board, rng: np.random.Generator, count: int, reach: float) -> None:
    for _ in range(count):
        x, y = rng.uniform(-reach, reach, 2).tolist()
        size = float(rng.uniform(0.09, 0.17))
        leaf = mix(_LEAF, INK, float(rng.uniform(0, 0.4)))
        board.disc(x + 0.03, y + 0.03, size, mix(leaf, INK, 0.5))
        board.disc(x, y, size * 0.9, leaf)
        board.disc(x - size * 0.3, y - size * 0.3, size * 0.4, mix(leaf, IVORY, 0.4))
