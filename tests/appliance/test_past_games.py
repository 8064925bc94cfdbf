"""Stored games: the last result after a start, past games, deleting one."""

from dataclasses import replace

import pytest

from firmware.appliance.features.past_games import (
    ListPastGames,
    MoveGameToBin,
    OpenPastGame,
    PastGameOpened,
    PastGamesListed,
)
from firmware.appliance.job_mode import JobFailed
from firmware.appliance.saving import LastResultLoaded, LoadLastResult, SaveResult
from firmware.screens.device_views import MenuView, PastGameView, ReadyView
from firmware.screens.question_views import DoubtView
from firmware.screens.result_views import WinnerView
from firmware.screens.view import PlayerLabel
from firmware.screens.words import Hint, Notice, Question
from scoring.faces import Face
from tests.appliance.appliance_machine import (
    DISK_FULL,
    EXAMPLE,
    SETTINGS,
    MachineDriver,
    label_text,
    name_of,
    read,
)
from tests.appliance.appliance_walk import GAMES, UNSURE, loaded_result
from tests.appliance.test_learning_corrections import apply_corrections
from tests.appliance.test_players import after_the_game
from tests.firmware.fake_eye import other_cities


def with_history(*games):
    """A machine that has recalled the last of these games, with the first of them shown."""
    machine = MachineDriver()
    machine.handle(LastResultLoaded(loaded_result(read(unsure=UNSURE))))
    machine.open_menu("history")
    machine.handle(PastGamesListed(machine.effect_of(ListPastGames).job_id, games or GAMES))
    return machine


class TestTheLastResult:
    def test_is_asked_for_at_the_start_and_shown_by_next(self):
        machine = MachineDriver()
        assert [e for e in machine.all_effects if isinstance(e, LoadLastResult)]
        machine.handle(LastResultLoaded(loaded_result(read())))
        assert machine.view.hints.next is Hint.POINTS
        machine.press("next", to=WinnerView)
        assert machine.winners[1] == "62"
        machine.scan()
        shown = machine.view
        machine.handle(LastResultLoaded(loaded_result(read(unsure=UNSURE))))
        assert machine.view == shown

    def test_is_gone_on_with_where_it_was_left(self):
        machine = MachineDriver()
        machine.handle(LastResultLoaded(loaded_result(read(unsure=UNSURE))))
        assert machine.view.to_check == 2
        machine.press("next", "ok", to=DoubtView)
        machine.answer(Face.HOUSE)
        assert machine.saved_result.result_id == -9, "in the place of the one that was stored"

    def test_is_corrected_as_it_was_scored_whatever_is_set_now(self):
        machine = MachineDriver(settings=SETTINGS)
        machine.handle(LastResultLoaded(loaded_result(read())))
        machine.pick(1, 1, 1)
        machine.press("next", "ok")
        assert machine.effect_of(SaveResult).result.scan.table.variant == "standard"
        machine = MachineDriver(settings=replace(SETTINGS, players=("Ann",)), must_ask_players=True)
        machine.handle(LastResultLoaded(loaded_result(read())))
        machine.press("next")
        machine.choose("standard", "no-names")
        assert machine.state.settings.players == ()
        assert not [effect for effect in machine.all_effects if isinstance(effect, SaveResult)]


