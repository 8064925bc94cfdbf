"""What can be wrong with what the rules are given.

ScoringError
├── TableError         a table that the rules of its game do not allow
├── NotationError      a text that is not a city, or a city that cannot be written as text
└── UnknownGameError   a game for which there are no rules
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Breach:
    """One way in which a table breaks the rules of its game.

    Attributes:
        code: short stable identifier, such as ``missing-tile``.
        place: JSON path of what is meant in the table, such as ``$.cities[1].grid[0][2]``.
        text: one line saying what is wrong and what to do.
        values: the numbers and identifiers in ``text`` by name, for a caller who words the
            breach in another language.
    """

    code: str
    place: str
    text: str
    values: tuple[tuple[str, int | str], ...] = ()


class ScoringError(Exception):
    """Base of the errors of the rules.

    Attributes:
        code: short stable identifier.
        message: one line saying what is wrong and what to do.
        where: the place that is meant.
    """

    def __init__(self, code: str, message: str, where: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.where = where


class TableError(ScoringError, ValueError):
    """The rules do not allow this table.

    Attributes:
        breaches: all that is wrong with it, at least one; ``code``, ``message`` and ``where``
            are those of the first.
    """

    def __init__(self, breaches: tuple[Breach, ...]) -> None:
        first = breaches[0]
        super().__init__(first.code, first.text, first.place)
        self.breaches = breaches


class NotationError(ScoringError, ValueError):
    """The text is not a city, or the city cannot be written as text."""


class UnknownGameError(ScoringError, LookupError):
    """There are no rules for a game of this name."""
