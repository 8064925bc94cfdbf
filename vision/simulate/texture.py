"""Building blocks of procedural table tops: cheap noise, colour ramps, laying a swatch at an angle.

Fields are float32 of shape (height, width); swatches are BGR pictures.
"""

import math
from collections.abc import Sequence

import cv2
import numpy as np

from vision.arrays import FloatImage, Image
from vision.simulate.drawing import Colour


def random_colour(
    rng: np.random.Generator,
    saturation: tuple[float, float] = (0.2, 0.9),
    brightness: tuple[float, float] = (0.2, 0.95),
) -> Colour:
    """A BGR colour of any hue with saturation and brightness (0 to 1) from the given ranges."""
    value = rng.uniform(*brightness)
    chroma = value * rng.uniform(*saturation)
    sector = rng.uniform(0, 6)
    blue, green, red = (
        round(255 * (value - chroma * min(1.0, max(0.0, 2 - abs((sector - peak + 3) % 6 - 3)))))
        for peak in (1, 5, 3)
    )
    return blue, green, red


def varied(colour: Colour, rng: np.random.Generator, spread: float) -> Colour:
    """A colour near ``colour``: brightness and each channel vary with this standard deviation."""
    steps = rng.normal(0, spread) + rng.normal(0, spread / 3, 3)
    blue, green, red = (int(v) for v in np.clip(np.add(colour, steps), 0, 255))
    return blue, green, red


def noise(
    rng: np.random.Generator, shape_hw: tuple[int, int], cell_px: float | tuple[float, float]
) -> FloatImage:
    """Smooth noise, mean 0, with bumps of about ``cell_px`` (or height, width) pixels."""
    cell_h, cell_w = cell_px if isinstance(cell_px, tuple) else (cell_px, cell_px)
    height, width = shape_hw
    coarse = rng.standard_normal(
        (max(2, math.ceil(height / cell_h)), max(2, math.ceil(width / cell_w))), np.float32
    )
    return np.asarray(
        cv2.resize(coarse, (width, height), interpolation=cv2.INTER_LINEAR), np.float32
    )


def clouds(
    rng: np.random.Generator, shape_hw: tuple[int, int], cell_px: float, octaves: int = 3
) -> FloatImage:
    """Noise of several sizes, each half as large and half as strong as the one before."""
    total = noise(rng, shape_hw, cell_px)
    for octave in range(1, octaves):
        total += noise(rng, shape_hw, max(1.0, cell_px / 2**octave)) * (0.5**octave)
    return total


def ramp(field: FloatImage, low: float, high: float, colours: Sequence[Colour]) -> Image:
    """Colour a field: ``low`` gets the first colour, ``high`` the last, evenly spaced between."""
    scale = 255.0 / (high - low)
    index = cv2.convertScaleAbs(np.clip(field, low, high) - np.float32(low), alpha=scale)
    places = np.linspace(0, 255, len(colours))
    steps = np.arange(256)
    table = np.stack(
        [np.interp(steps, places, [c[channel] for c in colours]) for channel in range(3)], axis=-1
    )
    lookup = np.rint(table).astype(np.uint8).reshape(256, 1, 3)
    return np.asarray(cv2.applyColorMap(index, lookup), np.uint8)


def shaded(image: Image, field: FloatImage, strength: float) -> Image:
    """Lighten or darken a picture by ``strength`` grey levels per unit of the field."""
    lift = cv2.convertScaleAbs(np.clip(field * np.float32(strength) + 128, 0, 255))
    both = cv2.addWeighted(image, 1.0, cv2.cvtColor(lift, cv2.COLOR_GRAY2BGR), 1.0, -128.0)
    return np.asarray(both, np.uint8)


def worn(image: Image, rng: np.random.Generator, fine: float = 3.0, broad: float = 4.0) -> Image:
    """Add fine grain and broad unevenness, in grey levels, as no real surface is uniform."""
    shape_hw = image.shape[0], image.shape[1]
    field = noise(rng, shape_hw, 90) * np.float32(broad)
    field += noise(rng, shape_hw, 1.6) * np.float32(fine)
    return shaded(image, field, 1.0)


def swatch_side(size_wh: tuple[int, int], scale: float) -> int:
    """The edge of a square swatch that fills a picture at any angle when enlarged by ``scale``."""
    return math.ceil(math.hypot(*size_wh) / scale) + 4


def laid(
    swatch: Image, rng: np.random.Generator, size_wh: tuple[int, int], scale: float = 1.0
) -> Image:
    """Turn a swatch of at least ``swatch_side`` by any angle and enlarge it to a picture."""
    height, width = swatch.shape[:2]
    matrix = cv2.getRotationMatrix2D(
        ((width - 1) / 2, (height - 1) / 2), float(rng.uniform(0, 360)), scale
    )
    matrix[:, 2] += [(size_wh[0] - width) / 2, (size_wh[1] - height) / 2]
    turned = cv2.warpAffine(
        swatch, matrix, size_wh, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )
    return np.asarray(turned, np.uint8)


def repeated(
    pattern: Image, rng: np.random.Generator, size_wh: tuple[int, int], scale: float = 1.0
) -> Image:
    """Tile a pattern without seams from a random offset on, turn it and enlarge it."""
    side = swatch_side(size_wh, scale)
    height, width = pattern.shape[:2]
    across, down = int(rng.integers(width)), int(rng.integers(height))
    swatch = np.tile(pattern, (side // height + 2, side // width + 2, 1))
    return laid(swatch[down : down + side, across : across + side], rng, size_wh, scale)
