"""The wizards: calibrating and teaching on the display alone."""

from dataclasses import replace

import pytest
from appliance_machine import (
    ALL_GAMES,
    CAMERA_MISSING,
    CHOICES,
    CROP,
    GAME,
    SETTINGS,
    Machine,
    at_menu,
    game_choice,
)

from firmware.appliance.camera_recovery import CameraLost
from firmware.appliance.features.aiming import AimingPictureTaken, TakeAimingPicture
from firmware.appliance.features.calibrating import (
    CalibrationFinished,
    CalibrationPhotoTaken,
    CalibrationStored,
    SolveCalibration,
    StoreCalibration,
    TakeCalibrationPhoto,
)
from firmware.appliance.features.first_start import FIRST_START
from firmware.appliance.features.game_choice import EditionsChanged
from firmware.appliance.features.grouping import FindGroups, GroupsFound, LearnGroups
from firmware.appliance.features.lessons import TilesLearned
from firmware.appliance.features.scanning import StartScan
from firmware.appliance.features.teaching import LayoutLearned, LearnLayout
from firmware.appliance.job_mode import JobFailed, StageReached
from firmware.appliance.stored_settings import StoreSettings
from firmware.appliance.transitions import CancelJob, LogProblem
from firmware.base.problem import Problem
from firmware.camera.aim_measurement import Advice
from firmware.screens.device_views import (
    AimView,
    CalibratedView,
    HoldStillView,
    MenuView,
    NoticeView,
    ProblemView,
    ReadyView,
    StageView,
    WizardView,
)
from firmware.screens.question_views import ConfirmView, SpecialAnswer
from firmware.screens.result_views import WinnerView
from firmware.screens.words import Hint, MenuWord, Question, Stage, WizardStep

NO_SHEET = Problem("sheet-not-found", "no sheet: show it whole", "camera")
WHICH_WAY = Problem("teach-which-way", "where is the shop: say it", "camera")
FOUND = CalibratedView(error_px=0.3, coverage=0.8, height_mm=612.0, photos=7)
BLURRED = Problem("teach-blurred", "not sharp: focus", "camera")


def take(machine, *, good=True):
    """Take a photo of the sheet."""
    machine.press("ok")
    job = machine.one(TakeCalibrationPhoto).job_id
    assert isinstance(machine.view, HoldStillView)
    machine.tell(CalibrationPhotoTaken(job) if good else JobFailed(job, NO_SHEET))


def solved(machine):
    return CalibrationFinished(machine.one(SolveCalibration).job_id, FOUND)


def keep(machine):
    """Say that what was found is good enough."""
    machine.press("ok")
    machine.tell(CalibrationStored(machine.one(StoreCalibration).job_id))


def calibrating(photos=0):
    machine = at_menu("calibrate")
    machine.press("ok")
    for _ in range(photos):
        take(machine)
    return machine


POSES = [
    WizardStep.CALIBRATE_FLAT, WizardStep.CALIBRATE_LIFT_LEFT, WizardStep.CALIBRATE_LIFT_RIGHT,
    WizardStep.CALIBRATE_LIFT_NEAR, WizardStep.CALIBRATE_LIFT_FAR, WizardStep.CALIBRATE_CORNER,
    WizardStep.CALIBRATE_TABLE,
]  # fmt: skip


