"""The whole appliance, from the button to the winner, with stand-ins for its devices."""

import errno
import os
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest

from firmware.appliance.features.scanning import score_scan
from firmware.appliance.runner import loop, storage_service
from firmware.appliance.runner.storage_service import SAVE_AGAIN_S
from firmware.appliance.runner.tasks import WakeUp
from firmware.appliance.stored_settings import UseSettings
from firmware.base.user_data import user_folder
from firmware.history import History, NotSavedError, WallTime, database
from firmware.settings import Settings, load_settings
from hardware.camera import StandInCamera, SupervisedCamera
from hardware.display import StandInDisplay
from hardware.errors import CameraError, DisplayError
from hardware.health import Health
from scoring.faces import Face
from tests.appliance.appliance_machine import finished, read
from tests.appliance.whole_appliance import (
    NEXT,
    OK,
    PASSES,
    PICTURE,
    SCAN,
    WholeAppliance,
    kept_scans,
)
from tests.faults.test_disk_full_or_read_only import refusing
from tests.firmware.fake_eye import EXAMPLE, FakeEye, other_cities
from tests.firmware.history_samples import open_history, recent

FIRST_TILE = (0, (0, 0))
UNSURE = {FIRST_TILE: [Face.PARK]}


@pytest.fixture
def ready(folder):
    return WholeAppliance()


def see_other_table(whole, number):
    """Have the eye see the cities of another table for each number."""
    whole.eye.between_two_cities = FakeEye(*other_cities(number))


def test_hands_off_is_shown_in_the_turn_of_the_press(ready):
    ready.launch.hold.add("camera capture")
    ready.buttons.press(SCAN)
    ready.appliance.run_due()
    assert ready.names[-1] == "hands-off"


def test_counting_points_is_shown_before_the_pass_that_scores(ready):
    ready.buttons.press(SCAN)
    at_the_end_of_passes = []
    for _ in range(PASSES):
        ready.appliance.run_due()
        at_the_end_of_passes.append(ready.words)
    stages = [words for words in at_the_end_of_passes if "Counting points" in words]
    assert len(stages) == 1
    assert ready.names[-1] == "winner"


def test_the_scan_its_photo_and_its_health_are_remembered(ready, folder):
    ready.health.health = Health(under_voltage=True, known=True)
    ready.advance(11)
    ready.press(SCAN)
    history = History(folder)
    (stored,) = recent(history)
    assert stored.record.sheet["winners"]
    assert tuple(stored.record.health) == ("under-voltage",)
    assert history.photo_path(stored.record.photo).read_bytes().startswith(b"\xff\xd8")


def test_photo_without_a_city_is_not_kept(ready, folder):
    ready.press(SCAN)
    ready.eye.between_two_cities = FakeEye()
    ready.press(SCAN)
    assert ready.names[-1] not in ("winner", "hands-off", "stage")
    assert len(kept_scans()) == 1
    assert len(list((folder / "photos").glob("*.jpg"))) == 1


def test_scan_is_stored_without_photo_that_cannot_be_kept(ready, monkeypatch, caplog):
    def full(_history, _jpeg):
        raise NotSavedError("not-saved-disk-full", "not saved, the disk is full: make room", "/")

    monkeypatch.setattr(History, "keep_photo", full)
    ready.press(SCAN)
    (stored,) = kept_scans()
    assert stored.record.photo is None
    assert "the disk is full" in caplog.text
    assert ready.names[-1] == "winner"


def test_unsaved_result_is_stored_with_the_next_one(ready, monkeypatch):
    def full(_history, *_what):
        raise NotSavedError("not-saved-disk-full", "not saved, the disk is full: make room", "/")

    with monkeypatch.context() as patch:
        patch.setattr(History, "add", full)
        for number in range(2):
            see_other_table(ready, number)
            ready.press(SCAN, OK)
    assert kept_scans() == []
    see_other_table(ready, 2)
    ready.press(SCAN)
    first, second, third = kept_scans()
    assert [each.seq for each in (first, second, third)] == [3, 2, 1]
    assert len({each.record.photo for each in (first, second, third)}) == 3
    see_other_table(ready, 3)
    ready.press(OK, SCAN)
    assert len(kept_scans()) == 4, "each of them once"


