"""What is seen of a place of a lattice, and how far that speaks for a tile or for the bare table.

The figures are those of some 50,000 places of simulated photos, half hidden ones among them: where
half as much is seen, a tile and the table differ less, and what little is seen of a place tells
nothing.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

LEAST_SEEN = 0.2
"""Share of a place; if less of it is seen, that tells nothing."""
BETWEEN = 0.58
"""So unlike any picture a drawing is that tells neither for a tile nor against it."""
WHERE_LITTLE_IS_SEEN, MORE_BY_ALL_SEEN = 0.43, 0.25
"""The same where next to nothing is seen, and by how much more it would be where all is."""
STEEPNESS = 20.0
"""By which the logarithm of the odds grows the more a drawing is like a picture."""
PLAIN_TILE, PLAIN_TABLE = 4.0, -2.0
"""No place speaks more for a tile, or more against it, as something may cover the tile."""
TILE, BARE = 2.0, -1.5
"""Evidence of places that are plainly tiles, and that are plainly none."""


@dataclass(frozen=True, slots=True)
class PlaceSeen:
    """What is seen of a place where a tile may lie.

    Attributes:
        unlike: how unlike any picture what is seen of it is drawn, see ``local_contrast``.
        hidden: share of it that is white with light or outside the photo.
    """

    unlike: float
    hidden: float

    @property
    def evidence(self) -> float:
        """Natural logarithm of how many times likelier a tile looks so than the table does."""
        seen = 1 - self.hidden
        if seen < LEAST_SEEN:
            return 0.0
        between = min(BETWEEN, WHERE_LITTLE_IS_SEEN + MORE_BY_ALL_SEEN * seen)
        odds = STEEPNESS * (between - self.unlike)
        return float(np.clip(odds, PLAIN_TABLE, PLAIN_TILE))


def are_bare(places: Iterable[float]) -> bool:
    """Whether places of this evidence show the table on the whole, and none of them a tile."""
    evidence = list(places)
    return max(evidence) < TILE and sum(evidence) <= BARE * len(evidence)
