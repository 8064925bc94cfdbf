"""Memory of a table between two photos: its grids, their letters and their appearance."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.faces import city_name
from vision.arrays import Corners, Image, apply_homography, floats, to_grey
from vision.editions.edition import BETWEEN_TWO_CITIES
from vision.eye.white_areas import WhiteArea, find_white_areas
from vision.patches.cut import Pyramid, level_homography
from vision.photo.load import Photo
from vision.reading import GridReading, Note, NoteCode, Reading, note, tile_of_cell
from vision.rereading.changed_pixels import Grey, Mask, count_changed_px
from vision.rereading.matching import keeps_half_of_grids, match_grids, order_by_letter

MAX_TABLE_IMAGE_PX: Final = 400
"""Maximum longer side of the grey image of a table; the photo is halved until it fits."""
MIN_COMPARED_TILE_PX: Final = 28.0
"""Minimum side of a tile in the grey image of a grid; smaller ones may not show all differences."""
MIN_TABLE_CORRELATION: Final = 0.6
"""Minimum correlation of an unchanged window of the table. Larger: shadows count as changes, and
more photos are read in full; smaller: a new object on the table goes unnoticed."""
MAX_CHANGED_AREA: Final = 2.0
"""Maximum changed area of the table outside the grids, in tile areas.

Edges of shadows may make as much; a new grid makes 9 and more.
"""
MIN_GRID_CORRELATION: Final = 0.8
"""Minimum correlation of an unchanged window of a grid. Larger: more unchanged grids are
recognised again; smaller: an exchanged tile goes unnoticed."""
MAX_CHANGED_GRID_AREA: Final = 0.03
"""Maximum changed area of an unchanged grid, in tile areas.

