"""The JSON form of a table of City Blocks."""

from typing import Final

from msgspec import UNSET, UnsetType, convert

from firmware.games.city_blocks.words import reason_sentence
from firmware.shapes import Names, Shape, given, names_of
from firmware.terminal import Json
from scoring.faces import Building, Side
from scoring.games.city_blocks.sheet import Reason, Sheet, Street
from scoring.games.city_blocks.table import Plot, Table


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
    """The table that a JSON value describes; see ``firmware.shapes.given`` for errors.

    Which of the value tiles beside the board and of those collected have to be given is for the
    rules to say: each is None in the table if it is left out.
    """
    return convert(given(value, _TableShape, _NAMES), Table)


def table_json(table: Table) -> Json:
    """A table, as ``stadtblick score`` takes it."""
    optional = {
        "row_values": table.row_values,
        "column_values": table.column_values,
        "collected": table.collected,
    }
    return {
        "grid": [[None if plot is None else _plot(plot) for plot in row] for row in table.grid],
        **{key: value for key, value in optional.items() if value is not None},
    }


def _plot(plot: Plot) -> Json:
    value = {} if plot.value is None else {"value": plot.value}
    return {"owner": plot.owner, "kind": plot.kind, **value}


def sheet_json(sheet: Sheet) -> Json:
    """A score sheet."""
    return {
        "basis": sheet.basis,
        "streets": [_street(street) for street in sheet.streets],
        "tiles": sheet.tiles,
        "totals": sheet.totals,
        "winners": sheet.winners,
    }


def _street(street: Street) -> Json:
    return {
        "street": [street.line, street.index],
        "value": street.value,
        "full": street.full,
        "blue": street.blue,
        "red": street.red,
        "winner": street.winner,
        "bonus": street.bonus,
        "reasons": [_reason(reason) for reason in street.reasons],
    }


def _reason(reason: Reason) -> Json:
    return {
        "side": reason.side,
        "points": reason.points,
        "cells": reason.cells,
        "text": reason_sentence(reason),
        "kind": reason.kind,
    }
