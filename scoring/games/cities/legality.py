"""Legality of finished tables: rulebook, "Spielmaterial", "Aktion 3" and "Spielende"."""

from collections.abc import Iterator
from itertools import chain

from scoring.errors import N_, Breach, BreachKind
from scoring.faces import Cell, Field
from scoring.games.cities.table import CITY_SIZE, LEVELS, TOURISTS_PER_PLAYER, City, Table
from scoring.legality import SharedBreach, name_breaches, size_breaches


class TableBreach(BreachKind):
    """Breaches of the rules of this game, beside ``SharedBreach``."""

    UNKNOWN_LEVEL = N_("the game has no such level; choose one of {levels}")
    CITY_COUNT = N_("no city on the table; give one for each player")
    MISSING_FIELD = N_("no field here; name what it shows, or score the incomplete city leniently")
    TOO_MANY_TOURISTS = N_(
        "{given} tourists, but a player has {allowed}; look for one that is not there"
    )
    # Its row and column are left out: they may have more digits than Python writes out
    TOURIST_OFF_GRID = N_(
        "the tourist stands outside the city; in JSON rows and columns count from 0 to {last}"
    )
    TOURIST_ON_WATER = N_("a tourist cannot stand on water; correct the tourist or the field")
    FIELD_TAKEN = N_(
        "another tourist stands on row {row}, column {column} as well; correct one of them"
    )


def list_breaches(table: Table, *, lenient: bool = False) -> tuple[Breach, ...]:
    """List all breaches of the rules by a finished table.

    Whether all players have used the same tiles is not checked, as fields alone do not show it.

    Args:
        table: Any table whose fields are members of ``Field`` or None.
        lenient: True to allow places without a field, in cities that have a field at all, and
            tourists on them.

    Returns:
        Every breach of a kind of ``TableBreach`` or ``SharedBreach``: those of the table, of its
        cities in their order, and of names. Empty if the table can be scored.
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


def _table_breaches(table: Table) -> Iterator[Breach]:
    if table.level not in LEVELS:
        yield TableBreach.UNKNOWN_LEVEL.at("$.level", levels=", ".join(map(str, LEVELS)))
    if not table.cities:
        yield TableBreach.CITY_COUNT.at("$.cities")


def _field_breaches(city: City, where: str, *, lenient: bool) -> Iterator[Breach]:
    yield from size_breaches(city.fields, where, CITY_SIZE, CITY_SIZE)
    missing = city.missing
    if missing and len(missing) == sum(map(len, city.fields)):
        yield SharedBreach.EMPTY_CITY.at(where)
    elif not lenient:
        for row, column in filter(_is_in_city, missing):
            yield TableBreach.MISSING_FIELD.at(f"{where}[{row}][{column}]")


def _tourist_breaches(city: City, where: str) -> Iterator[Breach]:
    given = len(city.tourists)
    if given > TOURISTS_PER_PLAYER:
        yield TableBreach.TOO_MANY_TOURISTS.at(where, given=given, allowed=TOURISTS_PER_PLAYER)
    taken: set[Cell] = set()
    for index, cell in enumerate(city.tourists):
        if not _is_in_city(cell):
            yield TableBreach.TOURIST_OFF_GRID.at(f"{where}[{index}]", last=CITY_SIZE - 1)
            continue
        row, column = cell
        # A place beyond the end of a row that is too short has no water
        if any(line[column : column + 1] == (Field.WATER,) for line in city.fields[row : row + 1]):
            yield TableBreach.TOURIST_ON_WATER.at(f"{where}[{index}]")
        if cell in taken:
            yield TableBreach.FIELD_TAKEN.at(f"{where}[{index}]", row=row + 1, column=column + 1)
        taken.add(cell)


def _is_in_city(cell: Cell) -> bool:
    return all(0 <= number < CITY_SIZE for number in cell)