class TestCalibrating:
    def test_it_begins_with_the_printed_sheet(self):
        machine = at_menu("calibrate")
        assert machine.view.step is WizardStep.CALIBRATE_PRINT
        assert (machine.view.number, machine.view.of) == (1, 8)
        assert machine.view.hints.ok is Hint.OK
        machine.press("next")
        assert machine.view.part == 1
        machine.press("ok")
        assert machine.done(TakeCalibrationPhoto) == []
        assert machine.view.hints.ok is Hint.PHOTO

    def test_each_pose_says_what_to_do_and_whether_the_last_photo_worked(self):
        machine = calibrating()
        for number, pose in enumerate(POSES):
            assert machine.view.step is pose
            assert machine.view.number == number + 2
            assert machine.view.worked == (number > 0)
            machine.press("ok")
            assert machine.one(TakeCalibrationPhoto).first == (number == 0)
            machine.tell(CalibrationPhotoTaken(machine.job_id - (pose is POSES[-1])))
            if pose is not POSES[-1]:
                assert machine.done(SolveCalibration) == []

    def test_after_the_last_pose_it_is_solved(self):
        machine = calibrating(7)
        assert not machine.one(SolveCalibration).table_only
        assert machine.view == StageView(stage=Stage.CALIBRATE)
        machine.tell(solved(machine))
        assert machine.view == FOUND
        keep(machine)
        assert isinstance(machine.view, ReadyView)
        assert machine.state.calibrated

    def test_what_was_found_is_kept_only_if_a_person_says_so(self):
        machine = calibrating(7)
        machine.tell(solved(machine))
        machine.press("scan")
        assert machine.view == ConfirmView(question=Question.CANCEL_WIZARD)
        machine.press("scan")
        assert machine.view == FOUND
        machine.press("scan", "ok", to=MenuView)
        assert machine.done(StoreCalibration) == []
        assert not machine.state.calibrated

    def test_what_cannot_be_stored_is_said(self):
        machine = calibrating(7)
        machine.tell(solved(machine))
        machine.press("ok")
        machine.tell(JobFailed(machine.job_id, Problem("file-not-writable", "full: room", "")))
        assert machine.view.problem == "file-not-writable"
        assert not machine.state.calibrated

    def test_a_bad_photo_says_why_and_the_pose_is_taken_again(self):
        machine = calibrating(2)
        step = machine.view.step
        take(machine, good=False)
        assert machine.view.step is step
        assert (machine.view.problem, machine.view.detail) == (NO_SHEET.code, NO_SHEET.message)
        assert not machine.view.worked
        assert machine.one(LogProblem).problem == NO_SHEET
        machine.press("next")
        assert machine.view.part == 1
        take(machine)
        assert machine.view.step is not step
        assert machine.view.problem == ""
        assert machine.view.part == 0
        machine = calibrating()
        take(machine, good=False)
        machine.press("ok")
        assert machine.one(TakeCalibrationPhoto).first

    @pytest.mark.parametrize(
        ("code", "step", "first"),
        [
            ("calibration-one-angle", WizardStep.CALIBRATE_LIFT_LEFT, False),
            ("calibration-too-few-photos", WizardStep.CALIBRATE_LIFT_LEFT, False),
            ("calibration-low-coverage", WizardStep.CALIBRATE_CORNER, False),
            ("calibration-table-unclear", WizardStep.CALIBRATE_TABLE, False),
            ("file-not-writable", WizardStep.CALIBRATE_TABLE, False),
            ("calibration-inexact", WizardStep.CALIBRATE_FLAT, True),
            ("calibration-sizes-differ", WizardStep.CALIBRATE_FLAT, True),
        ],
    )
    def test_if_the_photos_are_not_enough_it_goes_on_where_it_helps(self, code, step, first):
        machine = calibrating(7)
        problem = Problem(code, "not enough: more", "")
        machine.tell(JobFailed(machine.job_id, problem))
        assert isinstance(machine.view, WizardView)
        assert (machine.view.step, machine.view.problem) == (step, code)
        machine.press("ok")
        assert machine.one(TakeCalibrationPhoto).first == first
        machine.tell(CalibrationPhotoTaken(machine.job_id))
        while not machine.done(SolveCalibration):
            take(machine)
        machine.tell(solved(machine))
        assert isinstance(machine.view, CalibratedView)

    def test_next_cancels_a_photo_and_stays_in_the_wizard(self):
        machine = calibrating(1)
        step = machine.view.step
        machine.press("ok")
        job = machine.job_id
        machine.press("scan", "ok")
        assert machine.effects == []
        machine.press("next")
        assert machine.one(CancelJob).job_id == job
        assert machine.view.step is step
        machine.tell(CalibrationPhotoTaken(job))
        assert machine.view.step is step, "nobody waits for it"

    def test_leaving_asks_once_there_is_something_to_lose(self):
        machine = calibrating()
        machine.press("scan", to=MenuView)
        machine = calibrating(1)
        machine.press("scan")
        assert machine.view == ConfirmView(question=Question.CANCEL_WIZARD)
        machine.press("scan", to=WizardView)
        machine.press("scan", "ok", to=MenuView)

    def test_a_known_lens_can_be_kept(self):
        machine = at_menu("calibrate", calibrated=True)
        assert machine.labels() == ["table-only", "lens-and-table"]
        machine.choose("table-only")
        assert (machine.view.step, machine.view.of) == (WizardStep.CALIBRATE_TABLE, 1)
        take(machine)
        assert machine.one(SolveCalibration).table_only
        other_size = Problem("calibration-other-size", "another size: calibrate again", "")
        machine.tell(JobFailed(machine.job_id, other_size))
        assert machine.view.problem == "calibration-other-size"
        machine.press("ok")
        assert machine.one(TakeCalibrationPhoto).first
        machine.tell(CalibrationPhotoTaken(machine.job_id))
        machine.tell(solved(machine))
        assert isinstance(machine.view, CalibratedView)
        machine = calibrating(7)
        machine.tell(solved(machine))
        keep(machine)
        machine.press("ok")
        machine.choose("calibrate")
        assert machine.labels() == ["table-only", "lens-and-table"]

    def test_camera_loss_ends_photo_but_not_solving(self):
        machine = calibrating(1)
        machine.press("ok")
        machine.tell(CameraLost(CAMERA_MISSING))
        assert machine.view.problem == "camera-missing"
        machine.press("ok")
        machine.tell(CalibrationPhotoTaken(machine.job_id))
        assert machine.view.worked
        assert machine.state.camera.problem is None
        machine = calibrating(7)
        machine.tell(CameraLost(CAMERA_MISSING))
        assert machine.view == StageView(stage=Stage.CALIBRATE)
        job = machine.job_id
        machine.tell(CalibrationFinished(job, FOUND))
        assert isinstance(machine.view, CalibratedView)

    def test_the_next_scan_is_of_another_table(self, machine):
        machine.scan()
        machine.open_menu("calibrate")
        machine.press("ok", "ok")
        machine.press("next", "scan", "scan", to=ReadyView)
        machine.press("scan")
        assert not machine.one(StartScan).is_rescan

    def test_leaving_it_before_a_photo_leads_back_to_the_result(self, machine):
        machine.scan()
        machine.open_menu("calibrate")
        machine.press("scan", "scan", to=WinnerView)


