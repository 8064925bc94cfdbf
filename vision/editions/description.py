"""Description of a tile game as it lies on a table: the content of an ``edition.toml``.

A *grid* is what lies in rows and columns: a city of free tiles, or the plots of a printed board. It
has *cells*; a *tile* (tile, building, card) covers one cell or a block of them, and shows a *face*.
Rows and columns count from 0 at the top left. Lengths are millimetres; on a board x runs to the
right and y down from its top left corner.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from scoring.faces import Cell

READING_ONLY = "reading-only"
"""Name of the game in a description without rules: tables are read, but not scored."""


class TileTurns(StrEnum):
    """Turns in which tiles may lie within their grid."""

    UPRIGHT = "upright"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class FaceDescription:
    """Description of a kind of tile.

    Attributes:
        name: Identifier.
        images: Names of the picture files; they show the tile upright from edge to edge.
        cells: Names of what each cell of the upright tile shows, in rows; the face's own name
            for a tile of one cell.
    """

    name: str
    images: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]

    def turned_cells(self, quarters: int) -> tuple[tuple[str, ...], ...]:
        """Return the cells of the tile turned clockwise by a number of quarters."""
        cells = self.cells
        for _ in range(quarters % 4):
            cells = tuple(zip(*reversed(cells), strict=True))
        return cells


@dataclass(frozen=True, slots=True)
class Slots:
    """Row of places beside the cells, each for one piece: slot n lies at first + n * step.

    Attributes:
        name: Identifier, such as ``row``.
        faces: Names of the faces that may lie there.
        first_mm: Centre (x, y) of slot 0 on the board.
        step_mm: Vector (x, y) from one slot to the next.
        count: Number of slots.
    """

    name: str
    faces: tuple[str, ...]
    first_mm: tuple[float, float]
    step_mm: tuple[float, float]
    count: int


@dataclass(frozen=True, slots=True)
class Heap:
    """Area on or beside the board where any number of pieces may lie at any angle.

    Attributes:
        name: Identifier, such as ``blue``.
        faces: Names of the faces that may lie there.
        area_mm: Left, top, right and bottom edge.
    """

    name: str
    faces: tuple[str, ...]
    area_mm: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class BoardDescription:
    """Printed board.

    Attributes:
        image: Name of the picture file, which shows the empty board upright from edge to edge;
            None if the board is learned from photos of tiles on it.
        size_mm: Width and height.
        first_cell_mm: Centre (x, y) of the cell (0, 0).
        cell_mm: Distances between the centres of neighbouring cells, to the right and down.
        plots: Cells where something may lie; empty for all.
        slots: Single places beside the cells.
        heaps: Areas for pieces that lie anywhere.
    """

    image: str | None
    size_mm: tuple[float, float]
    first_cell_mm: tuple[float, float]
    cell_mm: tuple[float, float]
    plots: frozenset[Cell] = frozenset()
    slots: tuple[Slots, ...] = ()
    heaps: tuple[Heap, ...] = ()

    @property
    def places_beside(self) -> tuple[Slots | Heap, ...]:
        """Rows of slots, then heaps."""
        return (*self.slots, *self.heaps)

    @property
    def loose_faces(self) -> frozenset[str]:
        """Names of the faces that lie in slots and heaps."""
        return frozenset(name for place in self.places_beside for name in place.faces)


@dataclass(frozen=True, slots=True)
class TokenDescription:
    """Figure that may stand on a cell.

    Attributes:
        kind: Identifier, such as ``tourist-red``.
        colour_bgr: Colour of its paint.
        foot_mm: Diameter of its foot.
        height_mm: Height above the table.
    """

    kind: str
    colour_bgr: tuple[int, int, int]
    foot_mm: float
    height_mm: float


@dataclass(frozen=True, slots=True)
class Description:
    """Description of a tile game: all that image recognition knows of it.

    Attributes:
        name: Name of the edition.
        game: Name of the game whose rules hold, or ``READING_ONLY``.
        rows: Cells of a grid from top to bottom.
        columns: Cells of a grid from left to right.
        tile_mm: Edge of a tile, which is square.
        tile_turns: Turns in which tiles may lie; the key ``turned`` in ``edition.toml``.
        faces: Faces of tiles in the grid, and of pieces beside it, in the order of teaching.
        tile_cells: Rows and columns of cells that a tile covers.
        board: Printed board on which the tiles lie; None if they lie free, edge to edge.
        tokens: Figures that may stand on cells.
        most_grids: Largest number of grids of a game; further ones in a photo are left unread.
        numbers: Further numbers of a game, such as those along the edges of a board.
        turns_matter: Whether a turned tile has another meaning though it shows the same.
        most_tokens: Largest number of figures on a grid; None for any number.
        one_kind_of_token: Whether all figures on a grid are of one kind, as those of a player.
        no_tokens_on: Names of cells on which no figure may stand.
        duplexes: Whether two tiles side by side may be one piece.
        tile_height_mm: Thickness of a tile; 0 if it is unknown, or thin as card.
    """

    name: str
    game: str
    rows: int
    columns: int
    tile_mm: float
    tile_turns: TileTurns
    faces: tuple[FaceDescription, ...]
    tile_cells: tuple[int, int] = (1, 1)
    board: BoardDescription | None = None
    tokens: tuple[TokenDescription, ...] = ()
    most_grids: int = 1
    numbers: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    turns_matter: bool = False
    most_tokens: int | None = None
    one_kind_of_token: bool = False
    no_tokens_on: frozenset[str] = frozenset()
    duplexes: bool = False
    tile_height_mm: float = 0.0

    @property
    def any_grid_turn(self) -> bool:
        """True if a grid may be read in any turn: neither its tiles nor a board say what is up."""
        return self.tile_turns is TileTurns.ANY and self.board is None

    @property
    def tile_rows(self) -> int:
        """Rows of tiles in a full grid."""
        return self.rows // self.tile_cells[0]

    @property
    def tile_columns(self) -> int:
        """Columns of tiles in a full grid."""
        return self.columns // self.tile_cells[1]

    @property
    def loose_faces(self) -> frozenset[str]:
        """Names of the faces that lie in slots and heaps, never in the grid."""
        return frozenset() if self.board is None else self.board.loose_faces

    @property
    def grid_faces(self) -> tuple[FaceDescription, ...]:
        """Faces that may lie in the grid."""
        beside = self.loose_faces
        return tuple(face for face in self.faces if face.name not in beside)
