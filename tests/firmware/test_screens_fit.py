"""Every text of the display fits its place in every language, with the longest values."""

import itertools
import re
from dataclasses import replace
from pathlib import Path

import pytest

from firmware.base.language import LANGUAGES, Phrase
from firmware.games.between_two_cities.words import FACE_WORDS
from firmware.games.cities import words as cities
from firmware.games.registry import games
from firmware.games.ties import TIE_BROKEN
from firmware.screens import typeset, words
from firmware.screens.device_views import CalibratedView, ProblemView, ReadyView, WizardView
from firmware.screens.problem_words import PROBLEM_WORDS, TITLES_BY_FIRST_WORD
from firmware.screens.render import render, split_view
from firmware.screens.result_views import PlacesView, Row, ScoreView, ViewNumber, WinnerView
from firmware.screens.view import Hints, PlayerLabel
from firmware.screens.words import Alert, Hint, MenuWord, WizardStep, Worded
from firmware.wording.notes import ScanNote
from tests.firmware.catalogues import marked_texts, translations
from tests.firmware.samples import LONG_NAMES
from tests.firmware.scan_samples import LONGEST_NAME
from tests.firmware.screen_looks import (
    assert_all_is_said,
    assert_nothing_is_cut_off,
    body,
    shown,
    speaking,
)
from tests.firmware.view_samples import (
    BLOCKS,
    BTC,
    DOUBTS,
    LISTS,
    TITLES,
    doubt,
    entry,
    menu,
    note,
    pick,
    place_text,
    slot,
    tile,
)
from vision.editions.folder import built_in_edition, built_in_games
from vision.reading import NoteCode

OF_ONE_TILE = {"no-tile", "upside-down", "on-its-side", "hidden", "over-supply"}


@pytest.fixture(autouse=True, params=LANGUAGES)
def language(request):
    with speaking(request.param):
        yield request.param


def test_every_text_has_only_letters_that_the_display_has(language):
    translated = translations(language) if language != "en" else {}
    for text in (text for text in marked_texts() if text.context):
        for wording in translated.get(text, (text.one, text.many or text.one)):
            assert typeset.in_font(wording) == wording


def test_no_two_members_have_the_same_words():
    """The second one would be another name of the first."""
    for kind in Worded.__subclasses__():
        assert len(kind.__members__) == len(set(kind)), kind


class TestHints:
    def test_leave_room_for_any_two_others(self):
        longest = sorted(Hint, key=lambda hint: -len(str(hint)))[:3]
        words = ", ".join(map(str, longest))
        advice = f"the longest hints, {words}, do not fit beside each other: shorten one"
        for three in itertools.permutations(longest):
            assert_all_is_said(replace(DOUBTS["tile"], hints=Hints(*three)), advice)
            hints = Hints(*three[:2], Hint.CHECK)
            assert_all_is_said(replace(LISTS["check"], hints=hints), advice)


class TestFaults:
    def test_each_is_told_on_one_screen(self):
        for code in PROBLEM_WORDS:
            view = ProblemView(code=code)
            assert len(split_view(view)) == 1, code
            assert_all_is_said(view)
            step = WizardView(step=WizardStep.CALIBRATE_TABLE, number=10, count=10, problem=code)
            assert_all_is_said(step)

    def test_of_the_camera_leave_room_to_say_that_it_is_tried_again(self):
        for code in (code for code in PROBLEM_WORDS if code.startswith("camera-")):
            assert str(words.RETRYING) in shown(render(ProblemView(code=code, retrying=True))), code

    @pytest.mark.parametrize(
        "code", [*(f"{kind}-unheard-of" for kind in TITLES_BY_FIRST_WORD), "unheard-of"]
    )
    def test_without_words_of_their_own_are_told_by_their_message(self, code):
        words = [f"word{number}" for number in range(40)]
        for view in (
            ProblemView(code=code, detail=" ".join(words)),
            WizardView(
                step=WizardStep.TEACH_LAY, number=1, count=4, problem=code, detail=" ".join(words)
            ),
        ):
            pages = [render(page) for page in split_view(view)]
            for page in pages:
                assert_all_is_said(page)
            assert set(words) <= {word for page in pages for word in body(page).split()}


