"""Every text of the display, in every language: whole, on one screen, and known to the font."""

import itertools
import re
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest
from firmware.screens.setup_views import MenuWord, WizardStep
from firmware.screens.words.faults import FAULTS, KINDS
from firmware.screens.words.hints import HINTS

from firmware.language import LANGUAGES
from firmware.screens import paged, render, typeset, views, words
from firmware.screens.views import (
    Alert,
    CalibratedView,
    FaultView,
    Hint,
    Hints,
    MenuView,
    MessageView,
    Notice,
    Other,
    Question,
    ReadyView,
    Seat,
    Stage,
    TileChange,
    UnreadListView,
    View,
    WinnerView,
    WizardView,
)
from firmware.screens.words import Counted, Said, device, result, setup
from scoring.faces import Face
from scoring.games.between_two_cities.sheet import Category, TieBreaker
from tests.firmware import view_samples
from tests.firmware.samples import LONG_NAMES
from tests.firmware.screen_looks import assert_nothing_is_cut_off
from tests.firmware.view_samples import CASES, DOUBTS, LONGEST_NAME, RESULTS, entry, menu
from vision.exposure import LIGHT_HIDES
from vision.search import PATTERN

SAMPLES = {f"{case}/{name}": view for case, all_ in CASES.items() for name, view in all_.items()}

in_each_language = pytest.mark.parametrize("language", LANGUAGES)


def assert_all_is_said(view: View, language: str) -> None:
    screen = render(view, language)
    assert_nothing_is_cut_off(screen)
    shortened = [text.whole for text in screen.texts if text.shown != text.whole]
    assert not shortened


def view_classes(base: type[View] = View) -> Iterator[type[View]]:
    for each in base.__subclasses__():
        yield each
        yield from view_classes(each)


def all_words() -> list[tuple[str, Said]]:
    """Every text of the display with the table that it stands in."""

    def texts_in(value: object) -> Iterator[Said]:
        if isinstance(value, Said):
            yield value
        elif isinstance(value, Counted | tuple):
            for each in value:
                yield from texts_in(each)
        elif isinstance(value, dict):
            for each in value.values():
                yield from texts_in(each)

    names = [each.name for each in iter_modules(words.__path__)]
    modules = [import_module(f"{words.__name__}.{name}") for name in names]
    return [
        (f"{module.__name__.rsplit('.', 1)[1]}.{name}", said)
        for module in modules
        for name, value in vars(module).items()
        for said in texts_in(value)
    ]


class TestEveryView:
    @in_each_language
    @pytest.mark.parametrize("name", SAMPLES)
    def test_says_everything_whole(self, name, language):
        assert_all_is_said(SAMPLES[name], language)

    def test_has_a_sample(self):
        known = {each.__name__ for each in view_classes()} - {views.ResultView.__name__}
        assert {type(view).__name__ for view in SAMPLES.values()} == known

    @in_each_language
    @pytest.mark.parametrize("name", SAMPLES)
    def test_shows_its_hints_in_the_bottom_row_from_left_to_right(self, name, language):
        screen = render(SAMPLES[name], language)
        row = [text for text in screen.texts if text.box[1] >= 52]
        assert [text.box for text in row] == sorted(text.box for text in row)
        hints = SAMPLES[name].hints
        said = [HINTS[hint].in_(language) for hint in (hints.scan, hints.next, hints.ok)]
        shown = [re.sub(r" \d+$", "", text.shown) for text in row]
        assert [word for word in said if word in shown] == shown

    @pytest.mark.parametrize("name", SAMPLES)
    def test_is_the_same_whenever_it_is_drawn(self, name):
        assert render(SAMPLES[name], "hu") == render(SAMPLES[name], "hu")


class TestEveryWord:
    @pytest.mark.parametrize(
        ("table", "members"),
        [
            (HINTS, Hint),
            (device.ALERTS, Alert),
            (device.STAGES, Stage),
            (device.QUESTIONS, Question),
            (device.NOTICES, Notice),
            (setup.MENU_WORDS, MenuWord),
            (setup.WIZARD_STEPS, WizardStep),
            (result.CATEGORIES, Category),
            (result.FACES, [*Face, *Other]),
        ],
    )
    def test_is_there(self, table, members):
        assert set(table) == set(members)

    def test_of_ties_is_there(self):
        assert set(result.TIE_BREAKERS) == set(TieBreaker) - {TieBreaker.SHARED}

    @pytest.mark.parametrize("name", {name for name, _said in all_words()})
    def test_can_be_shown_and_has_the_same_places_for_values(self, name):
        for said in (said for table, said in all_words() if table == name):
            assert len({frozenset(re.findall(r"\{\w+\}", text)) for text in said}) == 1, said
            assert all(said) or said == HINTS[Hint.NOTHING]
            for text in said:
                assert typeset.printable(text) == text

    def test_of_a_hint_leaves_room_for_any_two_others(self):
        assert max(len(text) for said in HINTS.values() for text in said) <= 6


