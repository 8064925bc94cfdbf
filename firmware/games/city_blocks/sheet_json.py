"""The JSON form of a sheet of City Blocks."""

from firmware.games.city_blocks.sentences import reason_sentence
from firmware.terminal import Json
from scoring.faces import Side
from scoring.games.city_blocks.sheet import Reason, Sheet, Street


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
