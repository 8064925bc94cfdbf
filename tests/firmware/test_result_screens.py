import itertools
from dataclasses import replace

import pytest

from firmware.screens import result_screens
from scoring.games.between_two_cities.sheet import TieBreak, TieBreaker
from tests.firmware.samples import (
    example,
    one_long_winner,
    ring_reading,
    seven_long_names,
    square,
    three_winners,
    two_player,
)
from tests.firmware.screen_looks import by_name, lit, shown
from vision.reading import Unread

SHEET = example()[0]


def with_tie(tie):
    """The example's sheet with another tie-break of the first player, and its reading."""
    sheet, reading = example()
    players = (replace(sheet.players[0], tie_break=tie), *sheet.players[1:])
    return replace(sheet, players=players), reading


class TestWinner:
    def test_is_named_with_the_points_in_large_digits(self):
        winner = result_screens(*example())[0]
        assert shown(winner)[0] == "Winner"
        assert {"Emily", "62"} <= set(shown(winner))
        digits = next(text for text in winner.texts if text.shown == "62")
        assert digits.box[3] - digits.box[1] == 20

    def test_three_share_a_victory(self):
        winner = result_screens(*three_winners())[0]
        assert shown(winner)[:6] == ["Shared victory", "1/9", "60", "Ben", "Emily", "P3"]

    def test_more_winners_than_lines_are_counted(self):
        winner = result_screens(*seven_long_names())[0]
        assert "+5 more" in shown(winner)

    def test_a_long_name_takes_three_lines_before_it_is_shortened(self):
        winner = result_screens(*one_long_winner())[0]
        assert shown(winner)[3:6] == ["The Lighthouse", "Keepers of the", "Northern Harbo…"]


class TestPlayer:
    def test_shows_rank_both_cities_and_which_one_counts(self):
        ben = by_name(result_screens(*example()))["player-3"]
        assert shown(ben)[:7] == ["2. Ben", "4/15", "57", "C left", "62", "►", "B right"]
        assert "Lower city B counts" in shown(ben)

    def test_the_mark_stands_in_the_row_of_the_city_that_counts(self):
        ben = by_name(result_screens(*example()))["player-3"]
        mark, counts, other = (
            next(text.box for text in ben.texts if text.shown == each)
            for each in ("►", "B right", "C left")
        )
        assert mark[1] >= other[3]
        assert counts[1] <= mark[1] < mark[3] <= counts[3]

    def test_equal_cities_both_count(self):
        emily = by_name(result_screens(*example()))["player-4"]
        assert shown(emily).count("►") == 2
        assert "Both cities are equal" in shown(emily)

    def test_of_two_the_cities_are_added(self):
        ben = by_name(result_screens(*two_player()))["player-1"]
        assert {"118", "56", "62", "Both cities together"} <= set(shown(ben))
        assert shown(ben).count("►") == 2

    @pytest.mark.parametrize(
        ("tie", "wording"),
        [
            (TieBreak(TieBreaker.HIGHER_CITY, (1,), 62, 57), "Tie: best city 62:57"),
            (TieBreak(TieBreaker.HIGHER_CITY, (1,), 162, 157), "best city 162:157"),
            (TieBreak(TieBreaker.FACTORY_COUNT, (1,), 11, 9), "Tie: factories 11:9"),
            (TieBreak(TieBreaker.FACTORY_COUNT, (1,), 12, 11), "Tie: factories 12:11"),
            (TieBreak(TieBreaker.SHARED, (1,)), "Tie: rank is shared"),
        ],
    )
    def test_a_tie_is_explained(self, tie, wording):
        page = by_name(result_screens(*with_tie(tie)))["player-1"]
        assert wording in shown(page)

    @pytest.mark.parametrize("breaker", TieBreaker)
    def test_every_tie_break_has_words_that_fit(self, breaker):
        numbers = (None, None) if breaker is TieBreaker.SHARED else (32, 31)
        page = by_name(result_screens(*with_tie(TieBreak(breaker, (1,), *numbers))))["player-1"]
        assert not any(text.endswith("…") for text in shown(page))

    def test_a_player_without_a_name_is_named_by_the_seat(self):
        page = by_name(result_screens(*seven_long_names()))["player-6"]
        assert shown(page)[0] == "1? Player 6"

    def test_letters_that_the_font_lacks_are_replaced_visibly(self):
        page = by_name(result_screens(*seven_long_names()))["player-4"]
        assert shown(page)[0] == "1? ������"


class TestCity:
    def test_shows_six_categories_and_the_total(self):
        page = by_name(result_screens(*example()))["city-A"]
        assert shown(page)[:9] == ["City A", "10/15", "56", "16", "0", "1", "17", "10", "12"]


class TestMap:
    @pytest.mark.parametrize("count", [1, 3, 4, 5, 6, 7])
    def test_letters_lie_to_each_other_as_the_cities_on_the_photo(self, count):
        reading = ring_reading(count)
        page = by_name(result_screens(SHEET, reading))["map"]
        middles = {
            text.shown: ((text.box[0] + text.box[2]) / 2, (text.box[1] + text.box[3]) / 2)
            for text in page.texts
            if len(text.shown) == 1
        }
        assert list(middles) == [chr(ord("A") + index) for index in range(count)]
        for one, other in itertools.combinations(range(count), 2):
            for axis in (0, 1):
                on_photo = (
                    reading.cities[one].centre_px[axis] - reading.cities[other].centre_px[axis]
                )
                on_map = middles[chr(ord("A") + one)][axis] - middles[chr(ord("A") + other)][axis]
                if abs(on_photo) > 100:
                    assert on_photo * on_map > 0

    @pytest.mark.parametrize("turn", [0, 17, 45, 80])
    def test_a_letter_touches_no_edge_of_its_city(self, turn):
        reading = ring_reading(6)
        small = replace(reading.cities[0], corners_px=square((1152, 648), 60, turn))
        page = by_name(
            result_screens(SHEET, replace(reading, cities=(small, *reading.cities[1:])))
        )["map"]
        left, top, right, bottom = next(text.box for text in page.texts if text.shown == "A")
        round_about = [(x, y) for x in range(left - 1, right + 1) for y in (top - 1, bottom)]
        round_about += [(x, y) for x in (left - 1, right) for y in range(top, bottom)]
        assert not any(lit(page, x, y) for x, y in round_about if 0 <= y < 64)

    def test_what_was_not_read_is_a_question_mark_at_its_place(self):
        unread = Unread(square((1152, 648), 300, 10), "too dark")
        page = by_name(result_screens(SHEET, ring_reading(6, unread=(unread,))))["map"]
        mark = next(text.box for text in page.texts if text.shown == "?")
        a, d = (next(t.box for t in page.texts if t.shown == each) for each in "AD")
        assert a[1] > mark[1] > d[1]

    def test_nothing_found_is_an_empty_map(self):
        reading = replace(ring_reading(3), cities=())
        assert "map" in by_name(result_screens(SHEET, reading))
