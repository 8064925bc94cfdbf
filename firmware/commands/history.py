"""``stadtblick history``: past games, exports and statistics."""

import argparse
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from firmware.base.errors import PROGRAM, ExitCode, UsageError, printable
from firmware.base.json_text import json_text
from firmware.base.language import N_, _, _n
from firmware.base.terminal import Json, print_lines, standard_output, write_json
from firmware.base.user_data import check_overwrite, user_folder, write_named_file
from firmware.commands import history_changes
from firmware.commands.options import check_not_alone, parse_integer, parse_whole_number
from firmware.history import History, StoredScan, player_text, text
from firmware.history.bg_stats import bg_stats_play
from firmware.history.errors import HistoryError, unknown_player
from firmware.history.export import export_csv, export_json, stats_json, stored_scan_json
from firmware.history.player_names import tidy_name
from firmware.history.player_stats import compute_career
from firmware.history.stats import compute_stats
from firmware.wording.problem_text import problem_line

EPILOG: Final = N_("""\
examples:
  stadtblick history
  stadtblick history list --limit 5
  stadtblick history show 12
  stadtblick history export --csv --out games.csv
  stadtblick history export --json > games.json
  stadtblick history export --bgsplay 12 --out game.bgsplay
  stadtblick history export --picture 12 --out game.jpg
  stadtblick history stats --out charts
  stadtblick history player Ann
  stadtblick history names 12 Ann,Ben,Cid
  stadtblick history date 12 "2026-11-21 20:15"
  stadtblick history rename Anne Ann
  stadtblick history merge "Ben M" Ben
  stadtblick history delete 12 --yes
  stadtblick history restore 12
""")
_DEFAULT_LIMIT: Final = 20
_LIMITED: Final = ("list", "export")
"""Actions that take ``--limit``, also before their name."""


