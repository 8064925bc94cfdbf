"""Measures of a quad, whatever its pixels are those of."""

from collections.abc import Sequence
from math import hypot

import cv2
import numpy as np

from vision.reading import Point, Quad


def mean_side(quad: Quad) -> float:
    """Mean length of the four edges."""
    edges = zip(quad, quad[1:] + quad[:1], strict=True)
    return sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in edges) / 4


def middle(quad: Quad) -> Point:
    """The mean of the four corners."""
    return sum(x for x, _ in quad) / 4, sum(y for _, y in quad) / 4


def even_share(quad: Quad, rows_columns: tuple[int, int], cell: tuple[int, int]) -> Quad:
    """The part of a quad, seen in perspective, that one cell of even rows and columns has."""
    row, column = cell
    corners = [(column + dx, row + dy) for dx, dy in ((0, 0), (1, 0), (1, 1), (0, 1))]
    top_left, top_right, bottom_right, bottom_left = from_grid(quad, rows_columns, corners)
    return top_left, top_right, bottom_right, bottom_left


def from_grid(
    quad: Quad, rows_columns: tuple[int, int], points: Sequence[tuple[float, float]]
) -> list[Point]:
    """Points in pixels that are given in cells of a grid: x in columns, y in rows.

    Args:
        quad: corners of the grid.
        rows_columns: of the grid.
        points: (0, 0) is its top left corner, (columns, rows) the bottom right one.
    """
    rows, columns = rows_columns
    unit = np.array([(0, 0), (columns, 0), (columns, rows), (0, rows)], np.float32)
    transform = cv2.getPerspectiveTransform(unit, np.array(quad, np.float32))
    placed = cv2.perspectiveTransform(np.array([points], np.float64), transform)[0]
    return [(float(x), float(y)) for x, y in placed]
