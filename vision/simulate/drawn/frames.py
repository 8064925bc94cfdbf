"""The decorated frame of a board: four different panoramas round it and four corner pieces.

The eye finds a board by details that occur nowhere else on it, so no house, boat or tree is drawn
twice alike, and no side looks like another. Tops point outwards.
"""

from collections.abc import Callable

import numpy as np

from vision.simulate.drawing import Board, Colour, arc, from_hex, mix, ring
from vision.simulate.drawn.skylines import country, harbour, new_town, old_town
from vision.simulate.emblems import INK, IVORY, gear_outline

_GOLD, _RED = from_hex("#f0b429"), from_hex("#c5352b")
_SIDES = (old_town, harbour, new_town, country)


def draw_frame(board: Board, size: tuple[float, float], width: float, seed: int) -> None:
    """Draw a frame along the edges of a board.

    Args:
        board: whose picture it covers wholly.
        size: width and height of the board in its units.
        width: of the frame.
        seed: of all that varies.
    """
    image = board.image
    band = round(width * board.px_per_unit)
    for side, paint in enumerate(_SIDES):
        length = size[side % 2]
        length_px = image.shape[1 - side % 2]
        strip = Board(np.zeros((band, length_px, 3), np.uint8), length_px / length)
        paint(strip.part(0, 0, width / 10), length * 10 / width, np.random.default_rng(seed + side))
        turned = np.rot90(strip.image, -side)
        rows = slice(0, band) if side == 0 else slice(-band, None) if side == 2 else slice(None)
        columns = slice(-band, None) if side == 1 else slice(0, band) if side == 3 else slice(None)
        image[rows, columns] = turned
    _draw_corners(board, size, width)
    inner = [
        (width, width), (size[0] - width, width),
        (size[0] - width, size[1] - width), (width, size[1] - width),
    ]  # fmt: skip
    board.stroke(inner, width * 0.07, INK, closed=True)
    outer = [(0.0, 0.0), (size[0], 0.0), size, (0.0, size[1])]
    board.stroke(outer, width * 0.12, INK, closed=True)


def _draw_corners(board: Board, size: tuple[float, float], width: float) -> None:
    right, bottom = size[0] - width, size[1] - width
    pieces: tuple[tuple[float, float, Colour, Callable[[Board], None]], ...] = (
        (0.0, 0.0, from_hex("#f4e7c5"), _compass),
        (right, 0.0, from_hex("#7c2f3f"), _clock),
        (right, bottom, from_hex("#1f5a4d"), _coat_of_arms),
        (0.0, bottom, from_hex("#20304f"), _moon),
    )
    for left, top, ground, paint in pieces:
        corner = board.part(left + width / 2, top + width / 2, width / 2)
        corner.box(-1, -1, 1, 1, ground)
        paint(corner)
        corner.stroke([(-1, -1), (1, -1), (1, 1), (-1, 1)], 0.1, INK, closed=True)


def _compass(board: Board) -> None:
    board.disc(0, 0, 0.82, INK)
    board.disc(0, 0, 0.74, IVORY)
    for point in range(8):
        tip = ring((0, 0), 0.95 if point % 2 == 0 else 0.5, 8)[point]
        foot = ring((0, 0), 0.18, 4, 45 * point - 45)
        board.polygon([tip, foot[0], (0, 0)], _RED if point == 0 else INK)
        board.polygon([tip, foot[3], (0, 0)], mix(_GOLD, IVORY, 0.2))
    board.stroke([(-0.78, -0.62), (-0.78, -0.9), (-0.6, -0.62), (-0.6, -0.9)], 0.07, INK)


def _clock(board: Board) -> None:
    board.polygon(gear_outline(14, 0.84, 0.94), _GOLD)
    board.disc(0, 0, 0.74, INK)
    board.disc(0, 0, 0.67, IVORY)
    for hour in range(12):
        tick = ring((0, 0), 0.58, 12)[hour]
        board.disc(*tick, 0.07 if hour % 3 == 0 else 0.04, INK)
    board.stroke([(0, 0), (0.12, -0.48)], 0.08, INK)
    board.stroke([(0, 0), (0.33, 0.2)], 0.12, _RED)


def _coat_of_arms(board: Board) -> None:
    shield = [(-0.68, -0.74), (0.68, -0.74), *arc((0, -0.1), 0.68, 0.95, 0, 180)]
    board.polygon(shield, _GOLD)
    board.polygon([(-0.68, -0.74), (0.1, -0.74), (-0.66, 0.2)], _RED)
    board.stroke(shield, 0.09, INK, closed=True)
    tower = board.part(0.1, 0.1, 0.9)
    tower.polygon(
        [
            (-0.3, 0.5), (-0.3, -0.3), (-0.38, -0.3), (-0.38, -0.55), (-0.22, -0.55),
            (-0.22, -0.42), (-0.08, -0.42), (-0.08, -0.55), (0.08, -0.55), (0.08, -0.42),
            (0.22, -0.42), (0.22, -0.55), (0.38, -0.55), (0.38, -0.3), (0.3, -0.3), (0.3, 0.5),
        ],
        INK,
    )  # fmt: skip
    tower.arch(-0.13, 0.1, 0.13, 0.5, IVORY)
    board.polygon(ring((-0.36, -0.45), 0.2, 5), IVORY)


def _moon(board: Board) -> None:
    board.disc(0.05, 0.05, 0.66, _GOLD)
    board.disc(0.33, -0.12, 0.56, from_hex("#20304f"))
    for x, y, size in (
        (0.45, -0.3, 0.26),
        (0.2, 0.2, 0.15),
        (0.75, 0.45, 0.18),
        (-0.75, -0.7, 0.2),
    ):
        star = [
            spot
            for outer, inner in zip(
                ring((x, y), size, 5), ring((x, y), size * 0.42, 5, -54), strict=True
            )
            for spot in (outer, inner)
        ]
        board.polygon(star, IVORY)