def new_edition(machine):
    """Write the name of a new edition: a."""
    machine.choose("new-edition")
    machine.press("ok", "scan", "ok")


def teaching(*buttons):
    """The wizard for a new edition, waiting for its first photo; then these are pressed."""
    machine = at_menu("teach")
    new_edition(machine)
    machine.press("ok")
    machine.press(*buttons)
    return machine


def taught():
    """The wizard after its first photo was learned from."""
    machine = teaching("ok")
    learned(machine)
    return machine


WITH_THE_NEW = EditionsChanged((game_choice(GAME.name, "grandma", "a"),))


def learned(machine, *, checked=True, examples=1):
    job = machine.one(LearnLayout).job_id
    done = LayoutLearned(job, order_checked=checked)
    machine.tell(WITH_THE_NEW, done)


class TestTeaching:
    def test_a_new_edition_has_a_name_and_says_what_to_lay(self):
        machine = at_menu("teach")
        assert machine.labels() == ["from-table", "new-edition", "grandma"]
        new_edition(machine)
        assert machine.view.step is WizardStep.TEACH_LAY
        machine.press("next")
        assert machine.view.part == 1
        machine.press("ok")
        assert machine.view.step is WizardStep.TEACH_PHOTO
        assert machine.view.hints.ok is Hint.PHOTO

    def test_a_photo_is_learned_from(self):
        machine = teaching("ok")
        start = machine.one(LearnLayout)
        assert start == LearnLayout(
            start.job_id, GAME.name, "a", add=False, same_photo=False, corner=None
        )
        assert isinstance(machine.view, HoldStillView)
        machine.tell(StageReached(start.job_id, Stage.TEACH))
        assert machine.view == StageView(stage=Stage.TEACH)
        machine.tell(LayoutLearned(start.job_id, order_checked=True))
        assert machine.view.step is WizardStep.TEACH_TURN
        assert machine.view.worked
        assert machine.view.hints.scan is Hint.DONE

    def test_more_photos_add_examples_and_done_reads_with_them_from_now_on(self):
        machine = taught()
        machine.press("ok")
        assert machine.one(LearnLayout).add
        learned(machine, examples=2)
        assert machine.view.step is WizardStep.TEACH_TURN
        assert machine.state.choices.all_editions == ("standard", "grandma", "a")
        machine.press("scan")
        assert machine.one(StoreSettings).settings.edition == "a"
        assert machine.view.notice.code == "taught"
        assert machine.press("scan", "next") == []
        machine.press("ok")
        assert machine.view.edition == "a"
        machine.press("ok")
        machine.choose("edition")
        assert machine.labels() == ["standard-edition", "grandma", "a"]

    def test_failed_photo_says_why_and_later_one_loses_nothing(self):
        machine = teaching()
        machine.fail(BLURRED)
        assert (machine.view.step, machine.view.problem) == (
            WizardStep.TEACH_PHOTO,
            "teach-blurred",
        )
        assert machine.one(LogProblem).problem == BLURRED
        machine.press("ok")
        assert not machine.one(LearnLayout).add
        machine.tell(JobFailed(machine.job_id, BLURRED))
        machine.press("scan")
        assert machine.done(StoreSettings) == []
        assert machine.view.title is MenuWord.TEACH
        machine = taught()
        machine.fail(BLURRED)
        assert (machine.view.step, machine.view.problem) == (WizardStep.TEACH_TURN, "teach-blurred")
        assert not machine.view.worked
        machine.press("scan")
        assert machine.one(StoreSettings).settings.edition == "a"

    def test_a_new_look_asks_in_which_corner_the_shop_lies(self):
        machine = teaching()
        machine.fail(WHICH_WAY)
        assert machine.view.title is MenuWord.SHOP_CORNER
        assert machine.labels() == ["top-left", "top-right", "bottom-right", "bottom-left"]
        machine.press("next", "next")
        assert machine.view.selected == 2
        machine.press("ok")
        start = machine.one(LearnLayout)
        assert (start.corner, start.same_photo) == (MenuWord.BOTTOM_RIGHT, True)
        assert machine.view == StageView(stage=Stage.TEACH), "no photo is taken"
        learned(machine, checked=False)
        machine.press("scan")
        assert machine.view.notice.code == "taught-unchecked"
        machine = teaching()
        for checked in (False, True):
            machine.press("ok")
            learned(machine, checked=checked)
        machine.press("scan")
        assert machine.view.notice.code == "taught-unchecked"

    def test_a_corner_that_does_not_help_leads_to_another_photo(self):
        machine = teaching()
        machine.fail(WHICH_WAY)
        machine.press("ok")
        machine.tell(JobFailed(machine.job_id, WHICH_WAY))
        assert (machine.view.step, machine.view.problem) == (
            WizardStep.TEACH_PHOTO,
            "teach-which-way",
        )
        machine.press("ok")
        assert machine.one(LearnLayout).corner is None, "it is another photo"
        machine.tell(JobFailed(machine.job_id, WHICH_WAY))
        assert machine.view.title is MenuWord.SHOP_CORNER
        machine.press("next", "next", "next", "next")
        assert machine.view.selected == 0
        machine.press("scan")
        assert machine.view.step is WizardStep.TEACH_PHOTO
        assert machine.view.problem == ""
        machine = taught()
        machine.fail(WHICH_WAY)
        machine.press("scan")
        assert machine.view.step is WizardStep.TEACH_TURN

    def test_an_edition_that_is_there_gets_more_examples_or_is_learned_anew(self):
        machine = at_menu("teach", "grandma")
        assert machine.view.title == "grandma"
        machine.choose("add-examples")
        machine.press("ok", "ok")
        assert machine.one(LearnLayout).add
        machine = at_menu("teach", "grandma", "learn-anew")
        assert machine.view == ConfirmView(question=Question.REPLACE_EDITION)
        machine.press("ok")
        machine.press("ok", "ok")
        start = machine.one(LearnLayout)
        assert (start.edition, start.add) == ("grandma", False)

    def test_a_name_that_is_there_is_not_taken_again(self):
        machine = at_menu("teach", choices=replace(CHOICES, games=(game_choice(GAME.name, "A"),)))
        new_edition(machine)
        assert machine.view.code == "edition-exists"
        machine.press("ok")
        assert machine.view.name == "a"
        machine = at_menu("teach", "new-edition")
        assert machine.view.letters.startswith("abc")
        assert machine.view.letters.endswith("9-_×")
        machine.press("scan", "ok")
        assert machine.view.title is MenuWord.TEACH

    def test_what_was_learned_after_all_can_be_chosen(self):
        machine = teaching("ok")
        job = machine.job_id
        machine.press("next", "scan")
        machine.tell(WITH_THE_NEW, LayoutLearned(job, order_checked=True))
        assert machine.view.title is MenuWord.TEACH
        machine.press("scan")
        machine.choose("edition")
        assert "a" in machine.labels()

    def test_a_photo_shows_that_it_works_again(self):
        machine = teaching()
        machine.tell(CameraLost(CAMERA_MISSING))
        machine.press("ok")
        learned(machine)
        machine.press("scan", "ok", to=ReadyView)

    def test_using_the_edition_in_use_stores_nothing(self):
        settings = replace(SETTINGS, edition="grandma")
        machine = at_menu("teach", "grandma", "add-examples", settings=settings)
        machine.press("ok", "ok")
        machine.tell(LayoutLearned(machine.job_id, order_checked=True))
        machine.press("scan")
        assert machine.done(StoreSettings) == []
        assert isinstance(machine.view, NoticeView)

    def test_in_safe_mode_the_settings_on_the_card_stay(self):
        machine = Machine(safe_mode=True)
        machine.open_menu("teach")
        new_edition(machine)
        machine.press("ok", "ok")
        learned(machine)
        machine.press("scan")
        assert machine.one(StoreSettings).only_now


