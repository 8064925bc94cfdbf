"""Files that describe an own print of the dice board: the numbers along its two edges.

    row_numbers = [1, 2, 3, 4, 3, 2, 1]
    column_numbers = [1, 2, 3, 4, 3, 2, 1]

The file is TOML; see docs/boards.md.
"""

import tomllib
from pathlib import Path
from typing import Any, Final

from msgspec import convert

from firmware.errors import UsageError, reason
from firmware.language import N_
from firmware.shapes import Shape, given
from scoring.games.dice_board import status
from scoring.games.dice_board.table import Board, Company, Table
from vision.regular_file import read_start

MAX_BYTES: Final = 64 * 1024
"""The usual board takes less than 100 bytes."""
_MAX_LINE: Final = 1000
"""Characters; what ``tomllib`` takes for a dotted key grows with the square of its length."""


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
    value = _toml(_text(_read(path), path), path)
    try:
        board = convert(given(value, _BoardShape, {}), Board)
    except UsageError as error:
        raise UsageError(error.code, error.message, _place(path, error.where)) from error
    _check_rules(board, path)
    return board


def _read(path: Path) -> bytes:
    try:
        data = read_start(path, MAX_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise UsageError(
            "board-missing", "there is no such file: check the path", str(path)
        ) from error
    except OSError as error:
        raise UsageError(
            "board-unreadable",
            "the file cannot be read ({why}): give a file that describes a board",
            str(path),
            why=reason(error),
        ) from error
    if len(data) > MAX_BYTES:
        raise UsageError(
            "board-unreadable",
            "this is more than {most} bytes: give a file that describes a board",
            str(path),
            most=MAX_BYTES,
        )
    return data


def _text(data: bytes, path: Path) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _not_toml(N_("this is not UTF-8 text: save it as UTF-8"), str(path)) from error
    for number, line in enumerate(text.split("\n"), start=1):
        if len(line) > _MAX_LINE:
            too_long = N_("the line has more than {most} characters: break it")
            raise _not_toml(too_long, f"{path}, line {number}", most=_MAX_LINE)
    return text


def _toml(text: str, path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        said, _at, place = str(error).removesuffix(")").rpartition(" (at ")
        where = f"{path}, {place}"
        raise _not_toml(N_("this is not TOML, {said}: correct it"), where, said=said) from error
    except ValueError as error:
        too_large = N_("a number in it is far too large: correct it")
        raise _not_toml(too_large, str(path)) from error
    except RecursionError as error:
        nested = N_("this is nested too deeply: give plain lists of numbers")
        raise _not_toml(nested, str(path)) from error


def _not_toml(template: str, where: str, **values: int | str) -> UsageError:
    return UsageError("board-not-toml", template, where, **values)


def _check_rules(board: Board, path: Path) -> None:
    """Name what is wrong with the board in its own file; the table would be blamed otherwise."""
    any_company = Company("P1", ())
    breaches = status(Table((any_company,), board))
    if breaches:
        first = breaches[0]
        raise UsageError(first.code, first.template, _place(path, first.where), **first.values)


def _place(path: Path, place: str) -> str:
    return str(path) if place == "$" else f"{path}, {place}"
