"""Checks of files and requests from outside: size, text, TOML or JSON, and shape.

Whatever does not fit is a ``UsageError``. Callers give its code, and add file and advice.

A shape is a ``msgspec.Struct``. msgspec checks keys, types and lengths; its messages are put into
words of ours, with the JSON path of the part that does not fit.
"""

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from enum import StrEnum
from functools import reduce
from pathlib import Path
from typing import Any, Final

import msgspec

from firmware.base.errors import UsageError, shorten, suggest_name
from vision.message import Message
from vision.photo.regular_file import read_start
from vision.toml_and_json import (
    NestedTooDeeplyError,
    explain_toml_error,
    line_and_column,
    parse_toml,
    syntax_reason,
)

MAX_TOML_BYTES: Final = 64 * 1024
"""Largest TOML file that is read; the settings with all comments take less than 4 kB."""
_MAX_DIGITS: Final = 15
"""Largest number of digits of a whole number in JSON; tables hold at most three."""

KnownNames = Mapping[str, tuple[str, Sequence[str]]]
"""Error code for an unknown name, and the known names, by the key under which they are used."""

_WITH_PATH: Final = re.compile(
    r"(?P<what>.*?)(?: - at `(?P<path>\$(?:\.\w+|\[\d+\])*)`)?", re.DOTALL
)
_STEP: Final = re.compile(r"\.(?P<key>[^.\[]+)|\[(?P<index>\d+)\]")
_TYPES: Final = {
    "array": Message("a list"),
    "object": Message("an object"),
    "str": Message("a text"),
    "int": Message("a whole number"),
    "float": Message("a number"),
    "bool": Message("true or false"),
    "null": Message("null"),
}


class Shape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base class of shapes: immutable, without unknown keys."""


def known_names(code: str, names: type[StrEnum]) -> tuple[str, Sequence[str]]:
    """Return the entry of ``KnownNames`` for the members of an enumeration."""
    return code, [name.value for name in names]


def join_places(outer: str, inner: str) -> str:
    """Return a file or text with the place in it, which may be empty."""
    return Message("{outer}, {inner}", outer=outer, inner=inner) if inner else outer


def read_toml_file(code: str, path: Path) -> bytes:
    """Read a TOML file.

    Raises:
        OSError: The file cannot be read.
        UsageError: With this code, if it is larger than ``MAX_TOML_BYTES``.
    """
    data = read_start(path, MAX_TOML_BYTES + 1)
    if len(data) > MAX_TOML_BYTES:
        raise UsageError(code, "this is more than {most} bytes", "", most=MAX_TOML_BYTES)
    return data


def decode_text(code: str, data: bytes) -> str:
    """Decode UTF-8, with or without a byte order mark.

    Raises:
        UsageError: With this code, if it is no UTF-8.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(code, "this is no text in UTF-8", "") from error


def parse_toml_text(code: str, text: str) -> dict[str, Any]:
    """Parse a TOML text.

    Raises:
        UsageError: With this code, if it is no TOML. ``where`` is line and column, or empty.
    """
    try:
        return parse_toml(text)
    except NestedTooDeeplyError as error:
        raise UsageError(
            code, "it is nested too deeply", Message("line {line}", line=error.line)
        ) from error
    except tomllib.TOMLDecodeError as error:
        reason, place = explain_toml_error(error)
        raise UsageError(code, "this is no TOML, {reason}", place, reason=reason) from error
    except ValueError as error:
        raise UsageError(code, "a number in it is far too large", "") from error


def parse_json(code: str, data: bytes) -> Any:
    """Parse JSON strictly: no key twice, no NaN, no half letters, no endless numbers.

    Raises:
        UsageError: With this code, if it is no such JSON. ``where`` is line and column, or empty.
    """
    text = decode_text(code, data)
    try:
        value = json.loads(
            text,
            object_pairs_hook=_without_repeated_keys,
            parse_int=_whole_number,
            parse_constant=_refuse_constant,
        )
        if "\\u" in text:
            _check_letters(value)
    except RecursionError as error:
        raise UsageError(code, "it is nested too deeply", "") from error
    except json.JSONDecodeError as error:
        if "\n" in error.doc:
            place = line_and_column(error.lineno, error.colno)
        else:
            place = Message("column {column}", column=error.colno)
        reason = syntax_reason(error.msg)
        raise UsageError(code, "this is no JSON, {reason}", place, reason=reason) from error
    except ValueError as error:
        raise UsageError(code, "this is no JSON, {reason}", "", reason=error.args[0]) from error
    return value


