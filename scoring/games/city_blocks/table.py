"""Table of City Blocks: the board, and the value tiles beside it or held by the players."""

from dataclasses import dataclass
from typing import Final

from scoring.faces import BuildingKind, Side

ROWS: Final = 5
"""Plots from the top to the bottom of the board."""
COLUMNS: Final = 6
"""Plots from the left to the right of the board."""


@dataclass(frozen=True, slots=True)
class Building:
    """A building, wherever it stands.

    Attributes:
        owner: Colour of the building.
        kind: Kind of building.
        value: Number on a house, shop or factory; None for the others, which have none.
    """

    owner: Side
    kind: BuildingKind
    value: int | None = None


Board = tuple[tuple[Building | None, ...], ...]
"""Rows of plots from the top left of the board as it is read upright: the building on each, or
None."""


@dataclass(frozen=True, slots=True)
class PlayerTiles:
    """Value tiles of each player, without the spare ones of the start.

    Attributes:
        blue: Values of the tiles of blue, in dollars.
        red: Values of the tiles of red, in dollars.
    """

    blue: tuple[int, ...] = ()
    red: tuple[int, ...] = ()

    def __getitem__(self, side: Side) -> tuple[int, ...]:
        return self.blue if side is Side.BLUE else self.red


@dataclass(frozen=True, slots=True)
class Table:
    """A board, finished or not, with what decides about its points.

    Either both lists of values are given, or ``collected``.

    Attributes:
        grid: 5 rows of 6 plots.
        row_values: Value tile left of each row, from the top; None if a player has taken it.
        column_values: Value tile above each column, from the left; None if a player has taken it.
        collected: Tiles that the players have taken instead.
    """

    grid: Board
    row_values: tuple[int | None, ...] | None = None
    column_values: tuple[int | None, ...] | None = None
    collected: PlayerTiles | None = None
