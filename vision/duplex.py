"""Find the duplex tiles of Between Two Cities: two faces on one piece.

Nothing is scored by them, so this is no part of the eye's usual work. A gap, a shadow or an edge
that is not quite parallel gives two single tiles away; where these lie close and straight, nobody
can tell. The rules help: each city has just two duplex tiles. They are named only where all joints
are seen and theirs stand out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scoring.faces import Cell
from vision.arrays import Corners, floats
from vision.joints import Joint, joint_strips, joints_of, read_joints
from vision.photo import Photo
from vision.reading import GridReading, Reading

PER_CITY = 2
LEAST = 1.0
"""Logit of a joint from which on it may be a duplex tile's."""
LEAD = 7.0
"""By so much a city's two must be likelier than the next joint, as a logit."""


def with_duplexes(photo: Photo, reading: Reading) -> Reading:
    """The reading with the duplex tiles that stand out.

    Args:
        photo: that was read.
        reading: of it, as the eye gives it.
    """
    return replace(reading, grids=tuple(_with_duplexes(photo, city) for city in reading.grids))


def _with_duplexes(photo: Photo, city: GridReading) -> GridReading:
    quads = _open_tiles(photo, city)
    rows, columns = len(city.grid), len(city.grid[0])
    if len(quads) < rows * columns:  # a joint not seen may be the one that should stand out
        return replace(city, duplexes=())
    joints = joints_of(rows, columns)
    logits = read_joints(joint_strips(photo.image_bgr, quads, joints))
    return replace(city, duplexes=standing_out(joints, logits))


def _open_tiles(photo: Photo, city: GridReading) -> Mapping[Cell, Corners]:
    """Where the tiles lie that are sure, in pixels of the decoded picture."""
    return {
        (row, column): floats(photo.to_decoded_px(quad))
        for row, quads in enumerate(city.tile_quads_px)
        for column, quad in enumerate(quads)
        if quad is not None and city.grid[row][column] and (row, column) not in city.unsure
    }


def standing_out(joints: Sequence[Joint], logits: NDArray[np.float32]) -> tuple[Joint, ...]:
    """The duplex tiles of a city in reading order; none if they do not stand out.

    Args:
        joints: of the city.
        logits: (n,) of each being within one piece.
    """
    order = np.argsort(-logits, kind="stable")
    if len(order) <= PER_CITY:
        return ()
    likeliest = [joints[number] for number in order[:PER_CITY]]
    cells = {cell for joint in likeliest for cell in joint}
    last, following = logits[order[PER_CITY - 1]], logits[order[PER_CITY]]
    if len(cells) < 2 * PER_CITY or last < LEAST or last - following < LEAD:
        return ()
    return tuple(sorted(likeliest))