def test_result_stored_late_has_the_time_of_its_scan(ready, monkeypatch):
    def full(_history, *_what):
        raise NotSavedError("not-saved-disk-full", "not saved, the disk is full: make room", "/")

    noon = datetime(2026, 5, 1, 12, tzinfo=UTC)
    times = iter(WallTime(noon + timedelta(hours=n), known=True) for n in range(2))
    monkeypatch.setattr(storage_service, "wall_time", lambda: next(times))
    with monkeypatch.context() as patch:
        patch.setattr(History, "add", full)
        ready.press(SCAN, OK)
    see_other_table(ready, 0)
    ready.press(SCAN)
    assert [each.at.utc.hour for each in kept_scans()] == [13, 12]


def test_rescan_of_a_game_that_waits_waits_for_it(ready, monkeypatch):
    save, refused = History.save_rescan, iter([True, True])

    def full_twice(history, *what):
        for _ in refused:
            raise NotSavedError("not-saved-disk-full", "not saved, the disk is full: make room", "")
        return save(history, *what)

    monkeypatch.setattr(History, "save_rescan", full_twice)
    ready.press(SCAN, SCAN, SCAN)
    pass_time(ready, SAVE_AGAIN_S)
    assert len(kept_scans()) == 1


class TestGameOfAScanThatIsChangedWhileTheDiskIsFull:
    """A table with one more city than the game before is taken for the same, then for a new one."""

    @pytest.fixture
    def asked(self, ready):
        ready.eye.between_two_cities = FakeEye(*EXAMPLE[:5])
        ready.press(SCAN)
        ready.press(NEXT, long=True)
        ready.eye.between_two_cities = FakeEye(*EXAMPLE)
        return ready

    @staticmethod
    def full(_history, *_what):
        raise NotSavedError("not-saved-disk-full", "not saved, the disk is full: make room", "/")

    def answer_and_take_back(self, asked, monkeypatch, *methods):
        """Answer that it is the same game while these methods of the history fail, then not."""
        with monkeypatch.context() as patch:
            for method in methods:
                patch.setattr(History, method, self.full)
            asked.press(OK)
            assert asked.appliance.state.result.save_problem is not None
        asked.choose_by_words("This is a new")

    def test_is_stored_once_if_only_its_first_save_succeeded(self, asked, monkeypatch):
        asked.press(SCAN)
        self.answer_and_take_back(asked, monkeypatch, "save_rescan")
        assert city_counts() == {1: 5, 2: 6}

    def test_is_stored_once_if_the_first_save_could_not_be_undone(self, asked, monkeypatch):
        asked.press(SCAN)
        self.answer_and_take_back(asked, monkeypatch, "undo_rescan")
        assert city_counts() == {1: 5, 2: 6}

    def test_is_stored_once_if_no_save_succeeded(self, asked, monkeypatch):
        with monkeypatch.context() as patch:
            patch.setattr(History, "add", self.full)
            asked.press(SCAN)
        self.answer_and_take_back(asked, monkeypatch, "save_rescan", "add")
        assert city_counts() == {1: 5, 2: 6}

    def test_has_the_time_of_its_scan(self, asked, monkeypatch):
        noon = datetime(2026, 5, 1, 12, tzinfo=UTC)
        times = (WallTime(noon + timedelta(hours=n), known=True) for n in range(9))
        monkeypatch.setattr(storage_service, "wall_time", times.__next__)
        with monkeypatch.context() as patch:
            patch.setattr(History, "add", self.full)
            asked.press(SCAN)
        self.answer_and_take_back(asked, monkeypatch, "save_rescan", "add")
        assert kept_scans()[0].at.utc == noon


