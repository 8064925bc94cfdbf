"""Calibrating, teaching, editions, settings, the file for helpers: a phone without a script."""

import io
import re
import zipfile
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from firmware.appliance.features.calibrating import CalibratingMode
from firmware.base.user_data import calibration_path, user_folder
from firmware.page.edition_pages import edition_key
from firmware.report.support_bundle import CONTENTS
from firmware.scan.make_scan import default_reader
from firmware.screens.device_views import CalibratedView
from firmware.settings import Settings, load_settings
from firmware.teaching.user_editions import editions_folder, load_edition, stored_names
from hardware.camera import StandInCamera, SupervisedCamera
from tests.appliance.whole_appliance import NEXT, OK, PICTURE, SCAN
from tests.firmware import test_teach_command
from tests.firmware.commanded import teach
from tests.page.phone import URL, Scanner
from tests.vision.calibration_scene import POSES, Camera, photograph
from tests.vision.laid_out import photo_of_layout
from tests.vision.reference_photos import recolour, reference_image
from tests.vision.rescan_scene import assert_right, finished_table
from vision.calibration import load_calibration

CAMERA = Camera(focal=620.0, centre=(366.0, 265.0), size_wh=(720, 540))
FINISHED = finished_table()
"""A finished table that shows each face."""
GROUPS = (
    *("office", "park", "tavern-bed", "factory", "tavern-drink"),
    *("house", "tavern-food", "tavern-music", "shop"),
)
"""Faces of the groups of its tiles, the largest first."""
GAME = "between-two-cities"
described = test_teach_command.described


@cache
def poses():
    """Photos of the sheet, as many as the wizard takes; the last one lies on the table."""
    return [photograph(CAMERA, pose) for pose in POSES[1:]]


def seeing(*pictures, **more):
    """A scanner whose camera gives these pictures one after the other."""
    camera = SupervisedCamera(lambda: StandInCamera(pictures))
    return Scanner(camera=lambda: camera, **more)


@pytest.fixture
def computer():
    """Photos are given to it."""
    return Scanner(serves=True, eye=default_reader(calibrated=False))


def png(image):
    return cv2.imencode(".png", image, [cv2.IMWRITE_PNG_COMPRESSION, 0])[1].tobytes()


def give(phone, path, data):
    """Send a photo with a form, as a browser without a script does."""
    answer = phone.client.post(
        path,
        data={"form_token": phone.form()},
        files={"photo": ("a photo.png", data, "image/png")},
        headers={"Origin": URL},
    )
    phone.scanner.advance()
    return answer


class TestCalibrating:
    def test_calibration_goes_on_at_phone_and_display_alike(self):
        scanner = seeing(PICTURE, *poses())
        phone = scanner.phone()
        assert "1. Print the sheet" in phone.see("/calibrate")
        phone.send("/calibrate", do="begin")
        assert "Step 1 of 8" in phone.see("/calibrate")
        assert "1/8" in scanner.words
        phone.send("/calibrate", do="photo")
        phone.send("/calibrate", do="photo")
        assert "The calibration sheet cannot be seen" in phone.see("/calibrate")
        assert "2/8" in scanner.words
        phone.send("/calibrate", do="photo")
        assert "✓ The sheet was found" in phone.see("/calibrate")
        scanner.press(OK)
        assert "Step 4 of 8" in phone.see("/calibrate")
        for _ in range(5):
            phone.send("/calibrate", do="photo")
        assert "The result The calibration can be used, but could be better. Error 0.12 px ✓" in (
            phone.see("/calibrate")
        )
        assert scanner.names[-1] == "calibrated"
        assert not calibration_path().exists()
        phone.send("/calibrate", do="keep")
        focal_px = load_calibration(calibration_path()).lens.focal_px
        assert focal_px == pytest.approx(CAMERA.focal, rel=0.02)
        assert "The camera is calibrated." in phone.see("/calibrate")
        assert "Only the table" in phone.see("/calibrate")
        phone.send("/calibrate", do="table")
        phone.send("/calibrate", do="photo")
        for stale in ("leave", "use", "photo"):
            assert phone.send("/teach", do=stale).status_code == 409
        assert isinstance(scanner.appliance.state.mode, CalibratingMode)
        phone.send("/calibrate", do="leave")
        assert load_calibration(calibration_path()).lens.focal_px == focal_px

    def test_photos_of_a_computer_are_given_and_bad_ones_refused(self, computer):
        phone = computer.phone(known=False)
        phone.send("/calibrate", do="begin")
        phone.send("/calibrate", do="photo")
        assert give(phone, "/calibrate/photo", b"no photo").status_code == 422
        for picture in poses():
            assert give(phone, "/calibrate/photo", png(picture)).headers["location"] == "/calibrate"
        phone.send("/calibrate", do="keep")
        assert load_calibration(calibration_path()).photo_count == len(poses())

    def test_a_damaged_one_is_said(self, computer):
        calibration_path().write_text("{")
        assert "calibrate again" in computer.phone(known=False).see("/calibrate")

    def test_the_sheet_is_printed_for_both_papers(self, computer):
        client = computer.phone(known=False).client
        for paper in ("a4", "letter"):
            assert client.get(f"/calibrate/sheet.pdf?paper={paper}").content.startswith(b"%PDF")


