"""Stored scans for other programs: as JSON with all there is, as CSV with a row a player."""

import csv
import io
from collections.abc import Iterable
from typing import Final

from firmware.history.record import StoredScan
from firmware.history.results import PlayerResult, results_of
from firmware.terminal import Json

CSV_COLUMNS: Final = (
    "scan", "time", "time_known", "game", "variant", "level", "edition",
    "player", "points", "rank", "winner", "photo",
)  # fmt: skip
_FORMULA_BEGINS: Final = ("=", "+", "-", "@")
"""A spreadsheet takes a text that begins so for a formula and computes it."""


def stored_scan_json(scan: StoredScan) -> Json:
    """All that is stored of a scan."""
    record = scan.record
    return {
        "scan": scan.seq,
        "time": scan.at.iso,
        "time_known": scan.at.known,
        "game": record.game,
        "variant": record.variant,
        "level": record.level,
        "edition": record.edition,
        "photo": record.photo,
        "health": list(record.health),
        "rescan_of": record.rescan_of,
        "corrections": list(record.corrections),
        "reading": record.reading,
        "table": record.table,
        "sheet": record.sheet,
    }


def export_json(scans: Iterable[StoredScan]) -> Json:
    """All scans in the given order."""
    return {"scans": [stored_scan_json(scan) for scan in scans]}


def export_csv(scans: Iterable[StoredScan]) -> str:
    """A row for each player of each scan, in the given order, after a row with the columns."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(CSV_COLUMNS)
    for scan in scans:
        for player in results_of(scan.record.sheet) or (None,):
            writer.writerow(_row(scan, player))
    return text.getvalue()


def _row(scan: StoredScan, player: PlayerResult | None) -> list[object]:
    record = scan.record
    result: tuple[object, ...] = ("", "", "", "")
    if player is not None:
        result = (_text(player.name), player.points, player.rank, _yes_no(player.won))
    return [
        scan.seq,
        scan.at.iso,
        _yes_no(scan.at.known),
        record.game,
        record.variant,
        record.level,
        _text(record.edition),
        *result,
        record.photo or "",
    ]


def _yes_no(value: object) -> str:
    return "yes" if value else "no"


def _text(given: str) -> str:
    """A text of a user's, which no spreadsheet shall compute."""
    return f"'{given}" if given.startswith(_FORMULA_BEGINS) else given
