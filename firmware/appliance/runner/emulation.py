"""The front of the scanner in a terminal: the picture of its display, keys in place of buttons."""

import io
import logging
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Final, TextIO

from firmware.appliance.runner.button_desk import ButtonDesk
from firmware.appliance.runner.glass import Glass
from firmware.appliance.runner.terminal_glass import SpokenGlass, TerminalGlass
from firmware.appliance.runner.terminal_keys import TerminalKeys
from firmware.appliance.runner.terminal_mode import muted, own_page, single_keys
from firmware.language import _

LISTEN_EVERY_S: Final = 0.5
"""Keys wake the loop by themselves; this is for a terminal that has gone."""

_STANDARD_ERROR: Final = 2


@dataclass(frozen=True, slots=True)
class Emulation:
    """What stands in for display and buttons.

    Attributes:
        glass: shows the screens.
        keys: the keys that are buttons.
        buttons: those keys.
        say: puts a line beneath the picture; None: there is no place for it.
    """

    glass: Glass
    keys: TerminalKeys
    buttons: ButtonDesk
    say: Callable[[str], None] | None


@contextmanager
def emulated(end: Callable[[], None]) -> Iterator[Emulation]:
    """Take standard input and output; a terminal is given back as it was.

    Without a terminal, the words of each screen are written a line each, and keys are read from
    whatever standard input is.

    Args:
        end: called when the program is to end: by the key for it, or because nobody looks.
    """
    source, out = _file_of(sys.stdin), sys.stdout
    with ExitStack() as stack:
        glass: TerminalGlass | SpokenGlass
        say = None
        if source is not None and os.isatty(source) and out.isatty():
            stack.enter_context(single_keys(source))
            stack.enter_context(own_page(out.fileno()))
            stack.enter_context(muted(_STANDARD_ERROR))
            glass = TerminalGlass(out, key_line(), end)
            say = glass.say
        else:
            glass = SpokenGlass(out, end)
        keys = TerminalKeys(source, end)
        yield Emulation(glass, keys, ButtonDesk(lambda: keys, poll_every_s=LISTEN_EVERY_S), say)


def key_line() -> str:
    """One line that says which key is which button."""
    return _("s SCAN   n NEXT   o OK   Shift: held   q quit")


@contextmanager
def logged_to(say: Callable[[str], None]) -> Iterator[None]:
    """Show the last line of the log, instead of writing it across the picture.

    Args:
        say: shows a line; may be called from any thread.
    """
    root = logging.getLogger()
    before = root.handlers[:]
    root.handlers = [_Teller(say)]
    try:
        yield
    finally:
        root.handlers = before


class _Teller(logging.Handler):
    def __init__(self, say: Callable[[str], None]) -> None:
        super().__init__()
        self._say = say

    def emit(self, record: logging.LogRecord) -> None:
        self._say(record.getMessage())


def _file_of(stream: TextIO | None) -> int | None:
    """The number of its file; None: it has none."""
    try:
        return None if stream is None else stream.fileno()
    except (io.UnsupportedOperation, ValueError):
        return None
