"""What can be wrong with what the appliance and its command line are given, and how to say it.

FirmwareError
├── UsageError      a command, option, correction or table that cannot be used as given
├── OutputError     a place that cannot be written to
└── InternalError   a mistake in Stadtblick itself

The errors of the eye (``vision.errors``), of the rules (``scoring.errors``) and of devices
(``hardware.errors``) have the same attributes, so that all are shown alike, in the language that is
spoken.
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
from firmware.base.language import _, _n
from hardware.errors import HardwareError
from scoring.errors import Breach, ScoringError, TableError
from vision.errors import DescribedError, Message, VisionError

PROGRAM = "stadtblick"
"""The name that errors begin with, and that of the package."""


class ExitCode(IntEnum):
    """What a command tells the shell."""

    DONE = 0
    NEEDS_A_PERSON = 1
    """Done, but something has to be looked at: unsure tiles, missing tiles, unread cities."""
    REFUSED = 2
    """The input cannot be used."""
    DEVICE = 3
    """A device is missing or broken."""
    INTERNAL = 70
    """Stadtblick itself failed."""
    INTERRUPTED = 130
    BROKEN_PIPE = 141


class FirmwareError(DescribedError):
    """Base of the errors of this package."""


class UsageError(FirmwareError, ValueError):
    """A command, option, correction or table that cannot be used as given."""


class OutputError(FirmwareError, OSError):
    """A place that cannot be written to."""


TRACEBACK_VARIABLE = "STADTBLICK_TRACEBACK"
"""Environment variable; ``1``: show the traceback of an unforeseen error."""


class InternalError(FirmwareError):
    """A mistake in Stadtblick itself, or a computer without memory."""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """Something that was wrong and that the program gets over, such as a setting it cannot use.

    Attributes:
        code: short stable identifier.
        message: one line saying what is wrong, then after a colon what to do.
        where: the file, and the key in it.
    """

    code: str
    message: str
    where: str

    @property
    def line(self) -> str:
        """All of it in one line, as errors are shown."""
        return error_line(UsageError(self.code, self.message, self.where))


Refusal = FirmwareError | VisionError | ScoringError
"""Every error that is shown to a user."""

Translatable = Refusal | HardwareError | Breach | Message
"""What has a template in English, as the catalogue has it, and values that are filled in."""

_MOST_BREACHES = 100
"""Of a table that are listed."""

_WHAT_AND_ADVICE = re.compile(r"(?P<what>.*)[:;] (?P<advice>.*)", re.DOTALL)


def wrap_unforeseen(error: Exception) -> InternalError:
    """What an unforeseen exception says, and the line of code that it came from."""
    said = shorten(" ".join(f"{type(error).__name__} {error}".split()), 200)
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


def translate(said: Translatable | str) -> str:
    """What an error, a breach or a message says, in the language that is spoken.

    A text that is no message is returned as it is.
    """
    if isinstance(said, str) and not isinstance(said, Message):
        return said
    if isinstance(said, CountedMessage):
        return _n(said.template, said.many, int(said.values["n"]))
    values = {
        name: translate(value) if isinstance(value, Message) else value
        for name, value in said.values.items()
    }
    return _(said.template).format(**values) if values else _(said.template)


def message_of(error: Translatable) -> Message:
    """What an error says, to be passed on and translated when it is shown."""
    return Message(error.template, **error.values)


def error_line(error: Refusal | HardwareError) -> str:
    """The error as one line: ``WHAT (WHERE): what to do``."""
    said = translate(error)
    match = _WHAT_AND_ADVICE.fullmatch(said)
    if match is None:
        line = f"{said} ({error.where})"
    else:
        line = f"{match['what']} ({error.where}): {match['advice']}"
    if isinstance(error, TableError) and len(error.breaches) > 1:
        line += " " + _("(and {n} more, see --json)").format(n=len(error.breaches) - 1)
    return printable(line)


def error_object(error: Refusal | HardwareError) -> Mapping[str, object]:
    """The error as it stands in JSON: ``{"error": {"code", "message", "where"}}``.

    That of a table which the rules do not allow has all that is wrong under ``breaches``.
    """
    told: dict[str, object] = {
        "code": error.code,
        "message": translate(error),
        "where": error.where,
    }
    if isinstance(error, TableError):
        told["breaches"] = [
            {"code": breach.code, "message": translate(breach), "where": breach.where}
            for breach in error.breaches[:_MOST_BREACHES]
        ]
    return {"error": told}


def show_error(error: Refusal, *, as_json: bool) -> None:
    """Show an error on standard error."""
    said = json_text(error_object(error)) if as_json else f"{PROGRAM}: {error_line(error)}"
    print(said if as_json else printable(said), file=sys.stderr)


def show_warning(warning: Diagnostic) -> None:
    """Show a warning on standard error."""
    print(printable(f"{PROGRAM}: {warning.line}"), file=sys.stderr)


def printable(text: str) -> str:
    """The text with line breaks and control characters replaced, safe for any terminal."""
    return "".join(
        letter if letter.isprintable() or letter == " " else "\N{REPLACEMENT CHARACTER}"
        for letter in text
    )


def system_reason(error: BaseException | None) -> str:
    """Why the system has refused something, in its words."""
    return getattr(error, "strerror", None) or type(error).__name__


def shorten(text: str, letters: int = 40) -> str:
    """The text, or the beginning of one that is longer than so many letters."""
    return text if len(text) <= letters else f"{text[: letters - 1]}…"


def suggest_name(given: str, known: Sequence[str]) -> str:
    """What to do about a name that is none of the known ones."""
    near = difflib.get_close_matches(given, known, n=1)
    if near:
        return Message("did you mean {name}", name=near[0])
    return Message("known are {names}", names=", ".join(known))
