"""The JSON form of a table becomes a ``Table``, or an error that names the place in the JSON.

Whether the rules allow the table is for ``scoring`` to say; here is checked what JSON can get
wrong: its syntax, missing and unknown keys, types, names of faces, games and variants. Places are
written as JSON paths, such as ``$.cities[1].grid[0][2]``.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, TypeVar

from firmware.errors import UsageError, shortened, suggestion
from scoring.faces import Cell, Face, Grid
from scoring.games import between_two_cities, find_game
from scoring.games.between_two_cities.table import City, Duplex, Table, Variant

MAX_BYTES = 1_000_000
"""A table of seven cities takes about 3 kB."""

_TABLE_KEYS = frozenset({"game", "variant", "cities", "owners", "players"})
_CITY_KEYS = frozenset({"grid", "duplexes"})

_MOST_DIGITS = 15
"""Of a whole number; nothing that a table holds has more than one."""

T = TypeVar("T")
Name = TypeVar("Name", bound=StrEnum)


def parse_table(data: bytes, where: str) -> Table:
    """Read a table from JSON.

    Args:
        data: UTF-8, with or without a byte order mark.
        where: the file or line, for errors of the text as a whole.

    Raises:
        UsageError: ``table-empty``, ``table-too-big``, ``table-not-json``, ``not-a-table``,
            ``wrong-type``, ``missing-key``, ``unknown-key``, ``unknown-face`` or
            ``unknown-variant``.
        UnknownGameError: there are no rules for its game.
    """
    value = _load_json(data, where)
    _check_what_it_is(value, where)
    table = _object(value, "$", _TABLE_KEYS, required=("game", "cities"))
    game = find_game(_text(table["game"], "$.game"))
    if game.NAME != between_two_cities.NAME:
        raise UsageError("unsupported-game", f"tables of {game.NAME} cannot be read yet", "$.game")
    variant = Variant.STANDARD
    if "variant" in table:
        variant = _name(table["variant"], "$.variant", Variant, code="unknown-variant")
    return Table(
        cities=_list_of(table["cities"], "$.cities", _city),
        variant=variant,
        owners=_list_of(table["owners"], "$.owners", _number) if "owners" in table else None,
        players=_list_of(table["players"], "$.players", _player) if "players" in table else None,
    )


def _load_json(data: bytes, where: str) -> object:
    if len(data) > MAX_BYTES:
        raise UsageError(
            "table-too-big", f"this is more than {MAX_BYTES} bytes: give a single table", where
        )
    if not data.strip():
        raise UsageError("table-empty", "there is nothing to score: give a table as JSON", where)
    try:
        return json.loads(
            data.decode("utf-8-sig"),
            object_pairs_hook=_without_repeated_keys,
            parse_int=_whole_number,
            parse_constant=_refuse_constant,
        )
    except UnicodeDecodeError as error:
        raise UsageError(
            "table-not-json", "this is not UTF-8 text: give a table as JSON", where
        ) from error
    except RecursionError as error:
        raise UsageError(
            "table-not-json", "this is nested too deeply: give a table as JSON", where
        ) from error
    except json.JSONDecodeError as error:
        raise UsageError(
            "table-not-json",
            f"this is not JSON, {error.msg}: correct it",
            f"{where}, {_position(error)}",
        ) from error
    except ValueError as error:
        raise UsageError(
            "table-not-json", f"this is not JSON, {error}: correct it", where
        ) from error


def _position(error: json.JSONDecodeError) -> str:
    column = f"column {error.colno}"
    return f"line {error.lineno}, {column}" if "\n" in error.doc else column


def _without_repeated_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    value: dict[str, object] = {}
    for key, entry in pairs:
        if key in value:
            raise ValueError(f"the key {shortened(key)!r} stands twice")
        value[key] = entry
    return value


def _whole_number(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise ValueError(f"a number of {len(digits)} digits is too large for a table")
    return int(digits)


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is no number")


def _check_what_it_is(value: object, where: str) -> None:
    """Refuse the other JSON that Stadtblick writes."""
    if not isinstance(value, dict):
        return
    if "photo" in value and "table" in value:
        raise UsageError("not-a-table", "this is a reading: give its `table`", where)
    if "winners" in value:
        raise UsageError(
            "not-a-table",
            "this is a score sheet, scored already: give the `table` of the reading",
            where,
        )


def _object(
    value: object, place: str, known: Iterable[str], *, required: Sequence[str]
) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise _wrong_type("an object", value, place)
    known = sorted(known)
    for key in value:
        if key not in known:
            message = f"there is no key {shortened(key)!r}: {suggestion(key, known)}"
            raise UsageError("unknown-key", message, place)
    for key in required:
        if key not in value:
            raise UsageError("missing-key", f"the key {key!r} is missing: add it", place)
    return value


def _list_of(
    value: object, place: str, read_one: Callable[[object, str], T], length: int | None = None
) -> tuple[T, ...]:
    if not isinstance(value, list):
        raise _wrong_type("a list", value, place)
    if length is not None and len(value) != length:
        raise UsageError(
            "wrong-type", f"{len(value)} entries instead of {length}: give {length}", place
        )
    return tuple(read_one(entry, f"{place}[{index}]") for index, entry in enumerate(value))


def _city(value: object, place: str) -> City:
    city = _object(value, place, _CITY_KEYS, required=("grid",))
    grid: Grid = _list_of(city["grid"], f"{place}.grid", _row)
    if "duplexes" not in city:
        return City(grid)
    return City(grid, _list_of(city["duplexes"], f"{place}.duplexes", _duplex))


def _row(value: object, place: str) -> tuple[Face | None, ...]:
    return _list_of(value, place, _face)


def _face(value: object, place: str) -> Face | None:
    return None if value is None else _name(value, place, Face, code="unknown-face")


def _duplex(value: object, place: str) -> Duplex:
    first, second = _list_of(value, place, _cell, length=2)
    return first, second


def _cell(value: object, place: str) -> Cell:
    row, column = _list_of(value, place, _number, length=2)
    return row, column


def _number(value: object, place: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise _wrong_type("a whole number", value, place)
    return value


def _text(value: object, place: str) -> str:
    if not isinstance(value, str):
        raise _wrong_type("a text", value, place)
    return value


def _player(value: object, place: str) -> str:
    return _text(value, place).strip()


def _name(value: object, place: str, names: type[Name], *, code: str) -> Name:
    text = _text(value, place)
    known = [name.value for name in names]
    if text not in known:
        message = f"{shortened(text)!r} is not known here: {suggestion(text, known)}"
        raise UsageError(code, message, place)
    return names(text)


def _wrong_type(wanted: str, value: object, place: str) -> UsageError:
    kinds = {dict: "an object", list: "a list", str: "a text", bool: "true or false"}
    given = "null" if value is None else kinds.get(type(value), "a number")
    return UsageError("wrong-type", f"{given} instead of {wanted}: correct it", place)
