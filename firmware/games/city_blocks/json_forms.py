"""The JSON form of a table of City Blocks."""

from typing import Final

from msgspec import UNSET, UnsetType, convert

from firmware.base.checked_input import KnownNames, Shape, check_shape, known_names
from firmware.base.json_text import select_attributes
from firmware.base.terminal import Json
from firmware.games.city_blocks.words import reason_sentence
from scoring.faces import BuildingKind, Side
from scoring.games.city_blocks.score_sheet import ScoreSheet, Street
from scoring.games.city_blocks.table import Building, Table


class _BuildingShape(Shape, frozen=True):
    owner: Side
    kind: BuildingKind
    value: int | None = None


class _CollectedShape(Shape, frozen=True):
    blue: tuple[int, ...]
    red: tuple[int, ...]


class _TableShape(Shape, frozen=True):
    game: str
    grid: tuple[tuple[_BuildingShape | None, ...], ...]
    row_values: tuple[int | None, ...] | UnsetType = UNSET
    column_values: tuple[int | None, ...] | UnsetType = UNSET
    collected: _CollectedShape | UnsetType = UNSET


_NAMES: Final[KnownNames] = {
    "owner": known_names("unknown-owner", Side),
    "kind": known_names("unknown-building", BuildingKind),
}


def table_from_json(value: object) -> Table:
    """Return the table that a JSON value describes; ``UsageError`` as ``check_shape`` raises it.

    Value tiles beside the board and collected ones are None in the table if they are left out; the
    rules check that one of the two is given.
    """
    return convert(check_shape(value, _TableShape, _NAMES), Table)


def table_json(table: Table) -> Json:
    """Return a table without the name of the game."""
    optional = select_attributes(table, "row_values", "column_values", "collected")
    return {
        "grid": [[each and _building_json(each) for each in row] for row in table.grid],
        **{key: value for key, value in optional.items() if value is not None},
    }


def _building_json(building: Building) -> Json:
    value = {} if building.value is None else {"value": building.value}
    return {"owner": building.owner, "kind": building.kind, **value}


def sheet_json(sheet: ScoreSheet) -> Json:
    """Return a score sheet as JSON."""
    streets = {"streets": [_street(street) for street in sheet.streets]}
    return (
        select_attributes(sheet, "basis")
        | streets
        | select_attributes(sheet, "tiles", "totals", "winners")
    )


def _street(street: Street) -> Json:
    reasons = [
        select_attributes(reason, "side", "points", "cells")
        | {"text": reason_sentence(reason), "kind": reason.kind}
        for reason in street.reasons
    ]
    return {
        "street": [street.direction, street.index],
        **select_attributes(street, "value", "full", "blue", "red", "winner", "bonus"),
        "reasons": reasons,
    }
