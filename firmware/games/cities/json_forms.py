"""The JSON form of a table of Cities."""

from typing import Final

from msgspec import UNSET, UnsetType, convert

from firmware.base.checked_input import KnownNames, Shape, check_shape, known_names
from firmware.base.json_text import select_attributes
from firmware.base.terminal import Json
from firmware.games.cities.words import reason_sentence, tie_break_sentence
from firmware.games.player_words import shown_name, with_composed_names
from scoring.faces import Cell, Field
from scoring.games.cities.score_sheet import PlayerScore, ScoreSheet
from scoring.games.cities.table import Fields, Table


class _CityShape(Shape, frozen=True):
    fields: Fields
    tourists: tuple[Cell, ...] = ()


class _TableShape(Shape, frozen=True):
    game: str
    cities: tuple[_CityShape, ...]
    level: int = 1
    players: tuple[str, ...] | UnsetType = UNSET


_NAMES: Final[KnownNames] = {"fields": known_names("unknown-face", Field)}


def table_from_json(value: object) -> Table:
    """Return the table that a JSON value describes; ``UsageError`` as ``check_shape`` raises it."""
    return convert(with_composed_names(check_shape(value, _TableShape, _NAMES)), Table)


def table_json(table: Table) -> Json:
    """Return a table without the name of the game."""
    players = {} if table.players is None else {"players": table.players}
    return {"level": table.level, "cities": table.cities, **players}


def sheet_json(sheet: ScoreSheet) -> Json:
    """Return a score sheet as JSON."""
    names = [shown_name(player.name) for player in sheet.players]
    return {
        "level": sheet.level,
        "players": [_player_score(player, names) for player in sheet.players],
        "winners": sheet.winners,
    }


def _player_score(player: PlayerScore, names: list[str]) -> Json:
    reasons = [
        select_attributes(reason, "category", "points", "cells")
        | {"text": reason_sentence(reason), "kind": reason.kind, "at": reason.tourist}
        for reason in player.reasons
    ]
    tie_break = player.tie_break and tie_break_sentence(player.tie_break, names)
    values = select_attributes(player, "name", "final", "rank", "points", "tourists")
    return values | {"reasons": reasons, "tie_break": tie_break}
