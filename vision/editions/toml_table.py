"""Typed access to a table of a TOML file that somebody wrote by hand: nothing in it is trusted."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vision.editions.edition import DescriptionError
from vision.errors import Message


@dataclass(frozen=True, slots=True)
class TomlTable:
    """A table whose values are checked as they are read.

    Every method raises ``DescriptionError``: ``description-missing-key`` where a key is missing,
    ``description-value`` where its value is of another kind or out of range.

    Attributes:
        content: as ``tomllib`` gives it.
        where: the file and the table in it, for errors.
    """

    content: Mapping[str, Any]
    where: str

    def refuse_others(self, allowed: Collection[str]) -> None:
        """Refuse keys that are none of these.

        Raises:
            DescriptionError: ``description-unknown-key``, naming the first.
        """
        for key in self.content:
            if key not in allowed:
                raise DescriptionError(
                    "description-unknown-key",
                    "the key {key} is not known here: use {known}",
                    self.where,
                    key=_shown(key),
                    known=", ".join(sorted(allowed)),
                )

    def has(self, key: str) -> bool:
        """Whether the key is there."""
        return key in self.content

    def text(self, key: str, pattern: re.Pattern[str], what: str) -> str:
        """A text that matches the whole pattern.

        Args:
            key: of the value.
            pattern: it must match.
            what: the pattern in words, for errors.
        """
        return self._as_text(self._value(key), key, pattern, what)

    def texts(self, key: str, pattern: re.Pattern[str], what: str, most: int) -> tuple[str, ...]:
        """A list of 1 to ``most`` different texts that match the whole pattern."""
        listed = self._listed(key, most)
        found = tuple(self._as_text(value, key, pattern, what) for value in listed)
        self._refuse_repeated(key, found)
        return found

    def choice(self, key: str, allowed: Sequence[str]) -> str:
        """One of these texts."""
        value = self._value(key)
        if value not in allowed or not isinstance(value, str):
            raise self.wrong(key, Message("must be one of {allowed}", allowed=", ".join(allowed)))
        return value

    def integer(self, key: str, low: int, high: int, missing: int | None = None) -> int:
        """A whole number from ``low`` to ``high``; ``missing`` where there is none."""
        if missing is not None and not self.has(key):
            return missing
        return self._as_integer(self._value(key), key, low, high)

    def integers(self, key: str, low: int, high: int, most: int) -> tuple[int, ...]:
        """A list of 1 to ``most`` whole numbers."""
        listed = self._listed(key, most)
        return tuple(self._as_integer(value, key, low, high) for value in listed)

    def truth(self, key: str) -> bool:
        """Whether something holds; where nothing is said it does not."""
        value = self.content.get(key, False)
        if not isinstance(value, bool):
            raise self.wrong(key, Message("true or false"))
        return value

    def number(self, key: str, low: float, high: float, missing: float | None = None) -> float:
        """A number from ``low`` to ``high``; ``missing`` where there is none."""
        if missing is not None and not self.has(key):
            return missing
        return self._as_number(self._value(key), key, low, high)

    def numbers(self, key: str, count: int, low: float, high: float) -> tuple[float, ...]:
        """A list of ``count`` numbers."""
        listed = self._value(key)
        if not isinstance(listed, list) or len(listed) != count:
            raise self.wrong(key, Message("must be a list of {count} numbers", count=count))
        return tuple(self._as_number(value, key, low, high) for value in listed)

    def cells(self, key: str, rows: int, columns: int) -> tuple[tuple[int, int], ...]:
        """A list of different cells [row, column] of a grid."""
        found = []
        for value in self._listed(key, rows * columns):
            if not isinstance(value, list) or len(value) != 2:
                raise self.wrong(
                    key, Message("must list cells like [0, 3]: row and column, from 0")
                )
            row = self._as_integer(value[0], key, 0, rows - 1)
            found.append((row, self._as_integer(value[1], key, 0, columns - 1)))
        self._refuse_repeated(key, found)
        return tuple(found)

    def text_rows(
        self, key: str, shape: tuple[int, int], pattern: re.Pattern[str], what: str
    ) -> tuple[tuple[str, ...], ...]:
        """Texts in so many rows and columns."""
        rows, columns = shape
        listed = self._value(key)
        fits = isinstance(listed, list) and len(listed) == rows
        if not fits or not all(isinstance(row, list) and len(row) == columns for row in listed):
            raise self.wrong(
                key, Message("must be {rows} rows of {columns} texts", rows=rows, columns=columns)
            )
        return tuple(
            tuple(self._as_text(value, key, pattern, what) for value in row) for row in listed
        )

    def table(self, key: str) -> "TomlTable":
        """A table in this one."""
        value = self._value(key)
        if not isinstance(value, dict):
            raise self.wrong(key, Message("must be a table, written [{key}]", key=key))
        return TomlTable(value, f"{self.where}, [{key}]")

    def tables(self, key: str, most: int) -> "tuple[TomlTable, ...]":
        """A list of at most ``most`` tables; none if the key is missing."""
        listed = self.content.get(key, [])
        if not isinstance(listed, list) or not all(isinstance(value, dict) for value in listed):
            raise self.wrong(key, Message("must be tables, each written [[{key}]]", key=key))
        if len(listed) > most:
            raise self.wrong(
                key,
                Message(
                    "may hold at most {most} entries, not {count}", most=most, count=len(listed)
                ),
            )
        return tuple(
            TomlTable(value, f"{self.where}, {key} entry {number}")
            for number, value in enumerate(listed, 1)
        )

    def wrong(self, key: str, what: str) -> DescriptionError:
        """The error for a value that cannot be used: ``what`` must hold instead."""
        return DescriptionError(
            "description-value", "{key} {what}: correct it", self.where, key=_shown(key), what=what
        )

    def _value(self, key: str) -> Any:
        if key not in self.content:
            raise DescriptionError(
                "description-missing-key", "the key {key} is missing: add it", self.where, key=key
            )
        return self.content[key]

    def _listed(self, key: str, most: int) -> list[Any]:
        value = self._value(key)
        if not isinstance(value, list) or not 1 <= len(value) <= most:
            raise self.wrong(key, Message("must be a list of 1 to {most} entries", most=most))
        return value

    def _refuse_repeated(self, key: str, found: Sequence[object]) -> None:
        for number, value in enumerate(found):
            if value in found[:number]:
                raise self.wrong(
                    key, Message("lists {value} twice, where each may stand once", value=str(value))
                )

    def _as_text(self, value: object, key: str, pattern: re.Pattern[str], what: str) -> str:
        if not isinstance(value, str) or pattern.fullmatch(value) is None:
            raise self.wrong(
                key, Message("must be {what}, not {value}", what=what, value=_shown(value))
            )
        return value

    def _as_integer(self, value: object, key: str, low: int, high: int) -> int:
        if type(value) is not int or not low <= value <= high:
            raise self.wrong(
                key,
                Message(
                    "must be a whole number from {low} to {high}, not {value}",
                    low=low,
                    high=high,
                    value=_shown(value),
                ),
            )
        return value

    def _as_number(self, value: object, key: str, low: float, high: float) -> float:
        if not isinstance(value, int | float) or type(value) is bool or not low <= value <= high:
            raise self.wrong(
                key,
                Message(
                    "must be a number from {low} to {high}, not {value}",
                    low=f"{low:g}",
                    high=f"{high:g}",
                    value=_shown(value),
                ),
            )
        return float(value)


def _shown(value: object) -> str:
    """A value as it may stand in a message, whatever its size."""
    if isinstance(value, str | int | float):
        # Python refuses to write out integers of thousands of digits
        if isinstance(value, int) and abs(value) > 10**30:
            return Message("so large a number")
        text = str(value)
        return text if len(text) <= 40 else f"{text[:39]}…"
    return Message("a list") if isinstance(value, list) else Message("something else")
