"""Training scenes of the piece detector: random tables, laid flat, with figures and loose pieces.

Pixels are those of a picture in which a figure's foot is ``FOOT_PX`` wide, or a loose piece
``PIECE_PX``; (0, 0) is the centre of the top left one. Whatever stands up leans away from the
camera, as it does when a table is laid flat.
"""

from dataclasses import dataclass
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Corners, Floats, Image, Points, floats
from vision.eye.piece_detector import CHANNELS, FOOT_PX, PIECE_PX, STRIDE_PX
from vision.lab.simulate.drawing import Colour, Rng, one_of
from vision.lab.simulate.light import photograph
from vision.lab.simulate.props import PROPS
from vision.lab.simulate.simulated_camera import SimulatedCamera, SimulatedLens
from vision.lab.simulate.standing_figures import draw_figures
from vision.lab.simulate.table_canvas import Spot, rectangle, rotate_points
from vision.lab.training.patch_batches import relit
from vision.lab.training.printed_boards import draw_printed_board
from vision.lab.training.table_scenes import (
    LabelledTable,
    QuadKind,
    TileSet,
    draw_background,
    lay_board,
    make_figures,
)
from vision.lab.training.tile_families import FamilyPool, glyph, random_tile_colour, stamp

T = TypeVar("T", bound=np.generic)