def named(phone, *faces, **more):
    """Name the groups that are shown."""
    phone.see("/teach")
    found = re.search(r'name="found" value="(\d+)"', phone.html)[1]
    groups = {f"group{n}": face for n, face in enumerate(faces)}
    return phone.send("/teach", do="name", **{"found": found, **groups, **more})


class TestTeaching:
    def test_a_finished_table_teaches_and_is_read_with_what_it_taught(self, computer):
        phone = computer.phone(known=False)
        begin = {"do": "begin", "way": f"{GAME} groups", "name": "mine"}
        assert phone.send("/teach", **begin).headers["location"] == "/teach"
        assert give(phone, "/teach/photo", png(FINISHED.photo().image_bgr)).status_code == 303
        phone.see("/teach")
        assert '<input type="radio" name="group8" value="house">' in phone.html
        strip = phone.client.get("/teach/group/0.jpg").content
        assert cv2.imdecode(np.frombuffer(strip, np.uint8), cv2.IMREAD_COLOR).shape[0] == 96
        assert phone.client.get("/teach/group/9.jpg").status_code == 404
        assert named(phone, "castle").status_code == 409
        assert named(phone).status_code == 400
        assert named(phone, *GROUPS, found="7").status_code == 409, "of another photo"
        assert named(phone, *GROUPS).status_code == 303
        assert stored_names() == ["mine"]
        result = computer.appliance.state.result
        assert result.reading_to_correct.edition == "mine"
        assert_right(result.reading_to_correct, FINISHED)
        assert not any(grid.unsure for grid in result.reading_to_correct.grids)
        assert "In use: mine" in phone.see("/teach")
        assert phone.client.get("/editions/mine/sheet.png").content.startswith(b"\x89PNG")
        # Another photo adds to it
        phone.send("/teach", **begin)
        give(phone, "/teach/photo", png(FINISHED.photo().image_bgr))
        named(phone, *GROUPS)
        assert stored_names() == ["mine"]
        assert "Undo the last teaching" in phone.see("/editions/mine")

    def test_display_can_name_the_groups_of_the_phone(self):
        scanner = seeing(FINISHED.photo().image_bgr, eye=default_reader())
        phone = scanner.phone()
        phone.send("/teach", do="begin", way=f"{GAME} groups", name="mine")
        phone.send("/teach", do="photo")
        scanner.press(OK)
        assert len(scanner.appliance.state.mode.named) == 1
        named(phone, *GROUPS)
        assert scanner.names[-1] == "winner"
        assert scanner.appliance.state.settings.edition == "mine"

    def test_tiles_laid_out_are_learned_once_their_corner_is_said(self):
        scanner = seeing(recolour(reference_image()), PICTURE)
        phone = scanner.phone()
        phone.send("/teach", do="begin", way=f"{GAME} faces", name="mine")
        assert "shop factory tavern with food tavern with bed tavern with music" in phone.see(
            "/teach"
        )
        phone.send("/teach", do="photo")
        assert "in which corner of the photo" in phone.see("/teach")
        for corner in ("top-left", "bottom-right"):
            if not stored_names():
                phone.send("/teach", do=corner)
                phone.see("/teach")
        assert "✓ Learned." in phone.see("/teach")
        phone.send("/teach", do="use")
        assert scanner.appliance.state.settings.edition == "mine"
        assert "Ready" in scanner.words or "players?" in scanner.words

    def test_teaching_another_game_switches_to_that_game(self, computer):
        phone = computer.phone(known=False)
        phone.send("/teach", do="begin", way="cities tiles", name="mine")
        assert computer.appliance.state.settings.game == "cities"
        give(phone, "/teach/photo", png(np.full_like(PICTURE, 90)))
        assert "No grid" in phone.see("/teach")
        give(
            phone, "/teach/photo", png(test_teach_command.arranged("cities", "tiles")[0].image_bgr)
        )
        assert "✓ Learned. Check in the tile overview" in phone.see("/teach")
        phone.send("/teach", do="use")
        assert computer.appliance.state.settings.edition == "mine"
        taken = phone.send("/teach", do="begin", way=f"{GAME} groups", name="mine")
        assert "The edition mine is of cities" in taken.text

    def test_described_game_learns_from_a_finished_table(self, described):
        assert teach(*described) == 0
        computer = Scanner(serves=True, eye=default_reader(calibrated=False))
        phone = computer.phone(known=False)
        phone.send("/teach", do="begin", way="reading-only groups", name="mine", anew="1")
        field = (("wood", "lake", "wood"), ("lake", "wood", "lake"), ("wood", "lake", "wood"))
        photo = photo_of_layout(test_teach_command.PICTURES, field)[0].image_bgr
        small = cv2.resize(photo, None, fx=0.5, fy=0.5)
        refused = give(phone, "/teach/photo", png(small))
        assert (refused.status_code, 'href="/teach"' in refused.text) == (422, True)
        give(phone, "/teach/photo", png(photo))
        assert "goes on beyond row 2, column 2" in phone.see("/teach")
        phone.send("/teach", do="sure")
        named(phone, "wood", "lake")
        assert computer.appliance.state.settings.edition == "mine"
        answer = phone.send("/teach", do="begin", way="reading-only groups", name="new")
        assert "There is no edition new" in answer.text

    @pytest.mark.parametrize(
        ("way", "name"),
        [
            ("chess groups", "a"),
            (f"{GAME} tiles", "a"),
            ("", "a"),
            (f"{GAME} groups", "../a"),
            (f"{GAME} groups", "-a"),
        ],
    )
    def test_teaching_with_a_wrong_way_or_name_is_refused(self, computer, way, name):
        answer = computer.phone(known=False).send("/teach", do="begin", way=way, name=name)
        assert answer.status_code in (400, 422)
        assert "data-message" in answer.text

    def test_refusals_are_in_the_language_of_the_phone(self):
        scanner = seeing(PICTURE)
        phone = scanner.phone(**{"Accept-Language": "de"})
        phone.send("/teach", do="begin", way=f"{GAME} groups", name="mine")
        phone.send("/teach", do="photo")
        assert "von selbst" in phone.see("/teach")
        assert stored_names() == []

    def test_while_it_learns_the_buttons_act_and_nothing_else_is_begun(self):
        scanner = seeing(FINISHED.photo().image_bgr)
        phone = scanner.phone()
        phone.send("/teach", do="begin", way=f"{GAME} groups", name="mine")
        scanner.launch.hold.add("reading")
        phone.send("/teach", do="photo")
        assert "disabled" in phone.client.get("/teach").text
        working = scanner.appliance.state.mode
        assert phone.send("/teach", do="photo").headers["location"] == "/teach"
        assert phone.send("/scan").status_code == 409
        assert scanner.appliance.state.mode is working
        assert 'href="/teach"' in phone.client.get("/history").text, "it says who is busy"
        scanner.press(NEXT)
        scanner.launch.release("reading")
        scanner.advance()
        assert "Group 1" not in phone.see("/teach"), "it was given up"
        phone.send("/teach", do="leave")
        assert phone.send("/scan").status_code == 303


