"""Photos of the sheet give back the camera that took them, or a reason why they cannot."""

from dataclasses import replace

import numpy as np
import pytest

from tests.refusals import refused
from tests.vision.calibration_scene import (
    ALL_CORNERS,
    POSES,
    TABLE,
    Camera,
    Pose,
    photo_of,
    photograph,
    view,
    views,
)
from vision.calibration import CalibrationError, calibrate, detect_sheet, locate_table
from vision.calibration.sheet import charuco_board, corner_positions_mm
from vision.photo.load import Photo

CAMERA = Camera()
FLAT = [(-100, -50, 0), (90, 50, 90), (90, -60, 20), (-90, 60, 45), (0, 0, 70), (30, 60, 180)]


@pytest.fixture(scope="module")
def photos():
    return [
        photo_of(photograph(CAMERA, pose, seed=number), f"{number}.png")
        for number, pose in enumerate(POSES)
    ]


@pytest.fixture(scope="module")
def detected(photos):
    return [detect_sheet(photo) for photo in photos]


def refusal(views, table=-1):
    with pytest.raises(CalibrationError) as raised:
        calibrate(views, table)
    return raised.value


class TestDetection:
    def test_every_corner_is_found_where_it_is(self, detected):
        for found, pose in zip(detected, POSES, strict=True):
            true_px = CAMERA.project(pose.solid(found.corners_mm))
            assert len(found.corners_px) == 48
            assert np.linalg.norm(found.corners_px - true_px, axis=1).max() < 0.35

    def test_corners_are_in_pixels_of_the_full_photo(self, photos):
        small = photos[-1]
        width, height = small.size_wh
        reduced = Photo(small.image_bgr, "large.jpg", (2 * width, 2 * height), scale=2)
        found, large = detect_sheet(small), detect_sheet(reduced)
        assert large.size_wh == (2 * width, 2 * height)
        np.testing.assert_allclose(large.corners_px, 2 * found.corners_px + 0.5)
        image = photos[-1].image_bgr.copy()
        image[:400] = 90
        found = detect_sheet(photo_of(image))
        assert 12 <= len(found.corners_px) < 48
        true_px = CAMERA.project(TABLE.solid(found.corners_mm))
        assert np.linalg.norm(found.corners_px - true_px, axis=1).max() < 1

    def test_a_photo_with_too_little_of_the_sheet(self, photos):
        image = photos[-1].image_bgr.copy()
        image[:, 570:] = 90
        with pytest.raises(CalibrationError, match="of the 48 corners") as raised:
            detect_sheet(photo_of(image))
        assert raised.value.code == "sheet-hidden"
        with pytest.raises(CalibrationError, match="cannot be seen: ") as raised:
            detect_sheet(photo_of(np.full((480, 640, 3), 128, np.uint8), "empty.png"))
        assert (raised.value.code, raised.value.where) == ("sheet-not-found", "empty.png")

    def test_corners_are_numbered_as_opencv_does(self):
        expected = np.asarray(charuco_board().getChessboardCorners()).reshape(-1, 3)
        np.testing.assert_allclose(corner_positions_mm(ALL_CORNERS), expected[:, :2])
        assert not expected[:, 2].any()


class TestPhotos:
    def test_the_camera_is_found_and_the_report_is_true(self, detected):
        calibration = calibrate(detected).calibration
        lens, plane = calibration.lens, calibration.plane
        assert lens.size_wh == CAMERA.size_wh
        assert lens.focal_px == pytest.approx(CAMERA.focal, rel=0.01)
        assert lens.centre_px == pytest.approx(CAMERA.centre, abs=5)
        assert lens.distortion[0] == pytest.approx(CAMERA.distortion[0], abs=0.01)
        assert lens.distortion[1] == pytest.approx(CAMERA.distortion[1], abs=0.03)
        assert not lens.distortion[2:].any()
        assert plane.camera_height_mm == pytest.approx(TABLE.height, rel=0.01)
        np.testing.assert_allclose(plane.rotation, TABLE.rotation, atol=0.01)
        np.testing.assert_allclose(plane.translation_mm, TABLE.translation, atol=5)
        assert 0 < calibration.reprojection_error_px < 0.15
        # A pixel is about 0.4 mm on the sheet
        assert 0 < calibration.reprojection_error_mm < 0.08
        assert calibration.photo_count == len(POSES)
        assert 0.3 < calibration.coverage < 0.45


