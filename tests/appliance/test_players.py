"""Saying who plays, and writing names letter by letter."""

from dataclasses import replace

import pytest

from firmware.appliance.features.alerts import HealthChanged
from firmware.appliance.features.edition_menus import EDITION_LETTERS
from firmware.appliance.features.players import NamesChanged
from firmware.appliance.name_entry import FURTHER_ALPHABETS, Key
from firmware.appliance.saving import LastResultLoaded, SaveResult
from firmware.appliance.stored_settings import UseSettings
from firmware.screens import typeset
from firmware.screens.device_views import MenuView, NameView, ProblemView, ReadyView
from firmware.screens.question_views import ConfirmView
from firmware.screens.result_views import WinnerView
from firmware.screens.view import Hints
from firmware.screens.words import Alert, Hint, MenuWord, Question
from firmware.settings import MAX_NAME_LETTERS
from scoring.faces import Face
from tests.appliance.appliance_machine import (
    ALL_GAMES,
    EXAMPLE,
    SETTINGS,
    MachineDriver,
    at_menu,
    label_text,
    read,
)
from tests.appliance.appliance_walk import loaded_result


def at_seats(*names, **settings):
    """A machine at the seats, where these names were given before."""
    machine = MachineDriver(settings=replace(SETTINGS, **settings))
    machine.handle(NamesChanged(names))
    machine.open_menu("who-plays", "standard")
    assert isinstance(machine.view, MenuView)
    return machine


def spell(machine, name):
    """Write a name letter by letter, running to each; gives how many presses it takes."""
    presses = 0
    for letter in (*name, Key.DONE):
        if machine.view.letters[machine.view.offered] != letter:
            letters = machine.view.letters
            ahead = (letters.index(letter) - machine.view.offered) % len(letters)
            back = len(letters) - ahead
            machine.hold_repeating("next" if ahead <= back else "scan", min(ahead, back))
            presses += 1
        machine.press("ok")
        presses += 1
    return presses


def seats_of(machine):
    """The names that were stored last."""
    stored = [effect for effect in machine.all_effects if isinstance(effect, UseSettings)]
    return stored[-1].settings.players


