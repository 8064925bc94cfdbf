"""A terminal that hands over every key at once and shows a page of its own, for a while."""

import os
import termios
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

_INPUT_FLAGS, _LOCAL_FLAGS, _CONTROL_LETTERS = 0, 3, 6
"""Places in what ``termios.tcgetattr`` returns."""

_OWN_PAGE: Final = b"\x1b[?1049h\x1b[?25l\x1b[2J"
"""Switch to the second page of the terminal, hide the cursor, wipe."""
_PAGE_BEFORE: Final = b"\x1b[0m\x1b[?25h\x1b[?1049l"


@contextmanager
def single_keys(terminal: int) -> Iterator[None]:
    """Hand over each key when it is pressed, unseen; Ctrl-C still interrupts.

    Ctrl-Z and Ctrl-S do nothing: both would stop the program while it holds the terminal. What the
    terminal was set to comes back at the end, whatever happens.

    Args:
        terminal: an open terminal to read from.
    """
    before = termios.tcgetattr(terminal)
    changed = termios.tcgetattr(terminal)
    changed[_INPUT_FLAGS] &= ~termios.IXON
    changed[_LOCAL_FLAGS] &= ~(termios.ECHO | termios.ICANON)
    letters = list(changed[_CONTROL_LETTERS])
    letters[termios.VMIN], letters[termios.VTIME] = 1, 0
    letters[termios.VSUSP] = b"\0"
    changed[_CONTROL_LETTERS] = letters
    try:
        termios.tcsetattr(terminal, termios.TCSADRAIN, changed)
        yield
    finally:
        with suppress(termios.error):  # a terminal that has gone
            termios.tcsetattr(terminal, termios.TCSADRAIN, before)


@contextmanager
def own_page(terminal: int) -> Iterator[None]:
    """Show a page of its own; what stood there before comes back at the end.

    Args:
        terminal: an open terminal to write to.
    """
    try:
        _write(terminal, _OWN_PAGE)
        yield
    finally:
        _write(terminal, _PAGE_BEFORE)


@contextmanager
def muted(file: int) -> Iterator[None]:
    """Let nothing through to a terminal: drivers write messages of their own across the picture.

    Args:
        file: what they write to; left alone if it is no terminal.
    """
    if not os.isatty(file):
        yield
        return
    kept, sink = os.dup(file), os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.dup2(sink, file)
        yield
    finally:
        os.dup2(kept, file)
        os.close(kept)
        os.close(sink)


def _write(terminal: int, data: bytes) -> None:
    with suppress(OSError):
        os.write(terminal, data)
