"""``stadtblick print``: a sheet as a PDF."""

from pathlib import Path

from firmware.commands.named_file import write_named_file
from firmware.errors import ExitCode, UsageError, printable, suggestion
from firmware.language import _
from firmware.printing import SHEETS, sheet_pdf
from firmware.printing.page import Paper
from firmware.terminal import printing


def run(what: str, *, out: Path, paper: str = Paper.A4) -> ExitCode:
    """Write a sheet and say how to print it.

    Args:
        what: name of the sheet.
        out: the PDF file; one that is there is replaced.
        paper: a ``Paper``.

    Raises:
        UsageError: ``unknown-sheet``.
        OutputError: ``file-not-writable``.
    """
    if what not in SHEETS:
        raise UsageError(
            "unknown-sheet",
            f"there is no sheet {what!r} to print: {suggestion(what, list(SHEETS))}",
            "WHAT",
        )
    write_named_file(out, sheet_pdf(what, Paper(paper)))
    with printing() as console:
        console.print(_("The sheet is in {file}.").format(file=printable(str(out))))
        console.print(
            _('Print it at 100 % ("actual size"), and check the length of the ruler on it.')
        )
    return ExitCode.DONE