class TestEditions:
    def test_one_is_used_taken_back_and_removed(self):
        scanner = seeing(reference_image(), reference_image(seed=2))
        phone = scanner.phone()
        phone.send("/teach", do="begin", way=f"{GAME} faces", name="mine")
        for _ in range(2):
            phone.send("/teach", do="photo")
        phone.send("/teach", do="leave")
        assert scanner.appliance.state.settings.edition == "standard"
        assert "mine Between Two Cities" in phone.see("/editions")
        phone.send("/editions/mine", do="use")
        assert "✓ in use" in phone.see("/editions")
        stamp = str(edition_key("mine"))
        phone.send("/editions/mine", do="undo", stamp=stamp)
        assert set(map(len, load_edition("mine", GAME).pictures.values())) == {1}
        phone.send("/editions/mine", do="undo", stamp=stamp)
        assert set(map(len, load_edition("mine", GAME).pictures.values())) == {1}, "a double tap"
        assert (
            f'name="stamp" value="{edition_key("mine")}"' in phone.client.get("/editions/mine").text
        )
        for _ in range(2):  # the second tap leads to the same page
            answer = phone.send("/editions/mine", do="remove")
            assert answer.headers["location"] == "/editions"
        assert stored_names() == []
        assert scanner.appliance.state.settings.edition == "standard"
        assert scanner.appliance.state.choices.all_editions == ("standard",)
        assert "No tiles taught yet." in phone.see("/editions")
        phone.see("/editions/mine", status=404)
        phone.see("/editions/%2e%2e", status=404)

    def test_a_damaged_one_says_so_and_can_be_removed(self, computer):
        folder = editions_folder() / "mine"
        folder.mkdir(parents=True)
        (folder / "edition.toml").write_text("format = 2\n")
        phone = computer.phone(known=False)
        assert "the key rows is missing: add it" in phone.see("/editions")
        undo = {"do": "undo", "stamp": str(edition_key("mine"))}
        for values in ({"do": "use"}, undo, {"do": "x"}):
            assert phone.send("/editions/mine", **values).status_code in (400, 422)
        begin = {"do": "begin", "way": f"{GAME} groups", "name": "mine"}
        assert phone.send("/teach", **begin).status_code == 422
        assert phone.client.get("/editions/mine/sheet.png").status_code == 404
        phone.send("/editions/mine", do="remove")
        assert stored_names() == []


