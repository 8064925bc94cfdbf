"""Where the locator must look closer, since tiles are too small there to be seen at once.

Most often that is the far end of a table that recedes.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import compress
from statistics import median
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scoring.faces import Cell
from vision.arrays import Points, floats
from vision.locate import WORK_AREA_PX, Area, Detection, find_tiles, sizes_of
from vision.pyramid import Picture, full_size

SIDE: Final = 4
"""Tiles in a row and in a column of a city."""
FINER_SCALE: Final = 1.8
"""Area at which the locator looks closer, relative to the usual one."""
SMALL_TILE_PX: Final = 14.0
"""Tiles that the locator sees smaller than this it may miss."""
SMALL_IN_PART_PX: Final = 16.0
"""Where a city is seen only in part and its tiles are smaller than this, the rest may be missed."""
MISJUDGED_PX: Final = 18.0
"""Where it looks closer anyway, it does so at all cities seen in part whose tiles are smaller."""
FEWEST_IN_PART: Final = 5
"""A group of fewer tiles are left-overs lying side by side."""
FEWEST_ON_TABLE: Final = 8
"""A group of fewer tiles does not tell how the table recedes."""
SAMPLES: Final = 33
"""In so many rows and columns of points the size of tiles is foretold."""
SEEN_WHOLE: Final = 0.7
"""So far from the edge of what the locator sees, in tile widths, it sees all of a tile."""
ROOM: Final = 3.0
"""So far round where tiles may lie it looks, in tile widths, to see them whole."""
SAME_TILE: Final = 0.5
"""Tiles that two looks see closer together than this, in tile widths, are the same."""

Group = Mapping[Cell, Detection]


def area_to_look_closer(groups: Sequence[Group], size_wh: tuple[int, int]) -> Area | None:
    """The part of a picture in which tiles may have been missed; None: there is none.

    Args:
        groups: of the tiles that were seen at once.
        size_wh: width and height of the picture.
    """
    width, height = size_wh
    shrink = float(np.sqrt(WORK_AREA_PX / (width * height)))
    far = _far_ends(groups, (width * shrink, height * shrink), shrink)
    in_part = _cities_seen_in_part(groups, shrink)
    if not far and not any(size < SMALL_IN_PART_PX for size, _ in in_part):
        return None
    areas = [*far, *(area for size, area in in_part if size < MISJUDGED_PX)]
    lefts, tops, rights, bottoms = np.transpose(areas) / shrink
    return (
        max(float(lefts.min()), 0.0),
        max(float(tops.min()), 0.0),
        min(float(rights.max()), float(width)),
        min(float(bottoms.max()), float(height)),
    )


def with_closer_look(
    picture: Picture, tiles: Sequence[Detection], groups: Iterable[Group], area: Area
) -> list[Detection]:
    """The tiles, in a part of the picture exchanged for those that the locator sees closer by.

    Args:
        picture: the photo.
        tiles: that were seen at once.
        groups: of them. Cities of which all tiles were seen stay as they are at its edge.
        area: the part to look at closer.
    """
    height, width = full_size(picture).shape[:2]
    left, top, right, bottom = area
    inner = (
        left if left > 0 else -np.inf,
        top if top > 0 else -np.inf,
        right if right < width else np.inf,
        bottom if bottom < height else np.inf,
    )
    whole = [list(group.values()) for group in groups if len(group) == SIDE * SIDE]
    cut = [tile for city in whole if not _lie_within(inner, city).all() for tile in city]
    closer = find_tiles(picture, WORK_AREA_PX * FINER_SCALE, area)
    closer = list(compress(closer, _lie_within(inner, closer) & ~_are_among(cut, closer)))
    left_over = set(compress(tiles, ~_lie_within(inner, tiles))).difference(cut)
    outside = [tile for tile in tiles if tile in left_over]
    return [*closer, *cut, *compress(outside, ~_are_among(closer, outside))]


def _far_ends(groups: Iterable[Group], size_wh: tuple[float, float], shrink: float) -> list[Area]:
    """Where a city in some corner of the picture would have tiles too small for the locator.

    In pixels of what the locator sees, as the sizes are.
    """
    tiles = [tile for group in groups if len(group) >= FEWEST_ON_TABLE for tile in group.values()]
    if not tiles:
        return []
    places = floats([tile.centre for tile in tiles]) * shrink
    sizes = sizes_of(tiles) * shrink
    slope = np.linalg.lstsq(np.column_stack([np.ones(len(tiles)), places]), sizes, rcond=None)[0]
    half = SIDE / 2 * SMALL_TILE_PX
    width, height = size_wh
    xs, ys = (half, width - half), (half, height - half)
    if min(slope @ (1, x, y) for x in xs for y in ys) >= SMALL_TILE_PX:
        return []
    middles = floats([(x, y) for x in np.linspace(*xs, SAMPLES) for y in np.linspace(*ys, SAMPLES)])
    far = middles[slope[0] + middles @ slope[1:] < SMALL_TILE_PX]
    return [_round_about(far, 2 * half)] if len(far) else []


def _cities_seen_in_part(groups: Iterable[Group], shrink: float) -> list[tuple[float, Area]]:
    """The size of their tiles and where the rest may lie, in pixels of what the locator sees."""
    cities = []
    for group in groups:
        if FEWEST_IN_PART <= len(group) < SIDE * SIDE:
            size = median(sizes_of(group.values()).tolist()) * shrink
            places = floats([tile.centre for tile in group.values()]) * shrink
            rows, columns = (len(set(numbers)) for numbers in zip(*group, strict=True))
            missing = SIDE - min(rows, columns)
            cities.append((size, _round_about(places, (missing + ROOM) * size)))
    return cities


def _round_about(points: Points, far: float) -> Area:
    left, top = (points.min(axis=0) - far).tolist()
    right, bottom = (points.max(axis=0) + far).tolist()
    return left, top, right, bottom


def _lie_within(area: Area, tiles: Sequence[Detection]) -> NDArray[np.bool_]:
    """For each tile whether all of it lies in an area, and a little more."""
    left, top, right, bottom = area
    centres, sizes = _places(tiles)
    x, y = centres.T
    room = SEEN_WHOLE * sizes
    across = (x >= left + room) & (x <= right - room)
    return np.asarray(across & (y >= top + room) & (y <= bottom - room), np.bool_)


def _are_among(tiles: Sequence[Detection], others: Sequence[Detection]) -> NDArray[np.bool_]:
    """For each of the others whether it lies where one of the tiles does."""
    centres, sizes = _places(others)
    away = centres[:, None] - _places(tiles)[0]
    return np.asarray((SAME_TILE * sizes[:, None] > np.hypot(*away.T).T).any(axis=1), np.bool_)


def _places(tiles: Sequence[Detection]) -> tuple[Points, NDArray[np.float32]]:
    """The centres (n, 2) and sizes (n,) of tiles."""
    centres = floats([tile.centre for tile in tiles]).reshape(-1, 2)
    return centres, sizes_of(tiles)
