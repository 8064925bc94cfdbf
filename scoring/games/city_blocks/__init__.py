"""City Blocks: a board and its value tiles in, a score sheet out.

    sheet = score(Table(parse_board(text), row_values, column_values))

``list_breaches`` returns all breaches of the rules by a table; ``score`` refuses such a table. The
rules are those of the rulebook's sections "Spielmaterial", "Bonus verteilen" and "Sieger".
"""

from typing import Final

from scoring.errors import TableError
from scoring.faces import Side
from scoring.games.city_blocks.legality import list_breaches
from scoring.games.city_blocks.points import score_streets, won_tiles
from scoring.games.city_blocks.score_sheet import Basis, ScoreSheet, Totals
from scoring.games.city_blocks.table import Table

__all__ = ["LEVELS", "NAME", "VARIANTS", "list_breaches", "score"]

NAME: Final = "city-blocks"
"""Identifier of the game in files and JSON."""

LEVELS: Final[tuple[int, ...]] = (1,)
"""The game has no levels."""

VARIANTS: Final[tuple[str, ...]] = ("standard",)
"""The game has no variants."""


def score(table: Table, *, lenient: bool = False) -> ScoreSheet:
    """Score a board, finished or not.

    Args:
        table: Board with the values beside it, or with the tiles that the players hold.
        lenient: No effect, as empty plots and value tiles that a player has taken are always
            allowed. Accepted so that all games have the same interface.

    Returns:
        Every street with its reasons, the totals and the winners.

    Raises:
        TableError: The rules do not allow the table; it names every breach that ``list_breaches``
            finds.
    """
    breaches = list_breaches(table, lenient=lenient)
    if breaches:
        raise TableError(breaches)
    streets = score_streets(table)
    tiles = won_tiles(streets) if table.collected is None else table.collected
    totals = Totals(sum(tiles.blue), sum(tiles.red))
    highest = max(totals.blue, totals.red)
    return ScoreSheet(
        game=NAME,
        basis=Basis.STREETS if table.collected is None else Basis.COLLECTED,
        streets=streets,
        tiles=tiles,
        totals=totals,
        winners=tuple(side for side in Side if totals[side] == highest),
    )
