"""The display in a terminal: a picture made of characters, or the words of the screen."""

import os
from collections.abc import Callable
from contextlib import suppress
from typing import Final, TextIO

from firmware.errors import printable
from firmware.screens.canvas import HEIGHT, WIDTH, Screen
from firmware.settings import DisplaySettings
from firmware.terminal_picture import picture_lines

_ROWS_OF_BLOCKS: Final = HEIGHT // 2
_COLUMNS_OF_DOTS, _ROWS_OF_DOTS = WIDTH // 2, HEIGHT // 4
_MARGIN_ROWS: Final = 3
"""Under the picture: an empty row, the keys, what happened last."""

_IN_ASCII: Final = str.maketrans("\N{UPPER HALF BLOCK}\N{LOWER HALF BLOCK}\N{FULL BLOCK}", "'.:")
_LOOK_AT_SIZE_EVERY_S: Final = 1.0


class TerminalGlass:
    """Draws screens on a terminal; only what has changed is sent.

    Args:
        out: the terminal.
        keys: one line that says which key is which button.
        end: called when the terminal has gone.
    """

    def __init__(self, out: TextIO, keys: str, end: Callable[[], None]) -> None:
        self._file = out.fileno()
        self._encoding = out.encoding or "ascii"
        self._is_unicode = self._encoding.lower().replace("-", "") == "utf8"
        self._keys = keys
        self._end = end
        self._said = ""
        self._screen: Screen | None = None
        self._shown: list[str] = []
        self._size = (0, 0)
        self._next_look_s = float("-inf")

    def show(self, screen: Screen) -> None:
        """Draw a screen."""
        self._screen = screen
        self._draw()

    def say(self, line: str) -> None:
        """Put a line beneath the picture, such as the last of the log."""
        self._said = printable(line)
        self._draw()

    def dim(self, *, dimmed: bool) -> None:
        """Nothing: a terminal does not wear out."""

    def use(self, settings: DisplaySettings) -> None:
        """Nothing: none of them is about terminals."""

    def turn(self, now_s: float) -> None:
        """Draw anew when the window has another size."""
        if now_s < self._next_look_s:
            return
        self._next_look_s = now_s + _LOOK_AT_SIZE_EVERY_S
        if self._window() != self._size:
            self._draw()

    def next_turn_s(self) -> float:
        """When to look at the size of the window again."""
        return self._next_look_s

    def close(self) -> None:
        """Nothing: the page goes with the terminal mode."""

    def _window(self) -> tuple[int, int]:
        """Columns and rows."""
        with suppress(OSError):
            columns, rows = os.get_terminal_size(self._file)
            if columns > 0 and rows > 0:
                return columns, rows
        return 80, 24

    def _draw(self) -> None:
        size = self._window()
        wipe = size != self._size
        if wipe:
            self._shown, self._size = [], size
        columns, rows = size
        lines = [line[:columns] for line in self._page(columns, rows)][:rows]
        lines += [""] * (len(self._shown) - len(lines))
        changed = "".join(
            f"\x1b[{row};1H\x1b[2K{line}"
            for row, line in enumerate(lines, start=1)
            if row > len(self._shown) or self._shown[row - 1] != line
        )
        self._shown = lines
        self._send(("\x1b[2J" if wipe else "") + changed)

    def _page(self, columns: int, rows: int) -> list[str]:
        page = [] if self._screen is None else self._picture(self._screen, columns, rows)
        return [*page, "", self._keys, self._said]

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


class SpokenGlass:
    """Writes the words of each screen as one line, for a program or a file that reads them.

    Args:
        out: where to.
        end: called when nobody reads any more.
    """

    def __init__(self, out: TextIO, end: Callable[[], None]) -> None:
        self._out = out
        self._end = end
        self._last = ""

    def show(self, screen: Screen) -> None:
        """Write a line, unless it is the one before."""
        line = " | ".join(words_of(screen))
        if line == self._last:
            return
        self._last = line
        try:
            print(line, file=self._out, flush=True)
        except (OSError, ValueError):
            self._end()

    def dim(self, *, dimmed: bool) -> None:
        """Nothing: words are not lit."""

    def use(self, settings: DisplaySettings) -> None:
        """Nothing: none of them is about words."""

    def turn(self, now_s: float) -> None:
        """Nothing is ever due."""

    def next_turn_s(self) -> float:
        """Never."""
        return float("inf")

    def close(self) -> None:
        """Nothing to let go of."""


def words_of(screen: Screen) -> list[str]:
    """The texts of a screen, line by line as they stand on it."""
    rows: list[tuple[int, list[str]]] = []
    for text in screen.texts:
        middle = (text.box[1] + text.box[3]) // 2
        if rows and abs(rows[-1][0] - middle) <= _SAME_ROW_PX:
            rows[-1][1].append(text.whole)
        else:
            rows.append((middle, [text.whole]))
    return [printable(" ".join(words)) for _middle, words in rows]


_SAME_ROW_PX: Final = 4
