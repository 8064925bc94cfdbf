"""Quads of a reading: geometry in any pixel frame, and the position in a photo in words."""

from collections.abc import Sequence
from math import hypot

import cv2
import numpy as np

from firmware.base.language import N_
from vision.message import Message
from vision.reading import Point, Quad, Reading, Unread, as_quad, transform_quad


def mean_side_px(quad: Quad) -> float:
    """Return the mean length of the four edges."""
    edges = zip(quad, quad[1:] + quad[:1], strict=True)
    return sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in edges) / 4


def quad_centre(quad: Quad) -> Point:
    """Return the mean of the four corners."""
    return sum(x for x, _y in quad) / 4, sum(y for _x, y in quad) / 4


def enlarge(quad: Quad, factor: float) -> Quad:
    """Scale a quad about its centre."""
    x, y = quad_centre(quad)
    return transform_quad(
        quad, lambda points: [(x + (px - x) * factor, y + (py - y) * factor) for px, py in points]
    )


def cell_quad(quad: Quad, rows_columns: tuple[int, int], cell: tuple[int, int]) -> Quad:
    """Return the quad of one cell of a grid of equal cells, seen in perspective."""
    row, column = cell
    corners = [(column + dx, row + dy) for dx, dy in ((0, 0), (1, 0), (1, 1), (0, 1))]
    return grid_to_photo(quad, rows_columns, corners)


def grid_to_photo(quad: Quad, rows_columns: tuple[int, int], corners: Sequence[Point]) -> Quad:
    """Transform four corners from cells of a grid to pixels.

    Args:
        quad: Corners of the grid in pixels.
        rows_columns: Size of the grid.
        corners: Points (x in columns, y in rows); (0, 0) is the top left corner of the grid,
            (columns, rows) the bottom right one.
    """
    rows, columns = rows_columns
    unit = np.array([(0, 0), (columns, 0), (columns, rows), (0, rows)], np.float32)
    transform = cv2.getPerspectiveTransform(unit, np.array(quad, np.float32))
    placed = cv2.perspectiveTransform(np.array([corners], np.float64), transform)[0]
    return as_quad(placed.tolist())


def position_in_photo(quad: Quad, size_wh: tuple[int, int]) -> Message:
    """Return the ninth of the photo with the centre of a quad, such as ``upper left``."""
    names = (
        (N_("upper left"), N_("top"), N_("upper right")),
        (N_("left"), N_("middle"), N_("right")),
        (N_("lower left"), N_("bottom"), N_("lower right")),
    )
    column, row = (
        min(max(int(3 * at / size), 0), 2)
        for at, size in zip(quad_centre(quad), size_wh, strict=True)
    )
    return Message(names[row][column])


def region_position(region: Unread, reading: Reading) -> Message:
    """Return the position of an unread region in its photo."""
    name = dict(region.reason.values).get("photo")
    photos = () if reading.join is None else reading.join.photos
    photo = next((each for each in photos if each.name == name), None)
    if photo is None:
        return position_in_photo(region.corners_px, reading.size_wh)
    corners = transform_quad(region.corners_px, photo.to_photo_px)
    return position_in_photo(corners, photo.size_wh)


def unread_positions(reading: Reading) -> Message:
    """Return the positions of all unread cities as one message."""
    positions: dict[str, Message] = {}
    for index, region in enumerate(reading.unread):
        at, name = region_position(region, reading), dict(region.reason.values).get("photo")
        in_photo = at if name is None else Message("{photo}, {at}", photo=str(name), at=at)
        positions[f"position_{index}"] = in_photo
    return Message(", ".join(f"{{{name}}}" for name in positions), **positions)
