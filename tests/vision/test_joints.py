"""Strips along the joints of a city."""

import cv2
import numpy as np
import pytest

from vision.arrays import floats, transformed
from vision.duplex import (
    OVERHANG,
    REACH,
    STRIP_HW,
    contrasted,
    joint_strips,
    joints_of,
    read_joints,
)

SIDE = 100


def upright_quads(rows=2, columns=2, left=60, top=40):
    """Tiles of SIDE pixels edge to edge."""
    corner = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * SIDE
    return {
        (r, c): floats(corner + np.array([left + c * SIDE, top + r * SIDE]))
        for r in range(rows)
        for c in range(columns)
    }


def test_every_joint_once_those_in_rows_first():
    joints = joints_of(4, 4)
    assert len(joints) == len(set(joints)) == 24
    assert joints[0] == ((0, 0), (0, 1))
    assert joints[12] == ((0, 0), (1, 0))
    assert all(first < second for first, second in joints)
    assert len(joints_of(1, 1)) == 0


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
    (strip,) = joint_strips(image, upright_quads(), [joint])
    assert strip.shape == (*STRIP_HW, 3)
    height, width = STRIP_HW
    inside = strip[round(0.2 * height) : round(0.8 * height)].mean(axis=(0, 2))
    assert inside[width // 2 - 1 : width // 2 + 1].min() > 200
    assert inside[: width // 2 - 4].max() == inside[width // 2 + 4 :].max() == 0


def test_the_first_tile_lies_on_the_left_and_both_are_seen():
    image = np.zeros((300, 340, 3), np.uint8)
    image[:, :160] = (255, 0, 0)
    image[:, 160:] = (0, 0, 255)
    (strip,) = joint_strips(image, upright_quads(), [((0, 0), (0, 1))])
    assert (strip[:, : STRIP_HW[1] // 2 - 1] == (255, 0, 0)).all()
    assert (strip[:, STRIP_HW[1] // 2 + 1 :] == (0, 0, 255)).all()
    image = image.transpose(1, 0, 2)
    (strip,) = joint_strips(image, upright_quads(left=40, top=60), [((0, 0), (1, 0))])
    assert (strip[:, : STRIP_HW[1] // 2 - 1] == (255, 0, 0)).all()


def test_a_strip_shows_as_much_as_it_says():
    image = np.zeros((400, 440, 3), np.uint8)
    reach, over = REACH * SIDE, OVERHANG * SIDE
    image[round(40 - over) : round(140 + over), round(160 - reach) : round(160 + reach)] = 255
    (strip,) = joint_strips(image, upright_quads(), [((0, 0), (0, 1))])
    assert strip.min() > 100
    image = np.full((200, 260, 3), 70, np.uint8)
    (strip,) = joint_strips(image, upright_quads(left=-30, top=-50), [((0, 0), (0, 1))])
    assert (strip == 70).all()
    strips = joint_strips(np.zeros((9, 9, 3), np.uint8), {}, [])
    assert strips.shape == (0, *STRIP_HW, 3)
    assert read_joints(strips).shape == (0,)


def test_of_a_slanted_city_too():
    flat = np.zeros((300, 340, 3), np.uint8)
    cv2.line(flat, (160, 0), (160, 299), (255, 255, 255), 5)
    warp = np.array([[0.8, -0.3, 90], [0.25, 0.9, 10], [2e-4, -1e-4, 1]])
    slanted = cv2.warpPerspective(flat, warp, (460, 420), flags=cv2.INTER_AREA)
    quads = {cell: transformed(quad, warp) for cell, quad in upright_quads().items()}
    strips = joint_strips(slanted, quads, [((0, 0), (0, 1)), ((1, 0), (1, 1))])
    assert strips[:, 3:-3, STRIP_HW[1] // 2 - 1 : STRIP_HW[1] // 2 + 1].min() > 120


def test_each_joint_is_read_whatever_the_others_are():
    strips = np.random.default_rng(2).integers(0, 255, (30, *STRIP_HW, 3), np.uint8)
    together = read_joints(strips)
    assert together.shape == (30,)
    alone = [read_joints(strip[None])[0] for strip in strips[::7]]
    assert together[::7] == pytest.approx(alone, abs=1e-3)
    pictures = np.random.default_rng(3).integers(0, 100, (4, *STRIP_HW, 3), np.uint8)
    plain = contrasted(pictures)
    assert plain.shape == (4, 3, *STRIP_HW)
    assert plain.mean(axis=(1, 2, 3)) == pytest.approx(0, abs=1e-5)
    assert contrasted(pictures * 2 + 30) == pytest.approx(plain, rel=0.1)
    assert np.abs(contrasted(np.full((1, *STRIP_HW, 3), 90, np.uint8))).max() < 1e-4
