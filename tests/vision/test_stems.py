"""The first layers of a network, as products of matrices, say what convolutions would."""

import numpy as np
import pytest

from vision.stems import Stem, in_patches, order_of_patches


def pictures(seed: int, count: int, height: int, width: int) -> np.ndarray:  # type: ignore[type-arg]
    return np.random.default_rng(seed).integers(0, 256, (count, height, width, 3), np.uint8)


@pytest.mark.parametrize("patch_px", [2, 3])
def test_four_patches_of_a_square_follow_one_another(patch_px: int) -> None:
    side = 2 * patch_px
    (picture,) = pictures(1, 1, 2 * side, 3 * side)
    (patches,) = in_patches(picture[None], patch_px)
    square = picture[side:, side : 2 * side]  # the fifth of two rows of three
    upper, lower = square[:patch_px], square[patch_px:]
    expected = [
        half[:, k * patch_px : (k + 1) * patch_px] for half in (upper, lower) for k in (0, 1)
    ]
    assert np.array_equal(patches[16:20], np.reshape(expected, (4, -1)))


def test_no_pictures_have_no_patches() -> None:
    assert in_patches(pictures(2, 0, 12, 12), 3).shape == (0, 16, 27)


def test_pixels_taken_in_the_order_of_patches_are_in_patches() -> None:
    picture = pictures(3, 1, 12, 12)
    taken = picture.reshape(-1, 3)[order_of_patches(12, 3)]
    assert np.array_equal(taken.ravel(), in_patches(picture, 3).ravel())


def test_features_are_those_of_two_convolutions_that_do_not_overlap() -> None:
    rng = np.random.default_rng(4)
    stem = Stem(*(rng.normal(size=size).astype(np.float32) for size in ((12, 5), 5, (20, 7), 7)))
    picture = pictures(5, 1, 4, 8)
    found = stem.features(in_patches(picture, 2))
    first = np.zeros((2, 4, 5))
    for row, column in np.ndindex(2, 4):
        patch = picture[0, 2 * row : 2 * row + 2, 2 * column : 2 * column + 2]
        first[row, column] = np.maximum(patch.ravel() @ stem.first + stem.first_bias, 0)
    expected = [
        np.maximum(first[:, k : k + 2].ravel() @ stem.second + stem.second_bias, 0) for k in (0, 2)
    ]
    assert np.allclose(found, expected, rtol=1e-4, atol=1e-2)


def test_many_pictures_show_what_each_shows_alone() -> None:
    rng = np.random.default_rng(6)
    stem = Stem(
        *(rng.normal(size=size).astype(np.float32) for size in ((12, 50), 50, (200, 70), 70))
    )
    patches = in_patches(pictures(7, 30, 24, 24), 2)
    together = stem.features(patches).reshape(30, -1, 70)
    for picture, features in zip(patches, together, strict=True):
        assert np.allclose(stem.features(picture), features, rtol=1e-4, atol=1e-2)


def test_no_patches_have_no_features() -> None:
    rng = np.random.default_rng(8)
    stem = Stem(*(rng.normal(size=size).astype(np.float32) for size in ((12, 5), 5, (20, 7), 7)))
    assert stem.features(in_patches(pictures(9, 0, 4, 8), 2)).shape == (0, 7)
