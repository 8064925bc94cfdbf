"""From a picture to its cities: groups of located tiles, each explored, read and judged."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import cv2
import numpy as np

from scoring.faces import Cell
from vision.arrays import Corners, floats
from vision.city import City, explored
from vision.closer import area_to_look_closer, with_closer_look
from vision.editions.taught import TaughtFaces
from vision.exposure import LIGHT_HIDES, is_washed_out
from vision.lattice import chains, windows
from vision.locate import WORK_AREA_PX, Detection, Vector, find_tiles, sizes_of
from vision.pyramid import Picture, full_size
from vision.reading import Note, NoteCode, note
from vision.recognise import with_taught

ROWS = COLUMNS = 4

FEWEST_IN_CITY = 8
"""A group of fewer tiles in place is no city to score but something to ask about."""
FEWEST_READABLE = 6
"""A city in which fewer tiles can be made out is no city, or none that can be scored."""
FEWEST_SHARED = 3
"""Two cities that have so many tiles in common are one, read twice."""
LEAST_CLARITY = 0.6
"""Mean confidence of a city's tiles; what a pattern of the table suggests stays below."""
LOOKS_LIKE_TILES = 0.85
"""Mean likelihood from which on a group is taken for tiles though none can be read; patterns of
a table reach less."""
MOST_CITIES = 7
"""One for each player."""
PATTERN = Note(NoteCode.PATTERN)
FEWEST_TO_MENTION = 5
"""A group of fewer tiles are left-overs lying side by side."""
OTHER_SCALES = (0.5, 1.8, 5.3)
"""Areas, relative to the usual one, to look at when no city is found."""
SAME_SIZE = 2.0
"""By no more than this do the tiles of one table differ in size."""
FEWEST_TO_EXPLORE = 3
"""From so many neighbours on it is worth looking whether they belong to a city."""


Group = dict[Cell, Detection]


def locate_groups(picture: Picture, scale: float = 1.0) -> list[Group]:
    """The groups of tiles that may be cities; where tiles are too small, the locator looks closer.

    Args:
        picture: the photo.
        scale: area at which to look, relative to the usual one.
    """
    tiles = find_tiles(picture, WORK_AREA_PX * scale)
    groups = groups_of(tiles)
    if scale != 1.0:
        return groups
    height, width = full_size(picture).shape[:2]
    area = area_to_look_closer(groups, (width, height))
    return groups if area is None else groups_of(with_closer_look(picture, tiles, groups, area))


def groups_of(tiles: Sequence[Detection]) -> list[Group]:
    """Neighbouring tiles, cut into squares, the fullest first."""
    squares = [
        square
        for chain in chains(tiles)
        if len(chain) >= FEWEST_TO_EXPLORE
        for square in windows(chain, ROWS, COLUMNS)
        if len(square) >= FEWEST_TO_EXPLORE
    ]
    return sorted(squares, key=len, reverse=True)


Doubt = tuple[Corners, Note]
"""Where something like a city lies, and why it is none."""


def read_groups(
    picture: Picture, groups: Sequence[Group], taught: TaughtFaces | None = None
) -> tuple[list[City], list[Doubt]]:
    """The cities that the groups belong to, and the groups that remain a riddle.

    A group inside a city read before is part of it. ``taught`` is a further opinion on each cell.
    """
    found: list[City] = []
    doubts: list[Doubt] = []
    washed_out: list[Detection] = []
    full = [group for group in groups if len(group) >= FEWEST_IN_CITY]
    sparse = [group for group in groups if len(group) < FEWEST_IN_CITY]
    for some in (full, sparse):
        apart = [group for group in some if not _lies_in(found, group)]
        for group, city in zip(apart, _read_together(picture, apart, taught), strict=True):
            if city is not None and _is_city(city):
                found.append(city)
            elif city is not None and city.readable >= FEWEST_TO_MENTION:
                doubts.append((city.outline_px, note(NoteCode.FEW_TILES, n=city.readable)))
            elif len(group) >= FEWEST_IN_CITY and _likelihood(group) >= LOOKS_LIKE_TILES:
                doubts.append((_round_about(group.values()), Note(NoteCode.CITY_UNREADABLE)))
            elif is_washed_out(picture, _round_about(group.values())):
                washed_out += group.values()
    if washed_out:
        doubts.append((_round_about(washed_out), LIGHT_HIDES))
    cities: list[City] = []
    for city in sorted(found, key=lambda c: (c.readable, c.clarity), reverse=True):
        if all(_shared(city, other) < FEWEST_SHARED for other in cities):
            cities.append(city)
    open_doubts = [
        doubt
        for doubt in doubts
        if not any(_holds(city.outline_px, doubt[0].mean(axis=0)) for city in cities)
    ]
    return cities, _few(open_doubts)


