"""What lies on a grid as short labels in rows and columns, with what they mean."""

import textwrap
from typing import Final

from rich.console import Console
from rich.text import Text

from firmware.board_games.labels import label_of, owner_of
from firmware.board_games.scan import BoardScan
from firmware.games.dice_board.sentences import columns_title
from firmware.language import _
from firmware.text_layout import CHECK_STYLE
from scoring.faces import Cell, city_name
from vision.reading import GridReading

_NOTHING: Final = "-"
_UNSURE: Final = "?"
_FIGURE: Final = "!"
_EDGE: Final = 3
"""Columns for the number of a row."""
_MOST_LETTERS: Final = 6
"""Of a label that stands in the grid; longer names get a number."""


def print_grid_names(console: Console, index: int, grid: GridReading, scan: BoardScan) -> None:
    """A grid with ``?`` where it is not sure, ``!`` under figures, and what lies beside it.

    Args:
        console: where to print.
        index: of the grid in the reading.
        grid: the grid.
        scan: what it belongs to.
    """
    codes = _codes(grid, scan.reading.game)
    columns = range(len(grid.grid[0]))
    if _EDGE + len(columns) * _width(codes) > console.width:
        codes = _numbered(sorted(codes))
    per_part = max(1, (console.width - _EDGE) // _width(codes))
    console.print()
    if scan.naming.lettered:
        console.print(Text(city_name(index), style="bold"))
    for start in range(0, len(columns), per_part):
        part = columns[start : start + per_part]
        if len(part) < len(columns):
            console.print(Text(columns_title(part[0], part[-1]), style="bold"))
        _print_part(console, grid, part, codes)
    _print_beside(console, grid)
    _print_legend(console, grid, codes)


def _width(codes: dict[str, str]) -> int:
    """Columns that a cell takes: its code, a mark or two, a space."""
    return max(map(len, codes.values()), default=1) + 2


def _print_part(console: Console, grid: GridReading, columns: range, codes: dict[str, str]) -> None:
    width = _width(codes)
    edge = "".join(f"{column:<{width}}" for column in columns)
    console.print(Text(" " * _EDGE + edge.rstrip(), style="dim", no_wrap=True))
    for row, names in enumerate(grid.grid):
        line = Text(f"{row:>2} ", style="dim", no_wrap=True)
        for column in columns:
            name = names[column]
            marks = _marks(grid, (row, column))
            text = (_NOTHING if name is None else codes[name]) + marks
            line.append(f"{text:<{width}}", CHECK_STYLE if _UNSURE in marks else "not dim")
        line.rstrip()
        console.print(line)


def _marks(grid: GridReading, cell: Cell) -> str:
    has_figure = any(token.at == cell for token in grid.tokens)
    is_unsure = cell in grid.unsure or cell in grid.unsure_figures
    return (_FIGURE if has_figure else "") + (_UNSURE if is_unsure else "")


def _codes(grid: GridReading, game: str) -> dict[str, str]:
    """A short code for each name on the grid; numbers for those without a short label."""
    names = sorted({name for row in grid.grid for name in row if name is not None})
    codes = {}
    for number, name in enumerate(names, start=1):
        owner = owner_of(name, game)
        label = label_of(name, game).replace(" ", "")
        code = label if owner is None else f"{owner[0]}{label}"
        codes[name] = code if len(code) <= _MOST_LETTERS + 1 else str(number)
    return codes if len(set(codes.values())) == len(names) else _numbered(names)


def _numbered(names: list[str]) -> dict[str, str]:
    return {name: str(number) for number, name in enumerate(names, start=1)}


def _print_beside(console: Console, grid: GridReading) -> None:
    places: dict[str, list[str]] = {}
    for piece in grid.beside:
        mark = _UNSURE if piece.unsure else ""
        places.setdefault(piece.place, []).append(f"{piece.number}: {piece.face}{mark}")
    for name, number in grid.unsure_slots:
        places.setdefault(name, []).append(f"{number}: {_UNSURE}")
    for name, pieces in places.items():
        console.print(Text(f"{name}  {', '.join(pieces)}"))


def _print_legend(console: Console, grid: GridReading, codes: dict[str, str]) -> None:
    legend = [f"{code} {name}" for name, code in codes.items() if code != name]
    if any(None in row for row in grid.grid):
        legend.append(f"{_NOTHING} " + _("no tile"))
    if grid.tokens:
        legend.append(f"{_FIGURE} " + _("figure"))
    if grid.unsure or grid.unsure_figures:
        legend.append(f"{_UNSURE} " + _("unsure"))
    if not legend:
        return
    console.print()
    text = textwrap.fill(", ".join(legend), console.width)
    console.print(Text(text, style="dim"))
