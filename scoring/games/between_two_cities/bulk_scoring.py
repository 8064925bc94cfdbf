"""Fast scoring of many tables, without reasons, by lookup tables of bit masks.

    for grids in tables:
        points = score_cities(grids)

The points are those of ``score``. Left out are the reasons, the players, and the check whether the
rules allow the table. Ranges over unsure tiles need ranks as well, and use `contributions`;
`best_arrangements` uses the lookup tables.

Each city becomes one bit mask per face: a number of 16 bits, of which bit ``4 * row + column`` is
set where a tile with this face lies. On masks every rule is a few operations on bits. As there are
only 65,536 masks, the points of shops and of parks are looked up: one byte per mask, computed at
first use. A lookup table is filled from small masks to large ones: the line or group of the first
tile in reading order is removed, and the points of the remaining mask are looked up.
"""

from array import array
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from scoring.errors import N_, Breach, BreachKind, TableError
from scoring.faces import Face
from scoring.games.between_two_cities.points import (
    FACTORY_POINTS,
    OFFICE_SET_POINTS,
    OFFICE_SET_SIZE,
    PARK_GROUP_POINTS,
    SHOP_LINE_POINTS,
    TAVERN_SET_POINTS,
    factory_ranks,
)
from scoring.games.between_two_cities.score_sheet import Points
from scoring.games.between_two_cities.table import CITY_SIZE
from scoring.legality import size_breaches

CELLS: Final = CITY_SIZE * CITY_SIZE
"""Places of a city, which is also the number of bits of a mask."""
MASK_COUNT: Final = 1 << CELLS
"""Number of masks of 16 cells."""

GridOfNames = Sequence[Sequence[str | None]]
"""A city as JSON gives it: 4 rows of 4 names of faces; None where no tile lies."""

_Masks = dict[str | None, int]
"""The bit mask of every face by its name, in the order of ``Face``; and, last, of the gaps."""

_EMPTY: Final[_Masks] = {**dict.fromkeys((face.value for face in Face), 0), None: 0}
_NOT_FIRST_COLUMN: Final = 0b1110_1110_1110_1110
_NOT_LAST_COLUMN: Final = 0b0111_0111_0111_0111
_MAX_SHOWN_CHARS: Final = 40
"""Maximum number of letters of an unknown name in the error."""

_FIRST_TAVERN, _SECOND_TAVERN, _THIRD_TAVERN, _FOURTH_TAVERN = (
    points - TAVERN_SET_POINTS.get(size - 1, 0) for size, points in TAVERN_SET_POINTS.items()
)
"""Points that each tavern of a set adds, from the first one on."""


def _office_points(count: int) -> int:
    full_sets, rest = divmod(count, OFFICE_SET_SIZE)
    return full_sets * OFFICE_SET_POINTS[OFFICE_SET_SIZE] + OFFICE_SET_POINTS.get(rest, 0)


_OFFICE_POINTS: Final = tuple(_office_points(count) for count in range(CELLS + 1))
"""Points of all offices of a city by their number, without taverns beside them."""


class BulkBreach(BreachKind):
    """Breach of the input of ``score_cities``, beside the sizes of ``SharedBreach``."""

    WRONG_TYPE = N_("not a city; give {rows} rows of {rows} names of kinds")
    UNKNOWN_FACE = N_("no tile is of the kind {face}; kinds are {faces}")


def score_cities(grids: Sequence[GridOfNames]) -> list[Points]:
    """Count the points of the cities of one table.

    Args:
        grids: Grids of all cities of the table, each 4 rows of 4 names of faces from the top left,
            as lists or tuples; None where no tile lies. Members of ``Face`` do as well. Whether
            the game has so many cities and tiles is not checked.

    Returns:
        Points of every city, in the same order.

    Raises:
        TableError: A city has another size (``row-count``, ``row-length``, ``wrong-type``), or
            something else than the name of a face in it (``unknown-face``); it lists all such
            errors with their JSON paths.
    """
    try:
        cities = [_masks(grid) for grid in grids]
    except (KeyError, TypeError, ValueError):
        breaches = (
            breach
            for index, grid in enumerate(grids)
            for breach in _grid_breaches(grid, f"$.cities[{index}].grid")
        )
        raise TableError(tuple(breaches)) from None
    ranks = factory_ranks([masks["factory"].bit_count() for masks in cities])
    shop_points, park_points = shop_table(), park_table()
    return [
        _city_points(masks, FACTORY_POINTS[rank], shop_points, park_points)
        for masks, rank in zip(cities, ranks, strict=True)
    ]


