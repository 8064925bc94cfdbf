"""The ground truth of a photo: what lies where, and what of it can be seen.

``NAME.json`` beside the photo, as ``stadtblick simulate`` writes it:

``photo``
    file name of the photo, in the same folder.
``game``
    its identifier; left out: that of the oldest files.
``kind``
    optional; ``teach`` for photos to learn faces from, which hold no grids to find.
``subset``
    optional: under what conditions the photo was taken.
``any_rotation``
    optional: whether no board tells which way is up, so that a grid may be read in any of four
    rotations.
``cities``
    each with ``corners_px`` (top left, top right, bottom right, bottom left as read upright) and
    ``grid`` (rows of what the cells show, null: nothing). Optional are ``tiles`` (rows of faces,
    which may be fewer than the cells), ``tokens`` (``at``, ``kind``), ``beside`` (``place``,
    ``number``, ``face``, ``corners_px``, ``in_heap``, ``visible_share``), ``blown_share`` (for each
    cell in reading order, what share of it is white with light), and lists of cells [row, column]:
    ``occluded`` (something covers part of the tile), ``outside`` (it runs off the picture),
    ``turned`` ([row, column, quarter turns clockwise]) and ``askew`` (clearly off its axes).
    No cities: there is nothing in the photo that could be read.

Other keys are for other programs. Pixels are those of the photo, (0, 0) the centre of the top left
pixel.
"""

import json
import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from scoring.faces import Cell
from vision.editions.edition import GAME
from vision.errors import Message, VisionError
from vision.reading import NameGrid, Point, Quad
from vision.regular_file import read_start

TEACH: Final = "teach"
NO_CONDITION: Final = "unnamed"
_MAX_BYTES: Final = 8_000_000
_MOST_WHITE: Final = 0.5
"""Share of a cell, and of the cells, from which on too little is left to read."""
_IN_FULL_VIEW: Final = 0.95


class TruthError(VisionError, ValueError):
    """A file of ground truth that cannot be used."""


class Sight(StrEnum):
    """How a cell, or a piece beside the cells, can be seen."""

    VISIBLE = "visible"
    TOKEN = "token"  # noqa: S105 - a figure of a game
    """A figure stands on it."""
    COVERED = "covered"
    OUTSIDE = "outside"
    TURNED = "turned"
    """The tile lies the wrong way."""
    ASKEW = "askew"
    MISSING = "missing"
    """There is no tile."""

    @property
    def in_full_view(self) -> bool:
        """Whether no more than a figure hinders reading it."""
        return self in (Sight.VISIBLE, Sight.TOKEN)


@dataclass(frozen=True, slots=True)
class BesideTruth:
    """A piece beside the cells.

    Attributes:
        place: name of the slots or heap.
        number: of the slot.
        face: what it shows.
        corners_px: where it lies.
        in_heap: whether its number means nothing.
        covered: whether something lies on a part of it.
    """

    place: str
    number: int
    face: str
    corners_px: Quad
    in_heap: bool = False
    covered: bool = False

    @property
    def centre_px(self) -> Point:
        """Its middle."""
        return middle(self.corners_px)

    @property
    def edge_px(self) -> float:
        """Length of its upper edge."""
        return math.dist(self.corners_px[0], self.corners_px[1])


