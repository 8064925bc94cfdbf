"""Readings and scans of games known by pictures as text for a terminal.

Colour only repeats what the words say: without it, in a pipe or in plain ASCII nothing is lost.
"""

from collections.abc import Iterable
from typing import Final

from rich.console import Console
from rich.table import Table as Rows
from rich.text import Text

from firmware.board_games.doubts import Doubt, board_doubts_in_words
from firmware.board_games.grid_text import print_grid_names
from firmware.board_games.scan import BoardScan
from firmware.board_games.spots import What
from firmware.errors import printable
from firmware.eye_words import in_own_words
from firmware.games import find_form
from firmware.language import _, _n
from firmware.positions import position_in_photo
from firmware.reading_text import print_notes
from firmware.text_layout import CHECK_STYLE
from vision.boards.description import READING_ONLY

_MOST_ALTERNATIVES: Final = 2
"""Of other faces that are shown for an unsure tile; the JSON has all."""
_NARROW: Final = 80
"""In fewer columns the ways to correct a place stand on lines of their own."""


def print_board_reading(console: Console, scan: BoardScan) -> None:
    """What was read from one photo."""
    title = f"{printable(scan.reading.photo)}: {_found(scan)}"
    console.print(Text(title, style="bold"), soft_wrap=True)
    for index, grid in enumerate(scan.reading.grids):
        print_grid_names(console, index, grid, scan)
    print_board_checks(console, scan, with_correction=False)
    print_notes(console, scan.notes)


def _found(scan: BoardScan) -> str:
    """How many boards, cities or, without rules, groups of tiles were found."""
    found = len(scan.reading.grids)
    if scan.description.board is not None:
        return _n("{n} board", "{n} boards", found) if found else _("no board")
    if scan.reading.game == READING_ONLY:
        return _n("{n} group of tiles", "{n} groups of tiles", found) if found else _("no tiles")
    return _n("{n} city", "{n} cities", found) if found else _("no city")


def print_board_scan(console: Console, scan: BoardScan, *, reasons: bool = False) -> None:
    """The sheet of a photo, and what a person has to look at; without rules the reading."""
    if scan.sheet is None:
        print_board_reading(console, scan)
        return
    form = find_form(scan.reading.game)
    form.print_sheet(console, scan.sheet, scan.table, reasons=reasons)
    doubts = scan.doubts
    if doubts.count:
        said = _("May change: {doubts}").format(doubts=board_doubts_in_words(doubts))
        console.print(Text(said, style=CHECK_STYLE))
    print_board_checks(console, scan, with_correction=True)
    print_notes(console, scan.notes)


def print_board_checks(console: Console, scan: BoardScan, *, with_correction: bool) -> None:
    """What was not read, and the places to look at, and what may lie there.

    Args:
        console: where to print.
        scan: of one photo.
        with_correction: also say which option puts a place right.
    """
    doubts = scan.doubts
    if doubts.count == 0:
        return
    console.print()
    console.print(Text(_("Please check ({n}):").format(n=doubts.count), style=CHECK_STYLE))
    for region in doubts.unread:
        where = position_in_photo(region.corners_px, scan.reading.size_wh)
        said = _("not read, {where} of the photo: {why}")
        console.print(
            Text(f"  {said.format(where=where, why=printable(in_own_words(region.why)))}")
        )
    if doubts.remarks:
        console.print(Text("  " + _("see the notes below")))
    if with_correction and console.width < _NARROW:
        for doubt in doubts.places:
            said = " ".join(_what_may_lie(doubt, scan)).rstrip()
            console.print(Text(f"  {said}"))
            console.print(Text("    ") + _correction(doubt, scan))
        return
    rows = Rows(box=None, show_header=False, padding=(0, 0, 0, 2))
    for doubt in doubts.places:
        correction = (_correction(doubt, scan),) if with_correction else ()
        rows.add_row(*_what_may_lie(doubt, scan), *correction)
    if doubts.places:
        console.print(rows)


def _what_may_lie(doubt: Doubt, scan: BoardScan) -> tuple[str, str, str]:
    place = scan.naming.spot(doubt.spot)
    others = [_nothing(doubt) if name is None else name for name in doubt.alternatives]
    said = _("or {faces}").format(faces=", ".join(others[:_MOST_ALTERNATIVES])) if others else ""
    return place, _nothing(doubt) if doubt.read is None else doubt.read, said


def _nothing(doubt: Doubt) -> str:
    if doubt.spot.what is What.TOKEN:
        return _("no figure")
    return _("no tile")


def _correction(doubt: Doubt, scan: BoardScan) -> Text:
    """The option that would correct a place, to be copied as it stands."""
    return Text(scan.naming.option(doubt.spot, _likeliest_other(doubt)), no_wrap=True)


def _likeliest_other(doubt: Doubt) -> str:
    if doubt.spot.what is What.TOKEN:
        return "yes" if doubt.read is None else "no"
    others: Iterable[str | None] = doubt.alternatives
    return next(("none" if name is None else name for name in others), "FACE")