class TestPastGames:
    def test_say_when_and_what_was_played_and_who_has_won(self):
        machine = with_history()
        assert machine.view == PastGameView(
            when=(),
            game=machine.view.game,
            winners=(PlayerLabel(3, "P3", ("B", "C")),),
            points="62?",
            number=1,
            count=2,
        )
        machine.press("next")
        assert (machine.view.when[0], machine.view.winners) == ("2026-11-18 20:15", ())
        machine.press("next")
        assert machine.view.number == 1

    def test_without_any_that_is_said(self):
        machine = MachineDriver()
        machine.open_menu("history")
        machine.handle(PastGamesListed(machine.job_id, ()))
        assert machine.view.notice is Notice.NO_GAMES
        machine.press("ok", to=MenuView)

    def test_are_opened_with_all_their_pages(self):
        machine = with_history()
        machine.press("next", "ok")
        opening = machine.effect_of(OpenPastGame)
        assert opening.seq == 7
        machine.handle(PastGameOpened(opening.job_id, loaded_result(read(), 7)))
        pages = [name_of(page) for page in machine.all_views()]
        assert pages[:3] == ["winner", "standings", "standings-2"]
        machine.press("next", "ok", to=PastGameView)
        assert machine.view.number == 2
        machine.press("scan", to=MenuView)

    def test_leave_the_last_result_as_it_is(self):
        machine = with_history()
        machine.press("ok")
        machine.handle(PastGameOpened(machine.job_id, loaded_result(read(), 7)))
        machine.hold("next")
        assert machine.view.to_check == 2

    def test_unreadable_history_gives_the_reason(self):
        machine = MachineDriver()
        machine.open_menu("history")
        machine.handle(JobFailed(machine.job_id, DISK_FULL))
        assert machine.view.code == DISK_FULL.code
        machine.press("ok", to=MenuView)


def ask_to_learn(machine):
    """Correct a tile, which is asked about."""
    machine.scan()
    machine.pick(1, 1, 1)
    machine.answer(Face.PARK)
    assert machine.view.question is Question.LEARN_TILES


def ask_about_doubtful_tile(machine):
    """Agree to learn a tile that looks like another face."""
    apply_corrections(machine, Face.PARK)


def learn(machine):
    """Learn a corrected tile."""
    apply_corrections(machine, Face.PARK)
    machine.press("ok")


def ask_about_same_table(machine):
    """Scan a table that may be the one before."""
    machine.scan()
    machine.hold("next")
    machine.scan(*EXAMPLE[:4], *other_cities(0)[:2])
    assert machine.view.question is Question.SAME_TABLE


def ask_to_name(machine):
    """Name the players after the game."""
    machine.scan()
    after_the_game(machine, *"ABCDEF")
    assert machine.view.question is Question.NAME_LAST_GAME


class TestDeleting:
    def asked(self):
        machine = with_history()
        machine.press("ok")
        machine.handle(PastGameOpened(machine.job_id, loaded_result(read())))
        assert machine.view.hints.scan is Hint.DELETE
        machine.press("scan")
        assert machine.view.question is Question.DELETE_GAME
        return machine

    def test_is_asked_once(self):
        machine = self.asked()
        machine.press("ok")
        deleting = machine.effect_of(MoveGameToBin)
        assert deleting.seq == 9
        machine.handle(PastGamesListed(deleting.job_id, GAMES[1:], deleted_results=(-9,)))
        assert (machine.view.number, machine.view.count) == (1, 1)
        machine = self.asked()
        machine.press("scan", to=WinnerView)
        assert machine.effects_of(MoveGameToBin) == []

    def test_the_last_result_leaves_the_one_before_it(self):
        machine = self.asked()
        machine.press("ok")
        machine.handle(PastGamesListed(machine.job_id, GAMES[1:], deleted_results=(-9,)))
        assert machine.effect_of(LoadLastResult)
        machine.handle(LastResultLoaded(loaded_result(read(), 7)))
        machine.hold("next")
        assert label_text(machine.view.hints.next) == "points"
        assert machine.state.result.result_id == -7

    @pytest.mark.parametrize(
        "ask",
        [ask_to_learn, ask_about_doubtful_tile, learn, ask_about_same_table, ask_to_name],
        ids=lambda ask: ask.__name__,
    )
    def test_deleted_last_result_ends_the_question_about_it(self, ask, machine):
        ask(machine)
        before = machine.view
        result_id = machine.state.result.result_id
        machine.handle(PastGamesListed(999, GAMES, deleted_results=(result_id,)))
        assert not isinstance(before, ReadyView)
        assert isinstance(machine.view, ReadyView)
