"""The ground truth of a photo: what lies where, and what of it can be seen.

``NAME.json`` beside the photo, as ``stadtblick simulate`` writes it; docs/ground-truth.md
describes it.

Other keys are for other programs. Pixels are those of the photo, (0, 0) the centre of the top left
pixel.
"""

import json
import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from scoring.faces import Cell
from vision.editions.edition import GAME
from vision.errors import VisionError
from vision.json_checks import UnfitError, check, entries, number, of
from vision.photo.regular_file import read_start
from vision.reading import NameGrid, Point, Quad

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
    EMPTY = "empty"
    """An empty plot of a printed board."""
    MISSING = "missing"
    """There is no tile."""

    @property
    def in_full_view(self) -> bool:
        """Whether no more than a figure hinders reading it."""
        return self in (Sight.VISIBLE, Sight.TOKEN, Sight.EMPTY)


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
        on_board: whether its cells are plots of a printed board, which may be empty.
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
        """The middle of the four corners."""
        return middle(self.corners_px)

    @property
    def tile_px(self) -> float:
        """Width of a tile along the upper edge."""
        return math.dist(self.corners_px[0], self.corners_px[1]) / self.tile_columns

    def sight(self, cell: Cell) -> Sight:
        """How a cell can be seen; of several hindrances the one that hides most."""
        if self.grid[cell[0]][cell[1]] is None and cell not in self.outside:
            if cell in self.covered:
                return Sight.COVERED
            return Sight.EMPTY if self.on_board else Sight.MISSING
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


def load_truth(
    path: Path, game: str, names: Collection[str] | None = None, *, on_board: bool = False
) -> PhotoTruth:
    """Read one file of ground truth of a game; the arguments are those of ``parse_truth``.

    Raises:
        TruthError: ``truth-unreadable``, or the errors of ``parse_truth``.
    """
    try:
        given = _json(path)
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise TruthError(
            "truth-unreadable",
            "the truth cannot be read ({why}): check the file",
            str(path),
            why=why,
        ) from error
    return parse_truth(given, path, game, names, on_board=on_board)


def game_of(path: Path) -> str | None:
    """Whose truth a file is; None: that cannot be told, and ``load_truth`` says why."""
    try:
        given = _json(path)
    except OSError:
        return None
    game = given.get("game", GAME) if isinstance(given, dict) else None
    return game if isinstance(game, str) else None


def _json(path: Path) -> Any:
    """What a file holds; None: no JSON, or too much.

    Raises:
        OSError: it cannot be read.
    """
    data = read_start(path, _MAX_BYTES + 1)
    try:
        return json.loads(data) if len(data) <= _MAX_BYTES else None
    except (ValueError, RecursionError):
        return None


def parse_truth(
    given: Any,
    path: Path,
    game: str,
    names: Collection[str] | None = None,
    *,
    on_board: bool = False,
) -> PhotoTruth:
    """The truth from its JSON.

    Args:
        given: as ``json.loads`` returned it.
        path: of the file, for the errors and because the photo lies beside it.
        game: of which it must be.
        names: all that a cell may show; None: that is not checked.
        on_board: whether the game has a printed board, whose plots may be empty.

    Raises:
        TruthError: ``truth-not-usable`` or ``truth-other-game``.
    """
    try:
        its_game = of(str, of(dict, given, "JSON").get("game", GAME), "game")
        if its_game != game:
            raise TruthError(
                "truth-other-game",
                "the truth is of {its_game}, not of {game}: give --game {its_game}",
                str(path),
                its_game=its_game,
                game=game,
            )
        photo = _photo(given, path.parent, names)
    except UnfitError as error:
        raise TruthError(
            "truth-not-usable",
            "{place} has the wrong form: see docs/ground-truth.md",
            str(path),
            place=str(error),
        ) from error
    return replace(photo, grids=tuple(replace(g, on_board=on_board) for g in photo.grids))


def _photo(told: dict[str, Any], folder: Path, names: Collection[str] | None) -> PhotoTruth:
    photo = of(str, told.get("photo"), "photo")
    check(photo != "" and Path(photo).name == photo, "photo")
    condition = of(str, told.get("subset", NO_CONDITION), "subset")
    any_rotation = of(bool, told.get("any_rotation", False), "any_rotation")
    if told.get("kind") == TEACH:
        return PhotoTruth(folder / photo, condition, (), any_rotation, is_table=False)
    return PhotoTruth(
        folder / photo,
        condition,
        tuple(_grid(each, place, names) for each, place in entries(told.get("cities"), "cities")),
        any_rotation,
        strays=tuple(
            StrayTruth(str(each.get("face")), _quad(each, "corners_px", place))
            for each, place in _objects(told, "stray_tiles")
        ),
    )