@in_each_language
class TestTheLongest:
    def test_any_hints_stand_beside_each_other(self, language):
        longest = sorted(HINTS, key=lambda hint: -len(HINTS[hint].in_(language)))[:4]
        for three in itertools.product(longest, repeat=3):
            assert_all_is_said(replace(DOUBTS["tile"], hints=Hints(*three)), language)
        for left, middle in itertools.product(HINTS, repeat=2):
            hints = Hints(left, middle, Hint.CHECK)
            assert_all_is_said(replace(RESULTS["city-largest"], hints=hints), language)

    @pytest.mark.parametrize("code", FAULTS)
    def test_each_fault_is_told_on_one_screen(self, code, language):
        view = FaultView(code=code, hints=Hints(Hint.RETRY, Hint.MORE, Hint.BACK))
        assert len(paged(view, language)) == 1
        assert_all_is_said(view, language)

    @pytest.mark.parametrize("code", [code for code in FAULTS if code.startswith("camera-")])
    def test_a_fault_of_the_camera_leaves_room_to_say_that_it_is_tried_again(self, code, language):
        screen = render(FaultView(code=code, retrying=True), language)
        assert device.RETRYING.in_(language) in [text.shown for text in screen.texts]

    @pytest.mark.parametrize("code", [*FAULTS, "sheet-in-flames", "unheard-of"])
    def test_each_fault_is_told_in_a_step_of_setting_up(self, code, language):
        view = WizardView(
            step=WizardStep.CALIBRATE_TABLE,
            number=10,
            of=10,
            problem=code,
            detail="a message that is long enough for several pages of this little display, and on",
        )
        for page in paged(view, language):
            assert_all_is_said(page, language)

    @pytest.mark.parametrize("step", WizardStep)
    def test_each_step_of_setting_up_is_told_on_one_screen(self, step, language):
        for worked in (False, True):
            view = WizardView(step=step, number=10, of=12, worked=worked)
            assert len(paged(view, language)) == 1
            assert_all_is_said(view, language)

    def test_kinds_of_unknown_faults(self, language):
        for kind in KINDS:
            for page in paged(FaultView(code=f"{kind}-unheard-of", detail="x " * 200), language):
                assert_all_is_said(page, language)

    def test_each_alert_with_others(self, language):
        for alert in Alert:
            alerts = (alert, *tuple(Alert)[:9])
            assert_all_is_said(ReadyView(alerts=alerts), language)
            assert_all_is_said(
                WinnerView(winners=(Seat(7, LONGEST_NAME),), points=168, alerts=alerts), language
            )

    def test_settings_on_the_ready_screen(self, language):
        for game in ("between-two-cities", "cities", "city-blocks", "dice-board"):
            assert_all_is_said(ReadyView(game=game, level=3), language)
            assert_all_is_said(ReadyView(game=game, variant=None, edition="attic-2025"), language)

    def test_each_word_of_a_menu(self, language):
        for word in MenuWord:
            lines = (entry(word, ticked=True), entry(word))
            for selected in range(2):
                assert_all_is_said(menu(word, *lines, selected=selected), language)

    def test_each_value_of_a_menu(self, language):
        values = {
            MenuWord.GAME: (
                MenuWord.BETWEEN_TWO_CITIES,
                MenuWord.CITIES,
                MenuWord.CITY_BLOCKS,
                MenuWord.DICE_BOARD,
            ),
            MenuWord.VARIANT: (MenuWord.VARIANT_STANDARD, MenuWord.VARIANT_TWO_PLAYER),
            MenuWord.LEVEL: (MenuWord.LEVEL_1, MenuWord.LEVEL_2, MenuWord.LEVEL_3),
            MenuWord.EDITION: (MenuWord.STANDARD_EDITION,),
            MenuWord.LANGUAGE: (MenuWord.ENGLISH, MenuWord.GERMAN, MenuWord.HUNGARIAN),
            MenuWord.CHECK_TILES: ("112",),
            MenuWord.CONTRAST: ("255",),
            MenuWord.UPSIDE_DOWN: (MenuWord.YES, MenuWord.NO),
            MenuWord.PLAYERS: ("7", MenuWord.NONE),
        }
        for label, choices in values.items():
            lines = tuple(entry(label, value) for value in choices)
            assert_all_is_said(menu(MenuWord.SETTINGS, *lines), language)

    def test_each_change_of_a_tile(self, language):
        for before, after in itertools.product((*Face, None), repeat=2):
            change = TileChange((6, (3, 3)), before, after)
            assert_all_is_said(replace(DOUBTS["changes"], changes=(change,) * 3), language)

    @pytest.mark.parametrize(
        "why",
        [
            "only 15 tiles can be read here",
            "what lies here like a city cannot be read",
            LIGHT_HIDES,
            PATTERN,
        ],
    )
    def test_why_a_city_was_not_read_takes_three_rows(self, why, language):
        whole = UnreadListView(count=9, why=why)
        said = " ".join(text.shown for text in render(whole, language).texts)
        reason = next(pattern for pattern in result.UNREAD_REASONS if re.fullmatch(pattern, why))
        last_word = result.UNREAD_REASONS[reason].in_(language).split()[-1]
        assert last_word in said

    def test_the_numbers_of_a_calibration(self, language):
        worst = CalibratedView(error_px=99.99, coverage=1.0, height_mm=9999.0, photos=99)
        assert_all_is_said(worst, language)


