"""Duplex tiles are named where they stand out, and only there, by strips along the joints."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.cities import STANDARD, read_cities
from vision.arrays import apply_homography, floats
from vision.eye.duplex import (
    MIN_LOGIT,
    MIN_LOGIT_LEAD,
    OVERHANG,
    REACH,
    STRIP_HW,
    add_duplexes,
    cut_joint_strips,
    list_joints,
    normalise_contrast,
    read_joints,
    select_duplexes,
)
from vision.lab.simulate.content import Content
from vision.lab.simulate.games.between_two_cities import deal_cities
from vision.lab.simulate.simulated_table import Surroundings, simulate_table
from vision.photo.load import Photo

CELLS = [(row, column) for row in range(4) for column in range(4)]
JOINTS = list_joints(4, 4)
PAIR = (((0, 0), (0, 1)), ((2, 3), (3, 3)))
SIDE = 100
SIZE_WH = 1280, 720
CLEAN = Surroundings(material="felt", tilt=0.05, props=0, strays=0, strength=0.1)


def logits(**others):
    """Return logits of a city whose two duplex tiles stand out, but for some joints."""
    values = dict.fromkeys(JOINTS, -MIN_LOGIT_LEAD)
    values.update(dict.fromkeys(PAIR, MIN_LOGIT + 1.0))
    values.update({JOINTS[int(number[1:])]: value for number, value in others.items()})
    return np.array([values[joint] for joint in JOINTS], np.float32)


def test_two_that_stand_out_are_named_and_no_others():
    assert select_duplexes(JOINTS, logits()) == PAIR
    backwards = JOINTS[::-1]
    assert select_duplexes(backwards, logits()[::-1].copy()) == PAIR
    third = JOINTS.index(((1, 1), (1, 2)))
    assert select_duplexes(JOINTS, logits(**{f"j{third}": MIN_LOGIT + 1.1 - MIN_LOGIT_LEAD})) == ()
    weak = JOINTS.index(PAIR[0])
    assert select_duplexes(JOINTS, logits(**{f"j{weak}": MIN_LOGIT - 0.1})) == ()
    values = np.full(len(JOINTS), -20, np.float32)
    values[[JOINTS.index(((0, 0), (0, 1))), JOINTS.index(((0, 1), (0, 2)))]] = 5
    assert select_duplexes(JOINTS, values) == ()


@pytest.mark.parametrize("count", [0, 1, 2])
def test_no_duplex_is_named_with_too_few_joints(count):
    assert select_duplexes(JOINTS[:count], np.full(count, 9, np.float32)) == ()


@pytest.fixture(scope="module")
def tables():
    """Photos of three tables, what is read without and with duplex tiles, and where those lie."""
    made = []
    for seed in (71, 72, 73):
        cities = Content(tuple(deal_cities(np.random.default_rng(seed), 4)), is_round=True)
        table = simulate_table(seed, STANDARD, cities, SIZE_WH, surroundings=CLEAN)
        photo = Photo(table.image, "table.jpg", SIZE_WH)
        reading = read_cities(photo)
        made.append((photo, reading, add_duplexes(photo, reading), table.truth))
    return made


def true_pairs(truth, city):
    nearest = min(
        truth["cities"],
        key=lambda each: np.abs(np.array(each["corners_px"]) - city.corners_px).max(),
    )
    return {tuple(sorted(map(tuple, pair))) for pair in nearest["duplexes"]}


def test_nearly_half_of_duplexes_are_found_and_none_is_wrong(tables):
    found = 0
    for _photo, _reading, with_duplexes, truth in tables:
        for city in with_duplexes.grids:
            if city.duplexes:
                assert set(city.duplexes) == true_pairs(truth, city)
                found += 1
    assert found >= 5, f"of 12, {found}"


def test_nothing_else_of_the_reading_changes(tables):
    _photo, reading, with_duplexes, _truth = tables[0]
    assert (
        replace(
            with_duplexes, grids=tuple(replace(city, duplexes=()) for city in with_duplexes.grids)
        )
        == reading
    )
    photo, _reading, with_duplexes, _truth = tables[0]
    large = cv2.resize(photo.image_bgr, None, fx=2, fy=2, interpolation=cv2.INTER_LINEAR)
    halved = Photo(photo.image_bgr, "large.jpg", large.shape[1::-1], scale=2)
    again = [city.duplexes for city in add_duplexes(halved, read_cities(halved)).grids]
    assert again == [city.duplexes for city in with_duplexes.grids]


def test_no_duplex_is_named_with_a_hidden_joint(tables):
    named = 0
    for photo, reading, with_duplexes, _truth in tables:
        for city in with_duplexes.grids:
            if not city.duplexes:
                continue
            named += 1
            apart = next(cell for cell in CELLS if cell not in sum(city.duplexes, ()))
            lacking = without(apart, city)
            doubtful = replace(city, unsure=(apart,))
            both = replace(reading, grids=(lacking, doubtful))
            assert [c.duplexes for c in add_duplexes(photo, both).grids] == [(), ()]
    assert named


def without(cell, city):
    """The city with no tile in a cell."""
    row, column = cell
    grid, quads = [list(line) for line in city.faces], [list(line) for line in city.tile_quads_px]
    grid[row][column] = quads[row][column] = None
    return replace(city, faces=tuple(map(tuple, grid)), tile_quads_px=tuple(map(tuple, quads)))


def upright_quads(rows=2, columns=2, left=60, top=40):
    """Tiles of SIDE pixels edge to edge."""
    corner = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * SIDE
    return {
        (r, c): floats(corner + np.array([left + c * SIDE, top + r * SIDE]))
        for r in range(rows)
        for c in range(columns)
    }


def test_every_joint_once_those_in_rows_first():
    joints = list_joints(4, 4)
    assert len(joints) == len(set(joints)) == 24
    assert joints[0] == ((0, 0), (0, 1))
    assert joints[12] == ((0, 0), (1, 0))
    assert all(first < second for first, second in joints)
    assert len(list_joints(1, 1)) == 0


@pytest.mark.parametrize(
    ("joint", "line"),
    [
        (((0, 0), (0, 1)), ((160, 40), (160, 140))),
        (((1, 0), (1, 1)), ((160, 140), (160, 240))),
        (((0, 1), (1, 1)), ((160, 140), (260, 140))),
    ],
)
def test_a_strip_has_the_joint_in_its_middle(joint, line):
    image = np.zeros((300, 340, 3), np.uint8)
    cv2.line(image, *line, (255, 255, 255), 3)
    (strip,) = cut_joint_strips(image, upright_quads(), [joint])
    assert strip.shape == (*STRIP_HW, 3)
    height, width = STRIP_HW
    inside = strip[round(0.2 * height) : round(0.8 * height)].mean(axis=(0, 2))
    assert inside[width // 2 - 1 : width // 2 + 1].min() > 200
    assert inside[: width // 2 - 4].max() == inside[width // 2 + 4 :].max() == 0


def test_the_first_tile_lies_on_the_left_and_both_are_seen():
    image = np.zeros((300, 340, 3), np.uint8)
    image[:, :160] = (255, 0, 0)
    image[:, 160:] = (0, 0, 255)
    (strip,) = cut_joint_strips(image, upright_quads(), [((0, 0), (0, 1))])
    assert (strip[:, : STRIP_HW[1] // 2 - 1] == (255, 0, 0)).all()
    assert (strip[:, STRIP_HW[1] // 2 + 1 :] == (0, 0, 255)).all()
    image = image.transpose(1, 0, 2)
    (strip,) = cut_joint_strips(image, upright_quads(left=40, top=60), [((0, 0), (1, 0))])
    assert (strip[:, : STRIP_HW[1] // 2 - 1] == (255, 0, 0)).all()


def test_a_strip_shows_as_much_as_it_says():
    image = np.zeros((400, 440, 3), np.uint8)
    reach, over = REACH * SIDE, OVERHANG * SIDE
    image[round(40 - over) : round(140 + over), round(160 - reach) : round(160 + reach)] = 255
    (strip,) = cut_joint_strips(image, upright_quads(), [((0, 0), (0, 1))])
    assert strip.min() > 100
    image = np.full((200, 260, 3), 70, np.uint8)
    (strip,) = cut_joint_strips(image, upright_quads(left=-30, top=-50), [((0, 0), (0, 1))])
    assert (strip == 70).all()
    strips = cut_joint_strips(np.zeros((9, 9, 3), np.uint8), {}, [])
    assert strips.shape == (0, *STRIP_HW, 3)
    assert read_joints(strips).shape == (0,)


def test_strips_of_a_slanted_city_show_the_joint():
    flat = np.zeros((300, 340, 3), np.uint8)
    cv2.line(flat, (160, 0), (160, 299), (255, 255, 255), 5)
    warp = np.array([[0.8, -0.3, 90], [0.25, 0.9, 10], [2e-4, -1e-4, 1]])
    slanted = cv2.warpPerspective(flat, warp, (460, 420), flags=cv2.INTER_AREA)
    quads = {cell: apply_homography(quad, warp) for cell, quad in upright_quads().items()}
    strips = cut_joint_strips(slanted, quads, [((0, 0), (0, 1)), ((1, 0), (1, 1))])
    assert strips[:, 3:-3, STRIP_HW[1] // 2 - 1 : STRIP_HW[1] // 2 + 1].min() > 120


def test_each_joint_is_read_whatever_the_others_are():
    strips = np.random.default_rng(2).integers(0, 255, (30, *STRIP_HW, 3), np.uint8)
    together = read_joints(strips)
    assert together.shape == (30,)
    alone = [read_joints(strip[None])[0] for strip in strips[::7]]
    assert together[::7] == pytest.approx(alone, abs=1e-3)
    pictures = np.random.default_rng(3).integers(0, 100, (4, *STRIP_HW, 3), np.uint8)
    plain = normalise_contrast(pictures)
    assert plain.shape == (4, 3, *STRIP_HW)
    assert plain.mean(axis=(1, 2, 3)) == pytest.approx(0, abs=1e-5)
    assert normalise_contrast(pictures * 2 + 30) == pytest.approx(plain, rel=0.1)
    assert np.abs(normalise_contrast(np.full((1, *STRIP_HW, 3), 90, np.uint8))).max() < 1e-4
