"""What is remembered of a table between two photos of it, and whether anything but light changed.

Two grey pictures are compared window by window: light that grows, fades or changes its colour
leaves the pattern of a window as it was, a thing that came or went does not (normalised
cross-correlation of the logarithms).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.faces import city_name
from vision.arrays import Corners, FloatImage, Image, apply_homography, floats
from vision.editions.edition import GAME
from vision.eye.exposure import WhiteArea, find_white_areas
from vision.patches.cut import Pyramid, level_homography
from vision.photo.load import Photo
from vision.reading import GridReading, Note, NoteCode, Reading, note
from vision.rescore.naming import is_same_table, known_cities, round_the_table

Grey = NDArray[np.uint8]
"""A grey picture (h, w)."""
Mask = NDArray[np.uint8]
"""Of a picture (h, w): 1 for what counts, 0 for the rest."""

_LARGEST_PX: Final = 400
"""Longer side of a small picture at most; the photo is halved until it is no larger."""
_DARKEST: Final = 12.0
"""Added to grey levels before their logarithm is taken, lest noise in the dark counts as much."""
_LOGARITHMS: Final = floats(np.log((np.arange(256) + _DARKEST) / 128))
_PATTERN: Final = 0.09
"""Standard deviation of the logarithm within a window from which on it shows a pattern."""
_LEAST_SEEN: Final = 0.3
"""Share of a window that must count for the window to be compared."""
_TILE_PX: Final = 28.0
"""Tiles at least as large show all by which they differ."""
_NOISE_PX: Final = 0.8
"""Blur that spares the sensor's noise from being taken for a pattern."""
SAME_TABLE: Final = 0.6
"""Correlation from which on a place of the table looks as before."""
MOST_CHANGED: Final = 2.0
"""So much of the table, in areas of a tile, may look different beside the cities; the edges of
shadows may make as much, a city makes nine and more."""
SAME_TILES: Final = 0.8
"""Correlation from which on a place in a city looks as before."""
MOST_CHANGED_IN_CITY: Final = 0.03
"""So much of a city, in areas of a tile, may look different; a tile that was exchanged for the one
most like it makes 0.15 and more, in glare 0.07."""
_WINDOW: Final = 0.2
"""Side of the windows in which cities are compared, in tile widths."""


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A city in its place.

    Attributes:
        city: as it was last read.
        quads: of its tiles and empty places in reading order, in pixels of the decoded picture, as
            they lay when the photo was last read in full.
        patch: what the picture showed there when the city was last read.
        level: of the pyramid of the picture that ``patch`` was taken from.
        corner: x and y of the top left pixel of ``patch`` in that level.
    """

    city: GridReading
    quads: tuple[Corners, ...]
    patch: Grey
    level: int
    corner: tuple[int, int]

    @property
    def shaped_quads(self) -> NDArray[np.float32]:
        """(rows, columns, 4, 2) of ``quads``."""
        return floats(self.quads).reshape(len(self.city.tiles), -1, 4, 2)

    @property
    def unsure_tiles(self) -> NDArray[np.bool_]:
        """(n,) whether each tile, in reading order, has a cell that is unsure."""
        rows, columns = len(self.city.tiles), len(self.city.tiles[0])
        tall, wide = len(self.city.grid) // rows, len(self.city.grid[0]) // columns
        unsure = np.zeros((rows, columns), bool)
        for row, column in self.city.unsure:
            unsure[row // tall, column // wide] = True
        return unsure.ravel()

    @property
    def tile_px(self) -> float:
        """Side of a tile in pixels of the decoded picture."""
        return _side_px(self.quads)

    def looks_the_same(self, picture: Pyramid) -> bool:
        """Whether a picture of the same view shows the very same tiles, whatever the light."""
        x, y = self.corner
        height, width = self.patch.shape
        where: Mask = np.zeros((height, width), np.uint8)
        for quad in self.quads:
            here = apply_homography(quad, level_homography(self.level)) - floats(self.corner)
            cv2.fillConvexPoly(where, np.rint(here).astype(np.int32), 1)
        now = grey(picture.level(self.level)[y : y + height, x : x + width])
        tile_px = self.tile_px / 2**self.level
        changed = _changed_px(self.patch, now, where, _WINDOW * tile_px, SAME_TILES)
        return bool(changed <= MOST_CHANGED_IN_CITY * tile_px**2)

    def read_anew(self, city: GridReading, picture: Pyramid) -> "Place":
        """The place after the city was read in it again."""
        return _place(city, self.quads, picture)


@dataclass(frozen=True, slots=True, eq=False)
class Memory:
    """A table as it was read, and the names of its cities.

    Attributes:
        size_wh: of the photo in pixels.
        decoded_wh: of the decoded picture in pixels.
        game: that lay there.
        edition: whose look the tiles had.
        cities: in the order of their names, as last seen; also those that are not seen any more.
        absent: numbers of those not seen any more. One that comes back gets its name again.
        places: of the seen cities, in the order that they have in a reading; None if something
            about them is doubtful enough to read the next photo in full.
        table: the photo as last read in full, small and grey.
        is_white: whether the table has white areas, in which a city could lie unseen.
        notes: on that photo as a whole.
    """

    size_wh: tuple[int, int]
    decoded_wh: tuple[int, int]
    game: str
    edition: str
    cities: tuple[GridReading, ...]
    absent: frozenset[int]
    places: tuple[Place, ...] | None
    table: Grey
    is_white: bool
    notes: tuple[Note, ...]

    def shows_nothing_new(self, photo: Photo, picture: Pyramid) -> bool:
        """Whether a photo seems to show the same table, except perhaps within the cities."""
        if self.places is None or photo.size_wh != self.size_wh:
            return False
        if _size_wh(picture.level(0)) != self.decoded_wh:
            return False
        white = _white(picture, self.places)
        if bool(white) != self.is_white or any(area.from_light for area in white):
            return False
        now = _thumbnail(picture)
        shrink = now.shape[1] / self.decoded_wh[0]
        beside: Mask = np.ones(now.shape, np.uint8)
        for place in self.places:
            for quad in place.quads:
                cv2.fillConvexPoly(beside, np.rint(quad * shrink).astype(np.int32), 0)
        tile_px = shrink * _tile_px(self.places)
        changed = _changed_px(self.table, now, beside, tile_px, SAME_TABLE)
        return bool(changed <= MOST_CHANGED * tile_px**2)


def remember(
    photo: Photo, reading: Reading, before: Memory | None = None
) -> tuple[Reading, Memory]:
    """Keep a reading in mind, and give its cities the names they had before.

    Args:
        photo: that was read in full.
        reading: of it.
        before: what is known of the same table; None: nothing.

    Returns:
        The reading with its cities in the order of their names, which is always that round the
        table, and with a note on each city that is not seen any more; and what to remember.
    """
    picture = Pyramid(photo.image_bgr)
    known = () if before is None else before.cities
    pairs = known_cities(known, reading.grids)
    if not is_same_table(known, reading.grids, pairs):
        known, pairs = (), {}
    order = round_the_table(pairs, len(reading.grids))
    named = tuple(reading.grids[new] for new in order)
    absent = frozenset(range(len(known))) - frozenset(pairs.values())
    places = _places(named, photo, picture)
    if reading.unread:
        places = None
    memory = Memory(
        size_wh=photo.size_wh,
        decoded_wh=_size_wh(photo.image_bgr),
        game=reading.game,
        edition=reading.edition,
        cities=_with_absent(named, known, absent),
        absent=absent,
        places=places,
        table=_thumbnail(picture),
        is_white=places is not None and bool(_white(picture, places)),
        notes=reading.notes,
    )
    return replace(reading, grids=named, notes=(*reading.notes, *absence_notes(memory))), memory


def in_places(memory: Memory, places: Sequence[Place]) -> Memory:
    """The memory after the cities were read again in their places."""
    seen = [place.city for place in places]
    cities = _with_absent(seen, memory.cities, memory.absent)
    return replace(memory, cities=cities, places=tuple(places))


def absence_notes(memory: Memory) -> tuple[Note, ...]:
    """One note for each city that is not seen any more; grids of other games have no letters."""
    if memory.game != GAME:
        return ()
    last_seen = max(set(range(len(memory.cities))) - memory.absent, default=-1)
    return tuple(
        note(
            NoteCode.CITY_GONE_OTHERS_MOVED if number < last_seen else NoteCode.CITY_GONE,
            letter=city_name(number),
        )
        for number in sorted(memory.absent)
    )


def _with_absent(
    seen: Sequence[GridReading], known: Sequence[GridReading], absent: frozenset[int]
) -> tuple[GridReading, ...]:
    """All cities in the order of their names: the absent ones keep their numbers."""
    left = iter(seen)
    count = len(seen) + len(absent)
    return tuple(known[number] if number in absent else next(left) for number in range(count))


def _places(
    cities: Sequence[GridReading], photo: Photo, picture: Pyramid
) -> tuple[Place, ...] | None:
    """Where the cities lie; None if there is none, or if one is doubtful as a whole."""
    places = []
    for city in cities:
        quads = [quad for row in city.tile_quads_px for quad in row if quad is not None]
        cells = sum(len(row) for row in city.grid)
        tiles = sum(len(row) for row in city.tiles)
        if len(quads) < tiles or len(city.unsure) == cells:
            return None
        decoded = tuple(floats(photo.to_decoded_px(np.asarray(quad))) for quad in quads)
        places.append(_place(city, decoded, picture))
    return tuple(places) or None


def _place(city: GridReading, quads: tuple[Corners, ...], picture: Pyramid) -> Place:
    level = _level_for_tiles(_side_px(quads))
    image = picture.level(level)
    corners = apply_homography(np.concatenate(quads), level_homography(level))
    last = np.array(_size_wh(image)) - 1
    left, top = np.clip(np.floor(corners.min(axis=0)).astype(int), 0, last)
    right, bottom = np.clip(np.ceil(corners.max(axis=0)).astype(int), 0, last)
    patch = grey(image[top : bottom + 1, left : right + 1])
    return Place(city, quads, patch, level, (int(left), int(top)))


def _side_px(quads: Sequence[Corners]) -> float:
    return float(np.sqrt(np.mean([cv2.contourArea(quad) for quad in quads])))


def _white(picture: Pyramid, places: Sequence[Place]) -> list[WhiteArea]:
    """Where a city could lie unseen."""
    outlines = [floats(cv2.convexHull(np.concatenate(place.quads))) for place in places]
    return find_white_areas(picture, _tile_px(places), outlines)


def _tile_px(places: Sequence[Place]) -> float:
    """Mean side of a tile in pixels of the decoded picture."""
    return float(np.mean([place.tile_px for place in places]))


def _size_wh(image: Image) -> tuple[int, int]:
    return image.shape[1], image.shape[0]


def _level_for_tiles(tile_px: float) -> int:
    """The smallest level of a picture in which tiles are large enough to be told apart."""
    return int(np.log2(max(tile_px / _TILE_PX, 1.0)))


def _thumbnail(picture: Pyramid) -> Grey:
    """The photo small and grey."""
    halvings = 0
    while max(picture.level(halvings).shape[:2]) > _LARGEST_PX:
        halvings += 1
    return grey(picture.level(halvings))


def grey(image: Image) -> Grey:
    """The picture (h, w, 3) without its colours, read-only."""
    levels = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    levels.flags.writeable = False
    return levels


def _changed_px(
    before: Grey, now: Grey, where: Mask, window_px: float, least_correlation: float
) -> int:
    """In how many places a picture shows something else than before.

    Args:
        before: the earlier picture.
        now: the later one, of the same shape.
        where: what is compared of them.
        window_px: side of a window.
        least_correlation: correlation of the patterns in a window from which on they are the same.

    Returns:
        The number of windows that differ; there is one round every pixel.
    """
    side = max(3, round(window_px) | 1)
    counted = floats(where)
    first, second = (
        floats(cv2.GaussianBlur(cv2.LUT(levels, _LOGARITHMS), (0, 0), _NOISE_PX)) * counted
        for levels in (before, now)
    )
    # Sums over windows as shares of their area; with n = seen, n² times variance and covariance
    seen = _summed(counted, side)
    sum_1, sum_2 = _summed(first, side), _summed(second, side)
    variance_1 = np.maximum(seen * _summed(first * first, side) - sum_1 * sum_1, 0)
    variance_2 = np.maximum(seen * _summed(second * second, side) - sum_2 * sum_2, 0)
    together = seen * _summed(first * second, side) - sum_1 * sum_2
    patterned = np.maximum(variance_1, variance_2) > (_PATTERN * seen) ** 2
    same = together > least_correlation * cv2.sqrt(variance_1 * variance_2)
    return int(np.count_nonzero(patterned & ~same & (seen > _LEAST_SEEN) & (where > 0)))


def _summed(values: FloatImage, side: int) -> FloatImage:
    return np.asarray(cv2.boxFilter(values, -1, (side, side)), np.float32)
