"""Pixels to millimetres and back, against a camera that is known exactly."""

import numpy as np
import pytest

from tests.vision.calibration_scene import TABLE, Camera, Pose
from vision.calibration import Calibration, Lens, TablePlane, photo_px_to_plane, plane_to_photo_px

WIDE = Camera(focal=700.0, distortion=(-0.25, 0.05, 0.002, -0.001, 0.0))


def known(camera, pose):
    matrix = [[camera.focal, 0, camera.centre[0]], [0, camera.focal, camera.centre[1]], [0, 0, 1]]
    lens = Lens(np.array(matrix), np.array(camera.distortion), camera.size_wh)
    return Calibration(lens, TablePlane(pose.rotation, pose.translation), 0.1, 0.1, 0.5, 8)


POINTS_MM = np.array([(0, 0), (168, 216), (-40, 100), (200, -30)], float)


def test_points_of_the_table_in_the_photo():
    found = plane_to_photo_px(known(WIDE, TABLE), POINTS_MM)
    np.testing.assert_allclose(found, WIDE.project(TABLE.solid(POINTS_MM)), atol=1e-6)


def test_projections_invert_each_other_and_are_immutable():
    calibration = known(WIDE, TABLE)
    back = photo_px_to_plane(calibration, plane_to_photo_px(calibration, POINTS_MM))
    np.testing.assert_allclose(back, POINTS_MM, atol=1e-4)
    assert plane_to_photo_px(calibration, np.empty((0, 2))).shape == (0, 2)
    assert photo_px_to_plane(calibration, np.empty((0, 2))).shape == (0, 2)
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
    low = known(Camera(distortion=(0.0,) * 5), Pose(-80, 0, 0, (0, 100, 600)))
    sky, table = photo_px_to_plane(low, [(640, 0), (640, 900)])
    assert np.isnan(sky).all() != np.isnan(table).all()
