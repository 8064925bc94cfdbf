"""Reading of a photo: the faces of all cells with their confidence, places in pixels, and notes.

Pixels are those of the photo as viewers show it (EXIF orientation applied), x to the right, y down,
(0, 0) the centre of the top left pixel. Rows and columns count from 0 at the top left of a grid as
it is read upright. Where tiles may lie in any rotation and no board says which way is up, upright
is the quarter turn closest to the photo's own.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from math import atan2, tau
from typing import TypeVar

from scoring.faces import Cell
from vision.message import Value

T = TypeVar("T")

SIX_OCLOCK_TOLERANCE_RAD = 1e-6
"""Tolerance in radians by which rounding may move a grid that lies exactly at 6 o'clock."""

Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]
"""Top left, top right, bottom right, bottom left as read upright; pixels of the photo."""

PointTransform = Callable[[Sequence[Point]], Sequence[Sequence[float]]]
"""Function from points of one image to those of another one."""

NameGrid = tuple[tuple[str | None, ...], ...]
"""Rows of face names; None for an empty cell."""

PieceKey = tuple[str, int]
"""Name of the slots or heap beside a grid, and number of the slot or piece."""


class PlaceKind(StrEnum):
    """Kind of a place; the values are the words of the JSON output."""

    TILE = "tile"
    """Tile on a cell."""
    # JSON keeps the older words "token" and "beside"
    FIGURE = "token"
    """Figure on a cell: its kind, or none."""
    LOOSE = "beside"
    """Piece in a slot or heap beside the cells."""


@dataclass(frozen=True, slots=True)
class Place:
    """Address of a tile, figure or loose piece in a reading.

    Attributes:
        kind: Whether a tile, a figure or a loose piece is meant.
        grid: Index of the grid in the reading; 0 in ``GridReading.notes`` (see ``Note``).
        at: Cell, or for ``LOOSE`` the name of the slots or heap and the number in it.
    """

    kind: PlaceKind
    grid: int
    at: Cell | PieceKey

    @property
    def cell(self) -> Cell:
        """Row and column; for all kinds but ``LOOSE``."""
        first, second = self.at
        return int(first), second

    @property
    def piece(self) -> PieceKey:
        """Name and number; for ``LOOSE`` only."""
        first, second = self.at
        return str(first), second

    def turned(self, size: tuple[int, int], quarters: int) -> "Place":
        """Return the place in its grid as ``GridReading.turned`` reads it.

        Args:
            size: Rows and columns of the grid before the turn.
            quarters: Quarter turns clockwise; a loose piece stays.
        """
        if self.kind is PlaceKind.LOOSE:
            return self
        cell = self.cell
        for quarter in range(quarters % 4):
            cell = _turned_cell(cell, size[quarter % 2])
        return replace(self, at=cell)


def turned_rows(rows: tuple[tuple[T, ...], ...]) -> tuple[tuple[T, ...], ...]:
    """Return rows turned by a quarter clockwise."""
    return tuple(zip(*rows[::-1], strict=True))


def _turned_cell(cell: Cell, rows: int) -> Cell:
    """Return where a cell of a grid with ``rows`` rows lies after a quarter turn clockwise."""
    return cell[1], rows - 1 - cell[0]


def _rolled(quad: Quad) -> Quad:
    """Return a quad turned by a quarter clockwise: its bottom left corner becomes the top left."""
    return quad[3], quad[0], quad[1], quad[2]


def tile_of_cell(cell: Cell, tile_cells: tuple[int, int]) -> tuple[int, int]:
    """Return row and column of the tile on a cell, given rows and columns of cells on a tile."""
    return cell[0] // tile_cells[0], cell[1] // tile_cells[1]


def cells_of_tile(tile: tuple[int, int], tile_cells: tuple[int, int]) -> list[Cell]:
    """Return the cells under a tile (row, column), given rows and columns of cells on a tile."""
    (row, column), (rows, columns) = tile, tile_cells
    return [(row * rows + r, column * columns + c) for r in range(rows) for c in range(columns)]


