"""Choosing things on the device: menus, settings, names of the seats."""

from dataclasses import replace

import pytest
from appliance_machine import (
    ALL_GAMES,
    CHOICES,
    CROP,
    EXAMPLE,
    FOUR,
    GAME,
    SETTINGS,
    Machine,
    at_menu,
    game_choice,
    label_text,
    read,
    two_players,
    views_of,
)
from appliance_walk import left

from firmware.appliance.base import Show
from firmware.appliance.choices import Choices, GameChoice
from firmware.appliance.features.aiming import AimingPictureTaken, StartAiming
from firmware.appliance.features.alerts import HealthChanged
from firmware.appliance.features.edition_menus import EDITION_LETTERS
from firmware.appliance.features.players import NamesChanged
from firmware.appliance.features.power import ShutDown
from firmware.appliance.features.scanning import StartScan
from firmware.appliance.name_entry import FURTHER_ALPHABETS, MAX_NAME_LENGTH, Key
from firmware.appliance.saving import LastResultLoaded, SaveResult
from firmware.appliance.stored_settings import (
    RestartProgram,
    SettingsNotStored,
    SettingsStored,
    StoreSettings,
)
from firmware.base.problem import Problem
from firmware.camera.aim_measurement import Advice
from firmware.screens import typeset
from firmware.screens.device_views import AimView, MenuView, NameView, ProblemView, ReadyView
from firmware.screens.question_views import ConfirmView
from firmware.screens.result_views import WinnerView
from firmware.screens.view import Hints
from firmware.screens.words import Alert, Hint, MenuWord, Question
from firmware.settings import ButtonSettings, CameraSettings, DisplaySettings, Settings
from scoring.faces import Face

SEEN = AimView(advice=Advice.GOOD, picture=CROP, light=0.5, sharpness=1.0)


def values(machine):
    return {label_text(entry.label): label_text(entry.value) for entry in machine.view.entries}


def ticked(machine):
    return [label_text(entry.label) for entry in machine.view.entries if entry.ticked]


class TestMoving:
    def test_holding_scan_opens_the_menu_and_so_does_ok_on_ready(self):
        for machine in (Machine(), Machine()):
            machine.hold("scan")
            assert machine.view.title is MenuWord.MENU
        machine = Machine()
        assert machine.view.hints.ok is Hint.MENU
        machine.press("ok")
        assert machine.view.title is MenuWord.MENU

    def test_next_marks_the_entries_in_turn(self):
        machine = at_menu()
        count = len(machine.view.entries)
        marked = []
        for _ in range(count):
            marked.append(machine.view.selected)
            machine.press("next")
        assert marked == list(range(count))
        assert machine.view.selected == 0
        machine.hold("next")
        assert machine.view.selected == len(machine.view.entries) - 1
        machine.press("next")
        assert machine.view.selected == 0

    def test_scan_goes_back_level_by_level(self):
        machine = at_menu("settings", "language")
        machine.press("scan")
        assert machine.view.title is MenuWord.SETTINGS
        assert machine.labels()[machine.view.selected] == "language"
        machine.press("scan")
        assert machine.view.title is MenuWord.MENU
        machine.press("scan", to=ReadyView)

    def test_it_goes_back_to_the_result_that_it_was_opened_over(self, machine):
        machine.scan()
        machine.hold("scan")
        machine.press("scan", to=WinnerView)
        machine.press("scan")
        assert machine.one(StartScan).is_rescan

    def test_the_last_result_is_in_it_once_there_is_one(self):
        machine = at_menu()
        assert not {"last-result", "check-tiles", "correct-tile"} & set(machine.labels())
        machine.press("scan")
        machine.scan()
        machine.press("ok", "ok")
        assert "check-tiles" not in machine.labels()
        machine.choose("last-result")
        assert isinstance(machine.view, WinnerView)


