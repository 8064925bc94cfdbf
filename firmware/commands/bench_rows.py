"""How the figures of a bench are laid out for a terminal."""

from textwrap import fill

from rich.console import Console
from rich.table import Table as Rows
from rich.text import Text

NOTHING = "-"
_GAP = 2
_HEADING_WIDTH = 10
"""Of columns, unless the words of the heading are longer."""


class FigureRows:
    """Rows of figures: a table, or where that is too wide, a block of lines for each row."""

    def __init__(self, *labels: str) -> None:
        """Rows under these headings."""
        self.labels = labels
        self.rows: list[tuple[str, ...]] = []

    def add_row(self, *cells: str) -> None:
        """Add a row, what it is of first."""
        self.rows.append(cells)

    def show(self, console: Console) -> None:
        """Print all rows."""
        headings = [fill(label, _HEADING_WIDTH, break_long_words=False) for label in self.labels]
        columns = zip(*self.rows, strict=True)
        widths = (
            max(map(len, [*heading.splitlines(), *cells]))
            for heading, cells in zip(headings, columns, strict=True)
        )
        if sum(width + _GAP for width in widths) > console.width:
            self._show_blocks(console)
            return
        table = Rows(box=None, padding=(0, _GAP, 0, 0), header_style="bold")
        for number, heading in enumerate(headings):
            table.add_column(heading, justify="right" if number else "left", no_wrap=True)
        for row in self.rows:
            table.add_row(*row)
        console.print(table)

    def _show_blocks(self, console: Console) -> None:
        for name, *cells in self.rows:
            console.print(Text(name, style="bold"), soft_wrap=True)
            for label, cell in zip(self.labels[1:], cells, strict=True):
                console.print(Text(f"  {label}: {cell}"), soft_wrap=True)


def print_table(console: Console, heading: str, rows: FigureRows) -> None:
    """Print rows under a heading."""
    print_heading(console, heading, "bold")
    rows.show(console)


def print_heading(console: Console, heading: str, style: str) -> None:
    """Print a heading after an empty line."""
    console.print()
    console.print(Text(heading, style=style))


def print_line(console: Console, line: str) -> None:
    """Print a line, however long."""
    console.print(Text(line), soft_wrap=True)


def percent(value: float | None) -> str:
    """A share, 0 to 1, in percent."""
    return NOTHING if value is None else f"{100 * value:.2f} %"


def decimal(value: float | None, digits: int) -> str:
    """A number with so many digits after the point."""
    return NOTHING if value is None else f"{value:.{digits}f}"


def counted(count: int, thing: str) -> str:
    """So many things."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"
