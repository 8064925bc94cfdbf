"""From a group of neighbouring tiles to a whole city: read, correct the plane, look further.

The locator may miss a tile or place one badly; the tiles that are read for certain tell where the
others must lie, so the city is explored from them outwards.
"""

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, product

import numpy as np

from scoring.faces import Cell
from vision.arrays import Corners, Points, floats
from vision.lattice import evened, quads_of
from vision.locate import Detection
from vision.plane import Plane, plane_through
from vision.pyramid import Picture
from vision.recognise import (
    CLEAR,
    CellReading,
    Look,
    look_at,
    opinions,
    turn_of_city,
    turned_cell,
)
from vision.rectify import UNIT_SQUARE

TILE_THERE = 0.5
PLAIN = 0.8
"""From this clarity on a look is taken for a tile of the city without a second thought."""
ROUNDS = 8
FEWEST = 4
"""With fewer readable tiles there is nothing to explore from."""


@dataclass(frozen=True, eq=False)
class City:
    """All cells of a city as read upright, rows x columns, and how many show a readable tile.

    Attributes:
        rows: of tiles.
        columns: of tiles.
        cells: what was read in each.
        on_plane: its outer corners as the tiles read plainly suggest them, where that was found
            out while it was explored.
    """

    rows: int
    columns: int
    cells: Mapping[Cell, CellReading]
    on_plane: Corners | None = None

    @property
    def tiles(self) -> int:
        """How many cells show a readable tile."""
        return sum(cell.is_tile >= TILE_THERE for cell in self.cells.values())

    @property
    def readable(self) -> int:
        """How many cells show a face that is more likely right than not."""
        return sum(cell.confidence >= TILE_THERE for cell in self.cells.values())

    @property
    def clarity(self) -> float:
        """Mean confidence of the cells in which there is a tile; 0 if there is none."""
        seen = [cell.confidence for cell in self.cells.values() if cell.is_tile >= TILE_THERE]
        return float(np.mean(seen)) if seen else 0.0

    @cached_property
    def middles_px(self) -> Points:
        """The middles (n, 2) of the tiles that can be made out."""
        seen = [cell.quad_px for cell in self.cells.values() if cell.confidence >= TILE_THERE]
        return floats(floats(seen).reshape(-1, 4, 2).mean(axis=1))

    @cached_property
    def bounds_px(self) -> tuple[list[float], list[float]]:
        """Least and greatest (x, y) of its outer corners and of the middles of its tiles."""
        points = np.concatenate([self.outline_px, self.middles_px])
        return points.min(axis=0).tolist(), points.max(axis=0).tolist()

    @cached_property
    def outline_px(self) -> Corners:
        """Its outer corners: top left, top right, bottom right, bottom left as read upright.

        Half way between those of the tiles there and those that all tiles together suggest.
        """
        bottom, right = self.rows - 1, self.columns - 1
        outer = ((0, 0), (0, right), (bottom, right), (bottom, 0))
        own = floats([self.cells[cell].quad_px[n] for n, cell in enumerate(outer)])
        shared = self._suggested() if self.on_plane is None else self.on_plane
        if shared is None:
            return own
        return floats((own + shared) / 2)

    def _suggested(self) -> Corners | None:
        """The outer corners of the plane that fits all tiles best."""
        seen = {
            place: cell.quad_px for place, cell in self.cells.items() if cell.is_tile >= TILE_THERE
        }
        plane = plane_through(seen, trusted=True)
        if plane is None:
            return None
        return plane.corners(UNIT_SQUARE * floats([self.columns, self.rows]))


@dataclass(frozen=True, slots=True, eq=False)
class _Square:
    """What was seen in each cell of a city, which may still be turned by quarters.

    Its outer corners are those of the plane on which its tiles lie.
    """

    rows: int
    columns: int
    looks: Mapping[Cell, Look]
    corners_px: Corners


def explored(
    picture: Picture, groups: Sequence[Mapping[Cell, Detection]], rows: int, columns: int
) -> list[City | None]:
    """Read the city that each group of tiles belongs to; None: they are no tiles after all.

    All are looked at side by side, for the networks are quicker the more they read at once.
    """
    explorations = dict(enumerate(_exploration(group, rows, columns) for group in groups))
    squares: dict[int, _Square] = {}
    asked = {n: next(exploration) for n, exploration in explorations.items()}
    while asked:
        looks = iter(look_at(picture, [quad for quads in asked.values() for quad in quads]))
        seen = {n: list(islice(looks, len(quads))) for n, quads in asked.items()}
        asked = {}
        for n, some in seen.items():
            try:
                asked[n] = explorations[n].send(some)
            except StopIteration as end:
                if end.value is not None:
                    squares[n] = end.value
    cities = dict(zip(squares, _upright(picture, list(squares.values())), strict=True))
    return [cities.get(n) for n in explorations]


