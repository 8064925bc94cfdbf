"""Load the ground truth of a photo: what lies where, and what of it can be seen.

It is the file ``NAME.json`` beside the photo, which ``stadtblick simulate`` writes and
docs/ground-truth.md describes; unknown keys are ignored. Pixels are those of the photo, (0, 0) the
centre of the top left pixel.
"""

import json
import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from scoring.faces import Cell
from vision.editions.edition import BETWEEN_TWO_CITIES
from vision.errors import VisionError
from vision.message import Message
from vision.photo.regular_file import read_start
from vision.reading import NameGrid, Point, Quad
from vision.toml_and_json import InvalidValueError, Node, shown_path

TEACH: Final = "teach"
NO_CONDITION: Final = "unnamed"
_MAX_BYTES: Final = 8_000_000
_MIN_WASHED_OUT_SHARE: Final = 0.5
"""Minimum share of blown pixels of a washed-out cell, and of such cells in a washed-out grid."""
_IN_FULL_VIEW: Final = 0.95
"""Minimum visible share of a piece in full view."""
_SHORTEST_EDGE_PX: Final = 1
"""Minimum length of the upper edge of a quad."""


class TruthError(VisionError, ValueError):
    """Unusable file of ground truth."""


class Visibility(StrEnum):
    """Visibility of a cell, or of a piece beside the cells."""

    VISIBLE = "visible"
    TOKEN = "token"  # noqa: S105 - a figure of a game
    """A figure stands on it."""
    COVERED = "covered"
    OUTSIDE = "outside"
    TURNED = "turned"
    """The tile lies the wrong way."""
    ASKEW = "askew"
    EMPTY = "empty"
    """An empty plot of a printed board."""
    MISSING = "missing"
    """There is no tile."""

    @property
    def in_full_view(self) -> bool:
        """True if nothing but a figure hides it."""
        return self in (Visibility.VISIBLE, Visibility.TOKEN, Visibility.EMPTY)


@dataclass(frozen=True, slots=True)
class BesideTruth:
    """Piece beside the cells.

    Attributes:
        container: Name of the slots or heap.
        number: Number of the slot.
        face: Name of its face.
        corners_px: Corners in the photo.
        in_heap: Whether it lies in a heap, where its number has no meaning.
        covered: Whether something covers a part of it.
    """

    container: str
    number: int
    face: str
    corners_px: Quad
    in_heap: bool = False
    covered: bool = False

    @property
    def centre_px(self) -> Point:
        """Mean of its corners."""
        return mean_point(self.corners_px)

    @property
    def edge_px(self) -> float:
        """Length of its upper edge."""
        return math.dist(self.corners_px[0], self.corners_px[1])


@dataclass(frozen=True, slots=True)
class StrayTruth:
    """Left-over tile: its face and its corners in the photo."""

    face: str
    corners_px: Quad


@dataclass(frozen=True, slots=True)
class GridTruth:
    """Grid in a photo, as it really lies.

    Attributes:
        corners_px: Corners of the grid.
        grid: Name of what each cell shows; None if no tile lies there.
        tile_columns: Number of tiles in a row.
        tokens: Figures by their cells.
        beside: Pieces beside the cells.
        covered: Cells that something other than a figure covers in part.
        outside: Cells partly outside the photo.
        turned: Cells of tiles that lie the wrong way.
        askew: Cells of tiles that lie clearly off their axes.
        is_washed_out: Whether light leaves half of the grid white or more.
        tile_quads_px: Quads of its tiles in reading order, None where there is none; empty if
            unknown.
        duplexes: Pairs of tiles that are one piece; None if unknown.
        on_board: Whether its cells are plots of a printed board, which may be empty.
    """

    corners_px: Quad
    grid: NameGrid
    tile_columns: int
    tokens: Mapping[Cell, str] = field(default_factory=dict)
    beside: tuple[BesideTruth, ...] = ()
    covered: frozenset[Cell] = frozenset()
    outside: frozenset[Cell] = frozenset()
    turned: frozenset[Cell] = frozenset()
    askew: frozenset[Cell] = frozenset()
    is_washed_out: bool = False
    tile_quads_px: tuple[Quad | None, ...] = ()
    duplexes: frozenset[tuple[Cell, Cell]] | None = None
    on_board: bool = False

    @property
    def centre_px(self) -> Point:
        """Mean of the four corners."""
        return mean_point(self.corners_px)

    @property
    def tile_px(self) -> float:
        """Width of a tile along the upper edge."""
        return math.dist(self.corners_px[0], self.corners_px[1]) / self.tile_columns

    def visibility(self, cell: Cell) -> Visibility:
        """Return the visibility of a cell; if several hold, the one that hides most."""
        if self.grid[cell[0]][cell[1]] is None and cell not in self.outside:
            if cell in self.covered:
                return Visibility.COVERED
            return Visibility.EMPTY if self.on_board else Visibility.MISSING
        if cell in self.outside:
            return Visibility.OUTSIDE
        if cell in self.covered:
            return Visibility.COVERED
        if cell in self.turned:
            return Visibility.TURNED
        if cell in self.askew:
            return Visibility.ASKEW
        return Visibility.TOKEN if cell in self.tokens else Visibility.VISIBLE