def check_shape(value: object, shape: type[msgspec.Struct], names: KnownNames) -> dict[str, Any]:
    """Check a value against a shape; return it with the shape's defaults.

    Args:
        value: Output of ``json`` or ``tomllib``.
        shape: Keys, types and lengths that the value must have.
        names: Fixed sets of names in the value.

    Raises:
        UsageError: ``wrong-type``, ``missing-key``, ``unknown-key`` or a code of ``names``;
            ``where`` is the JSON path.
    """
    try:
        checked: dict[str, Any] = msgspec.to_builtins(msgspec.convert(value, shape))
    except msgspec.ValidationError as error:
        raise _usage_error(str(error), value, shape, names) from error
    return checked


def _check_letters(value: object) -> None:
    """Refuse halves of letters (lone surrogates), which no text can hold."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise ValueError(Message("an escape such as \\ud800 is half a letter")) from error


def _without_repeated_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    value: dict[str, object] = {}
    for key, entry in pairs:
        if key in value:
            raise ValueError(Message("the key {key} stands twice", key=repr(shorten(key))))
        value[key] = entry
    return value


def _whole_number(digits: str) -> int:
    if len(digits) > _MAX_DIGITS:
        raise ValueError(Message("a number of {count} digits is too large", count=len(digits)))
    return int(digits)


def _refuse_constant(name: str) -> object:
    raise ValueError(Message("{name} is no number", name=name))


def _usage_error(
    full_message: str, value: object, shape: type[msgspec.Struct], names: KnownNames
) -> UsageError:
    what, path, part = _split_message(full_message, value)

    def match_message(pattern: str) -> re.Match[str] | None:
        return re.fullmatch(pattern, what, re.DOTALL)

    if match := match_message(r"Object contains unknown field `(.*)`"):
        advice = suggest_name(match[1], _keys_at(shape, path))
        key = repr(shorten(match[1]))
        message = Message("there is no key {key}: {advice}", key=key, advice=advice)
        return UsageError("unknown-key", message, path)
    if match := match_message(r"Object missing required field `(.*)`"):
        return UsageError(
            "missing-key", "the key {key} is missing: add it", path, key=repr(match[1])
        )
    if match_message(r"Invalid enum value .*"):
        key = [step["key"] for step in _STEP.finditer(path) if step["key"]][-1]
        code, known = names[key]
        message = Message(
            "{name} is not known here: {advice}",
            name=repr(shorten(str(part))),
            advice=suggest_name(str(part), known),
        )
        return UsageError(code, message, path)
    if match := match_message(r"Expected `array` of length (?P<wanted>\d+), got (?P<given>\d+)"):
        message = Message(
            "entries: {given} instead of {wanted}; give {wanted}", **match.groupdict()
        )
        return UsageError("wrong-type", message, path)
    if match := match_message(r"Expected `(.*)`, got `(.*)`"):
        wanted = reduce(
            lambda one, other: Message("{one} or {other}", one=one, other=other),
            [_TYPES.get(name, name) for name in match[1].split(" | ")],
        )
        is_number = match[2] in ("int", "float")
        got = Message("a number") if is_number else _TYPES.get(match[2], match[2])
        message = Message("{given} instead of {wanted}: correct it", given=got, wanted=wanted)
        return UsageError("wrong-type", message, path)
    return UsageError("wrong-type", "this value is not allowed: correct it", path)


def _split_message(message: str, value: object) -> tuple[str, str, Any]:
    """Split a message of msgspec into the problem, its JSON path, and the value there.

    An unknown key may itself look like a path; a path that leads nowhere is part of the problem.
    """
    match = _WITH_PATH.fullmatch(message)
    if match is not None and match["path"]:
        with suppress(LookupError, TypeError):
            return match["what"], match["path"], _value_at(value, match["path"])
    return message, "$", value


def _value_at(value: Any, path: str) -> Any:
    for step in _STEP.finditer(path):
        value = value[step["key"] or int(step["index"])]
    return value


def _keys_at(shape: type[msgspec.Struct], path: str) -> list[str]:
    """Return the keys of an object at a JSON path of a shape."""
    kind: Any = msgspec.inspect.type_info(shape)
    for step in _STEP.finditer(path):
        if step["key"]:
            kind = next(field.type for field in kind.fields if field.encode_name == step["key"])
        else:
            kind = kind.item_type
        kind = _without_none(kind)
    return [field.encode_name for field in kind.fields]


def _without_none(kind: Any) -> Any:
    if isinstance(kind, msgspec.inspect.UnionType):
        return next(one for one in kind.types if not isinstance(one, msgspec.inspect.NoneType))
    return kind
