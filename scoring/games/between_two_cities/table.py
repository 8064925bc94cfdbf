"""Finished table of Between Two Cities: its cities, their order and their owners."""

from dataclasses import dataclass
from enum import StrEnum

from scoring.areas import empty_cells
from scoring.faces import Cell, Grid

CITY_SIZE = 4
"""Rows, and columns, of a finished city."""

Duplex = tuple[Cell, Cell]
"""The two cells covered by one rigid piece with two faces."""


class Variant(StrEnum):
    """Way in which the players share the cities; its value is its name in files and JSON."""

    STANDARD = "standard"
    """3 to 7 players; each city is built by two neighbours."""
    TWO_PLAYER = "two-player"
    """2 players with two cities each."""


@dataclass(frozen=True, slots=True)
class City:
    """Tiles of a city, as it is read upright.

    Attributes:
        grid: 4 rows of 4 faces; None where no tile lies.
        duplexes: Two duplex tiles of the city; None if it is not stated where they lie.
    """

    grid: Grid
    duplexes: tuple[Duplex, ...] | None = None

    @property
    def missing(self) -> tuple[Cell, ...]:
        """The cells without a tile, in reading order."""
        return empty_cells(self.grid)


@dataclass(frozen=True, slots=True)
class Table:
    """All cities of a game.

    Attributes:
        cities: Cities, clockwise as seen from above unless ``order`` is given. In the standard game
            the i-th city clockwise lies between player i and player i+1. With two players they
            begin with the left city of player 0.
        variant: Standard, or two players with two cities each.
        owners: Two players only: player (0 or 1) who owns each city, in the order of
            ``cities``; None: the default seats, which are (0, 1, 1, 0).
        players: Names in seat order, clockwise; None for P1, P2, …
        order: Indices of ``cities`` clockwise; None if listed clockwise.
    """

    cities: tuple[City, ...]
    variant: Variant = Variant.STANDARD
    owners: tuple[int, ...] | None = None
    players: tuple[str, ...] | None = None
    order: tuple[int, ...] | None = None

    @property
    def player_count(self) -> int:
        """Number of players at this table."""
        return 2 if self.variant is Variant.TWO_PLAYER else len(self.cities)
