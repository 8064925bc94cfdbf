"""Work of the networks, counted."""

import cv2
import numpy as np
import pytest

from vision.eye.locate import FOLDED_CHANNELS
from vision.networks import MULTIPLY_ADDS_PER_PIXEL, load_network, measure_work
from vision.patches.embedding import PATCH_PX, embed

PATCHES = np.full((3, PATCH_PX, PATCH_PX, 3), 90, np.uint8)


def test_patches_are_counted():
    with measure_work() as work:
        embed(PATCHES)
    assert work.patches == 3


def test_multiply_adds_follow_the_number_of_patches():
    with measure_work() as one:
        embed(PATCHES[:1])
    with measure_work() as five:
        embed(np.concatenate([PATCHES, PATCHES])[:5])
    assert five.multiply_adds == pytest.approx(5 * one.multiply_adds, rel=1e-6)


def test_patch_is_embedded_alike_alone_and_among_others():
    patches = np.random.default_rng(1).integers(0, 255, (5, *PATCHES.shape[1:]), dtype=np.uint8)
    alone = np.concatenate([embed(each[None]).vectors for each in patches])
    assert np.allclose(embed(patches).vectors, alone, atol=1e-5)


def test_nothing_is_counted_outside_the_block():
    with measure_work() as work:
        pass
    embed(PATCHES)
    assert work.patches == 0


@pytest.mark.skipif(cv2.__version__ >= "5", reason="OpenCV 5 counts in another form")
@pytest.mark.parametrize(
    ("name", "channels", "side"),
    [
        ("fold", 3, 128),
        ("locate", FOLDED_CHANNELS, 16),
        ("embed", 3, PATCH_PX),
        ("pieces", 3, 128),
    ],
)
def test_cost_of_a_network_is_half_the_operations_that_opencv_counts(name, channels, side):
    operations = load_network(name).getFLOPS([[1, channels, side, side]])
    cost = operations / 2 / side**2
    assert MULTIPLY_ADDS_PER_PIXEL[name] == pytest.approx(cost, rel=1e-3)
