"""Checks of JSON and TOML against a shape, and conversion of values to JSON.

A shape is a ``msgspec.Struct``. msgspec checks keys, types and lengths; its messages become
``UsageError`` with the JSON path of the part that does not fit.
"""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from enum import StrEnum
from functools import reduce
from typing import Any, Final

import msgspec

from firmware.base.errors import UsageError, shorten, suggest_name
from vision.errors import Message

KnownNames = Mapping[str, tuple[str, Sequence[str]]]
"""Error code for an unknown name, and the known names, by the key under which they are used."""

_PLACE: Final = re.compile(r"(?P<what>.*?)(?: - at `(?P<place>\$(?:\.\w+|\[\d+\])*)`)?", re.DOTALL)
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


def to_plain(value: object) -> Any:
    """Convert data classes, enumerations and tuples to dicts, texts and lists, as JSON has them."""

    def with_lists(part: Any) -> Any:
        if isinstance(part, dict):
            return {key: with_lists(each) for key, each in part.items()}
        return [with_lists(each) for each in part] if isinstance(part, tuple | list) else part

    return with_lists(msgspec.to_builtins(value))


def select_attributes(value: object, *names: str) -> dict[str, Any]:
    """Return some attributes of a value by their names."""
    return {name: getattr(value, name) for name in names}


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


def _usage_error(
    said: str, value: object, shape: type[msgspec.Struct], names: KnownNames
) -> UsageError:
    what, place, part = _split_message(said, value)

    def match_message(pattern: str) -> re.Match[str] | None:
        return re.fullmatch(pattern, what, re.DOTALL)

    if match := match_message(r"Object contains unknown field `(.*)`"):
        advice = suggest_name(match[1], _keys_at(shape, place))
        key = repr(shorten(match[1]))
        message = Message("there is no key {key}: {advice}", key=key, advice=advice)
        return UsageError("unknown-key", message, place)
    if match := match_message(r"Object missing required field `(.*)`"):
        return UsageError(
            "missing-key", "the key {key} is missing: add it", place, key=repr(match[1])
        )
    if match_message(r"Invalid enum value .*"):
        key = [step["key"] for step in _STEP.finditer(place) if step["key"]][-1]
        code, known = names[key]
        message = Message(
            "{name} is not known here: {advice}",
            name=repr(shorten(str(part))),
            advice=suggest_name(str(part), known),
        )
        return UsageError(code, message, place)
    if match := match_message(r"Expected `array` of length (?P<wanted>\d+), got (?P<given>\d+)"):
        message = Message("{given} entries instead of {wanted}: give {wanted}", **match.groupdict())
        return UsageError("wrong-type", message, place)
    if match := match_message(r"Expected `(.*)`, got `(.*)`"):
        wanted = reduce(
            lambda one, other: Message("{one} or {other}", one=one, other=other),
            [_TYPES.get(name, name) for name in match[1].split(" | ")],
        )
        is_number = match[2] in ("int", "float")
        got = Message("a number") if is_number else _TYPES.get(match[2], match[2])
        message = Message("{given} instead of {wanted}: correct it", given=got, wanted=wanted)
        return UsageError("wrong-type", message, place)
    return UsageError("wrong-type", "{what}: correct it", place, what=what)


def _split_message(said: str, value: object) -> tuple[str, str, Any]:
    """Split a message of msgspec into the problem, its JSON path, and the value there.

    An unknown key may itself look like a path; a path that leads nowhere is part of the problem.
    """
    match = _PLACE.fullmatch(said)
    if match is not None and match["place"]:
        with suppress(LookupError, TypeError):
            return match["what"], match["place"], _value_at(value, match["place"])
    return said, "$", value


def _value_at(value: Any, place: str) -> Any:
    for step in _STEP.finditer(place):
        value = value[step["key"] or int(step["index"])]
    return value


def _keys_at(shape: type[msgspec.Struct], place: str) -> list[str]:
    """Return the keys of an object at a JSON path of a shape."""
    kind: Any = msgspec.inspect.type_info(shape)
    for step in _STEP.finditer(place):
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
