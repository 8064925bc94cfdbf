"""What a single setting may be: each rule checks a value from the file and says what is allowed."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from firmware.errors import printable, shortened


class NotAllowedError(ValueError):
    """A value that a rule refuses."""


class Rule(Protocol):
    """What one setting may be."""

    @property
    def allowed(self) -> str:
        """The values allowed, to follow after ``use``."""
        ...

    def value_of(self, given: object) -> object:
        """The setting that a value of the TOML file means.

        Raises:
            NotAllowedError: it is none of those allowed.
        """
        ...


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of a few texts or whole numbers."""

    choices: tuple[str | int, ...]

    @property
    def allowed(self) -> str:
        """The values allowed, to follow after ``use``."""
        named = [as_toml(choice) for choice in self.choices]
        return " or ".join([", ".join(named[:-1]), named[-1]]) if len(named) > 1 else named[0]

    def value_of(self, given: object) -> object:
        """The value, if it is one of the choices; ``true`` is not the number 1."""
        for choice in self.choices:
            if type(given) is type(choice) and given == choice:
                return choice
        raise NotAllowedError


@dataclass(frozen=True, slots=True)
class WholeNumber:
    """A whole number from ``least`` to ``most``, shown in hexadecimal where that is usual."""

    least: int
    most: int
    hexadecimal: bool = False

    @property
    def allowed(self) -> str:
        """The values allowed, to follow after ``use``."""
        if self.hexadecimal:
            return f"a whole number from 0x{self.least:02X} to 0x{self.most:02X}"
        return f"a whole number from {self.least} to {self.most}"

    def value_of(self, given: object) -> object:
        """The value, if it is such a number."""
        if type(given) is int and self.least <= given <= self.most:
            return given
        raise NotAllowedError


@dataclass(frozen=True, slots=True)
class Number:
    """A number from ``least`` to ``most``, with or without a fraction."""

    least: float
    most: float

    @property
    def allowed(self) -> str:
        """The values allowed, to follow after ``use``."""
        return f"a number from {self.least:g} to {self.most:g}"

    def value_of(self, given: object) -> object:
        """The value as a float, if it is such a number."""
        if type(given) in (int, float):
            number = float(given)  # type: ignore[arg-type]
            if math.isfinite(number) and self.least <= number <= self.most:
                return number
        raise NotAllowedError


@dataclass(frozen=True, slots=True)
class YesNo:
    """``true`` or ``false``."""

    @property
    def allowed(self) -> str:
        """The values allowed, to follow after ``use``."""
        return "true or false"

    def value_of(self, given: object) -> object:
        """The value, if it is one of the two."""
        if isinstance(given, bool):
            return given
        raise NotAllowedError


@dataclass(frozen=True, slots=True)
class Text:
    """A text of one line, without control characters.

    Attributes:
        most_letters: how long it may be.
        what: what it has to be, to follow after ``use``.
        letters: if given, no other letters may be in it, and it may not be empty.
    """

    most_letters: int
    what: str
    letters: str = ""

    @property
    def allowed(self) -> str:
        """The values allowed, to follow after ``use``."""
        return self.what

    def value_of(self, given: object) -> object:
        """The value without spaces around it, if it is such a text."""
        if not isinstance(given, str):
            raise NotAllowedError
        text = given.strip()
        if len(text) > self.most_letters or printable(text) != text or not _is_utf8(text):
            raise NotAllowedError
        if self.letters and (not text or not set(text) <= set(self.letters)):
            raise NotAllowedError
        return text


@dataclass(frozen=True, slots=True)
class Names:
    """A list of different names; an empty one stands for a seat without a name."""

    most: int
    most_letters: int

    @property
    def allowed(self) -> str:
        """The values allowed, to follow after ``use``."""
        return (
            f"a list of at most {self.most} different names of at most "
            f'{self.most_letters} letters, like ["Ann", "Ben", "Cid"]'
        )

    def value_of(self, given: object) -> object:
        """The names without spaces around them, if they are such names."""
        if not isinstance(given, list) or len(given) > self.most:
            raise NotAllowedError
        one = Text(self.most_letters, "")
        names = tuple(str(one.value_of(name)) for name in given)
        called = [name for name in names if name]
        if len(set(called)) != len(called):
            raise NotAllowedError
        return names


@dataclass(frozen=True, slots=True)
class Size:
    """Width and height in pixels as a list of two whole numbers."""

    least: int
    most: int

    @property
    def allowed(self) -> str:
        """The values allowed, to follow after ``use``."""
        return (
            "a list of width and height, two whole numbers "
            f"from {self.least} to {self.most}, like [2304, 1296]"
        )

    def value_of(self, given: object) -> object:
        """The two numbers, if they are such a size."""
        if not isinstance(given, list) or len(given) != 2:
            raise NotAllowedError
        side = WholeNumber(self.least, self.most)
        return tuple(side.value_of(number) for number in given)


def as_toml(value: object) -> str:
    """A value as it stands in a TOML file, shortened if it is long."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return f'"{printable(shortened(value))}"'
        case list() | tuple():
            return shortened(f"[{', '.join(as_toml(one) for one in value)}]", 80)
        case Mapping():
            return "a table"
        case int():
            # Python refuses to write a number of more than some thousand digits
            return str(value) if abs(value) < 10**40 else "a number of very many digits"
    return printable(shortened(str(value)))


def _is_utf8(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
