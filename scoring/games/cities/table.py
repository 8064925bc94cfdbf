"""Finished table of Cities: one city for each player, and its tourists."""

from dataclasses import dataclass
from typing import Final

from scoring.areas import empty_cells
from scoring.faces import Cell, Field

CITY_SIZE: Final = 8
"""Rows, and columns, of fields of a finished city: 4x4 tiles of 2x2 fields."""

TOURISTS_PER_PLAYER: Final = 7
"""The most tourists that can stand in a city."""

LEVELS: Final[tuple[int, ...]] = (1, 2, 3)
"""For beginners, dilemma, brain-teaser: rulebook, "Spielstufen"."""

Fields = tuple[tuple[Field | None, ...], ...]
"""Rows of fields from the top left of a city; None: no field there."""


@dataclass(frozen=True, slots=True)
class City:
    """The city of one player.

    Attributes:
        fields: 8 rows of 8 fields; None where no tile lies.
        tourists: Cells on which they stand, 7 at the most. Of several tourists on one area the
            first listed one gets its points.
    """

    fields: Fields
    tourists: tuple[Cell, ...] = ()

    @property
    def missing(self) -> tuple[Cell, ...]:
        """The cells without a field, in reading order."""
        return empty_cells(self.fields)


@dataclass(frozen=True, slots=True)
class Table:
    """All cities of a game.

    Attributes:
        cities: Cities in seat order; city i belongs to player i. A solo game has one; players who
            combine several boxes can have more than four.
        level: 1, 2 or 3; each level adds to the points of the one before.
        players: Names in seat order; None for P1, P2, …
    """

    cities: tuple[City, ...]
    level: int = 1
    players: tuple[str, ...] | None = None
