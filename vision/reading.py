"""What the eye returns: cities with their faces, how sure it is, and what it could not read.

Pixels are those of the photo as viewers show it (EXIF orientation applied), x to the right,
y down, (0, 0) the centre of the top left pixel. Rows and columns count from 0 at the top left of
a city as it is read upright.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from scoring.faces import Cell, Face, Grid

Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]
"""Top left, top right, bottom right, bottom left as read upright; pixels of the photo."""

ALL_UNCLEAR = "so much of this city is unclear that all of it must be checked"
"""A note on a city."""


@dataclass(frozen=True, slots=True)
class CityReading:
    """One city of ``rows`` x ``cols`` cells as the eye sees it."""

    corners_px: Quad
    grid: Grid
    confidence: tuple[tuple[float, ...], ...]
    """Per cell, 0 to 1: how likely the face in ``grid`` is right."""
    unsure: tuple[Cell, ...]
    """Cells where a person must look, in reading order."""
    tile_quads_px: tuple[tuple[Quad | None, ...], ...]
    """Where each tile lies; where the grid says None, the quad of the empty place if known."""
    alternatives: Mapping[Cell, tuple[Face, ...]] = field(default_factory=dict)
    """For each unsure cell the other faces it may be, likeliest first."""
    notes: tuple[str, ...] = ()
    duplexes: tuple[tuple[Cell, Cell], ...] = ()
    """Pairs of cells that are seen to be one piece; see ``vision.duplex``."""

    @property
    def centre_px(self) -> Point:
        """The middle of the four corners."""
        xs, ys = zip(*self.corners_px, strict=True)
        return sum(xs) / 4, sum(ys) / 4


@dataclass(frozen=True, slots=True)
class Unread:
    """Something like a city that could not be read."""

    corners_px: Quad
    why: str


@dataclass(frozen=True, slots=True)
class Reading:
    """All that was read from one photo.

    ``cities`` run clockwise as seen from above, beginning with the first one clockwise from
    6 o'clock round the middle of all cities.
    """

    photo: str
    game: str
    edition: str
    size_wh: tuple[int, int]
    cities: tuple[CityReading, ...]
    unread: tuple[Unread, ...] = ()
    notes: tuple[str, ...] = ()
    timings_ms: Mapping[str, float] = field(default_factory=dict)


def city_name(index: int) -> str:
    """The letter of a city in the order of the reading: A, B, C and so on."""
    return chr(ord("A") + index)
