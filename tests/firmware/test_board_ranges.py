"""Ranges of games of one board: assignments scored fast against those scored by the rules."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import product
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firmware.base.terminal import standard_output
from firmware.games.dice_board.cards import QUARTERS
from firmware.games.scan import Scan
from firmware.history.stored_sheet import parse_shown_numbers
from firmware.mqtt.messages import result_message
from firmware.report.scan_views import scan_screens
from firmware.report.share_picture import share_picture
from firmware.report.text import print_scan
from firmware.scan import range_search
from firmware.scan.corrections import Correction, apply_corrections, names_at
from firmware.scan.json_output import scan_json
from firmware.scan.make_scan import make_scan
from firmware.scan.range_search import compute_ranges
from firmware.wording.ranges import Range, RangeQuality
from scoring.errors import TableError
from scoring.games.city_blocks.notation import parse_board
from scoring.games.city_blocks.points import score_streets, street_winner
from scoring.games.city_blocks.table import Table
from scoring.outcome import Outcome
from tests.firmware.board_samples import (
    CITY_BLOCKS,
    DICE_BOARD,
    FULL_BOARD,
    blocks,
    cards,
    piece,
    reading,
    sign,
    slots,
)
from vision.reading import Place, PlaceKind

SLOW = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
OWNERS = ("red-bakery", "red-theatre", "blue-bakery", "blue-tramway")


def tile(cell):
    return Place(PlaceKind.TILE, 0, cell)


def slot(name, number):
    return Place(PlaceKind.LOOSE, 0, (name, number))


def opened(scan: Scan, places) -> Scan:
    """Return the scan with open places."""
    grid = scan.reading.grids[0]
    cells = tuple(place.cell for place in places if place.kind is PlaceKind.TILE)
    keys = {place.piece for place in places if place.kind is PlaceKind.LOOSE}
    loose = tuple(replace(each, unsure=each.key in keys) for each in grid.loose)
    there = {each.key for each in grid.loose}
    grid = replace(grid, unsure=cells, loose=loose, unsure_slots=tuple(keys - there))
    return replace(scan, reading=replace(scan.reading, grids=(grid,)))


def blocks_scan(seed: int, *, free: int = 0, heaps: bool = False) -> Scan:
    """Return a board of buildings dealt at random, some plots free, and values beside it."""
    random = Random(seed)  # noqa: S311 - tables are dealt
    rows = [row.split() for row in FULL_BOARD.split("/")]
    plots = [plot for row in rows for plot in row]
    random.shuffle(plots)
    for at in random.sample(range(30), free):
        plots[at] = "--"
    text = " / ".join(" ".join(plots[6 * row : 6 * row + 6]) for row in range(5))
    values = random.sample(range(1, 16), 11)
    beside = slots(values[:5], values[5:])
    if heaps:
        beside = [piece("blue", 0, values[0]), piece("red", 0, values[1])]
    return make_scan(reading(CITY_BLOCKS, blocks(text, *beside)), CITY_BLOCKS)


def dice_scan(seed: int) -> Scan:
    """Return a board with signs of four companies side by side, turned at random."""
    random = Random(seed)  # noqa: S311 - tables are dealt
    places = random.sample([(4, 4), (4, 6), (6, 4), (6, 6), (2, 4)], len(OWNERS))
    laid = [
        each
        for owner, (row, column) in zip(OWNERS, places, strict=True)
        for each in sign(row, column, owner, random.randrange(4))
    ]
    return make_scan(reading(DICE_BOARD, cards(*random.sample(laid, 14))), DICE_BOARD)


def rules_outcome(scan: Scan, places, assignment) -> Outcome | None:
    """Return the outcome by the rules; None if the game has not so many pieces of a kind."""
    wanted = [Correction(place, face) for place, face in zip(places, assignment, strict=True)]
    seen = apply_corrections(scan.reading, scan.description, wanted)[0]
    findings = scan.game.list_findings(seen, scan.description, scan.options)
    codes = {each.note.code for each in findings}
    if codes & scan.game.supply_notes:
        return None
    table = scan.game.table_from_reading(seen, scan.description, scan.options)
    with suppress(TableError):
        return scan.game.outcome_of_sheet(scan.game.rules.score(table, lenient=True), scan.sheet)
    return None


def rules_outcomes(scan: Scan, places) -> Iterator[Outcome]:
    """Yield the outcome of every combination of what may lie at the places."""
    every = [(None, *names_at(place, scan.description)) for place in places]
    for assignment in product(*every):
        found = rules_outcome(scan, places, assignment)
        if found is not None:
            yield found


def open_board(scan: Scan, places):
    nothing = [Correction(place, None) for place in places]
    sure = apply_corrections(scan.reading, scan.description, nothing)[0]
    contents = {place: (None, *names_at(place, scan.description)) for place in places}
    return scan.game.open_board(scan, sure, contents)


def spread(outcomes):
    return tuple(
        Range(min(each), max(each)) for each in zip(*(o.finals for o in outcomes), strict=True)
    )


BLOCKS_PLACES = st.lists(
    st.one_of(
        st.tuples(st.integers(0, 4), st.integers(0, 5)).map(tile),
        st.tuples(st.sampled_from(["row", "column"]), st.integers(0, 4)).map(lambda s: slot(*s)),
    ),
    min_size=1,
    max_size=5,
    unique=True,
)


@SLOW
@given(st.integers(0, 9999), st.integers(0, 2), BLOCKS_PLACES, st.data())
def test_assignment_of_a_board_scores_as_the_rules_do(seed, free, places, data):
    scan = blocks_scan(seed, free=free)
    table = open_board(scan, places)
    assignment = tuple(data.draw(st.sampled_from(own)) for own in table.contents.values())
    assert table.score_assignment(assignment) == rules_outcome(scan, places, assignment)


@settings(SLOW, max_examples=2)
@given(st.integers(0, 9999), st.booleans(), st.booleans())
def test_ranges_of_two_open_plots_are_those_of_all_combinations(seed, heaps, beside_each_other):
    scan = blocks_scan(seed, heaps=heaps)
    places = [tile((1, 1)), tile((1, 2) if beside_each_other else (3, 4))]
    found, every = compute_ranges(opened(scan, places)), list(rules_outcomes(scan, places))
    assert (found.players, found.quality) == (spread(every), RangeQuality.EXACT)
    assert found.winner_certain == (len({each.winners for each in every}) == 1)


@settings(SLOW, max_examples=3)
@given(st.integers(0, 9999), st.integers(0, 4), st.booleans())
def test_ranges_of_a_value_and_a_plot_are_those_of_all_combinations(seed, row, heaps):
    scan = blocks_scan(seed, heaps=heaps)
    places = [tile((row, 3)), slot("blue", 0) if heaps else slot("row", row)]
    found, every = compute_ranges(opened(scan, places)), list(rules_outcomes(scan, places))
    assert found.players == spread(every)


@settings(SLOW, max_examples=8)
@given(st.integers(0, 9999), BLOCKS_PLACES)
def test_bounds_of_a_board_hold_all_combinations(seed, places):
    scan = opened(blocks_scan(seed), places[:3])
    exact = compute_ranges(scan)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(range_search, "MAX_BOARD_ASSIGNMENTS", 0)
        bounds = compute_ranges(scan)
    inside = zip((*bounds.players, *bounds.ranks), (*exact.players, *exact.ranks), strict=True)
    assert all(a.least <= b.least <= b.most <= a.most for a, b in inside)
    assert exact.winner_certain or not bounds.winner_certain


def test_three_open_plots_have_exact_ranges():
    scan = opened(blocks_scan(1), [tile((0, 0)), tile((1, 1)), tile((2, 2))])
    found = compute_ranges(scan)
    assert found.quality is RangeQuality.EXACT


def test_many_open_plots_are_bounded_by_what_their_streets_are_worth():
    scan = blocks_scan(1)
    found = compute_ranges(opened(scan, [tile((0, column)) for column in range(6)]))
    values = sum((*scan.table.row_values, *scan.table.column_values))
    assert found.quality is not RangeQuality.EXACT
    assert all(each.most < values for each in found.players)


def test_plot_in_streets_that_stay_open_is_idle():
    rows = [row.split() for row in FULL_BOARD.split("/")]
    rows[0][1] = rows[1][0] = "--"
    text = " / ".join(map(" ".join, rows))
    seen = reading(CITY_BLOCKS, blocks(text, *slots([7, 3, 15, 6, 1], [2, 4, 5, 8, 9, 10])))
    found = compute_ranges(opened(make_scan(seen, CITY_BLOCKS), [tile((0, 0))]))
    assert found.without_effect == {tile((0, 0))}


DICE_CELLS = st.lists(
    st.tuples(st.integers(4, 7), st.integers(4, 7)), min_size=1, max_size=5, unique=True
)


@SLOW
@given(st.integers(0, 9999), DICE_CELLS, st.data())
def test_assignment_of_the_dice_board_scores_as_the_rules_do(seed, cells, data):
    scan, places = dice_scan(seed), [tile(cell) for cell in cells]
    table = open_board(scan, places)
    assignment = tuple(data.draw(st.sampled_from(own)) for own in table.contents.values())
    assert table.score_assignment(assignment) == rules_outcome(scan, places, assignment)


@settings(SLOW, max_examples=3)
@given(st.integers(0, 9999), st.tuples(st.integers(4, 7), st.integers(4, 6)))
def test_ranges_of_two_open_cards_are_those_of_all_combinations(seed, cell):
    scan, places = dice_scan(seed), [tile(cell), tile((cell[0], cell[1] + 1))]
    found = compute_ranges(opened(scan, places))
    # Two cards complete no company that has none at the sure places
    with pytest.MonkeyPatch.context() as patch:
        plain = [f"{owner}-{quarter}" for owner in OWNERS for quarter in QUARTERS]
        patch.setattr(f"{__name__}.names_at", lambda _place, _description: tuple(plain))
        every = list(rules_outcomes(scan, places))
    assert (found.players, found.quality) == (spread(every), RangeQuality.EXACT)


def test_open_cards_apart_from_each_other_complete_nothing():
    scan = dice_scan(1)
    cells = [(0, 0), (0, 11), (11, 0), (11, 11), (0, 5), (5, 0)]
    found = compute_ranges(opened(scan, [tile(cell) for cell in cells]))
    assert not any(each.is_open for each in found.players)
    assert found.without_effect == {tile(cell) for cell in cells}


def test_whole_corner_of_the_dice_board_is_bounded():
    scan = dice_scan(1)
    cells = [(row, column) for row in range(4) for column in range(3)]
    found = compute_ranges(opened(scan, [tile(cell) for cell in cells]))
    assert found.quality is not RangeQuality.EXACT
    assert not found.winner_certain


@given(st.integers(0, 9999), st.integers(0, 3))
def test_winner_of_a_street_is_that_of_the_sheet(seed, free):
    scan = blocks_scan(seed, free=free)
    board = scan.table.grid
    found = [street_winner(row) for row in board] + [
        street_winner(column) for column in zip(*board, strict=True)
    ]
    assert found == [street.winner for street in score_streets(Table(board))]


def test_bounds_leave_room_for_players_without_a_sure_card():
    scan = make_scan(reading(DICE_BOARD, cards(*sign(0, 0, "red-bakery"))), DICE_BOARD)
    found = compute_ranges(opened(scan, [tile(cell) for cell in ((5, 5), (5, 6), (6, 5), (6, 6))]))
    assert (found.quality, found.winner_certain) == (RangeQuality.BOUNDS, False)
    assert found.ranks == (Range(1, 4),)
    message = result_message(scan_json(replace(scan, ranges=found)))
    assert message["result"].endswith("unless somebody else turns out to play")


def test_new_colour_shares_the_victory_where_nobody_has_points():
    scan = make_scan(reading(DICE_BOARD, cards((0, 0, f"red-bakery-{QUARTERS[0]}", 0))), DICE_BOARD)
    found = compute_ranges(opened(scan, [tile((11, 11))]))
    assert (found.quality, found.winner_certain) == (RangeQuality.EXACT, False)


def test_street_without_houses_that_count_has_no_winner():
    row = parse_board("bH1 rH2 bM rE bE rC")[0]
    assert street_winner(row) is None


def with_ranges(scan: Scan) -> Scan:
    return replace(scan, ranges=compute_ranges(scan))


def bounded() -> Scan:
    """Return a scan of a board of which a whole row is open."""
    return with_ranges(opened(blocks_scan(1), [tile((0, column)) for column in range(6)]))


def test_json_says_that_ranges_are_bounds():
    exact = opened(blocks_scan(1), [tile((0, 0))])
    parsed = [scan_json(each)["ranges"]["exact"] for each in (bounded(), with_ranges(exact))]
    assert parsed == [False, True]


def test_terminal_says_that_ranges_are_bounds(capsys):
    with standard_output() as console:
        print_scan(console, bounded())
    assert "Rough ranges" in capsys.readouterr().out


def test_display_has_a_page_on_rough_ranges():
    assert "rough" in [screen.name for screen in scan_screens(bounded())]


def test_stored_sheet_keeps_that_its_ranges_are_bounds():
    assert parse_shown_numbers(scan_json(bounded())).shows_bounds


def test_broker_is_told_whether_ranges_are_exact():
    exact = with_ranges(opened(blocks_scan(1), [tile((0, 0))]))
    assert [result_message(scan_json(each))["ranges_exact"] for each in (bounded(), exact)] == [
        False,
        True,
    ]


def test_picture_to_share_is_higher_by_the_line_on_bounds():
    rough = bounded()
    plain = replace(rough, ranges=replace(rough.ranges, quality=RangeQuality.EXACT))
    higher, lower = (share_picture(each, None, "").shape[0] for each in (rough, plain))
    assert higher > lower
