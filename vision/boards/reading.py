"""What the eye returns for a game known by pictures.

Pixels are those of the photo as viewers show it (EXIF orientation applied), x to the right, y down,
(0, 0) the centre of the top left pixel. Rows and columns count from 0 at the top left of a grid as
it is read upright; where tiles may lie in any rotation and no board says which way is up, that is
the way nearest to the photo's own.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from scoring.faces import Cell
from vision.reading import Quad, Unread

Point = tuple[float, float]

NameGrid = tuple[tuple[str | None, ...], ...]


@dataclass(frozen=True, slots=True)
class Token:
    """A figure standing on a cell.

    Attributes:
        at: the cell.
        kind: as the description calls it.
        foot_px: where it stands.
    """

    at: Cell
    kind: str
    foot_px: Point


@dataclass(frozen=True, slots=True)
class BesidePiece:
    """A piece in a slot or heap beside the cells.

    Attributes:
        place: name of the slots or the heap.
        number: of the slot; in a heap counted from 0.
        face: what it shows.
        corners_px: where it lies, as read upright.
        confidence: 0 to 1.
        unsure: whether a person must look.
        alternatives: what else it may be, likeliest first.
    """

    place: str
    number: int
    face: str
    corners_px: Quad
    confidence: float
    unsure: bool = False
    alternatives: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GridReading:
    """One grid of ``rows`` x ``columns`` cells as the eye sees it.

    Attributes:
        corners_px: of the whole grid.
        grid: what each cell shows; None: nothing lies there.
        confidence: per cell, 0 to 1: how likely ``grid`` is right.
        unsure: cells where a person must look, in reading order.
        tiles: the face of each tile, which may cover several cells; None: no tile there.
        turns: by how many quarters each tile is turned clockwise from its picture.
        tile_quads_px: where each tile or empty place lies, corners in the order of the grid.
        alternatives: for each unsure cell what else it may show, likeliest first; None: nothing.
        tokens: figures, in reading order of their cells.
        unsure_tokens: cells on which a figure may stand or may not, or of another kind.
        beside: pieces in slots and heaps.
        unsure_slots: slots (name, number) in which something may lie that cannot be read.
        notes: what is odd about this grid.
    """

    corners_px: Quad
    grid: NameGrid
    confidence: tuple[tuple[float, ...], ...]
    unsure: tuple[Cell, ...]
    tiles: NameGrid
    turns: tuple[tuple[int | None, ...], ...]
    tile_quads_px: tuple[tuple[Quad | None, ...], ...]
    alternatives: Mapping[Cell, tuple[str | None, ...]] = field(default_factory=dict)
    tokens: tuple[Token, ...] = ()
    unsure_tokens: tuple[Cell, ...] = ()
    beside: tuple[BesidePiece, ...] = ()
    unsure_slots: tuple[tuple[str, int], ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def centre_px(self) -> Point:
        """The middle of the four corners."""
        xs, ys = zip(*self.corners_px, strict=True)
        return sum(xs) / 4, sum(ys) / 4


@dataclass(frozen=True, slots=True)
class BoardReading:
    """All that was read from one photo; grids run clockwise as in ``vision.reading.Reading``."""

    photo: str
    game: str
    edition: str
    size_wh: tuple[int, int]
    grids: tuple[GridReading, ...]
    unread: tuple[Unread, ...] = ()
    notes: tuple[str, ...] = ()
    timings_ms: Mapping[str, float] = field(default_factory=dict)
