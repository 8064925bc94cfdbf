"""Keys of a terminal in the place of the three buttons."""

import os
import select
from collections.abc import Callable, Mapping
from typing import Final

from hardware.buttons import Button, ButtonEvent, PressKind
from hardware.errors import ButtonsError

KEYS: Final[Mapping[str, Button]] = {"s": Button.SCAN, "n": Button.NEXT, "o": Button.OK}
"""A small letter is a short press, its capital a long one."""
QUIT_KEYS: Final = frozenset("qQ\x04")
"""Also Ctrl-D."""

_MOST_AT_ONCE: Final = 256
_ESCAPE: Final = "\x1b"


class TerminalKeys:
    """Buttons that are pressed by typing; all other keys do nothing.

    Args:
        file: what is read from: a terminal that hands over single keys, or a pipe; None: nothing.
        end: called when the key for ending the program is pressed.
    """

    def __init__(self, file: int | None, end: Callable[[], None]) -> None:
        self._file = file
        self._end = end

    @property
    def files(self) -> tuple[int, ...]:
        """What to wait for."""
        return () if self._file is None else (self._file,)

    def poll(self, now_s: float) -> list[ButtonEvent]:
        """The keys that were pressed since the last call, each as a finished press."""
        events: list[ButtonEvent] = []
        for letter in self._letters():
            if letter in QUIT_KEYS:
                self._end()
            button = KEYS.get(letter.lower())
            if button is not None:
                events.append(ButtonEvent(button, "press", now_s))
                kind: PressKind = "long" if letter.isupper() else "short"
                events.append(ButtonEvent(button, kind, now_s))
        return events

    def close(self) -> None:
        """Read no more."""
        self._file = None

    def _letters(self) -> str:
        """What was typed; arrows and function keys, which send several letters, are left out."""
        if self._file is None:
            return ""
        try:
            ready, _w, _x = select.select([self._file], [], [], 0)
            if not ready:
                return ""
            typed = os.read(self._file, _MOST_AT_ONCE)
        except (OSError, ValueError) as error:
            self._file = None
            raise ButtonsError(
                "buttons-closed", "the terminal has gone: start the program again", "keys"
            ) from error
        if not typed:  # the end of a pipe: whoever typed has no more to say
            self._file = None
        text = typed.decode("utf-8", "replace")
        return "" if text.startswith(_ESCAPE) else text
