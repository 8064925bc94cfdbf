"""``stadtblick score``: score sheets of tables given as JSON."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from io import BytesIO
from pathlib import Path
from typing import IO, Any, Final

from firmware.base.checked_input import join_places
from firmware.base.errors import ExitCode, UsageError, system_reason
from firmware.base.language import N_, _
from firmware.commands.options import add_output_options, added_by_better, check_better
from firmware.games.game import Game
from firmware.games.registry import games
from firmware.scan.table_input import MAX_TABLE_BYTES, Defaults, parse_table
from firmware.wording.problem_text import problem_json
from scoring.errors import ScoringError

EPILOG: Final = N_("""\
examples:
  stadtblick score table.json
  stadtblick score --jsonl < tables.jsonl > sheets.jsonl

A table does not say what was unsure: for the score of a photo use stadtblick scan, which says
what may be wrong.
""")
STANDARD_INPUT: Final = "-"


def add_to(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "file",
        metavar=_("FILE"),
        nargs="?",
        default=STANDARD_INPUT,
        help=_("default: standard input"),
    )
    parser.add_argument("--lenient", action="store_true", help=_("score incomplete cities, too"))
    parser.add_argument(
        "--board",
        metavar=_("FILE"),
        type=Path,
        help=_("dice board: numbers along the edges of an own print, see docs/other-games.md"),
    )
    add_output_options(parser, lines=_("one table a line in, one sheet a line out"))


def run(options: argparse.Namespace) -> ExitCode:
    """Score a table, or with ``--jsonl`` one table a line."""
    from firmware.base.terminal import standard_output, write_json

    defaults = {name: game.table_defaults(options.board) for name, game in games().items()}
    where = _("standard input") if options.file == STANDARD_INPUT else options.file
    worst = ExitCode.DONE
    with _open_input(options.file) as stream:
        if not options.jsonl:
            with _file_errors(options.file):
                data = stream.read(MAX_TABLE_BYTES + 1)
            game, table, sheet = _score(data, where, defaults, options)
            if options.json:
                write_json(game.sheet_json(sheet) | added_by_better(options, game, table))
            else:
                with standard_output() as console:
                    game.print_score_sheet(console, sheet, table, None, reasons=options.reasons)
                    if options.better:
                        game.print_better(console, table)
            return _exit_code(sheet)
        for number, line in enumerate(_lines(stream, options.file), start=1):
            at = _("{file}, line {number}").format(file=where, number=number)
            try:
                _check_length(line, at)
                game, table, sheet = _score(line, at, defaults, options)
            except (UsageError, ScoringError) as error:
                worst = ExitCode.REFUSED
                write_json(problem_json(error), indent=None)
            else:
                worst = max(worst, _exit_code(sheet))
                content = game.sheet_json(sheet) | added_by_better(options, game, table)
                write_json(content, indent=None)
    return worst


def _score(
    data: bytes, where: str, defaults: Defaults, options: argparse.Namespace
) -> tuple[Game, Any, Any]:
    """Parse and score a table; return its game, the table and the sheet."""
    try:
        game, table = parse_table(data, where, defaults)
    except UsageError as error:
        if options.json or options.jsonl or not error.where.startswith("$"):
            raise
        raise UsageError(error.code, error.message, join_places(where, error.where)) from error
    check_better(options, game)
    return game, table, game.rules.score(table, lenient=options.lenient)


def _exit_code(sheet: Any) -> ExitCode:
    return ExitCode.NEEDS_A_PERSON if sheet.missing else ExitCode.DONE


def _check_length(line: bytes, at: str) -> None:
    if len(line) > MAX_TABLE_BYTES:
        raise UsageError(
            "table-too-big",
            "this is more than {bytes} bytes, and nothing after it was read: give one table a line",
            at,
            bytes=MAX_TABLE_BYTES,
        )


def _lines(stream: IO[bytes], file: str) -> Iterator[bytes]:
    """Yield lines without their ends, up to the first one of more than ``MAX_TABLE_BYTES``.

    Of that one only the start is read, as it may be endless; nothing is read after it.
    """
    with _file_errors(file):
        while line := stream.readline(MAX_TABLE_BYTES + len(b"\r\n")):
            text = line.rstrip(b"\r\n")
            yield text
            if len(text) > MAX_TABLE_BYTES:
                return


@contextmanager
def _open_input(file: str) -> Iterator[IO[bytes]]:
    if file == STANDARD_INPUT:
        # Python has no sys.stdin where the shell closed it
        yield BytesIO() if sys.stdin is None else sys.stdin.buffer
        return
    with ExitStack() as closing:
        with _file_errors(file):
            stream = closing.enter_context(Path(file).open("rb"))
        yield stream


@contextmanager
def _file_errors(file: str) -> Iterator[None]:
    """Raise errors of the system about a file as a ``UsageError``."""
    try:
        yield
    except (FileNotFoundError, NotADirectoryError) as error:
        raise UsageError("table-missing", "there is no such file: check the path", file) from error
    except OSError as error:
        raise UsageError(
            "table-unreadable",
            "the file cannot be read ({why}): give a file with a table",
            file,
            why=system_reason(error),
        ) from error
