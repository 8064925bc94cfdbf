"""Comparison of two readings of grids from different photos: whether they are one grid.

The evidence is the sum over all tiles of log(P(both readings | one grid) / P(both readings | two
grids)), in nats. A face that lies often on the table proves less than a rare one, an unsure tile
less than a sure one. ``vision.rereading.matching`` compares whole tables, and counts equal tiles.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import product
from math import log
from typing import Final

from vision.editions.description import Description
from vision.reading import GridReading, NoteCode, tile_of_cell

MAX_CONFIDENCE: Final = 0.98
"""Maximum confidence that counts: a tile may have been exchanged between two photos. Larger: a
single differing tile speaks more against one grid."""
MIN_SAME_NATS: Final = 9.0
"""Minimum evidence in nats for one grid: odds of 8000 to 1, against at most 1200 pairs of grids in
eight photos. Larger: more questions; smaller: grids that are alike by chance are joined."""
MAX_OTHER_NATS: Final = -4.0
"""Evidence in nats up to which two readings are of two grids without a question. Larger: one grid
may be counted twice; smaller: more questions."""
MAX_DIFFERENT_TILES: Final = 2
"""Maximum number of tiles that are sure in both readings and differ in a grid that is joined
without a question; with more, a person is asked."""
MIN_EQUAL_TILES: Final = 6
"""Minimum number of equal tiles of a grid that is joined without a question; with fewer, a person
is asked."""
MAX_SHIFT: Final = 2
"""Maximum number of rows or columns by which a grid at the edge of a photo may have been read off
its place. Larger: more shifts are compared, and chance likeness grows."""
SHIFT_PENALTY: Final = 4.0
"""Nats that a shift has to gain, as each of the 24 shifts is another chance to be alike. Larger:
cut grids count as two; smaller: two grids are alike by chance."""
MIN_OTHER_BOARD_SHARE: Final = 0.5
"""Share of differing places above which two photos show two printed boards."""
MIN_OTHER_BOARD_PLACES: Final = 4
"""Minimum number of differing places in photos of two boards."""


class GridSameness(Enum):
    """Relation of two grids of different photos."""

    SAME = "same"
    PERHAPS = "perhaps"
    """Alike, but not certainly the same: a person is asked."""
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class GridMatch:
    """Comparison of two readings of grids.

    Attributes:
        sameness: Whether they are one grid.
        evidence_nats: Evidence for one grid.
        turn: Quarter turns clockwise that bring the second reading into the turn of the first.
        shift: Rows and columns of tiles by which the second reading lies off the first.
    """

    sameness: GridSameness
    evidence_nats: float = 0.0
    turn: int = 0
    shift: tuple[int, int] = (0, 0)


NO_MATCH: Final = GridMatch(GridSameness.OTHER, float("-inf"))

Frequencies = Mapping[str, float]
"""Probability of each face on a table."""


@dataclass(frozen=True, slots=True)
class _Tile:
    """Tile as it was read.

    Attributes:
        name: Face; None for an empty place.
        turn: Quarter turns clockwise; None if not known or without a meaning.
        confidence: Probability that the face is right.
        is_sure: Whether no person has to check it.
    """

    name: str | None
    turn: int | None
    confidence: float
    is_sure: bool


_Tiles = list[list[_Tile]]


def face_frequencies(grids: Iterable[GridReading], faces: int) -> Frequencies:
    """Return the probability of each face on a table; none is 0, as a tile of each is added.

    Args:
        grids: All readings of grids of the table.
        faces: Number of kinds of tiles in the game.
    """
    counts = Counter(
        name for grid in grids for row in grid.tiles for name in row if name is not None
    )
    total = counts.total() + max(faces, len(counts))
    return {name: (count + 1) / total for name, count in counts.items()}


def compare_grids(
    first: GridReading,
    second: GridReading,
    frequencies: Frequencies,
    description: Description,
) -> GridMatch:
    """Compare two grids of different photos, in all turns that the game allows."""
    if first.size != second.size:
        return NO_MATCH
    if description.board is not None:
        return compare_boards(first, second, frequencies)
    any_grid_turn = description.any_grid_turn
    best = NO_MATCH
    for turn in range(4 if any_grid_turn else 1):
        one, other = (
            _tiles(first, with_turns=any_grid_turn),
            _tiles(second.turned(turn), with_turns=any_grid_turn),
        )
        for shift in _shifts(one, other):
            evidence, equal, different = _evidence(one, other, shift, frequencies)
            evidence -= SHIFT_PENALTY if shift != (0, 0) else 0.0
            if evidence > best.evidence_nats:
                sameness = _sameness(evidence, equal, different)
                best = GridMatch(sameness, evidence, turn, shift)
    if best.sameness is GridSameness.SAME and _have_other_figures(first, second):
        return GridMatch(GridSameness.PERHAPS, best.evidence_nats, best.turn, best.shift)
    return best


def compare_boards(first: GridReading, second: GridReading, frequencies: Frequencies) -> GridMatch:
    """Compare two readings of a printed board, of which a game has one.

    It is the same unless most places that hold something differ.
    """
    ways_up = {note.code for grid in (first, second) for note in grid.notes}
    turns = range(4) if NoteCode.WAY_UP_UNCERTAIN in ways_up else range(1)
    found = []
    for turn in turns:
        one, other = (
            _tiles(first, with_turns=False),
            _tiles(second.turned(turn), with_turns=False),
        )
        if len(one) != len(other):
            continue
        pairs = [
            (a, b)
            for a, b in zip(_flat(one), _flat(other), strict=True)
            if a.is_sure and b.is_sure and (a.name, b.name) != (None, None)
        ]
        evidence, *_ = _evidence(one, other, (0, 0), frequencies)
        found.append((sum(a.name != b.name for a, b in pairs), len(pairs), turn, evidence))
    different, compared, turn, evidence = min(found)
    is_other = different >= MIN_OTHER_BOARD_PLACES and different > MIN_OTHER_BOARD_SHARE * compared
    return GridMatch(GridSameness.OTHER if is_other else GridSameness.SAME, evidence, turn)


def _sameness(evidence: float, equal: int, different: int) -> GridSameness:
    if evidence >= MIN_SAME_NATS and different <= MAX_DIFFERENT_TILES and equal >= MIN_EQUAL_TILES:
        return GridSameness.SAME
    return GridSameness.OTHER if evidence <= MAX_OTHER_NATS else GridSameness.PERHAPS


def _shifts(one: _Tiles, other: _Tiles) -> Sequence[tuple[int, int]]:
    """Return the shifts to try, none first: those after which all sure tiles fit into one grid."""
    spans = list(zip(_sure_span(one), _sure_span(other), (len(one), len(one[0])), strict=True))
    steps = range(-MAX_SHIFT, MAX_SHIFT + 1)
    return [(0, 0)] + [
        shift
        for shift in sorted(product(steps, steps), key=lambda each: (sum(map(abs, each)), each))
        if shift != (0, 0)
        and all(
            max(first[1], second[1] - step) - min(first[0], second[0] - step) < size
            for (first, second, size), step in zip(spans, shift, strict=True)
        )
    ]


def _sure_span(tiles: _Tiles) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the first and last row, and column, with a sure tile; all of them without one."""
    places = [
        (row, column)
        for row, line in enumerate(tiles)
        for column, tile in enumerate(line)
        if tile.is_sure and tile.name is not None
    ]
    rows, columns = zip(*(places or [(0, 0), (len(tiles) - 1, len(tiles[0]) - 1)]), strict=True)
    return (min(rows), max(rows)), (min(columns), max(columns))


