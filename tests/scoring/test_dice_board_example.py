"""The plots and companies printed in the rulebook, number 4 and its drawing, and a whole table."""

import pytest
from dice_board_tables import (
    EXAMPLE_OWNERS,
    EXAMPLE_PLOTS,
    EXAMPLE_POINTS,
    EXAMPLE_TOTALS,
    block,
    drawn_table,
    example_table,
)

from scoring.games.dice_board import score
from scoring.games.dice_board.sheet import CompanyScore, PlotScore
from scoring.games.dice_board.table import DEFAULT_NUMBERS, Board, Company, Table


def alone(*plots, board: Board | None = None):
    """The only company of a table."""
    (company,) = score(Table((Company("Red", plots),), board or Board())).companies
    return company


@pytest.mark.parametrize(
    ("plot", "row_number", "column_number", "value"),
    [((4, 4), 5, 5, 10), ((2, 1), 3, 2, 5)],  # plots A and B
)
def test_printed_plots(plot, row_number, column_number, value):
    (score_of_plot,) = alone(plot).plots
    assert score_of_plot == PlotScore(plot, row_number, column_number)
    assert score_of_plot.value == value
    row, column = plot
    assert score(example_table()).plot_values[row][column] == value


@pytest.mark.parametrize(
    ("plots", "values", "points"),
    [
        # Company X is printed as 11 + 10 + 10 + 9
        (((5, 7), (5, 8), (4, 7), (4, 8)), [11, 10, 10, 9], 40),
        # Company Y is printed as 2 + 3 + 3 + 3 + 4 = 12; four cards make 2 + 3 + 3 + 4
        (block(0, 0), [2, 3, 3, 4], 12),
    ],
)
def test_printed_companies(plots, values, points):
    company = alone(*plots)
    assert [plot.value for plot in company.plots] == values
    assert (company.points, company.complete) == (points, True)


def test_the_usual_board_is_highest_in_the_centre():
    assert Board() == Board(DEFAULT_NUMBERS, DEFAULT_NUMBERS)
    values = score(example_table()).plot_values
    assert (len(values), {len(row) for row in values}) == (12, {12})
    assert values[0] == (2, 3, 4, 5, 6, 7, 7, 6, 5, 4, 3, 2)
    best = max(max(row) for row in values)
    found = [(r, c) for r, row in enumerate(values) for c, value in enumerate(row) if value == best]
    assert (best, found) == (12, list(block(5, 5)))


def test_a_board_of_another_print_has_its_own_numbers():
    board = Board((1, 20, 3), (5, 0))
    company = alone(*block(1, 0), board=board)
    assert company.points == (20 + 5) + (20 + 0) + (3 + 5) + (3 + 0)
    assert score(Table((Company("Red", ()),), board)).plot_values == ((6, 1), (25, 20), (8, 3))


def test_the_example_is_scored_as_on_paper():
    sheet = score(example_table())
    assert {company.name: company.points for company in sheet.companies} == EXAMPLE_POINTS
    for company in sheet.companies:
        assert company.player == EXAMPLE_OWNERS[company.name]
        assert tuple(plot.value for plot in company.plots) == EXAMPLE_PLOTS[company.name]
        assert company.complete == company.name.isupper()
    assert sheet.totals == EXAMPLE_TOTALS
    assert sheet.winners == ("Red", "Blue")


def test_players_are_listed_as_their_first_companies_are():
    table = example_table()
    assert table.players == ("Red", "Blue", "Green", "Yellow")
    backwards = Table(table.companies[::-1])
    assert backwards.players == ("Green", "Yellow", "Blue", "Red")
    assert score(backwards).winners == ("Blue", "Red")


def test_if_no_company_is_complete_all_share():
    sheet = score(
        drawn_table("AA. BB. .B.", {"A": "Red", "B": "Blue"}, Board((1, 2, 1), (1, 2, 1)))
    )
    assert sheet.totals == (("Red", 0), ("Blue", 0))
    assert sheet.winners == ("Red", "Blue")


def test_a_company_keeps_its_name_or_has_none():
    table = Table((Company("Red", ()), Company("Red", (), "Mill")))
    assert score(table).companies == (
        CompanyScore("Red", None, 0, complete=False, plots=()),
        CompanyScore("Red", "Mill", 0, complete=False, plots=()),
    )
