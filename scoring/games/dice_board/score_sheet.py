"""Score sheet of the dice board: companies with their plots, totals, winners."""

from dataclasses import dataclass

from scoring.faces import Cell, CityCell


@dataclass(frozen=True, slots=True)
class PlotScore:
    """A plot under a card, with the numbers of its row and column.

    Attributes:
        cell: Row and column on the board.
        row_number: Number of its row.
        column_number: Number of its column.
    """

    cell: Cell
    row_number: int
    column_number: int

    @property
    def value(self) -> int:
        """Points of the plot."""
        return self.row_number + self.column_number


@dataclass(frozen=True, slots=True)
class CompanyScore:
    """Points of one company.

    Attributes:
        player: Name of the owner.
        name: Name of the company; None if not stated.
        points: Values of its four plots; 0 unless it is complete.
        complete: True if its four cards lie on the board.
        plots: Plots of its cards, in the order of the table; those of a complete company add up
            to ``points``.
    """

    player: str
    name: str | None
    points: int
    complete: bool
    plots: tuple[PlotScore, ...]


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """The score of a whole table.

    Attributes:
        game: Identifier of the game.
        plot_values: Value of each plot of the board, row by row from the top left.
        companies: Companies in the order of the table.
        totals: Name and points of each player, in the order in which their first companies are
            listed; they are the points of the player's companies together.
        winners: Names of the players with the highest total, in the same order.
        missing: Always empty: an incomplete company is allowed and nothing is missing.
    """

    game: str
    plot_values: tuple[tuple[int, ...], ...]
    companies: tuple[CompanyScore, ...]
    totals: tuple[tuple[str, int], ...]
    winners: tuple[str, ...]
    missing: tuple[CityCell, ...] = ()
