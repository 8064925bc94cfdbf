"""Points, ranks and winners as people see them while places are open."""

from dataclasses import replace

import pytest

from firmware.history.stored_sheet import parse_shown_numbers, summarize_winners
from firmware.mqtt.messages import result_message
from firmware.report.points_table import headline, points_table
from firmware.report.scan_views import scan_views
from firmware.scan.json_output import scan_json
from firmware.scan.make_scan import make_scan
from firmware.scan.range_search import compute_ranges
from firmware.screens.draw_result import split_standings
from firmware.screens.result_views import ScoreView, Standing, StandingsView
from firmware.screens.view import PlayerLabel
from firmware.wording.ranges import Range, RangeQuality, Ranges, ShownNumbers
from scoring.faces import Face
from tests.firmware.samples import BTC, example
from tests.firmware.test_ranges import open_at
from vision.reading import Join, Note, NoteCode

OPEN_RANGES = Ranges(
    cities=(Range(52, 55), Range(60, 60)),
    players=(Range(52, 55), Range(52, 52)),
    ranks=(Range(1, 1), Range(1, 2)),
    winners=(0, 1),
    winner_certain=False,
    by_influence=(),
)
OPEN = ShownNumbers(OPEN_RANGES)


@pytest.fixture(scope="module")
def undecided():
    """The example, in which a factory more would let another player win."""
    scan = open_at(example(), {(0, (0, 0)): ("house",), (2, (1, 1)): ("factory",)})
    return replace(scan, ranges=compute_ranges(scan))


@pytest.fixture(scope="module")
def decided():
    """The example with two open tiles that leave the winner alone."""
    return example(unsure={2: ((0, 0),), 5: ((1, 2),)})


def test_open_points_are_shown_as_range():
    assert OPEN.final(0, 53) == "52–55"


def test_points_that_cannot_change_stand_alone():
    assert OPEN.final(1, 52) == "52"


def test_open_rank_is_shown_as_range():
    assert OPEN.rank(1, 2) == "1–2"


def test_more_than_places_adds_question_mark():
    assert ShownNumbers(OPEN_RANGES, "?").final(1, 52) == "52?"


def test_city_that_nothing_open_concerns_has_no_mark():
    assert ShownNumbers(None, "?").city(1, 60, may_change=False) == "60"


def test_city_that_one_seen_twice_may_change_has_question_mark():
    reading = example().reading
    pair = 0, 5
    factories = {
        index
        for index, grid in enumerate(reading.grids)
        if any(Face.FACTORY in row for row in grid.faces)
    }
    join = Join((), tuple(range(len(reading.grids))), perhaps_same=(pair,))
    scan = make_scan(replace(reading, join=join), BTC)
    marked = {
        index
        for index, city in enumerate(scan.sheet.cities)
        if scan.shown_city_points(index, city.total).endswith("?")
    }
    assert marked == {*pair, *factories}


def test_city_without_open_places_has_no_mark_where_the_order_is_assumed():
    reading = example().reading
    join = Join((), tuple(range(len(reading.grids))), is_order_known=False)
    scan = make_scan(replace(reading, join=join), BTC)
    assert [scan.shown_city_points(n, city.total) for n, city in enumerate(scan.sheet.cities)] == [
        str(city.total) for city in scan.sheet.cities
    ]


def test_ranges_of_any_table_are_not_shown():
    shown = ShownNumbers(replace(OPEN_RANGES, quality=RangeQuality.UNBOUNDED))
    assert (shown.final(0, 53), shown.contenders) == ("53?", ())


def test_sentence_names_all_who_can_win(undecided):
    assert headline(undecided) == "Player 1 or Emily: the open tiles decide who wins"


def test_sentence_says_that_winner_is_certain(decided):
    assert headline(decided) == "Emily wins with 61–62 points, whatever the open tiles are"


def test_first_view_names_all_who_can_win_with_their_points(undecided):
    page = scan_views(undecided)[0]
    assert [str(name) for name in page.winners] == ["Player 1 (A F)", "Emily"]
    assert page.open_points == (("54–56",), ("55–62",))


def test_first_page_says_that_winner_is_certain(decided):
    assert scan_views(decided)[0].wins_anyway


def test_unread_city_leaves_no_winner_certain():
    dark = example(unsure={2: ((0, 0),)}, notes=(Note(NoteCode.DARK),))
    assert not scan_views(dark)[0].wins_anyway


def test_table_of_points_has_both_cities_and_tie_break_of_player(decided):
    line = next(each for each in points_table(decided).players if each.name == "Player 5")
    assert line.cities == ("E 52", "D 62–64")
    assert line.tie_break == "number of shops: 6 (Player 6: 5)"


def test_table_of_points_marks_no_winner_while_open(undecided):
    assert not any(each.won for each in points_table(undecided).players)


def test_stored_sheet_gives_same_numbers(undecided):
    stored = parse_shown_numbers(scan_json(undecided))
    assert (stored.final(3, 62), stored.rank(3, 1)) == ("55–62", "1–3")


def test_stored_sheet_without_ranges_keeps_question_mark():
    sheet = {"unsure": [{}], "totals": {"red": 3}, "winners": ["red"]}
    assert summarize_winners(sheet).winner_points == "3?"


def test_broker_gets_ranges_of_each_player(undecided):
    emily = result_message(scan_json(undecided))["players"][3]
    assert (emily["points_range"], emily["rank_range"]) == ([55, 62], [1, 3])


def test_broker_is_told_whether_winner_is_certain(decided, undecided):
    message = [result_message(scan_json(scan))["winner_certain"] for scan in (decided, undecided)]
    assert message == [True, False]


def test_open_places_come_by_what_they_decide(undecided):
    assert undecided.open_places == undecided.ranges.by_influence


def standings(*names):
    page = ScoreView(name="player", title=("x",), points=("52",))
    return [
        Standing(1, "1", PlayerLabel(n, name), (page,)) for n, name in enumerate(names, start=1)
    ]


def test_seven_short_names_share_a_view():
    assert len(split_standings(standings(*["Ann"] * 7))) == 1


def test_seven_names_of_usual_length_take_two_pages():
    pages = split_standings(standings(*["Christoph"] * 7))
    assert [len(page) for page in pages] == [4, 3]


def test_views_of_standings_have_names_of_their_own():
    pages = [view for view in scan_views(example()) if isinstance(view, StandingsView)]
    assert [page.name for page in pages] == ["standings", "standings-2"]


def test_stored_range_of_any_table_is_shown_as_read():
    ranges = {
        "cities": [],
        "players": [[0, 999], [8, 8]],
        "ranks": [[1, 2], [1, 2]],
        "winners": [0, 1],
        "winner_certain": False,
        "complete": False,
    }
    players = [{"name": "Ann", "final": 14, "rank": 1}, {"name": "Ben", "final": 8, "rank": 2}]
    sheet = {"game": "cities", "players": players, "winners": [0], "unsure": [{}], "ranges": ranges}
    assert summarize_winners(sheet).winner_points == "14?"


def test_part_is_shown_with_its_range():
    numbers = ShownNumbers(replace(OPEN_RANGES, parts={(0, "parks"): Range(8, 12)}))
    assert numbers.part(0, "parks", 8, may_change=True) == "8–12"


def test_part_without_a_known_range_has_a_question_mark():
    assert ShownNumbers(OPEN_RANGES).part(0, "parks", 8, may_change=True) == "8?"


def test_part_that_nothing_open_changes_stands_alone():
    assert ShownNumbers(OPEN_RANGES).part(0, "parks", 8, may_change=False) == "8"
