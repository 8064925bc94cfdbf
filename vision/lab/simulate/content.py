"""What lies on a simulated table, before anybody decides where."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from scoring.faces import Cell
from vision.editions.description import Description, Turned
from vision.lab.simulate.drawing import Rng
from vision.reading import NameGrid

TurnGrid = tuple[tuple[int | None, ...], ...]

_Thing = TypeVar("_Thing")

Slot = tuple[str, int]
"""Name of the slots and number."""
Pair = tuple[Cell, Cell]
"""The two tiles of a duplex tile: left and right, or upper and lower."""


@dataclass(frozen=True, slots=True)
class GridContent:
    """One city or board.

    Attributes:
        tiles: the face of each tile; None: nothing lies there.
        turns: quarters by which each tile is turned clockwise.
        tokens: figures, with the cell on which each stands.
        idle_tokens: kinds of the figures that belong to it and stand beside it.
        slots: what lies in slots.
        heaps: what lies in heaps.
        duplexes: pairs of tiles that are one rigid piece, none of them missing.
        has_pawns: whether two pawns stand on the numbers along its edges.
    """

    tiles: NameGrid
    turns: TurnGrid
    tokens: tuple[tuple[Cell, str], ...] = ()
    idle_tokens: tuple[str, ...] = ()
    slots: Mapping[Slot, str] = field(default_factory=dict)
    heaps: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    duplexes: tuple[Pair, ...] = ()
    has_pawns: bool = False

    @property
    def laid(self) -> list[tuple[Cell, str]]:
        """Its tiles in reading order, with their places."""
        rows = enumerate(self.tiles)
        return [((r, c), name) for r, row in rows for c, name in enumerate(row) if name is not None]


@dataclass(frozen=True, slots=True)
class Content:
    """A whole table.

    Attributes:
        grids: in the order in which they lie, which is clockwise round the middle.
        left_over: faces of tiles that belong to no grid.
        things: names of props (``vision.lab.simulate.props``) that belong to the game.
        is_round: whether the grids lie round the middle of the table, each facing outwards, and
            the first thing in it.
    """

    grids: tuple[GridContent, ...]
    left_over: tuple[str, ...] = ()
    things: tuple[str, ...] = ()
    is_round: bool = False


Dealer = Callable[[Rng, Description, int], Content]
"""Deals a table; the number is how many tiles a grid may lack at most, if any."""


def shuffled(rng: Rng, things: Sequence[_Thing]) -> list[_Thing]:
    """The things in random order."""
    return [things[int(number)] for number in rng.permutation(len(things))]


def random_turn(rng: Rng, description: Description) -> int:
    """Quarter turns of a tile as the description allows them."""
    return int(rng.integers(4)) if description.turned is Turned.ANY else 0


def cell_grid(description: Description, content: GridContent) -> NameGrid:
    """What each cell of a grid shows."""
    faces = {face.name: face for face in description.faces}
    down, across = description.tile_cells
    grid: list[list[str | None]] = [[None] * description.columns for _ in range(description.rows)]
    for (r, c), name in content.laid:
        for i, row in enumerate(faces[name].turned_cells(content.turns[r][c] or 0)):
            grid[r * down + i][c * across : (c + 1) * across] = row
    return tuple(tuple(row) for row in grid)


def lying(rng: Rng, description: Description, tiles: Sequence[str | None]) -> GridContent:
    """A grid of these tiles in reading order, each turned at random as the description allows."""
    turns = [None if tile is None else random_turn(rng, description) for tile in tiles]
    wide = description.tile_columns
    starts = range(0, len(tiles), wide)
    return GridContent(
        tuple(tuple(tiles[n : n + wide]) for n in starts),
        tuple(tuple(turns[n : n + wide]) for n in starts),
    )
