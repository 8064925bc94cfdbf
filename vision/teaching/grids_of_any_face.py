"""Finding the grids of a table whose faces have no names yet."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.arrays import Floats
from vision.editions.model import Model
from vision.eye.placement import PlacedGrid
from vision.eye.quads import MAX_GRID_OVERLAP, overlaps_any
from vision.eye.read import recognise_image
from vision.patches.cut import Pyramid, embed_quads
from vision.patches.embedding import MIN_WHOLE, Embeddings
from vision.teaching.find_layout import (
    TEACH_AREAS,
    covered_area_px,
    find_photo_turn,
    is_seen_whole,
    place_by_whole_tiles,
)
from vision.teaching.taught_tiles import add_tiles


@dataclass(frozen=True, slots=True, eq=False)
class GridOfAnyFace:
    """Grid whose faces have no names.

    Attributes:
        corners_px: Shape (4, 2), clockwise.
        quads_px: Shape (n, 4, 2), its whole tiles row by row, in the quarter turn closest to
            upright in the photo.
        is_seen_whole: Whether it certainly lies there and ends there.
    """

    corners_px: Floats
    quads_px: Floats
    is_seen_whole: bool


def detect_grids_of_any_face(pyramid: Pyramid, model: Model) -> list[GridOfAnyFace]:
    """Detect the grids of a game in reduced images of several sizes, by whole tiles alone.

    Uncertain grids count only if none is seen whole.

    Args:
        pyramid: Pyramid of the photo.
        model: Model of the game; it need not know a face.
    """
    by_camera = [
        (camera, grids)
        for relative_area in TEACH_AREAS
        for camera, grids in place_by_whole_tiles(pyramid, model.grid_format, model, relative_area)
    ]
    by_camera.sort(key=lambda each: _credibility(each[1]), reverse=True)
    detected: list[GridOfAnyFace] = []
    for camera, grids in by_camera:
        before_px = [each.corners_px for each in detected]
        for placed in grids:
            corners_px = placed.lattice_grid.corners_px(camera)
            if not overlaps_any(corners_px, before_px, MAX_GRID_OVERLAP):
                is_whole = placed.embeddings.whole_probability > MIN_WHOLE
                quads_px = np.roll(placed.tile_quads_px, find_photo_turn(corners_px), axis=1)[
                    is_whole
                ]
                detected.append(GridOfAnyFace(corners_px, quads_px, is_seen_whole(placed)))
    with_tiles = [each for each in detected if len(each.quads_px)]
    return [each for each in with_tiles if each.is_seen_whole] or with_tiles


def _credibility(grids: Sequence[PlacedGrid]) -> tuple[float, float]:
    """Return the areas of the grids of an image that are seen whole, and of all.

    A part of a tile may look like one, but then the tiles of another image cover more.
    """
    areas = [covered_area_px(each) for each in grids]
    whole = [area for each, area in zip(grids, areas, strict=True) if is_seen_whole(each)]
    return sum(whole), sum(areas)


def find_grids_by_faces(
    pyramid: Pyramid,
    quads_px: Floats,
    embeddings: Embeddings,
    names: Sequence[str],
    model: Model,
) -> list[GridOfAnyFace]:
    """Search a photo for grids, with some of its tiles as the references of an edition.

    Args:
        pyramid: Pyramid of the photo.
        quads_px: Shape (n, 4, 2), tiles, the same way up.
        embeddings: Embeddings of the n tiles.
        names: A name for the face of each.
        model: Model of the game.
    """
    known = add_tiles(pyramid, quads_px, embeddings, names, model)
    found: list[GridOfAnyFace] = []
    for grid in recognise_image(pyramid, known).grids:
        quads = np.roll(grid.quads_px.reshape(-1, 4, 2), find_photo_turn(grid.corners_px), axis=1)
        is_whole = embed_quads(pyramid, quads).whole_probability > MIN_WHOLE
        if is_whole.any():
            found.append(GridOfAnyFace(grid.corners_px, quads[is_whole], grid.is_position_certain))
    return found