SIDE_PX = 160
_MAP_CELLS = SIDE_PX // STRIDE_PX
_MIDDLE = (SIDE_PX - 1) / 2
_THINGS = [name for name in PROPS if name not in {"token", "chessboard"}]
"""Names of props, without wooden shapes: they may be taken for figures."""
_PAINTS: tuple[Colour, ...] = (
    (44, 35, 200), (180, 95, 31), (24, 194, 242), (68, 158, 47), (40, 40, 40), (235, 235, 235),
    (40, 120, 230), (150, 60, 130), (110, 160, 205),
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class PieceScene:
    """Picture (SIDE_PX, SIDE_PX, 3) and the detector's target for it.

    ``maps`` (CHANNELS, n, n) has the channels of ``vision.eye.piece_detector``, with 0, 1 or -1 for
    logits; -1 where any output is right.
    """

    image: Image
    maps: Floats


def _flat_table(rng: Rng, box_px: float, image: Image) -> LabelledTable:
    """Return a table seen from above, on which whatever is high leans at random."""
    view = np.array([[box_px, 0, _MIDDLE], [0, box_px, _MIDDLE], [0, 0, 1]])
    nearer = -(0.01 + abs(float(rng.normal(0, 0.15)))) * box_px / SIDE_PX
    rise = np.array([*(rng.normal(0, 0.45, 2) * box_px + nearer * _MIDDLE), nearer])
    return LabelledTable(rng, image, SimulatedCamera(view, rise, SimulatedLens((SIDE_PX, SIDE_PX))))


def _anywhere(rng: Rng, table: LabelledTable, room: float = 0.0) -> Spot:
    """Return a random point of the plane within the picture, or up to ``room`` pixels outside."""
    x, y = table.camera.to_plane([rng.uniform(-room, SIDE_PX + room, 2)])[0].tolist()
    return x, y


def draw_figure_scene(rng: Rng, pool: FamilyPool) -> PieceScene:
    """Draw a part of a table with tiles, figures on them, and things that resemble figures."""
    box, foot = pool.family(rng), float(np.exp(rng.uniform(-np.log(6.5), -np.log(1.3))))
    tile_px = FOOT_PX / foot
    table = _flat_table(rng, tile_px, draw_background(rng, SIDE_PX, tile_px, box))
    tiles = TileSet(box, 0.0, float(rng.uniform(0, 0.4)))
    step, turn = 1 + float(rng.choice([0, 0.01, 0.03, 0.1])), float(rng.normal(0, 0.05))
    count, off = int(SIDE_PX / tile_px / step / 2) + 2, floats(rng.uniform(-1, 0, 2))
    first, last = -count, count  # tiles to all sides of the picture, or to the edge of a table
    if rng.random() < 0.6:
        first = int(rng.integers(-count, max(1 - count, 1)))
        last = int(rng.integers(first + 1, count + 1))
    for column, row in ((c, r) for c in range(first, last) for r in range(-count, count)):
        if rng.random() > 0.04:
            spot = rotate_points((floats([[column, row]]) + off) * np.float32(step), turn)[0]
            table.lay_tile(box.tile(rng), rectangle(spot, turn), tiles)
    figure_colours = [
        one_of(rng, _PAINTS) if rng.random() < 0.6 else random_tile_colour(rng)
        for _ in range(int(rng.integers(1, 4)))
    ]
    for _ in range(int(rng.integers(0, 5))):  # printed in the same colours
        x, y = rng.uniform(0, SIDE_PX, 2).tolist()
        side = FOOT_PX * float(rng.uniform(0.5, 1.8))
        stamp(table.image, glyph(rng), one_of(rng, figure_colours), (x, y), side)
    for _ in range(int(rng.integers(1, 4)) if rng.random() < 0.35 else 0):
        table.lay_prop(rng, _anywhere(rng, table), 6.0, _THINGS)
    feet = [_anywhere(rng, table, 8) for _ in range(int(rng.choice([0, 1, 2, 4, 7, 10])))]
    if len(feet) > 1 and rng.random() < 0.3:
        x, y = (floats(feet[0]) + rng.normal(0, 0.9 * foot, 2)).tolist()
        feet[-1] = x, y
    owner = draw_figures(table, make_figures(rng, feet, foot, figure_colours), table.lamp)
    maps = _figure_maps(owner, [table.camera.to_ideal_px([spot])[0] for spot in feet])
    if rng.random() < 0.25:  # what hides them
        table.lay_prop(rng, _anywhere(rng, table), 6.0, _THINGS, cover=True)
        hidden = _by_map_cell(table.hidden > 0.5).mean(axis=2) > 0.5
        maps[0][hidden & (maps[0] > 0)] = -1
    return _photograph(rng, table, maps)


def _photograph(rng: Rng, table: LabelledTable, maps: Floats) -> PieceScene:
    """Photograph a table from near or far."""
    seen = min(1.0, float(np.exp(rng.uniform(np.log(0.45), np.log(1.6)))))
    small = cv2.resize(table.to_image(), None, fx=seen, fy=seen, interpolation=cv2.INTER_AREA)
    small = photograph(rng, np.asarray(small, np.uint8), float(rng.uniform(0, 0.9)))
    large = np.asarray(cv2.resize(small, (SIDE_PX, SIDE_PX)), np.uint8)
    return PieceScene(relit(rng, large[None])[0], maps)


def draw_loose_scene(rng: Rng, pool: FamilyPool) -> PieceScene:
    """Draw a part of a printed board with its table, and tiles lying at any angle."""
    box, side = pool.family(rng), PIECE_PX * float(np.exp(rng.normal(0, 0.07)))
    table = _flat_table(rng, side, draw_background(rng, SIDE_PX, side, box))
    tiles = TileSet(box, float(rng.choice([0.0, 0.0, 0.05])), float(rng.uniform(0.1, 0.7)))
    if rng.random() < 0.75:
        board, other = (
            draw_printed_board(rng),
            TileSet(pool.family(rng), tiles.thick, tiles.shade),
        )
        reach = max(board.size) / 2
        x, y = rng.uniform(-reach, reach, 2).tolist()
        lay_board(rng, table, board, other, (x, y))
    if rng.random() < 0.4:
        table.lay_prop(rng, _anywhere(rng, table), 6.0, _THINGS)
    others = [q for q, kind in zip(table.quads, table.kinds, strict=True) if kind is QuadKind.TILE]
    table.quads.clear()
    for _ in range(int(rng.choice([0, 1, 3, 6, 9]))):
        corners = rectangle(_anywhere(rng, table), float(rng.uniform(0, 2 * np.pi)))
        middle = table.camera.to_ideal_px(corners).mean(axis=0)
        near = [np.hypot(*(middle - quad.mean(axis=0))) for quad in table.quads]
        if min(near, default=99.0) > 0.95 * side:
            table.lay_tile(box.tile(rng), corners, tiles, QuadKind.TILE)
    return _photograph(rng, table, _loose_maps(table.quads, others))


def _by_map_cell(pixels: NDArray[T]) -> NDArray[T]:
    """Group pixels by map cells, (n, n, pixels of one)."""
    blocks = pixels.reshape(_MAP_CELLS, STRIDE_PX, _MAP_CELLS, STRIDE_PX).transpose(0, 2, 1, 3)
    return blocks.reshape(_MAP_CELLS, _MAP_CELLS, -1)


def _offsets(here: NDArray[np.bool_], spot: Points, unit: float) -> Floats:
    """Return the offsets (2, k) from the chosen map cells to a point, x and y."""
    middles = np.arange(_MAP_CELLS) * STRIDE_PX + (STRIDE_PX - 1) / 2
    rows, columns = np.nonzero(here)
    return floats([spot[0] - middles[columns], spot[1] - middles[rows]]) / np.float32(unit)


def _figure_maps(owner: NDArray[np.int32], feet: list[Points]) -> Floats:
    """Compute ``PieceScene.maps`` of figures from the number of the figure each pixel shows."""
    maps, blocks = np.zeros((CHANNELS, _MAP_CELLS, _MAP_CELLS), np.float32), _by_map_cell(owner)
    maps[3] = -1
    for number, foot in enumerate(feet, 1):
        here = (blocks == number).mean(axis=2) > 0.5
        maps[0][here] = 1
        maps[1:3, here] = _offsets(here, foot, FOOT_PX)
    maps[0][(maps[0] == 0) & ((blocks > 0).mean(axis=2) > 0.12)] = -1
    return maps


def _loose_maps(quads: list[Corners], others: list[Corners]) -> Floats:
    """Compute ``PieceScene.maps`` of loose pieces; map cells of other tiles are left undecided."""
    maps = np.zeros((CHANNELS, _MAP_CELLS, _MAP_CELLS), np.float32)
    shares = [_share_of(quad) for quad in (*quads, *others)]
    for quad, share in zip(quads, shares, strict=False):
        here, angle = share > 0.6, 4 * np.arctan2(*(quad[1] - quad[0])[::-1])
        maps[3][here] = 1
        maps[4:6, here] = _offsets(here, quad.mean(axis=0), PIECE_PX)
        maps[6][here], maps[7][here] = np.cos(angle), np.sin(angle)
    for share in shares:
        maps[3][(maps[3] == 0) & (share > 0.1)] = -1
    return maps


def _share_of(quad: Corners) -> NDArray[np.float64]:
    """Return the share of each map cell that a quad covers, 0 to 1."""
    mask = np.zeros((SIDE_PX, SIDE_PX), np.uint8)
    cv2.fillConvexPoly(mask, np.rint(quad * 16).astype(np.int32), 1, cv2.LINE_8, 4)
    return np.asarray(_by_map_cell(mask).mean(axis=2), np.float64)
