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
    """Console that lets ``standard_output`` handle a closed pipe."""

    def on_broken_pipe(self) -> NoReturn:
        raise BrokenPipeError


@contextmanager
def standard_output() -> Iterator[Console]:
    """Open a console on standard output; everything is flushed at the end.

    Texts are printed as they are: names and paths of users hold no markup, emoji codes or links.

    Raises:
        OutputError: ``output-not-writable``, such as on a full disk.
        BrokenPipeError: The reader has closed the pipe.
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
    """Ask a question on the terminal; return whether the answer is yes.

    Raises:
        UsageError: ``refusal``, without a terminal.
    """
    if sys.stdin is None or not sys.stdin.isatty():
        raise refusal
    print_lines(question)
    return sys.stdin.readline().strip().lower() in {"yes", _("yes")}


def write_json(value: Mapping[str, object], *, indent: int | None = 2) -> None:
    """Print one JSON value; on a single line without ``indent``.

    Raises:
        OutputError: See ``standard_output``.
        BrokenPipeError: The reader has closed the pipe.
    """
    is_utf8 = (sys.stdout.encoding or "ascii").lower().replace("-", "") == "utf8"
    with standard_output():
        sys.stdout.write(json_text(value, indent=indent, ascii_only=not is_utf8) + "\n")


def _discard_output() -> None:
    """Keep Python from failing again when it flushes its buffers at exit."""
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, sys.stdout.fileno())
    os.close(sink)


class Progress(Live):
    """Progress line on standard error, overwritten by the next; nothing without a terminal."""

    def __init__(self) -> None:
        super().__init__(
            console=Console(file=sys.stderr),
            auto_refresh=False,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )

    def show(self, text: str) -> None:
        """Replace the line."""
        self.update(Text(text, style="dim", no_wrap=True, overflow="crop"), refresh=True)
