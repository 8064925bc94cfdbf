"""A picture of the sheet on the table says how the camera stands and what to do."""

import math
from dataclasses import replace

import numpy as np
import pytest

from firmware.camera.aim_measurement import Advice, measure_aim
from firmware.report.aim_view import aim_picture, aim_view, grouped_heights_cm
from firmware.screens.device_views import AIM_PICTURE_WH, AimPart
from firmware.screens.render import render
from hardware.camera import Frame
from hardware.mount import MODULE_3, find_mount, table_size
from tests.firmware.screen_looks import shown
from tests.firmware.view_samples import aimed
from tests.vision.calibration_scene import Camera, Pose, photograph
from vision.calibration import Lens

SIZE_WH = (1152, 648)
FOCAL_PX = SIZE_WH[0] / 2 / math.tan(math.radians(33))
"""Focal length of the Camera Module 3."""
CAMERA = Camera(FOCAL_PX, ((SIZE_WH[0] - 1) / 2, (SIZE_WH[1] - 1) / 2), (0,) * 5, SIZE_WH)


def seen(height_mm=700.0, *, tilt=0.0, lean=0.0, turn=0.0, blur=0.4, light=1.0, sensor="imx708"):
    """Return a camera frame of the sheet as seen from a place; angles in degrees."""
    image = photograph(CAMERA, Pose(tilt, lean, turn, (20, 10, height_mm)), blur=blur)
    return Frame((image * light).astype(np.uint8), 0.0, sensor=sensor)


@pytest.mark.parametrize(
    ("how", "advice"),
    [
        ({}, Advice.GOOD), ({"tilt": 8}, Advice.GOOD), ({"light": 0.12}, Advice.TOO_DARK),
        ({"blur": 1.8, "height_mm": 520}, Advice.OUT_OF_FOCUS),
        ({"tilt": 38, "height_mm": 500}, Advice.TOO_SLANTED), ({"turn": 9}, Advice.NOT_SQUARE),
        ({"lean": 8}, Advice.NOT_SQUARE), ({"height_mm": 450}, Advice.TOO_NEAR),
        ({"height_mm": 960}, Advice.TOO_FAR),
    ],
)  # fmt: skip
def test_advice_names_the_most_important_fault(how, advice):
    assert measure_aim(seen(**how)).advice is advice


def test_without_the_sheet_it_asks_for_it():
    empty = np.full((*SIZE_WH[::-1], 3), 128, np.uint8)
    empty[::40] = 20
    found = measure_aim(Frame(empty, 0.0))
    assert (found.advice, found.pose) == (Advice.NO_SHEET, None)
    white = measure_aim(Frame(np.full_like(empty, 250), 0.0))
    assert white.advice is Advice.TOO_BRIGHT
    matrix = np.array([[500.0, 0, 320], [0, 500.0, 240], [0, 0, 1]])
    other = Lens(matrix, np.zeros(5), (640, 480))
    assert measure_aim(seen(), other) == measure_aim(seen())


def test_aim_measures_camera_sheet_and_players_that_fit():
    stand = measure_aim(seen(800, tilt=15)).pose
    pose = Pose(15, 0, 0, (20, 10, 800))
    assert stand.height_mm == pytest.approx(pose.height, rel=0.01)
    assert stand.tilt_deg == pytest.approx(15, abs=0.5)
    assert measure_aim(seen(800, tilt=25)).pose.tile_px < measure_aim(seen(800)).pose.tile_px
    for players in (4, 6, 7):
        needed = find_mount(table_size(players), MODULE_3).height_mm
        # The maker's angles do not quite fit the sides of the picture
        assert measure_aim(seen(needed * 1.03)).pose.players >= players
    assert measure_aim(seen(find_mount(table_size(7), MODULE_3).height_mm * 0.97)).pose.players == 6
    for turn in (0, 90, 180, -90):
        found = measure_aim(seen(turn=turn + 3)).pose
        assert abs(found.skew_deg) == pytest.approx(3, abs=0.5)


def test_outline_of_the_table_lies_in_the_picture_and_is_drawn():
    for tilt in (0, 15, -25):
        frame = seen(800, tilt=tilt)
        found = measure_aim(frame)
        corners = np.array(found.pose.table_px)
        assert (corners > 0).all()
        assert (corners < SIZE_WH).all()
        bare = replace(found, pose=None)
        with_outline = aim_picture(found, frame.image_bgr, AIM_PICTURE_WH)
        width_px, height_px = with_outline.size_wh
        assert width_px <= AIM_PICTURE_WH[0]
        assert height_px == AIM_PICTURE_WH[1], "the height of the photo limits it"
        assert with_outline != aim_picture(bare, frame.image_bgr, AIM_PICTURE_WH)


@pytest.mark.parametrize(
    ("part", "expected"), [(AimPart.FIGURES, "2 players"), (AimPart.PICTURE, "2")]
)
def test_room_for_two_players_is_no_range(part, expected):
    screen = render(aimed(Advice.GOOD, part=part, players=2))
    assert expected in shown(screen)


def test_heights_need_a_known_lens():
    frame = seen()
    by_sensor = grouped_heights_cm(measure_aim(frame))
    assert [players for players, _ in by_sensor] == ["2–6", "7"]
    unknown = measure_aim(replace(frame, sensor="imx999"))
    assert unknown.heights_mm == ()
    assert unknown.pose.height_mm is None
    assert unknown.pose.players == measure_aim(frame).pose.players
    matrix = np.array([[FOCAL_PX / 2, 0, 575.5], [0, FOCAL_PX / 2, 323.5], [0, 0, 1]])
    calibrated = measure_aim(replace(frame, sensor=""), Lens(matrix, np.zeros(5), SIZE_WH))
    assert calibrated.heights_mm[0][1] == pytest.approx(
        measure_aim(frame).heights_mm[0][1] / 2, rel=0.01
    )


def test_the_display_gets_what_it_has_room_for():
    frame = seen(700, tilt=8)
    view = aim_view(measure_aim(frame), frame.image_bgr)
    assert (view.advice, view.players, view.tilt_deg) == (Advice.GOOD, 6, 8)
    assert view.height_cm == round(Pose(8, 0, 0, (20, 10, 700)).height / 10)