class TestWhoPlays:
    def test_past_names_are_offered_for_each_seat_most_frequent_first(self):
        machine = at_seats("Ann", "Ben", "Cid", "Dot")
        assert str(machine.view.title) == "Who's in front?"
        assert machine.labels() == ["Ann", "Ben", "Cid", "Dot", "no-names"]
        machine.choose("Cid")
        assert str(machine.view.title) == "Left of Cid"
        assert machine.labels() == ["Ann", "Ben", "Dot", "that-is-all", "previous-name"]
        machine.choose("Ann", "Ben", "that-is-all")
        assert seats_of(machine) == ("Cid", "Ann", "Ben")
        assert isinstance(machine.view, ReadyView)

    def test_two_players_are_asked_for_by_number(self):
        machine = MachineDriver(settings=replace(SETTINGS, players=("Ann", "Ben")))
        machine.open_menu("who-plays", "two-player")
        assert str(machine.view.title) == "Player 1"

    def test_players_of_cities_are_asked_for_by_number(self):
        machine = MachineDriver(settings=replace(SETTINGS, game="cities"), choices=ALL_GAMES)
        machine.open_menu("who-plays", "level-1")
        assert str(machine.view.title) == "Player 1"

    def test_neighbour_with_a_long_name_is_not_told(self):
        machine = at_seats("A" * MAX_NAME_LETTERS)
        machine.press("ok")
        assert str(machine.view.title) == "Player 2"

    def test_players_of_last_time_take_one_press(self):
        machine = at_seats("Ben", players=("Ann", "Ben"))
        assert machine.labels() == ["as-last-time", "Ben", "Ann", "no-names"]
        assert values_of(machine)[0] == "2"
        machine.press("ok", to=ReadyView)
        assert machine.state.settings.players == ("Ann", "Ben")
        machine = at_seats("Ann", "Ben", players=("Ann",))
        machine.choose("Ben", "previous-name")
        assert machine.labels()[1:3] == ["Ann", "Ben"]
        machine.choose("no-names")
        assert seats_of(machine) == ()

    def test_all_seats_taken_nothing_more_is_offered(self):
        machine = at_seats(*"ABCDEFGH")
        machine.press(*["ok"] * 7)
        assert machine.labels() == ["that-is-all", "previous-name"]
        assert machine.view.hints.scan is Hint.NOTHING
        assert machine.press("scan") == []

    def test_the_result_has_the_new_names_at_once(self, machine):
        machine.scan()
        machine.handle(NamesChanged(tuple("ABCD")))
        machine.open_menu("who-plays", "standard", "A", "B", "C", "D", "that-is-all")
        assert machine.saved_result.scan.sheet.players[3].name == "D"
        assert machine.view.winners[0].name == "D"

    def test_names_are_offered_to_the_game_just_played(self, named):
        assert named.view == ConfirmView(question=Question.NAME_LAST_GAME)
        named.press("ok")
        assert named.saved_result.options.players == tuple("ABCDEF")
        assert named.view.winners[0].name in "ABCDEF"

    def test_refused_names_are_for_the_next_game_alone(self, named):
        named.press("scan", to=ReadyView)
        assert named.effects_of(SaveResult) == []
        assert named.state.result.options.players is None
        assert named.state.settings.players == tuple("ABCDEF")

    @pytest.mark.parametrize("names", [tuple("ABCDEFG"), ()])
    def test_names_of_another_number_of_players_are_not_offered(self, machine, names):
        machine.scan()
        after_the_game(machine, *names)
        assert isinstance(machine.view, ReadyView)

    def test_names_are_not_offered_to_a_game_of_another_evening(self):
        machine = MachineDriver()
        machine.handle(LastResultLoaded(loaded_result(read())))
        after_the_game(machine, *"ABCDEF")
        assert isinstance(machine.view, ReadyView)

    def test_past_game_that_is_looked_at_is_asked_about(self):
        machine = MachineDriver()
        machine.handle(LastResultLoaded(loaded_result(read())), NamesChanged(tuple("ABCDEF")))
        machine.press("next", to=WinnerView)
        machine.open_menu("who-plays", "standard", *"ABCDEF", "that-is-all")
        assert machine.view == ConfirmView(question=Question.NAME_LAST_GAME)
        assert not [effect for effect in machine.all_effects if isinstance(effect, SaveResult)]
        machine.press("ok")
        assert machine.saved_result.options.players == tuple("ABCDEF")

    def test_past_game_that_is_looked_at_keeps_its_variant(self):
        machine = MachineDriver()
        machine.handle(LastResultLoaded(loaded_result(read(*EXAMPLE[:4]))))
        machine.press("next", to=WinnerView)
        machine.open_menu("who-plays", "two-player")
        assert machine.state.result.options.variant == "standard"

    def test_same_names_are_not_offered(self):
        machine = MachineDriver(settings=replace(SETTINGS, players=tuple("ABCDEF")))
        machine.scan()
        after_the_game(machine, *"ABCDEF")
        assert isinstance(machine.view, ReadyView)

    @pytest.fixture
    def named(self, machine):
        """A machine that has left a result, and then got names."""
        machine.scan()
        machine.finish_saving()
        after_the_game(machine, *"ABCDEF")
        return machine

    def test_names_for_fewer_or_more_seats_do_no_harm(self):
        names = ("Ann", "Ben", "P5", "Dora", "", "", "Gil")
        machine = MachineDriver(settings=replace(SETTINGS, players=names))
        for count in (3, 6):
            machine.scan(*EXAMPLE[:count])
            given = [player.name for player in machine.saved_result.scan.sheet.players]
            assert len(set(given)) == count
            assert given[:3] == ["Ann", "Ben", "P5"]
            machine.hold("next")


def after_the_game(machine, *names):
    """Go to ready, and say who plays."""
    machine.handle(NamesChanged(names))
    machine.hold("next", to=ReadyView)
    machine.open_menu("who-plays", "standard")
    machine.choose(*names, "that-is-all" if names else "no-names")


def values_of(machine):
    return [entry.value for entry in machine.view.entries]


