"""What a tile game looks like on the table, as data: the content of an ``edition.toml``.

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
"""The game of a description without rules: its tables are read but not scored."""


class Turned(StrEnum):
    """How tiles may lie within their grid."""

    UPRIGHT = "upright"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class FaceDescription:
    """One kind of tile.

    Attributes:
        name: its identifier.
        images: names of its picture files; they show the tile upright from edge to edge.
        cells: what each cell of the upright tile shows, in rows; for a tile of one cell that is
            its own name.
    """

    name: str
    images: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]

    def turned_cells(self, quarters: int) -> tuple[tuple[str, ...], ...]:
        """What the cells show of a tile that is turned clockwise by so many quarters."""
        cells = self.cells
        for _ in range(quarters % 4):
            cells = tuple(zip(*reversed(cells), strict=True))
        return cells


@dataclass(frozen=True, slots=True)
class Slots:
    """Places in a row beside the cells, each for one piece: slot n lies at first + n * step.

    Attributes:
        name: such as ``row``.
        faces: names of those that may lie there.
        first_mm: centre (x, y) of slot 0 on the board.
        step_mm: from one slot to the next.
        count: of slots.
    """

    name: str
    faces: tuple[str, ...]
    first_mm: tuple[float, float]
    step_mm: tuple[float, float]
    count: int


@dataclass(frozen=True, slots=True)
class Heap:
    """An area, on the board or beside it, where any number of pieces may lie at any angle.

    Attributes:
        name: such as ``blue``.
        faces: names of those that may lie there.
        area_mm: left, top, right, bottom.
    """

    name: str
    faces: tuple[str, ...]
    area_mm: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class BoardDescription:
    """A printed board.

    Attributes:
        image: name of its picture file, which shows the empty board upright from edge to edge;
            None: there is none, photos of tiles on it teach it.
        size_mm: width and height.
        first_cell_mm: centre (x, y) of the cell (0, 0).
        cell_mm: from one cell's centre to the next, to the right and down.
        plots: the cells where something may lie; empty: all.
        slots: single places beside the cells.
        heaps: areas for pieces that lie anywhere.
    """

    image: str | None
    size_mm: tuple[float, float]
    first_cell_mm: tuple[float, float]
    cell_mm: tuple[float, float]
    plots: frozenset[Cell] = frozenset()
    slots: tuple[Slots, ...] = ()
    heaps: tuple[Heap, ...] = ()


@dataclass(frozen=True, slots=True)
class TokenDescription:
    """A figure that may stand on a cell.

    Attributes:
        kind: its identifier, such as ``tourist-red``.
        colour_bgr: its paint.
        foot_mm: diameter of what it stands on.
        height_mm: from the table to its top.
    """

    kind: str
    colour_bgr: tuple[int, int, int]
    foot_mm: float
    height_mm: float


@dataclass(frozen=True, slots=True)
class Description:
    """A tile game as the eye knows it.

    Attributes:
        name: of the edition.
        game: whose rules hold, or ``READING_ONLY``.
        rows: cells of a grid from top to bottom.
        columns: cells of a grid from left to right.
        tile_mm: edge of a tile, which is square.
        turned: how tiles may lie.
        faces: what tiles of the grid may show, and pieces beside it; in the order of teaching.
        tile_cells: rows and columns of cells that a tile covers.
        board: printed board on which the tiles lie; None: they lie free, edge to edge.
        tokens: figures that may stand on cells.
        most_grids: how many grids a photo may show.
        numbers: further numbers of a game, such as those along the edges of a board.
        turns_matter: whether a tile that is turned means something else though it shows the same.
        most_tokens: how many figures may stand on a grid; None: any number.
        one_kind_of_token: whether all figures on a grid are of one kind, as those of a player.
        no_tokens_on: what cells show on which no figure may stand.
        duplexes: whether two tiles side by side may be one piece.
        tile_height_mm: how thick a tile is; 0: not known, or thin as card.
    """

    name: str
    game: str
    rows: int
    columns: int
    tile_mm: float
    turned: Turned
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
    def tile_rows(self) -> int:
        """Of a full grid."""
        return self.rows // self.tile_cells[0]

    @property
    def tile_columns(self) -> int:
        """Of a full grid."""
        return self.columns // self.tile_cells[1]

    @property
    def beside_faces(self) -> frozenset[str]:
        """Names of the faces that lie in slots and heaps, never in the grid."""
        if self.board is None:
            return frozenset()
        places: tuple[Slots | Heap, ...] = (*self.board.slots, *self.board.heaps)
        return frozenset(name for place in places for name in place.faces)

    @property
    def grid_faces(self) -> tuple[FaceDescription, ...]:
        """The faces that may lie in the grid."""
        beside = self.beside_faces
        return tuple(face for face in self.faces if face.name not in beside)
