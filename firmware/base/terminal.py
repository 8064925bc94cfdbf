"""Standard output: JSON for programs and text of a known width for people."""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NoReturn

from rich.console import Console
from rich.live import Live
from rich.text import Text

from firmware.base.errors import OutputError, UsageError, printable, system_reason
from firmware.base.json_text import json_text
from firmware.base.language import _

Json = dict[str, Any]
"""Plain dicts and lists, ready for ``json.dumps``."""


class _Console(Console):
    """Leaves it to ``standard_output`` to deal with a reader that has gone."""

    def on_broken_pipe(self) -> NoReturn:
        raise BrokenPipeError


@contextmanager
def standard_output() -> Iterator[Console]:
    """A console on standard output that shows texts as they are; all is written at the end.

    Names and paths come from users: nothing in them is taken as markup, emoji code or link.

    Raises:
        OutputError: ``output-not-writable``, such as on a full disk.
        BrokenPipeError: nobody reads any more.
    """
    try:
        yield _Console(file=sys.stdout, markup=False, emoji=False, highlight=False)
        sys.stdout.flush()
    except BrokenPipeError:
        _discard_output()
        raise
    except OSError as error:
        _discard_output()
        raise OutputError(
            "output-not-writable",
            "the result cannot be written ({why}): send it somewhere else",
            _("standard output"),
            why=system_reason(error),
        ) from error


def print_lines(*lines: str, style: str = "") -> None:
    """Print lines without wrapping them; replace their control characters."""
    with standard_output() as console:
        for line in lines:
            console.print(Text(printable(line), style=style), soft_wrap=True)


def confirm(question: str, refusal: UsageError) -> bool:
    """Ask on the terminal; True: the answer is yes.

    Raises:
        UsageError: ``refusal``, where nobody can be asked.
    """
    if sys.stdin is None or not sys.stdin.isatty():
        raise refusal
    print_lines(question)
    return sys.stdin.readline().strip().lower() in {"yes", _("yes")}


def write_json(value: Mapping[str, object], *, indent: int | None = 2) -> None:
    """Write one JSON value and a line break; without indent it is one line.

    Raises:
        OutputError: see ``standard_output``.
        BrokenPipeError: nobody reads any more.
    """
    is_utf8 = (sys.stdout.encoding or "ascii").lower().replace("-", "") == "utf8"
    with standard_output():
        sys.stdout.write(json_text(value, indent=indent, ascii_only=not is_utf8) + "\n")


def _discard_output() -> None:
    """Keep Python from failing once more when it empties its buffers at the end."""
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, sys.stdout.fileno())
    os.close(sink)


class Progress(Live):
    """A line on standard error that is written over; nothing where that is no terminal."""

    def __init__(self) -> None:
        super().__init__(
            console=Console(file=sys.stderr),
            auto_refresh=False,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )

    def show(self, said: str) -> None:
        """Show how far it is."""
        self.update(Text(said, style="dim", no_wrap=True, overflow="crop"), refresh=True)
