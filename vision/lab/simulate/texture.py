"""Building blocks of procedural surfaces: cheap noise, colour ramps, laying a swatch at an angle.

Fields are float32 of shape (height, width); swatches are BGR pictures.
"""

import math
from collections.abc import Sequence

import cv2
import numpy as np

from vision.arrays import FloatImage, Image, floats
from vision.lab.simulate.drawing import Colour, Rng


def noise(rng: Rng, shape_hw: tuple[int, int], cell_px: float | tuple[float, float]) -> FloatImage:
    """Return smooth noise, mean 0, with bumps of about ``cell_px`` (or height, width) pixels."""
    cells = cell_px if isinstance(cell_px, tuple) else (cell_px, cell_px)
    coarse = tuple(max(2, math.ceil(n / cell)) for n, cell in zip(shape_hw, cells, strict=True))
    field = rng.standard_normal(coarse, np.float32)
    return floats(cv2.resize(field, shape_hw[::-1], interpolation=cv2.INTER_LINEAR))


def clouds(rng: Rng, shape_hw: tuple[int, int], cell_px: float, octaves: int = 3) -> FloatImage:
    """Return noise of several sizes, each half as large and half as strong as the one before."""
    sizes = [max(1.0, cell_px / 2**octave) if octave else cell_px for octave in range(octaves)]
    return floats(sum(noise(rng, shape_hw, size) * 0.5**n for n, size in enumerate(sizes)))


def ramp(field: FloatImage, low: float, high: float, colours: Sequence[Colour]) -> Image:
    """Colour a field: ``low`` gets the first colour, ``high`` the last, evenly spaced between."""
    scale = 255.0 / (high - low)
    index = cv2.convertScaleAbs(np.clip(field, low, high) - np.float32(low), alpha=scale)
    positions, steps = np.linspace(0, 255, len(colours)), np.arange(256)
    table = np.stack([np.interp(steps, positions, part) for part in zip(*colours, strict=True)], -1)
    lookup = np.rint(table).astype(np.uint8).reshape(256, 1, 3)
    return np.asarray(cv2.applyColorMap(index, lookup), np.uint8)


def shaded(image: Image, field: FloatImage, strength: float = 1.0) -> Image:
    """Lighten or darken a picture by ``strength`` grey levels per unit of the field."""
    lift = cv2.convertScaleAbs(np.clip(field * np.float32(strength) + 128, 0, 255))
    both = cv2.addWeighted(image, 1.0, cv2.cvtColor(lift, cv2.COLOR_GRAY2BGR), 1.0, -128.0)
    return np.asarray(both, np.uint8)


def worn(image: Image, rng: Rng, fine: float = 3.0, broad: float = 4.0) -> Image:
    """Add fine grain and broad unevenness, in grey levels, as no real surface is uniform."""
    shape = image.shape[0], image.shape[1]
    field = noise(rng, shape, 90) * np.float32(broad) + noise(rng, shape, 1.6) * np.float32(fine)
    return shaded(image, field)


def woven(image: Image, rng: Rng) -> Image:
    """Add threads and folds."""
    shape = image.shape[0], image.shape[1]
    folds = noise(rng, shape, (200, 90)) * np.float32(rng.uniform(0, 7))
    threads = noise(rng, shape, (1.5, 6)) + noise(rng, shape, (6, 1.5))
    return shaded(image, folds + threads * np.float32(rng.uniform(1, 5)))


def swatch_side(size_wh: tuple[int, int], scale: float) -> int:
    """Return the side of a swatch that, enlarged by ``scale``, fills a picture at any angle."""
    return math.ceil(math.hypot(*size_wh) / scale) + 4


def laid(swatch: Image, rng: Rng, size_wh: tuple[int, int], scale: float = 1.0) -> Image:
    """Turn a swatch of at least ``swatch_side`` by any angle and enlarge it to a picture."""
    height, width = swatch.shape[:2]
    middle = (width - 1) / 2, (height - 1) / 2
    matrix = cv2.getRotationMatrix2D(middle, float(rng.uniform(0, 360)), scale)
    matrix[:, 2] += [(size_wh[0] - width) / 2, (size_wh[1] - height) / 2]
    return np.asarray(
        cv2.warpAffine(swatch, matrix, size_wh, borderMode=cv2.BORDER_REFLECT), np.uint8
    )


def repeated(pattern: Image, rng: Rng, size_wh: tuple[int, int], scale: float = 1.0) -> Image:
    """Tile a pattern without seams from a random offset on, turn it and enlarge it."""
    side = swatch_side(size_wh, scale)
    height, width = pattern.shape[:2]
    across, down = int(rng.integers(width)), int(rng.integers(height))
    swatch = np.tile(pattern, (side // height + 2, side // width + 2, 1))
    return laid(swatch[down : down + side, across : across + side], rng, size_wh, scale)
