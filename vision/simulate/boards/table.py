"""Whole tables of games known by pictures, photographed, with their ground truth."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from vision.arrays import Points, floats
from vision.editions.description import Description
from vision.editions.edition import Edition
from vision.simulate.boards.camera import Camera, Stance, aimed, moved
from vision.simulate.boards.clutter import lay_decoys, lay_props, lay_strays
from vision.simulate.boards.content import Content, shuffled
from vision.simulate.boards.laid import LaidGrid, LaidStray
from vision.simulate.boards.laying import (
    Tabletop,
    cover,
    lay_board,
    lay_heaps,
    lay_slots,
    lay_tiles,
    stand_pawns,
    stand_tokens,
)
from vision.simulate.boards.placing import (
    GridPlace,
    board_grid,
    board_outline,
    free_grids,
    seen_outline,
)
from vision.simulate.boards.standing import PROFILES, Lamp
from vision.simulate.boards.truth import board_truth
from vision.simulate.lens import Lens
from vision.simulate.materials import table_material
from vision.simulate.photometry import photographed
from vision.simulate.scene import TableCanvas
from vision.simulate.table import SimulatedTable, Surroundings

DICE_BOARD: Final = "dice-board"
_NOTHING_OUTLINE: Final = floats([[-6, -4], [6, 4]])
"""What the photo shows where there is nothing to read."""
_MATERIAL_TILE_PX: Final = 90.0


def simulate_board_table(
    seed: int,
    edition: Edition,
    content: Content,
    size_wh: tuple[int, int],
    around: Surroundings,
) -> SimulatedTable:
    """Photograph a table.

    Args:
        seed: all that is random follows from it.
        edition: what tiles and board look like.
        content: what lies on it.
        size_wh: of the photo.
        around: table, camera and light; ``tile_px`` is here the share of the photo's width or
            height that is filled by what belongs to the game, ``strays`` how many of the
            left-over tiles lie about, and of ``mishaps`` ``turned`` is how many tiles lie askew.
    """
    rng = np.random.default_rng([seed, 2])
    description = edition.description
    wide = size_wh[0] >= size_wh[1]
    places = _places(rng, description, len(content.grids), around.carelessness, wide=wide)
    lens = Lens(size_wh, around.barrel)
    camera = _camera(rng, description, places, lens, around)
    table = _empty_table(rng, edition, camera, around)
    grids = [LaidGrid(grid, place) for grid, place in zip(content.grids, places, strict=True)]
    strays = _lay(rng, table, grids, content.left_over, around)
    ideal = lens.photographed(table.canvas.finished())
    image = photographed(rng, ideal, around.strength, around.effects)
    truth = board_truth(table, grids, strays, lens, image)
    return SimulatedTable(image, {"seed": seed, **truth})


def _places(
    rng: np.random.Generator, description: Description, count: int, loose: float, *, wide: bool
) -> list[GridPlace]:
    if count == 0:
        return []
    if description.board is None:
        return free_grids(rng, description, count, loose, wide=wide)
    return [board_grid(rng, description, description.board, loose)]


def _camera(
    rng: np.random.Generator,
    description: Description,
    places: list[GridPlace],
    lens: Lens,
    around: Surroundings,
) -> Camera:
    stance = Stance(around.tilt, float(rng.uniform(0, 2 * np.pi)), float(rng.normal(0, 0.02)))
    outline = seen_outline(description, places) if places else _NOTHING_OUTLINE
    camera = aimed(outline, stance, lens, around.tile_px)
    slack = floats(lens.size_wh) * np.float32(max(0.0, 1 - around.tile_px) / 2)
    off = floats(rng.uniform(-0.8, 0.8, 2)) * slack
    if around.mishaps.cut_off and places:
        cells = np.concatenate([place.outline for place in places])
        off = _over_the_edge(rng, camera, cells, lens)
    return moved(camera, off)


def _over_the_edge(rng: np.random.Generator, camera: Camera, cells: Points, lens: Lens) -> Points:
    """How far to move the picture so that a part of the cells runs off one side."""
    seen = lens.seen(camera.pixels(cells))
    low, high = seen.min(axis=0), seen.max(axis=0)
    beyond = float(rng.uniform(0.06, 0.22))
    axis, side = int(rng.integers(2)), int(rng.integers(2))
    off = floats([0, 0])
    length = (high - low)[axis]
    if side:
        off[axis] = lens.size_wh[axis] - high[axis] + beyond * length
    else:
        off[axis] = -low[axis] - beyond * length
    return off


def _empty_table(
    rng: np.random.Generator, edition: Edition, camera: Camera, around: Surroundings
) -> Tabletop:
    scale = min(max(camera.unit_px, 30.0), _MATERIAL_TILE_PX * 2)
    top = table_material(rng, camera.size_wh, scale, around.material)
    angle, slope = float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(0.25, 0.9))
    lamp = Lamp(
        (slope * float(np.cos(angle)), slope * float(np.sin(angle))), float(rng.uniform(0.25, 0.6))
    )
    profile = PROFILES[int(rng.integers(len(PROFILES)))]
    hidden = np.zeros(top.shape[:2], np.float32)
    canvas = TableCanvas(top, camera.view)
    return Tabletop(edition, canvas, camera, lamp, hidden, profile=profile)


def _lay(
    rng: np.random.Generator,
    table: Tabletop,
    grids: list[LaidGrid],
    left_over: Sequence[str],
    around: Surroundings,
) -> list[LaidStray]:
    """Lay everything; the left-over tiles."""
    description, picture = table.edition.description, table.edition.board
    board = description.board
    for grid in grids:
        outline = grid.place.outline if board is None else board_outline(board, grid.place.frame)
        table.occupied.take(outline)
    askew = _askew(rng, grids, around.mishaps.turned)
    for number, grid in enumerate(grids):
        if board is not None and picture is not None:
            lay_board(table, board, picture, grid)
            lay_slots(rng, table, board, grid)
        lay_tiles(rng, table, grid, askew[number])
        if board is not None:
            lay_heaps(rng, table, board, grid, overlapping=around.mishaps.covered // 4)
    strays = lay_strays(rng, table, left_over[: around.strays])
    if description.game == DICE_BOARD:
        lay_props(rng, table, 2, ("die",))
    lay_props(rng, table, around.props)
    lay_decoys(rng, table, around.decoys)
    cover(rng, table, grids, around.mishaps.covered)
    if description.game == DICE_BOARD:
        for grid in grids:
            stand_pawns(rng, table, grid)
    stand_tokens(rng, table, grids)
    return strays


def _askew(
    rng: np.random.Generator, grids: Sequence[LaidGrid], count: int
) -> list[list[tuple[int, int]]]:
    """For each grid the cells of its tiles that lie askew."""
    tiles = [
        (number, (r, c))
        for number, grid in enumerate(grids)
        for r, row in enumerate(grid.content.tiles)
        for c, name in enumerate(row)
        if name is not None
    ]
    chosen = shuffled(rng, tiles)[:count]
    return [[cell for which, cell in chosen if which == n] for n in range(len(grids))]
