"""The JSON form of a table of City Blocks."""

from typing import Final

from msgspec import UNSET, UnsetType

from firmware.games.city_blocks.words import reason_sentence
from firmware.shapes import Names, Shape, checked, names_of
from firmware.terminal import Json
from scoring.faces import Building, Side
from scoring.games.city_blocks import NAME
from scoring.games.city_blocks.sheet import Reason, Sheet, Street
from scoring.games.city_blocks.table import Collected, Plot, Table


class _PlotShape(Shape, frozen=True):
    owner: Side
    kind: Building
    value: int | None = None


class _CollectedShape(Shape, frozen=True):
    blue: tuple[int, ...]
    red: tuple[int, ...]


class _TableShape(Shape, frozen=True):
    game: str
    grid: tuple[tuple[_PlotShape | None, ...], ...]
    row_values: tuple[int | None, ...] | UnsetType = UNSET
    column_values: tuple[int | None, ...] | UnsetType = UNSET
    collected: _CollectedShape | UnsetType = UNSET


_NAMES: Final[Names] = {
    "owner": names_of("unknown-owner", Side),
    "kind": names_of("unknown-building", Building),
}


def table_from(value: object) -> Table:
    """The table that a JSON value describes; see ``firmware.shapes.checked`` for errors.

    Which of the value tiles beside the board and of those collected have to be given is for the
    rules to say: each is None in the table if it is left out.
    """
    shape = checked(value, _TableShape, _NAMES)
    return Table(
        grid=tuple(
            tuple(None if plot is None else _plot(plot) for plot in row) for row in shape.grid
        ),
        row_values=None if shape.row_values is UNSET else shape.row_values,
        column_values=None if shape.column_values is UNSET else shape.column_values,
        collected=None
        if shape.collected is UNSET
        else Collected(shape.collected.blue, shape.collected.red),
    )


def table_json(table: Table) -> Json:
    """A table, as ``stadtblick score`` takes it."""
    value: Json = {
        "game": NAME,
        "grid": [
            [None if plot is None else _plot_json(plot) for plot in row] for row in table.grid
        ],
    }
    if table.row_values is not None:
        value["row_values"] = list(table.row_values)
    if table.column_values is not None:
        value["column_values"] = list(table.column_values)
    if table.collected is not None:
        value["collected"] = {side.value: list(table.collected[side]) for side in Side}
    return value


def _plot(shape: _PlotShape) -> Plot:
    return Plot(shape.owner, shape.kind, shape.value)


def _plot_json(plot: Plot) -> Json:
    value = {} if plot.value is None else {"value": plot.value}
    return {"owner": plot.owner.value, "kind": plot.kind.value, **value}


def sheet_json(sheet: Sheet) -> Json:
    """A score sheet."""
    return {
        "game": sheet.game,
        "basis": sheet.basis.value,
        "streets": [_street(street) for street in sheet.streets],
        "tiles": {side.value: list(sheet.tiles[side]) for side in Side},
        "totals": {side.value: sheet.totals[side] for side in Side},
        "winners": [side.value for side in sheet.winners],
        "missing": [],
    }


def _street(street: Street) -> Json:
    return {
        "street": [street.line.value, street.index],
        "value": street.value,
        "full": street.full,
        "blue": street.blue,
        "red": street.red,
        "winner": None if street.winner is None else street.winner.value,
        "bonus": street.bonus,
        "reasons": [_reason(reason) for reason in street.reasons],
    }


def _reason(reason: Reason) -> Json:
    return {
        "side": reason.side.value,
        "points": reason.points,
        "cells": [list(cell) for cell in reason.cells],
        "text": reason_sentence(reason),
        "kind": reason.kind.value,
    }
