"""Where something large with four sides may lie on a table of unknown look.

The strip along the edges of a photo shows the table. What is coloured unlike it, or closed off from
it by edges, is a region; four straight sides are fitted round each region.
"""

from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Corners, FloatImage, Image, Points, floats

REGION_AREA_PX: Final = 60_000
"""Regions are looked for in a picture of about this size."""
LEAST_SHARE: Final = 0.06
"""Of the photo that a quad covers."""
_STRIP: Final = 0.06
"""Width of the strip that shows the table, in shorter sides of the photo."""
_BINS: Final = (16, 32, 32)
_RARE: Final = 0.02
"""Of the mean density of colours; both densities are raised by so much."""
_SOFT: Final = (1.2, 3.0)
"""Radii in pixels by which unlikeness is smoothed."""
_LEVELS: Final = (0.4, 1.2, 2.2)
"""Log ratios of densities above which a pixel is unlike the table."""
_EDGE_SHARES: Final = (0.75, 0.85)
"""Which share of pixels is steeper around than the outline of what is closed off."""
_SAME: Final = 0.012
"""Quads whose corners lie closer together are the same, in diagonals of the photo."""

Mask = NDArray[np.uint8]


def find_quads(image_bgr: Image) -> list[Corners]:
    """Quads round regions that are not the table, clockwise; pixels of ``image_bgr``."""
    height, width = image_bgr.shape[:2]
    shrink = min(1.0, float(np.sqrt(REGION_AREA_PX / (height * width))))
    size = (round(width * shrink), round(height * shrink))
    small = np.asarray(cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA), np.uint8)
    scale = floats([width / size[0], height / size[1]])
    least_area = LEAST_SHARE * size[0] * size[1]
    diagonal = float(np.hypot(*size))
    found: list[Corners] = []
    for mask in _masks(small):
        for outline in _outlines(mask, least_area):
            for quad in _sides_round(outline):
                if not any(np.abs(quad - other).max() < _SAME * diagonal for other in found):
                    found.append(quad)
    return [floats((quad + 0.5) * scale - 0.5) for quad in found]