def hidden_cities(
    picture: Picture, cities: Sequence[City], known: Sequence[Corners], scale: float
) -> list[Doubt]:
    """Where tiles as large as those of the cities are almost white with light.

    Args:
        picture: the photo.
        cities: all that were read.
        known: outlines of what else is told of, which is left out.
        scale: area at which to look, relative to the usual one.
    """
    outlines = [*known, *(city.outline_px for city in cities)]
    sizes = [float(np.sqrt(cv2.contourArea(city.outline_px))) / ROWS for city in cities]
    if not sizes:
        return []
    size = float(np.median(sizes))
    doubts: list[Doubt] = []
    for group in locate_groups(picture, scale):
        wide = float(np.median(sizes_of(group.values()))) / size
        if not 1 / SAME_SIZE <= wide <= SAME_SIZE or _lies_within(outlines, group):
            continue
        round_about = _round_about(group.values())
        if is_washed_out(picture, round_about):
            doubts.append((round_about, LIGHT_HIDES))
    return _few(doubts)


def _few(doubts: list[Doubt]) -> list[Doubt]:
    """The doubts; more than there can be cities are one, about the pattern of the table."""
    if len(doubts) <= MOST_CITIES:
        return doubts
    corners = floats([outline for outline, _ in doubts]).reshape(-1, 2)
    return [(floats(cv2.boxPoints(cv2.minAreaRect(corners))), PATTERN)]


def _read_together(
    picture: Picture, groups: Sequence[Group], taught: TaughtFaces | None
) -> list[City | None]:
    """The city that each group belongs to."""
    cities = explored(picture, groups, ROWS, COLUMNS)
    if taught is None:
        return cities
    return [
        city and replace(city, cells=with_taught(picture, city.cells, taught)) for city in cities
    ]


def _lies_in(cities: Iterable[City], group: Group) -> bool:
    """Whether a group is part of one of the cities."""
    return _lies_within((city.outline_px for city in cities), group)


def _lies_within(outlines: Iterable[Corners], group: Group) -> bool:
    middle = floats([tile.centre for tile in group.values()]).mean(axis=0)
    return any(_holds(outline, middle) for outline in outlines)


def _shared(city: City, other: City) -> int:
    """How many tiles of a city lie in another one."""
    (low_x, low_y), (high_x, high_y) = other.bounds_px
    (left, top), (right, bottom) = city.bounds_px
    if left > high_x or right < low_x or top > high_y or bottom < low_y:
        return 0
    return sum(_holds(other.outline_px, middle) for middle in city.middles_px)


def _is_city(city: City) -> bool:
    enough = city.tiles >= FEWEST_IN_CITY and city.readable >= FEWEST_READABLE
    return enough and city.clarity >= LEAST_CLARITY


def _likelihood(group: Group) -> float:
    return float(np.mean([tile.likelihood for tile in group.values()]))


def _round_about(tiles: Iterable[Detection]) -> Corners:
    """The smallest rectangle round some tiles."""
    corners = [
        tile.centre + (tile.right * across + tile.down * along) / 2
        for tile in tiles
        for across, along in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    return floats(cv2.boxPoints(cv2.minAreaRect(floats(corners))))


def _holds(outline_px: Corners, point: Vector) -> bool:
    at = (float(point[0]), float(point[1]))
    return cv2.pointPolygonTest(outline_px, at, measureDist=False) >= 0
