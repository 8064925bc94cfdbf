"""The dice board (Stadtgesellschaftsspiel): companies on a board in, a score sheet out.

    sheet = score(Table((Company("P1", ((4, 4), (4, 5), (5, 4), (5, 5))),)))

``list_breaches`` returns all breaches of the rules by a table; ``score`` refuses such a table. The
rules are those of the rulebook's numbers 1, 3 and 4 and of its end, "Sobald ein Spieler …".
"""

from typing import Final

from scoring.errors import TableError
from scoring.games.dice_board.legality import list_breaches
from scoring.games.dice_board.points import score_company
from scoring.games.dice_board.score_sheet import ScoreSheet
from scoring.games.dice_board.table import Table

__all__ = ["LEVELS", "NAME", "VARIANTS", "list_breaches", "score"]

NAME: Final = "dice-board"
"""Identifier of the game in files and JSON."""

LEVELS: Final[tuple[int, ...]] = (1,)
"""The game has no levels."""

VARIANTS: Final[tuple[str, ...]] = ("standard",)
"""The game has no variants."""


def score(table: Table, *, lenient: bool = False) -> ScoreSheet:
    """Score the companies on a board.

    Players with the same total share their place: the rulebook names no tie-break.

    Args:
        table: Companies of all players, complete or not.
        lenient: No effect, as incomplete companies are always allowed. Accepted so that all games
            have the same interface.

    Returns:
        The values of all plots, the companies with their plots, the totals and the winners.

    Raises:
        TableError: The rules do not allow the table; it names every breach that ``list_breaches``
            finds.
    """
    breaches = list_breaches(table, lenient=lenient)
    if breaches:
        raise TableError(breaches)
    companies = tuple(score_company(company, table.board) for company in table.companies)
    totals = dict.fromkeys(table.players, 0)
    for company in companies:
        totals[company.player] += company.points
    highest = max(totals.values())
    return ScoreSheet(
        game=NAME,
        plot_values=tuple(
            tuple(row_number + column_number for column_number in table.board.column_numbers)
            for row_number in table.board.row_numbers
        ),
        companies=companies,
        totals=tuple(totals.items()),
        winners=tuple(player for player, points in totals.items() if points == highest),
    )
