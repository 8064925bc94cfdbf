"""Legality of tables of the dice board: rulebook, numbers 1, 3, 4 and 6."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final

from scoring.errors import N_, Breach, BreachKind
from scoring.faces import Cell
from scoring.games.dice_board.table import CARDS_PER_COMPANY, Board, Company, Table
from scoring.legality import has_visible_characters

MAX_PLAYERS: Final = 4
"""Largest number of players with cards; a single one is allowed, as others may have none yet."""
COMPANIES_PER_PLAYER: Final = 5
"""Maximum number of companies of a player."""
MIN_LINES: Final = 2
"""Rows, and columns, of the smallest board, on which one company has room."""
MAX_LINES: Final = 50
"""Maximum number of rows, and of columns."""
HIGHEST_NUMBER: Final = 99
"""Maximum number along an edge of the board."""


class TableBreach(BreachKind):
    """Breaches of the rules of this game."""

    LINE_COUNT = N_(
        "numbers along this edge: {given}; "
        "give one for each of its {fewest} to {most} rows or columns"
    )
    EDGE_NUMBER = N_("a number along the edge is 0 to {highest}; correct this one")
    NO_COMPANIES = N_("no company on the board; give at least one")
    TOO_MANY_PLAYERS = N_("this is player {given}, but {most} can play; correct a player's name")
    TOO_MANY_COMPANIES = N_(
        "this is company {given} of its player, but each has {most}; "
        "correct the player or remove one"
    )
    EMPTY_PLAYER = N_("the player of this company has no name; give one")
    SIMILAR_PLAYERS = N_(
        "this player's name differs from another only by spaces around it; write both alike"
    )
    EMPTY_COMPANY_NAME = N_("the name of the company is empty; give one, or leave it out")
    TOO_MANY_PLOTS = N_("{given} plots, but a company has {allowed} cards; remove some")
    PLOT_OFF_BOARD = N_(
        "outside the board of {rows}x{columns} plots; in JSON rows and columns count from 0"
    )
    PLOT_USED_TWICE = N_(
        "row {row}, column {column} lies under another card as well; correct one of them"
    )
    NO_BLOCK = N_(
        "four cards complete a company on a block of 2x2 plots; correct a plot, "
        "or leave out the cards that do not lie in their place"
    )


def list_breaches(table: Table, *, lenient: bool = False) -> tuple[Breach, ...]:  # noqa: ARG001
    """List all breaches of the rules by a table.

    Args:
        table: Any table.
        lenient: No effect, as incomplete companies are always allowed. Accepted so that all games
            have the same interface.

    Returns:
        Every breach of a kind of ``TableBreach``: those of the board, of the players, of the
        companies in their order. Empty if the table can be scored.
    """
    return tuple(
        chain(
            _board_breaches(table.board),
            _company_count_breaches(table.companies),
            _name_breaches(table.companies),
            _plot_breaches(table),
        )
    )


def _board_breaches(board: Board) -> Iterator[Breach]:
    edges = (("$.row_numbers", board.row_numbers), ("$.column_numbers", board.column_numbers))
    for where, numbers in edges:
        given = len(numbers)
        if not MIN_LINES <= given <= MAX_LINES:
            yield TableBreach.LINE_COUNT.at(where, given=given, fewest=MIN_LINES, most=MAX_LINES)
        for index, number in enumerate(numbers):
            if not 0 <= number <= HIGHEST_NUMBER:
                yield TableBreach.EDGE_NUMBER.at(f"{where}[{index}]", highest=HIGHEST_NUMBER)


def _company_count_breaches(companies: Sequence[Company]) -> Iterator[Breach]:
    """Yield the first company of each player too many, and each company too many."""
    if not companies:
        yield TableBreach.NO_COMPANIES.at("$.companies")
    companies_of: Counter[str] = Counter()
    for index, company in enumerate(companies):
        where = f"$.companies[{index}]"
        companies_of[company.player] += 1
        given = companies_of[company.player]
        players = len(companies_of)
        if given == 1 and players > MAX_PLAYERS:
            yield TableBreach.TOO_MANY_PLAYERS.at(
                f"{where}.player", given=players, most=MAX_PLAYERS
            )
        if given > COMPANIES_PER_PLAYER:
            yield TableBreach.TOO_MANY_COMPANIES.at(where, given=given, most=COMPANIES_PER_PLAYER)


def _name_breaches(companies: Sequence[Company]) -> Iterator[Breach]:
    first_spelling: dict[str, str] = {}
    for index, company in enumerate(companies):
        where = f"$.companies[{index}]"
        bare = company.player.strip()
        if not has_visible_characters(bare):
            yield TableBreach.EMPTY_PLAYER.at(f"{where}.player")
        elif first_spelling.setdefault(bare, company.player) != company.player:
            yield TableBreach.SIMILAR_PLAYERS.at(f"{where}.player")
        if company.name is not None and not has_visible_characters(company.name):
            yield TableBreach.EMPTY_COMPANY_NAME.at(f"{where}.name")


def _plot_breaches(table: Table) -> Iterator[Breach]:
    rows, columns = len(table.board.row_numbers), len(table.board.column_numbers)
    taken: set[Cell] = set()
    for index, company in enumerate(table.companies):
        where = f"$.companies[{index}].plots"
        given = len(company.plots)
        if given > CARDS_PER_COMPANY:
            yield TableBreach.TOO_MANY_PLOTS.at(where, given=given, allowed=CARDS_PER_COMPANY)
        for number, (row, column) in enumerate(company.plots):
            plot = f"{where}[{number}]"
            if not (0 <= row < rows and 0 <= column < columns):
                yield TableBreach.PLOT_OFF_BOARD.at(plot, rows=rows, columns=columns)
            elif (row, column) in taken:
                yield TableBreach.PLOT_USED_TWICE.at(plot, row=row + 1, column=column + 1)
            taken.add((row, column))
        if company.complete and not _is_block(company.plots):
            yield TableBreach.NO_BLOCK.at(where)


def _is_block(plots: Sequence[Cell]) -> bool:
    top = min(row for row, _ in plots)
    left = min(column for _, column in plots)
    return set(plots) == {(top, left), (top, left + 1), (top + 1, left), (top + 1, left + 1)}