@pytest.mark.parametrize(
    ("path", "begin"),
    [
        ("/calibrate", {}),
        ("/teach", {"way": f"{GAME} groups", "name": "mine"}),
        ("/teach", {"way": f"{GAME} faces", "name": "mine"}),
    ],
)
def test_second_tap_in_a_wizard_leads_to_the_same_page(path, begin):
    scanner = seeing(PICTURE)
    phone = scanner.phone()
    for form in ({"do": "begin", **begin}, {"do": "leave"}):
        for _ in range(2):
            assert phone.send(path, **form).headers["location"] == path


def test_second_tap_after_printing_takes_no_photo():
    phone = seeing(PICTURE).phone()
    phone.send("/calibrate", do="begin")
    phone.see("/calibrate")
    assert 'value="printed"' in phone.html
    for _ in range(2):
        assert phone.send("/calibrate", do="printed").headers["location"] == "/calibrate"
    text = phone.see("/calibrate")
    assert "Step 2 of 8" in text
    assert "cannot be seen" not in text


def test_second_tap_while_the_calibration_is_stored_leads_to_the_same_page():
    scanner = seeing(PICTURE)
    phone = scanner.phone()
    phone.send("/calibrate", do="begin")
    state = scanner.appliance.state
    storing = replace(
        state.mode,
        job_id=99,
        quality=CalibratedView(error_px=0.1, coverage=0.5, height_mm=700.0, photos=7),
    )
    scanner.appliance.state = replace(state, mode=storing)
    scanner.advance()
    assert phone.send("/calibrate", do="keep").headers["location"] == "/calibrate"