@dataclass(frozen=True, slots=True)
class PhotoTruth:
    """Ground truth of one photo.

    Attributes:
        path: Path of the photo.
        condition: Condition under which it was taken.
        grids: Grids in it, if any.
        any_rotation: Whether no board tells which way is up.
        is_table: Whether there are grids to find, rather than faces to learn.
        strays: Left-over tiles.
    """

    path: Path
    condition: str
    grids: tuple[GridTruth, ...]
    any_rotation: bool = False
    is_table: bool = True
    strays: tuple[StrayTruth, ...] = ()


def mean_point(quad: Quad) -> Point:
    """Return the mean of four corners."""
    xs, ys = zip(*quad, strict=True)
    return sum(xs) / 4, sum(ys) / 4


def load_truth(
    path: Path, game: str, names: Collection[str] | None = None, *, on_board: bool = False
) -> PhotoTruth:
    """Load a file of ground truth; for the arguments see ``parse_truth``.

    Raises:
        TruthError: ``truth-unreadable``, or the errors of ``parse_truth``.
    """
    try:
        document = _load_json(path)
    except OSError as error:
        why = Message(error.strerror or type(error).__name__)
        raise TruthError(
            "truth-unreadable",
            "the reference data cannot be read ({why}): check the file",
            str(path),
            why=why,
        ) from error
    return parse_truth(document, path, game, names, on_board=on_board)


def truth_game(path: Path) -> str | None:
    """Return the game of a file of ground truth; None for an unusable one."""
    try:
        document = _load_json(path)
    except OSError:
        return None
    game = document.get("game", BETWEEN_TWO_CITIES) if isinstance(document, dict) else None
    return game if isinstance(game, str) else None


def _load_json(path: Path) -> Any:
    """Load the JSON of a file; None if it is none, or too large.

    Raises:
        OSError: The file cannot be read.
    """
    data = read_start(path, _MAX_BYTES + 1)
    try:
        return json.loads(data) if len(data) <= _MAX_BYTES else None
    except (ValueError, RecursionError):
        return None


def parse_truth(
    document: Any,
    path: Path,
    game: str,
    names: Collection[str] | None = None,
    *,
    on_board: bool = False,
) -> PhotoTruth:
    """Parse the ground truth of a photo.

    Args:
        document: Value of ``json.loads``.
        path: Path of the file, for errors; the photo lies beside it.
        game: Game of which it must be.
        names: All that a cell may show; None if that is not checked.
        on_board: Whether the game has a printed board, whose plots may be empty.

    Raises:
        TruthError: ``truth-not-usable`` or ``truth-other-game``.
    """
    root = Node(document)
    try:
        its_game = root.get("game", BETWEEN_TWO_CITIES).text()
        if its_game != game:
            raise TruthError(
                "truth-other-game",
                "the reference data are of {its_game}, not of {game}: give --game {its_game}",
                str(path),
                its_game=its_game,
                game=game,
            )
        photo = _parse_photo(root, path.parent, names)
    except InvalidValueError as error:
        raise TruthError(
            "truth-not-usable",
            "{place} has the wrong form: see docs/ground-truth.md",
            str(path),
            place=shown_path(error.path),
        ) from error
    return replace(photo, grids=tuple(replace(g, on_board=on_board) for g in photo.grids))


