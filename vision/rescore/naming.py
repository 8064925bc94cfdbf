"""Match the cities of a photo with those of an earlier one: is the table the same?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import product
from typing import Final, TypeVar

import cv2

from scoring.faces import Cell
from vision.arrays import Corners, floats
from vision.reading import GridReading, Place, PlaceKind, Quad, Reading

T = TypeVar("T")

_SAME_PLACE: Final = 0.25
"""Share of their common area that two cities must overlap by to be in the same place; a city that
moved by two tiles, or turned by any angle, still does."""
_SAME_TILES: Final = 0.5
"""Share of the cells that must show the same faces. Chance gives a ninth, and a mere few tiles
that were put right or exchanged leave more."""

_CERTAIN_CITY: Final = 0.75
"""Minimum share of a city's tiles that show the same faces in two photos of one table. Photos that
were turned, reduced and compressed show 0.9 and more; cities of different games 0.2 on average."""
_FEWEST_TILES: Final = 12
"""Minimum number of equal tiles of all cities together; fewer may be equal by chance."""

Pairs = Mapping[int, int]
"""From numbers of new cities to those of the cities before."""
_Likeness = Mapping[tuple[int, int], float]
"""From (new, old) to how alike they are, 0 to 1."""


class Sameness(Enum):
    """Whether two photos show the same game."""

    SAME = "same"
    """Every city is there again, in the same order round the table."""
    PERHAPS = "perhaps"
    """At least half of the cities are there again; others are missing, new or fuller."""
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class TableMatch:
    """Comparison of the cities of two photos by their faces.

    Attributes:
        sameness: Whether both photos show one game.
        pairs: Numbers of the new cities that are there again, each with its earlier number.
        turns: Quarters clockwise by which each of these cities is read turned against the earlier
            reading; 0 where the tiles say which way is up.
    """

    sameness: Sameness
    pairs: Pairs
    turns: Mapping[int, int]


def compare_tables(
    before: Sequence[GridReading], now: Sequence[GridReading], *, any_turn: bool = False
) -> TableMatch:
    """Compare two readings of cities by their faces alone, wherever the cities lie in the photos.

    Args:
        before: Earlier cities, in the order round the table.
        now: New cities, in the order round the table, beginning at any of them.
        any_turn: Whether a city may be read in another turn in each photo.
    """
    turned = {
        (n, o): _best_turn(new, old, any_turn=any_turn)
        for (n, new), (o, old) in product(enumerate(now), enumerate(before))
    }
    kept = {pair: share for pair, (share, _both, _count, _turn) in turned.items()}
    pairs = _best_pairs(kept, _CERTAIN_CITY, {pair: one[1] for pair, one in turned.items()})
    turns = {new: turned[new, old][3] for new, old in pairs.items()}
    equal = sum(turned[pair][2] for pair in pairs.items())
    fewer = min(len(before), len(now))
    if not pairs or 2 * len(pairs) < fewer or equal < _FEWEST_TILES:
        return TableMatch(Sameness.OTHER, {}, {})
    is_whole = len(pairs) == len(before) == len(now) and _in_turn(pairs)
    is_same = is_whole and all(turned[pair][1] >= _CERTAIN_CITY for pair in pairs.items())
    return TableMatch(Sameness.SAME if is_same else Sameness.PERHAPS, pairs, turns)


def _best_turn(
    new: GridReading, old: GridReading, *, any_turn: bool
) -> tuple[float, float, int, int]:
    """Compare two cities in the turn that suits best.

    Returns:
        Share of the old tiles that are there again, share of the tiles of the fuller city that are
        equal, their number, and the quarters clockwise by which the new city is turned back.
    """
    filled = sum(face is not None for row in old.grid for face in row)
    most = max(filled, sum(face is not None for row in new.grid for face in row))
    best = (0.0, 0.0, 0, 0)
    grid = new.grid
    for turn in range(4 if any_turn else 1):
        if turn:
            grid = _rows_turned(grid)
        if (len(grid), len(grid[0])) != old.size or not filled:
            continue
        equal = sum(
            one is not None and one == other
            for row, other_row in zip(grid, old.grid, strict=True)
            for one, other in zip(row, other_row, strict=True)
        )
        best = max(best, (equal / filled, equal / most, equal, turn), key=lambda each: each[2])
    return best


def in_known_order(
    reading: Reading, known: Sequence[GridReading], *, any_turn: bool = False
) -> Reading:
    """Name the cities of a reading, and turn them, as they were in an earlier photo of the table.

    Args:
        reading: Reading of the new photo.
        known: Cities of the earlier photo in the order of their names; empty if there was none.
        any_turn: Whether a city may be read in another turn in each photo.

    Returns:
        The reading as it is if the cities are not those of the earlier photo.
    """
    match = compare_tables(known, reading.grids, any_turn=any_turn)
    if not match.pairs or not _in_turn(match.pairs):
        return reading
    grids = [turned_grid(grid, match.turns.get(n, 0)) for n, grid in enumerate(reading.grids)]
    order = round_the_table(match.pairs, len(grids))
    return replace(reading, grids=tuple(grids[number] for number in order))


def turned_grid(grid: GridReading, quarters: int) -> GridReading:
    """The same grid read in another turn, by so many quarters clockwise."""
    for _ in range(quarters % 4):
        grid = _turned_once(grid)
    return grid


def _turned_once(grid: GridReading) -> GridReading:
    """The grid whose left column becomes its top row."""
    rows = len(grid.grid)

    def moved_cell(cell: Cell) -> Cell:
        return cell[1], rows - 1 - cell[0]

    def moved_place(place: Place) -> Place:
        is_cell = place.kind is not PlaceKind.LOOSE
        return replace(place, at=moved_cell(place.cell)) if is_cell else place

    tiles_turned = _rows_turned(grid.turns)
    return replace(
        grid,
        corners_px=_rolled(grid.corners_px),
        grid=_rows_turned(grid.grid),
        confidence=_rows_turned(grid.confidence),
        unsure=tuple(sorted(map(moved_cell, grid.unsure))),
        tile_quads_px=tuple(
            tuple(None if quad is None else _rolled(quad) for quad in row)
            for row in _rows_turned(grid.tile_quads_px)
        ),
        tiles=_rows_turned(grid.tiles),
        turns=tuple(
            tuple(None if turn is None else (turn + 1) % 4 for turn in row) for row in tiles_turned
        ),
        alternatives={moved_cell(cell): names for cell, names in grid.alternatives.items()},
        figures=tuple(
            sorted(
                (replace(each, at=moved_cell(each.at)) for each in grid.figures),
                key=lambda each: each.at,
            )
        ),
        unsure_figures=tuple(sorted(map(moved_cell, grid.unsure_figures))),
        duplexes=tuple((moved_cell(first), moved_cell(second)) for first, second in grid.duplexes),
        notes=tuple(
            replace(each, places=tuple(map(moved_place, each.places))) for each in grid.notes
        ),
    )


def _rows_turned(rows: tuple[tuple[T, ...], ...]) -> tuple[tuple[T, ...], ...]:
    """Rows turned by a quarter clockwise."""
    return tuple(zip(*rows[::-1], strict=True))


def _rolled(quad: Quad) -> Quad:
    """The quad of what is turned by a quarter clockwise: its bottom left is the top left."""
    return quad[3], quad[0], quad[1], quad[2]


def known_cities(before: Sequence[GridReading], now: Sequence[GridReading]) -> Pairs:
    """From the numbers of the new cities to those of the cities before that they are.

    A city is known by its tiles, wherever it lies now, so that the names outlast a move of the
    camera. Where that would let cities change places round the table, it is known by its place.
    What is left over is tried in the other way. A new city that is none of those before is not in
    the mapping.

    Args:
        before: the earlier cities; their order is round the table.
        now: the new ones, in the order round the table as well.
    """
    tiles, places = _alike_tiles(before, now), _overlaps(before, now)
    by_tiles = _best_pairs(tiles, _SAME_TILES, places)
    by_place = _best_pairs(places, _SAME_PLACE, tiles)
    first, second = (by_tiles, by_place) if _in_turn(by_tiles) else (by_place, by_tiles)
    pairs = dict(first)
    for new, old in second.items():
        if new not in pairs and old not in pairs.values():
            pairs[new] = old
    return pairs


def is_same_table(before: Sequence[GridReading], now: Sequence[GridReading], pairs: Pairs) -> bool:
    """Whether at least half of the cities that can be known again show the tiles that they had.

    Else another game has been laid, whose cities may lie in the very same places.
    """
    tiles = _alike_tiles(before, now)
    kept = sum(tiles[pair] >= _SAME_TILES for pair in pairs.items())
    return 2 * kept >= min(len(before), len(now))


def round_the_table(pairs: Pairs, count: int) -> list[int]:
    """The numbers of ``count`` new cities in the order of their names.

    They follow one another round the table, since neighbours share a player; the city that had the
    first name of all keeps it.
    """
    first = min(pairs, key=pairs.__getitem__) if pairs else 0
    return [(first + number) % count for number in range(count)]


def _best_pairs(likeness: _Likeness, least: float, further: _Likeness) -> Pairs:
    """Pairs with the greatest likeness first, each number once; ``further`` settles draws."""
    pairs: dict[int, int] = {}
    for new, old in sorted(likeness, key=lambda pair: (-likeness[pair], -further[pair], pair)):
        enough = likeness[new, old] >= least
        if enough and new not in pairs and old not in pairs.values():
            pairs[new] = old
    return pairs


def _in_turn(pairs: Pairs) -> bool:
    """Whether the pairs follow one another round the table as before, wherever one begins."""
    old = [pairs[new] for new in sorted(pairs)]
    return sum(one > other for one, other in zip(old, [*old[1:], *old[:1]], strict=True)) <= 1


def _alike_tiles(before: Sequence[GridReading], now: Sequence[GridReading]) -> _Likeness:
    """The share of cells in which both show the same face."""
    likeness = {}
    for (n, new), (o, old) in product(enumerate(now), enumerate(before)):
        cells = [
            (one, other)
            for row, other_row in zip(new.grid, old.grid, strict=False)
            for one, other in zip(row, other_row, strict=False)
        ]
        same = sum(one is not None and one == other for one, other in cells)
        likeness[n, o] = same / len(cells) if new.size == old.size else 0.0
    return likeness


def _overlaps(before: Sequence[GridReading], now: Sequence[GridReading]) -> _Likeness:
    """The area that both cover, as a share of that which either covers."""
    return {
        (n, o): _overlap(floats(new.corners_px), floats(old.corners_px))
        for (n, new), (o, old) in product(enumerate(now), enumerate(before))
    }


def _overlap(one: Corners, other: Corners) -> float:
    common, _ = cv2.intersectConvexConvex(one, other)
    both = cv2.contourArea(one) + cv2.contourArea(other) - common
    return float(common / both) if both > 0 else 0.0