class TestStaying:
    """The menu is where it was after what was chosen in it."""

    @pytest.mark.parametrize(
        ("labels", "leave"),
        [
            (("on-phone",), "ok"),
            (("calibrate",), "scan"),
            (("teach", "from-table"), "scan"),
            (("settings", "delete-photos"), "scan"),
            (("settings", "upside-down"), None),
            (("history",), "next"),
        ],
    )
    def test_left_feature_leads_back_to_its_entry(self, labels, leave):
        machine = at_menu(*labels)
        if leave is not None:
            machine.press(leave)
        assert machine.labels()[machine.view.selected] == labels[-1]

    def test_chosen_value_leads_up_to_its_entry(self):
        machine = at_menu("settings", "language", "hu")
        assert machine.labels()[machine.view.selected] == "language"

    def test_who_plays_leads_on_to_ready(self):
        at_menu("who-plays", "standard", "no-names").press(to=ReadyView)

    def test_menu_is_forgotten_at_ready(self):
        machine = at_menu("on-phone")
        machine.hold("next", to=ReadyView)
        machine.press("ok")
        assert machine.view.selected == 0

    def test_command_of_the_page_does_not_lead_back_to_the_menu(self):
        machine = at_menu("on-phone")
        machine.wish(StartAiming())
        machine.tell(AimingPictureTaken(machine.job_id, SEEN))
        machine.press("ok", to=ReadyView)


class TestSettings:
    def test_the_language_is_used_at_once_and_stored(self):
        machine = at_menu("settings", "language")
        assert machine.labels() == ["en", "de", "hu"]
        assert ticked(machine) == ["en"]
        machine.mark("hu")
        machine.press("ok")
        assert machine.one(StoreSettings).settings.language == "hu"
        assert not machine.one(StoreSettings).only_now
        assert machine.one(Show).language == "hu"
        assert machine.view.title is MenuWord.SETTINGS
        assert values(machine)["language"] == "hu"
        machine = at_menu("settings", "language", "en")
        assert machine.done(StoreSettings) == []
        assert machine.view.title is MenuWord.SETTINGS

    def test_chosen_edition_is_stored_and_ticked(self):
        machine = at_menu()
        assert values(machine)["edition"] == "standard-edition"
        machine.choose("edition")
        assert ticked(machine) == ["standard-edition"]
        machine.choose("grandma")
        assert machine.one(StoreSettings).settings.edition == "grandma"
        assert values(machine)["edition"] == "grandma"
        machine.press("scan")
        assert machine.view.edition == "grandma"
        machine.press("scan")
        assert machine.one(StartScan).edition == "grandma"

    def test_the_variant_counts_for_the_result_that_is_there(self, machine):
        machine.scan(*FOUR, turns_degrees=(0, 180, 180, 0))
        assert len(views_of(machine.leaf(), "player")) == 4
        machine.open_menu("who-plays")
        assert ticked(machine) == ["standard"]
        machine.choose("two-player")
        assert machine.one(StoreSettings).settings.variant == "two-player"
        assert machine.stored.scan.sheet.variant == "two-player"
        machine.choose("no-names")
        assert len(views_of(machine.leaf(), "player")) == 2
        machine.press("ok")
        assert machine.view.variant == "two-player"

    def test_game_and_level_where_there_is_a_choice(self):
        games = (GAME, game_choice("cities"))
        machine = at_menu(choices=replace(CHOICES, games=games))
        machine.choose("game")
        assert machine.labels() == ["Between Two Cities", "Cities"]
        machine.choose("Cities")
        assert machine.one(StoreSettings).settings.game == "cities"
        machine.choose("who-plays", "level-3")
        assert machine.one(StoreSettings).settings.level == 3
        machine.choose("no-names")
        assert label_text(machine.view.game) == "Cities"
        assert (machine.view.variant, machine.view.level) == (None, 3)

    def test_another_game_gets_a_variant_and_a_level_that_it_has(self):
        games = (GAME, game_choice("cities"))
        machine = at_menu(
            "game", "Cities", choices=replace(CHOICES, games=games), settings=two_players()
        )
        stored = machine.one(StoreSettings).settings
        assert (stored.game, stored.variant, stored.level) == ("cities", "standard", 1)
        machine.choose("who-plays", "level-2", "no-names")
        machine.open_menu("game")
        assert ticked(machine) == ["Cities"]
        machine.choose("Between Two Cities")
        stored = machine.one(StoreSettings).settings
        assert (stored.game, stored.variant, stored.level) == ("between-two-cities", "standard", 1)

    def test_brightness_and_way_up_of_the_display(self):
        machine = at_menu("settings", "contrast")
        assert ticked(machine) == ["81%"]
        assert machine.labels()[machine.view.selected] == "81%", "one begins with that in use"
        machine.choose("10%")
        assert machine.one(StoreSettings).settings.display.contrast == 26
        assert ticked(machine) == ["10%"]
        machine.press("scan")
        assert values(machine)["contrast"] == "10%"
        assert values(machine)["upside-down"] == "no"
        machine.choose("upside-down")
        assert machine.one(StoreSettings).settings.display.upside_down
        assert values(machine)["upside-down"] == "yes"
        machine.press("ok")
        assert not machine.one(StoreSettings).settings.display.upside_down

    def test_a_reset_asks_first_and_leaves_the_wiring(self):
        wired = replace(
            SETTINGS,
            players=("Ann",),
            edition="grandma",
            display=DisplaySettings(controller="sh1106"),
            buttons=ButtonSettings(scan_gpio=5),
            camera=CameraSettings(kind="v4l2"),
        )
        machine = at_menu("settings", "reset-settings", settings=wired)
        assert machine.view == ConfirmView(question=Question.RESET_SETTINGS)
        machine.press("scan")
        assert machine.view.title is MenuWord.SETTINGS
        machine.press("ok", "next", to=ConfirmView)  # only OK and SCAN answer
        machine.press("ok")
        stored = machine.one(StoreSettings).settings
        assert (stored.players, stored.edition) == ((), "standard")
        assert stored.display.controller == "sh1106"
        assert stored.buttons.scan_gpio == 5
        assert stored.camera.kind == "v4l2"
        assert machine.view.title is MenuWord.SETTINGS
        assert machine.done(RestartProgram) == []

    def test_settings_that_cannot_be_stored_hold_and_it_is_said(self):
        machine = at_menu("settings", "language", "de")
        machine.tell(SettingsNotStored(NOT_WRITABLE))
        machine.home()
        assert machine.alerts == ["not-saved"]
        assert machine.state.settings.language == "de"
        machine.tell(SettingsStored())
        assert machine.alerts == []


