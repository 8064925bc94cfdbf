"""Read a table again: in place if nothing moved, in full otherwise."""

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter
from typing import Final

import numpy as np

from vision.arrays import floats
from vision.calibration.reader import PhotoReader
from vision.editions.edition import Edition, has_only_tiles
from vision.editions.learning import model_of
from vision.eye.grid_reading import make_grid_reading
from vision.eye.ledger import Ledger
from vision.eye.motion_blur import is_motion_blurred, shows_movement
from vision.eye.placement import CandidateGrid, PlacedGrid, embed_grids_at
from vision.eye.read import read_tiles
from vision.eye.recognise import recognise_grids
from vision.eye.reference_similarity import similarities
from vision.patches.cut import Pyramid
from vision.patches.embedding import MIN_WHOLE, Embeddings
from vision.photo.load import Photo
from vision.reading import Reading
from vision.rereading.memory import RememberedGrid, TableMemory, remember

MAX_GRID_SHIFT: Final = 0.08
"""Maximum shift of a grid in tile widths; larger: the camera may have been nudged."""
MAX_TILE_SHIFT: Final = 0.25
"""Maximum shift of a single tile in tile widths. Larger: tiles are cut out off their middle;
smaller: more photos are read in full."""


def can_read_in_place(edition: Edition) -> bool:
    """Return whether tables of this edition can be read again in place.

    Figures and loose pieces may be anywhere, so photos of games with them are read in full.
    """
    return has_only_tiles(edition.description)


def read_again(
    photo: Photo, memory: TableMemory | None, edition: Edition, *, reader: PhotoReader = read_tiles
) -> tuple[Reading, TableMemory]:
    """Read a photo of a table that may have been read before.

    If the table looks unchanged outside the grids, each grid is compared in its place. A grid is
    unchanged if it looks so, and if its sure tiles are still most similar to the same faces; it
    keeps its reading, with all that was unsure. If any grid has changed, all are recognised
    together in their places, since tiles of one photo inform each other, and the changed ones take
    their new reading; each tile must lie where it lay, and all that was sure must be sure again. In
    any doubt the photo is read in full, and grids are matched by their tiles and places.

    Args:
        photo: Photo from ``vision.photo.load``.
        memory: Memory of the table; None for a new one.
        edition: Edition of the tiles, for which ``can_read_in_place``.
        reader: Reader of photos that are read in full.

    Returns:
        The reading, its grids in the order of their letters, and the new memory. ``timings_ms`` has
        ``check`` instead of ``locate`` if the grids were read in place, and both if that failed.

    Raises:
        PhotoError: Nothing in the photo can be read; the memory stays valid.
    """
    if memory is None:
        return remember(photo, reader(photo, edition))
    start = perf_counter()
    pyramid = Pyramid(photo.image_bgr)
    same_edition = (memory.game, memory.edition) == (edition.description.game, edition.name)
    unchanged = same_edition and memory.table_looks_unchanged(photo, pyramid)
    checked = perf_counter()
    in_place = None
    if unchanged and memory.grids_in_place is not None:
        in_place = _read_in_place(photo, pyramid, memory.grids_in_place, edition)
    done = perf_counter()
    if in_place is None:
        reading, after = remember(photo, reader(photo, edition), memory)
        timings = {"check": (done - start) * 1000, **reading.timings_ms}
        return replace(reading, timings_ms=timings), after
    reading = Reading(
        photo_name=photo.name,
        game=memory.game,
        edition=memory.edition,
        size_wh=photo.size_wh,
        grids=tuple(remembered.grid for remembered in in_place),
        notes=(*memory.notes, *memory.absence_notes),
        timings_ms={"check": (checked - start) * 1000, "recognise": (done - checked) * 1000},
    )
    return reading, memory.with_grids(in_place)


def _read_in_place(
    photo: Photo, pyramid: Pyramid, before: Sequence[RememberedGrid], edition: Edition
) -> list[RememberedGrid] | None:
    """Read all grids in place; None if any of them does not lie where it lay."""
    model = model_of(edition)
    camera, placed = embed_grids_at(pyramid, [remembered.quads_by_place for remembered in before])
    if not all(map(_lies_in_place, before, placed)):
        return None
    similarity = similarities(
        Embeddings.concatenate([each.embeddings for each in placed]), model.references
    )
    by_grid = np.split(similarity, np.cumsum([len(each.embeddings) for each in placed])[:-1])
    names = [model.references.faces[n] for n in model.references.face_index.tolist()]
    unchanged = []
    for remembered, own in zip(before, by_grid, strict=True):
        most_similar = [names[n] for n in own.max(axis=2).argmax(axis=1).tolist()]
        same_faces = _shows_sure_faces(remembered, most_similar)
        unchanged.append(same_faces and remembered.looks_unchanged(pyramid))
    if all(unchanged):
        return list(before)
    candidates = [
        CandidateGrid(each, camera, own) for each, own in zip(placed, by_grid, strict=True)
    ]
    if is_motion_blurred(pyramid, candidates) or shows_movement(pyramid, candidates):
        return None
    grids, _ = recognise_grids(pyramid, candidates, model, ledger=Ledger())
    if len(grids) < len(candidates):
        return None
    now = [
        remembered
        if is_unchanged
        else remembered.with_reading(
            make_grid_reading(grid, edition, model, photo, pyramid), pyramid
        )
        for remembered, is_unchanged, grid in zip(before, unchanged, grids, strict=True)
    ]
    return now if all(map(_is_as_sure_in_place, before, now)) else None


def _shows_sure_faces(before: RememberedGrid, most_similar: Sequence[str | None]) -> bool:
    """Return whether each sure tile of a grid is still most similar to the face it was read as."""
    faces = [name for row in before.grid.tiles for name in row]
    return all(
        unsure or face == now
        for face, now, unsure in zip(faces, most_similar, before.unsure_tiles.tolist(), strict=True)
    )


def _lies_in_place(before: RememberedGrid, placed: PlacedGrid) -> bool:
    """Return whether each place that surely had a tile has one, and nothing has moved."""
    had_tile = np.array([name is not None for row in before.grid.tiles for name in row])
    surely = had_tile & ~before.unsure_tiles
    if (placed.embeddings.whole_probability[surely] < MIN_WHOLE).any():
        return False
    corners = placed.embeddings.corner_offsets[
        had_tile & (placed.embeddings.whole_probability > MIN_WHOLE)
    ]
    if not len(corners):
        return False
    tile_shifts = np.hypot(*corners.mean(axis=1).T)
    grid_shifts = np.hypot(*np.median(corners, axis=0).T)
    return bool(tile_shifts.max() <= MAX_TILE_SHIFT and grid_shifts.max() <= MAX_GRID_SHIFT)


def _is_as_sure_in_place(before: RememberedGrid, now: RememberedGrid) -> bool:
    """Return whether all sure cells of a grid are still sure, and it lies where it lay."""
    shift_px = floats(now.grid.corners_px) - floats(before.grid.corners_px)
    still = float(np.abs(shift_px).max()) <= MAX_TILE_SHIFT * before.tile_px
    return still and set(now.grid.unsure) <= set(before.grid.unsure)
