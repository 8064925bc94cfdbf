"""Errors of the appliance and its command line, and texts that they are made of.

FirmwareError
├── UsageError      a command, option, correction or table that cannot be used as given
├── OutputError     a place that cannot be written to
└── InternalError   a mistake in Stadtblick itself, or a computer out of memory

The errors of ``vision``, ``scoring`` and ``hardware`` have the same attributes, those of
``firmware.base.problem.Reportable``; ``firmware.wording.problem_text`` shows all of them.
"""

import difflib
import errno
import os
import shlex
import traceback
from collections.abc import Sequence
from enum import IntEnum
from pathlib import Path
from typing import Final

from vision.errors import DescribedError
from vision.message import Message

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


_LONGEST_EXCEPTION = 200
"""Most letters of an exception's text that are shown."""


def wrap_unexpected(error: Exception) -> InternalError:
    """Return the error shown for an unexpected exception, with the line of code it came from."""
    message = shorten(" ".join(f"{type(error).__name__} {error}".split()), _LONGEST_EXCEPTION)
    calls = traceback.extract_tb(error.__traceback__)
    where = f"{Path(calls[-1].filename).name}, line {calls[-1].lineno}" if calls else "unknown"
    advice = Message(
        "report it with what {variable}=1 shows in addition", variable=TRACEBACK_VARIABLE
    )
    return InternalError(
        "internal-error",
        "Stadtblick failed, {reason}: {advice}",
        where,
        reason=message,
        advice=advice,
    )


def printable(text: str) -> str:
    """Replace line breaks and control characters in a text, so that any terminal can show it."""
    return "".join(
        letter if letter.isprintable() or letter == " " else "\N{REPLACEMENT CHARACTER}"
        for letter in text
    )


_SYSTEM_REASONS: Final = {
    errno.EACCES: Message("Permission denied"),
    errno.EADDRINUSE: Message("Address already in use"),
    errno.EADDRNOTAVAIL: Message("Cannot assign requested address"),
    errno.EBUSY: Message("Device or resource busy"),
    errno.ECONNREFUSED: Message("Connection refused"),
    errno.ECONNRESET: Message("Connection reset by peer"),
    errno.EDQUOT: Message("Disk quota exceeded"),
    errno.EEXIST: Message("File exists"),
    errno.EHOSTUNREACH: Message("No route to host"),
    errno.EIO: Message("Input/output error"),
    errno.EISDIR: Message("Is a directory"),
    errno.ELOOP: Message("Too many levels of symbolic links"),
    errno.EMFILE: Message("Too many open files"),
    errno.ENAMETOOLONG: Message("File name too long"),
    errno.ENETUNREACH: Message("Network is unreachable"),
    errno.ENODEV: Message("No such device"),
    errno.ENOENT: Message("No such file or directory"),
    errno.ENOMEM: Message("Cannot allocate memory"),
    errno.ENOSPC: Message("No space left on device"),
    errno.ENOTDIR: Message("Not a directory"),
    errno.EPERM: Message("Operation not permitted"),
    errno.EROFS: Message("Read-only file system"),
    errno.ETIMEDOUT: Message("Connection timed out"),
}
"""The operating system's words for frequent errors, to be translated."""


def system_reason(error: BaseException | None) -> str:
    """Return the operating system's words for an error, or the name of its type."""
    number = getattr(error, "errno", None) or 0
    known = _SYSTEM_REASONS.get(number) or (os.strerror(number) if number > 0 else None)
    return known or getattr(error, "strerror", None) or type(error).__name__


def write_advice(error: BaseException | None, otherwise: Message) -> Message:
    """Return the remedy for a file that cannot be written.

    Args:
        error: Error of the operating system.
        otherwise: Another remedy, the only one unless space or a permission is missing.
    """
    match getattr(error, "errno", None):
        case errno.ENOSPC | errno.EDQUOT:
            return Message("make room, or {otherwise}", otherwise=otherwise)
        case errno.EACCES | errno.EPERM:
            return Message("check the permissions, or {otherwise}", otherwise=otherwise)
        case _:
            return otherwise


def as_typed(option: str, value: str) -> str:
    """Return an option with its value as it is typed in a shell, with quotes where needed."""
    return f"{option} {shlex.quote(value)}"


def shorten(text: str, letters: int = 40) -> str:
    """Cut a text to at most ``letters`` letters, the last one an ellipsis."""
    return text if len(text) <= letters else f"{text[: letters - 1]}…"


def suggest_name(name: str, known: Sequence[str]) -> str:
    """Return the remedy for an unknown name: the most similar known one, or all of them."""
    near = difflib.get_close_matches(name, known, n=1)
    if near:
        return Message("did you mean {name}", name=near[0])
    return Message("known are {names}", names=", ".join(known))