def tile_places(cells: Iterable[Cell], grid: int = 0) -> tuple[Place, ...]:
    """Return the places of the tiles on cells of a grid."""
    return tuple(Place(PlaceKind.TILE, grid, cell) for cell in cells)


class NoteCode(StrEnum):
    """Codes of notes on a photo, a grid or an unread region; the values are those of the JSON."""

    OTHER_EDITION = "other-edition"
    """On a photo: the tiles do not look like those of the edition ``name``."""
    MUCH_LIGHT = "much-light"
    """Much of the photo is white, from light or a white table: a grid may have been missed."""
    DARK = "dark"
    """The photo is dark, so that a grid may have been missed."""
    BLURRED = "blurred"
    """The photo is blurred."""
    MOTION_BLURRED = "smeared"
    """Blurred by a camera that moved during the exposure."""
    FILE_END_MISSING = "file-end-missing"
    """The file lacks its end, but no pixel is missing."""
    CITY_GONE = "city-gone"
    """City ``letter`` of an earlier photo is gone."""
    CITY_GONE_OTHERS_MOVED = "city-gone-others-moved"
    """City ``letter`` of an earlier photo is gone, so later cities have other letters now."""
    CALIBRATION_OTHER_SIZE = "calibration-other-size"
    """The calibration is for photos of another size, and was not used."""
    CALIBRATION_MOVED = "calibration-moved"
    """The camera was moved since it was calibrated; the calibration was not used."""
    CALIBRATION_UNUSABLE = "calibration-unusable"
    """The calibration file cannot be used; values are those of the error and its ``template``."""

    GLARE = "glare"
    """Much of each tile at these places is white with light."""
    OVER_THE_EDGE = "over-the-edge"
    """The grid runs off the photo at the ``edges``, such as ``left bottom``."""
    TOO_SMALL = "too-small"
    """The tiles are only ``n`` pixels wide."""
    TOO_DARK = "too-dark"
    """The grid is too dark to be read surely; of a whole photo that is ``DARK``."""
    OUT_OF_FOCUS = "out-of-focus"
    """The grid is out of focus."""
    ALL_UNCLEAR = "all-unclear"
    """No tile of the grid is sure, for no other reason that concerns all of it."""
    EDGE_ROW_EMPTY = "edge-row-empty"
    """An outermost row or column is empty, so that the grid may lie one further."""
    OTHER_SIZE = "other-size"
    """The tiles are of another size than those of the calibrated table."""
    NO_TILE = "no-tile"
    """No tile can be seen at these places."""
    UPSIDE_DOWN = "upside-down"
    """Tiles at these places lie upside down in an upright grid."""
    ON_ITS_SIDE = "on-its-side"
    """Tiles at these places lie on their side in an upright grid."""
    HIDDEN = "hidden"
    """Tiles at these places resemble no known face: covered, or of another game."""
    OVER_SUPPLY = "over-supply"
    """More tiles on the table show ``face`` than the game has."""

    UNKNOWN_EDITION = "new-look"
    """Reason of an unread region in a photo with the note ``OTHER_EDITION``."""
    CITY_UNREADABLE = "city-unreadable"
    """Reason of an unread region that looks like a city of Between Two Cities."""
    GRID_UNREADABLE = "grid-unreadable"
    """Reason of an unread region that looks like a grid of any other game."""
    POSITION_UNCERTAIN = "end-uncertain"
    """The grid may lie a row or a column off, or be of another size."""
    WAY_UP_UNCERTAIN = "way-up-uncertain"
    """The way up of the grid is unclear: by its tiles, in a game that lays all the same way up, or
    by the rim of a board whose rim shows it."""
    LIGHT_HIDES = "light-hides"
    """A white reflection there is large enough to hide a grid."""


