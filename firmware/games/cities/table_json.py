"""The JSON form of a table of Cities."""

from typing import Final

from msgspec import UNSET, UnsetType

from firmware.shapes import Names, Shape, checked, names_of
from firmware.terminal import Json
from scoring.faces import Cell, Field
from scoring.games.cities import NAME
from scoring.games.cities.table import City, Fields, Table


class _CityShape(Shape, frozen=True):
    fields: Fields
    tourists: tuple[Cell, ...] = ()


class _TableShape(Shape, frozen=True):
    game: str
    cities: tuple[_CityShape, ...]
    level: int = 1
    players: tuple[str, ...] | UnsetType = UNSET


_NAMES: Final[Names] = {"fields": names_of("unknown-face", Field)}


def table_from(value: object) -> Table:
    """The table that a JSON value describes; see ``firmware.shapes.checked`` for errors."""
    shape = checked(value, _TableShape, _NAMES)
    return Table(
        cities=tuple(City(city.fields, city.tourists) for city in shape.cities),
        level=shape.level,
        players=None if shape.players is UNSET else tuple(name.strip() for name in shape.players),
    )


def table_json(table: Table) -> Json:
    """A table, as ``stadtblick score`` takes it; ``table_from`` reads it back as an equal one."""
    value: Json = {
        "game": NAME,
        "level": table.level,
        "cities": [_city(city) for city in table.cities],
    }
    if table.players is not None:
        value["players"] = list(table.players)
    return value


def _city(city: City) -> Json:
    return {
        "fields": [
            [None if field is None else field.value for field in row] for row in city.fields
        ],
        "tourists": [list(cell) for cell in city.tourists],
    }
