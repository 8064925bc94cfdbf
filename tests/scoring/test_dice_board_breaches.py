"""Refused tables of the dice board, with code and place."""

import pytest

from scoring.games.dice_board import list_breaches
from scoring.games.dice_board.table import Board, Company, Table
from tests.scoring.dice_board_tables import block

HUGE = 10**5000  # too long to be written as text


def found(table: Table) -> list[tuple[str, str]]:
    assert list_breaches(table, lenient=True) == list_breaches(table)
    return [(breach.code, breach.where) for breach in list_breaches(table)]


def of_plots(*companies) -> Table:
    """A table of companies of one player with these plots."""
    return Table(tuple(Company("Red", tuple(plots)) for plots in companies))


def of_players(*players: str) -> Table:
    """A table of companies without cards."""
    return Table(tuple(Company(player, ()) for player in players))


def test_table_without_a_company_is_refused():
    assert found(Table(())) == [("no-companies", "$.companies")]


@pytest.mark.parametrize(
    ("players", "expected"),
    [
        (["Red"], []),
        (["Red", "Blue", "Green", "Yellow", "Red"], []),
        (["Red", "Blue", "Green", "Yellow", "White"], [("too-many-players", 4)]),
        (
            ["Red", "Blue", "Green", "Yellow", "White", "White", "Black"],
            [("too-many-players", 4), ("too-many-players", 6)],
        ),
    ],
)
def test_at_most_four_players(players, expected):
    assert found(of_players(*players)) == [
        (code, f"$.companies[{index}].player") for code, index in expected
    ]


@pytest.mark.parametrize(
    ("players", "expected"),
    [
        (["Red"] * 5 + ["Blue"] * 5, []),
        (["Red"] * 6, [("too-many-companies", "$.companies[5]")]),
        (
            ["Red"] * 5 + ["Blue"] + ["Red"] * 2,
            [("too-many-companies", "$.companies[6]"), ("too-many-companies", "$.companies[7]")],
        ),
    ],
)
def test_at_most_five_companies_of_a_player(players, expected):
    assert found(of_players(*players)) == expected


@pytest.mark.parametrize("name", ["", " ", "\t\n"])
def test_names_are_not_empty(name):
    assert found(of_players("Red", name)) == [("empty-player", "$.companies[1].player")]
    table = Table((Company("Red", ()), Company("Red", (), name)))
    assert found(table) == [("empty-company-name", "$.companies[1].name")]


def test_a_name_with_spaces_around_it_is_not_taken_for_another_player():
    assert found(of_players("Red", "Red ", "Blue", "\tRed")) == [
        ("similar-players", "$.companies[1].player"),
        ("similar-players", "$.companies[3].player"),
    ]
    assert found(of_players("Red ", "red", "Red ")) == []


@pytest.mark.parametrize(
    ("plots", "wrong"),
    [
        ([], []), ([(0, 0), (11, 11), (5, 5)], []), (block(0, 0), []), (block(10, 10), []),
        ([(3, 3), (2, 2), (3, 2), (2, 3)], []),
        ([(0, 0), (0, 1), (0, 2), (0, 3)], ["no-block"]),
        ([(0, 0), (0, 1), (1, 1), (1, 2)], ["no-block"]),
        ([(0, 0), (0, 1), (2, 0), (2, 1)], ["no-block"]),
        ([(0, 0), (1, 1), (2, 2), (1, 0)], ["no-block"]),
        ([*block(0, 0), (2, 0)], ["too-many-plots"]), ([(12, 0)], ["plot-off-board[0]"]),
        ([(0, 12)], ["plot-off-board[0]"]), ([(0, 0), (-1, 0)], ["plot-off-board[1]"]),
        ([(0, 0), (0, -1)], ["plot-off-board[1]"]),
        (block(11, 0), ["plot-off-board[2]", "plot-off-board[3]"]),
        ([(0, 0), (1, 1), (0, 0)], ["plot-used-twice[2]"]),
        ([(0, 0), (0, 1), (1, 0), (0, 0)], ["plot-used-twice[3]", "no-block"]),
    ],
)  # fmt: skip
def test_wrong_plots_of_a_company_are_breaches(plots, wrong):
    breaches = found(of_plots([], plots))
    assert [code + where.removeprefix("$.companies[1].plots") for code, where in breaches] == wrong


@pytest.mark.parametrize("number", [HUGE, -HUGE], ids=["huge", "negative"])
def test_numbers_too_long_to_be_written(number):
    assert found(of_plots([(number, 0), (0, number)])) == [
        ("plot-off-board", "$.companies[0].plots[0]"),
        ("plot-off-board", "$.companies[0].plots[1]"),
    ]
    table = Table((Company("Red", ()),), Board((1, number), (number, 2)))
    assert found(table) == [
        ("edge-number", "$.row_numbers[1]"),
        ("edge-number", "$.column_numbers[0]"),
    ]


def test_a_plot_lies_under_one_company():
    breaches = list_breaches(of_plots(block(4, 4), [(5, 5), (6, 6)], block(6, 6)))
    assert [(breach.code, breach.where) for breach in breaches] == [
        ("plot-used-twice", "$.companies[1].plots[0]"),
        ("plot-used-twice", "$.companies[2].plots[0]"),
    ]
    assert dict(breaches[0].values) == {"row": 6, "column": 6}


@pytest.mark.parametrize(
    ("row_count", "column_count", "edges"),
    [
        (2, 50, []), (50, 2, []), (1, 12, ["row"]), (12, 1, ["column"]),
        (0, 0, ["row", "column"]), (51, 51, ["row", "column"]),
    ],
)  # fmt: skip
def test_size_of_the_board(row_count, column_count, edges):
    board = Board((7,) * row_count, (7,) * column_count)
    table = Table((Company("Red", ()),), board)
    assert found(table) == [("line-count", f"$.{edge}_numbers") for edge in edges]


def test_numbers_along_the_edges():
    table = Table((Company("Red", ()),), Board((0, 99, 100, -1), (99, 0, -1)))
    assert found(table) == [
        ("edge-number", "$.row_numbers[2]"),
        ("edge-number", "$.row_numbers[3]"),
        ("edge-number", "$.column_numbers[2]"),
    ]
    (breach,) = list_breaches(of_plots([(12, 0)]))
    assert breach.message == (
        "outside the board of 12x12 plots; in JSON rows and columns count from 0"
    )
    assert dict(breach.values) == {"rows": 12, "columns": 12}
