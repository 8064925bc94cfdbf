"""Best arrangements of a city's tiles, found by simulated annealing, and the worth of each tile.

    for city in find_best_arrangements([city.grid for city in table.cities]):
        print(city.total, city.bound)

All sixteen tiles may change places, also the halves of a duplex tile by themselves; gaps stay where
they are, and so do all other cities. The points of factories and taverns, and of offices by their
number, are then always the same. The sum of the maximum points of shops, parks, houses, and offices
beside taverns, each computed separately, is an upper bound; a city that reaches it is optimal.

Two tiles are swapped at a time. A swap that loses points is kept with a probability that falls with
the loss (simulated annealing). The search stops after a number of swaps and never by time, so that
the result is the same everywhere.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Final

from scoring.faces import Cell, Face, Grid
from scoring.games.between_two_cities.bulk_scoring import (
    CELLS,
    MASK_COUNT,
    neighbour_mask,
    park_table,
    score_cities,
    shop_table,
)
from scoring.games.between_two_cities.table import CITY_SIZE

MAX_STEPS: Final = 60_000
"""Swaps tried for a city whose bound is not reached."""
SEED: Final = 1
"""Seed of the search, so that it finds the same everywhere."""

_CHANCES: Final = (256, 111, 48, 21, 9, 4, 2, 1)
"""Chances out of 256 to keep a swap, by the points that it loses."""
_SHOP, _FACTORY, _TAVERN, _OFFICE, _PARK, _HOUSE = range(6)
_TYPE_INDEX_OF_FACE: Final = {
    **dict.fromkeys((face for face in Face if face.is_tavern), _TAVERN),
    Face.SHOP: _SHOP,
    Face.FACTORY: _FACTORY,
    Face.OFFICE: _OFFICE,
    Face.PARK: _PARK,
    Face.HOUSE: _HOUSE,
}


@dataclass(frozen=True, slots=True)
class BestArrangement:
    """Best arrangement found of a city's tiles.

    Attributes:
        given: Points of the city as it lies.
        grid: Grid of the same tiles and gaps; as given if nothing better was found.
        total: Points of ``grid``.
        bound: Upper bound of the points of these tiles, however they are laid.
        valuable: Tiles without which the city as given would lose the most points; several
            where each would cost as much, none in an empty city.
        worth: Points lost without one of them; removing a factory may also lower the city's
            factory rank.
    """

    given: int
    grid: Grid
    total: int
    bound: int
    valuable: tuple[Cell, ...]
    worth: int

    @property
    def is_best(self) -> bool:
        """True if the points found reach the upper bound."""
        return self.total == self.bound


def find_best_arrangements(grids: Sequence[Grid]) -> tuple[BestArrangement, ...]:
    """Return the best arrangement found for each city of a table.

    Args:
        grids: Grids of all cities, each 4 rows of 4 faces; None where no tile lies.

    Raises:
        TableError: A city has another size or an unknown face, as for ``score_cities``.
    """
    totals = [points.total for points in score_cities(grids)]
    return tuple(
        _find_best(grid, total, *_most_valuable(grids, index, total))
        for index, (grid, total) in enumerate(zip(grids, totals, strict=True))
    )


def _most_valuable(grids: Sequence[Grid], city: int, total: int) -> tuple[tuple[Cell, ...], int]:
    """Return ``valuable`` and ``worth`` of a city, given its index and points."""
    worth: dict[Cell, int] = {}
    for row, faces in enumerate(grids[city]):
        for column, face in enumerate(faces):
            if face is not None:
                without = [list(each) for each in grids[city]]
                without[row][column] = None
                rest = score_cities([*grids[:city], without, *grids[city + 1 :]])
                worth[row, column] = total - rest[city].total
    most = max(worth.values(), default=0)
    return tuple(cell for cell, points in worth.items() if points == most), most


def _find_best(grid: Grid, total: int, valuable: tuple[Cell, ...], worth: int) -> BestArrangement:
    """Find the best arrangement of a city, given its points and most valuable tiles."""
    faces = [face for row in grid for face in row]
    masks = [0] * (_HOUSE + 1)
    for bit, face in enumerate(faces):
        if face is not None:
            masks[_TYPE_INDEX_OF_FACE[face]] |= 1 << bit
    types = sum(mask > 0 for mask in masks[:_HOUSE])
    now = _points(masks, types)
    bound = _bound([mask.bit_count() for mask in masks], types)
    found, gained = _search(faces, masks, types, bound - now)
    rows = tuple(tuple(found[start : start + CITY_SIZE]) for start in range(0, CELLS, CITY_SIZE))
    return BestArrangement(total, rows, total + gained, total + bound - now, valuable, worth)


def _search(
    faces: list[Face | None], masks: list[int], types: int, wanted: int
) -> tuple[list[Face | None], int]:
    """Return the best arrangement found and its gain, at most ``wanted`` points.

    Changes ``faces`` and ``masks``.
    """
    random = Random(SEED)  # noqa: S311 - nothing is kept secret
    best, gained = faces.copy(), 0
    now = first = _points(masks, types)
    for _ in range(MAX_STEPS):
        if gained == wanted:
            break
        one, other = random.getrandbits(4), random.getrandbits(4)
        a, b = faces[one], faces[other]
        if a is None or b is None or _TYPE_INDEX_OF_FACE[a] == _TYPE_INDEX_OF_FACE[b]:
            continue
        both = 1 << one | 1 << other
        masks[_TYPE_INDEX_OF_FACE[a]] ^= both
        masks[_TYPE_INDEX_OF_FACE[b]] ^= both
        points = _points(masks, types)
        loss = now - points
        if loss > 0 and (loss >= len(_CHANCES) or random.getrandbits(8) >= _CHANCES[loss]):
            masks[_TYPE_INDEX_OF_FACE[a]] ^= both
            masks[_TYPE_INDEX_OF_FACE[b]] ^= both
            continue
        faces[one], faces[other], now = b, a, points
        if now - first > gained:
            best, gained = faces.copy(), now - first
    return best, gained


def _points(masks: Sequence[int], types: int) -> int:
    """Return the points that depend on the places of tiles.

    Args:
        masks: Cells of each building type as bits, in the order ``_SHOP`` to ``_HOUSE``.
        types: Number of building types other than houses.
    """
    shops, factories, taverns, offices, parks, houses = masks
    spoilt = (houses & neighbour_mask(factories)).bit_count()
    return (
        shop_table()[shops]
        + park_table()[parks]
        + (offices & neighbour_mask(taverns)).bit_count()
        + types * (houses.bit_count() - spoilt)
        + spoilt
    )


def _bound(counts: Sequence[int], types: int) -> int:
    """Return an upper bound of the points: each building type as if it were alone in the city.

    Args:
        counts: Number of tiles of each building type, in the order ``_SHOP`` to ``_HOUSE``.
        types: Number of building types other than houses.
    """
    shops, factories, taverns, offices, parks, houses = counts
    most = _maxima()
    quiet = min(houses, most.apart[factories])
    return (
        most.shops[shops]
        + most.parks[parks]
        + min(offices, most.beside[taverns])
        + types * quiet
        + min(types, 1) * (houses - quiet)
    )


@dataclass(frozen=True, slots=True)
class _Maxima:
    """Maximum values for each number of tiles of one building type, 0 to ``CELLS``.

    Attributes:
        shops: Points of shops.
        parks: Points of parks.
        beside: Cells that share an edge with one of the tiles.
        apart: Other cells that share none.
    """

    shops: list[int]
    parks: list[int]
    beside: list[int]
    apart: list[int]


@cache
def _maxima() -> _Maxima:
    most = _Maxima(*([0] * (CELLS + 1) for _ in range(4)))
    for mask, (shops, parks) in enumerate(zip(shop_table(), park_table(), strict=True)):
        count = mask.bit_count()
        near = (neighbour_mask(mask) & ~mask & MASK_COUNT - 1).bit_count()
        most.shops[count] = max(most.shops[count], shops)
        most.parks[count] = max(most.parks[count], parks)
        most.beside[count] = max(most.beside[count], near)
        most.apart[count] = max(most.apart[count], CELLS - count - near)
    return most
