"""What can be chosen about sheets to print."""

from dataclasses import dataclass
from typing import Final

MOST_COPIES: Final = 20
MOST_SETS: Final = 4


@dataclass(frozen=True, slots=True)
class Choices:
    """What was chosen; what is not chosen is as each game sees fit.

    Attributes:
        copies: of each face, 1 to ``MOST_COPIES``; None: not chosen.
        is_full: everything that is in the box of the game.
        sets: of tiles, 1 to ``MOST_SETS``; None: not chosen.
        is_duplex: for printing on both sides of the paper.
    """

    copies: int | None = None
    is_full: bool = False
    sets: int | None = None
    is_duplex: bool = False