DOUBTFUL = Problem("teach-doubtful", "the photo does not seem to fit: lay them so", "camera")


class TestDoubtfulPhotos:
    @pytest.fixture
    def asking(self):
        """A table whose grids do not seem to be those of the game."""
        machine = at_menu("teach", "from-table")
        machine.press("ok", to=HoldStillView)
        machine.tell(JobFailed(machine.one(FindGroups).job_id, DOUBTFUL))
        return machine

    def test_the_person_is_asked(self, asking):
        assert asking.view == ConfirmView(question=Question.LEARN_DOUBTFUL)

    def test_yes_uses_the_same_photo(self, asking):
        asking.press("ok")
        assert asking.one(FindGroups).sure

    def test_no_says_what_does_not_fit(self, asking):
        asking.press("scan")
        assert (asking.view.step, asking.view.problem) == (WizardStep.TEACH_TABLE, DOUBTFUL.code)

    @pytest.fixture
    def renamed(self):
        """A table whose groups have names that do not seem to fit."""
        machine = TestTeachingByATable().grouped(groups=1)
        machine.answer("park")
        machine.tell(JobFailed(machine.one(LearnGroups).job_id, DOUBTFUL))
        return machine

    def test_yes_keeps_the_names_of_groups(self, renamed):
        assert renamed.view == ConfirmView(question=Question.LEARN_DOUBTFUL)
        renamed.press("ok")
        effect = renamed.one(LearnGroups)
        assert (effect.names, effect.sure) == (("park",), True)

    def test_no_asks_for_the_names_of_groups_again(self, renamed):
        renamed.press("scan")
        assert (renamed.view.number, renamed.guess) == (1, "shop")

    def test_yes_learns_tiles_laid_out_of_the_same_photo(self):
        machine = Machine()
        machine.open_menu("teach")
        new_edition(machine)
        machine.press("ok", "ok")
        machine.fail(DOUBTFUL)
        machine.press("ok")
        effect = machine.one(LearnLayout)
        assert (effect.sure, effect.same_photo) == (True, True)


