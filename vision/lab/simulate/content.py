"""Contents of a simulated table, without positions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from scoring.faces import Cell
from vision.editions.description import Description, TileTurns
from vision.lab.simulate.drawing import Rng
from vision.reading import NameGrid

TurnGrid = tuple[tuple[int | None, ...], ...]

_Thing = TypeVar("_Thing")

Slot = tuple[str, int]
"""Name of the slots, and number of the slot."""
DuplexPair = tuple[Cell, Cell]
"""Two tiles of a duplex tile: left and right, or upper and lower."""


@dataclass(frozen=True, slots=True)
class GridContent:
    """Contents of one city or board.

    Attributes:
        tiles: Face of each tile; None for an empty place.
        turns: Quarters by which each tile is turned clockwise.
        tokens: Figures with the cells on which they stand.
        idle_tokens: Kinds of the figures that stand beside the grid.
        slots: Faces in slots.
        heaps: Faces in heaps.
        duplexes: Pairs of tiles that are one rigid piece, none of them missing.
        has_pawns: Whether two pawns stand on the numbers along the edges.
    """

    tiles: NameGrid
    turns: TurnGrid
    tokens: tuple[tuple[Cell, str], ...] = ()
    idle_tokens: tuple[str, ...] = ()
    slots: Mapping[Slot, str] = field(default_factory=dict)
    heaps: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    duplexes: tuple[DuplexPair, ...] = ()
    has_pawns: bool = False

    @property
    def laid(self) -> list[tuple[Cell, str]]:
        """Tiles in reading order: place and face of each."""
        rows = enumerate(self.tiles)
        return [((r, c), name) for r, row in rows for c, name in enumerate(row) if name is not None]


@dataclass(frozen=True, slots=True)
class Content:
    """Contents of a whole table.

    Attributes:
        grids: Grids in their order on the table, clockwise round the middle.
        left_over: Faces of tiles that belong to no grid.
        things: Names of props (``vision.lab.simulate.props``) that belong to the game.
        is_round: Whether the grids lie round the middle of the table, facing outwards, with the
            first thing in the middle.
    """

    grids: tuple[GridContent, ...]
    left_over: tuple[str, ...] = ()
    things: tuple[str, ...] = ()
    is_round: bool = False


Dealer = Callable[[Rng, Description, int], Content]
"""Function that deals a table; the number is the maximum of tiles that a grid lacks."""


def shuffle(rng: Rng, things: Sequence[_Thing]) -> list[_Thing]:
    """Return things in random order."""
    return [things[int(number)] for number in rng.permutation(len(things))]


def random_turn(rng: Rng, description: Description) -> int:
    """Return random quarter turns of a tile that the description allows."""
    return int(rng.integers(4)) if description.tile_turns is TileTurns.ANY else 0


def cell_grid(description: Description, content: GridContent) -> NameGrid:
    """Return the name of what each cell of a grid shows."""
    faces = {face.name: face for face in description.faces}
    down, across = description.tile_cells
    grid: list[list[str | None]] = [[None] * description.columns for _ in range(description.rows)]
    for (r, c), name in content.laid:
        for i, row in enumerate(faces[name].turned_cells(content.turns[r][c] or 0)):
            grid[r * down + i][c * across : (c + 1) * across] = row
    return tuple(tuple(row) for row in grid)


def in_random_turns(rng: Rng, description: Description, tiles: Sequence[str | None]) -> GridContent:
    """Return a grid of tiles in reading order, each in a random turn that is allowed."""
    turns = [None if tile is None else random_turn(rng, description) for tile in tiles]
    wide = description.tile_columns
    starts = range(0, len(tiles), wide)
    return GridContent(
        tuple(tuple(tiles[n : n + wide]) for n in starts),
        tuple(tuple(turns[n : n + wide]) for n in starts),
    )
