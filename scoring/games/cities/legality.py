"""Which tables can be the end of a game: rulebook, "Spielmaterial", "Aktion 3" and "Spielende"."""

from collections.abc import Iterator
from enum import StrEnum
from itertools import chain
from typing import Final

from scoring.errors import Breach
from scoring.faces import Cell, Field
from scoring.games.cities.table import CITY_SIZE, LEVELS, TOURISTS_PER_PLAYER, City, Table
from scoring.legality import SHARED_TEXTS, SharedBreachCode, breach, name_breaches, size_breaches


class BreachCode(StrEnum):
    """What can be wrong with a table, beside the ``SharedBreachCode``s."""

    UNKNOWN_LEVEL = "unknown-level"
    CITY_COUNT = "city-count"
    MISSING_FIELD = "missing-field"
    TOO_MANY_TOURISTS = "too-many-tourists"
    TOURIST_OFF_GRID = "tourist-off-grid"
    TOURIST_ON_WATER = "tourist-on-water"
    FIELD_TAKEN = "field-taken"


TEXTS: Final = {
    BreachCode.UNKNOWN_LEVEL: "the game has no such level; choose one of {levels}",
    BreachCode.CITY_COUNT: "no city on the table; give one for each player",
    BreachCode.MISSING_FIELD: "no field here; name what it shows, or score the incomplete city "
    "leniently",
    BreachCode.TOO_MANY_TOURISTS: "{given} tourists, but a player has {allowed}; "
    "look for one that is not there",
    # The numbers are not repeated: they can be too long to be written
    BreachCode.TOURIST_OFF_GRID: "the tourist stands outside the city; "
    "rows and columns count from 0 to {last}",
    BreachCode.TOURIST_ON_WATER: "a tourist cannot stand on water; "
    "correct the tourist or the field",
    BreachCode.FIELD_TAKEN: "another tourist stands on row {row}, column {column} as well; "
    "correct one of them",
}
"""The words for each breach; its values take the places in braces."""


def status(table: Table, *, lenient: bool = False) -> tuple[Breach, ...]:
    """All ways in which a table is not the end of a game.

    Whether all players have used the same tiles is not asked: fields alone do not tell.

    Args:
        table: any table whose fields are members of ``Field`` or None.
        lenient: allow places without a field, in cities that have a field at all, and tourists
            on them.

    Returns:
        Every breach, with a code of ``BreachCode`` or ``SharedBreachCode``: those of the table,
        of its cities in their order, and of names. Empty if the table can be scored.
    """
    return tuple(
        chain(
            _table_breaches(table),
            *(
                chain(
                    _field_breaches(city, f"$.cities[{index}].fields", lenient=lenient),
                    _tourist_breaches(city, f"$.cities[{index}].tourists"),
                )
                for index, city in enumerate(table.cities)
            ),
            name_breaches(table.players, len(table.cities)),
        )
    )


def _breach(code: BreachCode, place: str, **values: int | str) -> Breach:
    return breach(TEXTS, code, place, **values)


def _table_breaches(table: Table) -> Iterator[Breach]:
    if table.level not in LEVELS:
        levels = ", ".join(map(str, LEVELS))
        yield _breach(BreachCode.UNKNOWN_LEVEL, "$.level", levels=levels)
    if not table.cities:
        yield _breach(BreachCode.CITY_COUNT, "$.cities")


def _field_breaches(city: City, place: str, *, lenient: bool) -> Iterator[Breach]:
    yield from size_breaches(city.fields, place, CITY_SIZE, CITY_SIZE)
    missing = city.missing
    if missing and len(missing) == sum(map(len, city.fields)):
        yield breach(SHARED_TEXTS, SharedBreachCode.EMPTY_CITY, place)
    elif not lenient:
        for row, column in filter(_is_in_city, missing):
            yield _breach(BreachCode.MISSING_FIELD, f"{place}[{row}][{column}]")


def _tourist_breaches(city: City, place: str) -> Iterator[Breach]:
    given = len(city.tourists)
    if given > TOURISTS_PER_PLAYER:
        yield _breach(BreachCode.TOO_MANY_TOURISTS, place, given=given, allowed=TOURISTS_PER_PLAYER)
    taken: set[Cell] = set()
    for index, cell in enumerate(city.tourists):
        tourist_place = f"{place}[{index}]"
        if not _is_in_city(cell):
            yield _breach(BreachCode.TOURIST_OFF_GRID, tourist_place, last=CITY_SIZE - 1)
            continue
        row, column = cell
        if _is_water(city, cell):
            yield _breach(BreachCode.TOURIST_ON_WATER, tourist_place)
        if cell in taken:
            yield _breach(BreachCode.FIELD_TAKEN, tourist_place, row=row, column=column)
        taken.add(cell)


def _is_in_city(cell: Cell) -> bool:
    return all(0 <= number < CITY_SIZE for number in cell)


def _is_water(city: City, cell: Cell) -> bool:
    """Whether there is water; a place beyond the end of a row that is too short has none."""
    row, column = cell
    return any(line[column : column + 1] == (Field.WATER,) for line in city.fields[row : row + 1])
