"""Teaching an edition on the display alone, by tiles laid out or by a finished game."""

from dataclasses import replace

import pytest

from firmware.appliance.camera_recovery import CameraLost
from firmware.appliance.features.game_choice import EditionsChanged
from firmware.appliance.features.grouping import FindGroups, GroupsFound, LearnGroups
from firmware.appliance.features.learning_corrections import TilesLearned
from firmware.appliance.features.scanning import TakeAndReadPhoto
from firmware.appliance.features.teaching import LayoutLearned, LearnLayout
from firmware.appliance.job_mode import JobFailed, StageReached
from firmware.appliance.stored_settings import UseSettings
from firmware.appliance.transitions import LogProblem
from firmware.base.problem import Problem
from firmware.screens.device_views import HandsOffView, NoticeView, ReadyView, StageView
from firmware.screens.question_views import ConfirmView, SpecialAnswer
from firmware.screens.words import Hint, MenuWord, Question, Stage, WizardStep
from tests.appliance.appliance_machine import (
    CAMERA_MISSING,
    CHOICES,
    CROP,
    GAME,
    SETTINGS,
    MachineDriver,
    at_menu,
    game_choice,
)

WHICH_WAY = Problem("teach-which-way", "where is the shop: say it", "camera")
NO_GRID = Problem("teach-no-outline", "no grid: show all of it", "camera")
BLURRED = Problem("teach-blurred", "not sharp: focus", "camera")


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
    job = machine.effect_of(LearnLayout).job_id
    done = LayoutLearned(job, order_checked=checked)
    machine.handle(WITH_THE_NEW, done)


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
        start = machine.effect_of(LearnLayout)
        assert start == LearnLayout(
            start.job_id, GAME.name, "a", add=False, same_photo=False, corner=None
        )
        assert isinstance(machine.view, HandsOffView)
        machine.handle(StageReached(start.job_id, Stage.TEACH))
        assert machine.view == StageView(stage=Stage.TEACH)
        machine.handle(LayoutLearned(start.job_id, order_checked=True))
        assert machine.view.step is WizardStep.TEACH_TURN
        assert machine.view.worked
        assert machine.view.hints.scan is Hint.DONE

    def test_more_photos_add_examples_and_done_reads_with_them_from_now_on(self):
        machine = taught()
        machine.press("ok")
        assert machine.effect_of(LearnLayout).add
        learned(machine, examples=2)
        assert machine.view.step is WizardStep.TEACH_TURN
        assert machine.state.choices.all_editions == ("standard", "grandma", "a")
        machine.press("scan")
        assert machine.effect_of(UseSettings).settings.edition == "a"
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
        assert machine.effect_of(LogProblem).problem == BLURRED
        machine.press("ok")
        assert not machine.effect_of(LearnLayout).add
        machine.handle(JobFailed(machine.job_id, BLURRED))
        machine.press("scan")
        assert machine.effects_of(UseSettings) == []
        assert machine.view.title is MenuWord.TEACH
        machine = taught()
        machine.fail(BLURRED)
        assert (machine.view.step, machine.view.problem) == (WizardStep.TEACH_TURN, "teach-blurred")
        assert not machine.view.worked
        machine.press("scan")
        assert machine.effect_of(UseSettings).settings.edition == "a"

    def test_a_new_look_asks_in_which_corner_the_shop_lies(self):
        machine = teaching()
        machine.fail(WHICH_WAY)
        assert machine.view.title is MenuWord.SHOP_CORNER
        assert machine.labels() == ["top-left", "top-right", "bottom-right", "bottom-left"]
        machine.press("next", "next")
        assert machine.view.selected == 2
        machine.press("ok")
        start = machine.effect_of(LearnLayout)
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
        machine.handle(JobFailed(machine.job_id, WHICH_WAY))
        assert (machine.view.step, machine.view.problem) == (
            WizardStep.TEACH_PHOTO,
            "teach-which-way",
        )
        machine.press("ok")
        assert machine.effect_of(LearnLayout).corner is None, "it is another photo"
        machine.handle(JobFailed(machine.job_id, WHICH_WAY))
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
        assert machine.effect_of(LearnLayout).add
        machine = at_menu("teach", "grandma", "teach-again")
        assert machine.view == ConfirmView(question=Question.REPLACE_EDITION)
        machine.press("ok")
        machine.press("ok", "ok")
        start = machine.effect_of(LearnLayout)
        assert (start.edition, start.add) == ("grandma", False)

    def test_a_name_that_is_there_is_not_taken_again(self):
        machine = at_menu("teach", choices=replace(CHOICES, games=(game_choice(GAME.name, "A"),)))
        new_edition(machine)
        assert machine.view.code == "edition-exists"
        machine.press("ok")
        assert machine.view.name == "a"
        machine = at_menu("teach", "new-edition")
        assert machine.view.letters.startswith("abc")
        assert machine.view.letters.endswith("9_×")
        machine.press("ok")
        assert machine.view.name == "a"
        assert "-" in machine.view.letters
        machine = at_menu("teach", "new-edition")
        machine.press("scan", "ok")
        assert machine.view.title is MenuWord.TEACH

    def test_edition_learned_after_cancelling_can_be_chosen(self):
        machine = teaching("ok")
        job = machine.job_id
        machine.press("next", "scan")
        machine.handle(WITH_THE_NEW, LayoutLearned(job, order_checked=True))
        assert machine.view.title is MenuWord.TEACH
        machine.press("scan")
        machine.choose("edition")
        assert "a" in machine.labels()

    def test_a_photo_shows_that_it_works_again(self):
        machine = teaching()
        machine.handle(CameraLost(CAMERA_MISSING))
        machine.press("ok")
        learned(machine)
        machine.press("scan", "ok", to=ReadyView)

    def test_using_the_edition_in_use_stores_nothing(self):
        settings = replace(SETTINGS, edition="grandma")
        machine = at_menu("teach", "grandma", "add-examples", settings=settings)
        machine.press("ok", "ok")
        machine.handle(LayoutLearned(machine.job_id, order_checked=True))
        machine.press("scan")
        assert machine.effects_of(UseSettings) == []
        assert isinstance(machine.view, NoticeView)

    def test_in_safe_mode_the_settings_on_the_card_stay(self):
        machine = MachineDriver(safe_mode=True)
        machine.open_menu("teach")
        new_edition(machine)
        machine.press("ok", "ok")
        learned(machine)
        machine.press("scan")
        assert not machine.effect_of(UseSettings).is_stored


