"""The command line: ``stadtblick COMMAND …``.

What a command needs is imported when it runs, so that help and errors come at once on a slow
computer.
"""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from firmware.corrections import parse_correction
from firmware.errors import (
    ExitCode,
    FirmwareError,
    Refusal,
    UsageError,
    error_line,
    error_object,
    printable,
)
from scoring.errors import ScoringError
from scoring.games import GAMES, between_two_cities
from scoring.table import Variant
from vision.errors import VisionError

if TYPE_CHECKING:
    from firmware.scan import Eye

PROGRAM = "stadtblick"

_DESCRIPTION = "Photograph a finished city-building board game and get its score sheet."
_EPILOG = """\
examples:
  stadtblick demo                            see it work on a bundled photo
  stadtblick scan table.jpg                  a photo to a score sheet
  stadtblick scan table.jpg --set A:2,3=park the same with a tile put right
  stadtblick COMMAND --help                  all about one command

exit codes: 0 done, 1 done but a person has to look at something, 2 the input cannot be used,
3 a device is missing or broken
"""
_SCAN_EPILOG = """\
examples:
  stadtblick scan table.jpg
  stadtblick scan table.jpg --set A:2,3=park --set B:0,0=tavern-music
  stadtblick scan table.jpg --players Red,Green,Blue --reasons
  stadtblick scan table.jpg --out result     annotated photo and screens, too

Cities are called A, B, C, … clockwise, beginning at 6 o'clock; rows and columns count from 0 at
the top left of a city as it is read upright.
"""
_READ_EPILOG = """\
examples:
  stadtblick read table.jpg
  stadtblick read --jsonl photos/*.jpg > readings.jsonl
"""
_SCORE_EPILOG = """\
examples:
  stadtblick score table.json
  stadtblick read --json table.jpg | jq .table | stadtblick score --lenient
"""