class TestWriting:
    def test_five_letters_take_thirteen_presses_with_the_one_that_begins(self):
        machine = at_seats()
        machine.press("scan", to=NameView)
        assert (machine.view.seat, machine.view.name) == (1, "")
        assert machine.view.letters[:3] == "ABC"
        assert spell(machine, "Wilmo") <= 12
        assert machine.labels() == ["that-is-all", "previous-name"]
        machine.press("ok")
        assert seats_of(machine) == ("Wilmo",)

    def test_the_hint_says_what_ok_does(self):
        machine = at_seats()
        machine.press("scan")
        assert machine.view.hints == Hints(Hint.PREVIOUS, Hint.NEXT, Hint.TAKE)
        machine.press("ok")
        assert (machine.view.name, machine.view.offered) == ("A", 0)
        hints = []
        for _ in range(5):
            machine.press("scan")
            hints.append(machine.view.hints.ok)
        assert hints == [Hint.DONE, Hint.DELETE, Hint.CANCEL, Hint.OTHER, Hint.SPACE]
        machine.press("ok")
        assert machine.view.name == "A "
        machine.press("scan", "scan", "ok")
        assert machine.view.name == "A", "the last letter is deleted"

    def test_letter_taken_twice_in_a_row_is_doubled(self):
        machine = at_seats()
        machine.press("scan")
        spell_on(machine, "A", "n")
        machine.press("ok")
        assert machine.view.name == "Ann"

    def test_writing_can_be_given_up(self):
        machine = at_seats("Ben")
        machine.press("scan")
        spell_on(machine, "A", "n", Key.CANCEL)
        assert str(machine.view.title) == "Who's in front?"
        assert machine.labels() == ["Ben", "no-names"]

    @pytest.mark.parametrize(
        ("language", "name", "alphabets"),
        [
            ("de", "Jürgen", 0), ("hu", "Őrsi", 0), ("en", "Łukasz", 1), ("en", "Νίκος", 2),
            ("en", "Љубиця", 3), ("en", "Їжак", 3),
        ],
    )  # fmt: skip
    def test_any_european_script_is_a_key_away(self, language, name, alphabets):
        machine = at_seats(language=language)
        machine.press("scan")
        for letter in name:
            for _ in range(5):
                if letter in machine.view.letters:
                    break
                keys = machine.view.letters
                machine.press(*["next"] * (keys.index("…") - machine.view.offered), "ok")
            machine.press(*["next"] * (machine.view.letters.index(letter) - machine.view.offered))
            machine.press("ok")
        assert machine.view.name == name
        assert machine.state.mode.alphabet == (0 if alphabets == 1 else alphabets)

    def test_all_letters_are_on_the_display_and_none_is_there_twice(self):
        every = "".join(FURTHER_ALPHABETS) + "abcdefghijklmnopqrstuvwxyz"
        assert len(set(every)) == len(every) or set("ß") == {
            letter for letter in every if every.count(letter) > 1
        }
        assert typeset.in_font(every + every.upper()) == every + every.upper()
        assert all(letters.isascii() for letters in [EDITION_LETTERS])

    def test_each_word_begins_with_a_capital_of_one_letter(self):
        machine = at_seats(language="de")
        machine.press("scan")
        assert "ß" not in machine.view.letters
        spell_on(machine, "A", " ", "U", "ß")
        assert machine.view.name == "A Uß"

    def test_names_of_two_of_nothing_and_of_too_many_letters(self):
        machine = at_seats("A")
        machine.press("ok", "scan", "ok", "scan", "ok", to=ProblemView)
        assert machine.view.code == "name-taken"
        machine.press("ok", to=NameView)
        machine.press("next", "ok", "scan", "ok")
        machine.choose("that-is-all")
        assert seats_of(machine) == ("A", "Aa")
        machine = at_seats("A")
        machine.press("scan", "scan", "ok")
        assert str(machine.view.title) == "Who's in front?"
        machine = at_seats()
        machine.press("scan")
        for _ in range(MAX_NAME_LETTERS):
            machine.press("ok")
        assert machine.view.letters == "✓×←"


def spell_on(machine, *letters):
    """Add letters to a name without ending it."""
    for letter in letters:
        machine.press(*["next"] * (machine.view.letters.index(letter) - machine.view.offered))
        machine.press("ok")


class TestEvening:
    def test_before_the_first_scan_it_is_asked_who_plays(self):
        settings = replace(SETTINGS, players=("Ann", "", "Cid"))
        machine = MachineDriver(must_ask_players=True, settings=settings)
        assert machine.view.names == ("Ann", "Cid")
        assert (machine.view.asks, machine.view.variant) == (True, "standard")
        assert machine.view.hints == Hints(Hint.SCAN, Hint.CHANGE, Hint.YES)
        machine.press("ok")
        machine.hold("next", to=ReadyView)
        assert not machine.view.asks
        assert machine.effects_of(UseSettings) == []
        machine = MachineDriver(must_ask_players=True)
        machine.handle(LastResultLoaded(loaded_result(read(unsure={(0, (0, 0)): (Face.HOUSE,)}))))
        machine.handle(HealthChanged((Alert.TOO_HOT,)))
        assert (machine.view.asks, machine.view.to_check) == (True, 1)
        assert machine.view.alerts == (Alert.TOO_HOT,)

    def test_next_asks_all_player_questions_in_turn(self):
        cities = replace(SETTINGS, game="cities", level=2)
        machine = MachineDriver(must_ask_players=True, settings=cities, choices=ALL_GAMES)
        assert (machine.view.asks, machine.view.level) == (True, 2)
        machine.press("next")
        assert (machine.view.title, machine.view.selected) == (MenuWord.LEVEL, 1), "that in use"
        assert machine.view.hints.scan is Hint.SKIP
        machine.choose("level-3")
        assert machine.effect_of(UseSettings).settings.level == 3
        machine.choose("no-names")
        assert isinstance(machine.view, ReadyView)

    @pytest.mark.parametrize("game", ["city-blocks", "dice-board"])
    def test_game_without_player_questions_is_ready_at_once(self, game):
        settings = replace(SETTINGS, game=game)
        machine = MachineDriver(must_ask_players=True, settings=settings, choices=ALL_GAMES)
        assert not machine.view.asks
        machine.hold("scan")
        assert "who-plays" not in machine.labels()

    def test_another_game_is_asked_about_anew(self):
        machine = at_menu("game", "Cities", choices=ALL_GAMES)
        machine.press("scan")
        assert label_text(machine.view.game) == "Cities"
        assert machine.view.hints.ok is Hint.YES
