"""Setting up with the three buttons: calibrating, teaching, the first start, who plays."""

import pytest

from firmware.appliance.features.first_start import FIRST_START
from firmware.base.errors import OutputError
from firmware.data import SAMPLE
from firmware.scan.make_scan import default_reader
from firmware.settings import Settings, SignalSettings
from firmware.teaching.user_editions import load_edition, stored_names
from hardware.camera import StandInCamera, SupervisedCamera
from hardware.errors import SignalsError
from hardware.signals import Signal, StandInSignals
from tests.appliance.whole_appliance import NEXT, OK, PICTURE, SCAN, WholeAppliance
from tests.firmware.fake_eye import FakeEye, other_cities
from tests.vision.calibration_scene import POSES, Camera, photograph
from tests.vision.reference_photos import recolour, reference_image
from tests.vision.rescan_scene import assert_right, finished_table
from vision.calibration import load_calibration
from vision.photo.load import load_photo

MAX_FACES = 50
FINISHED = finished_table()
"""A finished table that shows each face."""
GROUPS = ("office", "park", "bed", "factory", "drink", "house", "food", "music", "shop")
"""Faces of the groups of its tiles, the largest first."""
CAMERA = Camera(focal=620.0, centre=(366.0, 265.0), size_wh=(720, 540))


@pytest.fixture(scope="module")
def poses():
    """Photos of the sheet in all poses; the last one lies on the table."""
    return [photograph(CAMERA, pose) for pose in POSES]


def examples_of(name):
    """Return the numbers of pictures that a stored edition has of its faces."""
    return set(map(len, load_edition(name, "between-two-cities").pictures.values()))


def seeing(*pictures):
    """An appliance whose camera gives these pictures one after the other."""
    return WholeAppliance(camera=lambda: SupervisedCamera(lambda: StandInCamera(pictures)))


def teach_new(whole):
    """Begin a new edition called ``a``, and take its photo."""
    whole.choose_by_words("Teach", "New")
    whole.press(OK, SCAN, OK)
    whole.press(OK, OK)


def test_the_wizard_leads_from_photos_of_the_sheet_to_a_calibration(folder, poses):
    whole = seeing(*poses)
    whole.choose_by_words("Calibrate")
    for _ in range(2 * len(poses)):
        if whole.names[-1].startswith("wizard"):
            whole.press(OK)
    assert whole.names[-1] == "calibrated"
    assert not (folder / "calibration.json").exists(), "a person says whether it is good enough"
    whole.press(OK)
    calibration = load_calibration(folder / "calibration.json")
    assert calibration.lens.focal_px == pytest.approx(CAMERA.focal, rel=0.02)
    assert "stage-calibrate" in whole.names


def test_a_photo_without_the_sheet_says_so_and_is_taken_again(poses):
    whole = seeing(PICTURE, *poses)
    whole.choose_by_words("Calibrate")
    whole.press(OK)
    assert "2/8" in whole.words
    whole.press(OK)
    assert "2/8" in whole.words
    whole.press(OK)
    assert "3/8" in whole.words


def test_wizard_teaches_edition_by_photo_and_another_adds_examples():
    whole = seeing(reference_image(), reference_image(seed=2))
    teach_new(whole)
    assert examples_of("a") == {1}
    assert "3/3" in whole.words
    whole.press(OK)
    assert max(examples_of("a")) == 2


def test_a_photo_without_the_tiles_teaches_nothing():
    whole = seeing(PICTURE)
    teach_new(whole)
    assert stored_names() == []
    assert whole.names[-1].startswith("wizard-teach")
    whole.press(SCAN)
    assert not whole.names[-1].startswith("wizard")


def test_a_finished_table_teaches_an_edition_by_nine_answers_and_is_scored():
    photo = FINISHED.photo()
    whole = WholeAppliance(
        camera=lambda: SupervisedCamera(lambda: StandInCamera([photo.image_bgr])),
        eye=default_reader(),
    )
    whole.choose_by_words("Teach", "From")
    whole.press(OK)
    for name in GROUPS:
        for _ in range(MAX_FACES):
            if f"{name}?" in whole.words:
                break
            whole.press(NEXT)
        whole.press(OK)
    assert stored_names() == ["table-1"]
    assert whole.names[-1] == "winner"
    result = whole.appliance.state.result
    assert result.reading_to_correct.edition == "table-1"
    assert_right(result.reading_to_correct, FINISHED)
    assert not any(grid.unsure for grid in result.reading_to_correct.grids)


