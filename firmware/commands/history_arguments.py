"""The arguments of ``stadtblick history``."""

import argparse
from pathlib import Path
from typing import Final

from firmware.errors import ExitCode

HELP = "past scans; export as JSON, CSV"
EPILOG = """\
examples:
  stadtblick history
  stadtblick history list --limit 5
  stadtblick history show 12
  stadtblick history export --csv --out games.csv
  stadtblick history export --json > games.json
  stadtblick history delete 12 --yes
"""
_USUAL_LIMIT: Final = 20


def add_to(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    _add_limit(parser, _USUAL_LIMIT, f"so many of the latest (default: {_USUAL_LIMIT})")
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    listed = actions.add_parser("list", help="the latest scans, which is also done without ACTION")
    # What stands before ACTION counts unless this option is given
    _add_limit(listed, argparse.SUPPRESS, f"so many of them (default: {_USUAL_LIMIT})")
    show = actions.add_parser("show", help="the sheet of one scan")
    show.add_argument("number", metavar="N", type=int, help="number of the scan")
    show.add_argument("--reasons", action="store_true", help="print why each point is given")
    show.add_argument("--json", action="store_true", help="print all that is stored as JSON")
    export = actions.add_parser("export", help="write scans for other programs, oldest first")
    form = export.add_mutually_exclusive_group(required=True)
    form.add_argument("--json", action="store_true", help="all that is stored")
    form.add_argument("--csv", action="store_true", help="a row for each player of each scan")
    _add_limit(export, None, "so many of the latest (default: all)")
    export.add_argument("--out", metavar="FILE", type=Path, help="default: standard output")
    export.add_argument("--replace", action="store_true", help="write over a file")
    delete = actions.add_parser("delete", help="forget scans and their photos")
    delete.add_argument("numbers", metavar="N", type=int, nargs="*", help="numbers of the scans")
    delete.add_argument("--all", action="store_true", help="forget all of them")
    delete.add_argument("--yes", action="store_true", help="do not ask")


def run(options: argparse.Namespace) -> ExitCode:
    """Run the command; see ``firmware.commands.history`` for its errors."""
    from firmware.commands import history

    match options.action:
        case "show":
            return history.show(options.number, reasons=options.reasons, as_json=options.json)
        case "export":
            return history.export(
                as_csv=options.csv,
                limit=options.limit,
                out=options.out,
                replace=options.replace,
            )
        case "delete":
            return history.delete(options.numbers, all_of_them=options.all, sure=options.yes)
    return history.list_latest(options.limit)


def _add_limit(parser: argparse.ArgumentParser, default: object, what: str) -> None:
    parser.add_argument("--limit", metavar="N", type=_count, default=default, help=what)


def _count(text: str) -> int:
    count = int(text) if text.isascii() and text.isdigit() else 0
    if not 0 < count < 10**9:
        raise argparse.ArgumentTypeError(f"{text!r} is not allowed: use a whole number from 1 on")
    return count
