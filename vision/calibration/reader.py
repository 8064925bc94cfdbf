"""Readers of photos: the eye, or with a calibration ``CalibratedReader``.

A ``CalibratedReader`` reads the plan of the table instead of the photo. In the plan
(``vision.calibration.plan_view``) lines are straight, and tiles are squares of one size in
millimetres. If the tiles of most grids are not, the camera has another height or tilt by now, and
the photo is read as if there were no calibration.
"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.faces import Cell
from vision.calibration.camera_model import Calibration, photo_px_to_plane
from vision.calibration.file_format import load_calibration
from vision.calibration.plan_view import PlanView
from vision.editions.description import Description
from vision.editions.edition import Edition
from vision.errors import CalibrationError, PhotoError
from vision.eye.quads import crossed_edges, over_the_edge_note
from vision.eye.read import read_tiles
from vision.eye.white_areas import LIGHT_HIDES_NOTE
from vision.patches.cut import UNIT_SQUARE
from vision.photo.load import Photo
from vision.reading import GridReading, Note, NoteCode, Reading, note, sort_clockwise, tile_of_cell

OTHER_PHOTO_SIZE_NOTE: Final = Note(NoteCode.CALIBRATION_OTHER_SIZE)
CAMERA_MOVED_NOTE: Final = Note(NoteCode.CALIBRATION_MOVED)
"""Note that the height or tilt of the camera is another one than when it was calibrated."""
OTHER_TILE_SIZE_NOTE: Final = note(NoteCode.OTHER_SIZE)

MAX_SIZE_ERROR: Final = 0.12
"""Maximum difference of a grid's tiles from the size of a tile, as a share. Larger: squares that
are no tiles stay sure; smaller: real grids are unsure."""
MAX_SKEW: Final = 0.035
"""Maximum difference of a grid's sides, as a share; careless hands reach 0.02. Larger: a moved
camera goes unnoticed; smaller: careless grids make it count as moved."""
MIN_TILT_COSINE: Final = 0.75
"""Minimum cosine of the angle between the camera's axis and a plumb line, 41 degrees, at which
sizes on the table can show that the camera was moved; flatter views measure them too inexactly."""
MAX_REGION_EXCESS_TILES: Final = 0.6
"""Maximum excess of an unread region's longer side over that of a grid, for one that may be a grid.
Larger: other things are asked about; smaller: grids are not."""
MIN_REGION_SIDE_TILES: Final = 1.5
"""Minimum shorter side of an unread region that may be a grid."""


_Sides = NDArray[np.float64]
"""Shape (4,), mean side of a grid's tiles along its rows, its columns and its two diagonals, the
diagonals divided by the root of 2; mm on the table."""


PhotoReader = Callable[[Photo, Edition], Reading]
"""Function that reads a photo of the tiles of an edition, of any game."""


class ScaledReader(Protocol):
    """Function that reads a photo or a plan; ``read_tiles`` by default."""

    def __call__(self, photo: Photo, edition: Edition, *, area_factor: float = 1.0) -> Reading:
        """Read a photo; ``area_factor`` enlarges the areas of the locator's reduced images."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class CalibratedReader:
    """Reader that straightens a photo by the calibration of its camera.

    Attributes:
        calibration: Calibration of the camera that takes the photos.
        tile_mm: Side of a tile; None if all grids must agree on one.
        reader: Reader of the plan, and of photos that the calibration does not fit.
    """

    calibration: Calibration
    tile_mm: float | None = None
    reader: ScaledReader = read_tiles

    def __call__(self, photo: Photo, edition: Edition) -> Reading:
        """Read a photo.

        Args:
            photo: Photo as loaded by ``vision.photo.load``.
            edition: Edition of its tiles.

        Returns:
            The reading in pixels of the photo. If the calibration does not fit, it is as without
            one and has the note ``OTHER_PHOTO_SIZE_NOTE`` or ``CAMERA_MOVED_NOTE``.

        Raises:
            PhotoError: Raised by ``reader`` for the photo as it is.
        """
        if photo.size_wh != self.calibration.lens.size_wh:
            return _with_note(self.reader(photo, edition), OTHER_PHOTO_SIZE_NOTE)
        start = perf_counter()
        view = PlanView.for_photo(self.calibration, photo)
        plan = Photo(
            view.draw(photo), photo.name, view.size_wh, is_end_missing=photo.is_end_missing
        )
        drawn_ms = (perf_counter() - start) * 1000
        try:
            reading = self.reader(plan, edition, area_factor=view.area_factor)
        except PhotoError:
            return self.reader(photo, edition)
        if not reading.grids:
            # The table may be empty, or the calibration wrong
            plain = self.reader(photo, edition)
            is_at_fault = bool(plain.grids) and not self._is_too_oblique
            return _with_note(plain, CAMERA_MOVED_NOTE) if is_at_fault else plain
        in_photo = _transform_to_photo(reading, view, photo)
        sides = [_sides_mm(grid, self.calibration) for grid in in_photo.grids]
        if not self._is_too_oblique and not _are_squares_of_one_size(sides, self.tile_mm):
            return _with_note(self.reader(photo, edition), CAMERA_MOVED_NOTE)
        timings = {"straighten": drawn_ms, **reading.timings_ms}
        checked = self._check_sizes(in_photo, sides, edition.description)
        return replace(checked, timings_ms=timings)

    @property
    def _is_too_oblique(self) -> bool:
        """True if the view is too oblique for sizes to show whether the camera was moved."""
        return abs(float(self.calibration.plane.rotation[2, 2])) < MIN_TILT_COSINE

    def _check_sizes(
        self, reading: Reading, sides: Sequence[_Sides], description: Description
    ) -> Reading:
        """Mark grids of a wrong tile size as unsure, and drop unread regions of a wrong one."""
        tile_mm = self.tile_mm or _median_tile_mm(sides)
        longest = tile_mm * (
            max(description.tile_rows, description.tile_columns) + MAX_REGION_EXCESS_TILES
        )
        grids = tuple(
            grid if _has_size(size, tile_mm) else _mark_wrong_size(grid)
            for grid, size in zip(reading.grids, sides, strict=True)
        )
        unread = tuple(
            region
            for region in reading.unread
            if region.reason == LIGHT_HIDES_NOTE
            or _may_be_tiles(
                photo_px_to_plane(self.calibration, region.corners_px), tile_mm, longest
            )
        )
        return replace(reading, grids=grids, unread=unread)