NOT_WRITABLE = Problem("file-not-writable", "it cannot be written: make room", "settings")


def at_seats(*names, **settings):
    """A machine at the seats, where these names were given before."""
    machine = Machine(settings=replace(SETTINGS, **settings))
    machine.tell(NamesChanged(names))
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
            machine.run("next" if ahead <= back else "scan", min(ahead, back))
            presses += 1
        machine.press("ok")
        presses += 1
    return presses


def seats_of(machine):
    """The names that were stored last."""
    stored = [effect for effect in machine.all_effects if isinstance(effect, StoreSettings)]
    return stored[-1].settings.players


class TestWhoPlays:
    def test_past_names_are_offered_for_each_seat_most_frequent_first(self):
        machine = at_seats("Ann", "Ben", "Cid", "Dot")
        assert str(machine.view.title) == "Who's in front?"
        assert machine.labels() == ["Ann", "Ben", "Cid", "Dot", "no-names"]
        machine.choose("Cid")
        assert str(machine.view.title) == "Left of Cid"
        assert machine.labels() == ["Ann", "Ben", "Dot", "that-is-all", "one-back"]
        machine.choose("Ann", "Ben", "that-is-all")
        assert seats_of(machine) == ("Cid", "Ann", "Ben")
        assert isinstance(machine.view, ReadyView)

    def test_two_players_are_asked_for_by_number(self):
        machine = Machine(settings=replace(SETTINGS, players=("Ann", "Ben")))
        machine.open_menu("who-plays", "two-player")
        assert str(machine.view.title) == "Player 1"

    def test_players_of_cities_are_asked_for_by_number(self):
        machine = Machine(settings=replace(SETTINGS, game="cities"), choices=ALL_GAMES)
        machine.open_menu("who-plays", "level-1")
        assert str(machine.view.title) == "Player 1"

    def test_neighbour_with_a_long_name_is_not_told(self):
        machine = at_seats("A" * MAX_NAME_LENGTH)
        machine.press("ok")
        assert str(machine.view.title) == "Player 2"

    def test_those_of_the_last_time_take_one_press(self):
        machine = at_seats("Ben", players=("Ann", "Ben"))
        assert machine.labels() == ["as-last-time", "Ben", "Ann", "no-names"]
        assert values_of(machine)[0] == "2"
        machine.press("ok", to=ReadyView)
        assert machine.state.settings.players == ("Ann", "Ben")
        machine = at_seats("Ann", "Ben", players=("Ann",))
        machine.choose("Ben", "one-back")
        assert machine.labels()[1:3] == ["Ann", "Ben"]
        machine.choose("no-names")
        assert seats_of(machine) == ()

    def test_all_seats_taken_nothing_more_is_offered(self):
        machine = at_seats(*"ABCDEFGH")
        machine.press(*["ok"] * 7)
        assert machine.labels() == ["that-is-all", "one-back"]
        assert machine.view.hints.scan is Hint.NOTHING
        assert machine.press("scan") == []

    def test_the_result_has_the_new_names_at_once(self, machine):
        machine.scan()
        machine.tell(NamesChanged(tuple("ABCD")))
        machine.open_menu("who-plays", "standard", "A", "B", "C", "D", "that-is-all")
        assert machine.stored.scan.sheet.players[3].name == "D"
        assert machine.view.winners[0].name == "D"

    def test_names_are_offered_to_the_game_just_played(self, named):
        assert named.view == ConfirmView(question=Question.NAME_LAST_GAME)
        named.press("ok")
        assert named.stored.options.players == tuple("ABCDEF")
        assert named.view.winners[0].name in "ABCDEF"

    def test_refused_names_are_for_the_next_game_alone(self, named):
        named.press("scan", to=ReadyView)
        assert named.done(SaveResult) == []
        assert named.state.result.options.players is None
        assert named.state.settings.players == tuple("ABCDEF")

    @pytest.mark.parametrize("names", [tuple("ABCDEFG"), ()])
    def test_names_of_another_number_of_players_are_not_offered(self, machine, names):
        machine.scan()
        after_the_game(machine, *names)
        assert isinstance(machine.view, ReadyView)

    def test_names_are_not_offered_to_a_game_of_another_evening(self):
        machine = Machine()
        machine.tell(LastResultLoaded(left(read())))
        after_the_game(machine, *"ABCDEF")
        assert isinstance(machine.view, ReadyView)

    def test_same_names_are_not_offered(self):
        machine = Machine(settings=replace(SETTINGS, players=tuple("ABCDEF")))
        machine.scan()
        after_the_game(machine, *"ABCDEF")
        assert isinstance(machine.view, ReadyView)

    @pytest.fixture
    def named(self, machine):
        """A machine that has left a result, and then got names."""
        machine.scan()
        machine.saved()
        after_the_game(machine, *"ABCDEF")
        return machine

    def test_names_for_fewer_or_more_seats_do_no_harm(self):
        names = ("Ann", "Ben", "P5", "Dora", "", "", "Gil")
        machine = Machine(settings=replace(SETTINGS, players=names))
        for count in (3, 6):
            machine.scan(*EXAMPLE[:count])
            given = [player.name for player in machine.stored.scan.sheet.players]
            assert len(set(given)) == count
            assert given[:3] == ["Ann", "Ben", "P5"]
            machine.hold("next")