def table_unlikeness(image_bgr: Image) -> FloatImage:
    """How unlike the strip along the edges each pixel (h, w) is coloured: log of density ratio."""
    lab = np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2LAB), np.intp)
    steps = 256 // np.array(_BINS)
    bins = np.ravel_multi_index(tuple(np.moveaxis(lab // steps, 2, 0)), _BINS)
    strip = _strip(bins.shape)
    table = _density(bins[strip])
    inner = ~strip
    ratio = np.zeros(bins.shape, np.float32)
    for _ in range(3):
        thing = _density(bins[inner])
        ratio = floats(np.log((thing + _RARE) / (table + _RARE)))[bins]
        unlike = (cv2.GaussianBlur(ratio, (0, 0), _SOFT[0]) > 0) & ~strip
        if unlike.mean() < LEAST_SHARE / 2:
            break
        inner = unlike
    return ratio


def _strip(shape: tuple[int, ...]) -> NDArray[np.bool_]:
    width = max(2, round(_STRIP * min(shape)))
    strip = np.ones(shape, bool)
    strip[width:-width, width:-width] = False
    return strip


def _density(bins: NDArray[np.intp]) -> FloatImage:
    """Density of colours (n,), 1 in the mean, smoothed along each axis of the colour space."""
    counts = floats(np.bincount(bins.ravel(), minlength=int(np.prod(_BINS)))).reshape(_BINS)
    for axis in range(3):
        for _ in range(2):
            padded = np.pad(counts, [(1, 1) if n == axis else (0, 0) for n in range(3)], "edge")
            before, after = (np.take(padded, range(k, k + _BINS[axis]), axis) for k in (0, 2))
            counts = floats(0.25 * before + 0.5 * counts + 0.25 * after)
    return floats(counts.ravel() / max(float(counts.mean()), 1e-9))


def _masks(small: Image) -> Iterator[Mask]:
    """Regions in a small picture, each time by another rule."""
    unlike = table_unlikeness(small)
    for soft in _SOFT:
        smoothed = cv2.GaussianBlur(unlike, (0, 0), soft)
        for level in _LEVELS:
            yield np.asarray(smoothed > level, np.uint8)
    yield from _closed_off(small)


def _closed_off(small: Image) -> Iterator[Mask]:
    """What cannot be reached from the edges of the photo without crossing an edge in it."""
    soft = cv2.GaussianBlur(floats(cv2.cvtColor(small, cv2.COLOR_BGR2LAB)), (0, 0), 1.0)
    across, down = cv2.Sobel(soft, -1, 1, 0), cv2.Sobel(soft, -1, 0, 1)
    steep = np.sqrt((across**2 + down**2).sum(axis=2))
    for share in _EDGE_SHARES:
        edges = np.asarray(steep > np.quantile(steep, share), np.uint8)
        joined = cv2.morphologyEx(edges, cv2.MORPH_CLOSE, _disc(2))
        contours, _ = cv2.findContours(joined, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        filled = np.zeros(small.shape[:2], np.uint8)
        cv2.drawContours(filled, contours, -1, 1, cv2.FILLED)
        yield np.asarray(cv2.erode(filled, _disc(1)), np.uint8)


def _disc(radius: int) -> Mask:
    size = (2 * radius + 1, 2 * radius + 1)
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, size), np.uint8)


def _outlines(mask: Mask, least_area: float) -> Iterator[Points]:
    """Convex outlines (n, 2) of the large parts of a mask, after closing gaps and after opening."""
    for radius in (2, 5):
        closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, _disc(radius))
        opened = cv2.morphologyEx(closed, cv2.MORPH_OPEN, _disc(radius + 1))
        contours, _ = cv2.findContours(opened, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        for contour in contours:
            hull = floats(cv2.convexHull(contour)).reshape(-1, 2)
            if len(hull) >= 4 and cv2.contourArea(hull) >= least_area:
                yield hull


def _sides_round(hull: Points) -> Iterator[Corners]:
    """Quads round a convex outline: two whose sides follow it, and the smallest rectangle."""
    enclosing = _enclosing_quad(hull)
    if enclosing is not None:
        yield enclosing
        fitted = _fitted_sides(hull, enclosing)
        if fitted is not None:
            yield fitted
    yield clockwise(floats(cv2.boxPoints(cv2.minAreaRect(hull))))


def _enclosing_quad(hull: Points) -> Corners | None:
    """The outline with sides left out, each time the one that adds the least area, until 4 stay."""
    corners = [np.asarray(point, np.float64) for point in clockwise(hull)]
    while len(corners) > 4:
        added, place, point = np.inf, -1, corners[0]
        for number in range(len(corners)):
            before, first, second, after = (
                corners[(number + k) % len(corners)] for k in (-1, 0, 1, 2)
            )
            met = crossing(before, first, after, second)
            if met is None or np.dot(met - first, first - before) < 0:
                continue
            area = abs(float(_cross(met - first, second - first))) / 2
            if area < added:
                added, place, point = area, number, met
        if place < 0:
            return None
        after_place = (place + 1) % len(corners)
        corners[place] = point
        del corners[after_place]
    return floats(corners)


def _fitted_sides(hull: Points, quad: Corners) -> Corners | None:
    """The quad of the lines that run along most of the outline near each of its sides."""
    dense = _along(hull)
    away = np.stack([_distances(dense, quad[k], quad[(k + 1) % 4]) for k in range(4)])
    nearest = away.argmin(axis=0)
    lines = []
    for side in range(4):
        points = dense[nearest == side]
        if len(points) < 8:
            return None
        vx, vy, x, y = cv2.fitLine(points, cv2.DIST_WELSCH, 2.0, 0.01, 0.01).ravel().tolist()
        lines.append((np.array([x, y]), np.array([x + vx, y + vy])))
    met = [crossing(*lines[side - 1], *lines[side]) for side in range(4)]
    corners = [point for point in met if point is not None]
    if len(corners) < 4:
        return None
    fitted = floats(corners)
    return fitted if cv2.isContourConvex(fitted) else None


def _along(hull: Points) -> Points:
    """Points a pixel apart along a closed outline."""
    pieces = []
    for start, end in zip(hull, np.roll(hull, -1, axis=0), strict=True):
        steps = max(1, int(np.hypot(*(end - start))))
        pieces.append(start + np.arange(steps)[:, None] / steps * (end - start))
    return floats(np.concatenate(pieces))


def _distances(points: Points, start: Points, end: Points) -> FloatImage:
    way = (end - start) / max(float(np.hypot(*(end - start))), 1e-6)
    off = points - start
    return floats(np.abs(off[:, 0] * way[1] - off[:, 1] * way[0]))


def crossing(
    a: NDArray[np.float64], b: NDArray[np.float64], c: NDArray[np.float64], d: NDArray[np.float64]
) -> NDArray[np.float64] | None:
    """Where the line through a and b meets that through c and d, all (2,); None: nowhere near."""
    first, second = b - a, d - c
    turn = _cross(first, second)
    if abs(turn) < 1e-3 * float(np.hypot(*first) * np.hypot(*second)):
        return None
    return np.asarray(a + first * _cross(c - a, second) / turn, np.float64)


def _cross(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    return float(first[0] * second[1] - first[1] * second[0])


def clockwise(points: Points) -> Points:
    """The points of an outline in clockwise order as seen (y runs down)."""
    return points if cv2.contourArea(points, oriented=True) > 0 else floats(points[::-1])
