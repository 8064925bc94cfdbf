"""What the joint reader learns from: strips of joints, labelled as they were laid."""

import numpy as np
import pytest

from vision.joints import STRIP_HW, joints_of
from vision.training import sources
from vision.training.joint_samples import (
    JointSamples,
    composed_city,
    photographed_cities,
    strips_of,
)
from vision.training.truth import PhotoTruth, TileTruth

PAIR = ((0, 0), (0, 1))


@pytest.fixture(scope="module")
def city():
    tiles = sources.tile_source(sources.drawn_tiles())
    return composed_city(np.random.default_rng(4), tiles)


def test_a_composed_city_has_two_duplex_tiles_on_joints_of_its_own(city):
    assert len(city.duplexes) == 2
    assert city.duplexes <= set(joints_of(4, 4))
    assert set(city.joints) <= set(joints_of(4, 4))


def test_a_strip_is_labelled_by_what_lies_at_its_joint(city):
    strips, labels = strips_of(np.random.default_rng(1), city)
    assert strips.shape == (len(city.joints), *STRIP_HW, 3)
    named = {joint for joint, label in zip(city.joints, labels, strict=True) if label}
    assert named == city.duplexes & set(city.joints)


def test_joints_of_hidden_tiles_are_left_out():
    image = np.zeros((60, 90, 3), np.uint8)
    square = np.float32([[0, 0], [20, 0], [20, 20], [0, 20]])
    tiles = tuple(
        TileTruth(0, square + np.float32([10 + 20 * column, 10]), 0, column == 2, (0, column))
        for column in range(3)
    )
    photo = PhotoTruth("table", image, tiles, {0: frozenset([PAIR])})
    (laid,) = photographed_cities(photo)
    assert laid.joints == [PAIR]
    assert laid.duplexes == {PAIR}
    assert list(photographed_cities(PhotoTruth("table", image, tiles))) == []


def test_half_of_the_samples_are_duplex_tiles_and_a_seed_gives_the_same():
    make = JointSamples((), scenes=3, seed=5)
    drawn = [make(rng) for rng in [np.random.default_rng(7)] for _ in range(60)]
    assert all(strip.shape == (3, *STRIP_HW) and strip.dtype == np.uint8 for strip, _ in drawn)
    assert 15 < sum(int(label) for _, label in drawn) < 45
    again = JointSamples((), scenes=3, seed=5)(np.random.default_rng(7))
    assert np.array_equal(again[0], drawn[0][0])


def test_photos_that_show_single_tiles_alone_are_no_hindrance():
    image = np.full((60, 90, 3), 90, np.uint8)
    square = np.float32([[0, 0], [20, 0], [20, 20], [0, 20]])
    tiles = tuple(
        TileTruth(0, square + np.float32([10 + 20 * column, 10]), 0, False, (0, column))
        for column in range(3)
    )
    photo = PhotoTruth("table", image, tiles, {0: frozenset()})
    make = JointSamples([photo], scenes=2, seed=1)
    labels = {int(make(rng)[1]) for rng in [np.random.default_rng(2)] for _ in range(20)}
    assert labels == {0, 1}
    with pytest.raises(ValueError, match="duplex"):
        JointSamples([photo], scenes=0, seed=1)