@cache
def shop_table() -> bytes:
    """Return the points of every mask of shops, each in the best partition into lines.

    The first shop in reading order has none to its left or above it, so it is the first of its
    line: the best of its lines to the right and down is chosen, with what the rest is worth.

    Returns:
        65,536 numbers by mask.
    """
    lines_from = {1 << bit: tuple(_lines_from(bit)) for bit in range(CELLS)}
    points = bytearray(MASK_COUNT)
    for mask in range(1, MASK_COUNT):
        first = mask & -mask
        best = SHOP_LINE_POINTS[1] + points[mask ^ first]
        for direction in lines_from[first]:
            for line, line_points in direction:
                if mask & line != line:
                    break
                with_line = line_points + points[mask ^ line]
                if with_line > best:  # max() takes half as long again
                    best = with_line
        points[mask] = best
    return bytes(points)


@cache
def park_table() -> bytes:
    """Return the points of every mask of parks.

    The group of the first park in reading order consists of this park and of those groups of the
    other parks that touch it.

    Returns:
        65,536 numbers by mask.
    """
    first_groups = array("H", bytes(2 * MASK_COUNT))
    points = bytearray(MASK_COUNT)
    for mask in range(1, MASK_COUNT):
        first = mask & -mask
        neighbours = neighbour_mask(first)
        group = first
        others = mask ^ first
        while others & neighbours:
            other_group = first_groups[others]
            if other_group & neighbours:
                group |= other_group
            others ^= other_group
        first_groups[mask] = group
        points[mask] = PARK_GROUP_POINTS[group.bit_count()] + points[mask ^ group]
    return bytes(points)


def _lines_from(bit: int) -> Iterator[tuple[tuple[int, int], ...]]:
    """Yield masks and points of the lines to the right of a cell and of those down from it.

    They have two shops and more, the shorter ones first.
    """
    row, column = divmod(bit, CITY_SIZE)
    for step, room in ((1, CITY_SIZE - column), (CITY_SIZE, CITY_SIZE - row)):
        yield tuple(
            (sum(1 << bit + step * place for place in range(length)), SHOP_LINE_POINTS[length])
            for length in range(2, room + 1)
        )


def neighbour_mask(mask: int) -> int:
    """Return the mask of the cells that share an edge with a cell of ``mask``.

    Further bits than 16 may be set, for the row below the last one.
    """
    return (
        mask << CITY_SIZE
        | mask >> CITY_SIZE
        | mask << 1 & _NOT_FIRST_COLUMN
        | mask >> 1 & _NOT_LAST_COLUMN
    )


def _masks(grid: GridOfNames) -> _Masks:
    """Return the mask of each face.

    Raises:
        KeyError: A name is no face.
        TypeError: The grid has no rows.
        ValueError: The grid has another size.
    """
    masks = _EMPTY.copy()
    bit = 1
    for first, second, third, fourth in grid:
        masks[first] += bit
        masks[second] += bit << 1
        masks[third] += bit << 2
        masks[fourth] += bit << 3
        bit <<= CITY_SIZE
    if bit != MASK_COUNT:
        raise ValueError("not as many rows as a city has")
    return masks


def _city_points(
    masks: _Masks, points_a_factory: int, shop_points: bytes, park_points: bytes
) -> Points:
    shops, factories, food, beds, music, drinks, offices, parks, houses, _ = masks.values()
    taverns = food | beds | music | drinks
    # As many sets of four as there are of the rarest kind, and so on to the commonest kind
    rarest, rarer, commoner, commonest = sorted(
        (food.bit_count(), beds.bit_count(), music.bit_count(), drinks.bit_count())
    )
    spoilt_houses = (houses & neighbour_mask(factories)).bit_count()
    quiet_houses = houses.bit_count() - spoilt_houses
    other_types = (shops > 0) + (factories > 0) + (taverns > 0) + (offices > 0) + (parks > 0)
    tavern_points = (
        _FOURTH_TAVERN * rarest
        + _THIRD_TAVERN * rarer
        + _SECOND_TAVERN * commoner
        + _FIRST_TAVERN * commonest
    )
    return Points(  # in their order, as naming them takes notably longer
        shop_points[shops],
        points_a_factory * factories.bit_count(),
        tavern_points,
        _OFFICE_POINTS[offices.bit_count()] + (offices & neighbour_mask(taverns)).bit_count(),
        park_points[parks],
        other_types * quiet_houses + spoilt_houses,
    )


def _grid_breaches(grid: GridOfNames, where: str) -> Iterator[Breach]:
    if not isinstance(grid, list | tuple) or not all(isinstance(row, list | tuple) for row in grid):
        yield BulkBreach.WRONG_TYPE.at(where, rows=CITY_SIZE)
        return
    yield from size_breaches(grid, where, CITY_SIZE, CITY_SIZE)
    for row, names in enumerate(grid):
        for column, name in enumerate(names):
            if name is not None and not (isinstance(name, str) and name in _EMPTY):
                yield BulkBreach.UNKNOWN_FACE.at(
                    f"{where}[{row}][{column}]",
                    face=repr(name)[:_MAX_SHOWN_CHARS],
                    faces=", ".join(Face),
                )
