"""Table of the dice board: the numbers along its edges, and the companies on it."""

from dataclasses import dataclass, field
from typing import Final

from scoring.faces import Cell

DEFAULT_NUMBERS: Final = (1, 2, 3, 4, 5, 6, 6, 5, 4, 3, 2, 1)
"""The numbers along each edge of the default board; they are highest in the centre."""
CARDS_PER_COMPANY: Final = 4
"""Number of cards, which fill a block of 2x2 plots."""


@dataclass(frozen=True, slots=True)
class Board:
    """The coordinate grid of the city; a plot is worth its row number and its column number.

    Attributes:
        row_numbers: Number beside each row, from the top.
        column_numbers: Number above each column, from the left.
    """

    row_numbers: tuple[int, ...] = DEFAULT_NUMBERS
    column_numbers: tuple[int, ...] = DEFAULT_NUMBERS


@dataclass(frozen=True, slots=True)
class Company:
    """The cards of one company that lie on the board.

    Attributes:
        player: Name of the owner.
        plots: Row and column of each card, in any order; 4 if the company is complete.
        name: Name of the company; None if not stated.
    """

    player: str
    plots: tuple[Cell, ...]
    name: str | None = None

    @property
    def complete(self) -> bool:
        """True if all four cards lie on the board."""
        return len(self.plots) == CARDS_PER_COMPANY


@dataclass(frozen=True, slots=True)
class Table:
    """A board with the companies of all players.

    Attributes:
        companies: Companies in any order.
        board: Numbers along the edges; those of the default board by default.
    """

    companies: tuple[Company, ...]
    board: Board = field(default_factory=Board)

    @property
    def players(self) -> tuple[str, ...]:
        """Names of the players in the order in which their first companies are listed."""
        return tuple(dict.fromkeys(company.player for company in self.companies))
