"""The ground truth of a photo: what lies where, and what of it can be seen.

``NAME.json`` beside the photo, as ``stadtblick simulate`` writes it:

``photo``
    file name of the photo, in the same folder.
``game``
    ``between-two-cities``.
``kind``
    optional; ``teach`` for photos to learn faces from, which hold no cities to find.
``subset``
    optional: under what conditions the photo was taken.
``cities``
    each with ``corners_px`` (top left, top right, bottom right, bottom left as read upright),
    ``grid`` (rows of faces, null: no tile), and optional lists of cells [row, column]:
    ``occluded`` (something covers part of the tile), ``outside`` (the tile runs off the
    picture) and ``turned`` ([row, column, quarter turns clockwise]). No cities: there is nothing
    in the photo that could be read.

Other keys are for other programs. Pixels are those of the photo, (0, 0) the centre of the top left
pixel.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from scoring.faces import Cell, Face, Grid
from vision.errors import VisionError
from vision.reading import Point, Quad

GAME: Final = "between-two-cities"
TEACH: Final = "teach"
NO_CONDITION: Final = "unnamed"
_MAX_BYTES: Final = 8_000_000


class TruthError(VisionError, ValueError):
    """A file of ground truth that cannot be used."""


class Visibility(StrEnum):
    """How a cell can be seen."""

    VISIBLE = "visible"
    COVERED = "covered"
    OUTSIDE = "outside"
    TURNED = "turned"
    MISSING = "missing"
    """There is no tile."""


@dataclass(frozen=True, slots=True)
class CityTruth:
    """One city; cells that are in none of the three sets lie in full view and upright."""

    corners_px: Quad
    grid: Grid
    covered: frozenset[Cell] = frozenset()
    outside: frozenset[Cell] = frozenset()
    turned: frozenset[Cell] = frozenset()

    @property
    def centre_px(self) -> Point:
        """The middle of the four corners."""
        xs, ys = zip(*self.corners_px, strict=True)
        return sum(xs) / 4, sum(ys) / 4

    @property
    def tile_px(self) -> float:
        """Width of a tile along the upper edge."""
        return math.dist(self.corners_px[0], self.corners_px[1]) / len(self.grid[0])

    def visibility(self, cell: Cell) -> Visibility:
        """How a cell can be seen; of several hindrances the one that hides most."""
        if self.grid[cell[0]][cell[1]] is None:
            return Visibility.MISSING
        if cell in self.outside:
            return Visibility.OUTSIDE
        if cell in self.covered:
            return Visibility.COVERED
        return Visibility.TURNED if cell in self.turned else Visibility.VISIBLE


@dataclass(frozen=True, slots=True)
class PhotoTruth:
    """What one photo shows.

    Attributes:
        path: of the photo.
        condition: under which it was taken.
        is_table: whether there are cities to find, rather than faces to learn.
        cities: may be empty.
    """

    path: Path
    condition: str
    cities: tuple[CityTruth, ...]
    is_table: bool = True


def load_truth(path: Path) -> PhotoTruth:
    """Read one file of ground truth.

    Raises:
        TruthError: ``truth-unreadable`` or ``truth-not-usable``.
    """
    where = str(path)
    try:
        data = path.read_bytes() if path.stat().st_size <= _MAX_BYTES else None
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise TruthError(
            "truth-unreadable", f"the truth cannot be read ({why}): check the file", where
        ) from error
    if data is None:
        raise _unusable("it is no truth of a photo, so large it is", where)
    try:
        given = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise _unusable("it is not JSON", where) from error
    return parse_truth(given, path)


def parse_truth(given: object, path: Path) -> PhotoTruth:
    """The truth from its JSON.

    Args:
        given: as ``json.loads`` returned it.
        path: of the file, for the errors and because the photo lies beside it.

    Raises:
        TruthError: ``truth-not-usable``.
    """
    where = str(path)
    if not isinstance(given, dict):
        raise _unusable("it is not a JSON object", where)
    photo = given.get("photo")
    if not isinstance(photo, str) or not photo or Path(photo).name != photo:
        raise _unusable("photo must be the name of a file in the same folder", where)
    if given.get("game", GAME) != GAME:
        raise _unusable(f"game must be {GAME}", where)
    condition = given.get("subset", NO_CONDITION)
    if not isinstance(condition, str):
        raise _unusable("subset must be a text", where)
    if given.get("kind") == TEACH:
        return PhotoTruth(path.parent / photo, condition, (), is_table=False)
    cities = given.get("cities")
    if not isinstance(cities, list):
        raise _unusable("cities must be a list", where)
    return PhotoTruth(
        path.parent / photo,
        condition,
        tuple(_city(city, f"cities[{n}]", where) for n, city in enumerate(cities)),
    )


def _city(given: object, place: str, where: str) -> CityTruth:
    if not isinstance(given, dict):
        raise _unusable(f"{place} must be an object", where)
    grid = _grid(given.get("grid"), f"{place}.grid", where)
    corners = _quad(given.get("corners_px"), f"{place}.corners_px", where)
    sets = {
        key: _cells(given, key, grid, place, where) for key in ("occluded", "outside", "turned")
    }
    return CityTruth(corners, grid, sets["occluded"], sets["outside"], sets["turned"])


def _grid(given: object, place: str, where: str) -> Grid:
    rows = given if isinstance(given, list) else []
    if not rows or not all(isinstance(row, list) and row for row in rows):
        raise _unusable(f"{place} must be rows of faces", where)
    if len({len(row) for row in rows}) != 1:
        raise _unusable(f"the rows of {place} must be equally long", where)
    known = {face.value for face in Face}
    for row in rows:
        for face in row:
            if face is not None and (not isinstance(face, str) or face not in known):
                raise _unusable(f"{place} holds {face!r}, which is no face", where)
    return tuple(tuple(None if face is None else Face(face) for face in row) for row in rows)


def _quad(given: object, place: str, where: str) -> Quad:
    points = given if isinstance(given, list) else []
    if len(points) != 4 or not all(_is_point(point) for point in points):
        raise _unusable(f"{place} must be four points [x, y]", where)
    quad = tuple((float(x), float(y)) for x, y in points)
    if math.dist(quad[0], quad[1]) < 1:
        raise _unusable(f"{place} must be a quad with an upper edge", where)
    return quad[0], quad[1], quad[2], quad[3]


def _is_point(given: object) -> bool:
    return isinstance(given, list) and len(given) == 2 and all(_is_number(n) for n in given)


def _is_number(given: object) -> bool:
    return isinstance(given, int | float) and not isinstance(given, bool) and math.isfinite(given)


def _cells(
    city: Mapping[str, Any], key: str, grid: Grid, place: str, where: str
) -> frozenset[Cell]:
    given = city.get(key, [])
    cells = given if isinstance(given, list) else [None]
    if not all(_is_cell(cell, len(grid), len(grid[0])) for cell in cells):
        raise _unusable(f"{place}.{key} must list cells [row, column] of the grid", where)
    return frozenset((cell[0], cell[1]) for cell in cells if cell)


def _is_cell(given: object, rows: int, columns: int) -> bool:
    if not isinstance(given, list) or not all(type(n) is int for n in given):
        return False
    return len(given) >= 2 and 0 <= given[0] < rows and 0 <= given[1] < columns


def _unusable(what: str, where: str) -> TruthError:
    return TruthError("truth-not-usable", f"{what}: see docs/figures.md", where)
