"""Hold one reading against the truth of its photo.

Cities are matched by their middles. A tile is silently wrong when the reading names another face
than the truth and does not flag the cell; so are all tiles of a city that the reading neither
lists nor reports in ``unread``.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np

from scoring.faces import Cell, Face, city_name
from vision.figures.truth import CityTruth, PhotoTruth, Visibility
from vision.reading import CityReading, Point, Quad, Reading


class Fate(StrEnum):
    """What became of a city of the truth."""

    FOUND = "found"
    UNREAD = "unread"
    """The reading says that there is something which it cannot read."""
    REFUSED = "refused"
    """The eye refused the photo as a whole and said why."""
    MISSED = "missed"
    """Nothing in the reading tells of it."""


@dataclass(frozen=True, slots=True)
class CellVerdict:
    """One cell of a city that was found."""

    cell: Cell
    truth: Face | None
    read: Face | None
    confidence: float
    flagged: bool
    visibility: Visibility

    @property
    def right(self) -> bool:
        """Whether the face, or that there is none, was read as it is."""
        return self.read is self.truth

    @property
    def silently_wrong(self) -> bool:
        """Whether it was read wrong and nobody is asked to look."""
        return not self.right and not self.flagged

    @property
    def needlessly_flagged(self) -> bool:
        """Whether a person is asked to look at a tile in full view that was read right."""
        return self.flagged and self.right and self.visibility is Visibility.VISIBLE


@dataclass(frozen=True, slots=True)
class CityVerdict:
    """One city of the truth.

    Attributes:
        index: in the truth.
        fate: what became of it.
        tiles: cells in it.
        name: the letter of its reading; None where it was not found.
        corner_error: distance of the worst corner in tile widths, if it was found.
        cells: in reading order, if it was found.
    """

    index: int
    fate: Fate
    tiles: int
    name: str | None = None
    corner_error: float | None = None
    cells: tuple[CellVerdict, ...] = ()

    @property
    def silent(self) -> int:
        """How many tiles are silently wrong."""
        if self.fate is Fate.MISSED:
            return self.tiles
        return sum(cell.silently_wrong for cell in self.cells)


@dataclass(frozen=True, slots=True)
class PhotoVerdict:
    """One photo.

    Attributes:
        photo: file name.
        condition: under which it was taken.
        cities: those of the truth.
        invented: names of cities in the reading where there is none.
        false_alarms: how many ``unread`` regions lie where no city is.
        refusal: code of the error with which the eye refused the photo.
    """

    photo: str
    condition: str
    cities: tuple[CityVerdict, ...]
    invented: tuple[str, ...] = ()
    false_alarms: int = 0
    refusal: str | None = None

    @property
    def silent(self) -> int:
        """How many tiles are silently wrong; an invented city counts with all its tiles below."""
        return sum(city.silent for city in self.cities)

    @property
    def perfect(self) -> bool:
        """Whether every tile is right without a person, and nothing was invented."""
        cells = [cell for city in self.cities for cell in city.cells]
        return (
            all(city.fate is Fate.FOUND for city in self.cities)
            and all(cell.right and not cell.flagged for cell in cells)
            and not self.invented
            and not self.false_alarms
        )


def refused(truth: PhotoTruth, code: str) -> PhotoVerdict:
    """The verdict on a photo that the eye refused with this error code."""
    cities = tuple(
        CityVerdict(index, Fate.REFUSED, _tiles(city)) for index, city in enumerate(truth.cities)
    )
    return PhotoVerdict(truth.path.name, truth.condition, cities, refusal=code)


def compare(truth: PhotoTruth, reading: Reading) -> PhotoVerdict:
    """Hold a reading against the truth of the photo it was read from."""
    left = dict(enumerate(reading.cities))
    cities: list[CityVerdict] = []
    for index, city in enumerate(truth.cities):
        number = _nearest(city, left)
        if number is not None:
            cities.append(_found(index, city, left.pop(number), city_name(number)))
        elif any(overlap(region.corners_px, city.corners_px) for region in reading.unread):
            cities.append(CityVerdict(index, Fate.UNREAD, _tiles(city)))
        else:
            cities.append(CityVerdict(index, Fate.MISSED, _tiles(city)))
    return PhotoVerdict(
        truth.path.name,
        truth.condition,
        tuple(cities),
        invented=tuple(city_name(number) for number in left),
        false_alarms=sum(
            not any(overlap(region.corners_px, city.corners_px) for city in truth.cities)
            for region in reading.unread
        ),
    )


def _tiles(city: CityTruth) -> int:
    return len(city.grid) * len(city.grid[0])


def _nearest(city: CityTruth, readings: dict[int, CityReading]) -> int | None:
    """The number of the reading whose middle is nearest, within a tile's width."""
    far = {n: math.dist(read.centre_px, city.centre_px) for n, read in readings.items()}
    nearest = min(far, key=far.__getitem__, default=None)
    return nearest if nearest is not None and far[nearest] < city.tile_px else None


def _found(index: int, city: CityTruth, read: CityReading, name: str) -> CityVerdict:
    errors = (math.dist(a, b) for a, b in zip(read.corners_px, city.corners_px, strict=True))
    return CityVerdict(
        index,
        Fate.FOUND,
        _tiles(city),
        name=name,
        corner_error=max(errors) / city.tile_px,
        cells=tuple(_cells(city, read)),
    )


def _cells(city: CityTruth, read: CityReading) -> Sequence[CellVerdict]:
    same_size = len(read.grid) == len(city.grid) and len(read.grid[0]) == len(city.grid[0])
    unsure = frozenset(read.unsure)
    verdicts = []
    for row, faces in enumerate(city.grid):
        for column, face in enumerate(faces):
            seen = city.visibility((row, column))
            if same_size:
                got, certain = read.grid[row][column], read.confidence[row][column]
                flagged = (row, column) in unsure
            else:  # nothing of it is where it should be
                got, certain, flagged = None, 0.0, False
            verdicts.append(CellVerdict((row, column), face, got, certain, flagged, seen))
    return verdicts


def overlap(first: Quad, second: Quad) -> bool:
    """Whether the middle of one quad lies in the other."""
    return _inside(_middle(first), second) or _inside(_middle(second), first)


def _middle(quad: Quad) -> Point:
    xs, ys = zip(*quad, strict=True)
    return sum(xs) / 4, sum(ys) / 4


def _inside(point: Point, quad: Quad) -> bool:
    outline = np.array(quad, np.float32)
    return cv2.pointPolygonTest(outline, point, measureDist=False) >= 0
