"""``stadtblick calibrate``: what is stored, said and refused."""

import json
import shutil

import cv2
import numpy as np
import pytest

from firmware.base.errors import ExitCode
from firmware.base.user_data import user_folder
from tests.firmware.commanded import command
from tests.refusals import refused
from tests.vision.calibration_scene import POSES, TABLE, Camera, Pose, photograph
from vision.calibration import load_calibration

CAMERA = Camera(focal=620.0, centre=(366.0, 265.0), size_wh=(720, 540))
MOVED = Pose(-12, 9, 40, (20, 10, 520))


def write_png(path, image):
    """Write a picture that is decoded quickly: it is not packed."""
    path.write_bytes(cv2.imencode(".png", image, [cv2.IMWRITE_PNG_COMPRESSION, 0])[1].tobytes())


@pytest.fixture(scope="module")
def taken(tmp_path_factory):
    """Photos 0.png to 7.png of a good set, moved.png, and empty.png without a sheet."""
    folder = tmp_path_factory.mktemp("photos")
    poses = {**{str(number): pose for number, pose in enumerate(POSES)}, "moved": MOVED}
    for name, pose in poses.items():
        write_png(folder / f"{name}.png", photograph(CAMERA, pose))
    write_png(folder / "empty.png", np.full((540, 720, 3), 120, np.uint8))
    return folder


@pytest.fixture
def home():
    return user_folder()


@pytest.fixture
def calibrate(taken, home, capsys):
    """Run the command on photos by name; gives exit code and output in one line."""

    def run(*arguments):
        known = [
            taken / f"{word}.png" if (taken / f"{word}.png").exists() else word
            for word in arguments
        ]
        code = command("calibrate", *known)
        return code, " ".join(capsys.readouterr().out.split())

    return run


SET = [str(number) for number in range(len(POSES))]


def test_good_photos_give_a_stored_calibration_and_its_accuracy(calibrate, home):
    code, output = calibrate(*SET)
    assert code is ExitCode.DONE
    stored = load_calibration(home / "calibration.json")
    assert stored.lens.focal_px == pytest.approx(CAMERA.focal, rel=0.01)
    assert stored.plane.camera_height_mm == pytest.approx(TABLE.height, rel=0.01)
    assert "Calibrated with 8 photos." in output
    assert f"{stored.plane.camera_height_mm:.0f} mm above the table" in output
    assert f"{stored.reprojection_error_px:.2f} px" in output
    assert f"{stored.reprojection_error_mm:.2f} mm" in output
    assert f"covered {100 * stored.coverage:.0f}%" in output
    assert "ruler" in output


def test_json_tells_the_accuracy_and_the_refused_photos(calibrate, home):
    code, output = calibrate(*SET, "empty", "--table", "2", "--json")
    parsed = json.loads(output)
    assert code is ExitCode.NEEDS_A_PERSON
    assert parsed["file"] == str(home / "calibration.json")
    assert parsed["photos_used"] == 8
    assert [one["photo"].rsplit("/", 1)[1] for one in parsed["photos_refused"]] == ["empty.png"]
    assert parsed["focal_px"] == pytest.approx(CAMERA.focal, rel=0.01)
    assert parsed["camera_height_mm"] == pytest.approx(POSES[2].height, rel=0.01)


def test_photos_that_cannot_be_used_are_named_with_the_reason(calibrate, tmp_path):
    text = tmp_path / "text.png"
    text.write_text("no photo")
    code, output = calibrate("empty", str(text), *SET)
    assert code is ExitCode.NEEDS_A_PERSON
    assert "2 photos were not used:" in output
    assert "the calibration sheet cannot be seen" in output
    assert "this is not an image" in output


def test_a_table_photo_beside_the_set(calibrate, home):
    calibrate(*SET, "--table", "moved")
    stored = load_calibration(home / "calibration.json")
    assert stored.photo_count == 9
    assert stored.plane.camera_height_mm == pytest.approx(MOVED.height, rel=0.01)


def test_table_photo_written_otherwise_is_one_of_the_set(calibrate, taken):
    code, output = calibrate(*SET, "--table", f"{taken}/../{taken.name}/7.png")
    assert code == ExitCode.DONE
    assert "8 photos" in output


def test_out_stores_the_calibration_elsewhere(calibrate, home, tmp_path):
    out = tmp_path / "elsewhere" / "mine.json"
    _, output = calibrate(*SET, "--out", str(out))
    assert load_calibration(out).photo_count == 8
    assert list(home.iterdir()) == []
    assert "mine.json" in output.replace(" ", "")


def test_the_plane_alone_keeps_the_lens(calibrate, home):
    calibrate(*SET)
    before = load_calibration(home / "calibration.json")
    code, output = calibrate("moved", "--plane-only")
    after = load_calibration(home / "calibration.json")
    assert code is ExitCode.DONE
    np.testing.assert_array_equal(after.lens.camera_matrix, before.lens.camera_matrix)
    assert after.plane.camera_height_mm == pytest.approx(MOVED.height, rel=0.01)
    assert "The lens is that of the calibration before." in output


class TestRefusals:
    @pytest.mark.parametrize("stored", [None, b"{"])
    @pytest.mark.parametrize(
        ("arguments", "code", "output"),
        [
            (["0", "1", "2", "7"], "calibration-too-few-photos", ""),
            (["empty", "0", "1", "7"], "calibration-too-few-photos", "empty.png: the calibration"),
            ([*SET, "empty"], "sheet-not-found", ""),
            ([*SET, "--table", "nowhere.jpg"], "photo-missing", ""),
            (["moved", "--plane-only"], "calibration-", ""),
            (["0", "moved", "--plane-only"], "usage", "one photo"),
        ],
    )
    def test_nothing_is_stored_and_what_was_stays(
        self, calibrate, home, stored, arguments, code, output
    ):
        path = home / "calibration.json"
        if stored is not None:
            path.write_bytes(stored)
        if code == "calibration-":  # without a lens, or with a damaged one
            code += "missing" if stored is None else "damaged"
        with refused(code, output):
            calibrate(*arguments)
        assert (path.read_bytes() if path.exists() else None) == stored

    def test_a_photo_is_never_written_over(self, calibrate, taken, tmp_path):
        photo = tmp_path / "photo.png"
        shutil.copy(taken / "7.png", photo)
        before = photo.read_bytes()
        with refused("out-is-the-photo"):
            calibrate(*SET[:-1], str(photo), "--out", str(photo))
        assert photo.read_bytes() == before

    def test_a_place_that_cannot_be_written(self, calibrate, tmp_path):
        with refused("file-not-writable", "--out"):
            calibrate(*SET, "--out", str(tmp_path))
