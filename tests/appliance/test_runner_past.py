"""The whole appliance switched off and on again: what was there is there."""

import re
from contextlib import closing
from dataclasses import replace

import pytest

from firmware.settings import Settings
from scoring.faces import Face
from tests.appliance.fake_tables import TABLES, FakeTables
from tests.appliance.test_rescan_answers import MIXED_CITY
from tests.appliance.whole_appliance import NEXT, OK, SCAN, WholeAppliance, kept_scans
from tests.firmware.board_samples import CITIES, city, reading
from tests.firmware.fake_eye import EXAMPLE, FakeEye, other_cities
from tests.firmware.history_samples import open_history

MAX_PAGES = 100
NUMBER = re.compile(r"\d+/\d+")
"""Number of a page; changes after a start have none."""
UNSURE = {(0, (0, 0)): [Face.PARK], (2, (1, 1)): [Face.PARK]}


def pages(whole):
    """Return the words of all pages of the result, beginning with the page shown."""
    found = [whole.words]
    for _ in range(MAX_PAGES):
        whole.press(NEXT)
        if whole.words == found[0]:
            return found
        found.append(whole.words)
    raise AssertionError(f"the first page never comes back: {found}")


def switched_on(whole, **changes):
    """The appliance after it was switched off and on."""
    settings = whole.appliance.state.settings
    whole.close()
    return WholeAppliance(settings=settings, **changes)


@pytest.mark.parametrize("game", ["between-two-cities", *sorted(set(TABLES) - {"reading-only"})])
def test_the_last_result_is_there_with_all_its_pages(game, folder):
    whole = WholeAppliance(settings=Settings(language="en", game=game))
    whole.press(SCAN)
    shown = pages(whole)
    whole = switched_on(whole)
    whole.press(NEXT)
    assert pages(whole) == shown


def test_check_resumes_with_pictures_of_the_tiles():
    whole = WholeAppliance(eye=FakeEye(*EXAMPLE, unsure=UNSURE))
    whole.press(SCAN, OK, NEXT, OK)
    assert "shop" not in whole.words
    picture = whole.keeper.screens[-1].image.crop((0, 0, 50, 50)).tobytes()
    whole = switched_on(whole, eye=FakeEye(*EXAMPLE, unsure=UNSURE))
    assert "Last: check 1" in whole.words
    whole.press(NEXT, OK)
    assert whole.names[-1] == "tile-1"
    assert whole.keeper.screens[-1].image.crop((0, 0, 50, 50)).tobytes() == picture
    whole.press(OK)
    (stored,) = kept_scans()
    assert stored.record.corrections == ("A:1,1=park", "C:2,2=park")


def test_past_games_are_gone_through_and_one_is_deleted(folder):
    whole = WholeAppliance(settings=Settings(language="en", game="city-blocks"))
    whole.press(SCAN)
    whole = switched_on(whole, eye=FakeEye(*EXAMPLE))
    whole.choose_by_words("Game", "Between")
    whole.press(SCAN, SCAN)
    whole.choose_by_words("Past games")
    assert "1/2" in whole.words
    assert "Player 4 (C D) 62" in whole.words
    whole.press(NEXT)
    assert "City Blocks" in whole.words
    whole.press(OK)
    assert "Who wins?" in whole.words
    assert whole.words.endswith("delete ► back")
    whole.press(SCAN)
    assert "Delete this | game?" in whole.words
    whole.press(OK)
    assert "1/1" in whole.words
    assert [scan.record.game for scan in kept_scans()] == ["between-two-cities"]
    whole.press(OK, SCAN, OK)
    assert "No game is" in whole.words
    whole.press(OK)
    assert "last" not in whole.words


def test_last_result_is_forgotten_when_the_last_two_games_are_deleted():
    whole = WholeAppliance(eye=FakeEye(*EXAMPLE))
    whole.press(SCAN)
    whole.press(NEXT, long=True)
    whole.eye.cities = other_cities(0) + other_cities(1)
    whole.press(SCAN)
    for _ in range(2):
        whole.choose_by_words("Past games")
        whole.press(OK, SCAN, OK)
    assert whole.appliance.state.result is None


def test_a_game_whose_edition_is_gone_says_so(folder):
    whole = WholeAppliance()
    whole.press(SCAN)
    (stored,) = kept_scans()
    with closing(open_history(folder)) as history:
        history.save_corrected(stored.seq, replace(stored.record, edition="attic"))
    whole = switched_on(whole)
    assert "last" not in whole.words
    whole.choose_by_words("Past games")
    assert "62" in whole.words
    whole.press(OK)
    assert "attic" in whole.words or "edition" in whole.words
    whole.press(OK)
    assert whole.names[-1] == "menu"


