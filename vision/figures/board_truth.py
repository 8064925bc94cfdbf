"""The ground truth of photos of games known by pictures.

``NAME.json`` beside the photo, in the form of ``vision.figures.truth`` with these differences:
``game`` names the game; ``any_rotation`` tells that no board says which way is up, so that a grid
may be read in any of four rotations; a city's ``grid`` holds names, ``askew`` lists cells whose
tile lies clearly off its axes; ``tiles`` (rows of face names, which may be fewer than the cells),
``tokens`` (``at``, ``kind``) and ``beside`` (``place``, ``number``, ``face``, ``corners_px``,
``in_heap``, ``visible_share``) are optional.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from scoring.faces import Cell
from vision.figures.truth_json import (
    city_keys,
    is_cell,
    is_washed_out,
    parse_cells,
    parse_file,
    parse_quad,
    read_json,
    rows_of_equal_length,
    unusable,
)
from vision.figures.verdict import Seen
from vision.reading import NameGrid, Point, Quad

_IN_FULL_VIEW: Final = 0.95


class Sight(Seen):
    """How a cell, or a piece beside the cells, can be seen."""

    VISIBLE = "visible"
    TOKEN = "token"  # noqa: S105 - a figure of a game
    """A figure stands on it."""
    COVERED = "covered"
    OUTSIDE = "outside"
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
        if cell in self.askew:
            return Sight.ASKEW
        return Sight.TOKEN if cell in self.tokens else Sight.VISIBLE


@dataclass(frozen=True, slots=True)
class BoardPhotoTruth:
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


def load_board_truth(path: Path, game: str) -> BoardPhotoTruth:
    """Read one file of ground truth of a game.

    Raises:
        TruthError: ``truth-unreadable`` or ``truth-not-usable``.
    """
    return parse_board_truth(read_json(path), path, game)


def parse_board_truth(given: object, path: Path, game: str) -> BoardPhotoTruth:
    """The truth from its JSON.

    Args:
        given: as ``json.loads`` returned it.
        path: of the file, for the errors and because the photo lies beside it.
        game: of which it must be.

    Raises:
        TruthError: ``truth-not-usable``.
    """
    file = parse_file(given, path, game)
    any_rotation = file.keys.get("any_rotation", False)
    if not isinstance(any_rotation, bool):
        raise unusable("any_rotation must be true or false", file.where)
    grids = (_grid(city, f"cities[{n}]", file.where) for n, city in enumerate(file.cities))
    return BoardPhotoTruth(file.photo, file.condition, tuple(grids), any_rotation, file.is_table)


def _grid(given: object, place: str, where: str) -> GridTruth:
    keys = city_keys(given, place, where)
    grid = _names(keys.get("grid"), f"{place}.grid", where)
    tiles = _names(keys.get("tiles", keys.get("grid")), f"{place}.tiles", where)
    size = len(grid), len(grid[0])
    covered, outside, askew = (
        parse_cells(keys, key, size, place, where) for key in ("occluded", "outside", "askew")
    )
    return GridTruth(
        parse_quad(keys.get("corners_px"), f"{place}.corners_px", where),
        grid,
        len(tiles[0]),
        _tokens(keys, size, place, where),
        _beside(keys, place, where),
        covered,
        outside,
        askew,
        is_washed_out(keys, size, place, where),
    )


def _names(given: object, place: str, where: str) -> NameGrid:
    rows: list[tuple[str | None, ...]] = []
    for row in rows_of_equal_length(given, place, where):
        names = [name for name in row if name is None or isinstance(name, str)]
        if len(names) != len(row):
            raise unusable(f"{place} must hold names or null", where)
        rows.append(tuple(names))
    return tuple(rows)


def _tokens(
    keys: Mapping[str, Any], size: tuple[int, int], place: str, where: str
) -> dict[Cell, str]:
    tokens: dict[Cell, str] = {}
    for given in _objects(keys, "tokens", place, where):
        at, kind = given.get("at"), given.get("kind")
        if not isinstance(at, list) or not is_cell(at, size) or not isinstance(kind, str):
            raise unusable(f"{place}.tokens must have at [row, column] and kind", where)
        tokens[at[0], at[1]] = kind
    return tokens


def _beside(keys: Mapping[str, Any], place: str, where: str) -> tuple[BesideTruth, ...]:
    pieces = []
    for given in _objects(keys, "beside", place, where):
        name, face, number = given.get("place"), given.get("face"), given.get("number")
        if not isinstance(name, str) or not isinstance(face, str) or type(number) is not int:
            raise unusable(f"{place}.beside must have place, number and face", where)
        corners = parse_quad(given.get("corners_px"), f"{place}.beside.corners_px", where)
        seen, in_heap = given.get("visible_share", 1), given.get("in_heap", False)
        if not isinstance(seen, int | float) or not isinstance(in_heap, bool):
            raise unusable(f"{place}.beside: visible_share is a number, in_heap a truth", where)
        pieces.append(BesideTruth(name, number, face, corners, in_heap, seen < _IN_FULL_VIEW))
    return tuple(pieces)


def _objects(keys: Mapping[str, Any], key: str, place: str, where: str) -> list[Mapping[str, Any]]:
    given = keys.get(key, [])
    if not isinstance(given, list) or not all(isinstance(each, dict) for each in given):
        raise unusable(f"{place}.{key} must be a list of objects", where)
    return given
