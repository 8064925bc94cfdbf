"""What a picture shows around its keypoints, whichever way it is turned.

Method: histograms of gradient directions about the main direction of each keypoint (D. Lowe,
"Distinctive image features from scale-invariant keypoints", IJCV 2004, 5 and 6); directions are
weighed by their cosine, as in E. Tola et al., "DAISY", PAMI 2010. All keypoints are described at
once: each is cut out as a small square patch.
"""

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import floats
from vision.boards.keypoints import Keypoints, Octave

_TURN_PX = 10
"""Side of the patch whose gradients tell the main direction."""
_TURN_REACH = 3.5
"""From a keypoint to the edge of this patch, in the keypoint's scale."""
_TURN_SIGMA = 2.0
_BINS = 36
_SECOND = 0.7
"""Further main directions are as strong as the first but for this factor."""

_PATCH_PX = 10
"""Side of the patch that is described."""
_REACH = 7.0
_FIELDS = 4
"""A patch has so many fields each way, each with its own histogram."""
_FIELD = 2.8
"""Width of a field in the keypoint's scale."""
_DIRECTIONS = 8
"""An eighth of a turn from one to the next."""
_MOST = 0.2
"""No number of a descriptor is larger, lest a single strong edge decides."""

_STEPS = 32
_LAYERS = 16
"""More than an octave has."""

DIMENSIONS = _FIELDS**2 * _DIRECTIONS

Gradients = tuple[NDArray[np.float32], NDArray[np.float32]]
"""To the right and down, both (side * side, n)."""


def main_angles(
    octaves: Sequence[Octave], keypoints: Keypoints, *, several: bool
) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    """The directions in which the picture gets brighter around keypoints.

    Args:
        octaves: of the picture, see ``keypoints.scale_space``.
        keypoints: of the same picture.
        several: whether to give all main directions of a keypoint or the first only.

    Returns:
        Numbers (n,) of keypoints, and for each the direction: radians, clockwise as seen.
    """
    upright = np.zeros(len(keypoints), np.float32)
    right, down = _gradients(octaves, keypoints, upright, _TURN_PX, _TURN_REACH)
    lengths, angles = cv2.cartToPolar(right, down)
    lengths *= _TURN_WEIGHTS[:, None]
    bins = np.rint(angles * np.float32(_BINS / (2 * np.pi))).astype(np.intp)
    # A full turn has a bin of its own at first
    bins += np.arange(len(keypoints)) * (_BINS + 1)
    counts = np.bincount(bins.ravel(), lengths.ravel(), len(keypoints) * (_BINS + 1))
    histograms = floats(counts).reshape(-1, _BINS + 1)
    histograms[:, 0] += histograms[:, _BINS]
    return _peaks(histograms[:, :_BINS] @ _SMOOTHED, several=several)


def _smoothed() -> NDArray[np.float32]:
    """What brings a circular histogram (n, bins), multiplied by it, to one without small peaks."""
    apart = np.arange(_BINS) - np.arange(_BINS)[:, None]
    apart = np.minimum(apart % _BINS, -apart % _BINS)
    return floats((floats([6, 4, 1, 0]) / 16)[np.minimum(apart, 3)])


_SMOOTHED = _smoothed()


def _peaks(
    histograms: NDArray[np.float32], *, several: bool
) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    """The highest places of circular histograms (n, bins): numbers of these, and angles."""
    if several:
        before, after = (np.roll(histograms, by, axis=1) for by in (1, -1))
        highest = histograms.max(axis=1, keepdims=True)
        tops = (histograms > before) & (histograms > after) & (histograms >= _SECOND * highest)
        which, peak = np.nonzero(tops)
    else:
        which, peak = np.arange(len(histograms)), histograms.argmax(axis=1)
    below, top, above = (histograms[which, (peak + by) % _BINS] for by in (-1, 0, 1))
    bend = np.minimum(below + above - 2 * top, -1e-9)
    return which, floats((peak + (below - above) / (2 * bend)) * (2 * np.pi / _BINS))


