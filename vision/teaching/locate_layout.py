"""Locate a layout as a person asked for it, and refuse it with the errors of teaching.

Without corners it is searched for (``vision.teaching.find_layout``); corners that a person gave, of
a layout or of a board, are checked here.
"""

from typing import Final

import numpy as np

from vision.arrays import Corners, floats
from vision.editions.edition import EditionError
from vision.editions.model import Model
from vision.message import Message
from vision.patches.cut import Pyramid
from vision.photo.load import Photo
from vision.teaching.find_layout import LocatedLayout, NoGridError, find_layout, layout_from_corners
from vision.teaching.layout import Layout
from vision.teaching.tile_quality import refuse_if_dark

MAX_BEYOND_EDGE: Final = 0.03
"""Share of the longer side by which corners may lie beyond the edge of the photo."""
MAX_ASKEW: Final = 2.0
"""Maximum factor between the seen and the expected aspect of a layout or board."""


def locate_layout(
    photo: Photo, corners_px: Corners | None, layout: Layout, model: Model
) -> LocatedLayout:
    """Find a layout in a photo, or take it from given corners.

    Args:
        photo: Photo of the whole layout.
        corners_px: Corners of the layout in pixels of the photo as viewers show it; None to find
            them.
        layout: Face of each place.
        model: Model of the game, which need not know a face.

    Raises:
        EditionError: ``teach-corners``, ``teach-no-outline`` or ``teach-too-dark``.
    """
    rows, columns = len(layout), len(layout[0])
    pyramid = Pyramid(photo.image_bgr)
    if corners_px is not None:
        shape = Message("a layout of {rows} x {columns} places", rows=rows, columns=columns)
        corners = check_corners(photo, corners_px, columns / rows, shape)
        return layout_from_corners(pyramid, corners, (rows, columns))
    try:
        return find_layout(pyramid, (rows, columns), model)
    except NoGridError as error:
        refuse_if_dark(photo.image_bgr, photo.name)
        raise EditionError(
            "teach-no-outline",
            "no grid of {rows} x {columns} tiles is found by itself: give its corners with "
            "--corners",
            photo.name,
            rows=rows,
            columns=columns,
        ) from error


def check_corners(photo: Photo, corners_px: Corners, aspect: float, shape: Message) -> Corners:
    """Check the corners of a layout or board, and scale them to the decoded image.

    Args:
        photo: Photo in which they are seen.
        corners_px: Shape (4, 2), in pixels of the full photo.
        aspect: Expected ratio of width to height.
        shape: Layout or board in words, for errors.

    Raises:
        EditionError: ``teach-corners``.
    """
    corners = floats(photo.to_decoded_px(corners_px))
    if corners.shape != (4, 2) or not np.isfinite(corners).all():
        raise _wrong_corners(Message("are not four points"), photo.name)
    edges = np.roll(corners, -1, axis=0) - corners
    following = np.roll(edges, -1, axis=0)
    turns = edges[:, 0] * following[:, 1] - edges[:, 1] * following[:, 0]
    if not (turns > 0).all():
        raise _wrong_corners(Message("do not go round clockwise"), photo.name)
    across, down = mean_sides(corners)
    if not 1 / MAX_ASKEW < across / down / aspect < MAX_ASKEW:
        seen = Message(
            "{width} x {height} pixels",
            width=round(across * photo.scale),
            height=round(down * photo.scale),
        )
        raise _wrong_corners(
            Message("span {seen}, which does not fit {shape}", seen=seen, shape=shape), photo.name
        )
    height, width = photo.image_bgr.shape[:2]
    room = MAX_BEYOND_EDGE * max(across, down)
    if (corners < -room).any() or (corners > floats([width, height]) + room).any():
        raise _wrong_corners(Message("lie outside the photo"), photo.name)
    return corners


def _wrong_corners(what: str, name: str) -> EditionError:
    return EditionError(
        "teach-corners",
        "the corners {what}: give those at the top left, top right, bottom right and bottom "
        "left, as x,y in pixels of the photo",
        name,
        what=what,
    )


def mean_sides(corners: Corners) -> tuple[float, float]:
    """Return the mean width and height of a quad."""
    edges = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    return float(edges[0] + edges[2]) / 2, float(edges[1] + edges[3]) / 2
