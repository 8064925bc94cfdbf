"""The result of a photo as text for a terminal: the sheet, and what a person has to look at."""

from rich.console import Console

from firmware.games.between_two_cities.sheet_text import print_sheet
from firmware.reading_text import print_checks, print_notes
from firmware.scan import Scan


def print_scan(console: Console, scan: Scan, *, reasons: bool = False) -> None:
    """The sheet of a photo, and what a person has to look at."""
    print_sheet(console, scan.sheet, scan.table, doubts=scan.doubts, reasons=reasons)
    print_checks(console, scan.reading, with_correction=True)
    print_notes(console, scan.notes)
