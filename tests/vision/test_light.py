"""Effects of light, lens and sensor on a picture."""

from collections.abc import Callable

import numpy as np
import pytest

from scoring.faces import Face
from vision.arrays import FloatImage
from vision.editions.built_in import tile_picture
from vision.lab.simulate import light

Effect = Callable[[np.random.Generator, FloatImage], FloatImage]

EFFECTS: dict[str, Effect] = {
    "uneven-light": lambda rng, image: light.uneven_light(rng, image, 0.4),
    "coloured-light": lambda rng, image: light.coloured_light(rng, image, 0.2),
    "soft-shadow": light.soft_shadow,
    "glare": light.glare,
    "tone": lambda rng, image: light.tone(rng, image, 0.8),
    "blur": lambda _rng, image: light.blur(image, 0.8),
    "motion_blur": light.motion_blur,
    "unsharp mask": lambda _rng, image: light.apply_unsharp_mask(image, 0.7),
    "sensor-noise": lambda rng, image: light.sensor_noise(rng, image, 0.02),
}
DRAW_NOTHING = ("unsharp mask", "blur")
SEEDS = range(6)


def picture() -> FloatImage:
    """Neither square nor of even size: (47, 64, 3), 0 to 1."""
    return tile_picture(Face.SHOP, 64)[:47].astype(np.float32) / np.float32(255)


@pytest.mark.parametrize("name", list(EFFECTS))
def test_an_effect_shows_follows_its_seed_and_leaves_its_input_alone(name: str) -> None:
    image, seen, most = picture(), set(), 0.0
    for seed in SEEDS:
        out, again = (EFFECTS[name](np.random.default_rng(seed), image) for _ in range(2))
        assert (out.shape, out.dtype) == (image.shape, np.float32)
        assert np.isfinite(out).all()
        assert np.array_equal(out, again)
        assert np.array_equal(image, picture())
        most = max(most, float(np.abs(out - image).max()))
        seen.add(out.tobytes())
    assert most > 0.02
    assert len(seen) == 1 if name in DRAW_NOTHING else len(seen) > 1


def test_a_shadow_only_takes_light_and_a_reflection_only_adds_some() -> None:
    image = picture()
    for seed in SEEDS:
        assert (light.soft_shadow(np.random.default_rng(seed), image) <= image + 1e-6).all()
        assert (light.glare(np.random.default_rng(seed), image) >= image - 1e-6).all()


@pytest.mark.parametrize("effect", [light.uneven_light, light.coloured_light, light.sensor_noise])
def test_light_and_noise_of_no_strength_change_nothing(
    effect: Callable[[np.random.Generator, FloatImage, float], FloatImage],
) -> None:
    image = picture()
    assert effect(np.random.default_rng(1), image, 0.0) == pytest.approx(image, abs=1e-6)


def test_a_worse_jpeg_is_further_from_the_picture() -> None:
    image = picture()
    eight_bit = np.round(image * 255).astype(int)
    errors = []
    for quality in (95, 60, 20):
        out = light.compress_jpeg(image, quality)
        assert out.shape == image.shape
        assert out.dtype == np.uint8
        errors.append(np.abs(out - eight_bit).mean())
    assert errors == sorted(errors)
    assert errors[0] < errors[2] / 2
    field = light.smooth_field(np.random.default_rng(4), (90, 70), cells=3)
    assert field.shape == (70, 90)
    assert field.dtype == np.float32
    assert np.ptp(field) > 0.3
    assert max(np.abs(np.diff(field, axis=axis)).max() for axis in (0, 1)) < 0.15


def test_a_stronger_treatment_takes_a_photo_further_from_the_clean_picture() -> None:
    clean = tile_picture(Face.OFFICE, 64)

    def mean_error(strength: float) -> float:
        photos = [light.photograph(np.random.default_rng(s), clean, strength) for s in SEEDS]
        return float(np.mean([np.abs(photo.astype(int) - clean).mean() for photo in photos]))

    assert mean_error(0.1) < mean_error(0.6) < mean_error(1.4)