@dataclass(frozen=True, slots=True)
class Note:
    """Note on a photo, a grid or an unread region: a code with places and values, no sentence.

    A note in ``GridReading.notes`` does not know the index of its grid: ``grid`` is None, and that
    of its places 0. ``in_grid`` puts in the index.

    Attributes:
        code: A ``NoteCode``, or a code of a game's rules.
        grid: Index of the grid; None for a note on the photo, and in ``GridReading.notes``.
        places: Places in the grid.
        values: Further facts as pairs of name and value.
    """

    code: str
    grid: int | None = None
    places: tuple[Place, ...] = ()
    values: tuple[tuple[str, Value], ...] = ()

    def in_grid(self, grid: int) -> "Note":
        """Return a grid's note with the index of its grid, as the reading lists it."""
        return replace(
            self, grid=grid, places=tuple(replace(each, grid=grid) for each in self.places)
        )


def note(code: str, *cells: Cell, **values: Value) -> Note:
    """Make a note on cells of a grid."""
    return Note(code, places=tile_places(cells), values=tuple(values.items()))


@dataclass(frozen=True, slots=True)
class Figure:
    """Figure standing on a cell.

    Attributes:
        at: Cell.
        kind: Name of its kind in the edition.
        foot_px: Centre of its foot in the photo.
    """

    at: Cell
    kind: str
    foot_px: Point


@dataclass(frozen=True, slots=True)
class LoosePiece:
    """Piece in a slot or heap beside the cells.

    Attributes:
        container: Name of the slots or the heap.
        number: Number of the slot, or of the piece in a heap; from 0.
        face: Name of its face.
        corners_px: Outline in the photo, as read upright.
        confidence: Probability that ``face`` is right, 0 to 1.
        unsure: Whether a person must check it.
        alternatives: Other possible faces, likeliest first.
    """

    container: str
    number: int
    face: str
    corners_px: Quad
    confidence: float
    unsure: bool = False
    alternatives: tuple[str, ...] = ()

    @property
    def key(self) -> PieceKey:
        """Name of the slots or the heap, and number in it; its ``Place`` has it as ``at``."""
        return self.container, self.number