@dataclass(frozen=True, slots=True)
class GridTruth:
    """One city or board.

    Attributes:
        corners_px: of the grid.
        grid: what each cell shows; None: no tile lies there.
        tile_columns: so many tiles lie beside one another.
        tokens: figures by their cells.
        beside: pieces beside the cells.
        covered: cells that are covered in part by something that is no figure.
        outside: cells partly outside the photo.
        turned: cells of tiles that lie the wrong way.
        askew: cells of tiles that lie clearly off their axes.
        is_washed_out: whether light leaves half of it white or more.
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

    @property
    def centre_px(self) -> Point:
        """The middle of the four corners."""
        return middle(self.corners_px)

    @property
    def tile_px(self) -> float:
        """Width of a tile along the upper edge."""
        return math.dist(self.corners_px[0], self.corners_px[1]) / self.tile_columns

    def sight(self, cell: Cell) -> Sight:
        """How a cell can be seen; of several hindrances the one that hides most."""
        if self.grid[cell[0]][cell[1]] is None and cell not in self.outside:
            return Sight.COVERED if cell in self.covered else Sight.MISSING
        if cell in self.outside:
            return Sight.OUTSIDE
        if cell in self.covered:
            return Sight.COVERED
        if cell in self.turned:
            return Sight.TURNED
        if cell in self.askew:
            return Sight.ASKEW
        return Sight.TOKEN if cell in self.tokens else Sight.VISIBLE


@dataclass(frozen=True, slots=True)
class PhotoTruth:
    """What one photo shows.

    Attributes:
        path: of the photo.
        condition: under which it was taken.
        grids: may be empty.
        any_rotation: whether no board tells which way is up.
        is_table: whether there are grids to find, rather than faces to learn.
    """

    path: Path
    condition: str
    grids: tuple[GridTruth, ...]
    any_rotation: bool = False
    is_table: bool = True


def middle(quad: Quad) -> Point:
    """The mean of four corners."""
    xs, ys = zip(*quad, strict=True)
    return sum(xs) / 4, sum(ys) / 4


def load_truth(path: Path, game: str, names: Collection[str] | None = None) -> PhotoTruth:
    """Read one file of ground truth of a game; the arguments are those of ``parse_truth``.

    Raises:
        TruthError: ``truth-unreadable`` or ``truth-not-usable``.
    """
    return parse_truth(_read_json(path), path, game, names)


def parse_truth(
    given: object, path: Path, game: str, names: Collection[str] | None = None
) -> PhotoTruth:
    """The truth from its JSON.

    Args:
        given: as ``json.loads`` returned it.
        path: of the file, for the errors and because the photo lies beside it.
        game: of which it must be.
        names: all that a cell may show; None: that is not checked.

    Raises:
        TruthError: ``truth-not-usable``.
    """
    where = str(path)
    if not isinstance(given, dict):
        raise _unusable(Message("it is not a JSON object"), where)
    photo = given.get("photo")
    if not isinstance(photo, str) or not photo or Path(photo).name != photo:
        raise _unusable(Message("photo must be the name of a file in the same folder"), where)
    if given.get("game", GAME) != game:
        raise _unusable(Message("game must be {game}", game=game), where)
    condition = given.get("subset", NO_CONDITION)
    if not isinstance(condition, str):
        raise _unusable(Message("subset must be a text"), where)
    any_rotation = given.get("any_rotation", False)
    if not isinstance(any_rotation, bool):
        raise _unusable(Message("any_rotation must be true or false"), where)
    if given.get("kind") == TEACH:
        return PhotoTruth(path.parent / photo, condition, (), any_rotation, is_table=False)
    cities = given.get("cities")
    if not isinstance(cities, list):
        raise _unusable(Message("cities must be a list"), where)
    grids = tuple(_grid(city, f"cities[{n}]", where) for n, city in enumerate(cities))
    shown = {name for grid in grids for row in grid.grid for name in row if name is not None}
    unknown = sorted(shown - set(shown if names is None else names))
    if unknown:
        raise _unusable(
            Message(
                "its grids hold {name}, which is no face of the edition", name=repr(unknown[0])
            ),
            where,
        )
    return PhotoTruth(path.parent / photo, condition, grids, any_rotation)


def _grid(given: object, place: str, where: str) -> GridTruth:
    if not isinstance(given, dict):
        raise _unusable(Message("{place} must be an object", place=place), where)
    keys: Mapping[str, Any] = given
    grid = _names(keys.get("grid"), f"{place}.grid", where)
    tiles = _names(keys.get("tiles", keys.get("grid")), f"{place}.tiles", where)
    size = len(grid), len(grid[0])
    covered, outside, turned, askew = (
        _cells(keys, key, size, place, where) for key in ("occluded", "outside", "turned", "askew")
    )
    return GridTruth(
        _quad(keys.get("corners_px"), f"{place}.corners_px", where),
        grid,
        len(tiles[0]),
        _tokens(keys, size, place, where),
        _beside(keys, place, where),
        covered,
        outside,
        turned,
        askew,
        _is_washed_out(keys, size, place, where),
    )


def _names(given: object, place: str, where: str) -> NameGrid:
    rows: list[tuple[str | None, ...]] = []
    for row in _rows_of_equal_length(given, place, where):
        names = [name for name in row if name is None or isinstance(name, str)]
        if len(names) != len(row):
            raise _unusable(Message("{place} must hold names or null", place=place), where)
        rows.append(tuple(names))
    return tuple(rows)


def _tokens(
    keys: Mapping[str, Any], size: tuple[int, int], place: str, where: str
) -> dict[Cell, str]:
    tokens: dict[Cell, str] = {}
    for given in _objects(keys, "tokens", place, where):
        at, kind = given.get("at"), given.get("kind")
        if not isinstance(at, list) or not _is_cell(at, size) or not isinstance(kind, str):
            raise _unusable(
                Message("{place}.tokens must have at [row, column] and kind", place=place), where
            )
        tokens[at[0], at[1]] = kind
    return tokens


def _beside(keys: Mapping[str, Any], place: str, where: str) -> tuple[BesideTruth, ...]:
    pieces = []
    for given in _objects(keys, "beside", place, where):
        name, face, number = given.get("place"), given.get("face"), given.get("number")
        if not isinstance(name, str) or not isinstance(face, str) or type(number) is not int:
            raise _unusable(
                Message("{place}.beside must have place, number and face", place=place), where
            )
        corners = _quad(given.get("corners_px"), f"{place}.beside.corners_px", where)
        seen, in_heap = given.get("visible_share", 1), given.get("in_heap", False)
        if not isinstance(seen, int | float) or not isinstance(in_heap, bool):
            raise _unusable(
                Message("{place}.beside: visible_share is a number, in_heap a truth", place=place),
                where,
            )
        pieces.append(BesideTruth(name, number, face, corners, in_heap, seen < _IN_FULL_VIEW))
    return tuple(pieces)


def _objects(keys: Mapping[str, Any], key: str, place: str, where: str) -> list[Mapping[str, Any]]:
    given = keys.get(key, [])
    if not isinstance(given, list) or not all(isinstance(each, dict) for each in given):
        raise _unusable(
            Message("{place}.{key} must be a list of objects", place=place, key=key), where
        )
    return given


def _read_json(path: Path) -> object:
    """What a file of ground truth holds.

    Raises:
        TruthError: ``truth-unreadable`` or ``truth-not-usable``.
    """
    where = str(path)
    try:
        data = read_start(path, _MAX_BYTES + 1)
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise TruthError(
            "truth-unreadable",
            "the truth cannot be read ({why}): check the file",
            where,
            why=why,
        ) from error
    if len(data) > _MAX_BYTES:
        raise _unusable(Message("it is no truth of a photo, so large it is"), where)
    try:
        given: object = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise _unusable(Message("it is not JSON"), where) from error
    return given


def _rows_of_equal_length(given: object, place: str, where: str) -> list[list[object]]:
    """Rows of a grid, which has at least one cell."""
    rows = given if isinstance(given, list) else []
    if not rows or not all(isinstance(row, list) and row for row in rows):
        raise _unusable(Message("{place} must be rows of faces", place=place), where)
    if len({len(row) for row in rows}) != 1:
        raise _unusable(Message("the rows of {place} must be equally long", place=place), where)
    return rows


def _quad(given: object, place: str, where: str) -> Quad:
    """Four points."""
    points = given if isinstance(given, list) else []
    if len(points) != 4 or not all(_is_point(point) for point in points):
        raise _unusable(Message("{place} must be four points [x, y]", place=place), where)
    quad = tuple((float(x), float(y)) for x, y in points)
    if math.dist(quad[0], quad[1]) < 1:
        raise _unusable(Message("{place} must be a quad with an upper edge", place=place), where)
    return quad[0], quad[1], quad[2], quad[3]


def _cells(
    city: Mapping[str, Any], key: str, size: tuple[int, int], place: str, where: str
) -> frozenset[Cell]:
    """An optional list of cells of a grid of so many rows and columns."""
    given = city.get(key, [])
    cells = given if isinstance(given, list) else [None]
    if not all(_is_cell(cell, size) for cell in cells):
        raise _unusable(
            Message(
                "{place}.{key} must list cells [row, column] of the grid", place=place, key=key
            ),
            where,
        )
    return frozenset((cell[0], cell[1]) for cell in cells if cell)


def _is_washed_out(city: Mapping[str, Any], size: tuple[int, int], place: str, where: str) -> bool:
    """Whether half or more of the cells are half or more white with light, by ``blown_share``."""
    cells = size[0] * size[1]
    given = city.get("blown_share", [0] * cells)
    shares = given if isinstance(given, list) else []
    if len(shares) != cells or not all(_is_number(share) and 0 <= share <= 1 for share in shares):
        raise _unusable(
            Message("{place}.blown_share must be a number from 0 to 1 for each cell", place=place),
            where,
        )
    white = sum(share >= _MOST_WHITE for share in shares)
    return bool(white >= _MOST_WHITE * cells)


def _is_cell(given: object, size: tuple[int, int]) -> bool:
    """Whether a list begins with row and column of a grid of so many rows and columns."""
    if not isinstance(given, list) or not all(type(n) is int for n in given):
        return False
    return len(given) >= 2 and 0 <= given[0] < size[0] and 0 <= given[1] < size[1]


def _unusable(what: str, where: str) -> TruthError:
    """The error that says what is wrong with a file; ``what`` is for those who write such files."""
    return TruthError("truth-not-usable", "{what}: see docs/figures.md", where, what=what)


def _is_point(given: object) -> bool:
    return isinstance(given, list) and len(given) == 2 and all(_is_number(n) for n in given)


def _is_number(given: object) -> bool:
    return isinstance(given, int | float) and not isinstance(given, bool) and math.isfinite(given)
