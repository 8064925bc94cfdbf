"""The ground truth of a photo: what lies where, and what of it can be seen.

``NAME.json`` beside the photo, as ``stadtblick simulate`` writes it; docs/figures.md describes it.

Other keys are for other programs. Pixels are those of the photo, (0, 0) the centre of the top left
pixel.
"""

import json
import math
from collections.abc import Callable, Collection, Mapping
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
_QUADS: Final = "tile_corners_px"


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
class StrayTruth:
    """A left-over tile: what it shows, and where it lies."""

    face: str
    corners_px: Quad


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
        tile_quads_px: of its tiles in reading order, None where there is none; empty: not told.
        duplexes: pairs of tiles that are one piece; None: not told.
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
        strays: left-over tiles.
    """

    path: Path
    condition: str
    grids: tuple[GridTruth, ...]
    any_rotation: bool = False
    is_table: bool = True
    strays: tuple[StrayTruth, ...] = ()


def middle(quad: Quad) -> Point:
    """The mean of four corners."""
    xs, ys = zip(*quad, strict=True)
    return sum(xs) / 4, sum(ys) / 4


def load_truth(path: Path, game: str, names: Collection[str] | None = None) -> PhotoTruth:
    """Read one file of ground truth of a game; the arguments are those of ``parse_truth``.

    Raises:
        TruthError: ``truth-unreadable`` or ``truth-not-usable``.
    """
    where = str(path)
    try:
        data = read_start(path, _MAX_BYTES + 1)
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise TruthError(
            "truth-unreadable", "the truth cannot be read ({why}): check the file", where, why=why
        ) from error
    if len(data) > _MAX_BYTES:
        raise _unusable(Message("it is no truth of a photo, so large it is"), where)
    try:
        given = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise _unusable(Message("it is not JSON"), where) from error
    return parse_truth(given, path, game, names)


def parse_truth(
    given: Any, path: Path, game: str, names: Collection[str] | None = None
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
    need = _Needs(str(path))
    need(isinstance(given, dict), Message("it is not a JSON object"))
    photo = given.get("photo")
    need(
        isinstance(photo, str) and photo != "" and Path(photo).name == photo,
        Message("photo must be the name of a file in the same folder"),
    )
    need(given.get("game", GAME) == game, Message("game must be {game}", game=game))
    condition = given.get("subset", NO_CONDITION)
    need(isinstance(condition, str), Message("subset must be a text"))
    any_rotation = given.get("any_rotation", False)
    need(isinstance(any_rotation, bool), Message("any_rotation must be true or false"))
    if given.get("kind") == TEACH:
        return PhotoTruth(path.parent / photo, condition, (), any_rotation, is_table=False)
    cities = given.get("cities")
    need(isinstance(cities, list), Message("cities must be a list"))
    grids = tuple(need.grid(city, f"cities[{n}]") for n, city in enumerate(cities))
    shown = {name for grid in grids for row in grid.grid for name in row if name is not None}
    unknown = sorted(shown - set(shown if names is None else names))
    need(
        not unknown,
        Message(
            "its grids hold {name}, which is no face of the edition", name=repr((*unknown, "")[0])
        ),
    )
    strays = tuple(
        StrayTruth(str(each.get("face")), need.quad(each.get("corners_px"), "stray_tiles"))
        for each in need.objects(given, "stray_tiles", "")
    )
    return PhotoTruth(path.parent / photo, condition, grids, any_rotation, strays=strays)


class _Needs:
    """What the parts of a truth must be; complains about the file ``where`` they are not."""

    def __init__(self, where: str) -> None:
        self.where = where

    def __call__(self, is_so: bool, what: Message) -> None:  # noqa: FBT001
        if not is_so:
            raise _unusable(what, self.where)

    def each(self, given: Any, is_so: Callable[[Any], bool], what: Message) -> list[Any]:
        """A list in which this is true of each entry."""
        self(isinstance(given, list) and all(map(is_so, given)), what)
        return list(given)

    def grid(self, given: Any, place: str) -> GridTruth:
        self(isinstance(given, dict), Message("{place} must be an object", place=place))
        grid = self.names(given.get("grid"), f"{place}.grid")
        tiles = self.names(given.get("tiles", given.get("grid")), f"{place}.tiles")
        size, tile_size = (len(grid), len(grid[0])), (len(tiles), len(tiles[0]))
        covered, outside, turned, askew = (
            self.cells(given, key, size, place)
            for key in ("occluded", "outside", "turned", "askew")
        )
        quads = given.get(_QUADS, [])
        self(
            isinstance(quads, list) and len(quads) in (0, tile_size[0] * tile_size[1]),
            Message("{place}.{key} must have an entry for each tile", place=place, key=_QUADS),
        )
        return GridTruth(
            self.quad(given.get("corners_px"), f"{place}.corners_px"),
            grid,
            tile_size[1],
            self.tokens(given, size, place),
            self.beside(given, place),
            covered,
            outside,
            turned,
            askew,
            self.is_washed_out(given, size, place),
            tuple(None if q is None else self.quad(q, f"{place}.{_QUADS}") for q in quads),
            self.duplexes(given["duplexes"], tile_size, place) if "duplexes" in given else None,
        )

    def names(self, given: Any, place: str) -> NameGrid:
        """Rows of a grid, which has at least one cell."""
        rows = self.each(
            given or None,
            lambda row: isinstance(row, list) and bool(row),
            Message("{place} must be rows of faces", place=place),
        )
        self(
            len({len(row) for row in rows}) == 1,
            Message("the rows of {place} must be equally long", place=place),
        )
        self(
            all(name is None or isinstance(name, str) for row in rows for name in row),
            Message("{place} must hold names or null", place=place),
        )
        return tuple(map(tuple, rows))

    def duplexes(self, given: Any, size: Cell, place: str) -> frozenset[tuple[Cell, Cell]]:
        pairs = self.each(
            given,
            lambda p: isinstance(p, list) and len(p) == 2 and all(_is_cell(c, size) for c in p),
            Message("{place}.{key} must list pairs of cells", place=place, key="duplexes"),
        )
        ordered = (sorted((cell[0], cell[1]) for cell in pair) for pair in pairs)
        return frozenset((first, last) for first, last in ordered)

    def tokens(self, city: Any, size: Cell, place: str) -> dict[Cell, str]:
        given = self.each(
            self.objects(city, "tokens", place),
            lambda each: _is_cell(each.get("at"), size) and isinstance(each.get("kind"), str),
            Message("{place}.tokens must have at [row, column] and kind", place=place),
        )
        return {(each["at"][0], each["at"][1]): each["kind"] for each in given}

    def beside(self, city: Any, place: str) -> tuple[BesideTruth, ...]:
        pieces = []
        for given in self.objects(city, "beside", place):
            name, face, number = given.get("place"), given.get("face"), given.get("number")
            self(
                isinstance(name, str) and isinstance(face, str) and type(number) is int,
                Message("{place}.beside must have place, number and face", place=place),
            )
            corners = self.quad(given.get("corners_px"), f"{place}.beside.corners_px")
            seen, in_heap = given.get("visible_share", 1), given.get("in_heap", False)
            self(
                isinstance(seen, int | float) and isinstance(in_heap, bool),
                Message("{place}.beside: visible_share is a number, in_heap a truth", place=place),
            )
            pieces.append(BesideTruth(name, number, face, corners, in_heap, seen < _IN_FULL_VIEW))
        return tuple(pieces)

    def objects(self, given: Any, key: str, place: str) -> list[Any]:
        what = Message("{place} must be a list of objects", place=f"{place}.{key}".lstrip("."))
        return self.each(given.get(key, []), lambda each: isinstance(each, dict), what)

    def quad(self, given: Any, place: str) -> Quad:
        points = self.each(
            given if isinstance(given, list) and len(given) == 4 else None,
            lambda p: isinstance(p, list) and len(p) == 2 and all(map(_is_number, p)),
            Message("{place} must be four points [x, y]", place=place),
        )
        first, second, third, fourth = ((float(x), float(y)) for x, y in points)
        self(
            math.dist(first, second) >= 1,
            Message("{place} must be a quad with an upper edge", place=place),
        )
        return first, second, third, fourth

    def cells(self, city: Any, key: str, size: Cell, place: str) -> frozenset[Cell]:
        """An optional list of cells of a grid of so many rows and columns."""
        what = Message(
            "{place}.{key} must list cells [row, column] of the grid", place=place, key=key
        )
        given = self.each(city.get(key, []), lambda cell: _is_cell(cell, size), what)
        return frozenset((cell[0], cell[1]) for cell in given)

    def is_washed_out(self, city: Any, size: Cell, place: str) -> bool:
        """Whether half or more of the cells are half or more white, by ``blown_share``."""
        cells = size[0] * size[1]
        shares = city.get("blown_share", [0] * cells)
        shares = self.each(
            shares if isinstance(shares, list) and len(shares) == cells else None,
            lambda share: _is_number(share) and 0 <= share <= 1,
            Message("{place}.blown_share must be a number from 0 to 1 for each cell", place=place),
        )
        return bool(sum(share >= _MOST_WHITE for share in shares) >= _MOST_WHITE * cells)


def _is_cell(given: Any, size: Cell) -> bool:
    """Whether a list begins with row and column of a grid of so many rows and columns."""
    if not isinstance(given, list) or not all(type(n) is int for n in given):
        return False
    return len(given) >= 2 and 0 <= given[0] < size[0] and 0 <= given[1] < size[1]


def _is_number(given: Any) -> bool:
    return isinstance(given, int | float) and not isinstance(given, bool) and math.isfinite(given)


def _unusable(what: str, where: str) -> TruthError:
    """The error that says what is wrong with a file; ``what`` is for those who write such files."""
    return TruthError("truth-not-usable", "{what}: see docs/figures.md", where, what=what)
