"""Stored scans as text for a terminal."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.text import Text

from firmware.errors import FirmwareError
from firmware.games import find_form
from firmware.history import StoredScan
from firmware.history.results import results_of
from firmware.language import N_, _, _n
from firmware.results import winner_sentence
from firmware.text_layout import CHECK_STYLE
from scoring.errors import ScoringError
from scoring.games import find_game

_HEALTH: Final = {
    "under-voltage": N_("The supply of the computer was too weak"),
    "too-hot": N_("The computer was too hot"),
    "throttled": N_("The computer had to go slower"),
}
"""What each of ``ScanRecord.health`` says."""


def summary(scan: StoredScan) -> Iterator[str]:
    """Two or three lines: number, time and game; who has won; what is to be checked."""
    yield _("Scan {number}: {time}, {game}").format(
        number=scan.seq, time=_time(scan), game=scan.record.game
    )
    yield f"  {_winner(scan)}"
    yield from (f"  {line}" for line in _doubts(scan))


def facts(scan: StoredScan, photo: Path | None) -> Iterator[str]:
    """All about a scan but its sheet, a line each.

    Args:
        scan: as stored.
        photo: where its photo is; None: it is not kept.
    """
    record = scan.record
    yield _("Scan {number}: {time}, {game}").format(
        number=scan.seq, time=_time(scan), game=record.game
    )
    yield _("Variant: {variant}, level: {level}, edition: {edition}").format(
        variant=record.variant, level=record.level, edition=record.edition
    )
    if record.rescan_of is not None:
        yield _("The same table as in scan {number}").format(number=record.rescan_of)
    if record.corrections:
        yield _("Corrections: {corrections}").format(corrections=" ".join(record.corrections))
    yield from _doubts(scan)
    unsure = [
        f"{one['city']} {one['at'][0]},{one['at'][1]}" for one in record.sheet.get("unsure") or ()
    ]
    if unsure:
        yield _("Not sure: {places}").format(places="; ".join(unsure))
    yield from (_(_HEALTH[problem]) if problem in _HEALTH else problem for problem in record.health)
    if photo is not None:
        yield _("Photo: {path}").format(path=photo)
    else:
        yield _("Photo: not kept")


def print_stored_sheet(console: Console, scan: StoredScan, *, reasons: bool) -> None:
    """Print the sheet of a stored scan.

    It is made anew from the table that was scored; where the rules have been corrected since, a
    line says so.

    Args:
        console: where to print.
        scan: as stored.
        reasons: also why each point is given.
    """
    record = scan.record
    try:
        form = find_form(record.game)
        table = form.table_from(record.table)
        sheet = find_game(record.game).score(table, lenient=True)
    except (FirmwareError, ScoringError):
        console.print(Text(_winner(scan)))
        console.print(Text(_("The table as stored cannot be scored any more."), style=CHECK_STYLE))
        return
    form.print_sheet(console, sheet, table, reasons=reasons)
    if results_of(form.sheet_json(sheet)) != results_of(record.sheet):
        said = _("The stored sheet differs: it was scored by an earlier version.")
        console.print(Text(said, style=CHECK_STYLE))


def _time(scan: StoredScan) -> str:
    if not scan.at.known:
        return _("time unknown")
    return scan.at.utc.astimezone().strftime("%Y-%m-%d %H:%M")


def _winner(scan: StoredScan) -> str:
    winners = [player for player in results_of(scan.record.sheet) if player.won]
    if not winners:
        return _("no result")
    points = winners[0].points
    shown = f"{points}?" if _open_places(scan) else str(points)
    return winner_sentence([player.name for player in winners], shown, points)


def _open_places(scan: StoredScan) -> int:
    return sum(len(scan.record.sheet.get(key) or ()) for key in ("unsure", "unread"))


def _doubts(scan: StoredScan) -> Iterator[str]:
    open_places = _open_places(scan)
    if open_places:
        yield _n("{n} place was not sure", "{n} places were not sure", open_places)
