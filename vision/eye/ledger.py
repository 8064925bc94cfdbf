"""Ledger of all that the locator detected: each tile lies in a region read, unread or rejected.

One that is neither read nor in one of the two lists would be a grid lost silently. Therefore
recognition enters the grids that it drops. A search drops grids that overlap others without an
entry; ``vision.eye.leftovers`` enters the detected tiles that lie in none.
"""

from dataclasses import dataclass, field
from enum import StrEnum

from vision.arrays import Floats
from vision.eye.quads import coincides_with_any


class RejectionReason(StrEnum):
    """Reason why something that looks like tiles is no grid of the game."""

    FACE_DOWN = "face-down"
    """Whole tiles that look the same and like no known face, a face-down pile; or a grid placed
    over such a pile, or more like the backs of its tiles than like any face."""
    FEW_WHOLE_TILES = "few-whole-tiles"
    """Places without whole tiles, fewer than three tiles that resemble a known face, and no grid of
    known faces beside it, or hardly like a grid (``acceptance.may_be_grid``): a score board."""
    OTHER_SHAPE = "other-shape"
    """Squares that continue along three or four sides of a grid, whatever lies on them; tiles far
    from any known face in a grid that continues along a side or whose position is uncertain; or
    tiles like no known face where no grid of the photo has known faces or a certain position."""
    DIFFERENT_TILE_SIZE = "different-tile-size"
    """Squares of another size than the tiles on this table, none like a known face."""
    NO_KNOWN_FACE = "no-known-face"
    """More than three tenths of a grid's tiles together, fewer of them (or none surely) like known
    faces, and no grid found among them."""
    NO_RELIABLE_GRID = "no-reliable-grid"
    """Tiles detected only in finer images that show no reliable grid (``grid_grades``)."""
    EDGE_OF_GRID = "edge-of-grid"
    """A tile of a grid that was read or of another entry, detected up to half a tile outside it."""
    TOO_FEW_TILES = "too-few-tiles"
    """Three tenths of a grid's tiles together or fewer: left over, or a part of something else."""


@dataclass(frozen=True, slots=True, eq=False)
class RejectedRegion:
    """Region that looks like tiles and is no grid of the game.

    Attributes:
        quad_px: Shape (4, 2), outline.
        reason: Reason why it is no grid.
    """

    quad_px: Floats
    reason: RejectionReason


@dataclass(slots=True, eq=False)
class Ledger:
    """Entries for all that the locator detected, apart from the grids that were read.

    Attributes:
        unread: Quads (4, 2) of regions that may be grids and could not be read; a person is asked.
        rejected: Regions that are no grid of the game, with the reason.
    """

    unread: list[Floats] = field(default_factory=list)
    rejected: list[RejectedRegion] = field(default_factory=list)

    def leave_unread(self, quad_px: Floats) -> None:
        """Enter a region that may be a grid, unless it has been entered as one."""
        if not coincides_with_any(quad_px, self.unread):
            self.unread.append(quad_px)

    def reject(self, quad_px: Floats, reason: RejectionReason) -> None:
        """Enter a region that is no grid of the game."""
        self.rejected.append(RejectedRegion(quad_px, reason))

    @property
    def quads_px(self) -> list[Floats]:
        """Quads (4, 2) of all entries."""
        return [*self.unread, *(each.quad_px for each in self.rejected)]
