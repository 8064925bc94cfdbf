"""Duplex tiles are named where they stand out, and only there."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from cities import STANDARD, read_cities

from vision.duplex import LEAD, LEAST, joints_of, standing_out, with_duplexes
from vision.photo import Photo
from vision.simulate.content import Content
from vision.simulate.games.between_two_cities import deal_cities
from vision.simulate.table import Surroundings, simulate_table

CELLS = [(row, column) for row in range(4) for column in range(4)]
JOINTS = joints_of(4, 4)
PAIR = (((0, 0), (0, 1)), ((2, 3), (3, 3)))
CLEAN = Surroundings(material="felt", tilt=0.05, props=0, strays=0, strength=0.1)


def logits(**others):
    """Of a city whose two duplex tiles stand out, but for some joints."""
    values = dict.fromkeys(JOINTS, -LEAD)
    values.update(dict.fromkeys(PAIR, LEAST + 1.0))
    values.update({JOINTS[int(number[1:])]: value for number, value in others.items()})
    return np.array([values[joint] for joint in JOINTS], np.float32)


def test_two_that_stand_out_are_named_and_no_others():
    assert standing_out(JOINTS, logits()) == PAIR
    backwards = JOINTS[::-1]
    assert standing_out(backwards, logits()[::-1].copy()) == PAIR
    third = JOINTS.index(((1, 1), (1, 2)))
    assert standing_out(JOINTS, logits(**{f"j{third}": LEAST + 1.1 - LEAD})) == ()
    weak = JOINTS.index(PAIR[0])
    assert standing_out(JOINTS, logits(**{f"j{weak}": LEAST - 0.1})) == ()
    values = np.full(len(JOINTS), -20, np.float32)
    values[[JOINTS.index(((0, 0), (0, 1))), JOINTS.index(((0, 1), (0, 2)))]] = 5
    assert standing_out(JOINTS, values) == ()


@pytest.mark.parametrize("count", [0, 1, 2])
def test_none_is_named_where_too_few_joints_are_seen(count):
    assert standing_out(JOINTS[:count], np.full(count, 9, np.float32)) == ()


@pytest.fixture(scope="module")
def tables():
    """Photos of five tables, what is read without and with duplex tiles, and where those lie."""
    made = []
    for seed in (71, 72, 73, 74, 75):
        cities = Content(tuple(deal_cities(np.random.default_rng(seed), 4)), is_round=True)
        table = simulate_table(seed, STANDARD, cities, around=CLEAN)
        photo = Photo(table.image, "table.jpg", (2304, 1296))
        reading = read_cities(photo)
        made.append((photo, reading, with_duplexes(photo, reading), table.truth))
    return made


def true_pairs(truth, city):
    nearest = min(
        truth["cities"],
        key=lambda each: np.abs(np.array(each["corners_px"]) - city.corners_px).max(),
    )
    return {tuple(sorted(map(tuple, pair))) for pair in nearest["duplexes"]}


def test_nearly_half_are_found_on_tables_that_are_plain_to_see_and_none_is_wrong(tables):
    found = 0
    for _photo, _reading, told, truth in tables:
        for city in told.grids:
            if city.duplexes:
                assert set(city.duplexes) == true_pairs(truth, city)
                found += 1
    assert found >= 8, f"of 20, {found}"


def test_nothing_else_of_the_reading_changes(tables):
    _photo, reading, told, _truth = tables[0]
    assert replace(told, grids=tuple(replace(city, duplexes=()) for city in told.grids)) == reading
    photo, _reading, told, _truth = tables[0]
    large = cv2.resize(photo.image_bgr, None, fx=2, fy=2, interpolation=cv2.INTER_LINEAR)
    halved = Photo(photo.image_bgr, "large.jpg", large.shape[1::-1], scale=2)
    again = [city.duplexes for city in with_duplexes(halved, read_cities(halved)).grids]
    assert again == [city.duplexes for city in told.grids]


def test_none_is_named_where_a_joint_cannot_be_seen(tables):
    named = 0
    for photo, reading, told, _truth in tables:
        for city in told.grids:
            if not city.duplexes:
                continue
            named += 1
            apart = next(cell for cell in CELLS if cell not in sum(city.duplexes, ()))
            lacking = without(apart, city)
            doubtful = replace(city, unsure=(apart,))
            both = replace(reading, grids=(lacking, doubtful))
            assert [c.duplexes for c in with_duplexes(photo, both).grids] == [(), ()]
    assert named


def without(cell, city):
    """The city with no tile in a cell."""
    row, column = cell
    grid, quads = [list(line) for line in city.grid], [list(line) for line in city.tile_quads_px]
    grid[row][column] = quads[row][column] = None
    return replace(city, grid=tuple(map(tuple, grid)), tile_quads_px=tuple(map(tuple, quads)))
