"""Ledger of everything that the locator saw: each thing is read, unread, or explained.

A thing that is neither would be a city lost without a word. So every stage that drops something
enters it here with its evidence, and a last sweep enters what no stage took up.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from vision.arrays import Floats
from vision.eye.lattice import overlap

SAME_THING: Final = 0.2
"""Two quads are one thing from this common area on, as a share of the smaller one. Larger: one odd
thing is told of several times; smaller: neighbours become one."""


class Explanation(StrEnum):
    """Why something that looks like tiles is no grid of the game."""

    FACE_DOWN = "face-down"
    """Whole tiles that all look the same and like no known face: a supply that lies face down."""
    NO_TILES = "no-tiles"
    """Places without whole tiles, none like a known face: a score board, a keyboard, a cloth."""
    OTHER_SHAPE = "other-shape"
    """Squares that go on beyond the rows and columns of the game, none like a known face."""
    OTHER_SIZE = "other-size"
    """Squares of another size than the tiles on this table, none like a known face."""
    NO_KNOWN_FACE = "no-known-face"
    """Squares together, none like a known face, and no grid was found among them."""
    ASIDE = "aside"
    """A tile of something that was read or entered, seen up to half a tile beside it."""
    LOOSE = "loose"
    """Fewer tiles together than may be a grid: left over, or a part of something else."""


@dataclass(frozen=True, slots=True, eq=False)
class Explained:
    """Something that looks like tiles and is no grid of the game.

    Attributes:
        quad_px: (4, 2) round it.
        why: evidence.
    """

    quad_px: Floats
    why: Explanation


@dataclass(slots=True, eq=False)
class Ledger:
    """Entries for the things that the locator saw, apart from the grids that were read.

    Attributes:
        unread: (4, 2) of each that may be a grid and could not be read: a person is asked.
        explained: those that are no grid.
    """

    unread: list[Floats] = field(default_factory=list)
    explained: list[Explained] = field(default_factory=list)

    def leave_unread(self, quad_px: Floats) -> None:
        """Enter something that may be a grid, once."""
        if not meets(quad_px, self.unread):
            self.unread.append(quad_px)

    def explain(self, quad_px: Floats, why: Explanation) -> None:
        """Enter something that is no grid."""
        self.explained.append(Explained(quad_px, why))

    @property
    def quads_px(self) -> list[Floats]:
        """All that was entered."""
        return [*self.unread, *(each.quad_px for each in self.explained)]


def meets(quad_px: Floats, others: Sequence[Floats]) -> bool:
    """Return whether a quad is the same thing as any other."""
    return any(overlap(quad_px, other) > SAME_THING for other in others)
