"""Which city of an earlier photo each city of a new one is."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Final

import cv2

from vision.arrays import Corners, floats
from vision.reading import GridReading

_SAME_PLACE: Final = 0.25
"""Share of their common area that two cities must overlap by to be in the same place; a city that
moved by two tiles, or turned by any angle, still does."""
_SAME_TILES: Final = 0.5
"""Share of the cells that must show the same faces. Chance gives a ninth, and a mere few tiles
that were put right or exchanged leave more."""

Pairs = Mapping[int, int]
"""From numbers of new cities to those of the cities before."""
_Likeness = Mapping[tuple[int, int], float]
"""From (new, old) to how alike they are, 0 to 1."""


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
