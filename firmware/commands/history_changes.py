"""``stadtblick history``: give names and dates, rename and merge players, delete games."""

import argparse
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Final

from firmware.base.errors import ExitCode, UsageError
from firmware.base.language import _, _n
from firmware.base.terminal import Json, confirm, print_lines, write_json
from firmware.base.user_data import user_folder
from firmware.commands.options import parse_integer
from firmware.history import History, HistoryError, StoredScan, text
from firmware.history.clock import parse_wall_time
from firmware.history.errors import unknown_player, unknown_scan
from firmware.history.export import stored_scan_json
from firmware.history.player_names import check_player_name, rename_in, tidy_name
from firmware.settings import load_settings, store_settings
from vision.message import Message

if TYPE_CHECKING:
    from argparse import _SubParsersAction

_UNKNOWN: Final = "unknown"
"""Word that removes the date of a game."""


def add_to(actions: "_SubParsersAction[ArgumentParser]") -> None:
    """Add the arguments."""
    names_parser = _add_for_game(
        actions, "names", names, _("give the players of a game their names")
    )
    names_parser.add_argument(
        "names",
        metavar=_("NAME,NAME,..."),
        help=_("names in seat order; none between two commas is a seat without a name"),
    )
    date_parser = _add_for_game(actions, "date", date, _("say when a game was played"))
    date_parser.add_argument(
        "date",
        metavar=_("DATE"),
        help=_('2026-11-21, "2026-11-21 20:15", or unknown'),
    )
    rename_parser = _add(actions, "rename", rename, _("call a player otherwise, in all games"))
    _add_names(rename_parser, _("name of the player now"), _("NEW"), _("name that nobody has yet"))
    merge_parser = _add(actions, "merge", merge, _("make one player of two, in all games"))
    _add_names(merge_parser, _("name that is given up"), _("NAME"), _("name that stays"))
    merge_parser.add_argument("--yes", action="store_true", help=_("do not ask"))
    delete_parser = _add(actions, "delete", delete, _("delete past games and their photos"))
    delete_parser.add_argument(
        "numbers", metavar="N", type=parse_integer, nargs="*", help=_("numbers of the games")
    )
    delete_parser.add_argument("--all", action="store_true", help=_("all of them"))
    delete_parser.add_argument("--yes", action="store_true", help=_("do not ask"))
    _add_for_game(
        actions, "restore", restore, _("bring back a game that was deleted on page or display")
    )


def _add(
    actions: "_SubParsersAction[ArgumentParser]", name: str, run: object, what: str
) -> ArgumentParser:
    """Add an action with its function and its help."""
    parser = actions.add_parser(name, help=what)
    parser.set_defaults(run=run)
    return parser


def _add_for_game(
    actions: "_SubParsersAction[ArgumentParser]", name: str, run: object, what: str
) -> ArgumentParser:
    """Add an action that changes one game and prints it."""
    parser = _add(actions, name, run, what)
    parser.add_argument("number", metavar="N", type=parse_integer, help=_("number of the game"))
    parser.add_argument("--json", action="store_true", help=_("print the game as JSON"))
    return parser


def _add_names(parser: ArgumentParser, about_old: str, new: str, about_new: str) -> None:
    """Add two names of a player to an action that prints the number of games."""
    parser.add_argument("old", metavar=_("OLD"), help=about_old)
    parser.add_argument("new", metavar=new, help=about_new)
    what = _("print the number of games as JSON")
    parser.add_argument("--json", action="store_true", help=what)


@contextmanager
def _open_history(options: argparse.Namespace) -> Iterator[History]:
    with closing(History(user_folder(), **asdict(options.settings.storage))) as history:
        history.prepare()
        yield history


def names(options: argparse.Namespace) -> ExitCode:
    """Give the players of a game their names."""
    with _open_history(options) as history:
        history.set_names(options.number, options.names.split(","))
        _print_changed(options, history.get(options.number))
    return ExitCode.DONE


