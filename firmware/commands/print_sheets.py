"""``stadtblick print``: calibration sheet and tile sheets as PDF."""

import argparse
from dataclasses import fields
from pathlib import Path
from typing import Final

from firmware.base.errors import ExitCode, UsageError, printable, suggest_name
from firmware.base.language import N_, _, _n
from firmware.commands.options import parse_integer
from firmware.games.registry import games
from firmware.printing.print_options import MAX_COPIES, MAX_SETS, PrintOptions
from vision.message import Message

EPILOG: Final = N_("""\
examples:
  stadtblick print calibration --out sheet.pdf
  stadtblick print between-two-cities --copies 8 --out tiles.pdf
  stadtblick print cities --sets 3 --paper letter --out cities.pdf
  stadtblick print city-blocks --paper a3 --out blocks.pdf
  stadtblick print dice-board --duplex --out cards.pdf

Print at 100% ("actual size", not "fit to page"), and check the length of the ruler on each page.
How to cut, fold and glue: docs/printing.md.
""")
_OPTIONS: Final = {
    "copies": "--copies",
    "is_full": "--full",
    "sets": "--sets",
    "is_duplex": "--duplex",
}
"""Option for each field of ``PrintOptions``."""
_PAPERS: Final = ("a4", "letter", "a3")


def add_to(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    printed = [name for name, game in games().items() if game.print_help is not None]
    parser.add_argument(
        "what",
        metavar=_("WHAT"),
        help=_("calibration: the sheet for stadtblick calibrate; or the tiles of {games}").format(
            games=_(" or ").join((", ".join(printed[:-1]), printed[-1]))
        ),
    )
    parser.add_argument(
        "--out",
        metavar=_("FILE"),
        type=Path,
        required=True,
        help=_("where the PDF goes; a file that is there is replaced"),
    )
    parser.add_argument(
        "--paper", choices=_PAPERS, default=_PAPERS[0], help=_("default: %(default)s")
    )
    supply = parser.add_mutually_exclusive_group()
    supply.add_argument("--copies", metavar="N", type=parse_integer, help=_help("copies"))
    supply.add_argument("--full", dest="is_full", action="store_true", help=_help("is_full"))
    parser.add_argument("--sets", metavar="N", type=parse_integer, help=_help("sets"))
    both_sides = _("for paper printed on both sides, turned over its long edge")
    parser.add_argument(
        "--duplex",
        dest="is_duplex",
        action="store_true",
        help=f"{both_sides}; {_help('is_duplex')}",
    )


def _help(field: str) -> str:
    """Return the help of an option, as each game with that option words it."""
    texts = [(name, (game.print_help or {}).get(field)) for name, game in games().items()]
    return "; ".join(f"{name}: {_(text)}" for name, text in texts if text)


def run(options: argparse.Namespace) -> ExitCode:
    """Write a sheet, or all sheets of a game, and advise how to print them."""
    from firmware.base.terminal import standard_output
    from firmware.base.user_data import write_named_file
    from firmware.games.printed_sheets import printable_sheets, sheet_document
    from firmware.printing.pdf_pages import Paper

    what = options.what
    if what not in printable_sheets():
        raise UsageError(
            "unknown-sheet",
            "there is no sheet {name!r} to print: {suggestion}",
            Message("WHAT"),
            name=what,
            suggestion=suggest_name(what, list(printable_sheets())),
        )
    chosen = PrintOptions(**{name: getattr(options, name) for name in _OPTIONS})
    _check_print_options(what, chosen)
    document = sheet_document(what, Paper(options.paper), chosen)
    write_named_file(options.out, document.pdf())
    file = printable(str(options.out))
    with standard_output() as console:
        if what in games():
            console.print(
                _n("{n} page is in {file}.", "{n} pages are in {file}.", document.pages, file=file)
            )
        else:
            console.print(_("The sheet is in {file}.").format(file=file))
        console.print(
            _('Print it at 100% ("actual size"), and check the length of the ruler on it.')
        )
    return ExitCode.DONE


def _check_print_options(what: str, chosen: PrintOptions) -> None:
    """Refuse options that do not apply to a sheet, or are out of range."""
    for field in fields(PrintOptions):
        option = _OPTIONS[field.name]
        is_chosen = getattr(chosen, field.name) != field.default
        games_with = [
            name for name, game in games().items() if field.name in (game.print_help or {})
        ]
        if is_chosen and what not in games_with:
            raise UsageError(
                "usage",
                "{option} is for {games}: leave it out",
                option,
                option=option,
                games=_(" and ").join(games_with),
            )
    for field_name, most in (("copies", MAX_COPIES), ("sets", MAX_SETS)):
        number = getattr(chosen, field_name)
        if number is not None and not 1 <= number <= most:
            raise UsageError(
                "usage",
                "{number} is too few or too many: give a number from 1 to {most}",
                _OPTIONS[field_name],
                number=number,
                most=most,
            )