class TestLens:
    def test_exact_corners_give_the_exact_camera(self):
        lens = calibrate(views(CAMERA, noise_px=0)).calibration.lens
        assert lens.focal_px == pytest.approx(CAMERA.focal, rel=1e-4)
        assert lens.centre_px == pytest.approx(CAMERA.centre, abs=0.05)
        np.testing.assert_allclose(lens.distortion, CAMERA.distortion, atol=1e-3)
        lens = calibrate(views(replace(CAMERA, distortion=(0.0,) * 5))).calibration.lens
        assert np.abs(lens.distortion[:2]).max() < 0.02
        assert not lens.distortion[2:].any()

    def test_many_photos_show_a_lens_that_sits_askew(self):
        askew = replace(CAMERA, distortion=(-0.18, 0.06, 0.004, -0.003, 0.0))
        lens = calibrate(views(askew, POSES)).calibration.lens
        np.testing.assert_allclose(lens.distortion[2:4], (0.004, -0.003), atol=0.001)
        askew = replace(CAMERA, distortion=(-0.18, 0.06, 0.0005, 0.0, 0.0))
        lens = calibrate(views(askew, POSES[1:])).calibration.lens
        assert not lens.distortion[2:].any()

    @pytest.mark.parametrize("focal", [700.0, 2500.0])
    def test_wide_and_long_lenses(self, focal):
        camera = replace(CAMERA, focal=focal)
        near = [
            replace(pose, middle=(*pose.middle[:2], pose.middle[2] * focal / CAMERA.focal))
            for pose in POSES
        ]
        lens = calibrate(views(camera, near)).calibration.lens
        assert lens.focal_px == pytest.approx(focal, rel=0.01)


class TestTable:
    def test_any_photo_can_be_that_of_the_table(self):
        plane = calibrate(views(CAMERA), table=2).calibration.plane
        assert plane.camera_height_mm == pytest.approx(POSES[2].height, rel=0.01)

    def test_a_known_lens_needs_one_photo_of_its_size_and_lens(self):
        before = calibrate(views(CAMERA)).calibration
        moved = Pose(-15, 10, 30, (40, 20, 600))
        after = locate_table(before, view(CAMERA, moved))
        assert after.lens is before.lens
        assert after.plane.camera_height_mm == pytest.approx(moved.height, rel=0.01)
        np.testing.assert_allclose(after.plane.rotation, moved.rotation, atol=0.01)
        other = replace(CAMERA, size_wh=(960, 1280))
        with pytest.raises(CalibrationError, match="960 x 1280") as raised:
            locate_table(before, view(other, TABLE))
        assert raised.value.code == "calibration-other-size"
        other = replace(CAMERA, focal=800.0, distortion=(0.3, 0, 0, 0, 0))
        with refused("calibration-inexact"):
            locate_table(before, view(other, Pose(30, 10, 0, (60, 0, 300))))


class TestLeftOut:
    def test_a_photo_that_repeats_another(self):
        seen = [view(CAMERA, POSES[0], "again.jpg", seed=99), *views(CAMERA)]
        outcome = calibrate(seen)
        assert outcome.calibration.photo_count == len(POSES)
        assert [one.photo_name for one in outcome.left_out] == ["0.jpg"]
        assert "the same as again.jpg: " in outcome.left_out[0].reason
        seen = [view(CAMERA, TABLE, "before.jpg", seed=99), *views(CAMERA)]
        assert [one.photo_name for one in calibrate(seen).left_out] == ["before.jpg"]

    def test_a_photo_of_a_bent_sheet(self):
        seen = views(CAMERA)
        bend = np.sin(seen[3].corners_mm / 40) * 5
        seen[3] = replace(seen[3], corners_px=seen[3].corners_px + bend)
        outcome = calibrate(seen)
        assert [one.photo_name for one in outcome.left_out] == ["3.jpg"]
        assert outcome.calibration.lens.focal_px == pytest.approx(CAMERA.focal, rel=0.01)
        bend = np.sin(seen[-1].corners_mm / 40) * 5
        seen[-1] = replace(seen[-1], corners_px=seen[-1].corners_px + bend)
        error = refusal(seen)
        assert (error.code, error.where) == ("calibration-table-unclear", "7.jpg")


class TestRefusals:
    @pytest.mark.parametrize("count", range(5))
    def test_too_few_photos(self, count):
        error = refusal(views(CAMERA, POSES[:count]))
        assert error.code == "calibration-too-few-photos"
        assert f"different photos show the sheet ({count})" in error.message

    def test_photos_of_different_sizes(self):
        seen = views(CAMERA)
        seen[2] = replace(seen[2], size_wh=(960, 1280))
        error = refusal(seen)
        assert (error.code, error.where) == ("calibration-sizes-differ", "2.jpg")
        error = refusal(views(CAMERA, [TABLE] * 6))
        assert error.code == "calibration-too-few-photos"

    @pytest.mark.parametrize("tilt", [0, 12])
    @pytest.mark.parametrize("noise_px", [0.0, 0.1])
    def test_all_photos_from_the_same_angle(self, tilt, noise_px):
        poses = [Pose(tilt, 0, turn if tilt == 0 else 0, (x, y, 450)) for x, y, turn in FLAT]
        error = refusal(views(CAMERA, poses, noise_px=noise_px))
        assert error.code == "calibration-one-angle"
        assert "lift" in error.message

    def test_too_little_coverage_and_corners_that_fit_no_lens_or_badly(self):
        far = [replace(pose, middle=(pose.middle[0] / 5, 0, 900)) for pose in POSES]
        error = refusal(views(CAMERA, far, noise_px=0.02))
        assert error.code == "calibration-low-coverage"
        assert "20%" in error.message
        error = refusal(views(CAMERA, noise_px=3.0))
        assert error.code in {"calibration-inexact", "calibration-one-angle"}
        error = refusal(views(CAMERA, noise_px=0.9))
        assert error.code == "calibration-inexact"
        assert "px" in error.message
