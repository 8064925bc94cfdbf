"""Work of the networks, counted."""

import numpy as np

from vision.embedding import PATCH_PX, embed
from vision.networks import measured_work

PATCHES = np.full((3, PATCH_PX, PATCH_PX, 3), 90, np.uint8)


def test_patches_are_counted_without_the_empty_places_of_a_sheet():
    with measured_work() as work:
        embed(PATCHES)
    assert work.patches == 3


def test_multiply_adds_are_those_of_whole_sheets():
    with measured_work() as one:
        embed(PATCHES[:1])
    with measured_work() as three:
        embed(PATCHES)
    assert one.multiply_adds == three.multiply_adds > 10**6


def test_nothing_is_counted_outside_the_block():
    with measured_work() as work:
        pass
    embed(PATCHES)
    assert work.patches == 0
