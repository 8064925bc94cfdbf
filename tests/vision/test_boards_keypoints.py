"""Blobs of pictures and what is around them: found again however a picture lies."""

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.boards.descriptors import DIMENSIONS, described, main_angles
from vision.boards.keypoints import FINEST, keypoints_of, scale_space

GREY = 120.0
SIZE = 160
THIRTY_DEGREES = np.deg2rad(30)


def spots(*each, size=SIZE):
    """A grey picture with Gaussian spots (x, y, standard deviation, height)."""
    y, x = np.mgrid[:size, :size]
    picture = np.full((size, size), GREY)
    for at_x, at_y, sigma, height in each:
        picture += height * np.exp(-((x - at_x) ** 2 + (y - at_y) ** 2) / (2 * sigma**2))
    return np.clip(np.rint(picture), 0, 255).astype(np.uint8)


def found_in(grey, most=1000):
    return keypoints_of(scale_space(grey), most)


def clouds(size=301):
    """A grey picture with irregular drawing of all sizes."""
    rng = np.random.default_rng(7)
    picture = np.zeros((size, size))
    for sigma in (2, 4, 8):
        each = cv2.GaussianBlur(rng.normal(size=(size, size)), (0, 0), sigma)
        picture += each / each.std()
    return np.clip(GREY + 40 * picture, 0, 255).astype(np.uint8)


def described_in(grey, most=300):
    """The points of a picture, their directions and descriptors."""
    octaves = scale_space(grey)
    keypoints = keypoints_of(octaves, most)
    which, angles = main_angles(octaves, keypoints, several=False)
    assert np.array_equal(which, np.arange(len(keypoints)))
    return keypoints.points, angles, described(octaves, keypoints, angles)


