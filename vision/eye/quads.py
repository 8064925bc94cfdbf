"""Quads in pixels: common area, distance of points, coordinates in the photo, edges of the image.

Frames: pixels of the decoded image, which the eye sees, and pixels of the photo, which a reading
states; they differ by ``Photo.scale``. A quad is an array (4, 2) of corners (x, y), clockwise.

Other modules judge what lies at the edge of the image: ``acceptance`` counts a whole tile if its
middle is in the image; ``recognise.may_lie_further_out`` doubts the position of a placed grid
there, and ``leftovers.may_continue_beyond_edge`` finds tiles in no grid that may be a part of one.
"""

from collections.abc import Iterable, Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike

from vision.arrays import Corners, Doubles, Floats, Masks, floats
from vision.photo.load import Photo
from vision.reading import Note, NoteCode, Quad, as_quad, note

MIN_SAME_OVERLAP: Final = 0.2
"""Common area above which two outlines show the same thing, as a share of the smaller one. Outlines
of different stages are inexact, so that of two things that touch may overlap more than two grids
do. Larger: one thing is reported several times; smaller: neighbours become one."""
MAX_GRID_OVERLAP: Final = 0.15
"""Maximum common area of two fitted grids that can both lie on the table, as a share of the smaller
one. Larger: one grid is read twice; smaller: of two that touch one is lost."""


def overlap_share(first: Floats, second: Floats) -> float:
    """Return the common area of two quads as a share of the smaller one."""
    both = cv2.intersectConvexConvex(cv2.convexHull(first), cv2.convexHull(second))[0]
    return float(both) / max(min(cv2.contourArea(first), cv2.contourArea(second)), 1e-6)


def overlaps_any(quad_px: Floats, others: Iterable[Floats], limit: float) -> bool:
    """Return whether a quad has more than a share ``limit`` in common with any other."""
    return any(overlap_share(quad_px, other) > limit for other in others)


def coincides_with_any(quad_px: Floats, others: Iterable[Floats]) -> bool:
    """Return whether a quad shows the same thing as any other, by ``MIN_SAME_OVERLAP``."""
    return overlaps_any(quad_px, others, MIN_SAME_OVERLAP)


def distances_outside(quads: Sequence[Floats], points: Doubles) -> Doubles:
    """Return the distances (k, n) of points (n, 2) from k convex quads, negative or 0 inside."""
    corners = floats(quads).reshape(-1, 4, 2)
    following = corners[:, [1, 2, 3, 0]]
    twice_areas = corners[..., 0] * following[..., 1] - following[..., 0] * corners[..., 1]
    sides = following - corners
    outward = np.stack([sides[..., 1], -sides[..., 0]], axis=-1)
    outward *= np.sign(twice_areas.sum(axis=1))[:, None, None]
    outward /= np.maximum(np.sqrt((outward**2).sum(axis=-1, keepdims=True)), 1e-9)
    (x, y), (corner_x, corner_y) = points.T, np.moveaxis(corners, -1, 0)[..., None]
    outward_x, outward_y = np.moveaxis(outward, -1, 0)[..., None]
    beyond_sides = (x - corner_x) * outward_x + (y - corner_y) * outward_y
    return np.asarray(beyond_sides.max(axis=1), np.float64)


def to_photo_quad(corners: Corners, photo: Photo) -> Quad:
    """Transform a quad from the decoded image to the photo."""
    return to_photo_quads([corners], photo)[0]


def to_photo_quads(quads: Sequence[Corners], photo: Photo) -> list[Quad]:
    """Transform quads from the decoded image to the photo, all at once, which is quicker."""
    points = np.round(photo.to_photo_px(np.asarray(quads)), 2).tolist()
    return [as_quad(four) for four in points]


def reach_over_edge(quads_px: Floats, size_wh: tuple[int, int]) -> Masks:
    """Return which quads (..., 4, 2) have any ``crossed_edges``."""
    return np.asarray(((quads_px < -2) | (quads_px > np.add(size_wh, 1))).any(axis=(-2, -1)))


def crossed_edges(quad_px: ArrayLike, size_wh: tuple[int, int]) -> list[str]:
    """Return the edges of an image or photo beyond which a quad reaches by more than rounding."""
    xs, ys = np.asarray(quad_px, np.float64).T.tolist()
    width, height = size_wh
    beyond = {
        "left": min(xs) < -2,
        "top": min(ys) < -2,
        "right": max(xs) > width + 1,
        "bottom": max(ys) > height + 1,
    }
    return [edge for edge, over in beyond.items() if over]


def over_the_edge_note(edges: Sequence[str]) -> Note:
    """Return the note on a grid that reaches beyond these edges of the photo."""
    return note(NoteCode.OVER_THE_EDGE, edges=" ".join(edges))