def _with_note(reading: Reading, added: Note) -> Reading:
    return replace(reading, notes=(*reading.notes, added))


def _sides_mm(grid: GridReading, calibration: Calibration) -> _Sides:
    quads = {
        (row, column): quad
        for row, quads in enumerate(grid.tile_quads_px)
        for column, quad in enumerate(quads)
        if quad is not None
    }
    corners_mm = photo_px_to_plane(calibration, np.reshape(list(quads.values()), (-1, 2)))
    places = (np.array(list(quads))[:, None, ::-1] + UNIT_SQUARE).reshape(-1, 2)
    # Cells of the lattice to the plane, by least squares
    terms = np.column_stack([places, np.ones(len(places))])
    right, down, _ = np.linalg.lstsq(terms, corners_mm, rcond=None)[0]
    edges = np.array([right, down, (right + down) / np.sqrt(2), (right - down) / np.sqrt(2)])
    return np.asarray(np.linalg.norm(edges, axis=1), np.float64)


def _median_tile_mm(sides: Sequence[_Sides]) -> float:
    """Return the median of the grids' tile sides."""
    return float(np.median([np.sqrt(one[0] * one[1]) for one in sides]))


def _are_squares_of_one_size(sides: Sequence[_Sides], tile_mm: float | None) -> bool:
    """Return whether most grids have square tiles of one size, as they have on a table."""
    median_mm = _median_tile_mm(sides)
    if not np.isfinite(median_mm) or (
        tile_mm is not None and abs(median_mm / tile_mm - 1) > MAX_SIZE_ERROR
    ):
        return False
    return 2 * sum(_has_size(one, median_mm) and _is_square(one) for one in sides) > len(sides)


