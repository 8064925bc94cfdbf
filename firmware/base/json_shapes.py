"""What comes from JSON or TOML is checked against a shape; a misfit is named with its place.

What goes to JSON is made of plain values (``to_plain``).

A shape is a ``msgspec.Struct``. msgspec checks keys, types and lengths and knows the place of what
does not fit; its words are put into those of the other errors here.
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
"""By the key under which a fixed set of names is used: the code of the error for any other name,
and the names."""

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
    """Base of all shapes: immutable, and no key but those that are named."""


def known_names(code: str, names: type[StrEnum]) -> tuple[str, Sequence[str]]:
    """An entry of ``KnownNames`` for the members of an enumeration."""
    return code, [name.value for name in names]


def to_plain(value: object) -> Any:
    """Data classes, enumerations and tuples as JSON has them: dicts, texts and lists."""

    def with_lists(part: Any) -> Any:
        if isinstance(part, dict):
            return {key: with_lists(each) for key, each in part.items()}
        return [with_lists(each) for each in part] if isinstance(part, tuple | list) else part

    return with_lists(msgspec.to_builtins(value))


def select_attributes(value: object, *names: str) -> dict[str, Any]:
    """Some attributes of a value, by their names."""
    return {name: getattr(value, name) for name in names}


def check_shape(value: object, shape: type[msgspec.Struct], names: KnownNames) -> dict[str, Any]:
    """What was read, checked: the keys that were given, and the defaults of some of the others.

    Args:
        value: as ``json`` or ``tomllib`` give it.
        shape: what it has to be.
        names: the fixed sets of names in it.

    Raises:
        UsageError: ``wrong-type``, ``missing-key``, ``unknown-key`` or a code of ``names``, with
            the JSON path of the misfit.
    """
    try:
        read: dict[str, Any] = msgspec.to_builtins(msgspec.convert(value, shape))
    except msgspec.ValidationError as error:
        raise _misfit(str(error), value, shape, names) from error
    return read


def _misfit(said: str, value: object, shape: type[msgspec.Struct], names: KnownNames) -> UsageError:
    what, place, part = _told(said, value)

    def found(pattern: str) -> re.Match[str] | None:
        return re.fullmatch(pattern, what, re.DOTALL)

    if match := found(r"Object contains unknown field `(.*)`"):
        advice = suggest_name(match[1], _keys_at(shape, place))
        key = repr(shorten(match[1]))
        message = Message("there is no key {key}: {advice}", key=key, advice=advice)
        return UsageError("unknown-key", message, place)
    if match := found(r"Object missing required field `(.*)`"):
        return UsageError(
            "missing-key", "the key {key} is missing: add it", place, key=repr(match[1])
        )
    if found(r"Invalid enum value .*"):
        key = [step["key"] for step in _STEP.finditer(place) if step["key"]][-1]
        code, known = names[key]
        message = Message(
            "{name} is not known here: {advice}",
            name=repr(shorten(str(part))),
            advice=suggest_name(str(part), known),
        )
        return UsageError(code, message, place)
    if match := found(r"Expected `array` of length (?P<wanted>\d+), got (?P<given>\d+)"):
        message = Message("{given} entries instead of {wanted}: give {wanted}", **match.groupdict())
        return UsageError("wrong-type", message, place)
    if match := found(r"Expected `(.*)`, got `(.*)`"):
        wanted = reduce(
            lambda one, other: Message("{one} or {other}", one=one, other=other),
            [_TYPES.get(name, name) for name in match[1].split(" | ")],
        )
        is_number = match[2] in ("int", "float")
        got = Message("a number") if is_number else _TYPES.get(match[2], match[2])
        message = Message("{given} instead of {wanted}: correct it", given=got, wanted=wanted)
        return UsageError("wrong-type", message, place)
    return UsageError("wrong-type", "{what}: correct it", place, what=what)


def _told(said: str, value: object) -> tuple[str, str, Any]:
    """What does not fit, the place, and the part of the value there.

    A key that nobody knows may itself look like a place: what leads nowhere is none.
    """
    match = _PLACE.fullmatch(said)
    if match is not None and match["place"]:
        with suppress(LookupError, TypeError):
            return match["what"], match["place"], _at(value, match["place"])
    return said, "$", value


def _at(value: Any, place: str) -> Any:
    """The part of a value that a JSON path means."""
    for step in _STEP.finditer(place):
        value = value[step["key"] or int(step["index"])]
    return value


def _keys_at(shape: type[msgspec.Struct], place: str) -> list[str]:
    """The keys that an object may have at a place of a shape."""
    kind: Any = msgspec.inspect.type_info(shape)
    for step in _STEP.finditer(place):
        if step["key"]:
            kind = next(field.type for field in kind.fields if field.encode_name == step["key"])
        else:
            kind = kind.item_type
        kind = _one_of_its_own(kind)
    return [field.encode_name for field in kind.fields]


def _one_of_its_own(kind: Any) -> Any:
    """Of a type that may also be null or left out, the type itself."""
    if isinstance(kind, msgspec.inspect.UnionType):
        return next(one for one in kind.types if not isinstance(one, msgspec.inspect.NoneType))
    return kind
