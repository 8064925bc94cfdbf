"""Parse TOML from outside, and check the values of a TOML or JSON document as they are taken out.

Nothing in such a document is trusted. A *path* leads from its root to a value: keys and indices of
lists, such as ``("cities", 0, "grid")``. Whoever reads a document turns ``InvalidValueError`` into
an error of its own, with the name of the file.
"""

import re
import tomllib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from vision.message import Message

T = TypeVar("T")
ValuePath = tuple[str | int, ...]

MAX_KEY_PARTS: Final = 8
"""Parts of a dotted TOML key; the memory that ``tomllib`` takes grows with the square of them."""
MAX_DEPTH: Final = 16
"""Lists and tables nested in one another in TOML."""
LARGEST_NUMBER: Final = 2.0**53
"""Maximum magnitude of a number; a float may not hold larger integers exactly."""
_LONGEST_SHOWN: Final = 40
"""Characters of a value in a message; longer ones are cut."""
_LARGEST_SHOWN: Final = 10**30
"""Maximum integer that a message shows; Python does not write out those of thousands of digits."""

_TOML_TOKEN: Final = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+(?:"""|\Z)'
    r"|'''(?:[^']|'(?!''))*+(?:'''|\Z)"
    r'|"(?:[^"\\\n]|\\[^\n])*+"?'
    r"|'[^'\n]*+'?"
    r"|\#[^\n]*+"
    r"|[A-Za-z0-9_+:-]++"
    r"|[ \t]++"
    r"|.",
    re.DOTALL,
)
"""String, comment, word, blanks, or another character; an unclosed string ends with its line or
file."""

_SYNTAX_REASONS: Final = (
    (r"Expecting value", Message("a value is missing")),
    (r"Expecting ',' delimiter", Message("a comma or a closing bracket is missing")),
    (r"Expecting ':' delimiter", Message("a colon is missing")),
    (r"Expecting property name .*", Message("a key in double quotes is missing")),
    (r"Illegal trailing comma .*", Message("there is a comma too many")),
    (r"Extra data", Message("something follows after the end")),
    (r"Unterminated string.*", Message("a text is not closed")),
    (r"Invalid control character.*", Message("a text has a line break or control character")),
    (r"Invalid \\.*|Unescaped .*|Invalid hex value", Message("there is no such escape")),
    (r"Escaped character .*", Message("an escape such as \\ud800 is half a letter")),
    (r"Invalid value", Message("a value is missing or not valid")),
    (r"Invalid statement", Message("a line cannot begin like this")),
    (r"Invalid initial character .*", Message("a key is missing or not valid")),
    (r"Invalid date or datetime", Message("there is no such date or time")),
    (r"(Found invalid|Illegal) character .*", Message("this character is not allowed here")),
    (r"Unclosed array", Message("a list is not closed")),
    (r"Unclosed inline table", Message("a table in braces is not closed")),
    (r"Expected '=' .*", Message("an equals sign is missing after the key")),
    (r"Expected '\]+' at .*", Message("a square bracket is missing after the name of the table")),
    (r"Expected newline .*", Message("something else follows in this line")),
    (r"Expected .*", Message("something is missing here")),
    (
        r"Cannot (declare|mutate|overwrite|redefine) .*|Duplicate inline table key .*",
        Message("this key or table is there already"),
    ),
)
"""Reasons of ``json`` and ``tomllib`` as patterns, and our own words for them."""
_LINE_AND_COLUMN: Final = re.compile(r"line (?P<line>\d+), column (?P<column>\d+)")


class NestedTooDeeplyError(ValueError):
    """A TOML document with too long a dotted key, or with too many levels of lists and tables.

    Attributes:
        line: Number of the line, from 1.
    """

    def __init__(self, line: int) -> None:
        super().__init__(f"nested too deeply in line {line}")
        self.line = line


def parse_toml(text: str) -> dict[str, Any]:
    """Parse a TOML document, but refuse what would cost memory out of proportion.

    Raises:
        NestedTooDeeplyError: It exceeds ``MAX_KEY_PARTS`` or ``MAX_DEPTH``.
        tomllib.TOMLDecodeError: It is no TOML.
        ValueError: A number in it is far too large.
    """
    depth = parts = 0
    for token in _TOML_TOKEN.finditer(text):
        first = text[token.start()]
        if first in "[{":
            depth += 1
        elif first in "]}":
            depth -= 1
        elif first == ".":
            parts += 1
        elif first in "\n=,":
            parts = 0
        if depth > MAX_DEPTH or parts >= MAX_KEY_PARTS:
            raise NestedTooDeeplyError(text.count("\n", 0, token.start()) + 1)
    return tomllib.loads(text)


def syntax_reason(english: str) -> Message:
    """Return our own words for a reason of ``json`` or ``tomllib``."""
    for pattern, reason in _SYNTAX_REASONS:
        if re.fullmatch(pattern, english, re.DOTALL):
            return reason
    return Message("it is not written correctly here")


def explain_toml_error(error: tomllib.TOMLDecodeError) -> tuple[Message, Message]:
    """Return our own words for the reason of ``tomllib``, and the place."""
    reason, _, at = str(error).removesuffix(")").rpartition(" (at ")
    match = _LINE_AND_COLUMN.fullmatch(at)
    place = line_and_column(**match.groupdict()) if match else Message("end of document")
    return syntax_reason(reason), place


def line_and_column(line: int | str, column: int | str) -> Message:
    """Return a place in a text."""
    return Message("line {line}, column {column}", line=line, column=column)


class InvalidValueError(ValueError):
    """Value that is not allowed at its position.

    Attributes:
        path: Keys and indices that lead to the value.
        requirement: Predicate that the value fails, such as "must be a list"; empty if the reader
            of the document names the place alone.
    """

    def __init__(self, path: ValuePath, requirement: str = "") -> None:
        super().__init__(f"{shown_path(path)} {requirement}".rstrip())
        self.path = path
        self.requirement = requirement


class MissingKeyError(InvalidValueError):
    """A key that has to be there and is not; the path ends with it."""


class UnknownKeyError(InvalidValueError):
    """A key that has no meaning; the path ends with it.

    Attributes:
        known: Keys that have one.
    """

    def __init__(self, path: ValuePath, known: Collection[str]) -> None:
        super().__init__(path)
        self.known = known


def shown_path(path: ValuePath) -> str:
    """Return a path as people write it, such as ``cities[0].grid``; "JSON" for the root."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return "".join(steps).removeprefix(".") or "JSON"


def shown_value(value: object) -> str:
    """Return a value as a message may show it, whatever its size."""
    if isinstance(value, str | int | float):
        if isinstance(value, int) and abs(value) > _LARGEST_SHOWN:
            return Message("so large a number")
        text = str(value)
        return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 1]}…"
    return Message("a list") if isinstance(value, list) else Message("something else")


