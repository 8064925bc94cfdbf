"""The eye as a whole: a photo in, a reading out.

Locate tiles, chain them into lattices, read each cell twice over, and say what is doubtful.
"""

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter

import cv2
import numpy as np

from scoring.faces import Cell, Face
from vision.arrays import Corners, Image, floats
from vision.city import TILE_THERE, City, explored
from vision.editions.cities import city_by_pictures
from vision.editions.edition import Edition
from vision.editions.taught import ALIKE, TaughtFaces
from vision.errors import PhotoError
from vision.lattice import chains, quads_of, windows
from vision.locate import WORK_AREA_PX, Detection, Vector, find_tiles
from vision.order import clockwise
from vision.photo import Photo
from vision.reading import CityReading, Point, Quad, Reading, Unread
from vision.recognise import SURE, CellReading, with_taught

GAME = "between-two-cities"
EDITION = "standard"
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
FEWEST_TO_MENTION = 5
"""A group of fewer tiles are left-overs lying side by side."""
WRONG_WAY = "tile turned the wrong way"
MOST_TURNED = 1
"""Several tiles turned the wrong way are the mark of a city whose cells were misplaced."""
MOST_UNSURE = 8
"""With more unsure cells than this in a city, even the others are not to be trusted."""
OTHER_SCALES = (0.3, 3.0)
"""Areas, relative to the usual one, to look at when no city is found."""
FEWEST_TO_EXPLORE = 3
"""From so many neighbours on it is worth looking whether they belong to a city."""


def read_photo(photo: Photo, *, edition: Edition | None = None) -> Reading:
    """Read a table of Between Two Cities.

    Args:
        photo: as loaded by ``vision.photo``.
        edition: a taught look that the tiles have; None: any of those known from the start.

    Raises:
        PhotoError: no city was found, and the photo is too dark or too blurred to have shown one.
    """
    start = perf_counter()
    image = photo.image_bgr
    groups = locate_groups(image)
    located = perf_counter()
    taught = None if edition is None else TaughtFaces(edition)
    cities, doubts = read_groups(image, groups, taught)
    if not cities:
        _refuse_if_hopeless(image, photo.name)
    readings = clockwise([_city(city, photo) for city in cities])
    unread = [Unread(_quad(outline, photo), why) for outline, why in doubts]
    done = perf_counter()
    return Reading(
        photo=photo.name,
        game=GAME,
        edition=EDITION if edition is None else edition.name,
        size_wh=photo.size_wh,
        cities=tuple(readings),
        unread=tuple(unread),
        notes=_edition_notes(cities, edition),
        timings_ms={
            "locate": (located - start) * 1000,
            "recognise": (done - located) * 1000,
        },
    )


Group = dict[Cell, Detection]


def locate_groups(image: Image) -> list[Group]:
    """Groups of tiles that may be cities; other scales are tried when the usual one shows none."""
    for scale in (1.0, *OTHER_SCALES):
        groups = groups_of(find_tiles(image, WORK_AREA_PX * scale))
        if any(len(group) >= FEWEST_IN_CITY for group in groups):
            return groups
    return []


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


Doubt = tuple[Corners, str]
"""Where something like a city lies, and why it is none."""


def read_groups(
    image: Image, groups: Sequence[Group], taught: TaughtFaces | None = None
) -> tuple[list[City], list[Doubt]]:
    """The cities that the groups belong to, and the groups that remain a riddle.

    A group inside a city read before is part of it. ``taught`` is a further opinion on each cell.
    """
    found: list[City] = []
    doubts: list[Doubt] = []
    for group in groups:
        middle = floats([tile.centre for tile in group.values()]).mean(axis=0)
        if any(_holds(city.outline_px, middle) for city in found):
            continue
        city = _read_group(image, group, taught)
        if city is not None and _is_city(city):
            found.append(city)
        elif city is not None and city.readable >= FEWEST_TO_MENTION:
            doubts.append((city.outline_px, f"only {city.readable} tiles can be read here"))
        elif len(group) >= FEWEST_IN_CITY and _likelihood(group) >= LOOKS_LIKE_TILES:
            doubts.append((_round_about(group), "what lies here like a city cannot be read"))
    cities: list[City] = []
    for city in sorted(found, key=lambda c: (c.readable, c.clarity), reverse=True):
        if all(_shared(city, other) < FEWEST_SHARED for other in cities):
            cities.append(city)
    return cities, [
        doubt
        for doubt in doubts
        if not any(_holds(city.outline_px, doubt[0].mean(axis=0)) for city in cities)
    ]


def _read_group(image: Image, group: Group, taught: TaughtFaces | None) -> City | None:
    """The city that a group belongs to; the networks find it if they know its look."""
    if taught is not None and not taught.known_to_networks:
        return city_by_pictures(image, group, ROWS, COLUMNS, taught)
    city = explored(image, group, ROWS, COLUMNS)
    if city is None or taught is None:
        return city
    return replace(city, cells=with_taught(image, city.cells, taught))


def _edition_notes(cities: Sequence[City], edition: Edition | None) -> tuple[str, ...]:
    """What to say when the tiles look like those of another edition."""
    seen = [
        cell.taught.likeness
        for city in cities
        for cell in city.cells.values()
        if cell.taught is not None
    ]
    if edition is None or not seen or float(np.median(seen)) >= ALIKE:
        return ()
    return (f"the tiles do not look like those of edition {edition.name}",)


def _shared(city: City, other: City) -> int:
    """How many tiles of a city lie in another one."""
    return sum(_holds(other.outline_px, middle) for middle in city.middles_px)


def _is_city(city: City) -> bool:
    enough = city.tiles >= FEWEST_IN_CITY and city.readable >= FEWEST_READABLE
    return enough and city.clarity >= LEAST_CLARITY


