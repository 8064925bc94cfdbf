"""Effects of light, lens and sensor on a picture, up to a dim evening.

Unless they say otherwise, functions take and return float32 images of shape (h, w, 3), BGR, about
0 to 1, and draw every random choice from the generator they are given.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import cv2
import numpy as np

from vision.arrays import FloatImage, Image, Points, floats, in_channels
from vision.lab.simulate.drawing import Rng

Effect = Callable[[Rng, FloatImage], FloatImage]
"""Function that changes a picture as light, lens, sensor or file format do."""


def smooth_field(rng: Rng, size_wh: tuple[int, int], cells: int = 4) -> FloatImage:
    """Return a smooth random field (h, w), about -1 to 1, with ``cells`` bumps a side."""
    coarse = rng.uniform(-1, 1, (cells, cells)).astype(np.float32)
    return np.asarray(cv2.resize(coarse, size_wh, interpolation=cv2.INTER_CUBIC), np.float32)


def uneven_light(rng: Rng, image: FloatImage, strength: float) -> FloatImage:
    """Brighten one side and darken the other, in stops."""
    h, w = image.shape[:2]
    angle = rng.uniform(0, 2 * np.pi)
    xs = np.linspace(-1, 1, w, dtype=np.float32)[None, :] * np.float32(np.cos(angle))
    ys = np.linspace(-1, 1, h, dtype=np.float32)[:, None] * np.float32(np.sin(angle))
    gains: FloatImage = np.exp2(strength * (xs + ys + 0.4 * smooth_field(rng, (w, h))))
    return image * cv2.cvtColor(gains, cv2.COLOR_GRAY2BGR)


def coloured_light(rng: Rng, image: FloatImage, strength: float) -> FloatImage:
    """Apply a white balance error, mostly from warm to cool, a little from green to magenta."""
    warm, magenta = rng.normal(0, strength), rng.normal(0, strength * 0.35)
    gains = np.exp2(floats([-warm + magenta, -magenta, warm + magenta]))
    rows = image.reshape(len(image), -1)  # numpy multiplies a last axis of 3 several times slower
    return np.asarray(rows * np.tile(gains, image.shape[1])).reshape(image.shape)


def soft_shadow(rng: Rng, image: FloatImage) -> FloatImage:
    """Add the shadow of a person or thing beside the table: a dark polygon with soft edges."""
    h, w = image.shape[:2]
    start = rng.uniform(-0.3, 1.3, 2) * (w / 4, h / 4)
    corners = start + rng.normal(0, 0.35, (5, 2)) * max(h, w) / 4
    mask = _soft_patch(floats(corners), float(rng.uniform(0.005, 0.06)), (w, h))
    return image * in_channels(1 - mask * np.float32(rng.uniform(0.2, 0.65)))


def glare(rng: Rng, image: FloatImage) -> FloatImage:
    """Add the reflection of a lamp or window: a soft whitish patch."""
    h, w = image.shape[:2]
    x, y = (int(v) for v in rng.uniform(0, 1, 2) * (w / 4, h / 4))
    axes = tuple(int(v) + 2 for v in rng.uniform(0.03, 0.3, 2) * max(h, w) / 4)
    if rng.random() < 0.5:
        outline = floats(cv2.ellipse2Poly((x, y), axes, round(rng.uniform(0, 180)), 0, 360, 5))
    else:
        size = axes[0] * 2.0, axes[1] * 2.0
        outline = floats(cv2.boxPoints(((x, y), size, rng.uniform(0, 90))))
    mask = _soft_patch(outline, float(rng.uniform(0.02, 0.12)), (w, h))
    colour = np.exp2(floats(rng.normal(0, 0.12, 3)))
    brightness = np.float32(rng.uniform(0.1, 0.75))
    light = cv2.merge([mask * share * brightness for share in colour])
    return image + np.asarray(light, np.float32)


def _soft_patch(points: Points, softness: float, size_wh: tuple[int, int]) -> FloatImage:
    """Return a mask (h, w) of the hull of points, with edges soft by a share of the picture."""
    mask = np.zeros((size_wh[1] // 4 + 1, size_wh[0] // 4 + 1), np.float32)
    cv2.fillConvexPoly(mask, cv2.convexHull(points.astype(np.int32)), 1.0)
    blurred = cv2.GaussianBlur(mask, (0, 0), softness * max(size_wh) / 4 + 0.5)
    return np.asarray(cv2.resize(blurred, size_wh), np.float32)


def tone(rng: Rng, image: FloatImage, strength: float) -> FloatImage:
    """Vary exposure, contrast curve, black level and saturation as cameras do."""
    out = image * np.exp2(np.float32(rng.normal(0, 0.7 * strength)))
    np.maximum(out, 0, out=out)
    out **= np.float32(np.exp2(rng.normal(0, 0.35 * strength)))
    grey = in_channels(_mean_of_channels(out))
    out -= grey
    out *= np.float32(np.exp2(rng.normal(0, 0.35 * strength)))
    out += grey
    lift = np.float32(max(0.0, rng.normal(0, 0.05 * strength)))
    out *= 1 - lift
    out += lift
    return np.asarray(out, np.float32)


def _mean_of_channels(image: FloatImage) -> FloatImage:
    """Return exactly ``image.mean(axis=2)``, in a tenth of its time."""
    blue, green, red = cv2.split(image)
    return np.asarray(((blue + green) + red) / np.float32(3), np.float32)


def blur(image: FloatImage, sigma_px: float) -> FloatImage:
    """Blur a picture as a lens out of focus does."""
    if sigma_px <= 0.15:
        return image
    return np.asarray(cv2.GaussianBlur(image, (0, 0), sigma_px), np.float32)


def motion_blur(rng: Rng, image: FloatImage, longest_px: int = 4) -> FloatImage:
    """Blur a picture as a camera that moves by a few pixels does: by 2 to ``longest_px``."""
    length = int(rng.integers(2, longest_px + 1))
    kernel = np.zeros((2 * length + 1, 2 * length + 1), np.float32)
    angle = rng.uniform(0, np.pi)
    offset = 0.5 * length * floats([np.cos(angle), np.sin(angle)])
    ends = [tuple(round(length + s * o) for o in offset) for s in (-1.0, 1.0)]
    cv2.line(kernel, ends[0], ends[1], 1.0)
    return np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), np.float32)


def apply_unsharp_mask(image: FloatImage, amount: float) -> FloatImage:
    """Apply an unsharp mask as cameras do."""
    edges = image - blur(image, 1.2)
    edges *= np.float32(amount)
    edges += image
    return edges


def sensor_noise(rng: Rng, image: FloatImage, level: float) -> FloatImage:
    """Add shot and read noise, partly smoothed as by a denoiser."""
    noise = rng.standard_normal(image.shape, dtype=np.float32)
    if rng.random() < 0.5:
        noise = blur(noise, 0.8)
        noise *= 2
    shot = np.clip(image, 0.02, 1)
    np.sqrt(shot, out=shot)
    noise *= np.float32(level)
    noise *= shot
    noise += image
    return noise


def compress_jpeg(image: FloatImage, quality: int) -> Image:
    """Compress a picture as JPEG, and return it as uint8."""
    levels = image * 255
    levels += 0.5
    np.clip(levels, 0, 255, out=levels)
    data = np.frombuffer(encode_jpeg(levels.astype(np.uint8), quality), np.uint8)
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def encode_jpeg(image: Image, quality: int) -> bytes:
    """Encode a picture as a JPEG file of a quality from 0 to 100."""
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise RuntimeError("OpenCV could not encode a JPEG")
    return data.tobytes()


def photograph(
    rng: Rng, image: Image, strength: float = 1.0, effects: Sequence[Effect] = ()
) -> Image:
    """Turn a clean rendering into a photo.

    Args:
        rng: Source of randomness.
        image: Clean rendering.
        strength: Strength of light, blur and noise, from 0 (only traces of a good JPEG) to 1.5.
        effects: Further effects, in this order.
    """
    out = floats(image)
    out /= np.float32(255)
    for effect in effects:
        out = effect(rng, out)
    if strength <= 0:
        return compress_jpeg(out, 97)
    likely = min(1.0, 2 * strength)
    if rng.random() < 0.7:
        out = uneven_light(rng, out, float(rng.uniform(0, 0.6)) * strength)
    for patch, share in ((soft_shadow, likely), (glare, strength)):
        for _ in range(int(rng.integers(0, 3))):
            out = patch(rng, out) if rng.random() < 0.6 * share else out
    out = coloured_light(rng, out, 0.22 * strength)
    out = tone(rng, out, 0.8 * strength)
    out = blur(out, float(abs(rng.normal(0, 0.7 * strength))))
    out = motion_blur(rng, out) if rng.random() < 0.25 * likely else out
    if rng.random() < 0.5:
        out = apply_unsharp_mask(out, float(rng.uniform(0.2, 1.2)))
    out = sensor_noise(rng, out, float(abs(rng.normal(0, 0.025 * strength))))
    return compress_jpeg(out, int(rng.integers(60, 97)))


def dim(rng: Rng, image: FloatImage) -> FloatImage:
    """Darken a picture, warm and noisy, as by an evening lamp."""
    warm = np.exp2(floats([-rng.uniform(0.2, 0.6), -0.1, rng.uniform(0.0, 0.3)]))
    dark = floats(image * warm * np.float32(rng.uniform(0.2, 0.4)))
    return sensor_noise(rng, dark, float(rng.uniform(0.02, 0.06)))


def several(effect: Effect, fewest: int, most: int) -> Effect:
    """Return an effect that applies another one several times."""

    def repeat(rng: Rng, image: FloatImage) -> FloatImage:
        for _ in range(int(rng.integers(fewest, most + 1))):
            image = effect(rng, image)
        return image

    return repeat


def blown_out(rng: Rng, image: FloatImage) -> FloatImage:
    """Overexpose a picture until a side of the table is nearly or quite white."""
    exposed = image * np.float32(rng.uniform(1.3, 1.9))
    return uneven_light(rng, exposed, float(rng.uniform(0.3, 0.7)))


def deep_shadows(rng: Rng, image: FloatImage) -> FloatImage:
    """Add shadows of people, and a lamp at one side."""
    shadowed = several(soft_shadow, 3, 5)(rng, image)
    return uneven_light(rng, shadowed, float(rng.uniform(0.4, 0.9)))


def colour_cast(rng: Rng, image: FloatImage) -> FloatImage:
    """Apply a white balance that takes a lamp for daylight or the reverse."""
    warm = float(rng.choice([-1.0, 1.0]) * rng.uniform(0.4, 0.8))
    return floats(image * np.exp2(floats([-warm, rng.normal(0, 0.1), warm])))


def unsharp(rng: Rng, image: FloatImage) -> FloatImage:
    """Blur a picture by defocus or motion, by up to a twentieth of a tile."""
    scale = min(image.shape[:2]) / 1296
    out = blur(image, float(rng.uniform(1.0, 2.6)) * scale)
    return motion_blur(rng, out) if rng.random() < 0.5 else out


def grain(rng: Rng, image: FloatImage) -> FloatImage:
    """Add the noise of a small sensor at its limit."""
    return sensor_noise(rng, image, float(rng.uniform(0.06, 0.14)))


EFFECTS: Final[Mapping[str, Effect]] = {
    "dim": dim,
    "lamp-glare": several(glare, 3, 6),
    "blown-out": blown_out,
    "deep-shadows": deep_shadows,
    "colour-cast": colour_cast,
    "unsharp": unsharp,
    "grain": grain,
}
"""Effects of hard light and poor cameras by the names in ``vision.lab.simulate.conditions``."""
