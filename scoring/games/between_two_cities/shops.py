"""The best way to count the shops of a city: rulebook, "Wertung", "Läden".

A set is a straight unbroken line of 1 to 4 shops and every shop belongs to one set. The players
choose the sets, so the city is worth the best of all partitions of its shops into lines.

A layout of shops is a number of 16 bits; bit ``4 * row + column`` is set where a shop lies.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from scoring.faces import Cell
from scoring.games.between_two_cities.table import CITY_SIZE

Line = tuple[Cell, ...]

LINE_POINTS: Final = {1: 2, 2: 5, 3: 10, 4: 16}
"""Points of a set by its length."""


def best_lines(shops: Iterable[Cell]) -> tuple[Line, ...]:
    """Split shops into the sets that are worth the most together.

    Of several best ways the same one is always returned: from the top left on, the longer set
    first and a row before a column.

    Args:
        shops: cells of a 4x4 city, in any order.

    Returns:
        The sets, each from left to right or from top to bottom; every shop is in exactly one.
    """
    layout = sum(1 << _bit(cell) for cell in shops)
    lines = []
    while layout:
        _, mask, line = _best_first_line(layout)
        lines.append(line)
        layout ^= mask
    return tuple(lines)


def _bit(cell: Cell) -> int:
    row, column = cell
    return CITY_SIZE * row + column


def _lines_from(cell: Cell) -> tuple[tuple[int, Line], ...]:
    """All lines to the right of and down from ``cell``, the longest first, each with its mask."""
    row, column = cell
    lines = []
    for length in range(CITY_SIZE, 0, -1):
        if column + length <= CITY_SIZE:
            lines.append(tuple((row, column + step) for step in range(length)))
        if row + length <= CITY_SIZE and length > 1:
            lines.append(tuple((row + step, column) for step in range(length)))
    return tuple((sum(1 << _bit(part) for part in line), line) for line in lines)


_LINES_FROM_BIT: Final = tuple(
    _lines_from(divmod(bit, CITY_SIZE)) for bit in range(CITY_SIZE * CITY_SIZE)
)


@lru_cache(maxsize=4096)
def _best_first_line(layout: int) -> tuple[int, int, Line]:
    """Points of the best partition of ``layout``, and its set that holds the first shop.

    The first shop in reading order has none to its left or above it, so the set that holds it
    starts there; what remains is a smaller layout.
    """
    first_bit = (layout & -layout).bit_length() - 1
    best: tuple[int, int, Line] = (0, 0, ())
    for mask, line in _LINES_FROM_BIT[first_bit]:
        if layout & mask != mask:
            continue
        rest = layout ^ mask
        points = LINE_POINTS[len(line)] + (_best_first_line(rest)[0] if rest else 0)
        if points > best[0]:
            best = (points, mask, line)
    return best
