"""A calibration survives being stored, and a damaged file is refused with a reason."""

import json
import math
import os

import numpy as np
import pytest

from tests.refusals import refused
from tests.vision.calibration_scene import Camera, views
from vision.calibration import (
    CalibrationError,
    calibrate,
    calibration_from_bytes,
    calibration_to_bytes,
    load_calibration,
)

CALIBRATION = calibrate(views(Camera())).calibration
DATA = calibration_to_bytes(CALIBRATION)


def refusal(data):
    with pytest.raises(CalibrationError) as raised:
        calibration_from_bytes(data, "calibration.json")
    assert raised.value.where == "calibration.json"
    assert "\n" not in raised.value.message
    return raised.value


def changed(*path, to):
    """The file with one value replaced."""
    value = json.loads(DATA)
    place = value
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = to
    return json.dumps(value).encode()


def without(*path):
    value = json.loads(DATA)
    place = value
    for step in path[:-1]:
        place = place[step]
    del place[path[-1]]
    return json.dumps(value).encode()


def test_stored_calibration_loads_as_it_was(tmp_path):
    path = tmp_path / "calibration.json"
    path.write_bytes(DATA)
    loaded = load_calibration(path)
    assert loaded.lens.size_wh == CALIBRATION.lens.size_wh
    np.testing.assert_array_equal(loaded.lens.camera_matrix, CALIBRATION.lens.camera_matrix)
    np.testing.assert_array_equal(loaded.lens.distortion, CALIBRATION.lens.distortion)
    np.testing.assert_allclose(loaded.plane.rotation, CALIBRATION.plane.rotation, atol=1e-12)
    np.testing.assert_array_equal(loaded.plane.translation_mm, CALIBRATION.plane.translation_mm)
    assert loaded.reprojection_error_px == CALIBRATION.reprojection_error_px
    assert loaded.reprojection_error_mm == CALIBRATION.reprojection_error_mm
    assert loaded.coverage == CALIBRATION.coverage
    assert loaded.photo_count == CALIBRATION.photo_count
    value = json.loads(DATA)
    assert (value["format"], value["version"]) == ("stadtblick-calibration", 1)


def test_no_file_something_else_in_its_place_and_a_damaged_one(tmp_path):
    with pytest.raises(CalibrationError, match="stadtblick calibrate") as raised:
        load_calibration(tmp_path / "calibration.json")
    assert raised.value.code == "calibration-missing"
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (tmp_path, pipe, "/dev/zero"):
        with refused("calibration-unreadable", where=str(path)):
            load_calibration(path)
    path = tmp_path / "calibration.json"
    path.write_bytes(b"{")
    with pytest.raises(CalibrationError):
        load_calibration(path)
    assert path.read_bytes() == b"{"
    assert set(tmp_path.iterdir()) == {path, pipe}


def test_every_shortened_file_is_refused():
    complete = DATA.rstrip()
    for length in range(len(complete)):
        assert refusal(complete[:length]).code == "calibration-damaged"


@pytest.mark.parametrize(
    "data",
    [b"[]", b"null", b"\xff\xfe", b"[" * 60_000, b" " * 70_000, b'{"format": "other"}'],
    ids=["list", "null", "no UTF-8", "deep", "large", "other format"],
)
def test_file_with_other_content_is_refused(data):
    assert refusal(data).code == "calibration-damaged"


def test_file_of_a_later_version_asks_for_an_update():
    error = refusal(changed("version", to=2))
    assert error.code == "calibration-too-new"
    assert "update" in error.message


@pytest.mark.parametrize("version", [0, -1, "1", 1.0, True, None])
def test_file_without_a_version_is_refused(version):
    assert refusal(changed("version", to=version)).code == "calibration-damaged"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("lens",), []), (("lens", "size_wh"), [1280]), (("lens", "size_wh"), [1280, 960.5]),
        (("lens", "size_wh"), [1280, True]), (("lens", "size_wh"), [0, 960]),
        (("lens", "size_wh"), [1280, 10**9]), (("lens", "camera_matrix"), [1, 2, 3]),
        (("lens", "camera_matrix", 0), [1100, 0]), (("lens", "camera_matrix", 0, 0), "1100"),
        (("lens", "camera_matrix", 0, 0), math.nan),
        (("lens", "camera_matrix", 0, 0), math.inf), (("lens", "camera_matrix", 0, 0), 10**400),
        (("lens", "camera_matrix", 0, 0), -1100), (("lens", "camera_matrix", 0, 0), 2200),
        (("lens", "camera_matrix", 0, 1), 3), (("lens", "camera_matrix", 0, 2), -300),
        (("lens", "camera_matrix", 2), [0, 0, 2]), (("lens", "distortion"), [0, 0, 0, 0]),
        (("lens", "distortion", 0), -20), (("lens", "distortion", 0), 1e300),
        (("lens", "distortion", 0), None), (("plane", "rotation_vector"), [0, 0]),
        (("plane", "rotation_vector"), [3.14159, 0, 0]), (("plane", "rotation_vector", 0), 400),
        (("plane", "translation_mm", 2), -400), (("plane", "translation_mm", 2), 1e9),
        (("plane", "translation_mm"), [0, 0, 1]), (("reprojection_error_px",), -1),
        (("reprojection_error_mm",), "0.1"), (("coverage",), 1.5), (("photo_count",), 0),
        (("photo_count",), 8.0),
    ],
)  # fmt: skip
def test_impossible_values_are_refused(path, value):
    error = refusal(changed(*path, to=value))
    assert error.code == "calibration-damaged"
    assert error.message.endswith(": calibrate again")


@pytest.mark.parametrize(
    "path",
    [(key,) for key in json.loads(DATA)]
    + [("lens", key) for key in json.loads(DATA)["lens"]]
    + [("plane", key) for key in json.loads(DATA)["plane"]],
)
def test_missing_values_are_refused(path):
    assert refusal(without(*path)).code == "calibration-damaged"
