"""The JSON form of a table of Between Two Cities."""

from typing import Final

from msgspec import UNSET, UnsetType

from firmware.shapes import Names, Shape, checked, names_of
from firmware.terminal import Json
from scoring.faces import Face, Grid
from scoring.games.between_two_cities.table import City, Duplex, Table, Variant


class _CityShape(Shape, frozen=True):
    grid: Grid
    duplexes: tuple[Duplex, ...] | UnsetType = UNSET


class _TableShape(Shape, frozen=True):
    game: str
    cities: tuple[_CityShape, ...]
    variant: Variant = Variant.STANDARD
    owners: tuple[int, ...] | UnsetType = UNSET
    players: tuple[str, ...] | UnsetType = UNSET


_NAMES: Final[Names] = {
    "grid": names_of("unknown-face", Face),
    "variant": names_of("unknown-variant", Variant),
}


def table_from(value: object) -> Table:
    """The table that a JSON value describes; see ``firmware.shapes.checked`` for errors."""
    shape = checked(value, _TableShape, _NAMES)
    return Table(
        cities=tuple(
            City(city.grid, None if city.duplexes is UNSET else city.duplexes)
            for city in shape.cities
        ),
        variant=shape.variant,
        owners=None if shape.owners is UNSET else shape.owners,
        players=None if shape.players is UNSET else tuple(name.strip() for name in shape.players),
    )


def table_json(game: str, table: Table) -> Json:
    """A table, as ``stadtblick score`` takes it."""
    value: Json = {
        "game": game,
        "variant": table.variant.value,
        "cities": [{"grid": [list(row) for row in city.grid]} for city in table.cities],
    }
    if table.owners is not None:
        value["owners"] = list(table.owners)
    if table.players is not None:
        value["players"] = list(table.players)
    return value