def _exploration(
    group: Mapping[Cell, Detection], rows: int, columns: int
) -> Generator[list[Corners], list[Look], _Square | None]:
    """Explore a city: yields where to look, is sent what was seen, and returns what was found."""
    looks: dict[Cell, Look] = {}
    places = evened(quads_of(group))
    plane: Plane | None = None
    retried: set[Cell] = set()
    for _ in range(ROUNDS):
        for cell, look in zip(places, (yield list(places.values())), strict=True):
            if cell not in looks or look.clarity > looks[cell].clarity:
                looks[cell] = look
        sure = _readable(looks)
        plane = plane_through({c: looks[c].quad_px for c in sure}) if len(sure) >= FEWEST else None
        if plane is None:
            return None
        looks = _on_plane(plane, looks)
        clear = {cell for cell, look in looks.items() if look.clarity >= CLEAR}
        doubtful = (set(group) | set(looks)) - retried - clear
        retried |= doubtful
        readable = _readable(looks)
        allowed = _all_allowed(readable, rows, columns) - set(looks)
        open_places = allowed & _beside(readable) if allowed else allowed
        if not open_places | doubtful and not _settled(readable, rows, columns):
            open_places = allowed
        cells = sorted(open_places | doubtful)
        if not cells:
            break
        places = dict(zip(cells, plane.quads(cells), strict=True))
    if plane is None:
        return None
    window = _fullest_window(looks, rows, columns)
    rest = [cell for cell in window.values() if cell not in looks]
    if rest:
        looks |= zip(rest, (yield list(plane.quads(rest))), strict=True)
    top, start = window[0, 0]
    corners_px = plane.corners(UNIT_SQUARE * floats([columns, rows]) + floats([start, top]))
    seen = {cell: looks[place] for cell, place in window.items()}
    return _Square(rows, columns, seen, corners_px)


def _on_plane(plane: Plane, looks: Mapping[Cell, Look]) -> dict[Cell, Look]:
    """What was seen where the plane has its cell, give or take half a tile."""
    expected = plane.quads(looks)
    seen = floats([look.quad_px for look in looks.values()])
    sizes = np.hypot(*(expected[:, 2] - expected[:, 0]).T) / np.sqrt(2)
    off = np.hypot(*(seen - expected).mean(axis=1).T)
    near = (off < 0.4 * sizes).tolist()
    return {cell: look for (cell, look), lies in zip(looks.items(), near, strict=True) if lies}


def _readable(looks: Mapping[Cell, Look]) -> list[Cell]:
    """The places from which to go on: those read plainly, or if they are few, all with tiles."""
    plain = [cell for cell, look in looks.items() if look.clarity >= PLAIN]
    if len(plain) >= FEWEST:
        return plain
    return [cell for cell, look in looks.items() if look.is_tile >= TILE_THERE]


def _corners_of_windows(cells: Iterable[Cell], rows: int, columns: int) -> list[Cell]:
    """Top left cells of the rows x columns windows that hold all the cells; all if none does."""
    at = list(cells)
    first_row, last_row = min(r for r, _ in at), max(r for r, _ in at)
    first_column, last_column = min(c for _, c in at), max(c for _, c in at)
    tops = range(last_row - rows + 1, first_row + 1) or range(first_row, last_row - rows + 2)
    starts = range(last_column - columns + 1, first_column + 1) or range(
        first_column, last_column - columns + 2
    )
    return list(product(tops, starts))


def _beside(cells: Iterable[Cell]) -> set[Cell]:
    """Neighbours of cells."""
    steps = ((0, 1), (1, 0), (0, -1), (-1, 0))
    return {(r + dr, c + dc) for r, c in cells for dr, dc in steps}


def _all_allowed(readable: list[Cell], rows: int, columns: int) -> set[Cell]:
    """All places that may belong to the same city as the readable tiles."""
    return {
        (top + r, start + c)
        for top, start in (_corners_of_windows(readable, rows, columns) if readable else [])
        for r in range(rows)
        for c in range(columns)
    }


def _settled(readable: list[Cell], rows: int, columns: int) -> bool:
    """Whether the readable tiles leave only one place for the city."""
    return not readable or len(_corners_of_windows(readable, rows, columns)) == 1


def _fullest_window(looks: Mapping[Cell, Look], rows: int, columns: int) -> dict[Cell, Cell]:
    """The place in the lattice of each cell of the window that holds most tiles."""

    def window(corner: Cell) -> dict[Cell, Cell]:
        top, start = corner
        return {(r, c): (top + r, start + c) for r in range(rows) for c in range(columns)}

    def held(corner: Cell) -> float:
        return sum(looks[place].is_tile for place in window(corner).values() if place in looks)

    corners = _corners_of_windows(_readable(looks), rows, columns)
    return window(max(corners, key=held) if len(corners) > 1 else corners[0])


def _upright(picture: Picture, squares: Sequence[_Square]) -> list[City]:
    """Turn what was seen so that it is upright, and hear all opinions on it."""
    if not squares:
        return []
    turns = [
        turn_of_city(look for look in square.looks.values() if look.is_tile >= TILE_THERE)
        for square in squares
    ]
    looks = [look for square in squares for look in square.looks.values()]
    read = iter(opinions(picture, looks, np.repeat(turns, [len(s.looks) for s in squares])))
    return [
        _turned(square, turn, list(islice(read, len(square.looks))))
        for square, turn in zip(squares, turns, strict=True)
    ]


def _turned(square: _Square, turns: int, read: Sequence[CellReading]) -> City:
    """A city whose tiles appear turned by so many quarters, with what was read in its places."""
    rows, columns = square.rows, square.columns
    cells = {
        turned_cell(cell, rows, columns, turns): reading
        for cell, reading in zip(square.looks, read, strict=True)
    }
    size = (rows, columns) if turns % 2 == 0 else (columns, rows)
    return City(*size, cells, floats(np.roll(square.corners_px, -turns, axis=0)))
