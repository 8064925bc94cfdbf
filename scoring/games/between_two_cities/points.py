"""What one city is worth, tile by tile: rulebook, "Wertung".

Every function takes the cells of a city in reading order and returns reasons; together the
reasons of a city name each of its tiles.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Final

from scoring.faces import Cell, Face, Grid
from scoring.games.between_two_cities.sheet import Category, Reason, ReasonKind
from scoring.games.between_two_cities.shops import LINE_POINTS, best_lines
from scoring.games.between_two_cities.table import CITY_SIZE

TAVERN_SET_POINTS: Final = {1: 1, 2: 4, 3: 9, 4: 17}
"""Points of a set by its number of different taverns."""
OFFICE_SET_POINTS: Final = {1: 1, 2: 3, 3: 6, 4: 10, 5: 15, 6: 21}
"""Points of a set by its number of offices; the seventh office starts a new set."""
OFFICE_SET_SIZE: Final = 6
PARK_GROUP_POINTS: Final = {1: 2, 2: 8, 3: 12}
"""Points of a group by its number of parks; each further park is worth 1."""
LARGEST_LISTED_PARK_GROUP: Final = 3
FACTORY_POINTS: Final = {
    ReasonKind.FACTORIES_MOST: 4,
    ReasonKind.FACTORIES_SECOND: 3,
    ReasonKind.FACTORIES_FEWER: 2,
}
"""Points of each factory by the place of its city among all cities of the table."""

_CATEGORY_OF_FACE: Final = {
    Face.SHOP: Category.SHOPS,
    Face.FACTORY: Category.FACTORIES,
    Face.TAVERN_FOOD: Category.TAVERNS,
    Face.TAVERN_BED: Category.TAVERNS,
    Face.TAVERN_MUSIC: Category.TAVERNS,
    Face.TAVERN_DRINK: Category.TAVERNS,
    Face.OFFICE: Category.OFFICES,
    Face.PARK: Category.PARKS,
    Face.HOUSE: Category.HOUSES,
}

Tiles = Mapping[Category, Sequence[Cell]]
"""The cells of a city by building type, each in reading order; all types are keys."""


def tiles_by_type(grid: Grid) -> Tiles:
    """Sort the cells of a city by building type; cells without a tile are in none."""
    tiles: dict[Category, list[Cell]] = {category: [] for category in Category}
    for row, faces in enumerate(grid):
        for column, face in enumerate(faces):
            if face is not None:
                tiles[_CATEGORY_OF_FACE[face]].append((row, column))
    return tiles


def factory_places(counts: Sequence[int]) -> tuple[ReasonKind, ...]:
    """The place of each city by its number of factories: most, second most, or fewer.

    Cities with the same number share a place, and the second most is the next smaller number
    that occurs, however many cities have the most.

    Args:
        counts: number of factories of every city of the table.
    """
    ranked = sorted(set(counts), reverse=True)
    places = (ReasonKind.FACTORIES_MOST, ReasonKind.FACTORIES_SECOND)
    place_of_count = dict(zip(ranked, places, strict=False))
    return tuple(place_of_count.get(count, ReasonKind.FACTORIES_FEWER) for count in counts)


def city_reasons(grid: Grid, tiles: Tiles, factory_place: ReasonKind) -> tuple[Reason, ...]:
    """All that a 4x4 city scores, in the order of the reference card.

    Args:
        grid: the city; its cells may be None.
        tiles: the same city as ``tiles_by_type`` sorts it.
        factory_place: of this city, as ``factory_places`` tells it.
    """
    return (
        *_shop_reasons(tiles),
        *_factory_reasons(tiles, factory_place),
        *_tavern_reasons(grid, tiles),
        *_office_reasons(tiles),
        *_park_reasons(tiles),
        *_house_reasons(tiles),
    )


def _shop_reasons(tiles: Tiles) -> Iterable[Reason]:
    for line in best_lines(tiles[Category.SHOPS]):
        yield Reason(Category.SHOPS, ReasonKind.SHOP_LINE, LINE_POINTS[len(line)], line)


def _factory_reasons(tiles: Tiles, place: ReasonKind) -> Iterable[Reason]:
    factories = tuple(tiles[Category.FACTORIES])
    if factories:
        each = FACTORY_POINTS[place]
        yield Reason(Category.FACTORIES, place, each * len(factories), factories, each)


def _tavern_reasons(grid: Grid, tiles: Tiles) -> Iterable[Reason]:
    """Sets as large as can be: each further kind in a set is worth more than the one before."""
    cells_of_kind: dict[Face | None, list[Cell]] = defaultdict(list)
    for row, column in tiles[Category.TAVERNS]:
        cells_of_kind[grid[row][column]].append((row, column))
    for cells in zip_longest(*cells_of_kind.values()):
        tavern_set = tuple(sorted(cell for cell in cells if cell is not None))
        points = TAVERN_SET_POINTS[len(tavern_set)]
        yield Reason(Category.TAVERNS, ReasonKind.TAVERN_SET, points, tavern_set)


def _office_reasons(tiles: Tiles) -> Iterable[Reason]:
    offices = tiles[Category.OFFICES]
    for start in range(0, len(offices), OFFICE_SET_SIZE):
        office_set = tuple(offices[start : start + OFFICE_SET_SIZE])
        points = OFFICE_SET_POINTS[len(office_set)]
        yield Reason(Category.OFFICES, ReasonKind.OFFICE_SET, points, office_set)
    taverns = tiles[Category.TAVERNS]
    rewarded = _touching(offices, taverns)
    if rewarded:
        yield Reason(
            Category.OFFICES,
            ReasonKind.OFFICES_BY_TAVERN,
            len(rewarded),
            rewarded,
            each=1,
            beside=_touching(taverns, offices),
        )


def _park_reasons(tiles: Tiles) -> Iterable[Reason]:
    for group in _connected_groups(tiles[Category.PARKS]):
        listed = min(len(group), LARGEST_LISTED_PARK_GROUP)
        points = PARK_GROUP_POINTS[listed] + len(group) - listed
        yield Reason(Category.PARKS, ReasonKind.PARK_GROUP, points, group)


def _house_reasons(tiles: Tiles) -> Iterable[Reason]:
    houses, factories = tiles[Category.HOUSES], tiles[Category.FACTORIES]
    spoilt = _touching(houses, factories)
    quiet = tuple(house for house in houses if house not in spoilt)
    if quiet:
        types = tuple(
            category for category in Category if category is not Category.HOUSES and tiles[category]
        )
        each = len(types)
        points = each * len(quiet)
        yield Reason(Category.HOUSES, ReasonKind.HOUSES, points, quiet, each, types=types)
    if spoilt:
        yield Reason(
            Category.HOUSES,
            ReasonKind.HOUSES_BY_FACTORY,
            len(spoilt),
            spoilt,
            each=1,
            beside=_touching(factories, houses),
        )


def _touching(cells: Iterable[Cell], others: Iterable[Cell]) -> tuple[Cell, ...]:
    """Those of ``cells`` that share an edge with one of ``others``."""
    wanted = set(others)
    return tuple(cell for cell in cells if not wanted.isdisjoint(_NEIGHBOURS[cell]))


def _connected_groups(cells: Sequence[Cell]) -> Iterable[tuple[Cell, ...]]:
    """Cells that hang together by their edges, by the first cell of each group."""
    left = set(cells)
    for first in cells:
        if first not in left:
            continue
        group, frontier = {first}, [first]
        while frontier:
            found = (left & _NEIGHBOURS[frontier.pop()]) - group
            group |= found
            frontier.extend(found)
        left -= group
        yield tuple(sorted(group))


def _neighbours(cell: Cell) -> frozenset[Cell]:
    row, column = cell
    around = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return frozenset((r, c) for r, c in around if 0 <= r < CITY_SIZE and 0 <= c < CITY_SIZE)


_NEIGHBOURS: Final = {
    (row, column): _neighbours((row, column))
    for row in range(CITY_SIZE)
    for column in range(CITY_SIZE)
}
