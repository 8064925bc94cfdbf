"""``stadtblick score``: tables as JSON to score sheets."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from io import BytesIO
from pathlib import Path
from typing import IO, Any

from firmware.boards import load_board
from firmware.errors import ExitCode, UsageError, error_object
from firmware.table_input import MAX_BYTES, Defaults, GivenTable, parse_table
from firmware.terminal import printing, write_json
from scoring.errors import ScoringError
from scoring.games import dice_board, find_game

STANDARD_INPUT = "-"


def run(
    file: str = STANDARD_INPUT,
    *,
    lenient: bool = False,
    board: Path | None = None,
    as_json: bool = False,
    as_jsonl: bool = False,
    reasons: bool = False,
) -> ExitCode:
    """Score a table, or with ``as_jsonl`` one table a line.

    Args:
        file: path, or ``-`` for standard input.
        lenient: score incomplete cities, too.
        board: file with the numbers along the edges of the dice board, for tables without them.
        as_json: print JSON instead of text.
        as_jsonl: read and print JSON lines.
        reasons: also print why each point is given.

    Raises:
        UsageError: the file cannot be read, or is not the JSON of a table.
        ScoringError: the rules do not allow the table.
    """
    defaults: Defaults = {} if board is None else {dice_board.NAME: _numbers(board)}
    where = "standard input" if file == STANDARD_INPUT else file
    with _opened(file) as stream:
        if as_jsonl:
            return _score_lines(_lines(stream, file), where, defaults, lenient=lenient)
        with _readable(file):
            data = stream.read(MAX_BYTES + 1)
    given, sheet = _scored(data, where, defaults, lenient=lenient)
    if as_json:
        write_json(given.form.sheet_json(sheet))
    else:
        with printing() as console:
            given.form.print_sheet(console, sheet, given.table, reasons=reasons)
    return _exit_code(sheet)


def _numbers(file: Path) -> dict[str, object]:
    board = load_board(file)
    return {
        "row_numbers": list(board.row_numbers),
        "column_numbers": list(board.column_numbers),
    }


def _scored(
    data: bytes, where: str, defaults: Defaults, *, lenient: bool
) -> tuple[GivenTable, Any]:
    given = parse_table(data, where, defaults)
    return given, find_game(given.form.NAME).score(given.table, lenient=lenient)


def _exit_code(sheet: Any) -> ExitCode:
    return ExitCode.NEEDS_A_PERSON if sheet.missing else ExitCode.DONE


def _score_lines(
    lines: Iterable[bytes], where: str, defaults: Defaults, *, lenient: bool
) -> ExitCode:
    worst = ExitCode.DONE
    for number, line in enumerate(lines, start=1):
        place = f"{where}, line {number}"
        try:
            _check_length(line, place)
            given, sheet = _scored(line, place, defaults, lenient=lenient)
        except (UsageError, ScoringError) as error:
            worst = ExitCode.REFUSED
            write_json(error_object(error), indent=None)
        else:
            worst = max(worst, _exit_code(sheet))
            write_json(given.form.sheet_json(sheet), indent=None)
    return worst


def _check_length(line: bytes, place: str) -> None:
    if len(line) > MAX_BYTES:
        raise UsageError(
            "table-too-big",
            f"this is more than {MAX_BYTES} bytes, and nothing after it was read: "
            "give one table a line",
            place,
        )


def _lines(stream: IO[bytes], file: str) -> Iterator[bytes]:
    """Lines without their ends, up to the first one of more than ``MAX_BYTES``.

    Only the start of that one is given: it may be endless, and what follows may be its rest.
    """
    with _readable(file):
        while line := stream.readline(MAX_BYTES + len(b"\r\n")):
            text = line.rstrip(b"\r\n")
            yield text
            if len(text) > MAX_BYTES:
                return


@contextmanager
def _opened(file: str) -> Iterator[IO[bytes]]:
    if file == STANDARD_INPUT:
        # Python has no sys.stdin where the shell closed it
        yield BytesIO() if sys.stdin is None else sys.stdin.buffer
        return
    with ExitStack() as closing:
        with _readable(file):
            stream = closing.enter_context(Path(file).open("rb"))
        yield stream


@contextmanager
def _readable(file: str) -> Iterator[None]:
    """Turn what goes wrong with the file into one clear error."""
    try:
        yield
    except (FileNotFoundError, NotADirectoryError) as error:
        raise UsageError("table-missing", "there is no such file: check the path", file) from error
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise UsageError(
            "table-unreadable", f"the file cannot be read ({why}): give a file with a table", file
        ) from error
