"""Work of the networks, counted."""

import cv2
import numpy as np
import pytest

from vision.networks import MULTIPLY_ADDS_PER_PIXEL, load_network, measure_work
from vision.patches.embedding import PATCH_PX, embed

PATCHES = np.full((3, PATCH_PX, PATCH_PX, 3), 90, np.uint8)


def test_patches_are_counted_without_the_empty_places_of_a_sheet():
    with measure_work() as work:
        embed(PATCHES)
    assert work.patches == 3


def test_multiply_adds_are_those_of_whole_sheets():
    with measure_work() as one:
        embed(PATCHES[:1])
    with measure_work() as three:
        embed(PATCHES)
    assert one.multiply_adds == three.multiply_adds > 10**6


def test_nothing_is_counted_outside_the_block():
    with measure_work() as work:
        pass
    embed(PATCHES)
    assert work.patches == 0


@pytest.mark.skipif(cv2.__version__ >= "5", reason="OpenCV 5 counts in another form")
@pytest.mark.parametrize(("name", "height"), [("locate", 128), ("embed", 112), ("pieces", 128)])
def test_cost_of_a_network_is_half_the_operations_that_opencv_counts(name, height):
    operations = load_network(name).getFLOPS([[1, 3, height, 448]])
    cost = operations / 2 / (height * 448)
    assert MULTIPLY_ADDS_PER_PIXEL[name] == pytest.approx(cost, rel=1e-3)