def _likelihood(group: Group) -> float:
    return float(np.mean([tile.likelihood for tile in group.values()]))


def _round_about(group: Group) -> Corners:
    """The smallest rectangle round a group of tiles."""
    corners = floats(list(quads_of(group).values())).reshape(-1, 2)
    return floats(cv2.boxPoints(cv2.minAreaRect(corners)))


def _holds(outline_px: Corners, point: Vector) -> bool:
    at = (float(point[0]), float(point[1]))
    return cv2.pointPolygonTest(outline_px, at, measureDist=False) >= 0


def _city(found: City, photo: Photo) -> CityReading:
    """The reading of one city; its cells are those of ``found``, upright."""
    size_wh = (photo.image_bgr.shape[1], photo.image_bgr.shape[0])
    places = [[(row, column) for column in range(COLUMNS)] for row in range(ROWS)]
    doubts = {cell: _doubt(read, size_wh) for cell, read in sorted(found.cells.items())}
    unsure = {cell: doubt for cell, doubt in doubts.items() if doubt is not None}
    notes = [f"{doubt} at [{r},{c}]" for (r, c), doubt in unsure.items() if doubt]
    turned = sum(doubt == WRONG_WAY for doubt in unsure.values())
    if len(unsure) > MOST_UNSURE or turned > MOST_TURNED:
        unsure = dict.fromkeys(found.cells, "")
        notes.append("so much of this city is unclear that all of it must be checked")
    elif _may_lie_elsewhere(found):
        unsure = dict.fromkeys(found.cells, "")
        notes.append("a whole row at the edge has no tile: all may lie a row further")
    return CityReading(
        corners_px=_quad(found.outline_px, photo),
        grid=tuple(tuple(_face(found.cells[cell]) for cell in row) for row in places),
        confidence=tuple(tuple(_certainty(found.cells[cell]) for cell in row) for row in places),
        unsure=tuple(sorted(unsure)),
        tile_quads_px=tuple(
            tuple(_quad(found.cells[cell].quad_px, photo) for cell in row) for row in places
        ),
        alternatives={cell: found.cells[cell].alternatives for cell in sorted(unsure)},
        notes=tuple(notes),
    )


def _may_lie_elsewhere(found: City) -> bool:
    """Whether the square could as well be laid one row further, over a tile not seen there."""
    last_row, last_column = ROWS - 1, COLUMNS - 1
    edges = (
        [(0, column) for column in range(COLUMNS)],
        [(last_row, column) for column in range(COLUMNS)],
        [(row, 0) for row in range(ROWS)],
        [(row, last_column) for row in range(ROWS)],
    )
    return any(all(_face(found.cells[cell]) is None for cell in edge) for edge in edges)


def _face(cell: CellReading) -> Face | None:
    return cell.face if cell.is_tile >= TILE_THERE else None


def _certainty(cell: CellReading) -> float:
    certain = cell.confidence if cell.is_tile >= TILE_THERE else 1 - cell.is_tile
    return round(min(certain, 0.999), 3)


def _doubt(cell: CellReading, size_wh: tuple[int, int]) -> str | None:
    """Why a person must look at a cell, empty if that is plain to see; None: it is sure."""
    if not _inside(cell.quad_px, size_wh):
        return "the city runs off the picture"
    if cell.is_tile < TILE_THERE:
        return "no tile can be seen"
    if cell.upright < TILE_THERE:
        return WRONG_WAY
    return None if cell.agreed and cell.confidence >= SURE else ""


def _inside(quad_px: Corners, size_wh: tuple[int, int]) -> bool:
    low, high = quad_px.min(axis=0), quad_px.max(axis=0)
    return bool((low >= -2).all() and high[0] <= size_wh[0] + 1 and high[1] <= size_wh[1] + 1)


def _quad(corners: Corners, photo: Photo) -> Quad:
    """Corners in pixels of the decoded picture as a quad in pixels of the photo."""
    points: list[Point] = [
        (round(float(x), 2), round(float(y), 2)) for x, y in photo.to_photo_px(corners)
    ]
    return points[0], points[1], points[2], points[3]


TOO_DARK = 24
"""99th percentile of brightness, 0 to 255, under which nothing can be read."""
LEAST_DETAIL = 1.5
"""Grey levels that the finest details reach in a photo that shows anything sharply."""
LEAST_SHARPNESS = 0.3
"""The finest details relative to those thrice as coarse; sharp photos reach 0.8 and more, also
noisy ones, those blurred by 4 pixels 0.4, by 8 pixels 0.2."""
NOTABLE_DETAIL = 6.0
"""Details of so many grey levels are no blur, whatever lies beside them."""


def _refuse_if_hopeless(image: Image, name: str) -> None:
    """Tell a photo that shows nothing from one that shows no city."""
    height, width = image.shape[:2]
    shrink = 640 / max(height, width)
    size = (max(1, round(width * shrink)), max(1, round(height * shrink)))
    grey = cv2.cvtColor(cv2.resize(image, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    if float(np.percentile(grey, 99)) < TOO_DARK:
        raise PhotoError(
            "photo-too-dark", "the photo is too dark to see a table: switch on a light", name
        )
    levels = grey.astype(np.float32)
    soft, softer = (cv2.GaussianBlur(levels, (0, 0), sigma) for sigma in (1.0, 3.0))
    fine = float(np.percentile(np.abs(levels - soft), 99.5))
    coarse = float(np.percentile(np.abs(soft - softer), 99.5))
    smooth = fine < NOTABLE_DETAIL and fine < LEAST_SHARPNESS * coarse
    if smooth or fine < LEAST_DETAIL:
        raise PhotoError(
            "photo-blurred",
            "nothing in the photo is sharp: focus the camera and hold it still",
            name,
        )
