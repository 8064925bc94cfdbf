"""Which tables of the dice board can lie there: rulebook, numbers 1, 3, 4 and 6."""

from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import chain
from typing import Final

from scoring.errors import Breach
from scoring.faces import Cell
from scoring.games.dice_board.table import CARDS_PER_COMPANY, Board, Company, Table
from scoring.legality import breach, has_letters

MOST_PLAYERS: Final = 4
"""One player alone is allowed: the others may have no card on the board yet."""
COMPANIES_PER_PLAYER: Final = 5
FEWEST_LINES: Final = 2
"""Rows, and columns, of the smallest board, on which one company has room."""
MOST_LINES: Final = 50
HIGHEST_NUMBER: Final = 99


class BreachCode(StrEnum):
    """What can be wrong with a table."""

    LINE_COUNT = "line-count"
    EDGE_NUMBER = "edge-number"
    NO_COMPANIES = "no-companies"
    TOO_MANY_PLAYERS = "too-many-players"
    TOO_MANY_COMPANIES = "too-many-companies"
    EMPTY_PLAYER = "empty-player"
    SIMILAR_PLAYERS = "similar-players"
    EMPTY_COMPANY_NAME = "empty-company-name"
    TOO_MANY_PLOTS = "too-many-plots"
    PLOT_OFF_BOARD = "plot-off-board"
    PLOT_USED_TWICE = "plot-used-twice"
    NO_BLOCK = "no-block"


TEXTS: Final = {
    BreachCode.LINE_COUNT: "{given} numbers along this edge; give one for each of its "
    "{fewest} to {most} rows or columns",
    BreachCode.EDGE_NUMBER: "a number along the edge is 0 to {highest}; correct this one",
    BreachCode.NO_COMPANIES: "no company on the board; give at least one",
    BreachCode.TOO_MANY_PLAYERS: "this is player {given}, but {most} can play; "
    "correct a player's name",
    BreachCode.TOO_MANY_COMPANIES: "this is company {given} of its player, but each has {most}; "
    "correct the player or remove one",
    BreachCode.EMPTY_PLAYER: "the player of this company has no name; give one",
    BreachCode.SIMILAR_PLAYERS: "this player's name differs from another only by spaces around "
    "it; write both alike",
    BreachCode.EMPTY_COMPANY_NAME: "the name of the company is empty; give one, or leave it out",
    BreachCode.TOO_MANY_PLOTS: "{given} plots, but a company has {allowed} cards; remove some",
    BreachCode.PLOT_OFF_BOARD: "outside the board of {rows} rows and {columns} columns, which "
    "count from 0; correct it",
    BreachCode.PLOT_USED_TWICE: "row {row}, column {column} lies under another card as well; "
    "correct one of them",
    BreachCode.NO_BLOCK: "four cards complete a company on a block of 2x2 plots; correct a plot, "
    "or leave out the cards that do not lie in their place",
}
"""The words for each breach; its values take the places in braces."""


def status(table: Table, *, lenient: bool = False) -> tuple[Breach, ...]:  # noqa: ARG001
    """All ways in which a table cannot lie there.

    Args:
        table: any table.
        lenient: changes nothing: incomplete companies are always allowed. All games take it.

    Returns:
        Every breach, with a code of ``BreachCode``: those of the board, of the players, of the
        companies in their order. Empty if the table can be scored.
    """
    return tuple(
        chain(
            _board_breaches(table.board),
            _company_count_breaches(table.companies),
            _player_name_breaches(table.companies),
            _plot_breaches(table),
        )
    )


def _breach(code: BreachCode, place: str, **values: int | str) -> Breach:
    return breach(TEXTS, code, place, **values)


def _board_breaches(board: Board) -> Iterator[Breach]:
    edges = (("$.row_numbers", board.row_numbers), ("$.column_numbers", board.column_numbers))
    for place, numbers in edges:
        given = len(numbers)
        if not FEWEST_LINES <= given <= MOST_LINES:
            yield _breach(
                BreachCode.LINE_COUNT, place, given=given, fewest=FEWEST_LINES, most=MOST_LINES
            )
        for index, number in enumerate(numbers):
            if not 0 <= number <= HIGHEST_NUMBER:
                yield _breach(BreachCode.EDGE_NUMBER, f"{place}[{index}]", highest=HIGHEST_NUMBER)


def _company_count_breaches(companies: Sequence[Company]) -> Iterator[Breach]:
    """Named at the first company of each player too many, and at each company too many."""
    if not companies:
        yield _breach(BreachCode.NO_COMPANIES, "$.companies")
    companies_of: Counter[str] = Counter()
    for index, company in enumerate(companies):
        companies_of[company.player] += 1
        given = companies_of[company.player]
        if given == 1 and len(companies_of) > MOST_PLAYERS:
            yield _breach(
                BreachCode.TOO_MANY_PLAYERS,
                f"$.companies[{index}].player",
                given=len(companies_of),
                most=MOST_PLAYERS,
            )
        if given > COMPANIES_PER_PLAYER:
            yield _breach(
                BreachCode.TOO_MANY_COMPANIES,
                f"$.companies[{index}]",
                given=given,
                most=COMPANIES_PER_PLAYER,
            )


def _player_name_breaches(companies: Sequence[Company]) -> Iterator[Breach]:
    first_spelling: dict[str, str] = {}
    for index, company in enumerate(companies):
        place = f"$.companies[{index}]"
        bare = company.player.strip()
        if not has_letters(bare):
            yield _breach(BreachCode.EMPTY_PLAYER, f"{place}.player")
        elif first_spelling.setdefault(bare, company.player) != company.player:
            yield _breach(BreachCode.SIMILAR_PLAYERS, f"{place}.player")
        if company.name is not None and not has_letters(company.name):
            yield _breach(BreachCode.EMPTY_COMPANY_NAME, f"{place}.name")


def _plot_breaches(table: Table) -> Iterator[Breach]:
    rows, columns = len(table.board.row_numbers), len(table.board.column_numbers)
    taken: set[Cell] = set()
    for index, company in enumerate(table.companies):
        place = f"$.companies[{index}].plots"
        given = len(company.plots)
        if given > CARDS_PER_COMPANY:
            yield _breach(BreachCode.TOO_MANY_PLOTS, place, given=given, allowed=CARDS_PER_COMPANY)
        for number, (row, column) in enumerate(company.plots):
            if not (0 <= row < rows and 0 <= column < columns):
                yield _breach(
                    BreachCode.PLOT_OFF_BOARD, f"{place}[{number}]", rows=rows, columns=columns
                )
            elif (row, column) in taken:
                yield _breach(
                    BreachCode.PLOT_USED_TWICE, f"{place}[{number}]", row=row, column=column
                )
            taken.add((row, column))
        if company.complete and not _is_block(company.plots):
            yield _breach(BreachCode.NO_BLOCK, place)


def _is_block(plots: Sequence[Cell]) -> bool:
    top = min(row for row, _ in plots)
    left = min(column for _, column in plots)
    return set(plots) == {(top, left), (top, left + 1), (top + 1, left), (top + 1, left + 1)}
