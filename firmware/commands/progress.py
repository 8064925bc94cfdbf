"""One line on a terminal that says how far a long command is."""

import sys
from types import TracebackType

from rich.console import Console
from rich.text import Text


class Progress:
    """A line on standard error that is written over; nothing where that is no terminal."""

    def __init__(self) -> None:
        self._console = Console(file=sys.stderr, markup=False, emoji=False, highlight=False)
        self._shown = False

    def show(self, said: str) -> None:
        """Show how far it is."""
        if not self._console.is_terminal:
            return
        self._wipe()
        room = max(1, self._console.width - 1)
        self._console.print(Text(said[:room], style="dim"), end="", soft_wrap=True)
        self._shown = True

    def __enter__(self) -> "Progress":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._wipe()

    def _wipe(self) -> None:
        if self._shown:
            self._console.file.write("\r\x1b[2K")
            self._console.file.flush()
        self._shown = False
