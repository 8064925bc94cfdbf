"""The eye as a whole: a photo in, a reading out.

Locate tiles, chain them into lattices, read each cell twice over, and say what is doubtful.
"""

from collections.abc import Mapping, Sequence
from statistics import median  # numpy's takes 30 ms to load what it needs
from time import perf_counter

import cv2
import numpy as np

from scoring.faces import Face
from vision.arrays import Corners
from vision.city import City
from vision.city_reading import MANY_UNSURE, city_reading
from vision.confidence import calibrated
from vision.editions.edition import GAME, STANDARD, Edition
from vision.editions.taught import ALIKE, taught_faces
from vision.exposure import LIGHT_HIDES, MOST_WHITE, MUCH_LIGHT, white_areas, white_share
from vision.order import clockwise
from vision.photo import Photo
from vision.pyramid import Pyramid
from vision.quads import photo_quad
from vision.reading import Note, NoteCode, Reading, Unread, note
from vision.search import OTHER_SCALES, Doubt, hidden_cities, locate_groups, read_groups
from vision.supply import within_supply
from vision.usable import doubts_of_photo, refuse_if_colourless, refuse_if_hopeless

TILES_ACROSS = 26.0
"""Square root of the area of a usual photo, in tile widths."""


def read_photo(
    photo: Photo,
    *,
    edition: Edition | None = None,
    scale: float = 1.0,
    supply: Mapping[Face, int] | None = None,
) -> Reading:
    """Read a table of Between Two Cities.

    Args:
        photo: as loaded by ``vision.photo``.
        edition: a taught look that the tiles have; None: any of those known from the start.
        scale: area at which to look for tiles first, relative to the usual one.
        supply: how many tiles of each face the game has; None: nothing is known of that.

    Raises:
        PhotoError: no city was found, and the photo is too dark or too blurred to have shown one;
            or it was hard to read and has no colours.
    """
    return calibrated(read_uncalibrated(photo, edition=edition, scale=scale, supply=supply))


def read_uncalibrated(
    photo: Photo,
    *,
    edition: Edition | None = None,
    scale: float = 1.0,
    supply: Mapping[Face, int] | None = None,
) -> Reading:
    """The same with confidences as the networks give them, from which ``calibrated`` is fitted."""
    start = perf_counter()
    picture = Pyramid.of(photo.image_bgr)
    taught = None if edition is None else taught_faces(edition)
    cities: list[City] = []
    doubts: list[Doubt] = []
    locating = 0.0
    for other in (1.0, *OTHER_SCALES):
        began = perf_counter()
        groups = locate_groups(picture, scale * other)
        locating += perf_counter() - began
        cities, riddles = read_groups(picture, groups, taught)
        doubts = riddles if cities else doubts or riddles
        if cities:
            break
    if not cities:
        refuse_if_hopeless(photo.image_bgr, photo.name)
    unseen, light_notes = _hidden_by_light(picture, cities)
    if light_notes:
        known = [outline for outline, _ in (*doubts, *unseen)]
        unseen += hidden_cities(picture, cities, known, scale * OTHER_SCALES[-1])
    in_any_order = [city_reading(city, photo) for city in cities]
    if supply is not None:
        chances = [{place: c.together for place, c in city.cells.items()} for city in cities]
        in_any_order = list(within_supply(in_any_order, chances, supply))
    readings = clockwise(in_any_order)
    notes = [*_edition_notes(cities, edition), *light_notes]
    if doubts or any(len(reading.unsure) > MANY_UNSURE for reading in readings):
        refuse_if_colourless(photo.image_bgr, photo.name)
        notes += doubts_of_photo(photo.image_bgr)
    unread = [Unread(photo_quad(outline, photo), why) for outline, why in (*doubts, *unseen)]
    done = perf_counter()
    return Reading(
        photo=photo.name,
        game=GAME,
        edition=STANDARD if edition is None else edition.name,
        size_wh=photo.size_wh,
        grids=tuple(readings),
        unread=tuple(unread),
        notes=tuple(notes),
        timings_ms={
            "locate": locating * 1000,
            "recognise": (done - start - locating) * 1000,
        },
    )


def _hidden_by_light(
    picture: Pyramid, cities: Sequence[City]
) -> tuple[list[tuple[Corners, Note]], list[Note]]:
    """Areas that light hides, and a note if much else is white."""
    outlines = [city.outline_px for city in cities]
    sides = [np.sqrt(cv2.contourArea(outline)) / 4 for outline in outlines]
    height, width = picture.image.shape[:2]
    tile_px = float(median(sides) if sides else np.sqrt(width * height) / TILES_ACROSS)
    areas = white_areas(picture, tile_px, outlines)
    lit = [(area.outline_px, LIGHT_HIDES) for area in areas if area.from_light]
    overexposed = len(areas) > len(lit) or white_share(picture) > MOST_WHITE
    return lit, [MUCH_LIGHT] if overexposed else []


def _edition_notes(cities: Sequence[City], edition: Edition | None) -> tuple[Note, ...]:
    """What to say when the tiles look like those of another edition."""
    seen = [
        cell.taught.likeness
        for city in cities
        for cell in city.cells.values()
        if cell.taught is not None
    ]
    if edition is None or not seen or float(np.median(seen)) >= ALIKE:
        return ()
    return (note(NoteCode.OTHER_EDITION, name=edition.name),)
