"""What holds for every board, and agreement with a second, plain scoring."""

from collections import Counter
from dataclasses import replace

import city_blocks_oracle as oracle
import pytest
from city_blocks_tables import BOX, board_of, dealt_table, seeded
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.faces import Building, Side
from scoring.games.city_blocks import score, status
from scoring.games.city_blocks.sheet import Basis, ReasonKind, StreetLine
from scoring.games.city_blocks.table import Board, Collected, Plot, Table

few = settings(max_examples=40)

OTHER = {Side.BLUE: Side.RED, Side.RED: Side.BLUE, None: None}


def with_gaps(plots: list[Plot], built: list[bool]) -> Board:
    return board_of([plot if here else None for plot, here in zip(plots, built, strict=False)])


mostly = st.sampled_from([True, True, True, True, True, True, True, False])
built = st.just([True] * 30) | st.lists(mostly, min_size=30, max_size=30)
boards = st.builds(with_gaps, st.permutations(BOX), built)
tiles = st.permutations([*range(1, 16), *[None] * 5])
tables = st.builds(lambda grid, t: Table(grid, tuple(t[:5]), tuple(t[5:11])), boards, tiles)
numbers = st.permutations(range(1, 16))
heaps = st.builds(
    lambda tiles, blue, both: Collected(tuple(tiles[:blue]), tuple(tiles[blue:both])),
    numbers,
    st.integers(0, 11),
    st.integers(0, 11),
)


def changed(grid: Board, change) -> Board:
    return tuple(tuple(None if plot is None else change(plot) for plot in row) for row in grid)


def street_cells(street) -> list[tuple[int, int]]:
    if street.line is StreetLine.ROW:
        return [(street.index, column) for column in range(6)]
    return [(row, street.index) for row in range(5)]


def results(streets) -> list[tuple]:
    return [(s.blue, s.red, s.winner, s.bonus, s.value, s.full) for s in streets]


@few
@given(tables)
def test_swapped_colours_swap_everything(table):
    swapped = score(
        replace(table, grid=changed(table.grid, lambda p: replace(p, owner=OTHER[p.owner])))
    )
    sheet = score(table)
    assert results(swapped.streets) == [
        (red, blue, OTHER[winner], *rest) for blue, red, winner, *rest in results(sheet.streets)
    ]
    assert (swapped.totals.blue, swapped.totals.red) == (sheet.totals.red, sheet.totals.blue)
    assert swapped.tiles == Collected(sheet.tiles.red, sheet.tiles.blue)
    assert set(swapped.winners) == {OTHER[side] for side in sheet.winners}


@few
@given(tables)
def test_a_mirrored_or_turned_board_is_worth_the_same(table):
    sheet = score(table)
    rows, columns = results(sheet.streets[:5]), results(sheet.streets[5:])
    mirrored = replace(
        table,
        grid=tuple(row[::-1] for row in table.grid),
        column_values=table.column_values[::-1],
    )
    turned = replace(mirrored, grid=mirrored.grid[::-1], row_values=table.row_values[::-1])
    assert results(score(mirrored).streets) == [*rows, *columns[::-1]]
    assert results(score(turned).streets) == [*rows[::-1], *columns[::-1]]
    for other in (mirrored, turned):
        assert (score(other).totals, score(other).winners) == (sheet.totals, sheet.winners)


@few
@given(tables)
def test_a_street_depends_on_its_own_buildings_alone(table):
    for index, street in enumerate(score(table).streets):
        own = street_cells(street)
        grid = tuple(
            tuple(plot if (r, c) in own else None for c, plot in enumerate(row))
            for r, row in enumerate(table.grid)
        )
        assert score(replace(table, grid=grid)).streets[index] == street


@few
@given(tables)
def test_reasons_add_up_and_name_every_building_once(table):
    for street in score(table).streets:
        for side, total in ((Side.BLUE, street.blue), (Side.RED, street.red)):
            own = [reason for reason in street.reasons if reason.side is side]
            assert total == sum(reason.points for reason in own)
            assert {b.owner for reason in own for b in reason.buildings} <= {side}
        named = [building for reason in street.reasons for building in reason.buildings]
        assert sorted((b.cell, b.owner, b.kind, b.value) for b in named) == [
            ((r, c), plot.owner, plot.kind, plot.value or 0)
            for r, c in street_cells(street)
            if (plot := table.grid[r][c]) is not None
        ]


