"""Blobs of a picture: the points at which local features are taken.

Method: maxima of the determinant of the Hessian over place and scale (T. Lindeberg, "Feature
detection with automatic scale selection", IJCV 1998). Edges give none, as their determinant is
near zero.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import FloatImage, Points, floats

FINEST = 0.7
"""Standard deviation, in pixels, of the blur of the sharpest layer of an octave."""
PER_OCTAVE = 2
"""Layers from one scale to twice that scale, where the next octave begins."""
MOST_OCTAVES = 5
SMALLEST_PX = 24
"""No octave has a side shorter than this."""
WEAKEST = 9.0
"""Determinant of the Hessian by scale, in grey levels squared, of a blob that counts."""
MOST_OFF = 0.6
"""How far the top of a blob may lie from the pixel or layer where it is highest."""
_FAINT = 0.4
_CAMERA_BLUR = 0.5
_MARGIN = 4
_PARTS = 12
"""A picture is divided into so many parts each way, of which none may take all keypoints."""
_KERNEL = np.ones((3, 3), np.uint8)

Octave = tuple[FloatImage, ...]
"""Copies of a picture, each more blurred than the one before."""


@dataclass(frozen=True, slots=True, eq=False)
class Keypoints:
    """Blobs, ordered by the layer in which they lie.

    Attributes:
        at: (n, 2) in pixels of their octave, (0, 0) the centre of the top left one.
        sigmas: (n,) their scale in the same pixels, the standard deviation of a Gaussian blob.
        strengths: (n,) how much they stand out.
        bright: (n,) whether they are brighter than what is around.
        octaves: (n,) number of the octave, whose pixels are 2^octave wide.
        layers: (n,) number of the layer in it.
    """

    at: Points
    sigmas: NDArray[np.float32]
    strengths: NDArray[np.float32]
    bright: NDArray[np.bool_]
    octaves: NDArray[np.intp]
    layers: NDArray[np.intp]

    def __len__(self) -> int:
        return len(self.at)

    @property
    def pixels(self) -> NDArray[np.float32]:
        """The width (n,) of the pixels of their octave in pixels of the picture."""
        return floats(2.0**self.octaves)

    @property
    def points(self) -> Points:
        """Where they lie in the picture, (n, 2) pixels."""
        return self.at * self.pixels[:, None]

    def only(self, chosen: NDArray[np.intp]) -> Self:
        """Some of them."""
        return type(self)(*(getattr(self, field.name)[chosen] for field in fields(self)))

    @classmethod
    def joined(cls, several: Sequence[Self]) -> Self:
        """All of several."""
        columns = ([getattr(some, field.name) for some in several] for field in fields(cls))
        return cls(*(np.concatenate(column) for column in columns))


def scale_space(grey: NDArray[np.uint8]) -> tuple[Octave, ...]:
    """A grey picture (h, w) ever more blurred; each octave has half as many pixels each way."""
    growth = 2 ** (1 / PER_OCTAVE)
    blurs = [FINEST * growth**n * np.sqrt(growth**2 - 1) for n in range(PER_OCTAVE + 1)]
    base = _blurred(grey.astype(np.float32), np.sqrt(FINEST**2 - _CAMERA_BLUR**2))
    octaves: list[Octave] = []
    while len(octaves) < MOST_OCTAVES and min(base.shape) >= SMALLEST_PX:
        layers = [base]
        for blur in blurs:
            layers.append(_blurred(layers[-1], blur))
        octaves.append(tuple(layers))
        base = np.ascontiguousarray(layers[PER_OCTAVE][::2, ::2])
    return tuple(octaves)


def _blurred(image: FloatImage, sigma: float) -> FloatImage:
    side = 2 * int(np.ceil(2.6 * sigma)) + 1
    return np.asarray(cv2.GaussianBlur(image, (side, side), sigma), np.float32)


def keypoints_of(octaves: Sequence[Octave], most: int) -> Keypoints:
    """The strongest blobs, spread over the picture.

    Args:
        octaves: of the picture, see ``scale_space``.
        most: how many to keep.
    """
    found = [_NONE]
    for number, octave in enumerate(octaves):
        determinants = _determinants(octave)
        around = [floats(cv2.dilate(each, _KERNEL)) for each in determinants]
        for layer in range(1, PER_OCTAVE + 1):
            at, strengths, between = _tops(determinants, around, layer)
            found.append(_keypoints(octave, number, layer, at, strengths, between))
    every = Keypoints.joined(found)
    return every if len(every) <= most else every.only(_spread(every, octaves[0][0].shape, most))


def _spread(keypoints: Keypoints, shape: tuple[int, ...], most: int) -> NDArray[np.intp]:
    """The strongest of each part of a picture, lest a patterned cloth takes them all."""
    strength = keypoints.strengths
    parts = (keypoints.points / (np.array(shape[::-1]) + 1) * _PARTS).astype(np.intp)
    part = parts[:, 1] * _PARTS + parts[:, 0]
    order = np.lexsort((-strength, part))
    first = np.searchsorted(part[order], part[order])
    rank = np.arange(len(order)) - first
    # The strongest of every part, then the second of every part, as many as fit
    return np.sort(order[np.lexsort((-strength[order], rank))][:most])


def _determinants(octave: Octave) -> list[FloatImage]:
    """The determinant of the Hessian of each layer (h, w), made independent of the scale."""
    down, across = np.empty_like(octave[0]), np.empty_like(octave[0])
    determinants: list[FloatImage] = []
    for layer, image in enumerate(octave):
        square = float(_sigma(layer)) ** 2
        right = cv2.Sobel(image, cv2.CV_32F, 2, 0, ksize=1, scale=square)
        cv2.Sobel(image, cv2.CV_32F, 0, 2, dst=down, ksize=1, scale=square)
        cv2.Sobel(image, cv2.CV_32F, 1, 1, dst=across, ksize=1, scale=square / 4)
        cv2.multiply(right, down, dst=right)
        cv2.multiply(across, across, dst=across)
        cv2.subtract(right, across, dst=right)
        determinants.append(np.asarray(right, np.float32))
    return determinants


def _sigma(layer: NDArray[np.float32] | int) -> NDArray[np.float32]:
    """The standard deviation of the blur of a layer, in pixels of its octave."""
    return floats(FINEST * 2 ** (layer / PER_OCTAVE))


_Tops = tuple[NDArray[np.intp], NDArray[np.float32], NDArray[np.float32]]


def _tops(determinants: Sequence[FloatImage], around: Sequence[FloatImage], layer: int) -> _Tops:
    """Where a layer is higher than all around, in it and in both next to it.

    Args:
        determinants: of all layers.
        around: the highest of each pixel and its neighbours, of all layers.
        layer: an inner one.

    Returns:
        Pixels (n,) of the flattened layer, how high it is there, and by how much of a layer the
        top lies nearer to the next one.
    """
    here = determinants[layer]
    floor = np.maximum(around[layer], np.float32(_FAINT * WEAKEST))
    inner = np.zeros(here.shape, np.bool_)
    part = slice(_MARGIN, -_MARGIN)
    inner[part, part] = here[part, part] == floor[part, part]
    at = np.flatnonzero(inner)
    for other in (around[layer - 1], around[layer + 1]):
        at = at[other.ravel()[at] < here.ravel()[at]]
    before, top, after = (each.ravel()[at] for each in determinants[layer - 1 : layer + 2])
    # The top of a parabola through three layers
    slope, bend = (after - before) / 2, np.minimum(before + after - 2 * top, -1e-9)
    between = np.clip(-slope / bend, -MOST_OFF, MOST_OFF)
    strengths = floats(top + slope * between / 2)
    good = strengths >= WEAKEST
    return at[good], strengths[good], floats(between[good])


def _keypoints(
    octave: Octave,
    number: int,
    layer: int,
    at: NDArray[np.intp],
    strengths: NDArray[np.float32],
    between: NDArray[np.float32],
) -> Keypoints:
    """The blobs of a layer; the last three as from ``_tops``."""
    width = octave[layer].shape[1]
    # How much brighter than around; its top drifts less with the scale than the determinant's
    bump = floats(cv2.subtract(octave[layer], octave[layer + 1])).ravel()
    y, x = np.divmod(at, width)
    return Keypoints(
        floats(np.stack([x, y], axis=1) + _off_pixel(bump, at, width)),
        _sigma(layer + between),
        strengths,
        bump[at] > 0,
        np.full(len(at), number),
        np.full(len(at), layer),
    )


def _off_pixel(flat: NDArray[np.float32], at: NDArray[np.intp], width: int) -> Points:
    """How far right and down (n, 2) of each pixel a paraboloid is highest or lowest."""
    left, right, up, down = (flat[at + step] for step in (-1, 1, -width, width))
    falling = flat[at - width - 1] + flat[at + width + 1]
    rising = flat[at - width + 1] + flat[at + width - 1]
    xx, yy = left + right - 2 * flat[at], up + down - 2 * flat[at]
    xy = (falling - rising) / 4
    x, y = (right - left) / 2, (down - up) / 2
    curved = xx * yy - xy * xy
    curved = np.where(curved > 0, curved, np.inf)
    off = np.stack([(xy * y - yy * x) / curved, (xy * x - xx * y) / curved], axis=1)
    return floats(np.clip(off, -MOST_OFF, MOST_OFF))


_NONE = Keypoints(
    np.zeros((0, 2), np.float32),
    *(np.zeros(0, np.float32),) * 2,
    np.zeros(0, np.bool_),
    *(np.zeros(0, np.intp),) * 2,
)
