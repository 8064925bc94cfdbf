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
from vision.boards.spread import spread

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
_KERNEL = np.ones((3, 3), np.uint8)
_STRIP_AREA_PX = 100_000
"""Of strips in which a picture is searched; what is computed stays in the processor's cache."""
_HALO_PX = 2
"""By so much strips overlap: a blob depends on pixels so far away."""
_BEND_ACROSS = floats([[1, -2, 1]])
_BEND_DOWN = _BEND_ACROSS.T
_TWIST = floats([[1, 0, -1], [0, 0, 0], [-1, 0, 1]]) / 4
"""The second derivatives: to the right, down, and one after the other."""

Octave = tuple[FloatImage, ...]
"""Copies of a picture, each more blurred than the one before."""


_Tops = tuple[NDArray[np.intp], NDArray[np.float32]]
"""Pixels (n,) of a flattened layer, and (3, n) how high the layer before, this one and the next one
are there."""


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


def scale_space(grey: NDArray[np.uint8] | FloatImage) -> tuple[Octave, ...]:
    """A grey picture (h, w) ever more blurred; each octave has half as many pixels each way."""
    growth = 2 ** (1 / PER_OCTAVE)
    blurs = [FINEST * growth**n * np.sqrt(growth**2 - 1) for n in range(PER_OCTAVE + 1)]
    base = _blurred(grey.astype(np.float32, copy=False), np.sqrt(FINEST**2 - _CAMERA_BLUR**2))
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