def _grid(given: Any, place: str, names: Collection[str] | None) -> GridTruth:
    told = of(dict, given, place)
    grid = _names(told.get("grid"), f"{place}.grid", names)
    tiles = _names(told.get("tiles", told["grid"]), f"{place}.tiles", None)
    size, tile_size = (len(grid), len(grid[0])), (len(tiles), len(tiles[0]))
    covered, outside, turned, askew = (
        frozenset(_cell(*each, size) for each in entries(told.get(key, []), f"{place}.{key}"))
        for key in ("occluded", "outside", "turned", "askew")
    )
    quads = [each for each, _ in entries(told.get(_QUADS, []), f"{place}.{_QUADS}")]
    check(len(quads) in (0, tile_size[0] * tile_size[1]), f"{place}.{_QUADS}")
    cells = size[0] * size[1]
    shares = list(entries(told.get("blown_share", [0] * cells), f"{place}.blown_share"))
    check(len(shares) == cells, f"{place}.blown_share")
    white = sum(number(*share, least=0, most=1) >= _MOST_WHITE for share in shares)
    return GridTruth(
        _quad(told, "corners_px", place),
        grid,
        tile_size[1],
        {
            _cell(each.get("at"), f"{at}.at", size): of(str, each.get("kind"), f"{at}.kind")
            for each, at in _objects(told, "tokens", place)
        },
        tuple(_beside(each, at) for each, at in _objects(told, "beside", place)),
        covered,
        outside,
        turned,
        askew,
        white >= _MOST_WHITE * cells,
        tuple(None if q is None else _quad({_QUADS: q}, _QUADS, place) for q in quads),
        _duplexes(told["duplexes"], f"{place}.duplexes", tile_size) if "duplexes" in told else None,
    )


def _names(given: Any, place: str, allowed: Collection[str] | None) -> NameGrid:
    """Rows of a grid, which has at least one cell, all equally long."""
    rows = tuple(tuple(name for name, _ in entries(*row)) for row in entries(given, place))
    check(bool(rows and rows[0]) and len({len(row) for row in rows}) == 1, place)
    for name in (name for row in rows for name in row if name is not None):
        check(isinstance(name, str) and (allowed is None or name in allowed), f"{place}: {name!r}")
    return rows


def _beside(told: dict[str, Any], place: str) -> BesideTruth:
    seen = number(told.get("visible_share", 1), f"{place}.visible_share")
    return BesideTruth(
        of(str, told.get("place"), f"{place}.place"),
        of(int, told.get("number"), f"{place}.number"),
        of(str, told.get("face"), f"{place}.face"),
        _quad(told, "corners_px", place),
        of(bool, told.get("in_heap", False), f"{place}.in_heap"),
        seen < _IN_FULL_VIEW,
    )


def _duplexes(given: Any, place: str, size: Cell) -> frozenset[tuple[Cell, Cell]]:
    pairs = [[_cell(*cell, size) for cell in entries(*pair)] for pair in entries(given, place)]
    check(all(len(pair) == 2 for pair in pairs), place)
    return frozenset((min(pair), max(pair)) for pair in pairs)


def _quad(told: dict[str, Any], key: str, place: str) -> Quad:
    place = f"{place}.{key}"
    points = [
        [number(*value) for value in entries(*point)] for point in entries(told.get(key), place)
    ]
    check([len(point) for point in points] == [2] * 4, place)
    first, second, third, fourth = ((x, y) for x, y in points)
    check(math.dist(first, second) >= 1, place)  # an upper edge
    return first, second, third, fourth


def _cell(given: Any, place: str, size: Cell) -> Cell:
    """What begins with row and column of a grid of so many rows and columns."""
    row, column, *_ = (*(of(int, *each) for each in entries(given, place)), -1, -1)
    check(0 <= row < size[0] and 0 <= column < size[1], place)
    return row, column


def _objects(told: dict[str, Any], key: str, place: str = "") -> Iterator[tuple[Any, str]]:
    """The objects of an optional list, each with its place."""
    for each, at in entries(told.get(key, []), f"{place}.{key}".lstrip(".")):
        yield of(dict, each, at), at
