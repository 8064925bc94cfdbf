"""Calibrating and teaching with the three buttons, on simulated photos."""

import pytest

from firmware.editions import load_edition, stored_names
from firmware.errors import OutputError
from hardware.camera import StandInCamera, SteadyCamera
from tests.appliance.whole_appliance import NEXT, OK, PICTURE, SCAN, WholeAppliance
from tests.vision.calibration_scene import POSES, Camera, lines_of_sight, photograph, sheet_picture
from tests.vision.reference_photos import other_look, reference_image
from vision.calibration import load_calibration

CAMERA = Camera(focal=620.0, centre=(366.0, 265.0), size_wh=(720, 540))


@pytest.fixture(scope="module")
def poses():
    """Photos of the sheet in all poses; the last one lies on the table."""
    sight, sheet = lines_of_sight(CAMERA), sheet_picture()
    return [photograph(CAMERA, pose, sight=sight, sheet=sheet) for pose in POSES]


def examples_of(name):
    """How many pictures a stored edition has of its faces."""
    return set(map(len, load_edition(name, "between-two-cities").pictures.values()))


def seeing(*pictures):
    """An appliance whose camera gives these pictures one after the other."""
    return WholeAppliance(camera=lambda: SteadyCamera(lambda: StandInCamera(pictures)))


def teach_new(whole):
    """Begin a new edition called ``a``, and take its photo."""
    whole.into("Teach", "New")
    whole.press(OK, OK, SCAN)
    whole.press(SCAN, SCAN)


def test_the_wizard_leads_from_photos_of_the_sheet_to_a_calibration(folder, poses):
    whole = seeing(*poses)
    whole.into("Calibrate")
    for _ in range(2 * len(poses)):
        if whole.names[-1].startswith("wizard"):
            whole.press(SCAN)
    assert whole.names[-1] == "calibrated"
    calibration = load_calibration(folder / "calibration.json")
    assert calibration.lens.focal_px == pytest.approx(CAMERA.focal, rel=0.02)
    assert "stage-calibrate" in whole.names


def test_a_photo_without_the_sheet_says_so_and_is_taken_again(poses):
    whole = seeing(PICTURE, *poses)
    whole.into("Calibrate")
    whole.press(SCAN)
    assert "2/8" in whole.words
    whole.press(SCAN)
    assert "2/8" in whole.words
    whole.press(SCAN)
    assert "3/8" in whole.words


def test_the_wizard_leads_from_a_photo_of_the_tiles_to_an_edition():
    whole = seeing(reference_image())
    teach_new(whole)
    assert examples_of("a") == {1}
    assert "3/3" in whole.words


def test_another_photo_adds_examples():
    whole = seeing(reference_image(), reference_image(seed=2))
    teach_new(whole)
    whole.press(SCAN)
    assert examples_of("a") == {2}


def test_a_photo_without_the_tiles_teaches_nothing():
    whole = seeing(PICTURE)
    teach_new(whole)
    assert stored_names() == []
    assert whole.names[-1].startswith("wizard-teach")
    whole.press(OK)
    assert not whole.names[-1].startswith("wizard")


def test_a_look_that_nobody_knows_is_learned_once_its_corner_is_said():
    whole = seeing(other_look(reference_image()), PICTURE)
    teach_new(whole)
    assert "Shop" in whole.words or "shop" in whole.words
    for _ in range(4):  # the picture that follows is grey: it has to be the same photo
        if not stored_names():
            whole.press(NEXT, OK)
    assert stored_names() == ["a"]


def test_a_card_that_cannot_be_written_is_said_and_nothing_is_taught(monkeypatch):
    def full(*_arguments, **_more):
        raise OutputError("edition-not-writable", "it cannot be written: make room", "editions")

    monkeypatch.setattr("firmware.appliance.runner.jobs.save_edition", full)
    whole = seeing(reference_image())
    teach_new(whole)
    assert stored_names() == []
    assert "not saved" in whole.words
