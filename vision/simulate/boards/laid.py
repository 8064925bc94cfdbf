"""What has been laid on a simulated table, and where: the stuff that the truth is told from."""

from dataclasses import dataclass, field

from scoring.faces import Cell
from vision.arrays import Corners
from vision.simulate.boards.content import GridContent
from vision.simulate.boards.placing import GridPlace
from vision.simulate.boards.plane import Spot


@dataclass(frozen=True, slots=True, eq=False)
class LaidPiece:
    """A piece beside the cells; its corners on the plane begin at its picture's top left."""

    place: str
    number: int
    face: str
    corners: Corners
    in_heap: bool


@dataclass(slots=True, eq=False)
class LaidGrid:
    """A grid on the table.

    Attributes:
        content: of it.
        place: where it lies.
        tiles: corners on the plane by (row, column) of the tile, in the order of the grid.
        askew: tiles that lie clearly off their axes.
        feet: where figures stand on the plane, by cell.
        pieces: what lies beside the cells.
    """

    content: GridContent
    place: GridPlace
    tiles: dict[Cell, Corners] = field(default_factory=dict)
    askew: list[Cell] = field(default_factory=list)
    feet: dict[Cell, Spot] = field(default_factory=dict)
    pieces: list[LaidPiece] = field(default_factory=list)


@dataclass(frozen=True, slots=True, eq=False)
class LaidStray:
    """A left-over tile; its corners on the plane begin at its picture's top left."""

    face: str
    corners: Corners