@dataclass(frozen=True, slots=True)
class GridReading:
    """Reading of one grid of rows x columns of cells: free tiles, or a board.

    Attributes:
        corners_px: Outline of the whole grid.
        faces: Face of each cell; None for an empty cell.
        confidence: Probability per cell that ``faces`` are right, 0 to 1.
        unsure: Cells that a person must check, in reading order.
        tile_quads_px: Outline of each tile or empty place, corners in the order of the grid; None
            if not known.
        tiles: Face of each tile, which may cover several cells; None for an empty place. Default:
            ``faces``, as each tile covers one cell.
        turns: Quarter turns clockwise of each tile against its picture; None if not known, which is
            the default.
        alternatives: Other possible faces by cell, likeliest first; None for an empty cell.
        figures: Figures in reading order of their cells.
        unsure_figures: Cells on which it is unsure whether or which figure stands.
        loose: Pieces in slots and heaps.
        unsure_slots: Slots that may hold something that could not be read.
        duplexes: Pairs of cells that are seen to be one piece.
        notes: Notes on this grid.
    """

    corners_px: Quad
    faces: NameGrid
    confidence: tuple[tuple[float, ...], ...]
    unsure: tuple[Cell, ...]
    tile_quads_px: tuple[tuple[Quad | None, ...], ...]
    tiles: NameGrid = ()
    turns: tuple[tuple[int | None, ...], ...] = ()
    alternatives: Mapping[Cell, tuple[str | None, ...]] = field(default_factory=dict)
    figures: tuple[Figure, ...] = ()
    unsure_figures: tuple[Cell, ...] = ()
    loose: tuple[LoosePiece, ...] = ()
    unsure_slots: tuple[PieceKey, ...] = ()
    duplexes: tuple[tuple[Cell, Cell], ...] = ()
    notes: tuple[Note, ...] = ()

    def __post_init__(self) -> None:
        if not self.tiles:
            object.__setattr__(self, "tiles", self.faces)
        if not self.turns:
            object.__setattr__(self, "turns", tuple((None,) * len(row) for row in self.tiles))

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns of cells."""
        return len(self.faces), len(self.faces[0])

    @property
    def tile_cells(self) -> tuple[int, int]:
        """Rows and columns of cells that a tile covers."""
        rows, columns = self.size
        return rows // len(self.tiles), columns // len(self.tiles[0])

    @property
    def centre_px(self) -> Point:
        """Mean of the four corners."""
        xs, ys = zip(*self.corners_px, strict=True)
        return sum(xs) / 4, sum(ys) / 4

    def face(self, cell: Cell) -> str | None:
        """Return the face of a cell; None if it is empty."""
        return self.faces[cell[0]][cell[1]]

    def figure(self, cell: Cell) -> Figure | None:
        """Return the figure on a cell; None if there is none."""
        return next((each for each in self.figures if each.at == cell), None)

    def piece(self, at: PieceKey) -> LoosePiece | None:
        """Return the piece in a slot or heap; None if none was read there."""
        return next((each for each in self.loose if each.key == at), None)

    def turned(self, quarters: int) -> "GridReading":
        """Return the grid as read in another turn, by quarter turns clockwise."""
        grid = self
        for _ in range(quarters % 4):
            grid = grid._turned_once()
        return grid

    def _turned_once(self) -> "GridReading":
        """Return the grid with its left column as the top row."""
        rows, size = len(self.faces), self.size

        def moved_cell(cell: Cell) -> Cell:
            return _turned_cell(cell, rows)

        tiles_turned = turned_rows(self.turns)
        return replace(
            self,
            corners_px=_rolled(self.corners_px),
            faces=turned_rows(self.faces),
            confidence=turned_rows(self.confidence),
            unsure=tuple(sorted(map(moved_cell, self.unsure))),
            tile_quads_px=tuple(
                tuple(None if quad is None else _rolled(quad) for quad in row)
                for row in turned_rows(self.tile_quads_px)
            ),
            tiles=turned_rows(self.tiles),
            turns=tuple(
                tuple(None if turn is None else (turn + 1) % 4 for turn in row)
                for row in tiles_turned
            ),
            alternatives={moved_cell(cell): names for cell, names in self.alternatives.items()},
            figures=tuple(
                sorted(
                    (replace(each, at=moved_cell(each.at)) for each in self.figures),
                    key=lambda each: each.at,
                )
            ),
            unsure_figures=tuple(sorted(map(moved_cell, self.unsure_figures))),
            duplexes=tuple(
                (moved_cell(first), moved_cell(second)) for first, second in self.duplexes
            ),
            notes=tuple(
                replace(each, places=tuple(place.turned(size, 1) for place in each.places))
                for each in self.notes
            ),
        )

    def transformed(self, transform: PointTransform) -> "GridReading":
        """Return the reading in pixels of another image."""
        quads = tuple(
            tuple(None if quad is None else transform_quad(quad, transform) for quad in row)
            for row in self.tile_quads_px
        )
        feet = transform([each.foot_px for each in self.figures]) if self.figures else ()
        return replace(
            self,
            corners_px=transform_quad(self.corners_px, transform),
            tile_quads_px=quads,
            figures=tuple(
                replace(each, foot_px=(x, y))
                for each, (x, y) in zip(self.figures, feet, strict=True)
            ),
            loose=tuple(
                replace(each, corners_px=transform_quad(each.corners_px, transform))
                for each in self.loose
            ),
        )


@dataclass(frozen=True, slots=True)
class Unread:
    """Region that may be a grid and could not be read, with the reason."""

    corners_px: Quad
    reason: Note


@dataclass(frozen=True, slots=True)
class GridSighting:
    """Grid as one of several photos shows it.

    Attributes:
        grid: Index of the grid in the joined reading.
        corners_px: Outline in the joined picture.
        is_best: True if this photo's reading of the grid takes precedence.
    """

    grid: int
    corners_px: Quad
    is_best: bool = True


@dataclass(frozen=True, slots=True)
class JoinedPhoto:
    """Photo that is one part of a joined picture.

    Attributes:
        name: Name of the photo.
        size_wh: Size of the photo in pixels.
        corners_px: Corners of its part in the joined picture.
        grids: Grids that it shows.
    """

    name: str
    size_wh: tuple[int, int]
    corners_px: Quad
    grids: tuple[GridSighting, ...] = ()

    def to_photo_px(self, points: Sequence[Point]) -> list[Point]:
        """Convert points of the joined picture to pixels of this photo."""
        (left, top), (right, _top), *_others = self.corners_px
        scale = self.size_wh[0] / (right - left)
        return [((x - left) * scale - 0.5, (y - top) * scale - 0.5) for x, y in points]


@dataclass(frozen=True, slots=True)
class Join:
    """Several photos of one table, and the order of its grids.

    Attributes:
        photos: Photos in the order given; those that could not be read are left out.
        order: Grids clockwise round the table, as far as the photos show it.
        is_order_known: Whether the photos prove this order.
        perhaps_same: Pairs of grids that may be the same one; a person has to say.
    """

    photos: tuple[JoinedPhoto, ...]
    order: tuple[int, ...]
    is_order_known: bool = True
    perhaps_same: tuple[tuple[int, int], ...] = ()

    def transformed(self, transform: PointTransform) -> "Join":
        """Return the join in pixels of another image."""
        photos = tuple(
            replace(
                photo,
                corners_px=transform_quad(photo.corners_px, transform),
                grids=tuple(
                    replace(grid, corners_px=transform_quad(grid.corners_px, transform))
                    for grid in photo.grids
                ),
            )
            for photo in self.photos
        )
        return replace(self, photos=photos)


@dataclass(frozen=True, slots=True)
class Reading:
    """Reading of one photo, or of several photos of one table.

    The pixels of several photos are those of a joined picture, which shows them side by side.

    Attributes:
        photo_name: Name of the photo, or names of all photos.
        game: Name of the game.
        edition: Name of the edition whose faces were sought.
        size_wh: Size of the photo in pixels.
        grids: Grids clockwise as seen from above round the centre of all of them, beginning at
            6 o'clock; on a rescan in the order of the last scan.
        unread: Regions that could not be read.
        notes: Notes on the photo as a whole.
        timings_ms: Time of each stage.
        join: Photos and order of a table that several photos show; None for one photo.
    """

    photo_name: str
    game: str
    edition: str
    size_wh: tuple[int, int]
    grids: tuple[GridReading, ...]
    unread: tuple[Unread, ...] = ()
    notes: tuple[Note, ...] = ()
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    join: Join | None = None

    @property
    def all_notes(self) -> tuple[Note, ...]:
        """Notes on the photo, then those on each grid."""
        of_grids = (each.in_grid(n) for n, grid in enumerate(self.grids) for each in grid.notes)
        return (*self.notes, *of_grids)

    def transformed(self, transform: PointTransform, size_wh: tuple[int, int]) -> "Reading":
        """Return the reading in pixels of another image of the given size."""
        return replace(
            self,
            size_wh=size_wh,
            grids=tuple(grid.transformed(transform) for grid in self.grids),
            unread=tuple(
                replace(each, corners_px=transform_quad(each.corners_px, transform))
                for each in self.unread
            ),
            join=None if self.join is None else self.join.transformed(transform),
        )


def transform_quad(quad: Quad, transform: PointTransform) -> Quad:
    """Return a quad in pixels of another image."""
    return as_quad(transform(quad))


def as_quad(points: Sequence[Sequence[float]]) -> Quad:
    """Return four points as a ``Quad``."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = points
    return (ax, ay), (bx, by), (cx, cy), (dx, dy)


def sort_clockwise(grids: Sequence[GridReading]) -> list[GridReading]:
    """Sort grids clockwise round the centre of all of them, beginning at 6 o'clock.

    Angles are those in the photo (y runs down), as the table is seen from above. Grids in exactly
    the same direction are sorted from the centre outwards.
    """
    if not grids:
        return []
    xs, ys = zip(*(grid.centre_px for grid in grids), strict=True)
    middle_x, middle_y = sum(xs) / len(xs), sum(ys) / len(ys)

    def polar(grid: GridReading) -> tuple[float, float]:
        dx, dy = grid.centre_px[0] - middle_x, grid.centre_px[1] - middle_y
        angle = atan2(-dx, dy) % tau
        return (0.0 if tau - angle < SIX_OCLOCK_TOLERANCE_RAD else angle), dx * dx + dy * dy

    return sorted(grids, key=polar)
