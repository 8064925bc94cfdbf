"""Read a table again: in the old places if nothing moved, in full otherwise."""

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter
from typing import Final

import numpy as np

from vision.arrays import floats
from vision.calibration.reader import Reader
from vision.editions.edition import Edition, is_of_tiles_alone
from vision.editions.learning import model_of
from vision.eye.grid_reading import make_grid_reading
from vision.eye.identify import similarities
from vision.eye.ledger import Ledger
from vision.eye.placement import Candidate, PlacedGrid, grids_at
from vision.eye.read import read_tiles
from vision.eye.recognise import is_smeared, recognise_grids
from vision.patches.cut import Pyramid
from vision.patches.embedding import MIN_WHOLE, Embeddings
from vision.photo.load import Photo
from vision.reading import Reading
from vision.rescore.memory import Memory, Place, absence_notes, in_places, remember

MOST_MOVED: Final = 0.08
"""By how much of a tile's width a grid may seem to have moved."""
MOST_TILE_MOVED: Final = 0.25
"""By how much of its width a single tile may have moved."""


def can_remember(edition: Edition) -> bool:
    """Whether tables of this edition can be read again in their places.

    Figures and loose pieces may be anywhere, so where there are any, all is read anew.
    """
    return is_of_tiles_alone(edition.description)


def read_again(
    photo: Photo, memory: Memory | None, edition: Edition, *, eye: Reader = read_tiles
) -> tuple[Reading, Memory]:
    """Read a table that was perhaps read before.

    If the photo shows nothing new beside the grids, each of them is compared in its place. A grid
    that looks as before keeps its reading, with all that was unsure in it, if its sure tiles are
    still most similar to the same faces. If any other grid differs, all grids are recognised
    together in their places, since tiles of one photo tell about each other, and the differing ones
    take their new reading; each tile must lie as it lay and all that was sure must be sure again.
    In any doubt the photo is read in full, and the grids are known again by their tiles and places.

    Args:
        photo: as loaded by ``vision.photo.load``.
        memory: of the table; None: it is new.
        edition: what its tiles look like; ``can_remember``.
        eye: what reads the photo in full.

    Returns:
        The reading, its grids in the order of the names that they had before, new ones where they
        lie; and what to remember of it. Its ``timings_ms`` have ``check`` instead of ``locate``
        where the old places were used, and both where they were tried in vain.

    Raises:
        PhotoError: nothing in the photo can be read; the memory stays good.
    """
    if memory is None:
        return remember(photo, eye(photo, edition))
    start = perf_counter()
    picture = Pyramid(photo.image_bgr)
    same_look = (memory.game, memory.edition) == (edition.description.game, edition.name)
    nothing_new = same_look and memory.shows_nothing_new(photo, picture)
    checked = perf_counter()
    places = None
    if nothing_new and memory.places is not None:
        places = _read_places(photo, picture, memory.places, edition)
    done = perf_counter()
    if places is None:
        reading, after = remember(photo, eye(photo, edition), memory)
        timings = {"check": (done - start) * 1000, **reading.timings_ms}
        return replace(reading, timings_ms=timings), after
    reading = Reading(
        photo=photo.name,
        game=memory.game,
        edition=memory.edition,
        size_wh=photo.size_wh,
        grids=tuple(place.city for place in places),
        notes=(*memory.notes, *absence_notes(memory)),
        timings_ms={"check": (checked - start) * 1000, "recognise": (done - checked) * 1000},
    )
    return reading, in_places(memory, places)


def _read_places(
    photo: Photo, picture: Pyramid, places: Sequence[Place], edition: Edition
) -> list[Place] | None:
    """All grids as they now are in their places; None: one of them does not lie as it did."""
    model = model_of(edition)
    camera, placed = grids_at(picture, [place.shaped_quads for place in places])
    if not all(map(_lies_there, places, placed)):
        return None
    similarity = similarities(
        Embeddings.concatenate([each.embeddings for each in placed]), model.references
    )
    parts = np.split(similarity, np.cumsum([len(each.embeddings) for each in placed])[:-1])
    names = [model.references.faces[n] for n in model.references.face.tolist()]
    kept = []
    for place, mine in zip(places, parts, strict=True):
        most_similar = [names[n] for n in mine.max(axis=2).argmax(axis=1).tolist()]
        kept.append(_shows_sure_faces(place, most_similar) and place.looks_the_same(picture))
    if all(kept):
        return list(places)
    candidates = [Candidate(each, camera, mine) for each, mine in zip(placed, parts, strict=True)]
    if is_smeared(picture, candidates):
        return None
    grids, _ = recognise_grids(picture, candidates, model, ledger=Ledger())
    if len(grids) < len(candidates):
        return None
    read = [
        place
        if keeps
        else place.read_anew(make_grid_reading(grid, edition, model, photo, picture), picture)
        for place, keeps, grid in zip(places, kept, grids, strict=True)
    ]
    return read if all(map(_as_sure, places, read)) else None


def _shows_sure_faces(place: Place, most_similar: Sequence[str | None]) -> bool:
    """Return whether each sure tile of a grid is still most similar to the face it was read as."""
    faces = [name for row in place.city.tiles for name in row]
    return all(
        unsure or face == now
        for face, now, unsure in zip(faces, most_similar, place.unsure_tiles.tolist(), strict=True)
    )


def _lies_there(place: Place, placed: PlacedGrid) -> bool:
    """Whether there is a tile in every place that had one for certain, where it was."""
    there = np.array([name is not None for row in place.city.tiles for name in row])
    known = there & ~place.unsure_tiles
    if (placed.embeddings.whole[known] < MIN_WHOLE).any():
        return False
    corners = placed.embeddings.corners[there & (placed.embeddings.whole > MIN_WHOLE)]
    if not len(corners):
        return False
    of_tiles = np.hypot(*corners.mean(axis=1).T)
    of_grid = np.hypot(*np.median(corners, axis=0).T)
    return bool(of_tiles.max() <= MOST_TILE_MOVED and of_grid.max() <= MOST_MOVED)


def _as_sure(before: Place, now: Place) -> bool:
    """Whether all that was sure still is, in a grid that lies as it did."""
    off = floats(now.city.corners_px) - floats(before.city.corners_px)
    still = float(np.abs(off).max()) <= MOST_TILE_MOVED * before.tile_px
    return still and set(now.city.unsure) <= set(before.city.unsure)
