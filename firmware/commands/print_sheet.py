"""``stadtblick print``: sheets as a PDF."""

from dataclasses import fields
from pathlib import Path
from typing import Final

from firmware.commands.named_file import write_named_file
from firmware.errors import ExitCode, UsageError, printable, suggestion
from firmware.language import _, _n
from firmware.printing import SHEETS, sheet_document
from firmware.printing.games import GAMES, MOST_COPIES, MOST_SETS, Choices
from firmware.printing.page import Paper
from firmware.terminal import printing

_OPTIONS: Final = {
    "copies": "--copies",
    "is_full": "--full",
    "sets": "--sets",
    "is_duplex": "--duplex",
}
"""The option for each field of ``Choices``."""

_NOTHING_CHOSEN: Final = Choices()


def run(
    what: str, *, out: Path, paper: str = Paper.A4, choices: Choices = _NOTHING_CHOSEN
) -> ExitCode:
    """Write a sheet, or all sheets of a game, and say how to print them.

    Args:
        what: name of the sheet, or identifier of the game.
        out: the PDF file; one that is there is replaced.
        paper: a ``Paper``.
        choices: how many pieces of the game, and on which sides of the paper.

    Raises:
        UsageError: ``unknown-sheet``; ``usage``: a choice that is out of range or means nothing
            for this game.
        OutputError: ``file-not-writable``.
    """
    if what not in SHEETS:
        raise UsageError(
            "unknown-sheet",
            f"there is no sheet {what!r} to print: {suggestion(what, list(SHEETS))}",
            "WHAT",
        )
    _check(what, choices)
    document = sheet_document(what, Paper(paper), choices)
    write_named_file(out, document.pdf())
    file = printable(str(out))
    with printing() as console:
        if what in GAMES:
            console.print(
                _n("{n} page is in {file}.", "{n} pages are in {file}.", document.pages, file=file)
            )
        else:
            console.print(_("The sheet is in {file}.").format(file=file))
        console.print(
            _('Print it at 100 % ("actual size"), and check the length of the ruler on it.')
        )
    return ExitCode.DONE


def _check(what: str, choices: Choices) -> None:
    """Refuse choices that mean nothing for a sheet, or are out of range."""
    for field in fields(Choices):
        option = _OPTIONS[field.name]
        is_chosen = getattr(choices, field.name) != field.default
        takers = [name for name, game in GAMES.items() if field.name in game.options]
        if is_chosen and what not in takers:
            raise UsageError(
                "usage", f"{option} is for {' and '.join(takers)}: leave it out", option
            )
    for field_name, most in (("copies", MOST_COPIES), ("sets", MOST_SETS)):
        number = getattr(choices, field_name)
        if number is not None and not 1 <= number <= most:
            raise UsageError(
                "usage",
                f"{number} is too few or too many: give a number from 1 to {most}",
                _OPTIONS[field_name],
            )
