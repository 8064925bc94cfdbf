"""The arguments of the command line."""

import argparse
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, NoReturn, Protocol

from firmware.commands import (
    bench_arguments,
    calibrate_arguments,
    doctor_arguments,
    editions_arguments,
    history_arguments,
    print_arguments,
    run_arguments,
    simulate_arguments,
    teach_arguments,
)
from firmware.errors import PROGRAM, ExitCode, UsageError
from firmware.language import LANGUAGES
from scoring.games.between_two_cities.table import Variant

_DESCRIPTION = "Photograph a finished city-building board game and get its score sheet."
_EPILOG = """\
examples:
  stadtblick demo                            see it work on a bundled photo
  stadtblick scan table.jpg                  a photo to a score sheet
  stadtblick scan table.jpg --set A:2,3=park the same with a tile put right
  stadtblick COMMAND --help                  all about one command

exit codes: 0 done, 1 done but a person has to look at something, 2 the input cannot be used,
3 a device is missing or broken, 70 Stadtblick itself failed
"""
_SCAN_EPILOG = """\
examples:
  stadtblick scan table.jpg
  stadtblick scan table.jpg --set A:2,3=park --set B:0,0=tavern-music
  stadtblick scan table.jpg --players Red,Green,Blue --reasons
  stadtblick scan table.jpg --variant two-player --owners 0,1,1,0
  stadtblick scan table.jpg --out result     annotated photo and screens, too
  stadtblick scan cities.jpg --game cities --level 2 --set A:2,3=park --set A:tourist:2,3=no
  stadtblick scan board.jpg --game city-blocks --set 2,3=blue-house-3 --set row:2=value-7
  stadtblick scan board.jpg --game dice-board --set 4,7=none

Cities are called A, B, C, … clockwise, beginning at 6 o'clock; rows and columns count from 0 at
the top left of a city or board as it is read upright. Without --game, an edition that is named
says which game it is.
"""
_READ_EPILOG = """\
examples:
  stadtblick read table.jpg
  stadtblick read --jsonl photos/*.jpg > readings.jsonl
"""
_SCORE_EPILOG = """\
examples:
  stadtblick score table.json
  stadtblick score --jsonl < tables.jsonl > sheets.jsonl

A table knows nothing of the doubts of the eye: for the score of a photo use stadtblick scan,
which says what may be wrong.
"""


class _CommandModule(Protocol):
    """What the module of a command offers that brings its own arguments."""

    HELP: str
    EPILOG: str

    def add_to(self, parser: argparse.ArgumentParser) -> None:
        """Add the arguments of the command."""
        ...

    def run(self, options: argparse.Namespace) -> ExitCode:
        """Run the command."""
        ...


_MODULES: Final[Mapping[str, _CommandModule]] = {
    "run": run_arguments,
    "teach": teach_arguments,
    "editions": editions_arguments,
    "calibrate": calibrate_arguments,
    "print": print_arguments,
    "simulate": simulate_arguments,
    "bench": bench_arguments,
    "history": history_arguments,
    "doctor": doctor_arguments,
}


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


def command_parser() -> argparse.ArgumentParser:
    """A parser of all commands; it raises ``UsageError`` for what it does not understand."""
    parser = _Parser(prog=PROGRAM, description=_DESCRIPTION, epilog=_EPILOG)
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {version(PROGRAM)}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")

    def command(name: str, what: str, epilog: str = "") -> argparse.ArgumentParser:
        description = f"{what[0].upper()}{what[1:]}."
        added = commands.add_parser(name, help=what, description=description, epilog=epilog)
        added.add_argument(
            "--lang",
            choices=LANGUAGES,
            help="language of the result (default: that of the settings)",
        )
        return added

    scan = command("scan", "read a photo and print its score sheet", _SCAN_EPILOG)
    scan.add_argument("photo", metavar="PHOTO", help="JPEG or PNG of the whole table")
    _add_reading_options(scan)
    scan.add_argument(
        "--set",
        dest="corrections",
        metavar="CITY:ROW,COL=FACE",
        action="append",
        default=[],
        help="correct a tile, like A:2,3=park; 'none': no tile there; may be repeated; "
        "A:tourist:2,3=yes or =no: a figure; row:2=value-7, blue:0=none: a piece beside a board",
    )
    scan.add_argument(
        "--owners",
        metavar="P,P,P,P",
        help="two players: who owns cities A, B, C and D, 0 or 1 each, like 0,1,1,0",
    )
    scan.add_argument(
        "--players",
        metavar="NAME,NAME,...",
        help="names, clockwise by seat; in other games in the order of the cities or colours",
    )
    scan.add_argument("--out", metavar="DIR", type=Path, help="write photo, screens and JSON there")
    _add_output_options(scan)

    read = command("read", "read photos and print what lies where", _READ_EPILOG)
    read.add_argument("photos", metavar="PHOTO", nargs="+", help="JPEG or PNG")
    _add_reading_options(read)
    read.add_argument(
        "--duplexes",
        action=argparse.BooleanOptionalAction,
        help="Between Two Cities: say which tiles are duplex tiles, where that can be seen; "
        "default: with the usual look of the tiles",
    )
    output = read.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="print the reading as JSON")
    output.add_argument("--jsonl", action="store_true", help="print one line of JSON a photo")

    score = command("score", "score a table given as JSON", _SCORE_EPILOG)
    score.add_argument(
        "file", metavar="FILE", nargs="?", default="-", help="default: standard input"
    )
    score.add_argument("--lenient", action="store_true", help="score incomplete cities, too")
    score.add_argument(
        "--board",
        metavar="FILE",
        type=Path,
        help="dice board: numbers along the edges of an own print, see docs/boards.md",
    )
    _add_output_options(score, with_lines=True)

    demo = command("demo", "scan a bundled photo and show what the display would show")
    demo.add_argument(
        "--out", metavar="DIR", type=Path, help="folder for the pictures (default: a new one here)"
    )
    for name, module in _MODULES.items():
        added = command(name, module.HELP, module.EPILOG)
        module.add_to(added)
        added.set_defaults(run=module.run)
    return parser


def _add_reading_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--game",
        metavar="GAME",
        help="the game on the table (default: that of the edition, or of the settings)",
    )
    parser.add_argument(
        "--level",
        metavar="N",
        type=int,
        help="of games that have levels (default: that of the settings)",
    )
    parser.add_argument(
        "--variant",
        choices=[variant.value for variant in Variant],
        help="how the players share the cities (default: as in the settings)",
    )
    parser.add_argument(
        "--edition",
        metavar="NAME",
        help="whose look the tiles have (default: that of the settings)",
    )
    parser.add_argument(
        "--no-calibration",
        dest="calibrated",
        action="store_false",
        help="for photos of another camera than the calibrated one",
    )


def _add_output_options(parser: argparse.ArgumentParser, *, with_lines: bool = False) -> None:
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="print the sheet as JSON")
    if with_lines:
        output.add_argument(
            "--jsonl", action="store_true", help="one table a line in, one sheet a line out"
        )
    parser.add_argument("--reasons", action="store_true", help="print why each point is given")
