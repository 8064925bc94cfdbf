"""``stadtblick history``: what has been scanned."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from rich.text import Text

from firmware.errors import PROGRAM, ExitCode, UsageError, error_line, printable
from firmware.history import History, StoredScan
from firmware.history.errors import HistoryError, unknown_scan
from firmware.history.text import (
    export_csv,
    export_json,
    facts,
    print_stored_sheet,
    stored_scan_json,
    summary,
)
from firmware.language import N_, _, _n
from firmware.settings import load_settings
from firmware.terminal import printing, write_json
from firmware.user_data import user_folder, write_safely

EPILOG: Final = N_("""\
examples:
  stadtblick history
  stadtblick history list --limit 5
  stadtblick history show 12
  stadtblick history export --csv --out games.csv
  stadtblick history export --json > games.json
  stadtblick history delete 12 --yes
""")
_USUAL_LIMIT: Final = 20


def add_to(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    latest = _("so many of the latest (default: {n})").format(n=_USUAL_LIMIT)
    _add_limit(parser, _USUAL_LIMIT, latest)
    actions = parser.add_subparsers(dest="action", metavar=_("ACTION"))
    listed = actions.add_parser(
        "list", help=_("the latest scans, which is also done without ACTION")
    )
    # What stands before ACTION counts unless this option is given
    some = _("so many of them (default: {n})").format(n=_USUAL_LIMIT)
    _add_limit(listed, argparse.SUPPRESS, some)
    show = actions.add_parser("show", help=_("the sheet of one scan"))
    show.add_argument("number", metavar="N", type=int, help=_("number of the scan"))
    show.add_argument("--reasons", action="store_true", help=_("print why each point is given"))
    show.add_argument("--json", action="store_true", help=_("print all that is stored as JSON"))
    export = actions.add_parser("export", help=_("write scans for other programs, oldest first"))
    form = export.add_mutually_exclusive_group(required=True)
    form.add_argument("--json", action="store_true", help=_("all that is stored"))
    form.add_argument("--csv", action="store_true", help=_("a row for each player of each scan"))
    _add_limit(export, None, _("so many of the latest (default: all)"))
    export.add_argument("--out", metavar=_("FILE"), type=Path, help=_("default: standard output"))
    export.add_argument("--replace", action="store_true", help=_("write over a file"))
    delete = actions.add_parser("delete", help=_("forget scans and their photos"))
    delete.add_argument("numbers", metavar="N", type=int, nargs="*", help=_("numbers of the scans"))
    delete.add_argument("--all", action="store_true", help=_("forget all of them"))
    delete.add_argument("--yes", action="store_true", help=_("do not ask"))


def run(options: argparse.Namespace) -> ExitCode:
    """Run the action; see the functions below for its errors."""
    match options.action:
        case "show":
            return show(options.number, reasons=options.reasons, as_json=options.json)
        case "export":
            return export(
                as_csv=options.csv, limit=options.limit, out=options.out, replace=options.replace
            )
        case "delete":
            return delete(options.numbers, all_of_them=options.all, sure=options.yes)
    return list_latest(options.limit)


def _add_limit(parser: argparse.ArgumentParser, default: object, what: str) -> None:
    parser.add_argument("--limit", metavar="N", type=_count, default=default, help=what)


def _count(text: str) -> int:
    count = int(text) if text.isascii() and text.isdigit() else 0
    if not 0 < count < 10**9:
        raise argparse.ArgumentTypeError(
            _("{text} is not allowed: use a whole number from 1 on").format(text=repr(text))
        )
    return count


def list_latest(limit: int) -> ExitCode:
    """Print some lines for each of the latest scans, latest first; damaged ones are named.

    Raises:
        HistoryError: the history cannot be read.
    """
    scans, damaged = History.of_folder(user_folder()).readable(limit)
    lines = [line for scan in scans for line in summary(scan)]
    _print(*(lines or ([] if damaged else [_("No scan is stored yet.")])))
    return _named(damaged)


def show(number: int, *, reasons: bool = False, as_json: bool = False) -> ExitCode:
    """Print the sheet of one scan and all about it.

    Raises:
        HistoryError: ``unknown-scan``, ``scan-damaged``, or the history cannot be read.
    """
    history = History.of_folder(user_folder())
    scan = history.get(number)
    if as_json:
        write_json(stored_scan_json(scan))
        return ExitCode.DONE
    _print(*facts(scan, history.photo_path(scan.record.photo)))
    with printing() as console:
        print_stored_sheet(console, scan, reasons=reasons)
    return ExitCode.DONE


def export(
    *, as_csv: bool, limit: int | None = None, out: Path | None = None, replace: bool = False
) -> ExitCode:
    """Write scans as CSV or JSON, oldest first; damaged ones are named and left out.

    Args:
        as_csv: as CSV, else as JSON.
        limit: so many of the latest; None: all.
        out: file to write; None: standard output.
        replace: whether to write over a file.

    Raises:
        HistoryError: the history cannot be read.
        UsageError: ``export-exists``.
        OutputError: ``file-not-writable`` or ``output-not-writable``.
    """
    if out is not None and out.exists() and not (replace and out.is_file()):
        raise UsageError(
            "export-exists",
            "there is something of this name already: name another file or add --replace",
            str(out),
        )
    scans, damaged = History.of_folder(user_folder()).readable(limit)
    scans.reverse()
    if out is None:
        _write_to_output(scans, as_csv=as_csv)
        return _named(damaged)
    import json

    text = export_csv(scans) if as_csv else json.dumps(export_json(scans), indent=2) + "\n"
    write_safely(out, text.encode("utf-8", "backslashreplace"))
    _print(_n("Exported {n} scan: {path}", "Exported {n} scans: {path}", len(scans), path=str(out)))
    return _named(damaged)


def _named(damaged: Sequence[HistoryError]) -> ExitCode:
    """Say on standard error which scans are missing; a person has to decide about them."""
    for error in damaged:
        sys.stderr.write(printable(f"{PROGRAM}: {error_line(error)}") + "\n")
    return ExitCode.NEEDS_A_PERSON if damaged else ExitCode.DONE


def delete(numbers: Sequence[int], *, all_of_them: bool = False, sure: bool = False) -> ExitCode:
    """Forget scans and their photos, after asking unless ``sure``.

    Raises:
        UsageError: no scan is named, or ``history-not-deleted`` where nobody can be asked.
        HistoryError: ``unknown-scan``, or the history cannot be read.
        NotSavedError: the disk cannot be written; nothing is deleted.
    """
    if all_of_them == bool(numbers):
        raise UsageError(
            "usage", "name the scans to delete, or add --all for all of them", "history delete"
        )
    known = History.of_folder(user_folder()).numbers()
    numbers = known if all_of_them else sorted(set(numbers))
    for number in numbers:
        if number not in known:
            raise unknown_scan(number)
    if not numbers:
        _print(_("No scan is stored yet."))
        return ExitCode.DONE
    if not sure and not _agreed(numbers):
        _print(_("Nothing was deleted."))
        return ExitCode.NEEDS_A_PERSON
    storage = load_settings(keep_damaged=True)[0].storage
    history = History.open(
        user_folder(), photos_max=storage.photos_max, photos_max_mb=storage.photos_max_mb
    )
    try:
        history.delete(numbers)
    finally:
        history.close()
    _print(_n("Deleted {n} scan.", "Deleted {n} scans.", len(numbers)))
    return ExitCode.DONE


def _agreed(numbers: Sequence[int]) -> bool:
    if sys.stdin is None or not sys.stdin.isatty():
        raise UsageError(
            "history-not-deleted",
            "nobody can be asked here: add --yes to delete",
            "history delete",
        )
    _print(
        _n("Delete {n} scan? Type yes:", "Delete {n} scans? Type yes:", len(numbers)),
    )
    return sys.stdin.readline().strip().lower() in {"yes", _("yes")}


def _write_to_output(scans: Sequence[StoredScan], *, as_csv: bool) -> None:
    if as_csv:
        with printing() as console:
            console.file.write(export_csv(scans))
    else:
        write_json(export_json(scans))


def _print(*lines: str) -> None:
    with printing() as console:
        for line in lines:
            console.print(Text(printable(line)), soft_wrap=True)