SPOTS = ((100.0, 100.0), (500.0, 100.0), (100.0, 400.0), (500.0, 400.0))
"""Centres of the tiles of a table."""
SHOWN = (3, 0, 2)
"""The tile that the picture of each group shows."""


class TestTeachingByATable:
    """The tiles of any finished table in groups, of which a person says what each is."""

    def grouped(self, groups=3, mixed=()):
        machine = at_menu("teach", "from-table")
        assert machine.view.step is WizardStep.TEACH_TABLE
        machine.press("ok", to=HoldStillView)
        job = machine.one(FindGroups).job_id
        assert machine.one(FindGroups).edition == "table-1"
        machine.tell(StageReached(job, Stage.TEACH))
        faces = ("shop", "park", "house")
        machine.tell(GroupsFound(job, (CROP,) * groups, faces, SPOTS, SHOWN[:groups], mixed=mixed))
        return machine

    def test_a_group_of_differing_tiles_is_left_out_first(self):
        machine = self.grouped(mixed=(1,))
        assert machine.guess == "shop"
        machine.answer("park")
        assert machine.guess is SpecialAnswer.LATER

    def test_each_picture_has_its_place_on_the_table(self):
        machine = self.grouped()
        assert (machine.view.tiles, machine.view.tile) == (SPOTS, 3)
        machine.answer("park")
        assert machine.view.tile == 0

    def test_each_group_is_shown_and_what_has_no_name_yet_comes_first(self):
        machine = self.grouped()
        assert (machine.view.number, machine.view.count, machine.view.crop) == (1, 3, CROP)
        assert machine.guess == "shop"
        machine.answer("park")
        assert (machine.view.number, machine.guess) == (2, "shop")
        machine.press("scan")
        assert (machine.view.number, machine.guess) == (1, "shop")
        machine.run("next")
        assert machine.guess is SpecialAnswer.LATER, "a group can be left out"

    def test_it_is_learned_and_the_score_follows(self):
        machine = self.grouped()
        for face in ("park", SpecialAnswer.LATER, "shop"):
            machine.answer(face)
        learn = machine.one(LearnGroups)
        assert learn.names == ("park", None, "shop")
        machine.tell(EditionsChanged((game_choice(GAME.name, "table-1"),)))
        machine.tell(TilesLearned(learn.job_id))
        assert machine.one(StoreSettings).settings.edition == "table-1"
        assert machine.one(StartScan).edition == "table-1"
        assert isinstance(machine.view, HoldStillView)
        machine = self.grouped(groups=1)
        machine.answer(SpecialAnswer.LATER)
        assert machine.done(LearnGroups) == []
        assert machine.view.title is MenuWord.TEACH

    def test_a_table_that_cannot_be_grouped_says_why(self):
        machine = at_menu("teach", "from-table")
        machine.fail(NO_SHEET)
        assert machine.view.problem == NO_SHEET.code
        machine.press("scan")
        assert machine.view.title is MenuWord.TEACH