def test_past_games_that_cannot_be_read_are_no_failed_saving():
    title = shown(render(ProblemView(code="history-unreadable", detail="it cannot be read")))[0]
    assert title == str(MenuWord.HISTORY)


class TestDevice:
    def test_each_step_of_setting_up_is_told_on_one_screen(self):
        signs = tuple(games()[BTC].signs.values())
        for step, worked in itertools.product(WizardStep, (False, True)):
            view = WizardView(step=step, number=10, count=12, worked=worked, signs=signs)
            assert len(split_view(view)) == 1, step
            assert_all_is_said(view)

    def test_alerts_menu_words_and_calibration_numbers_fit(self):
        for alert in Alert:
            alerts = (alert, *tuple(Alert)[:9])
            assert_all_is_said(ReadyView(game=TITLES["between-two-cities"], alerts=alerts))
            winner = (PlayerLabel(7, LONGEST_NAME),)
            assert_all_is_said(WinnerView(winners=winner, points=("168",), alerts=alerts))
        for word in MenuWord:
            lines = (entry(word, ticked=True), entry(word))
            for selected in range(2):
                assert_all_is_said(menu(word, *lines, selected=selected))
        worst = CalibratedView(error_px=99.99, coverage=1.0, height_mm=9999.0, photos=99)
        assert_all_is_said(worst)

    @pytest.mark.parametrize("title", TITLES.values(), ids=str)
    def test_each_game_with_its_settings(self, title):
        assert_all_is_said(ReadyView(game=title, level=3))
        assert_all_is_said(ReadyView(game=title, variant="two-player", edition="attic-2025"))
        assert_all_is_said(ReadyView(game=title, asks=True, names=("Ann", "Ben")))
        assert_all_is_said(ReadyView(game=title, asks=True))
        assert_all_is_said(menu(MenuWord.GAME, entry(title, ticked=True)))
        assert_all_is_said(menu(MenuWord.MENU, entry(MenuWord.GAME, title)))

    @pytest.mark.parametrize(
        ("label", "values"),
        [
            (MenuWord.VARIANT, (MenuWord.STANDARD, MenuWord.TWO_PLAYER)),
            (MenuWord.LEVEL, (MenuWord.LEVEL_1, MenuWord.LEVEL_2, MenuWord.LEVEL_3)),
            (MenuWord.EDITION, (MenuWord.STANDARD_EDITION,)),
            (MenuWord.LANGUAGE, (MenuWord.EN, MenuWord.DE, MenuWord.HU)),
            (MenuWord.TO_CHECK, ("112",)),
            (MenuWord.CONTRAST, ("100%",)),
            (MenuWord.UPSIDE_DOWN, (MenuWord.YES, MenuWord.NO)),
            (MenuWord.AS_LAST_TIME, ("7",)),
        ],
    )
    def test_each_value_of_a_menu(self, label, values):
        assert_all_is_said(menu(MenuWord.SETTINGS, *(entry(label, value) for value in values)))


SHOWN = (ScanNote.NO_RULES, ScanNote.MORE_BOARDS, ScanNote.UNKNOWN_FACE)
RULES = [code for game in games().values() for code in game.short_note_texts]


def test_each_note_fits_one_screen():
    for code in [*sorted(set(NoteCode) - OF_ONE_TILE), *SHOWN, *RULES]:
        view = note(code, *"ABCDEFG")
        for unsaved in (False, True):
            screen = render(replace(view, unsaved=unsaved))
            assert_all_is_said(screen)
            assert body(screen) == str(view.text)


