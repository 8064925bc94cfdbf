"""Read a table again: in the old places if nothing moved, in full otherwise."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import compress, islice
from time import perf_counter
from typing import Final, Protocol

import numpy as np

from scoring.faces import Face
from vision import networks
from vision.arrays import Corners, floats
from vision.city import TILE_THERE, City
from vision.city_reading import city_reading
from vision.confidence import calibrated_city
from vision.editions.edition import GAME, STANDARD, Edition, is_read_by_model
from vision.editions.taught import TaughtFaces, taught_faces
from vision.eye import read_photo
from vision.networks import EMBLEM_PATCH_PX, EMBLEM_SIZE_PX, EMBLEM_WINDOW
from vision.photo import Photo
from vision.pyramid import Pyramid
from vision.reading import Reading
from vision.recognise import look_at, opinions, with_taught
from vision.rectify import crop_patches
from vision.rescore.memory import Memory, Place, absence_notes, in_places, remember

MOST_MOVED: Final = 0.08
"""By how much of a tile's width a city may seem to have moved."""
MOST_TILE_MOVED: Final = 0.25
"""By how much of its width a single tile may have moved."""
LEGIBLE: Final = 0.4
"""An emblem read less certainly confirms nothing."""

_FACES: Final = tuple(Face)


class Eye(Protocol):
    """What reads a photo in full; ``vision.eye.read_photo`` unless told otherwise."""

    def __call__(self, photo: Photo, *, edition: Edition | None = None) -> Reading:
        """Read a photo; ``edition`` is the taught look of the tiles, None: the usual one."""
        ...


def can_remember(edition: Edition) -> bool:
    """Whether tables of this edition can be read again in their places."""
    return edition.description.game == GAME and not is_read_by_model(edition)


def read_again(
    photo: Photo,
    memory: Memory | None,
    *,
    edition: Edition | None = None,
    eye: Eye = read_photo,
) -> tuple[Reading, Memory]:
    """Read a table that was perhaps read before.

    If the photo shows nothing new beside the cities, each of them is taken as it is in its place.
    One of which every tile was sure and looks just as before keeps its reading if the emblems
    confirm it. Any other is read anew in its place, where each tile must lie as it lay and all
    that was sure must be sure again. In any doubt the photo is read in full, and the cities are
    known again by their tiles and places.

    Args:
        photo: as loaded by ``vision.photo``.
        memory: of the table; None: it is new.
        edition: a taught look that the tiles have; None: any of those known from the start.
        eye: what reads the photo in full.

    Returns:
        The reading, its cities in the order of the names that they had before, new ones where they
        lie; and what to remember of it. Its ``timings_ms`` have ``check`` instead of ``locate``
        where the old places were used, and both where they were tried in vain.

    Raises:
        PhotoError: nothing in the photo can be read; the memory stays good.
    """
    if edition is not None and edition.is_standard:
        edition = None
    if memory is None:
        return remember(photo, eye(photo, edition=edition))
    start = perf_counter()
    picture = Pyramid.of(photo.image_bgr)
    name = STANDARD if edition is None else edition.name
    nothing_new = name == memory.edition and memory.shows_nothing_new(photo, picture)
    checked = perf_counter()
    places = _read_places(photo, picture, memory.places, edition) if nothing_new else None
    done = perf_counter()
    if places is None:
        reading, after = remember(photo, eye(photo, edition=edition), memory)
        timings = {"check": (done - start) * 1000, **reading.timings_ms}
        return replace(reading, timings_ms=timings), after
    reading = Reading(
        photo=photo.name,
        game=GAME,
        edition=memory.edition,
        size_wh=photo.size_wh,
        grids=tuple(place.city for place in places),
        notes=(*memory.notes, *absence_notes(memory)),
        timings_ms={"check": (checked - start) * 1000, "recognise": (done - checked) * 1000},
    )
    return reading, in_places(memory, places)


def _read_places(
    photo: Photo, picture: Pyramid, places: Sequence[Place] | None, edition: Edition | None
) -> list[Place] | None:
    """All cities as they now are in their places; None: one of them does not lie as it did."""
    if places is None:
        return None
    taught = None if edition is None else taught_faces(edition)
    unchanged = _unchanged(picture, places)
    seen: list[Place] = []
    for place, holds in zip(places, unchanged, strict=True):
        known = place if holds else _read_place(photo, picture, place, taught)
        if known is None:
            return None
        seen.append(known)
    return seen


def _unchanged(picture: Pyramid, places: Sequence[Place]) -> list[bool]:
    """For each city whether its reading still holds: it looks the same and is confirmed."""
    alike = [not place.city.unsure and place.looks_the_same(picture) for place in places]
    confirmed = iter(_confirmed(picture, list(compress(places, alike))))
    return [looks and next(confirmed) for looks in alike]


def _confirmed(picture: Pyramid, places: Sequence[Place]) -> Iterator[bool]:
    """Whether a second look, at the emblems, names the same faces.

    The emblems of all cities are read side by side, which is quicker.
    """
    quads = [quad for place in places for quad in place.quads]
    crops = crop_patches(picture, quads, EMBLEM_WINDOW, EMBLEM_SIZE_PX, EMBLEM_PATCH_PX)
    chances = networks.read_emblem_patches(crops)[:, :9]
    named = [_FACES[each.argmax()] if each.max() >= LEGIBLE else None for each in chances]
    left = iter(named)
    for place in places:
        faces = [face for row in place.city.grid for face in row]
        yield list(islice(left, len(faces))) == faces


def _read_place(
    photo: Photo, picture: Pyramid, place: Place, taught: TaughtFaces | None
) -> Place | None:
    """The city read anew where it was; None: something is not as it was and not sure either."""
    city = _read_city(picture, place, taught)
    if not _lies_there(place, city):
        return None
    reading = calibrated_city(city_reading(city, photo))
    if not set(reading.unsure) <= set(place.city.unsure):
        return None
    return place.read_anew(reading, picture)


def _read_city(picture: Pyramid, place: Place, taught: TaughtFaces | None) -> City:
    read = opinions(picture, look_at(picture, place.quads), turns=0)
    cells = dict(zip(place.cells, read, strict=True))
    if taught is not None:
        cells = with_taught(picture, cells, taught)
    return City(len(place.city.grid), len(place.city.grid[0]), cells)


def _lies_there(place: Place, city: City) -> bool:
    """Whether there is a tile in every cell that had one, where it was."""
    moves = []
    for (row, column), quad in zip(place.cells, place.quads, strict=True):
        if place.city.grid[row][column] is None:
            continue
        cell = city.cells[row, column]
        if cell.is_tile < TILE_THERE:
            return False
        moves.append((cell.quad_px - quad) / _side(quad))
    if not moves:
        return False
    corners = floats(moves)
    of_tiles = np.hypot(*corners.mean(axis=1).T)
    of_city = np.hypot(*np.median(corners, axis=0).T)
    return bool(of_tiles.max() <= MOST_TILE_MOVED and of_city.max() <= MOST_MOVED)


def _side(quad: Corners) -> float:
    """Mean length of the sides of a quad."""
    return float(np.hypot(*(quad - np.roll(quad, 1, axis=0)).T).mean())