def test_an_answer_holds_over_a_rescan_and_a_start():
    whole = WholeAppliance(eye=FakeEye(*EXAMPLE, unsure=UNSURE))
    whole.press(SCAN, OK, NEXT, OK, OK, SCAN, SCAN)
    assert "Nothing has" in whole.words
    shown = pages(whole)
    whole = switched_on(whole, eye=FakeEye(*EXAMPLE, unsure=UNSURE))
    whole.press(NEXT)
    assert [NUMBER.sub("", page) for page in pages(whole)] == [
        NUMBER.sub("", page) for page in shown
    ]


def test_a_scan_after_a_start_updates_the_game_of_the_same_table():
    whole = WholeAppliance(eye=FakeEye(*EXAMPLE, unsure=UNSURE))
    whole.press(SCAN, OK, NEXT, OK)
    whole = switched_on(whole, eye=FakeEye(*EXAMPLE, unsure=UNSURE))
    whole.press(SCAN)
    (stored,) = kept_scans()
    assert stored.record.corrections == ("A:1,1=park",)


@pytest.mark.parametrize("quarters", range(4))
def test_earlier_game_is_found_from_any_side_of_the_table(quarters):
    first = reading(CITIES, city(MIXED_CITY))
    whole = WholeAppliance(
        settings=Settings(language="en", game="cities"), eye=FakeTables(cities=first)
    )
    whole.press(SCAN)
    turned = replace(first, grids=(first.grids[0].turned(quarters),))
    for seen in (reading(CITIES, city()), turned):
        whole.press(NEXT, long=True)
        whole.eye.tables["cities"] = seen
        whole.press(SCAN)
    assert whole.appliance.state.result.possible_earlier.seq == 1


def test_game_that_was_scanned_again_becomes_one_with_the_game_before():
    whole = WholeAppliance(eye=FakeEye(*EXAMPLE[:5]))
    whole.press(SCAN)
    whole.press(NEXT, long=True)
    whole.eye.cities = EXAMPLE
    whole.press(SCAN)
    whole.press(NEXT, long=True)
    whole.press(SCAN)
    assert [scan.seq for scan in kept_scans()] == [2, 1]
    assert "same" in whole.words.lower()
    whole.press(OK)
    (stored,) = kept_scans()
    assert stored.seq == 1
    assert len(stored.record.sheet["cities"]) == len(EXAMPLE)
    assert len(stored.record.replaced["sheet"]["cities"]) == 5


@pytest.fixture
def asked():
    """Appliance that asks *Same game again?*."""
    whole = WholeAppliance(eye=FakeEye(*EXAMPLE))
    whole.press(SCAN)
    whole.press(NEXT, long=True)
    whole.eye.cities = (*EXAMPLE[:4], *other_cities(0)[:2])
    whole.press(SCAN)
    assert "same" in whole.words.lower()
    return whole


def test_question_about_the_same_game_outlasts_a_start(asked):
    whole = switched_on(asked)
    whole.press(NEXT)
    whole.choose_by_words("Same game again")
    assert [scan.seq for scan in kept_scans()] == [1]


@pytest.mark.parametrize("button", [OK, SCAN])
def test_answer_whether_it_is_the_same_game_holds_over_a_start(asked, button):
    asked.press(button)
    assert switched_on(asked).appliance.state.result.possible_earlier is None


def test_game_found_in_the_history_is_offered_after_a_start():
    whole = WholeAppliance(eye=FakeEye(*EXAMPLE))
    for cities in (EXAMPLE, other_cities(0), EXAMPLE):
        whole.eye.cities = cities
        whole.press(SCAN)
        whole.press(NEXT, long=True)
    assert whole.appliance.state.result.possible_earlier.seq == 1
    whole = switched_on(whole)
    assert whole.appliance.state.result.possible_earlier.seq == 1


def test_nothing_is_asked_after_a_start_if_the_earlier_game_was_deleted(asked, folder):
    with closing(open_history(folder)) as history:
        history.delete_for_good([1])
    assert switched_on(asked).appliance.state.result.possible_earlier is None


def test_answer_about_a_covered_city_holds_over_a_start():
    whole = WholeAppliance(eye=FakeEye(*EXAMPLE, unsure=UNSURE))
    whole.press(SCAN, OK, NEXT, OK)
    for cities in (EXAMPLE[1:], EXAMPLE):
        whole = switched_on(whole, eye=FakeEye(*cities))
        whole.press(SCAN)
        assert "same" in whole.words.lower()
        whole.press(OK)
    (stored,) = kept_scans()
    assert len(stored.record.sheet["cities"]) == len(EXAMPLE)
    assert stored.record.corrections == ("F:1,1=park",), "the city that is back comes last"


def test_a_tile_of_the_last_game_is_corrected_after_a_start(folder):
    whole = switched_on(_scanned())
    whole.choose_by_words("Correct a tile")
    whole.press(OK, OK, OK, NEXT, OK)  # the first tile of the first city
    (stored,) = kept_scans()
    assert stored.record.corrections == ("A:1,1=factory",)
    assert stored.record.photo is not None, "the photo stays with it"
    assert stored.record.before_correction["corrections"] == [], "so does what was"


def _scanned():
    whole = WholeAppliance()
    whole.press(SCAN)
    return whole