def _is_square(sides: _Sides) -> bool:
    return float(sides.max()) <= (1 + MAX_SKEW) * float(sides.min())


def _has_size(sides: _Sides, tile_mm: float) -> bool:
    return abs(float(np.sqrt(sides[0] * sides[1])) / tile_mm - 1) <= MAX_SIZE_ERROR


def _mark_wrong_size(grid: GridReading) -> GridReading:
    return replace(_mark_unsure(grid, _list_cells(grid)), notes=(*grid.notes, OTHER_TILE_SIZE_NOTE))


def _may_be_tiles(corners_mm: NDArray[np.float64], tile_mm: float, longest_mm: float) -> bool:
    width, height = cv2.minAreaRect(corners_mm.astype(np.float32))[1]
    return (
        max(width, height) <= longest_mm and min(width, height) >= MIN_REGION_SIDE_TILES * tile_mm
    )


def _transform_to_photo(reading: Reading, view: PlanView, photo: Photo) -> Reading:
    """Transform the reading of a plan to the pixels of the photo."""
    there = reading.transformed(
        lambda points: np.round(view.to_photo_px(points), 2).tolist(), photo.size_wh
    )
    grids = [_mark_cells_off_photo(grid, photo.size_wh) for grid in there.grids]
    return replace(there, grids=tuple(sort_clockwise(grids)))


def _mark_cells_off_photo(grid: GridReading, size_wh: tuple[int, int]) -> GridReading:
    """Mark the cells of a grid that lie beyond the photo as unsure."""
    sides = crossed_edges(grid.corners_px, size_wh)
    if not sides:
        return grid
    quads = grid.tile_quads_px
    off = []
    for cell in _list_cells(grid):
        row, column = tile_of_cell(cell, grid.tile_cells)
        quad = quads[row][column]
        if quad is None or crossed_edges(quad, size_wh):
            off.append(cell)
    return replace(_mark_unsure(grid, off), notes=(over_the_edge_note(sides), *grid.notes))


def _list_cells(grid: GridReading) -> list[Cell]:
    return [(row, column) for row, faces in enumerate(grid.faces) for column in range(len(faces))]


def _mark_unsure(grid: GridReading, cells: Iterable[Cell]) -> GridReading:
    """Return a grid with further cells unsure."""
    unsure = tuple(sorted({*grid.unsure, *cells}))
    return replace(grid, unsure=unsure)


def load_reader(
    path: str | os.PathLike[str] | None, supplies: Mapping[str, Mapping[str, int]]
) -> PhotoReader:
    """Return the reader for all games.

    Args:
        path: Path of the file with the calibration. With None, and if there is no such file, photos
            are read without a calibration; if the file is unusable as well, and each reading has a
            note with the reason.
        supplies: Number of tiles of each face, by game.
    """

    def read_with_supply(photo: Photo, edition: Edition, *, area_factor: float = 1.0) -> Reading:
        supply = supplies.get(edition.description.game)
        return read_tiles(photo, edition, area_factor=area_factor, supply=supply)

    if path is None:
        return read_with_supply
    try:
        return CalibratedReader(load_calibration(path), reader=read_with_supply)
    except CalibrationError as error:
        if error.code == "calibration-missing":
            return read_with_supply
        unusable = Note(
            NoteCode.CALIBRATION_UNUSABLE,
            values=(("template", error.template), *error.values.items()),
        )
    return lambda photo, edition: _with_note(read_with_supply(photo, edition), unusable)
