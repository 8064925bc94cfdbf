"""The points of many tables, fast and without reasons.

    for grids in tables:
        points = tally(grids)

The points are those of ``score``. Left out are the reasons, the players, and the check whether the
rules allow the table. Each city becomes one layout a face (see
``scoring.games.between_two_cities.masks``), on which every rule is a few operations on bits.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from scoring.errors import Breach, TableError
from scoring.faces import Face
from scoring.games.between_two_cities.masks import (
    CELLS,
    LAYOUTS,
    beside,
    park_table,
    shop_table,
)
from scoring.games.between_two_cities.points import (
    FACTORY_POINTS,
    OFFICE_SET_POINTS,
    OFFICE_SET_SIZE,
    TAVERN_SET_POINTS,
    factory_places,
)
from scoring.games.between_two_cities.sheet import Points
from scoring.games.between_two_cities.table import CITY_SIZE
from scoring.legality import size_breaches

GridOfNames = Sequence[Sequence[str | None]]
"""A city as JSON gives it: 4 rows of 4 names of faces; None where no tile lies."""

_Layouts = dict[str | None, int]
"""The layout of every face by its name, in the order of ``Face``; and, last, of the gaps."""

_EMPTY: Final[_Layouts] = {**dict.fromkeys((face.value for face in Face), 0), None: 0}
_MOST_LETTERS: Final = 40
"""Of an unknown name that are repeated in the error."""

_FIRST_TAVERN, _SECOND_TAVERN, _THIRD_TAVERN, _FOURTH_TAVERN = (
    points - TAVERN_SET_POINTS.get(size - 1, 0) for size, points in TAVERN_SET_POINTS.items()
)
"""What the first tavern of a set is worth, and what each further one adds."""


def _office_points(count: int) -> int:
    full_sets, rest = divmod(count, OFFICE_SET_SIZE)
    return full_sets * OFFICE_SET_POINTS[OFFICE_SET_SIZE] + OFFICE_SET_POINTS.get(rest, 0)


_OFFICE_POINTS: Final = tuple(_office_points(count) for count in range(CELLS + 1))
"""Points of all offices of a city by their number, without taverns beside them."""


def tally(grids: Sequence[GridOfNames]) -> list[Points]:
    """The points of the cities of one table, which rank each other's factories.

    Args:
        grids: all cities of the table, each 4 rows of 4 names of faces from the top left, as
            lists or tuples; None where no tile lies. Members of ``Face`` do as well. Whether
            the game has so many cities and tiles is not checked.

    Returns:
        Points of every city, in the same order.

    Raises:
        TableError: a city has another size (``row-count``, ``row-length``, ``wrong-type``), or
            something else than the name of a face in it (``unknown-face``); it names everything
            of the kind, each with its JSON path in the table.
    """
    try:
        cities = [_layouts(grid) for grid in grids]
    except (KeyError, TypeError, ValueError):
        raise _refusal(grids) from None
    places = factory_places([layouts["factory"].bit_count() for layouts in cities])
    shop_points, park_points = shop_table(), park_table()
    return [
        _city_points(layouts, FACTORY_POINTS[place], shop_points, park_points)
        for layouts, place in zip(cities, places, strict=True)
    ]


def _layouts(grid: GridOfNames) -> _Layouts:
    """Where each face lies; KeyError, TypeError or ValueError if the grid is not 4x4 names."""
    layouts = _EMPTY.copy()
    bit = 1
    for first, second, third, fourth in grid:
        layouts[first] += bit
        layouts[second] += bit << 1
        layouts[third] += bit << 2
        layouts[fourth] += bit << 3
        bit <<= CITY_SIZE
    if bit != LAYOUTS:
        raise ValueError("not as many rows as a city has")
    return layouts


def _city_points(
    layouts: _Layouts, points_a_factory: int, shop_points: bytes, park_points: bytes
) -> Points:
    shops, factories, food, beds, music, drinks, offices, parks, houses, _ = layouts.values()
    taverns = food | beds | music | drinks
    # As many sets of four as there are of the rarest kind, and so on to the commonest kind
    rarest, rarer, commoner, commonest = sorted(
        (food.bit_count(), beds.bit_count(), music.bit_count(), drinks.bit_count())
    )
    spoilt_houses = (houses & beside(factories)).bit_count()
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
        _OFFICE_POINTS[offices.bit_count()] + (offices & beside(taverns)).bit_count(),
        park_points[parks],
        other_types * quiet_houses + spoilt_houses,
    )


def _refusal(grids: Sequence[GridOfNames]) -> TableError:
    return TableError(
        tuple(
            breach
            for index, grid in enumerate(grids)
            for breach in _grid_breaches(grid, f"$.cities[{index}].grid")
        )
    )


def _grid_breaches(grid: GridOfNames, place: str) -> Iterator[Breach]:
    if not isinstance(grid, list | tuple) or not all(isinstance(row, list | tuple) for row in grid):
        text = f"not a city; give {CITY_SIZE} rows of {CITY_SIZE} names of faces"
        yield Breach("wrong-type", place, text)
        return
    yield from size_breaches(grid, place, CITY_SIZE, CITY_SIZE)
    for row, names in enumerate(grid):
        for column, name in enumerate(names):
            if not _is_face(name):
                yield _unknown_face(name, f"{place}[{row}][{column}]")


def _is_face(name: object) -> bool:
    return name is None or (isinstance(name, str) and name in _EMPTY)


def _unknown_face(name: object, place: str) -> Breach:
    given = repr(name)[:_MOST_LETTERS]
    text = f"no tile has the face {given}; faces are {', '.join(Face)}"
    return Breach("unknown-face", place, text, (("face", given),))