def city_counts():
    """Return how many cities each stored game has, by its number."""
    return {scan.seq: len(scan.record.sheet["cities"]) for scan in kept_scans()}


@pytest.fixture
def locked(ready):
    """The history while another program writes it."""
    with closing(sqlite3.connect(user_folder() / "history.sqlite", timeout=0)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield other


@pytest.fixture
def impatient(monkeypatch):
    """A history that waits for no other program."""
    monkeypatch.setattr(database, "_BUSY_S", 0.0)


def pass_time(ready, seconds):
    ready.clock.time_s += seconds
    ready.advance()
    ready.advance()


def test_waiting_results_are_stored_when_the_history_is_free(impatient, ready, locked):
    for number in range(2):
        see_other_table(ready, number)
        ready.press(SCAN, OK)
    locked.rollback()
    pass_time(ready, SAVE_AGAIN_S)
    assert len(kept_scans()) == 2


def test_last_result_is_marked_until_the_history_is_free(impatient, ready, locked):
    ready.press(SCAN)
    pass_time(ready, SAVE_AGAIN_S)
    assert ready.appliance.state.result.save_problem.code == "not-saved"
    locked.rollback()
    pass_time(ready, SAVE_AGAIN_S)
    assert ready.appliance.state.result.save_problem is None


def test_waiting_result_is_stored_before_the_scanner_ends(impatient, ready, locked):
    ready.press(SCAN)
    locked.rollback()
    ready.close()
    assert len(kept_scans()) == 1


def test_photo_read_in_the_last_pass_is_stored_before_the_scanner_ends(ready):
    ready.launch.hold.add("reading")
    ready.press(SCAN)
    ready.launch.release("reading")
    ready.appliance.run_due()
    assert "Counting points" in ready.words
    with closing(WakeUp()) as wake_up:
        ready.tasks.wake = wake_up.wake
        assert loop.close_all(ready.appliance, wake_up)
    assert len(kept_scans()) == 1


def test_waiting_settings_are_stored_when_the_disk_has_room(ready, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", refusing(errno.ENOSPC))
        ready.appliance.perform(UseSettings(Settings(language="hu")))
        ready.advance()
        assert ready.appliance.state.settings_unsaved
    pass_time(ready, SAVE_AGAIN_S)
    assert not ready.appliance.state.settings_unsaved
    assert load_settings()[0].language == "hu"


def test_result_that_cannot_be_stored_holds_up_no_other(ready, monkeypatch, caplog):
    def failing(_history, *_what):
        raise ValueError("lone surrogate")

    with monkeypatch.context() as patch:
        patch.setattr(History, "add", failing)
        ready.press(SCAN, OK)
    add, refused = History.add, iter([True])

    def failing_once(history, *what):
        for _ in refused:
            failing(history)
        return add(history, *what)

    monkeypatch.setattr(History, "add", failing_once)
    see_other_table(ready, 0)
    ready.press(SCAN, OK)
    assert len(kept_scans()) == 1
    assert "lone surrogate" in caplog.text
    see_other_table(ready, 1)
    ready.press(SCAN)
    assert len(kept_scans()) == 3, "nor is it lost"


def test_an_unsure_tile_put_right_changes_the_sheet_and_what_is_stored():
    whole = WholeAppliance(eye=FakeEye(*EXAMPLE, unsure=UNSURE))
    whole.press(SCAN)
    before = kept_scans()[0].record.sheet["cities"][0]["total"]
    assert "check (1)" in whole.words
    whole.press(OK)
    assert "shop?" in whole.words
    whole.press(NEXT)
    assert "park?" in whole.words
    whole.press(OK)
    (stored,) = kept_scans()
    assert stored.record.corrections == ("A:1,1=park",)
    seen = stored.record.reading["cities"][0]
    assert seen["grid"][0][0] == "shop", "what the eye saw is kept beside what a person said"
    assert seen["unsure"] == [[0, 0]]
    assert stored.record.sheet["cities"][0]["total"] != before
    whole.press(SCAN)
    assert "check" not in whole.words


def test_a_second_scan_of_the_same_table_says_what_has_changed():
    eye = FakeEye(*EXAMPLE)
    whole = WholeAppliance(eye=eye)
    whole.press(SCAN)
    eye.cities = ("SSSS/PPHP/HOOO/HOOP", *EXAMPLE[1:])
    whole.press(SCAN)
    assert "Changed: page" in whole.words
    whole.press(NEXT, NEXT, NEXT)
    assert "changes" in whole.names[-1]


def test_a_second_scan_of_the_same_table_updates_its_game():
    whole = WholeAppliance(eye=FakeEye(*EXAMPLE))
    whole.press(SCAN)
    whole.press(SCAN)
    (stored,) = kept_scans()
    assert stored.record.replaced["table"] == stored.record.table


def test_new_game_restores_the_game_that_a_scan_with_further_photos_updated():
    whole = WholeAppliance(eye=FakeEye(*EXAMPLE))
    whole.press(SCAN)
    first = kept_scans()[0].record.sheet["cities"]
    rescanned, extended = ((face + EXAMPLE[0][1:], *EXAMPLE[1:]) for face in "HO")
    whole.eye.cities = rescanned
    whole.press(SCAN)
    add_photos(whole, extended)
    whole.choose_by_words("This is a new")
    new, restored = kept_scans()
    assert restored.record.sheet["cities"] == first
    assert new.record.sheet["cities"] != first


def add_photos(whole, cities):
    """Add photos to the last result, after which all show these cities."""
    appliance = whole.appliance
    read_photos = finished(999, read(*cities), is_upload=True)
    appliance.state, effects = score_scan(
        appliance.state, read_photos, before_more_photos=appliance.state.result
    )
    for effect in effects:
        appliance.perform(effect)
    whole.advance(1)


def test_deleted_result_is_stored_again_when_corrected(folder):
    whole = WholeAppliance(eye=FakeEye(*EXAMPLE, unsure=UNSURE))
    whole.press(SCAN)
    with closing(open_history(folder)) as history:
        history.delete_for_good([recent(history)[0].seq])
    whole.press(OK, NEXT, OK)
    (stored,) = kept_scans()
    assert stored.record.corrections == ("A:1,1=park",)
    assert "not saved" not in " ".join(whole.seen)


def test_a_scan_that_is_given_up_changes_nothing(ready):
    ready.launch.hold.add("reading")
    ready.press(SCAN)
    assert ready.names[-1] == "stage-locate"
    ready.press(NEXT)
    assert ready.names[-1] == "ready", "the buttons work meanwhile"
    ready.launch.release("reading")
    ready.advance(1)
    assert ready.names[-1] == "ready"
    assert kept_scans() == []
    ready.press(SCAN)
    assert ready.names[-1] == "winner"


class TestGivenUpWhilePointsAreCounted:
    """NEXT is pressed in the pass in which the photo has been read."""

    @pytest.fixture
    def given_up(self, ready):
        """Return a function that begins a scan and gives it up."""

        def give_up():
            ready.launch.hold.add("reading")
            ready.press(SCAN)
            ready.launch.release("reading")
            ready.buttons.press(NEXT)
            ready.advance(1)
            assert "Counting points" in " ".join(ready.seen)

        return give_up

    def test_result_is_not_shown(self, ready, given_up):
        given_up()
        assert ready.names[-1] == "ready"
        assert ready.appliance.state.result is None

    def test_photo_is_not_stored(self, given_up, folder):
        given_up()
        assert list(folder.glob("photos/*.jpg")) == []

    def test_corrections_are_learned_from_the_photo_of_the_result(self, ready, given_up):
        ready.press(SCAN)
        photo = ready.appliance._scans.last_photo
        given_up()
        assert ready.appliance._scans.last_photo is photo


def test_one_photo_is_read_after_the_other(ready):
    ready.launch.hold.add("reading")
    for _ in range(3):
        ready.press(SCAN)
        ready.press(NEXT)
    assert len(ready.launch.held) == 1


def test_unforeseen_error_of_eye_is_a_fault_and_no_end():
    def broken(photo, edition):
        raise MemoryError

    whole = WholeAppliance(eye=broken)
    whole.press(SCAN)
    assert "memory" in whole.words.lower()
    whole.press(OK)
    assert whole.names[-1] == "ready"


def test_a_lost_camera_is_looked_for_until_it_is_back():
    found = []

    def none_at_first():
        if not found:
            raise CameraError("camera-missing", "no camera was found: plug it in", "camera 0")
        return found[0]

    whole = WholeAppliance(camera=lambda: SupervisedCamera(none_at_first))
    whole.advance(40)
    assert "problem" in whole.names[-1]
    found.append(StandInCamera([PICTURE]))
    whole.advance(61)
    assert whole.names[-1] == "ready"
    whole.press(SCAN)
    assert whole.names[-1] == "winner"


def test_a_camera_that_breaks_is_opened_anew_before_it_counts_as_found():
    broken = CameraError("camera-broken", "the camera failed: check its cable", "camera 0")
    cameras = [StandInCamera([broken]), StandInCamera([broken]), StandInCamera([PICTURE])]
    opened = []

    def next_one():
        opened.append(cameras[min(len(opened), len(cameras) - 1)])
        return opened[-1]

    whole = WholeAppliance(camera=lambda: SupervisedCamera(next_one))
    whole.press(SCAN)
    assert "problem" in whole.names[-1]
    whole.advance(1.5)
    assert "problem" in whole.names[-1], "the second camera opens, but gives no picture"
    whole.advance(10)
    assert whole.names[-1] == "ready"
    assert all(camera.closed for camera in cameras[:2])


def test_display_that_comes_back_shows_current_screen():
    displays = [DyingDisplay(), StandInDisplay(), StandInDisplay()]
    whole = WholeAppliance(display=lambda _wiring: displays[0])
    displays.pop(0).is_dead = True
    whole.press(SCAN)
    whole.advance(10)
    # A machine without a display draws nothing new until it is back.
    assert whole.names[-1] == "winner"
    assert displays[0].image.tobytes() == whole.keeper.screens[-1].image.tobytes()


class DyingDisplay(StandInDisplay):
    is_dead = False

    def show(self, image):
        if self.is_dead:
            raise DisplayError("display-lost", "it stopped answering: check its wires", "I2C")
        super().show(image)


def test_a_language_for_this_run_alone_is_not_stored():
    whole = WholeAppliance(settings=Settings(language="de"), stored_language="hu")
    assert "Bereit" in whole.words
    whole.choose_by_words("Wer spielt")
    whole.press(NEXT, OK)
    assert load_settings()[0].variant == "two-player"
    assert load_settings()[0].language == "hu"


def test_start_completes_after_a_while_and_holding_ok_switches_off(ready):
    ready.advance(15)
    assert not ready.is_sound
    ready.advance(10)
    assert ready.is_sound
    ready.press(OK, long=True)
    ready.press(OK)
    ready.advance(2)
    assert ready.switched_off == [1]


def test_button_wakes_dimmed_display_and_closing_releases_devices():
    display = StandInDisplay()
    whole = WholeAppliance(display=lambda _wiring: display)
    whole.advance(200)
    assert display.contrast < 10
    whole.press(NEXT)
    assert display.contrast > 100
    whole.appliance.close()
    whole.tasks.run_due()
    assert whole.appliance.is_closed
    assert display.closed
    assert whole.buttons.closed
