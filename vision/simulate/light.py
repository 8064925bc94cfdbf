"""Hard light and poor cameras, each about as bad as it gets at a table in the evening.

Functions take and return float32 images of shape (h, w, 3), BGR, about 0 to 1, like those of
``vision.simulate.photometry``, and draw every random choice from the generator.
"""

import numpy as np

from vision.arrays import FloatImage, floats
from vision.simulate import photometry


def dim(rng: np.random.Generator, image: FloatImage) -> FloatImage:
    """An evening lamp: dark, warm, and noisy for it."""
    warm = np.exp2(floats([-rng.uniform(0.2, 0.6), -0.1, rng.uniform(0.0, 0.3)]))
    dark = floats(image * warm * np.float32(rng.uniform(0.2, 0.4)))
    return photometry.sensor_noise(rng, dark, float(rng.uniform(0.02, 0.06)))


def mirrored_lamps(rng: np.random.Generator, image: FloatImage) -> FloatImage:
    """Several lamps or windows mirrored in the table."""
    for _ in range(int(rng.integers(3, 7))):
        image = photometry.glare(rng, image)
    return image


def blown_out(rng: np.random.Generator, image: FloatImage) -> FloatImage:
    """Far too much light, and a side of the table that is nearly or quite white."""
    exposed = image * np.float32(rng.uniform(1.3, 1.9))
    return photometry.uneven_light(rng, exposed, float(rng.uniform(0.3, 0.7)))


def deep_shadows(rng: np.random.Generator, image: FloatImage) -> FloatImage:
    """People who stand in the light, and a lamp at one side."""
    for _ in range(int(rng.integers(3, 6))):
        image = photometry.soft_shadow(rng, image)
    return photometry.uneven_light(rng, image, float(rng.uniform(0.4, 0.9)))


def colour_cast(rng: np.random.Generator, image: FloatImage) -> FloatImage:
    """A white balance that took the lamp for daylight or the reverse."""
    warm = float(rng.choice([-1.0, 1.0]) * rng.uniform(0.4, 0.8))
    gains = np.exp2(floats([-warm, rng.normal(0, 0.1), warm]))
    return floats(image * gains)


def unsharp(rng: np.random.Generator, image: FloatImage) -> FloatImage:
    """A lens out of focus or a hand that moved, by up to a twentieth of a tile."""
    scale = min(image.shape[:2]) / 1296
    out = photometry.blur(image, float(rng.uniform(1.0, 2.6)) * scale)
    return photometry.streak(rng, out) if rng.random() < 0.5 else out


def grain(rng: np.random.Generator, image: FloatImage) -> FloatImage:
    """A small sensor at its limit."""
    return photometry.sensor_noise(rng, image, float(rng.uniform(0.06, 0.14)))