def after_the_game(machine, *names):
    """Go to ready, and say who plays."""
    machine.tell(NamesChanged(names))
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
        assert machine.labels() == ["that-is-all", "one-back"]
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
        assert typeset.printable(every + every.upper()) == every + every.upper()
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
        for _ in range(MAX_NAME_LENGTH):
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
        machine = Machine(must_ask_players=True, settings=settings)
        assert machine.view.names == ("Ann", "Cid")
        assert (machine.view.asks, machine.view.variant) == (True, "standard")
        assert machine.view.hints == Hints(Hint.SCAN, Hint.CHANGE, Hint.YES)
        machine.press("ok")
        machine.hold("next", to=ReadyView)
        assert not machine.view.asks
        assert machine.done(StoreSettings) == []
        machine = Machine(must_ask_players=True)
        machine.tell(LastResultLoaded(left(read(unsure={(0, (0, 0)): (Face.HOUSE,)}))))
        machine.tell(HealthChanged((Alert.TOO_HOT,)))
        assert (machine.view.asks, machine.view.to_check) == (True, 1)
        assert machine.view.alerts == (Alert.TOO_HOT,)

    def test_what_has_changed_is_asked_one_after_the_other(self):
        cities = replace(SETTINGS, game="cities", level=2)
        machine = Machine(must_ask_players=True, settings=cities, choices=ALL_GAMES)
        assert (machine.view.asks, machine.view.level) == (True, 2)
        machine.press("next")
        assert (machine.view.title, machine.view.selected) == (MenuWord.LEVEL, 1), "that in use"
        assert machine.view.hints.scan is Hint.SKIP
        machine.choose("level-3")
        assert machine.one(StoreSettings).settings.level == 3
        machine.choose("no-names")
        assert isinstance(machine.view, ReadyView)

    @pytest.mark.parametrize("game", ["city-blocks", "dice-board"])
    def test_where_there_is_nothing_to_ask_it_is_ready(self, game):
        settings = replace(SETTINGS, game=game)
        machine = Machine(must_ask_players=True, settings=settings, choices=ALL_GAMES)
        assert not machine.view.asks
        machine.hold("scan")
        assert "who-plays" not in machine.labels()

    def test_another_game_is_asked_about_anew(self):
        machine = at_menu("game", "Cities", choices=ALL_GAMES)
        machine.press("scan")
        assert label_text(machine.view.game) == "Cities"
        assert machine.view.hints.ok is Hint.YES


