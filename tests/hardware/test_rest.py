"""Dimming and pixel shift while nobody looks."""

from itertools import pairwise

import pytest

from hardware.display import Rest

REST = Rest(after_s=120, contrast=200, resting_contrast=3, shift_every_s=60)


@pytest.mark.parametrize("idle_s", [0, 1, 119.9])
def test_while_it_is_used_a_picture_is_bright_and_in_its_place(idle_s):
    assert not REST.rests_at(idle_s)
    assert REST.contrast_at(idle_s) == 200
    assert REST.shift_at(idle_s) == (0, 0)


@pytest.mark.parametrize("idle_s", [120, 1e9])
def test_it_gets_darker_but_not_dark_after_the_time(idle_s):
    assert REST.rests_at(idle_s)
    assert REST.contrast_at(idle_s) == 3


def test_dimming_begins_where_the_picture_lies():
    assert REST.shift_at(120) == (0, 0)


def test_then_it_moves_by_one_pixel_at_a_time_and_stays_near():
    places = [REST.shift_at(120 + 60 * minute) for minute in range(9)]
    assert places[:4] == places[4:8]
    assert len(set(places)) == 4
    for (x, y), (next_x, next_y) in pairwise(places):
        assert abs(x - next_x) + abs(y - next_y) == 1
    assert all(0 <= x <= 1 and 0 <= y <= 1 for x, y in places)


def test_zero_seconds_mean_never():
    rest = Rest(after_s=0, contrast=50)
    assert rest.contrast_at(1e9) == 50
    assert rest.shift_at(1e9) == (0, 0)


def test_resting_never_makes_a_dark_display_brighter():
    assert Rest(contrast=0).contrast_at(1e9) == 0