Swapping a tile for the one most like it makes 0.15 and more, in glare 0.07.
"""
GRID_WINDOW: Final = 0.2
"""Side of the windows in which grids are compared, in tile widths."""


@dataclass(frozen=True, slots=True, eq=False)
class RememberedGrid:
    """Grid with its place in the photo and its appearance there.

    Attributes:
        grid: Last reading of the grid.
        quads_px: Quads of its tiles and empty places in reading order, in pixels of the decoded
            image, as they lay when the photo was last read in full.
        image: Grey image of the grid when it was last read.
        level: Pyramid level that ``image`` was cut from.
        top_left_px: Top left pixel (x, y) of ``image`` in that level.
    """

    grid: GridReading
    quads_px: tuple[Corners, ...]
    image: Grey
    level: int
    top_left_px: tuple[int, int]

    @property
    def quads_by_place(self) -> NDArray[np.float32]:
        """Shape (rows, columns, 4, 2): ``quads_px`` by row and column of the tiles."""
        return floats(self.quads_px).reshape(len(self.grid.tiles), -1, 4, 2)

    @property
    def unsure_tiles(self) -> NDArray[np.bool_]:
        """Shape (n,): whether each tile, in reading order, has an unsure cell."""
        unsure = np.zeros((len(self.grid.tiles), len(self.grid.tiles[0])), bool)
        for cell in self.grid.unsure:
            unsure[tile_of_cell(cell, self.grid.tile_cells)] = True
        return unsure.ravel()

    @property
    def tile_px(self) -> float:
        """Side of a tile in pixels of the decoded image."""
        return _side_px(self.quads_px)

    def looks_unchanged(self, pyramid: Pyramid) -> bool:
        """Return whether a photo from the same camera position shows the same tiles."""
        x, y = self.top_left_px
        height, width = self.image.shape
        mask: Mask = np.zeros((height, width), np.uint8)
        for quad in self.quads_px:
            outline = apply_homography(quad, level_homography(self.level)) - floats(
                self.top_left_px
            )
            cv2.fillConvexPoly(mask, np.rint(outline).astype(np.int32), 1)
        now = to_grey(pyramid.level(self.level)[y : y + height, x : x + width])
        tile_px = self.tile_px / 2**self.level
        changed_px = count_changed_px(
            self.image, now, mask, GRID_WINDOW * tile_px, MIN_GRID_CORRELATION
        )
        return bool(changed_px <= MAX_CHANGED_GRID_AREA * tile_px**2)

    def with_reading(self, grid: GridReading, pyramid: Pyramid) -> "RememberedGrid":
        """Return the same place with a new reading and appearance."""
        return _remember_grid(grid, self.quads_px, pyramid)


@dataclass(frozen=True, slots=True, eq=False)
class TableMemory:
    """Table as it was last read, with the letters of its grids.

    Attributes:
        size_wh: Size of the photo in pixels.
        decoded_wh: Size of the decoded image in pixels.
        game: Name of the game.
        edition: Name of the edition.
        grids: Last readings of all grids in the order of their letters, absent ones included.
        absent: Indices of grids that are not seen any more; they get their letters back when they
            return.
        grids_in_place: Grids that can be read in place, in the order of the reading; None if the
            next photo must be read in full.
        small_grey: Reduced grey image of the photo that was last read in full.
        is_white: Whether the table has white areas in which a grid could lie unseen.
        notes: Notes on that photo as a whole.
    """

    size_wh: tuple[int, int]
    decoded_wh: tuple[int, int]
    game: str
    edition: str
    grids: tuple[GridReading, ...]
    absent: frozenset[int]
    grids_in_place: tuple[RememberedGrid, ...] | None
    small_grey: Grey
    is_white: bool
    notes: tuple[Note, ...]

    @property
    def absence_notes(self) -> tuple[Note, ...]:
        """Notes on absent grids, one for each; grids of other games have no letters."""
        if self.game != BETWEEN_TWO_CITIES:
            return ()
        last_seen = max(set(range(len(self.grids))) - self.absent, default=-1)
        return tuple(
            note(
                NoteCode.CITY_GONE_OTHERS_MOVED if index < last_seen else NoteCode.CITY_GONE,
                letter=city_name(index),
            )
            for index in sorted(self.absent)
        )

    def table_looks_unchanged(self, photo: Photo, pyramid: Pyramid) -> bool:
        """Return whether a photo seems to show the same table, apart from the grids themselves."""
        if self.grids_in_place is None or photo.size_wh != self.size_wh:
            return False
        if _size_wh(pyramid.level(0)) != self.decoded_wh:
            return False
        white = _find_white_areas(pyramid, self.grids_in_place)
        if bool(white) != self.is_white or any(area.from_light for area in white):
            return False
        now = _reduce(pyramid)
        scale = now.shape[1] / self.decoded_wh[0]
        outside: Mask = np.ones(now.shape, np.uint8)
        for remembered in self.grids_in_place:
            for quad in remembered.quads_px:
                cv2.fillConvexPoly(outside, np.rint(quad * scale).astype(np.int32), 0)
        tile_px = scale * _mean_tile_px(self.grids_in_place)
        changed_px = count_changed_px(self.small_grey, now, outside, tile_px, MIN_TABLE_CORRELATION)
        return bool(changed_px <= MAX_CHANGED_AREA * tile_px**2)

    def with_grids(self, in_place: Sequence[RememberedGrid]) -> "TableMemory":
        """Return the memory after the grids were read in place."""
        seen = [remembered.grid for remembered in in_place]
        grids = _merge_absent(seen, self.grids, self.absent)
        return replace(self, grids=grids, grids_in_place=tuple(in_place))


def remember(
    photo: Photo, reading: Reading, earlier_memory: TableMemory | None = None
) -> tuple[Reading, TableMemory]:
    """Remember a photo that was read in full, and keep the letters of its grids.

    Args:
        photo: Photo.
        reading: Full reading.
        earlier_memory: Memory of the same table; None for a new one.

    Returns:
        The reading with its grids in the order of their letters, which is always the order round
        the table, and with a note on each absent grid; and the new memory.
    """
    pyramid = Pyramid(photo.image_bgr)
    earlier = () if earlier_memory is None else earlier_memory.grids
    earlier_by_new = match_grids(earlier, reading.grids)
    if not keeps_half_of_grids(earlier, reading.grids, earlier_by_new):
        earlier, earlier_by_new = (), {}
    order = order_by_letter(earlier_by_new, len(reading.grids))
    grids = tuple(reading.grids[new] for new in order)
    absent = frozenset(range(len(earlier))) - frozenset(earlier_by_new.values())
    in_place = None if reading.unread else _remember_grids(grids, photo, pyramid)
    memory = TableMemory(
        size_wh=photo.size_wh,
        decoded_wh=_size_wh(photo.image_bgr),
        game=reading.game,
        edition=reading.edition,
        grids=_merge_absent(grids, earlier, absent),
        absent=absent,
        grids_in_place=in_place,
        small_grey=_reduce(pyramid),
        is_white=in_place is not None and bool(_find_white_areas(pyramid, in_place)),
        notes=reading.notes,
    )
    return replace(reading, grids=grids, notes=(*reading.notes, *memory.absence_notes)), memory


def _merge_absent(
    seen: Sequence[GridReading], earlier: Sequence[GridReading], absent: frozenset[int]
) -> tuple[GridReading, ...]:
    """Insert the absent grids at their indices between those seen."""
    rest = iter(seen)
    count = len(seen) + len(absent)
    return tuple(earlier[index] if index in absent else next(rest) for index in range(count))


def _remember_grids(
    grids: Sequence[GridReading], photo: Photo, pyramid: Pyramid
) -> tuple[RememberedGrid, ...] | None:
    """Remember grids in place; None if there is none, or if one is unsure as a whole."""
    remembered = []
    for grid in grids:
        quads = [quad for row in grid.tile_quads_px for quad in row if quad is not None]
        cells = sum(len(row) for row in grid.faces)
        tiles = sum(len(row) for row in grid.tiles)
        if len(quads) < tiles or len(grid.unsure) == cells:
            return None
        decoded = tuple(floats(photo.to_decoded_px(np.asarray(quad))) for quad in quads)
        remembered.append(_remember_grid(grid, decoded, pyramid))
    return tuple(remembered) or None


def _remember_grid(
    grid: GridReading, quads: tuple[Corners, ...], pyramid: Pyramid
) -> RememberedGrid:
    level = int(np.log2(max(_side_px(quads) / MIN_COMPARED_TILE_PX, 1.0)))
    image = pyramid.level(level)
    corners = apply_homography(np.concatenate(quads), level_homography(level))
    last = np.array(_size_wh(image)) - 1
    left, top = np.clip(np.floor(corners.min(axis=0)).astype(int), 0, last)
    right, bottom = np.clip(np.ceil(corners.max(axis=0)).astype(int), 0, last)
    part = _read_only_grey(image[top : bottom + 1, left : right + 1])
    return RememberedGrid(grid, quads, part, level, (int(left), int(top)))


def _side_px(quads: Sequence[Corners]) -> float:
    return float(np.sqrt(np.mean([cv2.contourArea(quad) for quad in quads])))


def _find_white_areas(pyramid: Pyramid, in_place: Sequence[RememberedGrid]) -> list[WhiteArea]:
    """Find the white areas outside the grids in which another one could lie unseen."""
    outlines = [floats(cv2.convexHull(np.concatenate(each.quads_px))) for each in in_place]
    return find_white_areas(pyramid, _mean_tile_px(in_place), outlines)


def _mean_tile_px(in_place: Sequence[RememberedGrid]) -> float:
    return float(np.mean([each.tile_px for each in in_place]))


def _size_wh(image: Image) -> tuple[int, int]:
    return image.shape[1], image.shape[0]


def _reduce(pyramid: Pyramid) -> Grey:
    """Return the photo small and grey, read-only."""
    level = 0
    while max(pyramid.level(level).shape[:2]) > MAX_TABLE_IMAGE_PX:
        level += 1
    return _read_only_grey(pyramid.level(level))


def _read_only_grey(image: Image) -> Grey:
    levels = to_grey(image)
    levels.flags.writeable = False
    return levels
