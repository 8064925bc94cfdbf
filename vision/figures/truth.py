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
    ``grid`` (rows of faces, null: no tile), optionally ``blown_share`` (for each cell in reading
    order, what share of it is white with light), and optional lists of cells [row, column]:
    ``occluded`` (something covers part of the tile), ``outside`` (the tile runs off the
    picture) and ``turned`` ([row, column, quarter turns clockwise]). No cities: there is nothing
    in the photo that could be read.

Other keys are for other programs. Pixels are those of the photo, (0, 0) the centre of the top left
pixel.
"""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from scoring.faces import Cell, Face, Grid
from vision.figures.truth_json import (
    NETWORK_GAME,
    NO_CONDITION,
    TEACH,
    TruthError,
    city_keys,
    is_washed_out,
    parse_cells,
    parse_file,
    parse_quad,
    read_json,
    rows_of_equal_length,
    unusable,
)
from vision.figures.verdict import Seen
from vision.reading import Point, Quad

__all__ = (
    "GAME", "NO_CONDITION", "TEACH", "CityTruth", "PhotoTruth", "TruthError", "Visibility",
    "load_truth", "parse_truth",
)  # fmt: skip

GAME: Final = NETWORK_GAME


class Visibility(Seen):
    """How a cell can be seen."""

    VISIBLE = "visible"
    COVERED = "covered"
    OUTSIDE = "outside"
    TURNED = "turned"
    MISSING = "missing"
    """There is no tile."""


@dataclass(frozen=True, slots=True)
class CityTruth:
    """One city; cells that are in none of the three sets lie in full view and upright.

    ``is_washed_out`` tells that light leaves half of it white or more.
    """

    corners_px: Quad
    grid: Grid
    covered: frozenset[Cell] = frozenset()
    outside: frozenset[Cell] = frozenset()
    turned: frozenset[Cell] = frozenset()
    is_washed_out: bool = False

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
    return parse_truth(read_json(path), path)


def parse_truth(given: object, path: Path) -> PhotoTruth:
    """The truth from its JSON.

    Args:
        given: as ``json.loads`` returned it.
        path: of the file, for the errors and because the photo lies beside it.

    Raises:
        TruthError: ``truth-not-usable``.
    """
    file = parse_file(given, path, GAME)
    cities = (_city(city, f"cities[{n}]", file.where) for n, city in enumerate(file.cities))
    return PhotoTruth(file.photo, file.condition, tuple(cities), file.is_table)


def _city(given: object, place: str, where: str) -> CityTruth:
    keys = city_keys(given, place, where)
    grid = _grid(keys.get("grid"), f"{place}.grid", where)
    corners = parse_quad(keys.get("corners_px"), f"{place}.corners_px", where)
    size = len(grid), len(grid[0])
    covered, outside, turned = (
        parse_cells(keys, key, size, place, where) for key in ("occluded", "outside", "turned")
    )
    washed_out = is_washed_out(keys, size, place, where)
    return CityTruth(corners, grid, covered, outside, turned, washed_out)


def _grid(given: object, place: str, where: str) -> Grid:
    known = {face.value: face for face in Face}
    rows: list[tuple[Face | None, ...]] = []
    for row in rows_of_equal_length(given, place, where):
        faces = [known.get(name) if isinstance(name, str) else None for name in row]
        for name, face in zip(row, faces, strict=True):
            if name is not None and face is None:
                raise unusable(f"{place} holds {name!r}, which is no face", where)
        rows.append(tuple(faces))
    return tuple(rows)
