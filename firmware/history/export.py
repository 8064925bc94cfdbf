"""Stored scans as JSON and as CSV, a row for each player, and statistics of them as JSON."""

import csv
import io
from collections.abc import Iterable
from dataclasses import asdict
from datetime import datetime
from typing import Any, Final

from firmware.base.terminal import Json
from firmware.history import StoredScan
from firmware.history.stats import GameStats
from firmware.history.stored_sheet import parse_results

CSV_COLUMNS: Final = (
    "scan", "time", "time_known", "game", "variant", "level", "edition",
    "player", "points", "rank", "winner", "photo",
)  # fmt: skip
_FORMULA_BEGINS: Final = ("=", "+", "-", "@")
"""First letters by which a spreadsheet takes a text for a formula and computes it."""

_JSON_KEYS: Final = {"seq": "scan", "partners": "neighbours"}
"""Fields of statistics that have another name in JSON."""
_RECORD_JSON_KEYS: Final = {"before_correction": "was"}
"""Fields of a record that have another name in JSON."""
_NOT_IN_JSON: Final = (
    "eye_reading",
    "unapplied_corrections",
    "read_as",
    "taken_over",
    "own_names",
    "patches",
)
"""Fields of a record that only a further scan of its table needs."""
_KEPT_OF_REPLACED: Final = ("photo", "corrections", "table", "sheet")


def stats_json(stats: Iterable[GameStats]) -> Json:
    """Return statistics as JSON, averages to a hundredth."""
    games = [plain_json(asdict(each)) for each in stats]
    for each in games:
        del each["unsure"]  # for people; programs see it in the sheets
    return {"games": games}


def plain_json(value: Any) -> Any:
    """Return statistics as JSON has them: averages to a hundredth, times to the minute."""
    if isinstance(value, dict):
        return {_JSON_KEYS.get(key, str(key)): plain_json(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain_json(each) for each in value]
    if isinstance(value, datetime):
        return value.isoformat(timespec="minutes")
    return round(value, 2) if isinstance(value, float) else value


def stored_scan_json(scan: StoredScan) -> Json:
    """Return a stored scan as JSON; the result alone of one it replaced."""
    values = {
        _RECORD_JSON_KEYS.get(name, name): value
        for name, value in asdict(scan.record).items()
        if name not in _NOT_IN_JSON
    }
    before_rescan = scan.record.replaced
    if before_rescan is not None:
        values["replaced"] = {name: before_rescan[name] for name in _KEPT_OF_REPLACED}
    return {"scan": scan.seq, "time": scan.at.iso, "time_known": scan.at.known, **values}


def export_json(scans: Iterable[StoredScan]) -> Json:
    """Return scans as JSON in the given order."""
    return {"scans": [stored_scan_json(scan) for scan in scans]}


def export_csv(scans: Iterable[StoredScan]) -> str:
    """Return CSV: a header, then a row for each player of each scan, in the given order."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(CSV_COLUMNS)
    for scan in scans:
        record, time = scan.record, (scan.seq, scan.at.iso, _yes_no(scan.at.known))
        edition = _quote_formula(record.edition)
        results: list[tuple[object, ...]] = [
            (_quote_formula(player.name), player.points, player.rank, _yes_no(player.won))
            for player in parse_results(record.sheet)
        ]
        for result in results or [("", "", "", "")]:
            played = (record.game, record.variant, record.level, edition, *result)
            writer.writerow((*time, *played, record.photo or ""))
    return text.getvalue()


def _yes_no(value: object) -> str:
    return "yes" if value else "no"


def _quote_formula(given: str) -> str:
    """Quote a text of a user that a spreadsheet would compute."""
    return f"'{given}" if given.lstrip().startswith(_FORMULA_BEGINS) else given
