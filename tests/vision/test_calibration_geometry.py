"""Pixels to millimetres and back, against a camera that is known exactly."""

import cv2
import numpy as np
import pytest
from calibration_scene import SIZE_WH, TABLE, Camera, Pose, photograph

from vision.calibration import (
    Calibration,
    CalibrationError,
    Lens,
    TablePlane,
    photo_px_to_plane,
    plane_to_photo_px,
    tile_pitch_px,
    undistort,
)

WIDE = Camera(focal=700.0, distortion=(-0.25, 0.05, 0.002, -0.001, 0.0))


def known(camera, pose):
    matrix = [[camera.focal, 0, camera.centre[0]], [0, camera.focal, camera.centre[1]], [0, 0, 1]]
    lens = Lens(np.array(matrix), np.array(camera.distortion), camera.size_wh)
    return Calibration(lens, TablePlane(pose.rotation, pose.translation), 0.1, 0.1, 0.5, 8)


POINTS_MM = np.array([(0, 0), (168, 216), (-40, 100), (200, -30)], float)


def test_points_of_the_table_in_the_photo():
    found = plane_to_photo_px(known(WIDE, TABLE), POINTS_MM)
    np.testing.assert_allclose(found, WIDE.project(TABLE.solid(POINTS_MM)), atol=1e-6)


@pytest.mark.parametrize("above_mm", [0.0, 2.0, 40.0])
def test_there_and_back(above_mm):
    calibration = known(WIDE, TABLE)
    pixels = plane_to_photo_px(calibration, POINTS_MM, above_mm=above_mm)
    back = photo_px_to_plane(calibration, pixels, above_mm=above_mm)
    np.testing.assert_allclose(back, POINTS_MM, atol=1e-4)


def test_what_stands_on_the_table_is_nearer_to_the_camera():
    calibration = known(Camera(), Pose(0, 0, 0, (0, 0, 500)))
    low = plane_to_photo_px(calibration, POINTS_MM)
    high = plane_to_photo_px(calibration, POINTS_MM, above_mm=100)
    assert np.linalg.norm(high[1] - high[0]) > np.linalg.norm(low[1] - low[0])


def test_no_points():
    calibration = known(WIDE, TABLE)
    assert plane_to_photo_px(calibration, np.empty((0, 2))).shape == (0, 2)
    assert photo_px_to_plane(calibration, np.empty((0, 2))).shape == (0, 2)


def test_the_sky_is_not_on_the_table():
    low = known(Camera(distortion=(0.0,) * 5), Pose(-80, 0, 0, (0, 100, 600)))
    sky, table = photo_px_to_plane(low, [(640, 0), (640, 900)])
    assert np.isnan(sky).all() != np.isnan(table).all()


def test_pitch_of_tiles_seen_from_above():
    straight = Camera(distortion=(0.0,) * 5)
    calibration = known(straight, Pose(0, 0, 17, (0, 0, 500)))
    # 50 mm at a distance of 500 mm are a tenth of the focal length
    assert tile_pitch_px(calibration, 50) == pytest.approx(110, rel=1e-3)
    assert tile_pitch_px(calibration, 50, (30, 40)) == pytest.approx(110, rel=1e-3)


def test_pitch_grows_towards_the_camera():
    calibration = known(Camera(distortion=(0.0,) * 5), Pose(30, 0, 0, (0, 0, 500)))
    top, bottom = (tile_pitch_px(calibration, 50, (640, y)) for y in (100, 860))
    assert (top > 1.2 * bottom) or (bottom > 1.2 * top)


def test_pitch_beyond_the_table_is_refused():
    low = known(Camera(distortion=(0.0,) * 5), Pose(-80, 0, 0, (0, 100, 600)))
    beyond = [y for y in (0, 900) if np.isnan(photo_px_to_plane(low, [(640, y)])).any()]
    with pytest.raises(CalibrationError) as raised:
        tile_pitch_px(low, 50, (640, beyond[0]))
    assert raised.value.code == "calibration-beyond-table"


@pytest.fixture(scope="module")
def bent_and_pinhole():
    """The same sheet through a lens that bends lines and through one that does not."""
    pinhole = Camera(WIDE.focal, WIDE.centre, (0.0,) * 5, SIZE_WH)
    return photograph(WIDE, TABLE, noise=0), photograph(pinhole, TABLE, noise=0)


@pytest.mark.parametrize("scale", [1, 2])
def test_undistorted_photos_are_those_of_a_pinhole(scale, bent_and_pinhole):
    size = (SIZE_WH[0] // scale, SIZE_WH[1] // scale)
    bent, expected = (cv2.resize(p, size, interpolation=cv2.INTER_AREA) for p in bent_and_pinhole)
    found = undistort(bent, known(WIDE, TABLE))
    assert found.shape == bent.shape
    assert found.dtype == np.uint8
    middle = np.s_[100 // scale : -100 // scale, 300 // scale : -300 // scale]
    off = np.abs(found[middle].astype(int) - expected[middle])
    before = np.abs(bent[middle].astype(int) - expected[middle])
    assert off.mean() < 4
    assert before.mean() > 3 * off.mean()


def test_photos_of_another_size_are_not_undistorted():
    with pytest.raises(CalibrationError, match="640 x 400") as raised:
        undistort(np.zeros((400, 640, 3), np.uint8), known(WIDE, TABLE))
    assert raised.value.code == "calibration-other-size"


def test_values_cannot_be_changed():
    calibration = known(WIDE, TABLE)
    for array in (
        calibration.lens.camera_matrix,
        calibration.lens.distortion,
        calibration.plane.rotation,
        calibration.plane.translation_mm,
    ):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_camera_above_the_table():
    plane = TablePlane.from_vectors([0, 0, 0], [0, 0, 700])
    assert plane.camera_height_mm == pytest.approx(700)
    assert plane.tilt_deg == pytest.approx(0)
    tilted = TablePlane.from_vectors([np.radians(25), 0, 0], [0, 0, 700])
    assert tilted.tilt_deg == pytest.approx(25)
    assert tilted.camera_height_mm == pytest.approx(700 * np.cos(np.radians(25)))