def described(
    octaves: Sequence[Octave], keypoints: Keypoints, angles: NDArray[np.float32]
) -> NDArray[np.float32]:
    """The descriptors (n, DIMENSIONS) of keypoints seen from their directions (n,), of length 1."""
    right, down = _gradients(octaves, keypoints, angles, _PATCH_PX, _REACH)
    numbers = np.empty((_DIRECTIONS, _FIELDS**2, len(keypoints)), np.float32)
    half = _DIRECTIONS // 2
    slanted = np.float32(np.sqrt(0.5))
    for n, along in enumerate((right, (right + down) * slanted, down, (down - right) * slanted)):
        _, this_way = cv2.threshold(along, 0, 0, cv2.THRESH_TOZERO)
        np.matmul(_POOLED, this_way, out=numbers[n])
        # What points the other way is what is left
        np.subtract(numbers[n], _POOLED @ along, out=numbers[n + half])
    descriptors = _of_length_one(numbers.reshape(DIMENSIONS, -1))
    return _of_length_one(np.minimum(descriptors, _MOST, out=descriptors)).T


def _of_length_one(columns: NDArray[np.float32]) -> NDArray[np.float32]:
    """Columns of numbers (k, n), divided by their lengths."""
    lengths = np.sqrt(np.einsum("ij,ij->j", columns, columns))
    columns /= np.maximum(lengths, np.float32(1e-6))
    return columns


@cache
def _places(side: int, reach: float) -> NDArray[np.float32]:
    """Where the pixels of a patch lie, (side * side, 2) from its middle, in rows.

    Not to be written to.
    """
    line = ((np.arange(side) + 0.5) / side * 2 - 1) * reach
    return floats(np.stack(np.meshgrid(line, line), axis=2).reshape(-1, 2))


def _turn_weights() -> NDArray[np.float32]:
    """By how much each pixel of a patch counts for the main direction, (pixels,)."""
    away = _places(_TURN_PX, _TURN_REACH)
    return floats(np.exp(-(away**2).sum(axis=1) / (2 * _TURN_SIGMA**2)))


_TURN_WEIGHTS = _turn_weights()


def _pooled() -> NDArray[np.float32]:
    """By how much each pixel of a patch counts in each of its fields, (fields, pixels)."""
    line = _places(_PATCH_PX, _REACH)[:_PATCH_PX, 0] / _FIELD
    middles = np.arange(_FIELDS) - (_FIELDS - 1) / 2
    near = np.maximum(1 - np.abs(line[:, None] - middles), 0)
    near *= np.exp(-(line**2) / (2 * (_FIELDS / 2) ** 2))[:, None]
    return floats(np.einsum("ya,xb->abyx", near, near).reshape(_FIELDS**2, _PATCH_PX**2))


_POOLED = _pooled()


def _gradients(
    octaves: Sequence[Octave],
    keypoints: Keypoints,
    angles: NDArray[np.float32],
    side: int,
    reach: float,
) -> Gradients:
    """The gradients in the square patch around each keypoint, turned by its angle."""
    wide = side + 2
    patches = _patches(octaves, keypoints, angles, _places(wide, reach * wide / side))
    # The same pixel of all patches side by side, as long rows are quicker than short ones
    rows = cv2.transpose(patches).reshape(wide, wide, -1)
    right = rows[1:-1, 2:] - rows[1:-1, :-2]
    down = rows[2:, 1:-1] - rows[:-2, 1:-1]
    return right.reshape(side**2, -1), down.reshape(side**2, -1)


def _patches(
    octaves: Sequence[Octave],
    keypoints: Keypoints,
    angles: NDArray[np.float32],
    places: NDArray[np.float32],
) -> NDArray[np.float32]:
    """What the layers of keypoints show at places around each, (n, places) grey."""
    cos, sin = (keypoints.sigmas * f(angles) for f in (np.cos, np.sin))
    x, y = keypoints.at.T
    from_middle = np.column_stack([places, np.ones_like(places[:, 0])]).T
    x_map, y_map = (
        _in_steps(np.stack(row, axis=1) @ from_middle) for row in ((cos, -sin, x), (sin, cos, y))
    )
    grey = np.empty(x_map.shape, np.float32)
    key = keypoints.octaves * _LAYERS + keypoints.layers
    for begin in np.flatnonzero(np.diff(key, prepend=-1)):
        rows = slice(begin, np.searchsorted(key, key[begin], side="right"))
        layer = octaves[keypoints.octaves[begin]][keypoints.layers[begin]]
        grey[rows] = cv2.remap(
            layer, x_map[rows], y_map[rows], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
    return grey


def _in_steps(pixels: NDArray[np.float32]) -> NDArray[np.float32]:
    """Rounded as OpenCV 4 does, which interpolates at so many places; OpenCV 5 does not."""
    pixels *= np.float32(_STEPS)
    np.rint(pixels, out=pixels)
    pixels *= np.float32(1 / _STEPS)
    return pixels
