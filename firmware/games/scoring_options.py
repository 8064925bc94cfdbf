"""Options of scoring."""

from dataclasses import dataclass
from typing import Final

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
