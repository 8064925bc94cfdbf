"""Parse the JSON form of a table; errors name the place in it.

Checks syntax, missing and unknown keys, types and names; ``scoring`` checks the table by the rules.
Places are JSON paths, such as ``$.cities[1].grid[0][2]``.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from firmware.base.checked_input import join_places, parse_json
from firmware.base.errors import UsageError
from firmware.games.game import Game
from firmware.games.registry import find_game
from vision.message import Message

MAX_TABLE_BYTES = 1_000_000
"""Largest size of a table, in bytes; seven cities take about 3 kB."""

Defaults = Mapping[str, Mapping[str, object]]
"""Keys that tables of a game have unless they give other values, by game."""


def parse_table(
    data: bytes, where: str, defaults: Defaults = MappingProxyType({})
) -> tuple[Game, Any]:
    """Parse a table; return its game and the table, of the game's own type.

    Args:
        data: UTF-8 text, with or without a byte order mark.
        where: File or line, for errors of the text as a whole.
        defaults: Values of keys that the table leaves out.

    Raises:
        UsageError: ``table-empty``, ``table-too-big``, ``table-not-json``, ``not-a-table``,
            ``wrong-type``, ``missing-key``, ``unknown-key`` or a code for an unknown name, such
            as ``unknown-face``.
        UnknownGameError: No game with rules has this name.
    """
    value = _load_json(data, where)
    if not isinstance(value, dict):
        given = Message("a list") if isinstance(value, list) else Message("a single value")
        raise UsageError(
            "wrong-type", "{given} instead of an object: give a table", "$", given=given
        )
    _refuse_other_json(value, where)
    if "game" not in value:
        raise UsageError("missing-key", "the key 'game' is missing: add it", "$")
    if not isinstance(value["game"], str):
        raise UsageError("wrong-type", "the name of a game is a text: correct it", "$.game")
    game = find_game(value["game"])
    return game, game.table_from_json({**defaults.get(game.name, {}), **value})


def _load_json(data: bytes, where: str) -> object:
    if len(data) > MAX_TABLE_BYTES:
        raise UsageError(
            "table-too-big",
            "this is more than {most} bytes: give a single table",
            where,
            most=MAX_TABLE_BYTES,
        )
    if not data.strip():
        raise UsageError("table-empty", "there is nothing to score: give a table as JSON", where)
    try:
        return parse_json("table-not-json", data)
    except UsageError as error:
        message = Message("{what}: correct it", what=error.message)
        raise UsageError(error.code, message, join_places(where, error.where)) from error


def _refuse_other_json(value: dict[str, object], where: str) -> None:
    """Refuse the other JSON that Stadtblick writes."""
    if "photo" in value and "table" in value:
        raise UsageError("not-a-table", "this is a reading: give its `table`", where)
    if "winners" in value:
        raise UsageError(
            "not-a-table",
            "this is a score sheet, scored already: give the `table` of the reading",
            where,
        )