DOUBTFUL = Problem("teach-doubtful", "the photo does not seem to fit: lay them so", "camera")


class TestDoubtfulPhotos:
    @pytest.fixture
    def asking(self):
        """A table whose grids do not seem to be those of the game."""
        machine = at_menu("teach", "from-table")
        machine.press("ok", to=HandsOffView)
        machine.handle(JobFailed(machine.effect_of(FindGroups).job_id, DOUBTFUL))
        return machine

    def test_the_person_is_asked(self, asking):
        assert asking.view == ConfirmView(question=Question.LEARN_DOUBTFUL)

    def test_yes_uses_the_same_photo(self, asking):
        asking.press("ok")
        assert asking.effect_of(FindGroups).confirmed

    def test_no_says_what_does_not_fit(self, asking):
        asking.press("scan")
        assert (asking.view.step, asking.view.problem) == (WizardStep.TEACH_TABLE, DOUBTFUL.code)

    @pytest.fixture
    def renamed(self):
        """A table whose groups have names that do not seem to fit."""
        machine = TestTeachingByATable().grouped(groups=1)
        machine.answer("park")
        machine.handle(JobFailed(machine.effect_of(LearnGroups).job_id, DOUBTFUL))
        return machine

    def test_yes_keeps_the_names_of_groups(self, renamed):
        assert renamed.view == ConfirmView(question=Question.LEARN_DOUBTFUL)
        renamed.press("ok")
        effect = renamed.effect_of(LearnGroups)
        assert (effect.names, effect.confirmed) == (("park",), True)

    def test_no_asks_for_the_names_of_groups_again(self, renamed):
        renamed.press("scan")
        assert (renamed.view.number, renamed.guess) == (1, "shop")

    def test_yes_learns_tiles_laid_out_of_the_same_photo(self):
        machine = MachineDriver()
        machine.open_menu("teach")
        new_edition(machine)
        machine.press("ok", "ok")
        machine.fail(DOUBTFUL)
        machine.press("ok")
        effect = machine.effect_of(LearnLayout)
        assert (effect.confirmed, effect.same_photo) == (True, True)


