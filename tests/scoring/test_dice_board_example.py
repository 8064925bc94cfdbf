"""The plots and companies printed in the rulebook, number 4 and its drawing, and a whole table."""

import pytest

from scoring.games.dice_board import score
from scoring.games.dice_board.score_sheet import PlotScore
from scoring.games.dice_board.table import DEFAULT_NUMBERS, Board, Company, Table
from tests.scoring.dice_board_tables import block, example_table


def alone(*plots, board: Board | None = None):
    """The only company of a table."""
    (company,) = score(Table((Company("Red", plots),), board or Board())).companies
    return company


@pytest.mark.parametrize(
    ("plot", "row_number", "column_number", "value"),
    [((4, 4), 5, 5, 10), ((2, 1), 3, 2, 5)],  # plots A and B
)
def test_plots_of_the_rulebook_have_the_printed_values(plot, row_number, column_number, value):
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
def test_companies_of_the_rulebook_have_the_printed_points(plots, values, points):
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