def _tiles(grid: GridReading, *, with_turns: bool) -> _Tiles:
    """Return the tiles of a grid; in a game of one way up their turns mean nothing."""
    tile_rows, tile_columns = grid.tile_cells
    unsure = {tile_of_cell(cell, grid.tile_cells) for cell in grid.unsure}
    return [
        [
            _Tile(
                name,
                grid.turns[row][column] if with_turns else None,
                min(MAX_CONFIDENCE, grid.confidence[row * tile_rows][column * tile_columns]),
                (row, column) not in unsure,
            )
            for column, name in enumerate(names)
        ]
        for row, names in enumerate(grid.tiles)
    ]


def _flat(tiles: _Tiles) -> list[_Tile]:
    return [tile for row in tiles for tile in row]


def _evidence(
    one: _Tiles,
    other: _Tiles,
    shift: tuple[int, int],
    frequencies: Frequencies,
) -> tuple[float, int, int]:
    """Return the evidence, and the numbers of equal tiles and of sure ones that differ."""
    evidence, equal, different = 0.0, 0, 0
    for row, tiles in enumerate(one):
        for column, tile in enumerate(tiles):
            r, c = row + shift[0], column + shift[1]
            if not (0 <= r < len(other) and 0 <= c < len(other[0])):
                continue
            second = other[r][c]
            if tile.name is None or second.name is None:
                continue
            both = tile.confidence * second.confidence
            frequency = frequencies[tile.name]
            turns = {tile.turn, second.turn} - {None}
            is_equal = tile.name == second.name and len(turns) < 2
            if is_equal:
                frequency /= 4 if tile.turn is not None and second.turn is not None else 1
                evidence += log(both / frequency + 1 - both)
                equal += 1
            else:
                evidence += log(1 - both)
                different += tile.is_sure and second.is_sure
    return evidence, equal, different


def _have_other_figures(first: GridReading, second: GridReading) -> bool:
    """Return whether figures that are sure show two owners."""
    kinds = [
        {figure.kind for figure in grid.figures if figure.at not in grid.unsure_figures}
        for grid in (first, second)
    ]
    return bool(kinds[0]) and bool(kinds[1]) and kinds[0].isdisjoint(kinds[1])
