"""One line on a terminal that says how far a long command is."""

import sys

from rich.console import Console
from rich.live import Live
from rich.text import Text


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
