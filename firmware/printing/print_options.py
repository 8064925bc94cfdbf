"""Options of printing the sheets of a game."""

from dataclasses import dataclass
from typing import Final

MAX_COPIES: Final = 20
"""Largest number of copies of each face that are printed."""
MAX_SETS: Final = 4
"""Largest number of sets of tiles that are printed."""


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
