"""What the eye returns: grids of cells with what they show, how sure that is, and what is odd.

Pixels are those of the photo as viewers show it (EXIF orientation applied), x to the right, y down,
(0, 0) the centre of the top left pixel. Rows and columns count from 0 at the top left of a grid as
it is read upright; where tiles may lie in any rotation and no board says which way is up, that is
the way nearest to the photo's own.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from math import atan2, tau

from scoring.faces import Cell
from vision.errors import Value

SAME_ANGLE = 1e-6
"""Radians; what rounding may take from a grid straight at 6 o'clock."""

Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]
"""Top left, top right, bottom right, bottom left as read upright; pixels of the photo."""

ToPixels = Callable[[Sequence[Point]], Sequence[Sequence[float]]]
"""Where points of one picture lie in another one."""

NameGrid = tuple[tuple[str | None, ...], ...]
"""Rows of names of faces; None: nothing lies there."""

PieceAt = tuple[str, int]
"""Name of the slots or heap beside a grid, and the number of the slot or piece."""


class PlaceKind(StrEnum):
    """What a place is for; the values are those of the JSON."""

    TILE = "tile"
    """What lies on a cell."""
    FIGURE = "token"
    """Whether a figure stands on a cell, and of which kind."""
    LOOSE = "beside"
    """A piece in a slot or heap beside the cells."""


@dataclass(frozen=True, slots=True)
class Place:
    """One place of a reading.

    Attributes:
        kind: what lies or stands there.
        grid: index of the grid in the reading; in the notes of a grid itself, 0.
        at: the cell; of ``LOOSE`` the name of the slots or heap and the number in it.
    """

    kind: PlaceKind
    grid: int
    at: Cell | PieceAt

    @property
    def cell(self) -> Cell:
        """Row and column; not for ``LOOSE``."""
        first, second = self.at
        return int(first), second

    @property
    def piece(self) -> PieceAt:
        """Name and number; for ``LOOSE`` alone."""
        first, second = self.at
        return str(first), second


def tile_places(cells: Iterable[Cell], grid: int = 0) -> tuple[Place, ...]:
    """The tiles on some cells of a grid, as places."""
    return tuple(Place(PlaceKind.TILE, grid, cell) for cell in cells)


class NoteCode(StrEnum):
    """What the eye may find odd about a photo, a grid or a region that it did not read."""

    OTHER_EDITION = "other-edition"
    """The tiles do not look like those of the edition ``name``."""
    MUCH_LIGHT = "much-light"
    DARK = "dark"
    BLURRED = "blurred"
    SMEARED = "smeared"
    """The camera moved."""
    FILE_END_MISSING = "file-end-missing"
    """No pixel is missing."""
    CITY_GONE = "city-gone"
    """City ``letter`` of an earlier photo is not there any more."""
    CITY_GONE_OTHERS_MOVED = "city-gone-others-moved"
    """The same, and the cities after it have other letters now."""
    CALIBRATION_OTHER_SIZE = "calibration-other-size"
    CALIBRATION_MOVED = "calibration-moved"
    CALIBRATION_UNUSABLE = "calibration-unusable"
    """The values are those of the error, with its ``template``."""

    GLARE = "glare"
    OVER_THE_EDGE = "over-the-edge"
    """Runs off the photo at the ``edges``, such as ``left bottom``."""
    TOO_SMALL = "too-small"
    """Tiles are only ``n`` pixels wide."""
    TOO_DARK = "too-dark"
    OUT_OF_FOCUS = "out-of-focus"
    ALL_UNCLEAR = "all-unclear"
    EDGE_ROW_EMPTY = "edge-row-empty"
    OTHER_SIZE = "other-size"
    NO_TILE = "no-tile"
    UPSIDE_DOWN = "upside-down"
    ON_ITS_SIDE = "on-its-side"
    HIDDEN = "hidden"
    OVER_SUPPLY = "over-supply"
    """More tiles on the table show ``face`` than the game has."""

    NEW_LOOK = "new-look"
    """Tiles lie there that do not look like those of the edition."""
    CITY_UNREADABLE = "city-unreadable"
    GRID_UNREADABLE = "grid-unreadable"
    END_UNCERTAIN = "end-uncertain"
    WAY_UP_UNCERTAIN = "way-up-uncertain"
    """All tiles of the game lie the same way up; which way cannot be told of this grid."""
    LIGHT_HIDES = "light-hides"


@dataclass(frozen=True, slots=True)
class Note:
    """Something odd: a code with places and values, never a sentence.

    Attributes:
        code: what: a ``NoteCode``, or of the rules of a game one of theirs.
        grid: index of the grid that it is about; None: the photo, or the grid that holds the note.
        places: where.
        values: further facts by name.
    """

    code: str
    grid: int | None = None
    places: tuple[Place, ...] = ()
    values: tuple[tuple[str, Value], ...] = ()

    def in_grid(self, grid: int) -> "Note":
        """The note of a grid as one of the reading."""
        return replace(
            self, grid=grid, places=tuple(replace(each, grid=grid) for each in self.places)
        )


