"""Problem as a user reads it: the common form of errors, warnings and faults."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from vision.message import Message, Value


class Reportable(Protocol):
    """Interface of errors and problems: what is wrong, where, and what to do.

    ``Problem`` is one, and so are the errors of all packages and the breaches of the rules.
    """

    @property
    def code(self) -> str:
        """Short stable identifier, such as ``camera-missing``; ``docs/errors.md`` lists all."""

    @property
    def template(self) -> str:
        """English line with the names of ``values`` in braces; key of the catalogues."""

    @property
    def values(self) -> Mapping[str, Value]:
        """Values of the placeholders."""

    @property
    def where(self) -> str:
        """Device, file, option or place in it."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Problem as a value: kept in the state, sent in events, shown later.

    Attributes:
        code: Short stable identifier, such as ``camera-missing``.
        message: One line with the problem, a colon, and the remedy; translated when it is shown.
        where: Device, file, option or place in it; empty if there is nothing to name.
    """

    code: str
    message: Message
    where: str = ""

    @classmethod
    def of(cls, error: Reportable) -> "Problem":
        """Return the problem that an error or breach reports."""
        return cls(error.code, Message(error.template, **error.values), error.where)

    @property
    def template(self) -> str:
        """English text of the message."""
        return self.message.template

    @property
    def values(self) -> Mapping[str, Value]:
        """Values of the message."""
        return self.message.values