def keypoints_of(
    octaves: Sequence[Octave], most: int, where: NDArray[np.uint8] | None = None
) -> Keypoints:
    """The strongest blobs, spread over the picture.

    Args:
        octaves: of the picture, see ``scale_space``.
        most: how many to keep.
        where: (h, w) of any size, 0 where the picture is not looked at; None: all of it is.
    """
    tops = [
        (octave, number, layer, top)
        for number, octave in enumerate(octaves)
        for layer, top in enumerate(_tops_of_octave(octave), 1)
    ]
    if not tops:
        return _NONE
    counts = [len(at) for _, _, _, (at, _) in tops]
    at = np.concatenate([at for *_, (at, _) in tops])
    strengths, between = _summits(np.concatenate([heights for *_, (_, heights) in tops], axis=1))
    numbers, layers = (np.repeat([each[n] for each in tops], counts) for n in (1, 2))
    widths = np.repeat([octave[0].shape[1] for octave, *_ in tops], counts)
    pixels = floats(np.stack([at % widths, at // widths], axis=1))
    points = pixels * floats(2.0**numbers)[:, None]
    shape = octaves[0][0].shape
    kept = np.flatnonzero(strengths >= WEAKEST)
    if where is not None:
        share = np.array(where.shape[::-1]) / shape[::-1]
        x, y = ((points[kept] + 0.5) * share).astype(np.intp).T
        kept = kept[where[y, x] > 0]
    if len(kept) > most:
        kept = kept[spread(points[kept], strengths[kept], shape, most)]
    parts = np.split(at[kept], np.searchsorted(kept, np.cumsum(counts)[:-1]))
    bumps = np.concatenate(
        [_bumps(octave, layer, own) for (octave, _, layer, _), own in zip(tops, parts, strict=True)]
    )
    return Keypoints(
        pixels[kept] + _off_pixel(bumps),
        _sigma(floats(layers[kept] + between[kept])),
        strengths[kept],
        bumps[:, 4] > 0,
        numbers[kept],
        layers[kept],
    )


def _tops_of_octave(octave: Octave) -> list[_Tops]:
    """The blobs of each inner layer."""
    height, width = octave[0].shape
    rows = -(-_STRIP_AREA_PX // width)
    strips = [_tops_of_strip(octave, top, rows) for top in range(0, height, rows)]
    return [
        (np.concatenate(at), np.concatenate(heights, axis=1))
        for at, heights in (zip(*parts, strict=True) for parts in zip(*strips, strict=True))
    ]


def _tops_of_strip(octave: Octave, top: int, rows: int) -> list[_Tops]:
    """The blobs of each inner layer in the strip of so many rows that begins at ``top``."""
    height, width = octave[0].shape
    bottom = min(top + rows, height)
    begin = max(top - _HALO_PX, 0)
    determinants = _determinants([image[begin : bottom + _HALO_PX] for image in octave])
    own = slice(max(top, _MARGIN) - begin, min(bottom, height - _MARGIN) - begin)
    tops = (_tops(determinants, layer, own) for layer in range(1, PER_OCTAVE + 1))
    return [(at + begin * width, heights) for at, heights in tops]


def _determinants(octave: Sequence[FloatImage]) -> list[FloatImage]:
    """The determinant of the Hessian of each layer (h, w), made independent of the scale."""
    determinants: list[FloatImage] = []
    for image, kernels in zip(octave, _HESSIANS, strict=True):
        across, down, twist = (cv2.filter2D(image, cv2.CV_32F, kernel) for kernel in kernels)
        cv2.multiply(across, down, dst=across)
        cv2.multiply(twist, twist, dst=twist)
        cv2.subtract(across, twist, dst=across)
        determinants.append(np.asarray(across, np.float32))
    return determinants


def _sigma(layer: NDArray[np.float32] | int) -> NDArray[np.float32]:
    """The standard deviation of the blur of a layer, in pixels of its octave."""
    return floats(FINEST * 2 ** (layer / PER_OCTAVE))


_HESSIANS = [
    [_sigma(layer) ** 2 * kernel for kernel in (_BEND_ACROSS, _BEND_DOWN, _TWIST)]
    for layer in range(PER_OCTAVE + 2)
]
"""What gives the second derivatives of each layer."""


def _tops(determinants: Sequence[FloatImage], layer: int, rows: slice) -> _Tops:
    """Where a layer is higher than all around, in it and in both next to it.

    Args:
        determinants: of all layers.
        layer: an inner one.
        rows: those to look at.
    """
    three = determinants[layer - 1 : layer + 2]
    before, here, after = three
    around = np.asarray(cv2.dilate(cv2.max(cv2.max(before, here), after), _KERNEL), np.float32)
    is_top = here[rows] == around[rows]
    is_top &= here[rows] >= np.float32(_FAINT * WEAKEST)
    width = here.shape[1]
    at = np.flatnonzero(is_top) + rows.start * width
    column = at % width
    at = at[(column >= _MARGIN) & (column < width - _MARGIN)]
    return at, floats([each.ravel()[at] for each in three])


def _summits(
    heights: NDArray[np.float32],
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """How high parabolas through three layers (3, n) are, and where, in layers from the middle."""
    before, top, after = heights
    slope, bend = (after - before) / 2, np.minimum(before + after - 2 * top, -1e-9)
    between = np.clip(-slope / bend, -MOST_OFF, MOST_OFF)
    return floats(top + slope * between / 2), floats(between)


def _bumps(octave: Octave, layer: int, at: NDArray[np.intp]) -> NDArray[np.float32]:
    """How much brighter than around pixels (n,) of a flattened layer and their neighbours are.

    The tops of these (n, 9), in reading order, drift less with the scale than the determinant's.
    """
    near = at[:, None] + (_NEIGHBOURS @ (octave[layer].shape[1], 1))
    return floats(octave[layer].ravel()[near] - octave[layer + 1].ravel()[near])


_NEIGHBOURS = np.array([(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1)], np.intp)


def _off_pixel(near: NDArray[np.float32]) -> Points:
    """How far right and down (n, 2) of pixels a paraboloid is highest or lowest.

    Args:
        near: (n, 9) the values of each and of its neighbours, in reading order.
    """
    up_left, up, up_right, left, here, right, down_left, down, down_right = near.T
    falling, rising = up_left + down_right, up_right + down_left
    xx, yy = left + right - 2 * here, up + down - 2 * here
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