@few
@given(tables)
def test_reasons_say_why_buildings_count_nothing(table):
    for street in score(table).streets:
        special = {b for r in street.reasons if r.kind is ReasonKind.SPECIAL for b in r.buildings}
        for reason in street.reasons:
            assert reason.buildings
            assert list(reason.cells) == sorted(reason.cells)
            assert set(reason.void_by) <= special
            assert bool(reason.void_by) == reason.kind.endswith("-void")
            if reason.kind is ReasonKind.COUNTED:
                assert reason.points == sum(building.value for building in reason.buildings)
            else:
                assert reason.points == 0


@few
@given(tables)
def test_the_owner_of_a_special_building_does_not_matter(table):
    def given_away(plot):
        return replace(plot, owner=OTHER[plot.owner]) if plot.value is None else plot

    other = score(replace(table, grid=changed(table.grid, given_away)))
    assert results(other.streets) == results(score(table).streets)


@few
@given(tables)
def test_shops_always_count_and_void_nothing(table):
    """Only shops left: each street is the plain sum of them."""
    grid = tuple(
        tuple(plot if plot and plot.kind is Building.SHOP else None for plot in row)
        for row in table.grid
    )
    shops = score(replace(table, grid=grid)).streets
    for street, alone in zip(score(table).streets, shops, strict=True):
        assert street.blue >= alone.blue
        assert street.red >= alone.red
        plots = [grid[r][c] for r, c in street_cells(street) if grid[r][c]]
        assert alone.blue + alone.red == sum(plot.value for plot in plots)


@few
@given(tables)
def test_streets_award_their_bonus_to_the_higher_sum_when_full(table):
    sheet = score(table)
    for street in sheet.streets:
        assert street.full == all(table.grid[r][c] for r, c in street_cells(street))
        assert (street.winner is None) == (not street.full or street.blue == street.red)
        assert street.bonus == ((street.value or 0) if street.winner else 0)
    won = sum(street.bonus for street in sheet.streets)
    assert won == sheet.totals.blue + sheet.totals.red


@few
@given(boards, boards, heaps)
def test_collected_tiles_count_whatever_is_built(grid, other, collected):
    sheets = [score(Table(board, collected=collected)) for board in (grid, other)]
    for sheet in sheets:
        assert sheet.basis is Basis.COLLECTED
        assert sheet.tiles == collected
        assert sheet.totals == sheets[0].totals
        assert sheet.winners == sheets[0].winners
        assert all(street.bonus == 0 for street in sheet.streets)


@few
@given(tables, heaps)
def test_both_ways_to_give_values_show_the_same_sums(table, collected):
    heap_sheet = score(Table(table.grid, collected=collected))
    assert [(s.blue, s.red, s.winner, s.full, s.reasons) for s in heap_sheet.streets] == [
        (s.blue, s.red, s.winner, s.full, s.reasons) for s in score(table).streets
    ]


@pytest.mark.parametrize("block", range(4))
def test_dealt_tables_score_as_the_plain_scoring_says(block):
    for seed in range(150 * block, 150 * (block + 1)):
        table = dealt_table(seeded(seed))
        assert status(table) == ()
        sheet = score(table)
        streets, totals, winners = oracle.table_results(table)
        assert [(s.blue, s.red, s.winner, s.bonus) for s in sheet.streets] == streets
        assert (sheet.totals.blue, sheet.totals.red) == totals
        assert list(sheet.winners) == winners


def test_dealt_tables_hold_what_they_are_meant_to_test():
    """The comparison above would show little if ties and void buildings never occurred."""
    seen: Counter[str] = Counter()
    for seed in range(400):
        sheet = score(dealt_table(seeded(seed)))
        seen[sheet.basis] += 1
        seen["shared"] += len(sheet.winners) == 2 and sheet.totals.blue > 0
        for street in sheet.streets:
            seen["tie"] += street.full and street.winner is None
            seen["not full"] += not street.full
            seen["won a tile that is gone"] += street.winner is not None and street.value is None
            seen.update(reason.kind for reason in street.reasons)
    wanted = {*Basis, *ReasonKind, "shared", "tie", "not full", "won a tile that is gone"}
    assert {what: seen[what] for what in wanted if seen[what] < 3} == {}
