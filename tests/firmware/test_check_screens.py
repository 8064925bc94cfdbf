"""What is not sure is listed right after the winner, and marks all that may still change."""

import re

import pytest

from firmware.screens import result_screens
from tests.firmware.samples import example, scored, seven_long_names, square, two_player
from tests.firmware.screen_looks import by_name, shown
from vision.reading import Unread

UNREAD = Unread(square((1152, 648), 300, 0), "too dark")
CHECK_PAGE = re.compile(r"(unsure|missing|unread)-.*|owners")

NO_FACTORY, FOUR_FACTORIES = "SSPP/SSPP/EBMD/HHHH", "PPHH/SSPP/FFFF/FHBB"
WITH_A_GAP = "SSSF/EBMD/OOPP/HHH."

DOUBTFUL = {
    "an unsure tile": result_screens(*example(unsure={1: ((2, 3),)})),
    "a missing tile": result_screens(*scored(NO_FACTORY, FOUR_FACTORIES, WITH_A_GAP)),
    "an unread city": result_screens(*example(unread=(UNREAD,))),
    "unknown owners": result_screens(*two_player(), owners_known=False),
}
every_doubt = pytest.mark.parametrize("pages", DOUBTFUL.values(), ids=DOUBTFUL)


def totals(pages):
    """What stands as the total on the page of each city."""
    return [shown(page)[2] for page in pages if page.name.startswith("city-")]


class TestCheckPages:
    def test_a_sure_result_has_none(self):
        pages = result_screens(*example())
        assert not [page.name for page in pages if CHECK_PAGE.fullmatch(page.name)]
        assert not any("check" in text or "?" in text for page in pages for text in shown(page))

    @every_doubt
    def test_follow_right_after_the_winner(self, pages):
        assert CHECK_PAGE.fullmatch(pages[1].name)

    @every_doubt
    def test_every_page_says_that_something_is_to_be_checked(self, pages):
        assert all({"check 1", "1?"} & set(shown(page)) for page in pages)

    def test_what_weighs_most_comes_first(self):
        cities = ("SSSS/PPHP/HOOO/HOO.", "HHHP/PPSE/FPFF/FFPP", *["SSSS/FFOO/OOEB/OOMD"] * 2)
        sheet, reading = scored(*cities, unsure={1: ((0, 0),)}, unread=(UNREAD,))
        pages = result_screens(sheet, reading, owners_known=False)
        names = [page.name for page in pages if CHECK_PAGE.fullmatch(page.name)]
        assert names == ["unread-1", "owners", "unsure-1", "missing-1"]
        assert "check 4" in shown(pages[0])

    def test_unsure_tiles_are_counted_and_listed(self):
        pages = result_screens(*example(unsure={0: ((2, 3),), 5: ((0, 0), (3, 1))}))
        assert shown(pages[1])[:5] == ["Check 3 tiles", "2/16", "A 2,3?", "F 0,0?", "F 3,1?"]

    def test_many_tiles_take_more_pages_and_none_is_left_out(self):
        everywhere = tuple((row, column) for row in range(4) for column in range(4))
        pages = result_screens(*example(unsure=dict.fromkeys(range(6), everywhere)))
        listed = [t for page in pages for t in shown(page) if re.fullmatch(r"[A-F] \d,\d\?", t)]
        assert len(listed) == len(set(listed)) == 96

    def test_missing_tiles_are_listed(self):
        page = by_name(DOUBTFUL["a missing tile"])["missing-1"]
        assert shown(page)[:3] == ["1 tile missing", "2/10", "C 3,3"]
        page = by_name(result_screens(*seven_long_names()))["missing-1"]
        assert shown(page)[:4] == ["7 tiles missing", "2/18", "A 3,3", "B 3,3"]

    def test_a_gap_that_is_unsure_is_one_thing_to_look_at(self):
        pages = result_screens(
            *scored(NO_FACTORY, FOUR_FACTORIES, WITH_A_GAP, unsure={2: ((3, 3),)})
        )
        assert "check 1" in shown(pages[0])
        assert "C 3,3?" in shown(by_name(pages)["unsure-1"])

    def test_the_reason_of_what_was_not_read_is_given_in_full(self):
        why = "something dark covers more than half of this city: take it away, photograph again"
        unread = (Unread(square((1152, 648), 300, 0), why),) * 2
        pages = result_screens(*example(unread=unread))
        reason_pages = [page for page in pages if page.name.startswith("unread")]
        assert shown(reason_pages[0])[0] == "2 cities not read"
        told = " ".join(
            text for page in reason_pages for text in shown(page)[1:] if "/" not in text
        )
        assert [word for word in why.split() if word not in told.split()] == []

    def test_unknown_owners_are_asked_for_with_the_guess(self):
        page = by_name(DOUBTFUL["unknown owners"])["owners"]
        assert shown(page)[:4] == [
            *("Whose city is which?", "A D: Ben?", "B C: Emily?", "Guessed: please check"),
        ]


class TestMarks:
    @every_doubt
    def test_the_winner_may_still_change(self, pages):
        title, _page, points, *_ = shown(pages[0])
        assert title == "Winner?"
        assert re.fullmatch(r"\d+\?", points)

    @every_doubt
    def test_every_rank_and_final_may_still_change(self, pages):
        players = [shown(page) for page in pages if page.name.startswith("player-")]
        assert len(players) >= 2
        for rank, _page, final, *_ in players:
            assert re.match(r"\d\? ", rank)
            assert re.fullmatch(r"\d+\?", final)

    def test_a_shared_victory_may_still_change(self):
        assert shown(result_screens(*seven_long_names())[0])[0] == "Shared victory?"

    def test_a_city_of_its_own_doubt_and_all_with_factories_may_change(self):
        cities = (NO_FACTORY, FOUR_FACTORIES, "SSSF/EBMD/OOPP/HHHH", NO_FACTORY)
        assert totals(result_screens(*scored(*cities, unsure={0: ((0, 0),)}))) == [
            *("52?", "52?", "63?", "52"),
        ]

    def test_an_unread_city_may_change_those_with_factories(self):
        cities = (NO_FACTORY, FOUR_FACTORIES, "SSSF/EBMD/OOPP/HHHH")
        assert totals(result_screens(*scored(*cities, unread=(UNREAD,)))) == [
            *("52", "52?", "63?"),
        ]

    def test_unknown_owners_leave_the_cities_sure(self):
        assert not any("?" in total for total in totals(DOUBTFUL["unknown owners"]))

    def test_a_page_of_a_player_marks_the_same_cities(self):
        cities = (NO_FACTORY, FOUR_FACTORIES, "SSSF/EBMD/OOPP/HHHH", NO_FACTORY)
        pages = by_name(result_screens(*scored(*cities, unsure={0: ((0, 0),)})))
        assert shown(pages["player-4"])[1:] == [
            *("6/12", "52?", "►", "D left", "52", "C right", "63?"),
            *("Tie: shops 7:5", "again", "next", "check 1"),
        ]
