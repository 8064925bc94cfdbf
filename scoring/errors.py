"""Errors of the rules, with translatable messages.

ScoringError
├── TableError         a table that the rules of its game do not allow
├── NotationError      a text that is not a city, or a city that cannot be written as text
└── UnknownGameError   a game for which there are no rules

Each error, and each breach of a TableError, has an English ``template`` and the ``values`` to fill
in. A translation replaces the template and uses the same values. No template needs a plural: a
number that may be 1 stands behind the noun that it counts.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

Value = int | str
"""A number, a name or an identifier; they are the same in every language."""


def N_(template: str) -> str:  # noqa: N802 - the customary name, known to xgettext and Babel
    """Mark a template for the catalogues of translations."""
    return template


@dataclass(frozen=True, slots=True)
class Breach:
    """Breach of a game's rules by a table.

    Attributes:
        code: Short stable identifier, such as ``missing-tile``.
        template: One line saying what is wrong and what to do, ``problem: remedy`` or
            ``problem; remedy``, with a placeholder for each value. ``problem_line`` of
            ``firmware.wording.problem_text`` puts the place between the two.
        where: JSON path of what is meant in the table, such as ``$.cities[1].grid[0][2]``.
        values: Numbers and identifiers of the template; rows and columns count from 1.
    """

    code: str
    template: str
    where: str
    values: Mapping[str, Value] = field(default_factory=dict)

    @property
    def message(self) -> str:
        """The template with its values, in English."""
        return self.template.format_map(self.values)


class BreachKind(Enum):
    """Base class of breach kinds: the value of a member is its template (see ``Breach``)."""

    @property
    def code(self) -> str:
        """Name in lower case with hyphens, such as ``missing-tile``, used as ``Breach.code``."""
        return self.name.lower().replace("_", "-")

    def at(self, where: str, **values: Value) -> Breach:
        """Return a breach of this kind at a place, with the values of its template."""
        return Breach(self.code, self.value, where, values)


class ScoringError(Exception):
    """Base class of the errors of the rules.

    Attributes:
        code: Short stable identifier.
        template: One line saying what is wrong and what to do, with a placeholder for each value.
        where: Place of the error.
        values: Numbers and identifiers of the template.
        message: Template with its values, in English.
    """

    def __init__(self, code: str, template: str, where: str, **values: Value) -> None:
        self.code = code
        self.template = template
        self.where = where
        self.values: Mapping[str, Value] = values
        self.message = template.format_map(values)
        super().__init__(self.message)


class TableError(ScoringError, ValueError):
    """Table that the rules do not allow.

    Attributes:
        breaches: Breaches of the rules, at least one; the other attributes are those of the
            first.
    """

    def __init__(self, breaches: tuple[Breach, ...]) -> None:
        first = breaches[0]
        super().__init__(first.code, first.template, first.where, **first.values)
        self.breaches = breaches


class NotationError(ScoringError, ValueError):
    """Text that is no city, or city that cannot be written as text."""


class UnknownGameError(ScoringError, LookupError):
    """Game without rules here."""