def date(options: argparse.Namespace) -> ExitCode:
    """Set the time when a game was played."""
    with _open_history(options) as history:
        before = history.get(options.number).at
        at = replace(before, known=False)
        if options.date != _UNKNOWN:
            at = parse_wall_time(options.date)
        history.set_time(options.number, at)
        _print_changed(options, history.get(options.number))
    return ExitCode.DONE


def _print_changed(options: argparse.Namespace, scan: StoredScan) -> None:
    if options.json:
        write_json(stored_scan_json(scan))
    else:
        print_lines(*text.summary_lines(scan))


def rename(options: argparse.Namespace) -> ExitCode:
    """Rename a player in all games."""
    options.old = tidy_name(options.old)
    with _open_history(options) as history:
        new = check_player_name(options.new)
        if new in history.player_names() and new != options.old:
            raise HistoryError(
                "player-exists",
                "there is a player called {name} already: if both are the same person, use "
                "stadtblick history merge",
                Message("player"),
                name=new,
            )
        return _rename(options, history, new)


def merge(options: argparse.Namespace) -> ExitCode:
    """Merge two players into one, after asking unless ``--yes`` is given."""
    options.old = tidy_name(options.old)
    with _open_history(options) as history:
        new = check_player_name(options.new)
        for name in (options.old, new):
            if name not in history.player_names():
                raise unknown_player(name)
        question = _("Call {old} {new} in all games, for good? Type yes:").format(
            old=options.old, new=new
        )
        nobody = UsageError(
            "history-not-merged", "nobody can be asked here: add --yes to merge", "history merge"
        )
        if not options.yes and not confirm(question, nobody):
            print_lines(_("Nothing was changed."))
            return ExitCode.NEEDS_A_PERSON
        return _rename(options, history, new)


def _rename(options: argparse.Namespace, history: History, new: str) -> ExitCode:
    """Rename the player in the history and in the settings, and print the number of games."""
    changed = history.rename_player(options.old, new)
    settings, _warnings = load_settings()  # they may have changed while the question was open
    players = rename_in(settings.players, options.old, new)
    if players != settings.players:  # otherwise the next game would get the old name
        store_settings(replace(settings, players=players))
    answer: Json = {"player": new, "games": changed}
    if options.json:
        write_json(answer)
    else:
        print_lines(_n("Changed {n} game.", "Changed {n} games.", changed))
    return ExitCode.DONE


def delete(options: argparse.Namespace) -> ExitCode:
    """Delete scans and their photos for good, after asking unless ``--yes`` is given."""
    if options.all == bool(options.numbers):
        raise UsageError(
            "usage", "give the games to delete, or add --all for all of them", "history delete"
        )
    known = History(user_folder()).seqs()
    numbers = known if options.all else sorted(set(options.numbers))
    for number in numbers:
        if number not in known:
            raise unknown_scan(number)
    if not numbers:
        print_lines(_("No game is stored yet."))
        return ExitCode.DONE
    question = _n("Delete {n} game? Type yes:", "Delete {n} games? Type yes:", len(numbers))
    nobody = UsageError(
        "history-not-deleted", "nobody can be asked here: add --yes to delete", "history delete"
    )
    if not options.yes and not confirm(question, nobody):
        print_lines(_("Nothing was deleted."))
        return ExitCode.NEEDS_A_PERSON
    with _open_history(options) as history:
        history.delete_for_good(numbers)
        if options.all:
            history.empty_bin()
    print_lines(_n("Deleted {n} game.", "Deleted {n} games.", len(numbers)))
    return ExitCode.DONE


def restore(options: argparse.Namespace) -> ExitCode:
    """Bring back a game that was deleted on the page or the display."""
    with _open_history(options) as history:
        history.restore(options.number)
        _print_changed(options, history.get(options.number))
    return ExitCode.DONE