class TestBlobs:
    @given(
        st.floats(60, 100), st.floats(60, 100), st.floats(1.5, 5), st.sampled_from([-100, -40, 90])
    )
    def test_a_spot_is_found_where_it_lies_and_as_large_as_it_is(self, x, y, sigma, height):
        found = found_in(spots((x, y, sigma, height)))
        best = int(found.strengths.argmax())
        assert found.points[best] == pytest.approx([x, y], abs=0.1 * sigma)
        assert found.sigmas[best] * found.pixels[best] == pytest.approx(sigma, rel=0.3)
        assert found.bright[best] == (height > 0)

    def test_an_edge_is_hardly_one(self):
        edge = np.full((SIZE, SIZE), 60, np.uint8)
        edge[:, SIZE // 2 :] = 160
        turn = cv2.getRotationMatrix2D((80, 80), 20, 2.0)
        slanted = cv2.warpAffine(edge, turn, (SIZE, SIZE), borderMode=cv2.BORDER_REPLICATE)
        spot = found_in(spots((80, 80, 3, 100))).strengths.max()
        assert len(found_in(edge)) == 0
        assert found_in(cv2.GaussianBlur(slanted, (0, 0), 1.0)).strengths.max() < 0.05 * spot

    def test_faint_spots_do_not_count(self):
        assert len(found_in(spots((80, 80, 3, 2)))) == 0

    def test_the_strongest_are_kept(self):
        picture = spots((40, 40, 3, 40), (120, 120, 3, 100))
        (only,) = found_in(picture, most=1).points
        assert only == pytest.approx([120, 120], abs=0.3)

    def test_a_patterned_part_does_not_take_all(self):
        grid = np.arange(15, 480, 15)
        pattern = [(x, y, 2, 120) for x in grid for y in grid if y > 240]
        found = found_in(spots(*pattern, (200, 90, 3, 25), size=480), most=200)
        apart = np.linalg.norm(found.points - [200, 90], axis=1)
        assert len(found) == 200
        assert found.strengths[apart.argmin()] < 0.5 * np.median(found.strengths)
        assert apart.min() < 0.5

    def test_they_lie_only_where_the_picture_is_looked_at(self):
        octaves = scale_space(clouds())
        every = keypoints_of(octaves, 10_000)
        half = keypoints_of(octaves, 10_000, np.array([[0, 1]], np.uint8))
        beyond = (every.points[:, 0] + 0.5 - octaves[0][0].shape[1] / 2) / every.pixels
        kept = (every.points[:, None] == half.points).all(axis=2).any(axis=1)
        assert 0 < len(half) == kept.sum() < len(every)
        # The pixel of its octave in which a blob was found counts
        assert np.all(kept[beyond > 1])
        assert not np.any(kept[beyond < -1])
        assert len(keypoints_of(octaves, 10_000, np.zeros((5, 7), np.uint8))) == 0

    def test_a_picture_turned_by_a_quarter_has_the_same(self):
        grey = clouds()
        upright, turned = found_in(grey, 10_000), found_in(np.rot90(grey).copy(), 10_000)
        back = np.stack([300 - turned.points[:, 1], turned.points[:, 0]], axis=1)
        apart = np.linalg.norm(upright.points[:, None] - back[None], axis=2).min(axis=1)
        assert len(upright) > 100
        assert np.mean(apart < 0.05) > 0.97

    def test_pixels_of_a_tiny_picture_have_none(self):
        assert len(found_in(np.eye(20, dtype=np.uint8) * 255)) == 0

    def test_they_are_ordered_by_their_layers(self):
        found = found_in(clouds())
        key = found.octaves * 100 + found.layers
        assert np.all(np.diff(key) >= 0)
        assert len(np.unique(key)) > 3
        assert found.sigmas.min() >= FINEST


class TestDescriptors:
    def test_a_turned_picture_has_alike_ones_at_angles_turned_with_it(self):
        grey = clouds()
        height, width = grey.shape
        turn = cv2.getRotationMatrix2D((width / 2, height / 2), -30, 1.0)
        turned = cv2.warpAffine(grey, turn, (width, height), flags=cv2.INTER_CUBIC)
        points, angles, descriptors = described_in(grey)
        points_2, angles_2, descriptors_2 = described_in(turned)
        moved = points @ turn[:, :2].T + turn[:, 2]
        apart = np.linalg.norm(moved[:, None] - points_2[None], axis=2)
        same = np.flatnonzero(apart.min(axis=1) < 0.5)
        twin = apart.argmin(axis=1)
        assert len(same) > 60
        off = angles_2[twin[same]] - angles[same] - THIRTY_DEGREES
        assert np.median(np.abs(np.angle(np.exp(1j * off)))) < np.deg2rad(4)
        unlike = np.linalg.norm(descriptors[:, None] - descriptors_2[None], axis=2)
        assert np.mean(unlike[same].argmin(axis=1) == twin[same]) > 0.75

    def test_they_do_not_depend_on_the_light(self):
        grey = clouds()
        octaves = scale_space(grey)
        keypoints = keypoints_of(octaves, 200)
        dim = scale_space((grey * 0.5 + 40).astype(np.uint8))
        _, angles = main_angles(octaves, keypoints, several=False)
        bright, faint = (described(each, keypoints, angles) for each in (octaves, dim))
        assert bright.shape == (200, DIMENSIONS)
        assert np.linalg.norm(bright, axis=1) == pytest.approx(1, abs=1e-4)
        assert np.linalg.norm(bright - faint, axis=1).max() < 0.1

    def test_a_keypoint_may_have_several_directions(self):
        octaves = scale_space(clouds())
        keypoints = keypoints_of(octaves, 200)
        first, angle = main_angles(octaves, keypoints, several=False)
        every, angles = main_angles(octaves, keypoints, several=True)
        assert len(every) > len(first)
        assert set(every) == set(first)
        # The first is among the several
        nearest = [np.abs(angles[every == n] - angle[n]).min() for n in first]
        assert max(nearest) == pytest.approx(0, abs=1e-5)