class TestSafeMode:
    def test_it_says_so_and_offers_ways_out(self):
        machine = Machine(safe_mode=True, camera=False)
        assert machine.view.notice.code == "safe-mode"
        assert machine.effects == [Show(machine.view, "en")], "the camera stays closed"
        machine.press("ok")
        assert machine.view.title is MenuWord.SAFE_MODE
        assert machine.labels() == ["start-normally", "go-on", "reset-settings", "shut-down"]

    def test_going_on_opens_the_camera_and_keeps_the_sign(self):
        machine = Machine(safe_mode=True, camera=False)
        machine.press("ok")
        machine.choose("go-on")
        assert "OpenCamera" in [type(effect).__name__ for effect in machine.effects]
        assert machine.alerts == ["safe-mode"]
        machine.open_menu("start-normally")
        assert machine.one(RestartProgram)

    def test_what_is_set_then_does_not_replace_the_settings_on_the_card(self):
        machine = Machine(safe_mode=True, camera=False)
        machine.press("ok", "scan")
        machine.open_menu("settings", "language", "de")
        assert machine.one(StoreSettings).only_now
        assert machine.one(StoreSettings).settings.language == "de"
        odd = replace(SETTINGS, buttons=ButtonSettings(scan_gpio=5))
        machine = Machine(safe_mode=True, camera=False, settings=odd)
        machine.press("ok")
        machine.choose("reset-settings")
        assert machine.view == ConfirmView(question=Question.RESET_SETTINGS)
        machine.press("ok")
        assert machine.one(StoreSettings) == StoreSettings(Settings())
        assert machine.one(RestartProgram)
        order = [type(effect) for effect in machine.effects]
        assert order.index(StoreSettings) < order.index(RestartProgram)

    def test_no_safe_mode_no_such_entries(self):
        machine = at_menu()
        assert not {"start-normally", "game"} & set(machine.labels())

    def test_switching_off_asks_first(self):
        machine = at_menu("shut-down")
        assert machine.view == ConfirmView(question=Question.SHUT_DOWN)
        assert machine.done(ShutDown) == []
        machine.press("scan")
        assert machine.labels()[machine.view.selected] == "shut-down"
        machine.press("ok", "ok")
        assert machine.one(ShutDown)


class TestEmptyMenus:
    def test_a_game_that_nobody_knows_leaves_the_menu_usable(self):
        machine = at_menu(settings=replace(SETTINGS, game="dice-board"))
        assert values(machine)["game"] == "dice-board"
        machine.choose("who-plays")
        assert machine.labels() == ["standard", "two-player"]
        games = (GameChoice("new-game", "New game", ("standard", "wild"), (1,), 2),)
        machine = at_menu(
            settings=replace(SETTINGS, game="new-game"), choices=Choices(games, ("en",))
        )
        machine.choose("who-plays")
        assert machine.labels() == ["standard", "wild"]