def note(code: str, *cells: Cell, **values: Value) -> Note:
    """A note of a grid, on some of its cells."""
    return Note(code, places=tile_places(cells), values=tuple(values.items()))


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure standing on a cell.

    Attributes:
        at: the cell.
        kind: as the edition calls it.
        foot_px: where it stands.
    """

    at: Cell
    kind: str
    foot_px: Point


@dataclass(frozen=True, slots=True)
class LoosePiece:
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
    """One grid of rows x columns of cells, a city or a board, as the eye sees it.

    Attributes:
        corners_px: of the whole grid.
        grid: what each cell shows; None: nothing lies there.
        confidence: per cell, 0 to 1: how likely ``grid`` is right.
        unsure: cells where a person must look, in reading order.
        tile_quads_px: where each tile or empty place lies, corners in the order of the grid; None:
            not known.
        tiles: the face of each tile, which may cover several cells; None: no tile there. Left out:
            each tile covers one cell.
        turns: by how many quarters each tile is turned clockwise from its picture; None: not known.
            Left out: none is known.
        alternatives: what else each cell may show, likeliest first; None: nothing.
        figures: in reading order of their cells.
        unsure_figures: cells on which a figure may stand or may not, or of another kind.
        loose: pieces in slots and heaps.
        unsure_slots: slots in which something may lie that cannot be read.
        duplexes: pairs of cells that are seen to be one piece.
        notes: what is odd about this grid.
    """

    corners_px: Quad
    grid: NameGrid
    confidence: tuple[tuple[float, ...], ...]
    unsure: tuple[Cell, ...]
    tile_quads_px: tuple[tuple[Quad | None, ...], ...]
    tiles: NameGrid = ()
    turns: tuple[tuple[int | None, ...], ...] = ()
    alternatives: Mapping[Cell, tuple[str | None, ...]] = field(default_factory=dict)
    figures: tuple[Figure, ...] = ()
    unsure_figures: tuple[Cell, ...] = ()
    loose: tuple[LoosePiece, ...] = ()
    unsure_slots: tuple[PieceAt, ...] = ()
    duplexes: tuple[tuple[Cell, Cell], ...] = ()
    notes: tuple[Note, ...] = ()

    def __post_init__(self) -> None:
        if not self.tiles:
            object.__setattr__(self, "tiles", self.grid)
        if not self.turns:
            object.__setattr__(self, "turns", tuple((None,) * len(row) for row in self.tiles))

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns of cells."""
        return len(self.grid), len(self.grid[0])

    @property
    def centre_px(self) -> Point:
        """The middle of the four corners."""
        xs, ys = zip(*self.corners_px, strict=True)
        return sum(xs) / 4, sum(ys) / 4

    def face(self, cell: Cell) -> str | None:
        """What a cell shows; None: nothing lies there."""
        return self.grid[cell[0]][cell[1]]

    def figure(self, cell: Cell) -> Figure | None:
        """The figure on a cell; None: none was seen."""
        return next((each for each in self.figures if each.at == cell), None)

    def piece(self, at: PieceAt) -> LoosePiece | None:
        """The piece in a slot or heap; None: none was read there."""
        return next((each for each in self.loose if (each.place, each.number) == at), None)

    def moved(self, to: ToPixels) -> "GridReading":
        """The same in pixels of another picture."""
        quads = tuple(
            tuple(None if quad is None else moved(quad, to) for quad in row)
            for row in self.tile_quads_px
        )
        feet = to([each.foot_px for each in self.figures]) if self.figures else ()
        return replace(
            self,
            corners_px=moved(self.corners_px, to),
            tile_quads_px=quads,
            figures=tuple(
                replace(each, foot_px=(x, y))
                for each, (x, y) in zip(self.figures, feet, strict=True)
            ),
            loose=tuple(
                replace(each, corners_px=moved(each.corners_px, to)) for each in self.loose
            ),
        )


@dataclass(frozen=True, slots=True)
class Unread:
    """Something like a grid that could not be read."""

    corners_px: Quad
    why: Note


@dataclass(frozen=True, slots=True)
class Reading:
    """All that was read from one photo.

    ``grids`` run clockwise as seen from above, beginning with the first one clockwise from
    6 o'clock round the middle of all of them; ``notes`` are those on the photo as a whole.
    """

    photo: str
    game: str
    edition: str
    size_wh: tuple[int, int]
    grids: tuple[GridReading, ...]
    unread: tuple[Unread, ...] = ()
    notes: tuple[Note, ...] = ()
    timings_ms: Mapping[str, float] = field(default_factory=dict)

    @property
    def all_notes(self) -> tuple[Note, ...]:
        """Those on the photo, then those on each grid."""
        of_grids = (note.in_grid(n) for n, grid in enumerate(self.grids) for note in grid.notes)
        return (*self.notes, *of_grids)

    def moved(self, to: ToPixels, size_wh: tuple[int, int]) -> "Reading":
        """The same in pixels of another picture, which has a size of its own."""
        return replace(
            self,
            size_wh=size_wh,
            grids=tuple(grid.moved(to) for grid in self.grids),
            unread=tuple(
                replace(each, corners_px=moved(each.corners_px, to)) for each in self.unread
            ),
        )


def moved(quad: Quad, to: ToPixels) -> Quad:
    """A quad in pixels of another picture."""
    return as_quad(to(quad))


def as_quad(points: Sequence[Sequence[float]]) -> Quad:
    """Four points as a quad."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = points
    return (ax, ay), (bx, by), (cx, cy), (dx, dy)


def clockwise(cities: Sequence[GridReading]) -> list[GridReading]:
    """The cities clockwise round the middle of all, the first one clockwise from 6 o'clock first.

    Angles are those in the picture (y runs down), as the table is seen from above. Cities in the
    very same direction are ordered from the middle outwards.
    """
    if not cities:
        return []
    xs, ys = zip(*(city.centre_px for city in cities), strict=True)
    middle_x, middle_y = sum(xs) / len(xs), sum(ys) / len(ys)

    def place(city: GridReading) -> tuple[float, float]:
        dx, dy = city.centre_px[0] - middle_x, city.centre_px[1] - middle_y
        angle = atan2(-dx, dy) % tau
        return (0.0 if tau - angle < SAME_ANGLE else angle), dx * dx + dy * dy

    return sorted(cities, key=place)
