"""Find a full grid of square tiles of unknown look in a photo, or say that it is not certain.

Regions that are not the table give a few quads to start with. Over each the lattice of the tiles
is laid so that its lines lie on edges, and only what speaks for it clearly on all sides counts.
"""

from collections.abc import Collection, Iterator
from typing import Final

import cv2
import numpy as np

from scoring.faces import Cell
from vision.arrays import Corners, Image, floats
from vision.boards.outline_evidence import Evidence, evidence_for
from vision.boards.outline_lattice import FINE, ROUGH, Scene, Tiles, fitted_lattice
from vision.boards.outline_regions import find_quads, table_unlikeness

WORK_AREA_PX: Final = 400_000
"""Grids are looked for in a picture of about this size."""
_LEAST_ROOM: Final = 0.08
"""Of the table around the grid that the photo must show, in tiles."""
_SAME: Final = 0.15
"""How far apart the corners of one grid may be found, in tiles."""
_ALIKE: Final = 0.08
"""The same for rough fits that end up as one."""
_PLAIN_TURN: Final = np.deg2rad(8)
"""How much less another edge must face the photo's top than the top edge does."""


def find_outline(
    image_bgr: Image, rows: int, columns: int, unknown: Collection[Cell] = frozenset()
) -> Corners | None:
    """Where the only grid of rows x columns square tiles lies in a photo.

    The tiles lie edge to edge on any table, which the photo shows all around; they fill at least
    about a seventh of it and are seen from above or at a slant of up to about 35 degrees.

    Args:
        image_bgr: the photo (h, w, 3).
        rows: of tiles; the top row is the one nearest to the top of the photo.
        columns: of tiles.
        unknown: cells (row, column) that may hold a tile or not.

    Returns:
        The outer corners of the grid, top left, top right, bottom right and bottom left as the
        photo shows it; None if there is no grid, if it is not certain where it ends or which way
        is up, if several lie there, or if it runs off the photo.
    """
    tiles = np.ones((rows, columns), bool)
    for cell in unknown:
        tiles[cell] = False
    if min(rows, columns) < 2 or not _reaches_all_sides(tiles):
        return None
    height, width = image_bgr.shape[:2]
    shrink = min(1.0, float(np.sqrt(WORK_AREA_PX / (height * width))))
    size = (round(width * shrink), round(height * shrink))
    small = np.asarray(cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA), np.uint8)
    corners = _found(small, tiles)
    if corners is None:
        return None
    return floats((corners + 0.5) * floats([width / size[0], height / size[1]]) - 0.5)


def _reaches_all_sides(tiles: Tiles) -> bool:
    return bool(all(side.any() for side in (tiles[0], tiles[-1], tiles[:, 0], tiles[:, -1])))


def _found(image_bgr: Image, tiles: Tiles) -> Corners | None:
    unlike = cv2.GaussianBlur(table_unlikeness(image_bgr), (0, 0), 1.2)
    scene = Scene(image_bgr, floats(unlike))
    certain: list[tuple[Evidence, Corners]] = []
    tried: list[Corners] = []
    for start in _starts(image_bgr, tiles):
        rough = fitted_lattice(scene, start, tiles, ROUGH)
        if not _is_sane(rough) or any(_are_same(rough, other, tiles, _ALIKE) for other in tried):
            continue
        tried.append(rough)
        if evidence_for(scene, rough, tiles).is_hopeless:
            continue
        corners = fitted_lattice(scene, rough, tiles, FINE)
        if _has_room(corners, tiles, image_bgr):
            evidence = evidence_for(scene, corners, tiles)
            if evidence.is_certain:
                certain.append((evidence, corners))
    if not certain:
        return None
    best = max(certain, key=lambda found: found[0].seams + found[0].sides)[1]
    if not all(_are_same(best, other, tiles, _SAME) for _, other in certain):
        return None
    return best if _is_upright(best, tiles) else None


def _starts(image_bgr: Image, tiles: Tiles) -> Iterator[Corners]:
    """Quads with each side that may be the top one first."""
    ways = 1 if tiles.shape[0] == tiles.shape[1] else 2
    for quad in find_quads(image_bgr):
        for way in range(ways):
            turned = [np.roll(quad, -turn, axis=0) for turn in range(way, 4, ways)]
            yield floats(min(turned, key=lambda corners: abs(_turn(floats(corners)))))


def _turn(corners: Corners) -> float:
    """By how much the right of a grid is turned against that of the photo, radians."""
    right = corners[1] + corners[2] - corners[0] - corners[3]
    down = corners[2] + corners[3] - corners[0] - corners[1]
    # The mean direction of both axes, so that a slanted view favours neither
    mean = right / np.hypot(*right) + floats([down[1], -down[0]]) / np.hypot(*down)
    return float(np.arctan2(mean[1], mean[0]))


def _is_upright(corners: Corners, tiles: Tiles) -> bool:
    """Whether no other edge that could be the top one faces the photo's top nearly as much."""
    next_turn = np.pi / 2 if tiles.shape[0] == tiles.shape[1] else np.pi
    return bool(abs(_turn(corners)) < (next_turn - _PLAIN_TURN) / 2)


def _is_sane(corners: Corners) -> bool:
    return bool(cv2.isContourConvex(corners) and cv2.contourArea(corners, oriented=True) > 0)


def _has_room(corners: Corners, tiles: Tiles, image_bgr: Image) -> bool:
    """Whether the photo shows some table on all sides of a quad."""
    if not _is_sane(corners):
        return False
    room = _LEAST_ROOM * _tile_px(corners, tiles)
    height, width = image_bgr.shape[:2]
    return bool((corners > room).all() and (corners < floats([width, height]) - 1 - room).all())


def _are_same(first: Corners, second: Corners, tiles: Tiles, most_apart: float) -> bool:
    """Whether the corners of two quads lie at most so many tiles apart."""
    return bool(np.abs(first - second).max() <= most_apart * _tile_px(first, tiles))


def _tile_px(corners: Corners, tiles: Tiles) -> float:
    return float(np.sqrt(cv2.contourArea(corners) / tiles.size))