SPOTS = ((100.0, 100.0), (500.0, 100.0), (100.0, 400.0), (500.0, 400.0))
"""Centres of the tiles of a table."""
SHOWN = (3, 0, 2)
"""The tile that the picture of each group shows."""


class TestTeachingByATable:
    """The tiles of any finished table in groups, of which a person says what each is."""

    def grouped(self, groups=3, mixed=()):
        machine = at_menu("teach", "from-table")
        assert machine.view.step is WizardStep.TEACH_TABLE
        machine.press("ok", to=HandsOffView)
        job = machine.effect_of(FindGroups).job_id
        assert machine.effect_of(FindGroups).edition == "table-1"
        machine.handle(StageReached(job, Stage.TEACH))
        faces = ("shop", "park", "house")
        machine.handle(
            GroupsFound(job, (CROP,) * groups, faces, SPOTS, SHOWN[:groups], mixed=mixed)
        )
        return machine

    def test_a_group_of_differing_tiles_is_left_out_first(self):
        machine = self.grouped(mixed=(1,))
        assert machine.guess == "shop"
        machine.answer("park")
        assert machine.guess is SpecialAnswer.LATER

    def test_each_picture_has_its_place_on_the_table(self):
        machine = self.grouped()
        assert (machine.view.tile_centres_px, machine.view.pictured) == (SPOTS, 3)
        machine.answer("park")
        assert machine.view.pictured == 0

    def test_each_group_is_shown_and_what_has_no_name_yet_comes_first(self):
        machine = self.grouped()
        assert (machine.view.number, machine.view.count, machine.view.crop) == (1, 3, CROP)
        assert machine.guess == "shop"
        machine.answer("park")
        assert (machine.view.number, machine.guess) == (2, "shop")
        machine.press("scan")
        assert (machine.view.number, machine.guess) == (1, "shop")
        machine.hold_repeating("next")
        assert machine.guess is SpecialAnswer.LATER, "a group can be left out"

    def test_named_groups_are_learned_and_the_table_scored(self):
        machine = self.grouped()
        for face in ("park", SpecialAnswer.LATER, "shop"):
            machine.answer(face)
        learn = machine.effect_of(LearnGroups)
        assert learn.names == ("park", None, "shop")
        machine.handle(EditionsChanged((game_choice(GAME.name, "table-1"),)))
        machine.handle(TilesLearned(learn.job_id))
        assert machine.effect_of(UseSettings).settings.edition == "table-1"
        assert machine.effect_of(TakeAndReadPhoto).edition == "table-1"
        assert isinstance(machine.view, HandsOffView)
        machine = self.grouped(groups=1)
        machine.answer(SpecialAnswer.LATER)
        assert machine.effects_of(LearnGroups) == []
        assert machine.view.title is MenuWord.TEACH

    def test_a_table_that_cannot_be_grouped_says_why(self):
        machine = at_menu("teach", "from-table")
        machine.fail(NO_GRID)
        assert machine.view.problem == NO_GRID.code
        machine.press("scan")
        assert machine.view.title is MenuWord.TEACH