def _parse_photo(root: Node, folder: Path, names: Collection[str] | None) -> PhotoTruth:
    photo = root["photo"].text()
    root["photo"].require(photo != "" and Path(photo).name == photo)
    condition = root.get("subset", NO_CONDITION).text()
    any_rotation = root.get("any_rotation", False).boolean()
    if root.get("kind").value == TEACH:
        return PhotoTruth(folder / photo, condition, (), any_rotation, is_table=False)
    return PhotoTruth(
        folder / photo,
        condition,
        tuple(_parse_grid(city, names) for city in root["cities"].items()),
        any_rotation,
        strays=tuple(
            StrayTruth(str(stray.get("face").value), _parse_quad(stray["corners_px"]))
            for stray in root.get("stray_tiles", []).items()
        ),
    )


def _parse_grid(city: Node, names: Collection[str] | None) -> GridTruth:
    grid = _parse_names(city["grid"], names)
    tiles = _parse_names(city["tiles"], None) if city.has("tiles") else grid
    size, tile_size = (len(grid), len(grid[0])), (len(tiles), len(tiles[0]))
    covered, outside, turned, askew = (
        frozenset(_parse_cell(cell, size) for cell in city.get(key, []).items())
        for key in ("occluded", "outside", "turned", "askew")
    )
    quads = city.get("tile_corners_px", [])
    quads.require(len(quads.items()) in (0, tile_size[0] * tile_size[1]))
    cells = size[0] * size[1]
    blown_shares = city.get("blown_share", [0] * cells)
    blown_shares.require(len(blown_shares.items()) == cells)
    white = sum(share.number(0, 1) >= _MIN_WASHED_OUT_SHARE for share in blown_shares.items())
    return GridTruth(
        _parse_quad(city["corners_px"]),
        grid,
        tile_size[1],
        {
            _parse_cell(token["at"], size): token["kind"].text()
            for token in city.get("tokens", []).items()
        },
        tuple(_parse_beside(piece) for piece in city.get("beside", []).items()),
        covered,
        outside,
        turned,
        askew,
        white >= _MIN_WASHED_OUT_SHARE * cells,
        tuple(None if quad.is_null else _parse_quad(quad) for quad in quads.items()),
        _parse_duplexes(city["duplexes"], tile_size) if city.has("duplexes") else None,
    )


def _parse_names(node: Node, allowed: Collection[str] | None) -> NameGrid:
    """Return the rows of a grid, which has at least one cell, all equally long."""
    rows = tuple(tuple(name.value for name in row.items()) for row in node.items())
    node.require(bool(rows and rows[0]) and len({len(row) for row in rows}) == 1)
    for name in (name for row in rows for name in row if name is not None):
        if not isinstance(name, str) or not (allowed is None or name in allowed):
            *parents, key = node.path
            raise InvalidValueError((*parents, f"{key}: {name!r}"))
    return rows


def _parse_beside(piece: Node) -> BesideTruth:
    visible_share = piece.get("visible_share", 1).number()
    return BesideTruth(
        piece["place"].text(),
        piece["number"].integer(),
        piece["face"].text(),
        _parse_quad(piece["corners_px"]),
        piece.get("in_heap", False).boolean(),
        visible_share < _IN_FULL_VIEW,
    )


def _parse_duplexes(node: Node, size: Cell) -> frozenset[tuple[Cell, Cell]]:
    pairs = [[_parse_cell(cell, size) for cell in pair.items()] for pair in node.items()]
    node.require(all(len(pair) == 2 for pair in pairs))
    return frozenset((min(pair), max(pair)) for pair in pairs)


def _parse_quad(node: Node) -> Quad:
    points = [[value.number() for value in point.items()] for point in node.items()]
    node.require([len(point) for point in points] == [2] * 4)
    first, second, third, fourth = ((x, y) for x, y in points)
    node.require(math.dist(first, second) >= _SHORTEST_EDGE_PX)
    return first, second, third, fourth


def _parse_cell(node: Node, size: Cell) -> Cell:
    """Return the row and the column that a list begins with, in a grid of a size."""
    row, column, *_ = (*(number.integer() for number in node.items()), -1, -1)
    node.require(0 <= row < size[0] and 0 <= column < size[1])
    return row, column