def test_wizard_of_another_edition_is_not_begun_meanwhile():
    phone = seeing(PICTURE).phone()
    begin = {"do": "begin", "way": f"{GAME} groups"}
    phone.send("/teach", name="mine", **begin)
    assert phone.send("/teach", name="other", **begin).status_code == 409


class TestSettings:
    def test_settings_are_shown_changed_and_stored(self):
        scanner = Scanner()
        phone = scanner.phone(**{"Accept-Language": "en"})
        assert "Language of the display" in phone.see("/settings")
        values = {"language": "hu", "display.contrast": "77", "storage.photos_max": "9"}
        phone.send("/settings", **values, **{"display.upside_down": "true"})
        stored = load_settings()[0]
        assert (stored.language, stored.display.contrast, stored.display.upside_down) == (
            *("hu", 77),
            True,
        )
        assert stored.storage.photos_max == 9
        assert stored.storage.photos_max_mb == Settings().storage.photos_max_mb

    @pytest.mark.parametrize(
        ("key", "value"),
        [
            *(("language", each) for each in ("system", "tlh", "")),
            *(("display.contrast", each) for each in ("256", "1.5", "nan", "9" * 99, "")),
            *(("display.dim_after_s", each) for each in ("nan", "inf", "-1", f"60{20 * ' '}9")),
            ("display.upside_down", "yes"),
        ],
    )
    def test_forbidden_value_is_reported_and_nothing_changed(self, key, value):
        scanner = Scanner()
        before = scanner.appliance.state.settings
        answer = scanner.phone().send("/settings", **{key: value, "storage.photos_max": "9"})
        assert answer.status_code == 400
        assert 'role="alert"' in answer.text
        assert scanner.appliance.state.settings == before

    def test_two_phones_change_different_settings(self):
        scanner = Scanner()
        phone, other = scanner.phone(), scanner.phone()
        phone.see("/settings")
        shown = dict(re.findall(r'name="(shown-[^"]+)" value="([^"]*)"', phone.html))
        form = shown | {name.removeprefix("shown-"): value for name, value in shown.items()}
        phone.send("/settings", **form | {"display.contrast": "100"})
        other.send("/settings", **form | {"storage.photos_max": "7"})
        settings = scanner.appliance.state.settings
        assert (settings.display.contrast, settings.storage.photos_max) == (100, 7)


class TestAskingForHelp:
    def files(self, phone, **values):
        answer = phone.send("/support", **values)
        assert answer.headers["content-type"] == "application/zip"
        with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
            return {name.partition("/")[2]: archive.read(name) for name in archive.namelist()}

    def test_support_file_has_what_page_says_and_photo_only_if_wanted(self):
        scanner = Scanner()
        scanner.press(SCAN)
        phone = scanner.phone()
        text = phone.see("/support")
        assert all(name in text for name in CONTENTS)
        files = self.files(phone)
        assert set(files) <= set(CONTENTS) - {"photo.jpg"}
        assert b"Disk: " in files["doctor.txt"]
        assert b"opencv" in files["versions.txt"]
        assert b"storage.photos_max = 200" in files["settings.txt"]
        assert b"between-two-cities" in files["sheet.json"]
        assert scanner.access.pin.encode() not in b"".join(files.values())
        assert self.files(phone, photo="1")["photo.jpg"].startswith(b"\xff\xd8")
        assert scanner.phone(known=False).send("/support").headers["location"].startswith("/pin")

    def test_a_damaged_history_does_not_keep_it_from_being_made(self):
        phone = Scanner().phone()
        (user_folder() / "history.sqlite").write_bytes(b"no database" * 99)
        assert "doctor.txt" in self.files(phone)