def add_to(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    latest = _("number of the latest games (default: {n})").format(n=_DEFAULT_LIMIT)
    _add_limit(parser, None, latest)
    actions = parser.add_subparsers(dest="action", metavar=_("ACTION"))
    list_parser = actions.add_parser(
        "list", help=_("the latest games, which is also done without ACTION")
    )
    # What stands before ACTION counts unless this option is given
    some = _("number of games (default: {n})").format(n=_DEFAULT_LIMIT)
    _add_limit(list_parser, argparse.SUPPRESS, some)
    show_parser = actions.add_parser("show", help=_("the score sheet of one game"))
    show_parser.set_defaults(run=show)
    show_parser.add_argument(
        "number", metavar="N", type=parse_integer, help=_("number of the game")
    )
    show_parser.add_argument(
        "--reasons", action="store_true", help=_("print why each point is given")
    )
    show_parser.add_argument(
        "--json", action="store_true", help=_("print all that is stored as JSON")
    )
    export_parser = actions.add_parser(
        "export", help=_("write games for other programs, oldest first")
    )
    export_parser.set_defaults(run=export)
    form = export_parser.add_mutually_exclusive_group(required=True)
    form.add_argument("--json", action="store_true", help=_("all that is stored"))
    form.add_argument("--csv", action="store_true", help=_("a row for each player of each game"))
    form.add_argument(
        "--bgsplay", metavar="N", type=parse_integer, help=_("game N for the app BG Stats")
    )
    form.add_argument(
        "--picture", metavar="N", type=parse_integer, help=_("game N as a picture to send, JPEG")
    )
    _add_limit(export_parser, argparse.SUPPRESS, _("number of the latest games (default: all)"))
    export_parser.add_argument(
        "--out", metavar=_("FILE"), type=Path, help=_("default: standard output")
    )
    export_parser.add_argument("--replace", action="store_true", help=_("write over a file"))
    stats_parser = actions.add_parser(
        "stats", help=_("wins, averages and records of all games, by player and building type")
    )
    stats_parser.set_defaults(run=stats)
    stats_parser.add_argument("--json", action="store_true", help=_("print them as JSON"))
    stats_parser.add_argument(
        "--out", metavar=_("DIR"), type=Path, help=_("also write charts of them as SVG")
    )
    player_parser = actions.add_parser("player", help=_("statistics of one player"))
    player_parser.set_defaults(run=player)
    player_parser.add_argument("name", metavar=_("NAME"), help=_("name of the player"))
    player_form = player_parser.add_mutually_exclusive_group()
    player_form.add_argument("--json", action="store_true", help=_("print them as JSON"))
    player_form.add_argument("--csv", action="store_true", help=_("print a row for each game"))
    history_changes.add_to(actions)
    for name, action in actions.choices.items():
        if name not in _LIMITED:
            action.set_defaults(run=partial(_run_without_limit, action.get_default("run")))


def _add_limit(parser: argparse.ArgumentParser, default: object, what: str) -> None:
    parser.add_argument("--limit", metavar="N", type=_parse_count, default=default, help=what)


def _parse_count(text: str) -> int:
    refusal = _("{text} is not allowed: use a whole number from 1 on")
    return parse_whole_number(text, 1, 10**9, refusal.format(text=repr(text)))


def _run_without_limit(
    act: Callable[[argparse.Namespace], ExitCode], options: argparse.Namespace
) -> ExitCode:
    """Run an action that takes no ``--limit``."""
    check_not_alone("--limit", options.limit, " / ".join(_LIMITED), None)
    return act(options)


def run(options: argparse.Namespace) -> ExitCode:
    """Print some lines for each of the latest scans, latest first; damaged ones are named."""
    scans, damaged = History(user_folder()).read_scans(options.limit or _DEFAULT_LIMIT)
    lines = [line for scan in scans for line in text.summary_lines(scan)]
    print_lines(*(lines or ([] if damaged else [_("No game is stored yet.")])))
    return _report_damaged(damaged)


def show(options: argparse.Namespace) -> ExitCode:
    """Print the sheet of one scan and all about it."""
    history = History(user_folder())
    scan = history.get(options.number)
    if options.json:
        write_json(stored_scan_json(scan))
        return ExitCode.DONE
    print_lines(*text.fact_lines(scan, history.photo_path(scan.record.photo)))
    with standard_output() as console:
        text.print_stored_sheet(console, scan, reasons=options.reasons)
    return ExitCode.DONE


def export(options: argparse.Namespace) -> ExitCode:
    """Write scans as CSV or JSON, oldest first, or one; damaged ones are named and left out."""
    out: Path | None = options.out
    check_not_alone("--replace", options.replace, "--out", out)
    check_not_alone("--limit", options.limit, "--json / --csv", options.json or options.csv)
    if out is not None:
        check_overwrite("export-exists", out, replace=options.replace)
    history, damaged = History(user_folder()), list[HistoryError]()
    if options.picture is not None:
        return _export_picture(history.get(options.picture), out)
    if options.bgsplay is not None:
        scans = [history.get(options.bgsplay)]
        content = _bg_stats_json(scans[0])
    else:
        scans, damaged = history.read_scans(options.limit)
        scans.reverse()
        content = {} if options.csv else export_json(scans)
    if out is not None:
        written = export_csv(scans) if options.csv else json_text(content, indent=2) + "\n"
        write_named_file(out, written.encode("utf-8", "backslashreplace"))
        print_lines(
            _n("Exported {n} game: {path}", "Exported {n} games: {path}", len(scans), path=out)
        )
    elif options.csv:
        with standard_output() as console:
            console.file.write(export_csv(scans))
    else:
        write_json(content)
    return _report_damaged(damaged)


def _export_picture(scan: StoredScan, out: Path | None) -> ExitCode:
    from firmware.page.pictures import encode_jpeg
    from firmware.report.share_picture import share_picture_of  # takes a while to load

    where = f"--picture {scan.seq}"
    if out is None:
        raise UsageError("usage", "a picture needs a file: give one with --out", where)
    photo = History(user_folder()).photo_path(scan.record.photo)
    picture = share_picture_of(scan, photo)
    if picture is None:
        raise UsageError(
            "export-no-points", "this game has no points to be shown: export it as JSON", where
        )
    write_named_file(out, encode_jpeg(picture))
    print_lines(_n("Exported {n} game: {path}", "Exported {n} games: {path}", 1, path=out))
    return ExitCode.DONE


def _bg_stats_json(scan: StoredScan) -> Json:
    play = bg_stats_play(scan, History(user_folder()).identity)
    if play is None:
        raise UsageError(
            "export-no-points",
            "this game has no points, and BG Stats keeps points: export it as JSON",
            f"--bgsplay {scan.seq}",
        )
    return play


def stats(options: argparse.Namespace) -> ExitCode:
    """Print statistics of all games, and draw charts; damaged scans are named and left out."""
    scans, damaged = History(user_folder()).read_scans(sheets_only=True)
    statistics = compute_stats(scans)
    if options.json:
        write_json(stats_json(statistics))
    elif not statistics:
        print_lines(_("No game with points is stored yet."))
    else:
        with standard_output() as console:
            text.print_stats(console, statistics)
    if options.out is not None:
        from firmware.history.chart_files import write_charts  # takes a while to load

        written = write_charts(statistics, options.out)
        if not options.json:
            line = _n(
                "Drew {n} chart: {path}", "Drew {n} charts: {path}", len(written), path=options.out
            )
            print_lines(line)
    return _report_damaged(damaged)


def player(options: argparse.Namespace) -> ExitCode:
    """Print statistics of one player; damaged scans are named and left out."""
    scans, damaged = History(user_folder()).read_scans(sheets_only=True)
    name = tidy_name(options.name)
    career = compute_career(scans, name)
    if career is None:
        raise unknown_player(name)
    if options.json:
        write_json(player_text.career_json(career))
    else:
        with standard_output() as console:
            if options.csv:
                console.file.write(player_text.career_csv(career))
            else:
                player_text.print_career(console, career)
    return _report_damaged(damaged)


def _report_damaged(damaged: Sequence[HistoryError]) -> ExitCode:
    """Print the damaged scans on standard error; return whether a person has to look at them."""
    for error in damaged:
        sys.stderr.write(printable(f"{PROGRAM}: {problem_line(error)}") + "\n")
    return ExitCode.NEEDS_A_PERSON if damaged else ExitCode.DONE