def test_corrected_tile_is_learned_and_read_from_then_on():
    photo = load_photo(SAMPLE)
    whole = WholeAppliance(
        camera=lambda: SupervisedCamera(lambda: StandInCamera([photo.image_bgr])),
        eye=default_reader(),
    )
    whole.press(SCAN)
    whole.choose_by_words("Correct")
    whole.press(OK, NEXT, OK, OK, NEXT, OK)  # city A, row 2, column 1
    [correction] = whole.appliance.state.result.corrections
    assert "corrected" in whole.words
    whole.press(OK)
    assert "Teach as" in whole.words  # the eye was sure of another face
    whole.press(NEXT, OK)
    assert "learned" in whole.words
    assert whole.appliance.state.settings.edition == "table-1"
    whole.press(OK, OK)
    whole.press(SCAN)
    assert whole.appliance.state.result.eye_reading.grids[0].faces[1][0] == correction.content


def test_a_look_that_nobody_knows_is_learned_once_its_corner_is_said():
    whole = seeing(recolour(reference_image()), PICTURE)
    teach_new(whole)
    assert "Shop" in whole.words or "shop" in whole.words
    for _ in range(4):  # the picture that follows is grey: it has to be the same photo
        if not stored_names():
            whole.press(NEXT, OK)
    assert stored_names() == ["a"]


def test_a_card_that_cannot_be_written_is_said_and_nothing_is_taught(monkeypatch):
    def full(*_arguments, **_more):
        raise OutputError("edition-not-writable", "it cannot be written: make room", "editions")

    monkeypatch.setattr("firmware.appliance.runner.teaching_jobs.save_edition", full)
    whole = seeing(reference_image())
    teach_new(whole)
    assert stored_names() == []
    assert "not saved" in whole.words
    assert "Free some space" in whole.words


def test_at_the_first_start_the_camera_shows_what_it_sees():
    whole = WholeAppliance(setup_steps=FIRST_START)
    whole.press(SCAN, SCAN, SCAN, OK)  # language, game, variant left; no names
    assert whole.names[-1].startswith("aim")


def test_names_of_past_scans_are_offered_the_most_frequent_first(folder):
    for number, players in enumerate((("Ben", "Ann"), ("Ann", "Cid"))):
        settings = Settings(language="en", players=players)
        whole = WholeAppliance(eye=FakeEye(*other_cities(number)), settings=settings)
        whole.press(SCAN)
        whole.close()
    whole = WholeAppliance(settings=Settings(language="en", game="cities"))
    whole.press(SCAN)  # the players are called by their colours
    whole.close()
    whole = WholeAppliance(settings=Settings(language="en", game="cities"))
    whole.appliance.prepare()
    whole.advance()
    assert whole.appliance.state.choices.names == ("Ann", "Cid", "Ben")


def test_buzzer_signals_photo_and_result():
    signals = StandInSignals()
    with_buzzer = Settings(language="en", signals=SignalSettings(buzzer_gpio=12))
    whole = WholeAppliance(settings=with_buzzer, open_signals=lambda: signals)
    whole.appliance.prepare()
    whole.press(SCAN)
    assert signals.given == [Signal.PHOTO_TAKEN, Signal.LOOK_AT_DISPLAY]
    whole.close()
    assert signals.closed


def test_lines_that_cannot_be_had_keep_nobody_from_scanning():
    def broken():
        raise SignalsError("signals-broken", "no line: check", "GPIO")

    with_buzzer = Settings(language="en", signals=SignalSettings(buzzer_gpio=12))
    whole = WholeAppliance(settings=with_buzzer, open_signals=broken)
    whole.appliance.prepare()
    whole.press(SCAN)
    assert whole.names[-1] == "winner"
