"""Places in a photo are described in words."""

import pytest

from firmware.base.language import in_language
from firmware.base.photo_quads import position_in_photo, unread_positions
from firmware.wording.problem_text import translate
from tests.firmware.fake_eye import DARK
from tests.firmware.samples import ring_reading, square
from vision.reading import Unread


@pytest.mark.parametrize(
    ("middle", "expected"),
    [
        ((10, 10), "upper left"), ((450, 20), "top"), ((880, 190), "upper right"),
        ((10, 300), "left"), ((450, 300), "middle"), ((880, 300), "right"),
        ((299, 401), "lower left"), ((301, 599), "bottom"), ((900, 600), "lower right"),
        ((-50, -50), "upper left"), ((2000, 2000), "lower right"),
    ],
)  # fmt: skip
def test_a_photo_has_nine_parts(middle, expected):
    assert position_in_photo(square(middle, 40, 30), (900, 600)) == expected


def test_all_unread_cities_are_named():
    unread = tuple(Unread(square((x, 1000), 80, 0), DARK) for x in (100, 2200))
    assert unread_positions(ring_reading(3, unread=unread)) == "lower left, lower right"


def test_positions_are_said_in_the_language_in_which_they_are_shown():
    unread = tuple(Unread(square((x, 1000), 80, 0), DARK) for x in (100, 2200))
    positions = unread_positions(ring_reading(3, unread=unread))
    with in_language("de"):
        assert translate(positions) == "unten links, unten rechts"