FIRST = {"steps": FIRST_START, "must_ask_players": True}
SEEN = AimView(advice=Advice.GOOD, picture=CROP, light=0.5, sharpness=1.0)


class TestFirstStart:
    def test_it_asks_for_all_there_is_one_after_the_other(self):
        machine = Machine(settings=SETTINGS, choices=ALL_GAMES, **FIRST)
        assert machine.view.title is MenuWord.LANGUAGE
        machine.choose("de")
        assert machine.one(StoreSettings).settings.language == "de"
        machine.choose("Cities")
        machine.choose("level-2", "no-names")
        machine.tell(AimingPictureTaken(machine.one(TakeAimingPicture).job_id, SEEN))
        assert machine.view == SEEN
        machine.press("ok")
        assert machine.view == ConfirmView(question=Question.CALIBRATE)
        machine.press("ok")
        assert machine.view.step is WizardStep.CALIBRATE_PRINT
        machine.press("scan", to=ReadyView)
        chosen = machine.state.settings
        assert (chosen.language, chosen.game, chosen.level) == ("de", "cities", 2)

    def test_each_question_can_be_skipped_and_all_of_them_at_once(self):
        machine = Machine(settings=SETTINGS, choices=ALL_GAMES, **FIRST)
        hints = []
        while not isinstance(machine.view, ReadyView):
            hints.append(machine.view.hints.scan)
            if machine.view.hints.next is Hint.CANCEL:
                machine.press("next")
            else:
                machine.press("scan" if hints[-1] in (Hint.SKIP, Hint.NO) else "ok")
            assert len(hints) < 10
        assert hints == [Hint.SKIP] * 3 + [Hint.ADD_NAME, Hint.NOTHING, Hint.NO]
        assert machine.state.settings == SETTINGS
        machine = Machine(**FIRST)
        machine.hold("scan")
        assert machine.view.title is MenuWord.MENU
        machine.press("scan", to=ReadyView)
        assert machine.view.asks

    def test_it_can_be_called_again(self):
        machine = at_menu("settings", "set-up")
        assert machine.view.title is MenuWord.LANGUAGE
        machine.press("scan")
        assert machine.view.title is MenuWord.VARIANT, "there is one game alone"
        machine = at_menu("settings", "set-up")
        machine.press("scan", "scan", "ok")
        machine.tell(JobFailed(machine.job_id, CAMERA_MISSING))
        assert machine.view.code == "camera-missing"
        machine.press("ok", to=ConfirmView)
        machine.press("scan", to=ProblemView)
