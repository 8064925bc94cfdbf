"""Errors of the appliance and its command line, and the ways to show them.

FirmwareError
├── UsageError      a command, option, correction or table that cannot be used as given
├── OutputError     a place that cannot be written to
└── InternalError   a mistake in Stadtblick itself

The errors of ``vision.errors``, ``scoring.errors`` and ``hardware.errors`` have the same attributes
(``code``, ``template`` with ``values``, ``where``), so all are shown alike, in the user's language.
"""

import difflib
import re
import sys
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

from firmware.base.json_text import json_text
from firmware.base.language import _, _n, format_number
from hardware.errors import HardwareError
from scoring.errors import Breach, ScoringError, TableError
from vision.errors import DescribedError, Message, Value, VisionError

PROGRAM = "stadtblick"
"""Name of the command, before each error line, and of the distribution."""


class ExitCode(IntEnum):
    """Exit codes of the commands."""

    DONE = 0
    NEEDS_A_PERSON = 1
    """Done, but a person should look at unsure tiles, missing tiles or unread cities."""
    REFUSED = 2
    """The input cannot be used."""
    DEVICE = 3
    """A device is missing or broken."""
    INTERNAL = 70
    """Stadtblick itself failed."""
    INTERRUPTED = 130
    BROKEN_PIPE = 141


class FirmwareError(DescribedError):
    """Base class of the errors of ``firmware``."""


class UsageError(FirmwareError, ValueError):
    """Command, option, correction or table that cannot be used as given."""


class OutputError(FirmwareError, OSError):
    """Place that cannot be written to."""


TRACEBACK_VARIABLE = "STADTBLICK_TRACEBACK"
"""Environment variable; ``1`` shows the traceback of an unforeseen error."""


class InternalError(FirmwareError):
    """Mistake in Stadtblick itself, or a computer out of memory."""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """Problem that the program works around, such as a setting that cannot be used.

    Attributes:
        code: Short stable identifier.
        message: One line with the problem, a colon, and the remedy.
        where: File, and the key in it.
    """

    code: str
    message: str
    where: str

    @property
    def line(self) -> str:
        """Return the problem as one line for people."""
        return error_line(UsageError(self.code, self.message, self.where))


Refusal = FirmwareError | VisionError | ScoringError
"""Errors that end a command."""

Translatable = Refusal | HardwareError | Breach | Message
"""Values with an English template, the key of the catalogue, and values to fill in."""

_LONGEST_EXCEPTION = 200
"""Most letters of an exception's text that are shown."""

_MOST_BREACHES = 100
"""Most broken rules of one table that are listed in JSON."""

_PROBLEM_AND_REMEDY = re.compile(r"(?P<problem>.*)[:;] (?P<remedy>.*)", re.DOTALL)


def wrap_unforeseen(error: Exception) -> InternalError:
    """Return the error shown for an unforeseen exception, with the line of code it came from."""
    said = shorten(" ".join(f"{type(error).__name__} {error}".split()), _LONGEST_EXCEPTION)
    calls = traceback.extract_tb(error.__traceback__)
    where = f"{Path(calls[-1].filename).name}, line {calls[-1].lineno}" if calls else "unknown"
    advice = Message(
        "report it with what {variable}=1 shows in addition", variable=TRACEBACK_VARIABLE
    )
    return InternalError(
        "internal-error", "Stadtblick failed, {said}: {advice}", where, said=said, advice=advice
    )


class CountedMessage(Message):
    """Message with a number ``n`` that decides its wording.

    Attributes:
        many: Template for any number but 1.
    """

    many: str

    def __new__(cls, one: str, many: str, n: int) -> "CountedMessage":
        """Choose the English wording."""
        made = str.__new__(cls, (one if n == 1 else many).format(n=n))
        made.template, made.many, made.values = one, many, {"n": n}
        return made


def translate(message: Translatable | str) -> str:
    """Return the text of an error, breach or message in the user's language.

    A plain text is returned unchanged.
    """
    if isinstance(message, str) and not isinstance(message, Message):
        return message
    if isinstance(message, CountedMessage):
        return _n(message.template, message.many, int(message.values["n"]))
    values = {name: _value_text(value) for name, value in message.values.items()}
    return _(message.template).format(**values) if values else _(message.template)


def _value_text(value: Value) -> str | int:
    if isinstance(value, Message):
        return translate(value)
    return format_number(value) if isinstance(value, float) else value


def message_of(error: Translatable) -> Message:
    """Return the message of an error, to be translated when it is shown."""
    return Message(error.template, **error.values)


def error_line(error: Refusal | HardwareError) -> str:
    """Return an error as one line: ``PROBLEM (PLACE): remedy``."""
    text = translate(error)
    match = _PROBLEM_AND_REMEDY.fullmatch(text)
    if match is None:
        line = f"{text} ({error.where})"
    else:
        line = f"{match['problem']} ({error.where}): {match['remedy']}"
    if isinstance(error, TableError) and len(error.breaches) > 1:
        line += " " + _("(and {n} more, see --json)").format(n=len(error.breaches) - 1)
    return printable(line)


def error_object(error: Refusal | HardwareError) -> Mapping[str, object]:
    """Return an error as JSON: ``{"error": {"code", "message", "where"}}``.

    For a table that the rules do not allow, ``breaches`` lists all broken rules.
    """
    fields: dict[str, object] = {
        "code": error.code,
        "message": translate(error),
        "where": error.where,
    }
    if isinstance(error, TableError):
        fields["breaches"] = [
            {"code": breach.code, "message": translate(breach), "where": breach.where}
            for breach in error.breaches[:_MOST_BREACHES]
        ]
    return {"error": fields}


def show_error(error: Refusal, *, as_json: bool) -> None:
    """Print an error on standard error."""
    line = json_text(error_object(error)) if as_json else f"{PROGRAM}: {error_line(error)}"
    print(line if as_json else printable(line), file=sys.stderr)


def show_warning(warning: Diagnostic) -> None:
    """Print a warning on standard error."""
    print(printable(f"{PROGRAM}: {warning.line}"), file=sys.stderr)


def printable(text: str) -> str:
    """Replace line breaks and control characters in a text, so that any terminal can show it."""
    return "".join(
        letter if letter.isprintable() or letter == " " else "\N{REPLACEMENT CHARACTER}"
        for letter in text
    )


def system_reason(error: BaseException | None) -> str:
    """Return the operating system's words for an error, or the name of its type."""
    return getattr(error, "strerror", None) or type(error).__name__


def shorten(text: str, letters: int = 40) -> str:
    """Cut a text to at most ``letters`` letters, the last one an ellipsis."""
    return text if len(text) <= letters else f"{text[: letters - 1]}…"


def suggest_name(name: str, known: Sequence[str]) -> str:
    """Return the remedy for an unknown name: the most similar known one, or all of them."""
    near = difflib.get_close_matches(name, known, n=1)
    if near:
        return Message("did you mean {name}", name=near[0])
    return Message("known are {names}", names=", ".join(known))
