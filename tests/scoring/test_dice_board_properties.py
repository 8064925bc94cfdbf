"""What holds for every table, and agreement with a second, plain scoring."""

from collections import Counter
from dataclasses import replace

import dice_board_oracle as oracle
import pytest
from dice_board_tables import block, dealt_table, seeded
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scoring.games.dice_board import score, status
from scoring.games.dice_board.table import Board, Company, Table

few = settings(max_examples=40)

edges = st.lists(st.integers(0, 99), min_size=2, max_size=12).map(tuple)
boards = st.builds(Board) | st.builds(Board, edges, edges)
players = st.sampled_from(["Red", "Blue", "Green", "Yellow"])


@st.composite
def tables(draw) -> Table:
    """Legal tables: blocks and loose cards on plots that are still free."""
    board = draw(boards)
    rows, columns = len(board.row_numbers), len(board.column_numbers)
    cells = st.tuples(st.integers(0, rows - 1), st.integers(0, columns - 1))
    corners = st.tuples(st.integers(0, rows - 2), st.integers(0, columns - 2))
    blocks = corners.flatmap(lambda corner: st.permutations(block(*corner)))
    loose = st.lists(cells, max_size=3, unique=True)
    companies, taken = [], set()
    for player, plots in draw(st.lists(st.tuples(players, blocks | loose), min_size=1, max_size=8)):
        if taken.isdisjoint(plots):
            taken.update(plots)
            companies.append(Company(player, tuple(plots)))
    assume(max(Counter(company.player for company in companies).values()) <= 5)
    return Table(tuple(companies), board)


def with_plots(table: Table, change, board: Board | None = None) -> Table:
    """The same companies with their plots changed, on the same or another board."""
    companies = tuple(
        replace(company, plots=tuple(change(company.plots))) for company in table.companies
    )
    return Table(companies, board or table.board)


def outcome(table: Table) -> tuple:
    sheet = score(table)
    return [company.points for company in sheet.companies], sheet.totals, sheet.winners


@few
@given(tables())
def test_totals_are_the_sums_of_complete_companies(table):
    sheet = score(table)
    assert tuple(player for player, _ in sheet.totals) == table.players
    for player, total in sheet.totals:
        own = [company for company in sheet.companies if company.player == player]
        plots = [plot for company in own if company.complete for plot in company.plots]
        assert total == sum(plot.value for plot in plots) == sum(c.points for c in own)
    highest = max(total for _, total in sheet.totals)
    assert sheet.winners == tuple(p for p, total in sheet.totals if total == highest)


@few
@given(tables())
def test_plots_say_which_numbers_point_at_them(table):
    sheet = score(table)
    for company, given_company in zip(sheet.companies, table.companies, strict=True):
        assert tuple(plot.cell for plot in company.plots) == given_company.plots
        for plot in company.plots:
            row, column = plot.cell
            assert plot.row_number == table.board.row_numbers[row]
            assert plot.column_number == table.board.column_numbers[column]
            assert plot.value == sheet.plot_values[row][column]


@few
@given(tables(), st.randoms(use_true_random=False))
def test_the_order_of_companies_does_not_matter(table, random):
    order = list(range(len(table.companies)))
    random.shuffle(order)
    shuffled = score(replace(table, companies=tuple(table.companies[index] for index in order)))
    sheet = score(table)
    assert list(shuffled.companies) == [sheet.companies[index] for index in order]
    assert dict(shuffled.totals) == dict(sheet.totals)
    assert set(shuffled.winners) == set(sheet.winners)


@few
@given(tables())
def test_the_order_of_plots_does_not_matter(table):
    assert outcome(with_plots(table, reversed)) == outcome(table)
    assert outcome(with_plots(table, sorted)) == outcome(table)


@few
@given(tables())
def test_a_mirrored_or_transposed_board_is_worth_the_same(table):
    rows, columns = table.board.row_numbers, table.board.column_numbers
    mirrored = with_plots(
        table,
        lambda plots: [(row, len(columns) - 1 - column) for row, column in plots],
        Board(rows, columns[::-1]),
    )
    transposed = with_plots(
        table, lambda plots: [(column, row) for row, column in plots], Board(columns, rows)
    )
    assert outcome(mirrored) == outcome(transposed) == outcome(table)


@few
@given(tables())
def test_a_number_raised_by_one_gives_a_point_to_each_card_in_its_row(table):
    rows = table.board.row_numbers
    assume(rows[0] < 99)
    raised = replace(table, board=replace(table.board, row_numbers=(rows[0] + 1, *rows[1:])))
    for before, after in zip(score(table).companies, score(raised).companies, strict=True):
        gained = [plot for plot in before.plots if plot.cell[0] == 0] if before.complete else []
        assert after.points - before.points == len(gained)


@few
@given(tables())
def test_taking_a_card_away_spoils_its_company_alone(table):
    before = score(table).companies
    for index, company in enumerate(table.companies):
        if not company.plots:
            continue
        fewer = replace(company, plots=company.plots[1:])
        changed = (*table.companies[:index], fewer, *table.companies[index + 1 :])
        after = score(replace(table, companies=changed)).companies
        assert (after[index].points, after[index].complete) == (0, False)
        assert after[:index] + after[index + 1 :] == before[:index] + before[index + 1 :]


@pytest.mark.parametrize("part", range(4))
def test_dealt_tables_score_as_the_plain_scoring_says(part):
    for seed in range(150 * part, 150 * (part + 1)):
        table = dealt_table(seeded(seed))
        assert status(table) == ()
        sheet = score(table)
        values, points, totals, winners = oracle.table_results(table)
        assert [list(row) for row in sheet.plot_values] == values
        assert [company.points for company in sheet.companies] == points
        assert list(sheet.totals) == list(totals.items())
        assert list(sheet.winners) == winners


def test_dealt_tables_hold_what_they_are_meant_to_test():
    """The comparison above would show little if complete companies and ties never occurred."""
    seen: Counter[str] = Counter()
    for seed in range(400):
        sheet = score(dealt_table(seeded(seed)))
        seen["shared"] += len(sheet.winners) > 1 and max(dict(sheet.totals).values()) > 0
        seen["four players"] += len(sheet.totals) == 4
        seen["five companies"] += len(sheet.companies) >= 5
        for company in sheet.companies:
            seen["complete"] += company.complete
            seen["incomplete"] += 0 < len(company.plots) < 4
            seen["no card"] += not company.plots
    assert {what: times for what, times in seen.items() if times < 10} == {}
    assert len(seen) == 6
