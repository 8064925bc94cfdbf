"""Options of scoring and printing."""

from dataclasses import dataclass
from typing import Final

MAX_COPIES: Final = 20
"""Largest number of copies of each face that are printed."""
MAX_SETS: Final = 4
"""Largest number of sets of tiles that are printed."""

STANDARD_VARIANT: Final = "standard"
"""Variant of a game that is played unless another one is named."""


@dataclass(frozen=True, slots=True)
class ScoringOptions:
    """Options for scoring a reading.

    Attributes:
        level: Level, for games that have levels.
        variant: Variant, for games that have variants.
        players: Names of the players; None if pieces or seats name them.
        order: Grids clockwise round the table, set by a person; None: as the photos show them.
        owners: Number of the player, from 0, who owns each grid; None if the pieces show it.
    """

    level: int = 1
    variant: str = STANDARD_VARIANT
    players: tuple[str, ...] | None = None
    owners: tuple[int, ...] | None = None
    order: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class PrintOptions:
    """Options for printing the sheets of a game; each game chooses defaults for the rest.

    Attributes:
        copies: Number of tiles of each face, 1 to ``MAX_COPIES``; None for the game's default.
        is_full: Whether everything in the box of the game is printed.
        sets: Number of sets of tiles, 1 to ``MAX_SETS``; None for the game's default.
        is_duplex: Whether the printer prints on both sides of the paper.
    """

    copies: int | None = None
    is_full: bool = False
    sets: int | None = None
    is_duplex: bool = False
