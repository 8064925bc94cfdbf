"""Planes through many points by least squares."""

import numpy as np
import pytest

from vision.arrays import transformed
from vision.boards.plane_fit import homogeneous, normalised, planes_through

SLANTED = np.array([[60, 5, 300], [-6, 58, 200], [0.01, -0.02, 1]])
GRID = np.stack(np.meshgrid(np.arange(6.0), np.arange(4.0)), axis=2).reshape(-1, 2)


def through(plane, points):
    moved = homogeneous(points) @ plane.T
    return moved[:, :2] / moved[:, 2:]


def test_a_plane_in_perspective_is_found_from_its_points():
    flat, _ = normalised(GRID)
    several = [normalised(transformed(GRID, plane))[0] for plane in (SLANTED, np.eye(3))]
    planes = planes_through(flat, np.stack(several))
    for plane, seen in zip(planes, several, strict=True):
        assert through(plane, flat) == pytest.approx(seen, abs=1e-5)


def test_noise_evens_out():
    flat, _ = normalised(GRID)
    exact, size_px = normalised(transformed(GRID, SLANTED))
    noise = np.random.default_rng(3).normal(size=(200, len(GRID), 2)) / size_px
    planes = planes_through(flat, exact + noise)
    off = [through(plane, flat) - exact for plane in planes]
    assert np.std(off) * size_px == pytest.approx(np.sqrt(8 / (2 * len(GRID))), rel=0.1)


def test_points_on_a_line_make_no_trouble():
    line = normalised(np.stack([np.arange(9.0), np.arange(9.0)], axis=1))[0]
    (plane,) = planes_through(line, line[None])
    assert np.all(np.isfinite(plane))


def test_normalised_points_lie_about_their_middle():
    points, size = normalised(GRID + 7)
    assert points.mean(axis=0) == pytest.approx([0, 0], abs=1e-12)
    assert points.std() == pytest.approx(1)
    assert points * size + [9.5, 8.5] == pytest.approx(GRID + 7)
    assert normalised(np.ones((3, 2)))[1] == 1.0