def main(argv: Sequence[str] | None = None, *, eye: "Eye | None" = None) -> int:
    """Run the command line.

    Args:
        argv: arguments without the name of the program; None: those of the process.
        eye: what reads photos; None: the real eye.

    Returns:
        The exit code, see ``ExitCode``.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    _prepare_streams()
    report = partial(_report, as_json=any(flag in arguments for flag in ("--json", "--jsonl")))
    try:
        code = _run(arguments, report, eye)
    except (FirmwareError, VisionError, ScoringError) as error:
        report(error)
        code = ExitCode.REFUSED
    except KeyboardInterrupt:
        code = ExitCode.INTERRUPTED
    except BrokenPipeError:
        code = ExitCode.BROKEN_PIPE
    return int(code)


def _run(arguments: list[str], report: "partial[None]", eye: "Eye | None") -> ExitCode:
    try:
        options = _parser().parse_args(arguments)
    except SystemExit as done:  # --help and --version
        return ExitCode.DONE if not done.code else ExitCode.REFUSED
    match options.command:
        case "scan":
            return _scan(options, eye)
        case "read":
            return _read(options, report, eye)
        case "score":
            return _score(options)
        case "demo":
            return _demo(options, eye)
    raise UsageError("usage", f"no command given: see {PROGRAM} --help", "command line")


def _scan(options: argparse.Namespace, eye: "Eye | None") -> ExitCode:
    corrections = tuple(parse_correction(text) for text in options.corrections)
    players = None
    if options.players is not None:
        players = tuple(name.strip() for name in options.players.split(","))

    from firmware.commands import scan

    return scan.run(
        options.photo,
        variant=Variant(options.variant),
        edition=options.edition,
        corrections=corrections,
        players=players,
        out=options.out,
        as_json=options.json,
        reasons=options.reasons,
        eye=eye,
    )


def _read(options: argparse.Namespace, report: "partial[None]", eye: "Eye | None") -> ExitCode:
    if options.json and len(options.photos) > 1:
        raise UsageError(
            "usage", "--json is for one photo: use --jsonl for several", "command line"
        )

    from firmware.commands import read

    return read.run(
        options.photos,
        report=report,
        edition=options.edition,
        as_json=options.json,
        as_jsonl=options.jsonl,
        eye=eye,
    )


def _score(options: argparse.Namespace) -> ExitCode:
    from firmware.commands import score

    return score.run(
        options.file,
        lenient=options.lenient,
        as_json=options.json,
        as_jsonl=options.jsonl,
        reasons=options.reasons,
    )


def _demo(options: argparse.Namespace, eye: "Eye | None") -> ExitCode:
    from firmware.commands import demo

    return demo.run(out=options.out, eye=eye)


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are raised like all others, to be shown in one line or as JSON."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(
            allow_abbrev=False,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            **settings,
        )

    def error(self, message: str) -> NoReturn:
        raise UsageError("usage", f"{message}: see {self.prog} --help", "command line")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog=PROGRAM, description=_DESCRIPTION, epilog=_EPILOG)
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {version(PROGRAM)}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")

    def command(name: str, what: str, epilog: str = "") -> argparse.ArgumentParser:
        description = f"{what[0].upper()}{what[1:]}."
        return commands.add_parser(name, help=what, description=description, epilog=epilog)

    scan = command("scan", "read a photo and print its score sheet", _SCAN_EPILOG)
    scan.add_argument("photo", metavar="PHOTO", help="JPEG or PNG of the whole table")
    _add_reading_options(scan)
    scan.add_argument(
        "--variant",
        choices=[variant.value for variant in Variant],
        default=Variant.STANDARD.value,
        help="how the players share the cities (default: %(default)s)",
    )
    scan.add_argument(
        "--set",
        dest="corrections",
        metavar="CITY:ROW,COL=FACE",
        action="append",
        default=[],
        help="correct a tile, like A:2,3=park; 'none': no tile there; may be repeated",
    )
    scan.add_argument("--players", metavar="NAME,NAME,...", help="names, clockwise by seat")
    scan.add_argument("--out", metavar="DIR", type=Path, help="write photo, screens and JSON there")
    _add_output_options(scan)

    read = command("read", "read photos and print what lies where", _READ_EPILOG)
    read.add_argument("photos", metavar="PHOTO", nargs="+", help="JPEG or PNG")
    _add_reading_options(read)
    output = read.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="print the reading as JSON")
    output.add_argument("--jsonl", action="store_true", help="print one line of JSON a photo")

    score = command("score", "score a table given as JSON", _SCORE_EPILOG)
    score.add_argument(
        "file", metavar="FILE", nargs="?", default="-", help="default: standard input"
    )
    score.add_argument("--lenient", action="store_true", help="score incomplete cities, too")
    _add_output_options(score, with_lines=True)

    demo = command("demo", "scan a bundled photo and show what the display would show")
    demo.add_argument(
        "--out", metavar="DIR", type=Path, help="folder for the pictures (default: a new one here)"
    )
    return parser


def _add_reading_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--game",
        choices=list(GAMES),
        default=between_two_cities.NAME,
        help="the game on the table (default: %(default)s)",
    )
    parser.add_argument(
        "--level",
        type=int,
        choices=(1, 2, 3),
        default=1,
        help="of games that have levels (default: %(default)s)",
    )
    parser.add_argument("--edition", metavar="NAME", help="whose look the tiles have")


def _add_output_options(parser: argparse.ArgumentParser, *, with_lines: bool = False) -> None:
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="print the sheet as JSON")
    if with_lines:
        output.add_argument(
            "--jsonl", action="store_true", help="one table a line in, one sheet a line out"
        )
    parser.add_argument("--reasons", action="store_true", help="print why each point is given")


def _report(error: Refusal, *, as_json: bool) -> None:
    """Show an error on standard error."""
    if as_json:
        print(json.dumps(error_object(error)), file=sys.stderr)
    else:
        print(printable(f"{PROGRAM}: {error_line(error)}"), file=sys.stderr)


def _prepare_streams() -> None:
    """Give closed streams a sink, and let the others escape what their encoding lacks."""
    sink = partial(open, os.devnull, "w", encoding="utf-8")
    sys.stdout = sys.stdout or sink()
    sys.stderr = sys.stderr or sink()
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


if __name__ == "__main__":
    sys.exit(main())
