"""The hue of a figure's paint, and how far colours are apart.

Light, blur and what is drawn under a figure make its paint paler and darker, but hardly another
hue. Where it is purest, its hue can be told more exactly than its colour.
"""

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from vision.arrays import floats

PUREST = 0.4
"""Share of the pixels of a figure that are the most saturated; the others are mixed with what
surrounds it."""
LEAST_SATURATION = 0.35
"""The hue of a greyer paint tells nothing."""
_ROOT = math.sqrt(3)


def has_hue(colour_bgr: tuple[int, int, int]) -> bool:
    """Whether a paint is coloured, not grey, black or white."""
    return max(colour_bgr) - min(colour_bgr) >= LEAST_SATURATION * max(*colour_bgr, 1)


def purest(
    colours: NDArray[np.float32], groups: Iterable[NDArray[np.intp]]
) -> list[NDArray[np.float32]]:
    """The mean (3,) of the most saturated colours of each of some groups, all as bright.

    Args:
        colours: (n, 3).
        groups: numbers (k,), k > 0, of the colours of each.
    """
    channels = np.ascontiguousarray(colours.T)
    brightest = np.maximum(channels.max(axis=0), 1.0)
    saturation = 1 - channels.min(axis=0) / brightest
    evened = colours / brightest[:, None]
    means: list[NDArray[np.float32]] = []
    for group in groups:
        first = int(len(group) * (1 - PUREST))
        chosen = group.take(np.argpartition(saturation.take(group), first)[first:])
        means.append(floats(evened.take(chosen, axis=0).sum(axis=0) / len(chosen)))
    return means


def hue(colour_bgr: NDArray[np.float32]) -> float:
    """Degrees on the circle of hues; red is 0, green 120 and blue -120."""
    blue, green, red = colour_bgr.tolist()
    return math.degrees(math.atan2(_ROOT * (green - blue), 2 * red - green - blue))


def between(hue: float, other: float) -> float:
    """Degrees from another hue on the circle to this one, -180 to 180."""
    return (hue - other + 180) % 360 - 180


def degrees_apart(colours: NDArray[np.float32], other: NDArray[np.float32]) -> NDArray[np.float32]:
    """Between colours (…, 3) and another one, as directions; how bright they are does not count.

    Args:
        colours: BGR.
        other: (3,); or (3, k), several, to give (…, k).
    """
    blue, green, red = (colours[..., channel] for channel in range(3))
    # numpy's norm takes its time where an axis is but three numbers long
    lengths = np.sqrt(blue * blue + green * green + red * red)
    each = np.sqrt((other * other).sum(axis=0))
    cosines = colours @ other / np.maximum(np.multiply.outer(lengths, each), 1.0)
    return floats(np.rad2deg(np.arccos(np.clip(cosines, -1, 1))))
