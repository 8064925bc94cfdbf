"""Front of the scanner in a terminal: picture of the display, keys in place of buttons."""

import io
import logging
import os
import select
import sys
import termios
import tty
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from typing import Final, TextIO

from firmware.appliance.runner.screen_outputs import ScreenOutput
from firmware.base.errors import printable
from firmware.base.language import _
from firmware.base.terminal_picture import picture_lines
from firmware.screens.canvas import HEIGHT, WIDTH, Screen
from hardware.buttons import Button, ButtonAction, press_actions
from hardware.errors import ButtonsError

_ALTERNATE_SCREEN: Final = b"\x1b[?1049h\x1b[?25l\x1b[2J"
"""Escape codes: switch to the alternate screen, hide the cursor, clear."""
_NORMAL_SCREEN: Final = b"\x1b[0m\x1b[?25h\x1b[?1049l"


@contextmanager
def single_keys(terminal: int) -> Iterator[None]:
    """Read each key as it is pressed, without echo; Ctrl-C still interrupts.

    Ctrl-Z and Ctrl-S do nothing: both would stop the program while it holds the terminal. The
    settings of the terminal come back at the end, whatever happens.

    Args:
        terminal: File descriptor of an open terminal to read from.
    """
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal, termios.TCSADRAIN)
        changed = termios.tcgetattr(terminal)
        changed[tty.IFLAG] &= ~termios.IXON
        changed[tty.CC][termios.VSUSP] = b"\0"
        termios.tcsetattr(terminal, termios.TCSADRAIN, changed)
        yield
    finally:
        with suppress(termios.error):  # a terminal that has gone
            termios.tcsetattr(terminal, termios.TCSADRAIN, before)


@contextmanager
def alternate_screen(terminal: int) -> Iterator[None]:
    """Use the alternate screen of a terminal; the earlier content comes back at the end.

    Args:
        terminal: File descriptor of an open terminal to write to.
    """
    try:
        _write(terminal, _ALTERNATE_SCREEN)
        yield
    finally:
        _write(terminal, _NORMAL_SCREEN)


