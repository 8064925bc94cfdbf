"""Search a photo for the grid of a layout, by whole tiles whatever they show.

``layout_from_corners`` places a layout whose corners are given instead. The errors that users get
are raised by ``vision.teaching.locate_layout``, which calls both.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from vision.arrays import Floats, Ints, Masks, floats
from vision.editions.model import GridFormat, Model
from vision.editions.references import TURNS
from vision.eye.camera import (
    Correspondences,
    TableCamera,
    cell_quads_px,
    cells_between,
    fit_camera,
)
from vision.eye.lattice import MIN_EXTENT_MARGIN, FoundGrids, fit_grids
from vision.eye.light_fit import colour_costs
from vision.eye.locate import run_locator
from vision.eye.placement import (
    MAX_OUTSIDE_SCORE,
    PlacedGrid,
    cells_beside,
    place_grids,
    refine_grids,
)
from vision.patches.cut import UNIT_SQUARE, Pyramid, cut_patches, embed_quads
from vision.patches.embedding import MIN_WHOLE, PATCH_PX, Embeddings
from vision.teaching.tile_quality import is_flat

MIN_MEAN_WHOLE_FOUND: Final = 0.95
"""Minimum mean probability that the places of a layout that was found show whole tiles. In 118
photos it was 0.99 for layouts found right, and 0.89 at most for others."""
MAX_COUNTED: Final = 3
"""Maximum number of grids that are searched to find out whether a layout is the only one in a
photo."""
TEACH_AREAS: Final = (1.0, 0.3, 0.1)
"""Relative areas (``vision.eye.locate``) of the reduced images in which a layout is searched; in a
small one it may fill the photo."""
EXAMINED_RING: Final = 2
"""Cells to each side of an uncertain grid that are examined for whole tiles. Larger: more cells are
embedded; smaller: grids farther off stay uncertain."""
MIN_CONTINUED_SCORE: Final = 0.9
"""Mean probability of whole tiles in a row beside a grid, above which the grid goes on there though
the locator saw it end. Larger: parts of larger grids are taught; smaller: cloth is taken for
tiles."""
MIN_TABLE_LEAD: Final = 0.3
"""Minimum lead of a cell's similarity to the table farther out over that to the tiles of a grid,
for a cell that shows no tile, however whole it looks: patterned cloth beside a tile does. Larger:
layouts on such cloth are refused; smaller: parts of larger grids are taught."""


class NoGridError(ValueError):
    """Photo in which the layout is not found."""


@dataclass(frozen=True, slots=True, eq=False)
class LocatedLayout:
    """Layout of tiles as it was found in a photo.

    Attributes:
        placed: Grid of the layout.
        camera: Camera of the photo.
        turn: Quarters anticlockwise by which the layout lies turned in the grid.
    """

    placed: PlacedGrid
    camera: TableCamera
    turn: int

    @property
    def quads_px(self) -> Floats:
        """Shape (rows, columns, 4, 2): quads of the places of the upright layout."""
        order = np.rot90(
            np.arange(len(self.placed.embeddings)).reshape(self.placed.lattice_grid.shape),
            -self.turn,
        )
        return floats(np.roll(self.placed.tile_quads_px, self.turn, axis=1)[order])


def find_layout(pyramid: Pyramid, shape: tuple[int, int], model: Model) -> LocatedLayout:
    """Find a layout that lies upright in a photo, its first row above.

    Args:
        pyramid: Pyramid of the photo of the layout.
        shape: Rows and columns of tiles.
        model: Model of the game.

    Raises:
        NoGridError: No grid of this shape is found.
    """
    grid_format = replace(model.grid_format, rows=shape[0], columns=shape[1], most_grids=1)
    tried: list[tuple[TableCamera, PlacedGrid]] = []
    for relative_area in TEACH_AREAS:
        for camera, grids in place_by_whole_tiles(pyramid, grid_format, model, relative_area):
            tried += [(camera, placed) for placed in grids if shows_tiles(placed)]
        counts = [placed.lattice_grid.detected_count for _, placed in tried]
        if max(counts, default=0) == shape[0] * shape[1]:
            break
    if not tried:
        raise NoGridError(f"no {shape[0]}x{shape[1]} grid of tiles is seen in the photo")
    # A part of a tile may look like one, but then the tiles cover more
    largest = max(tried, key=lambda each: covered_area_px(each[1]))
    # Where several images show the grid in the same place, that of a clear extent counts
    camera, placed = max(
        (each for each in tried if _lie_together(each[1], largest[1])),
        key=lambda each: (each[1].is_position_certain, each[1].has_clear_border),
    )
    corners = placed.lattice_grid.corners_px(camera)
    return LocatedLayout(placed, camera, _find_layout_turn(placed, corners, shape))


def _lie_together(first: PlacedGrid, second: PlacedGrid) -> bool:
    """Return whether the middles of two grids are less than half a tile apart."""
    distance_px = np.linalg.norm((first.tile_quads_px - second.tile_quads_px).mean(axis=(0, 1)))
    tile_px = np.sqrt(covered_area_px(second) / len(second.tile_quads_px))
    return bool(distance_px < tile_px / 2)


def shows_several(pyramid: Pyramid, shape: tuple[int, int], model: Model) -> bool:
    """Return whether several grids of a shape lie in a photo, each seen whole and by itself."""
    rows, columns = shape
    grid_format = replace(model.grid_format, rows=rows, columns=columns, most_grids=MAX_COUNTED)
    for relative_area in TEACH_AREAS:
        for _, grids in place_by_whole_tiles(pyramid, grid_format, model, relative_area):
            count = sum(map(is_seen_whole, grids))
            if count:
                return count > 1
    return False


def detect_grids(
    pyramid: Pyramid, grid_format: GridFormat, relative_area: float = 1.0
) -> list[FoundGrids]:
    """Run the locator on a photo and fit grids; alternatives if the tile size is ambiguous."""
    output = run_locator(pyramid, grid_format, relative_area)
    return fit_grids(output, pyramid.size_wh, grid_format)


def place_by_whole_tiles(
    pyramid: Pyramid, grid_format: GridFormat, model: Model, relative_area: float
) -> Iterator[tuple[TableCamera, list[PlacedGrid]]]:
    """Detect and place the grids of a format whose faces need not be known.

    The locator may miss tiles that show little, so where it leaves a grid of free tiles uncertain,
    the whole tiles round it decide.

    Args:
        pyramid: Pyramid of the photo.
        grid_format: Format of the grids.
        model: Model of the game; its rim is not used.
        relative_area: As of ``detect_grids``.

    Yields:
        A camera and the grids under it; several if the size of the tiles is ambiguous.
    """
    without_rim = replace(model, rim=(), grid_format=grid_format)
    for found in detect_grids(pyramid, grid_format, relative_area):
        camera, grids = place_grids(pyramid, found, without_rim)
        if not grid_format.on_board:
            grids = [_place_by_ring(pyramid, camera, each) for each in grids]
        yield camera, grids


def _place_by_ring(pyramid: Pyramid, camera: TableCamera, placed: PlacedGrid) -> PlacedGrid:
    """Move an uncertain grid to the extent of most whole tiles, and tell whether it ends there."""
    grid, ring = placed.lattice_grid, EXAMINED_RING
    rows, columns = grid.shape
    cells = np.vstack([grid.cells(), cells_beside(grid, ring)]).astype(int)
    quads_px = cell_quads_px(camera, grid.lattice, cells)
    embeddings = embed_quads(pyramid, quads_px)
    whole = np.zeros((rows + 2 * ring, columns + 2 * ring))
    is_inside = np.arange(len(cells)) < rows * columns
    shows_table = _resembles_table(cells, grid.shape, embeddings)
    is_plain = _are_flat(pyramid, quads_px)
    if not is_plain[is_inside].any():
        shows_table |= is_plain
    whole[cells[:, 1] + ring, cells[:, 0] + ring] = np.where(
        shows_table & ~is_inside, 0, embeddings.whole_probability
    )
    sums = sliding_window_view(whole, grid.shape).sum(axis=(2, 3))
    top, left = np.unravel_index(int(sums.argmax()), sums.shape)
    second, best = np.sort(sums, axis=None)[-2:]
    framed = np.pad(whole, 1)[top : top + rows + 2, left : left + columns + 2]
    beside = framed[0, 1:-1], framed[-1, 1:-1], framed[1:-1, 0], framed[1:-1, -1]
    outside = max(float(row.mean()) for row in beside)
    if placed.is_position_certain and placed.has_clear_border:
        return replace(placed, has_clear_border=outside < MIN_CONTINUED_SCORE)
    step = int(left) - ring, int(top) - ring
    within = ((cells >= step) & (cells < np.add(step, (columns, rows)))).all(axis=1)
    order = np.flatnonzero(within)
    order = order[np.lexsort((cells[order, 0], cells[order, 1]))]
    moved = PlacedGrid(
        grid.shifted(step),
        # An extent at the edge of what was examined may go on beyond it
        is_position_certain=bool(
            (best - second) / min(rows, columns) > MIN_EXTENT_MARGIN and max(map(abs, step)) < ring
        ),
        has_clear_border=outside < MAX_OUTSIDE_SCORE,
        tile_quads_px=quads_px[order],
        aligned_quads_px=quads_px[order],
        patch_quads_px=quads_px[order],
        embeddings=embeddings.take(order),
    )
    return refine_grids(camera, [moved], fit_camera_too=False)[1][0]


def _resembles_table(cells: Ints, shape: tuple[int, int], embeddings: Embeddings) -> Masks:
    """Return which cells (n, 2) in and round a grid look like the table farther out."""
    rows, columns = shape
    outside = np.maximum(-cells, cells - (columns - 1, rows - 1)).max(axis=1)
    is_table = (outside > 1) & (embeddings.whole_probability < MIN_WHOLE)
    colours = embeddings.colours.astype(np.float64)
    similarity = embeddings.vectors @ embeddings.vectors.T - colour_costs(colours, colours)
    np.fill_diagonal(similarity, -1)
    to_tiles = similarity[:, outside <= 0].max(axis=1)
    to_table = similarity[:, is_table].max(axis=1, initial=-1)
    return np.asarray(to_table - to_tiles > MIN_TABLE_LEAD)


def _are_flat(pyramid: Pyramid, quads_px: Floats) -> Masks:
    """Return which quads (n, 4, 2) show nothing in their middle, as a plain table beside tiles."""
    middle = slice(PATCH_PX // 4, -PATCH_PX // 4)
    patches = cut_patches(pyramid, quads_px)[:, middle, middle]
    return np.array([is_flat(patch) for patch in patches])


def count_tiles(pyramid: Pyramid, located: LocatedLayout) -> int:
    """Count the places of a layout that show a whole tile, not the table."""
    grid = located.placed.lattice_grid
    cells = np.vstack([grid.cells(), cells_beside(grid, EXAMINED_RING)]).astype(int)
    quads_px = cell_quads_px(located.camera, grid.lattice, cells)
    embeddings = embed_quads(pyramid, quads_px)
    shows_tile = embeddings.whole_probability > MIN_WHOLE
    shows_tile &= ~_resembles_table(cells, grid.shape, embeddings)
    return int(shows_tile[: len(grid.cells())].sum())


def shows_tiles(placed: PlacedGrid) -> bool:
    """Return whether the places of a grid show whole tiles, not parts of neighbouring ones."""
    return float(placed.embeddings.whole_probability.mean()) > MIN_MEAN_WHOLE_FOUND


def is_seen_whole(placed: PlacedGrid) -> bool:
    """Return whether a grid of whole tiles certainly lies where it was placed, and ends there."""
    return placed.is_position_certain and placed.has_clear_border and shows_tiles(placed)


def covered_area_px(placed: PlacedGrid) -> float:
    """Return the area of the whole tiles of a grid, in square pixels."""
    right, down = (placed.tile_quads_px[:, n] - placed.tile_quads_px[:, 0] for n in (1, 3))
    areas = np.abs(right[:, 0] * down[:, 1] - right[:, 1] * down[:, 0])
    return float((areas * placed.embeddings.whole_probability).sum())


def layout_from_corners(
    pyramid: Pyramid, corners_px: Floats, shape: tuple[int, int]
) -> LocatedLayout:
    """Return a layout with given corners (4, 2), from its top left clockwise."""
    rows, columns = shape
    ends = UNIT_SQUARE * floats([columns, rows]) - floats(0.5)
    corners = Correspondences(ends.astype(float), corners_px.astype(float), np.ones(4))
    camera, (lattice,) = fit_camera(TableCamera.looking_down(*pyramid.size_wh), [corners])
    warp = cv2.getPerspectiveTransform(ends, floats(corners_px))
    places = floats(cells_between((0, 0), (columns, rows))[:, None] + UNIT_SQUARE - 0.5)
    quads = floats(cv2.perspectiveTransform(places.reshape(1, -1, 2), warp)).reshape(-1, 4, 2)
    embeddings = embed_quads(pyramid, quads)
    return LocatedLayout(PlacedGrid.at_known_position(lattice, shape, quads, embeddings), camera, 0)


def _find_layout_turn(placed: PlacedGrid, corners: Floats, shape: tuple[int, int]) -> int:
    """Return ``LocatedLayout.turn`` of a layout of a shape that lies upright in the photo."""
    grid_shape = placed.lattice_grid.shape
    possible = [t for t in range(TURNS) if (shape if t % 2 == 0 else shape[::-1]) == grid_shape]
    return find_photo_turn(corners, possible)


def find_photo_turn(corners: Floats, turns: Sequence[int] = range(TURNS)) -> int:
    """Return by how many quarters anticlockwise corners are turned from upright in the photo."""
    right = [np.roll(corners, t, axis=0)[1] - np.roll(corners, t, axis=0)[0] for t in turns]
    return turns[int(np.argmax([v[0] / np.linalg.norm(v) for v in right]))]
