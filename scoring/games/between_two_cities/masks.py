"""Where the tiles of one type lie, as one number, and what every such layout is worth.

A layout is a number of 16 bits; bit ``4 * row + column`` is set where a tile of the type lies. As
there are only 65,536 layouts, the points of shops and of parks are looked up in tables of one byte
a layout, which are made when they are first asked for. The points of a layout follow from those of
smaller ones: what holds the first tile in reading order is taken away, and the rest is known.
"""

from array import array
from collections.abc import Iterator
from functools import cache
from typing import Final

from scoring.games.between_two_cities.points import LARGEST_LISTED_PARK_GROUP, PARK_GROUP_POINTS
from scoring.games.between_two_cities.shops import LINE_POINTS
from scoring.games.between_two_cities.table import CITY_SIZE

CELLS: Final = CITY_SIZE * CITY_SIZE
"""Places of a city, which is also the number of bits of a layout."""
LAYOUTS: Final = 1 << CELLS
"""How many layouts there are, from none set to all set."""

_NOT_FIRST_COLUMN: Final = 0b1110_1110_1110_1110
_NOT_LAST_COLUMN: Final = 0b0111_0111_0111_0111

_Line = tuple[int, int]
"""The layout of a line of shops and its points."""


def beside(layout: int) -> int:
    """The cells that share an edge with a cell of ``layout``.

    Further bits than 16 may be set, for the row below the last one.
    """
    return (
        layout << CITY_SIZE
        | layout >> CITY_SIZE
        | layout << 1 & _NOT_FIRST_COLUMN
        | layout >> 1 & _NOT_LAST_COLUMN
    )


@cache
def shop_table() -> bytes:
    """Points of every layout of shops, each in the best partition into lines.

    The first shop in reading order has none to its left or above it, so it is the first of its
    line: the best of its lines to the right and down is chosen, with what the rest is worth.

    Returns:
        65,536 numbers by layout.
    """
    lines_from = {1 << bit: tuple(_lines_from(bit)) for bit in range(CELLS)}
    points = bytearray(LAYOUTS)
    for layout in range(1, LAYOUTS):
        first = layout & -layout
        best = LINE_POINTS[1] + points[layout ^ first]
        for direction in lines_from[first]:
            for line, line_points in direction:
                if layout & line != line:
                    break
                with_line = line_points + points[layout ^ line]
                if with_line > best:  # max() takes half as long again
                    best = with_line
        points[layout] = best
    return bytes(points)


@cache
def park_table() -> bytes:
    """Points of every layout of parks.

    The group of the first park in reading order consists of this park and of those groups of the
    other parks that touch it.

    Returns:
        65,536 numbers by layout.
    """
    group_points = [_park_group_points(size) for size in range(CELLS + 1)]
    first_groups = array("H", bytes(2 * LAYOUTS))
    points = bytearray(LAYOUTS)
    for layout in range(1, LAYOUTS):
        first = layout & -layout
        neighbours = beside(first)
        group = first
        others = layout ^ first
        while others & neighbours:
            other_group = first_groups[others]
            if other_group & neighbours:
                group |= other_group
            others ^= other_group
        first_groups[layout] = group
        points[layout] = group_points[group.bit_count()] + points[layout ^ group]
    return bytes(points)


def _lines_from(bit: int) -> Iterator[tuple[_Line, ...]]:
    """Lines of two and more to the right of a cell and down from it, the shorter ones first."""
    row, column = divmod(bit, CITY_SIZE)
    for step, room in ((1, CITY_SIZE - column), (CITY_SIZE, CITY_SIZE - row)):
        yield tuple(
            (sum(1 << bit + step * place for place in range(length)), LINE_POINTS[length])
            for length in range(2, room + 1)
        )


def _park_group_points(size: int) -> int:
    if size == 0:
        return 0
    listed = min(size, LARGEST_LISTED_PARK_GROUP)
    return PARK_GROUP_POINTS[listed] + size - listed