@contextmanager
def muted(file: int) -> Iterator[None]:
    """Discard what drivers write to a terminal, across the picture.

    Args:
        file: File descriptor that they write to; left alone if it is no terminal.
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


KEYS: Final[Mapping[str, Button]] = {"s": Button.SCAN, "n": Button.NEXT, "o": Button.OK}
"""Buttons by letter: a small letter is a short press, its capital a long one."""
QUIT_KEYS: Final = frozenset("qQ\x04")
"""Letters that end the program; Ctrl-D does, too."""

_MAX_AT_ONCE: Final = 256
_ESCAPE: Final = "\x1b"


class TerminalKeys:
    """Buttons that are pressed by typing; all other keys do nothing.

    Args:
        file: File descriptor of a terminal that gives single keys, or of a pipe; None for no keys.
        end: Function that is called when the key that ends the program is pressed.
    """

    def __init__(self, file: int | None, end: Callable[[], None]) -> None:
        self._file = file
        self._end = end

    @property
    def files(self) -> tuple[int, ...]:
        """File descriptors that wake the loop."""
        return () if self._file is None else (self._file,)

    def poll(self, now_s: float) -> list[ButtonAction]:
        """Return the keys since the last call, each as a finished press."""
        actions: list[ButtonAction] = []
        for letter in self._letters():
            if letter in QUIT_KEYS:
                self._end()
            button = KEYS.get(letter.lower())
            if button is not None:
                actions += press_actions(button, now_s, long=letter.isupper())
        return actions

    def close(self) -> None:
        """Stop reading."""
        self._file = None

    def _letters(self) -> str:
        """Return the typed letters without arrows and function keys, which send several."""
        if self._file is None:
            return ""
        try:
            ready, _w, _x = select.select([self._file], [], [], 0)
            if not ready:
                return ""
            typed = os.read(self._file, _MAX_AT_ONCE)
        except (OSError, ValueError) as error:
            self._file = None
            raise ButtonsError(
                "buttons-closed", "the terminal has gone: start the program again", "keys"
            ) from error
        if not typed:  # the end of a pipe
            self._file = None
        text = typed.decode("utf-8", "replace")
        return "" if text.startswith(_ESCAPE) else text


_ROWS_OF_BLOCKS: Final = HEIGHT // 2
_COLUMNS_OF_DOTS, _ROWS_OF_DOTS = WIDTH // 2, HEIGHT // 4
_MARGIN_ROWS: Final = 3
"""Rows under the picture: an empty one, the keys, the last line of the log."""

_IN_ASCII: Final = str.maketrans("\N{UPPER HALF BLOCK}\N{LOWER HALF BLOCK}\N{FULL BLOCK}", "'.:")
_SIZE_EVERY_S: Final = 1.0
"""Interval in seconds at which the size of the window is checked."""


class TerminalOutput(ScreenOutput):
    """Terminal that shows screens; only changed rows are sent.

    Args:
        out: Terminal.
        keys: Line with the key of each button.
        end: Function that is called when the terminal has gone.
    """

    def __init__(self, out: TextIO, keys: str, end: Callable[[], None]) -> None:
        self._file = out.fileno()
        self._encoding = out.encoding or "ascii"
        self._is_unicode = self._encoding.lower().replace("-", "") == "utf8"
        self._keys = keys
        self._end = end
        self._message = ""
        self._screen: Screen | None = None
        self._shown: list[str] = []
        self._size = (0, 0)
        self._next_look_s = float("-inf")

    def show(self, screen: Screen) -> None:
        """Draw a screen."""
        self._screen = screen
        self._draw()

    def show_line(self, line: str) -> None:
        """Show a line below the picture, such as the last one of the log."""
        self._message = printable(line)
        self._draw()

    def run_due(self, now_s: float) -> None:
        """Redraw when the window has another size."""
        if now_s < self._next_look_s:
            return
        self._next_look_s = now_s + _SIZE_EVERY_S
        if self._size_now() != self._size:
            self._draw()

    def next_due_s(self) -> float:
        """Return the time at which the size of the window is checked next."""
        return self._next_look_s

    def _size_now(self) -> tuple[int, int]:
        with suppress(OSError):
            columns, rows = os.get_terminal_size(self._file)
            if columns > 0 and rows > 0:
                return columns, rows
        return 80, 24

    def _draw(self) -> None:
        size = self._size_now()
        wipe = size != self._size
        if wipe:
            self._shown, self._size = [], size
        columns, rows = size
        lines = [line[:columns] for line in self._lines(columns, rows)][:rows]
        lines += [""] * (len(self._shown) - len(lines))
        changed = "".join(
            f"\x1b[{row};1H\x1b[2K{line}"
            for row, line in enumerate(lines, start=1)
            if row > len(self._shown) or self._shown[row - 1] != line
        )
        self._shown = lines
        self._send(("\x1b[2J" if wipe else "") + changed)

    def _lines(self, columns: int, rows: int) -> list[str]:
        picture = [] if self._screen is None else self._picture(self._screen, columns, rows)
        return [*picture, "", self._keys, self._message]

    def _picture(self, screen: Screen, columns: int, rows: int) -> list[str]:
        if columns >= WIDTH and rows >= _ROWS_OF_BLOCKS + _MARGIN_ROWS:
            lines = picture_lines(screen.image, WIDTH)
            return lines if self._is_unicode else [line.translate(_IN_ASCII) for line in lines]
        enough = columns >= _COLUMNS_OF_DOTS and rows >= _ROWS_OF_DOTS + _MARGIN_ROWS
        if enough and self._is_unicode:
            return picture_lines(screen.image, _COLUMNS_OF_DOTS)
        return words_of(screen)

    def _send(self, text: str) -> None:
        data = text.encode(self._encoding, "replace")
        try:
            while data:
                data = data[os.write(self._file, data) :]
        except OSError:
            self._end()


class TextOutput(ScreenOutput):
    """Text file or pipe that gets the words of each screen as one line.

    Args:
        out: File.
        end: Function that is called when nobody reads any more.
    """

    def __init__(self, out: TextIO, end: Callable[[], None]) -> None:
        self._out = out
        self._end = end
        self._last = ""

    def show(self, screen: Screen) -> None:
        """Write a line, unless it equals the one before."""
        line = " | ".join(words_of(screen))
        if line == self._last:
            return
        self._last = line
        try:
            print(line, file=self._out, flush=True)
        except (OSError, ValueError):
            self._end()


def words_of(screen: Screen) -> list[str]:
    """Return the texts of a screen, line by line as they stand on it."""
    rows: list[tuple[int, list[str]]] = []
    for text in screen.texts:
        middle = (text.box[1] + text.box[3]) // 2
        if rows and abs(rows[-1][0] - middle) <= _SAME_ROW_PX:
            rows[-1][1].append(text.whole)
        else:
            rows.append((middle, [text.whole]))
    return [printable(" ".join(words)) for _middle, words in rows]


_SAME_ROW_PX: Final = 4
"""Largest distance in pixels between the middles of texts in one row."""


LISTEN_EVERY_S: Final = 0.5
"""Interval of polling in seconds; keys wake the loop, this notices a terminal that has gone."""

_STANDARD_ERROR: Final = 2


@contextmanager
def emulated_front(
    end: Callable[[], None],
) -> Iterator[tuple[TerminalOutput | TextOutput, TerminalKeys]]:
    """Use standard input and output as buttons and display; restore the terminal at the end.

    Without a terminal, the words of each screen are written a line each, and keys are read from
    whatever standard input is.

    Args:
        end: Function that is called when the program is to end, by a key or because nobody reads.
    """
    source, out = _file_descriptor(sys.stdin), sys.stdout
    with ExitStack() as stack:
        output: TerminalOutput | TextOutput
        if source is not None and os.isatty(source) and out.isatty():
            stack.enter_context(single_keys(source))
            stack.enter_context(alternate_screen(out.fileno()))
            stack.enter_context(muted(_STANDARD_ERROR))
            output = TerminalOutput(out, key_line(), end)
        else:
            output = TextOutput(out, end)
        yield output, TerminalKeys(source, end)


def key_line() -> str:
    """Return the line with the key of each button."""
    return _("s SCAN   n NEXT   o OK   Shift: held   q quit")


@contextmanager
def logged_to(show_line: Callable[[str], None]) -> Iterator[None]:
    """Show the last line of the log, instead of writing it across the picture.

    Args:
        show_line: Function that shows a line; any thread calls it.
    """
    root = logging.getLogger()
    before = root.handlers[:]
    root.handlers = [_LineHandler(show_line)]
    try:
        yield
    finally:
        root.handlers = before


class _LineHandler(logging.Handler):
    def __init__(self, show_line: Callable[[str], None]) -> None:
        super().__init__()
        self._show_line = show_line

    def emit(self, record: logging.LogRecord) -> None:
        self._show_line(record.getMessage())


def _file_descriptor(stream: TextIO | None) -> int | None:
    try:
        return None if stream is None else stream.fileno()
    except (io.UnsupportedOperation, ValueError):
        return None
