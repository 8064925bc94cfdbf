"""Points of cities with their reasons, and ranks of players: rulebook, "Wertung" and "Spielende".

The reasons of a city together name each of its tiles. ``bulk_scoring`` has the same rules without
reasons, to score many tables fast; ``contributions`` ranks the many tables that unsure tiles allow.

Three and more players get the points of the lower of their two cities, two players those of
both together ("Zwei-Spieler Variante"). Players with the same final score are compared by their
higher city (not with two players, where the book goes straight on), then by the number of their
tiles over both cities, type by type; then they share their rank.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import Final

from scoring.areas import connected_area, neighbours
from scoring.faces import Cell, Face, Grid
from scoring.games.between_two_cities.score_sheet import (
    BuildingType,
    PlayerScore,
    Reason,
    ReasonKind,
)
from scoring.games.between_two_cities.table import CITY_SIZE, Table, Variant
from scoring.legality import name_at
from scoring.ranking import RankKey, explain_tie, rank_of

SHOP_LINE_POINTS: Final = {1: 2, 2: 5, 3: 10, 4: 16}
"""Points of an unbroken line of shops by its length."""
TAVERN_SET_POINTS: Final = {1: 1, 2: 4, 3: 9, 4: 17}
"""Points of a set by its number of different taverns."""
OFFICE_SET_POINTS: Final = {1: 1, 2: 3, 3: 6, 4: 10, 5: 15, 6: 21}
"""Points of a set by its number of offices; the seventh office starts a new set."""
OFFICE_SET_SIZE: Final = 6
PARK_GROUP_POINTS: Final = (0, 2, 8, *range(12, 26))
"""Points of a group by its number of parks, 0 to 16; from the fourth on each is worth 1."""
FACTORY_POINTS: Final = {
    ReasonKind.FACTORIES_MOST: 4,
    ReasonKind.FACTORIES_SECOND: 3,
    ReasonKind.FACTORIES_FEWER: 2,
}
"""Points of each factory by the rank of its city among all cities of the table."""

DEFAULT_OWNERS: Final = (0, 1, 1, 0)
"""Two players, clockwise: left city of player 0, right and left of player 1, right of player 0."""

_BUILDING_TYPE_OF_FACE: Final = {
    Face.SHOP: BuildingType.SHOPS,
    Face.FACTORY: BuildingType.FACTORIES,
    Face.TAVERN_FOOD: BuildingType.TAVERNS,
    Face.TAVERN_BED: BuildingType.TAVERNS,
    Face.TAVERN_MUSIC: BuildingType.TAVERNS,
    Face.TAVERN_DRINK: BuildingType.TAVERNS,
    Face.OFFICE: BuildingType.OFFICES,
    Face.PARK: BuildingType.PARKS,
    Face.HOUSE: BuildingType.HOUSES,
}

Tiles = Mapping[BuildingType, Sequence[Cell]]
"""The cells of a city by building type, each in reading order; all types are keys."""

Line = tuple[Cell, ...]
"""Shops side by side, from left to right or from top to bottom."""


def tiles_by_building_type(grid: Grid) -> Tiles:
    """Sort the cells of a city by building type; cells without a tile are in none."""
    tiles: dict[BuildingType, list[Cell]] = {building_type: [] for building_type in BuildingType}
    for row, faces in enumerate(grid):
        for column, face in enumerate(faces):
            if face is not None:
                tiles[_BUILDING_TYPE_OF_FACE[face]].append((row, column))
    return tiles


def factory_ranks(counts: Sequence[int]) -> tuple[ReasonKind, ...]:
    """Rank each city by its number of factories: most, second most, or fewer.

    Cities with the same number share a rank, and the second most is the next smaller number
    that occurs, however many cities have the most.

    Args:
        counts: Number of factories of every city of the table.
    """
    ranked = sorted(set(counts), reverse=True)
    ranks = (ReasonKind.FACTORIES_MOST, ReasonKind.FACTORIES_SECOND)
    rank_of_count = dict(zip(ranked, ranks, strict=False))
    return tuple(rank_of_count.get(count, ReasonKind.FACTORIES_FEWER) for count in counts)


def best_lines(shops: Iterable[Cell]) -> tuple[Line, ...]:
    """Split shops into the lines that are worth the most together: rulebook, "Läden".

    A line (in the rulebook a set) is straight, unbroken and of 1 to 4 shops, and every shop belongs
    to one line. The players choose the lines, so the best of all partitions counts. Of several best
    ones the same is always returned: from the top left on, the longer line first and a row before a
    column.

    Args:
        shops: Cells of a 4x4 city, in any order.

    Returns:
        The lines; every shop is in exactly one.
    """
    mask = sum(map(_bit, shops))
    lines = []
    while mask:
        _, line_mask, line = _best_first_line(mask)
        lines.append(line)
        mask ^= line_mask
    return tuple(lines)


def city_reasons(grid: Grid, tiles: Tiles, factory_rank: ReasonKind) -> tuple[Reason, ...]:
    """List the reasons for the points of a 4x4 city, in the order of the reference card.

    Args:
        grid: Grid of the city; its cells may be None.
        tiles: Tiles of the city, sorted by ``tiles_by_building_type``.
        factory_rank: Rank of this city among all, by ``factory_ranks``.
    """
    return (
        *_shop_reasons(tiles),
        *_factory_reasons(tiles, factory_rank),
        *_tavern_reasons(grid, tiles),
        *_office_reasons(tiles),
        *_park_reasons(tiles),
        *_house_reasons(tiles),
    )


def cities_of_seats(table: Table) -> tuple[tuple[int, int], ...]:
    """Return the indices of the left and the right city of each player, in seat order.

    With two players whose cities do not lie side by side, the first one counts as the left.
    """
    count = len(table.cities)
    if table.variant is Variant.STANDARD:
        order = table.order or tuple(range(count))
        return tuple((order[player], order[player - 1]) for player in range(count))
    owners = DEFAULT_OWNERS if table.owners is None else table.owners
    return tuple(_left_and_right(owners, player) for player in range(table.player_count))


def score_players(
    table: Table, totals: Sequence[int], tiles: Sequence[Tiles]
) -> tuple[PlayerScore, ...]:
    """Return final score and rank of every player, in seat order.

    Args:
        table: Table that the rules allow.
        totals: Points of each of its cities.
        tiles: Tiles of each of its cities by type.
    """
    city_pairs = cities_of_seats(table)
    counts = [tuple(len(city[building_type]) for building_type in BuildingType) for city in tiles]
    rank_keys = [rank_key(table.variant, pair, totals, counts) for pair in city_pairs]
    return tuple(
        PlayerScore(
            name=name_at(table.players, player),
            cities=pair,
            final=rank_keys[player][0],
            rank=rank_of(player, rank_keys),
            tie_break=explain_tie(player, rank_keys),
        )
        for player, pair in enumerate(city_pairs)
    )


def rank_key(
    variant: Variant,
    cities: tuple[int, int],
    totals: Sequence[int],
    counts: Sequence[Sequence[int]],
) -> RankKey:
    """Return the final score of a player, then the numbers that break ties.

    They stand in the order of ``score_sheet.TieBreaker``, each at the index that it names. The
    numbers of tiles come last, in the order of ``BuildingType``, which ``TieBreaker`` follows.

    Args:
        variant: Variant, by which players share the cities.
        cities: Indices of the player's two cities.
        totals: Points of each city of the table.
        counts: Tiles of each city by building type, in the order of ``BuildingType``.
    """
    own = [totals[city] for city in cities]
    tiles = [sum(both) for both in zip(*(counts[city] for city in cities), strict=True)]
    higher = 0 if variant is Variant.TWO_PLAYER else max(own)
    return (final_score(variant, own), higher, *tiles)


def final_score(variant: Variant, city_points: Sequence[int]) -> int:
    """Return the final score of a player from the points of both cities."""
    return sum(city_points) if variant is Variant.TWO_PLAYER else min(city_points)


def _shop_reasons(tiles: Tiles) -> Iterator[Reason]:
    for line in best_lines(tiles[BuildingType.SHOPS]):
        yield Reason(BuildingType.SHOPS, ReasonKind.SHOP_LINE, SHOP_LINE_POINTS[len(line)], line)


def _factory_reasons(tiles: Tiles, rank: ReasonKind) -> Iterator[Reason]:
    factories = tuple(tiles[BuildingType.FACTORIES])
    if factories:
        each = FACTORY_POINTS[rank]
        yield Reason(BuildingType.FACTORIES, rank, each * len(factories), factories, each)


def _tavern_reasons(grid: Grid, tiles: Tiles) -> Iterator[Reason]:
    """Form the largest sets: each further kind in a set is worth more than the one before."""
    cells_of_kind: dict[Face | None, list[Cell]] = defaultdict(list)
    for row, column in tiles[BuildingType.TAVERNS]:
        cells_of_kind[grid[row][column]].append((row, column))
    for cells in zip_longest(*cells_of_kind.values()):
        tavern_set = tuple(sorted(cell for cell in cells if cell is not None))
        points = TAVERN_SET_POINTS[len(tavern_set)]
        yield Reason(BuildingType.TAVERNS, ReasonKind.TAVERN_SET, points, tavern_set)


def _office_reasons(tiles: Tiles) -> Iterator[Reason]:
    offices = tiles[BuildingType.OFFICES]
    for start in range(0, len(offices), OFFICE_SET_SIZE):
        office_set = tuple(offices[start : start + OFFICE_SET_SIZE])
        points = OFFICE_SET_POINTS[len(office_set)]
        yield Reason(BuildingType.OFFICES, ReasonKind.OFFICE_SET, points, office_set)
    taverns = tiles[BuildingType.TAVERNS]
    rewarded = _touching(offices, taverns)
    if rewarded:
        yield Reason(
            BuildingType.OFFICES,
            ReasonKind.OFFICES_BY_TAVERN,
            len(rewarded),
            rewarded,
            each=1,
            beside=_touching(taverns, offices),
        )


def _park_reasons(tiles: Tiles) -> Iterator[Reason]:
    left = set(tiles[BuildingType.PARKS])
    while left:
        group = connected_area(min(left), left)
        left.difference_update(group)
        yield Reason(
            BuildingType.PARKS, ReasonKind.PARK_GROUP, PARK_GROUP_POINTS[len(group)], group
        )


def _house_reasons(tiles: Tiles) -> Iterator[Reason]:
    houses, factories = tiles[BuildingType.HOUSES], tiles[BuildingType.FACTORIES]
    spoilt = _touching(houses, factories)
    quiet = tuple(house for house in houses if house not in spoilt)
    if quiet:
        types = tuple(
            building_type
            for building_type in BuildingType
            if building_type is not BuildingType.HOUSES and tiles[building_type]
        )
        each = len(types)
        points = each * len(quiet)
        yield Reason(BuildingType.HOUSES, ReasonKind.HOUSES, points, quiet, each, types=types)
    if spoilt:
        yield Reason(
            BuildingType.HOUSES,
            ReasonKind.HOUSES_BY_FACTORY,
            len(spoilt),
            spoilt,
            each=1,
            beside=_touching(factories, houses),
        )


def _bit(cell: Cell) -> int:
    """Return a cell as one bit of a mask, a number of 16 bits in reading order."""
    row, column = cell
    return 1 << CITY_SIZE * row + column


def _lines_from(row: int, column: int) -> Iterator[tuple[int, Line]]:
    """List the lines to the right and down from a cell, longest first, each also as a mask."""
    for length in range(CITY_SIZE, 0, -1):
        across = tuple((row, column + step) for step in range(length))
        down = tuple((row + step, column) for step in range(length))
        if column + length <= CITY_SIZE:
            yield sum(map(_bit, across)), across
        if row + length <= CITY_SIZE and length > 1:
            yield sum(map(_bit, down)), down


_LINES_FROM: Final = {
    _bit((row, column)): tuple(_lines_from(row, column))
    for row in range(CITY_SIZE)
    for column in range(CITY_SIZE)
}


@lru_cache(maxsize=4096)
def _best_first_line(mask: int) -> tuple[int, int, Line]:
    """Return the points of the best partition of ``mask``, and mask and cells of its first line.

    The first shop in reading order has none to its left or above it, so the line that holds it
    starts there; what remains is a smaller mask.
    """
    best: tuple[int, int, Line] = (0, 0, ())
    for line_mask, line in _LINES_FROM[mask & -mask]:
        if mask & line_mask != line_mask:
            continue
        rest = mask ^ line_mask
        points = SHOP_LINE_POINTS[len(line)] + (_best_first_line(rest)[0] if rest else 0)
        if points > best[0]:
            best = (points, line_mask, line)
    return best


def _touching(cells: Iterable[Cell], others: Iterable[Cell]) -> tuple[Cell, ...]:
    """Return the cells that share an edge with one of ``others``."""
    wanted = set(others)
    return tuple(cell for cell in cells if not wanted.isdisjoint(neighbours(cell)))


def _left_and_right(owners: Sequence[int], player: int) -> tuple[int, int]:
    first, second = (city for city, owner in enumerate(owners) if owner == player)
    # Clockwise, the right city of a player comes just before the left one
    left_follows_right = second - first == 1
    return (second, first) if left_follows_right else (first, second)