@dataclass(frozen=True, slots=True)
class Node:
    """A value of a document, and where it stands.

    Every method but ``is_null`` and ``has`` raises ``InvalidValueError`` if the value does not fit.

    Attributes:
        value: Value as ``json`` or ``tomllib`` gives it.
        path: Keys and indices that lead to it.
    """

    value: Any
    path: ValuePath = ()

    @property
    def is_null(self) -> bool:
        """True if the value is null, or an optional key is missing."""
        return self.value is None

    def require(self, fits: bool, requirement: str = "") -> None:  # noqa: FBT001
        """Refuse the value unless it fits."""
        if not fits:
            raise InvalidValueError(self.path, requirement)

    def members(self) -> dict[str, Any]:
        """Return an object or a table."""
        return self._typed(dict)

    def has(self, key: str) -> bool:
        """Return whether the value is an object with this key."""
        return isinstance(self.value, dict) and key in self.value

    def __getitem__(self, key: str) -> "Node":
        """Return the value of a key that must be there."""
        child = Node(self.members().get(key), (*self.path, key))
        if key not in self.value:
            raise MissingKeyError(child.path)
        return child

    def get(self, key: str, default: object = None) -> "Node":
        """Return the value of an optional key."""
        return Node(self.members().get(key, default), (*self.path, key))

    def refuse_unknown_keys(self, known: Collection[str]) -> None:
        """Refuse keys without a meaning.

        Raises:
            UnknownKeyError: Names the first.
        """
        for key in self.members():
            if key not in known:
                raise UnknownKeyError((*self.path, key), known)

    def items(self) -> "list[Node]":
        """Return the entries of a list."""
        return [Node(entry, (*self.path, n)) for n, entry in enumerate(self._typed(list))]

    def some_items(self, most: int) -> "list[Node]":
        """Return the entries of a list, which has 1 to ``most``."""
        fits = isinstance(self.value, list) and 1 <= len(self.value) <= most
        self.require(fits, Message("must be a list of 1 to {most} entries", most=most))
        return self.items()

    def boolean(self) -> bool:
        """Return true or false."""
        return self._typed(bool, Message("true or false"))

    def integer(self, low: float = -LARGEST_NUMBER, high: float = LARGEST_NUMBER) -> int:
        """Return a whole number from ``low`` to ``high``; ``True`` is none."""
        requirement = Message(
            "must be a whole number from {low} to {high}, not {value}",
            low=low,
            high=high,
            value=shown_value(self.value),
        )
        whole = self._typed(int, requirement)
        self.require(low <= whole <= high, requirement)
        return whole

    def number(self, low: float = -LARGEST_NUMBER, high: float = LARGEST_NUMBER) -> float:
        """Return a number from ``low`` to ``high``, which NaN is not."""
        self.require(
            type(self.value) in (int, float) and low <= self.value <= high,
            Message(
                "must be a number from {low} to {high}, not {value}",
                low=f"{low:g}",
                high=f"{high:g}",
                value=shown_value(self.value),
            ),
        )
        return float(self.value)

    def numbers(
        self, count: int, low: float = -LARGEST_NUMBER, high: float = LARGEST_NUMBER
    ) -> tuple[float, ...]:
        """Return a list of ``count`` numbers from ``low`` to ``high``."""
        fits = isinstance(self.value, list) and len(self.value) == count
        self.require(fits, Message("must be a list of {count} numbers", count=count))
        return tuple(entry.number(low, high) for entry in self.items())

    def text(self) -> str:
        """Return any text."""
        return self._typed(str)

    def matching_text(self, pattern: re.Pattern[str], what: str) -> str:
        """Return a text that matches a whole pattern, which ``what`` puts into words."""
        self.require(
            isinstance(self.value, str) and pattern.fullmatch(self.value) is not None,
            Message("must be {what}, not {value}", what=what, value=shown_value(self.value)),
        )
        return self.text()

    def choice(self, allowed: Sequence[str]) -> str:
        """Return one of some texts."""
        fits = isinstance(self.value, str) and self.value in allowed
        self.require(fits, Message("must be one of {allowed}", allowed=", ".join(allowed)))
        return self.text()

    def refuse_repeated(self, values: Sequence[object]) -> None:
        """Refuse a list whose values are not all different."""
        for n, value in enumerate(values):
            self.require(
                value not in values[:n],
                Message("lists {value} twice, where each may stand once", value=str(value)),
            )

    def _typed(self, kind: type[T], requirement: str = "") -> T:
        """Return the value if it is exactly of a type: ``True`` is no integer."""
        self.require(type(self.value) is kind, requirement)
        value: T = self.value
        return value
