"""Score sheet of the dice board: companies with their plots, totals, winners."""

from dataclasses import dataclass

from scoring.faces import Cell, CityCell


@dataclass(frozen=True, slots=True)
class PlotScore:
    """A plot under a card and the two numbers that point at it.

    Attributes:
        cell: row and column on the board.
        row_number: the number of its row.
        column_number: the number of its column.
    """

    cell: Cell
    row_number: int
    column_number: int

    @property
    def value(self) -> int:
        """Return the points of the plot."""
        return self.row_number + self.column_number


@dataclass(frozen=True, slots=True)
class CompanyScore:
    """Points of one company.

    Attributes:
        player: name of the owner.
        name: of the company; None if it is not stated.
        points: the values of its four plots; 0 unless it is complete.
        complete: whether its four cards lie on the board.
        plots: where its cards lie, in the order of the table; those of a complete company add up
            to ``points``.
    """

    player: str
    name: str | None
    points: int
    complete: bool
    plots: tuple[PlotScore, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """The score of a whole table.

    Attributes:
        game: identifier of the game.
        plot_values: what each plot of the board is worth, row by row from the top left.
        companies: in the order of the table.
        totals: name and points of each player, in the order in which their first companies are
            listed; they are the points of the player's companies together.
        winners: names of the players with the highest total, in the same order.
        missing: always empty: an incomplete company is allowed and nothing is missing.
    """

    game: str
    plot_values: tuple[tuple[int, ...], ...]
    companies: tuple[CompanyScore, ...]
    totals: tuple[tuple[str, int], ...]
    winners: tuple[str, ...]
    missing: tuple[CityCell, ...] = ()