class TestNamesOfPeople:
    @in_each_language
    @pytest.mark.parametrize("length", [1, 12, 13, 18])
    def test_up_to_eighteen_letters_are_whole_wherever_they_stand(self, length, language):
        name = LONGEST_NAME[:length]
        seats = tuple(Seat(number, name) for number in range(1, 8))
        for count in range(1, 8):
            for alerts in ((), tuple(Alert)[:9]):
                view = WinnerView(winners=seats[:count], points=168, to_check=1, alerts=alerts)
                assert_all_is_said(view, language)
        for unsaved in (False, True):
            assert_all_is_said(
                replace(RESULTS["player"], player=seats[0], unsaved=unsaved), language
            )

    def test_longer_ones_end_in_an_ellipsis(self):
        for name in LONG_NAMES:
            screen = render(replace(RESULTS["player"], player=Seat(1, name)), "hu")
            assert_nothing_is_cut_off(screen)


class TestPaging:
    def test_a_long_text_is_told_to_its_last_word(self):
        words_ = [f"word{number}" for number in range(40)]
        pages = paged(FaultView(code="unheard-of", detail=" ".join(words_)), "de")
        told = [text.shown for page in pages for text in render(page, "de").texts]
        assert set(words_) <= {word for text in told for word in text.split()}

    def test_after_the_last_page_comes_the_first(self):
        view = MessageView(title="Stadtblick", text="word " * 40)
        count = len(paged(view))
        first, again = (render(replace(view, page=page)) for page in (0, count))
        assert first == again

    def test_more_is_offered_only_where_there_is_more(self):
        short, long = (
            render(MessageView(title="Stadtblick", text="word " * count), "en") for count in (1, 40)
        )
        assert "more" not in [text.shown for text in short.texts]
        assert "more" in [text.shown for text in long.texts]

    def test_other_views_are_a_page_of_their_own(self):
        for view in (MenuView(title="x", entries=(entry("y"),), selected=0), ReadyView()):
            assert paged(view) == (view,)


def test_the_samples_name_is_as_long_as_promised():
    assert len(view_samples.LONGEST_NAME) == 18


NEVER_SHOWN = {"camera-closed", "buttons-closed", "calibration-beyond-table"}
"""Mistakes of a program, and what no step of setting up asks for."""

SOURCES = {
    "hardware": r'"((?:camera|buttons)-[a-z-]+)"',
    "vision/calibration": r'"((?:calibration|sheet)-[a-z-]+)"',
    "vision/editions": r'"((?:teach|edition)-[a-z-]+)"',
}


@pytest.mark.parametrize("folder", SOURCES)
def test_every_error_of_devices_and_setting_up_has_words_of_its_own(folder):
    files = (Path(__file__).parents[2] / folder).rglob("*.py")
    codes = {
        code for file in files for code in re.findall(SOURCES[folder], file.read_text("utf-8"))
    }
    assert codes
    assert codes - NEVER_SHOWN <= set(FAULTS)
