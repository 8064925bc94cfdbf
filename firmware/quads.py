"""Measures of a quad, whatever its pixels are those of."""

from math import hypot

from vision.reading import Point, Quad


def mean_side(quad: Quad) -> float:
    """Mean length of the four edges."""
    edges = zip(quad, quad[1:] + quad[:1], strict=True)
    return sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in edges) / 4


def middle(quad: Quad) -> Point:
    """The mean of the four corners."""
    return sum(x for x, _ in quad) / 4, sum(y for _, y in quad) / 4
