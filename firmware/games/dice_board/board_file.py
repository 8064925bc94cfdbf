"""Files that describe an own print of the dice board: the numbers along its two edges.

    row_numbers = [1, 2, 3, 4, 3, 2, 1]
    column_numbers = [1, 2, 3, 4, 3, 2, 1]

The file is TOML; see docs/other-games.md.
"""

from pathlib import Path

from msgspec import convert

from firmware.base.checked_input import (
    Shape,
    check_shape,
    decode_text,
    parse_toml_text,
    read_toml_file,
)
from firmware.base.errors import UsageError, system_reason
from scoring.games.dice_board import list_breaches
from scoring.games.dice_board.table import Board, Company, Table
from vision.message import Message


class _BoardShape(Shape, frozen=True):
    row_numbers: tuple[int, ...]
    column_numbers: tuple[int, ...]


def load_board(path: Path) -> Board:
    """Read the description of a board.

    Raises:
        UsageError: ``board-missing``, ``board-unreadable``, ``board-not-toml``, ``wrong-type``,
            ``missing-key`` or ``unknown-key``, or the rules allow no such board:
            ``line-count`` or ``edge-number``. ``where`` is the file and the place in it.
    """
    try:
        text = decode_text("board-not-toml", read_toml_file("board-unreadable", path))
        value = parse_toml_text("board-not-toml", text)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise UsageError(
            "board-missing", "there is no such file: check the path", str(path)
        ) from error
    except OSError as error:
        raise UsageError(
            "board-unreadable",
            "the file cannot be read ({why}): give a file that describes a board",
            str(path),
            why=system_reason(error),
        ) from error
    except UsageError as error:
        message = Message("{what}: correct it", what=error.message)
        raise UsageError(error.code, message, _place(path, error.where)) from error
    try:
        board = convert(check_shape(value, _BoardShape, {}), Board)
    except UsageError as error:
        raise UsageError(error.code, error.message, _place(path, error.where)) from error
    _check_rules(board, path)
    return board


def _check_rules(board: Board, path: Path) -> None:
    """Refuse a board that breaks the rules, with the place in its own file, not in the table."""
    any_company = Company("P1", ())
    breaches = list_breaches(Table((any_company,), board))
    if breaches:
        first = breaches[0]
        raise UsageError(first.code, first.template, _place(path, first.where), **first.values)


def _place(path: Path, place: str) -> str:
    return str(path) if place in ("", "$") else f"{path}, {place}"