@pytest.mark.parametrize("game", built_in_games())
class TestNamesOfPieces:
    """All faces and figures of the standard editions."""

    def names(self, game):
        description = built_in_edition(game).description
        faces = dict.fromkeys(
            name for face in description.faces for row in face.cells for name in row
        )
        return [*faces, *(token.kind for token in description.tokens)]

    def test_are_whole_where_they_are_asked_about(self, game):
        for name in self.names(game):
            kind = games()[game].group_of(name)
            for place, guess, is_group in (
                (tile(3, 11, 11), name, False),
                (tile(3, 3, 3), kind, True),
                (slot("column", 5), name, False),
            ):
                numbers = {"number": 112, "count": 112, "options": 22}
                view = doubt(place, guess, game, is_group=is_group, **numbers)
                screen = render(view)
                assert_all_is_said(screen)
                text = " ".join(shown(screen)[1:])
                assert ("…" if is_group else "?") in text, "all of the name is there"

    def test_can_be_told_apart_where_a_place_is_chosen(self, game):
        names = self.names(game)
        screens = set()
        for name in names:
            lies = games()[game].piece(name)
            screen = render(
                pick(12, 12, game, 11, 11, words.ROW.fill(n=12), words.COLUMN.fill(n=12), lies)
            )
            assert_nothing_is_cut_off(screen)
            screens.add(tuple(shown(screen)))
        assert len(screens) == len(names)


def test_each_change_of_a_tile():
    for before, after in itertools.product((*FACE_WORDS.values(), "–"), repeat=2):
        change = Row(("",), Phrase("{a}►{b}").fill(a=before, b=after))
        assert_all_is_said(ScoreView(name="x", title=(words.CHANGES,), rows=(change,) * 3))


@pytest.mark.parametrize(
    "news", [words.NO_CHANGE, words.NO_CHANGE_SO_FAR, words.CHANGED.fill(n=24)], ids=str
)
def test_news_of_a_rescan_are_whole_below_the_winner(news):
    for winners in ((PlayerLabel(1, "Emily"),), (PlayerLabel(1, "Emily"), PlayerLabel(2, "Ben"))):
        view = WinnerView(winners=winners, points=("168",), news=news)
        assert_all_is_said(view)
        assert str(news) in shown(render(view))


def test_tie_breakers_of_cities_are_whole():
    for by in cities.TIE_BREAKER_WORDS.values():
        tie = tuple(wording.fill(by=by, numbers="64:48") for wording in TIE_BROKEN)
        assert_all_is_said(WinnerView(winners=(PlayerLabel(1, "Emily"),), points=("168",), tie=tie))


def test_slots_stand_beside_each_other():
    last = {"row": 4, "column": 5, "blue": 14, "red": 14}
    assert set(last) == set(games()[BLOCKS].short_slot_words)
    for pair in itertools.product(last, repeat=2):
        places = tuple(place_text(slot(name, last[name]), BLOCKS) for name in pair)
        view = PlacesView(title=words.CHECK_PIECES.fill(n=2), places=places, columns=2)
        assert_all_is_said(view)


class TestNamesOfPeople:
    @pytest.mark.parametrize("length", [1, 12, 13, 18])
    def test_up_to_eighteen_letters_are_whole_wherever_they_stand(self, length):
        seats = tuple(PlayerLabel(number, LONGEST_NAME[:length]) for number in range(1, 8))
        for count in range(1, 8):
            for alerts in ((), tuple(Alert)[:9]):
                view = WinnerView(winners=seats[:count], points=("168",), to_check=1, alerts=alerts)
                assert_all_is_said(view)
        for unsaved in (False, True):
            title = (words.RANKED_UNSURE.fill(rank=7, name=seats[0]),)
            view = ScoreView(name="x", title=title, unsaved=unsaved, view_number=ViewNumber(10, 17))
            assert_all_is_said(view)

    def test_longer_ones_end_in_an_ellipsis(self):
        for name in LONG_NAMES:
            title = (words.RANKED.fill(rank=7, name=PlayerLabel(1, name)),)
            assert_nothing_is_cut_off(render(ScoreView(name="x", title=title)))
        for name in ("", "  \t\n ", "\N{ZERO WIDTH SPACE}"):
            assert str(PlayerLabel(3, name)) == str(PlayerLabel(3))
            screen = render(ScoreView(name="x", title=(PlayerLabel(3, name),)))
            assert "3" in shown(screen)[0]


NEVER_SHOWN = {
    *("camera-closed", "buttons-closed"),
    *("teach-corners", "teach-layout", "teach-no-board"),
}
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
    assert codes - NEVER_SHOWN <= set(PROBLEM_WORDS)
