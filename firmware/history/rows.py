"""Between a scan and its row in the database."""

import json
from collections.abc import Sequence
from typing import Any

from firmware.history.clock import WallTime, parsed_time
from firmware.history.errors import HistoryError
from firmware.history.record import ScanRecord, StoredScan


def row_of(record: ScanRecord, at: WallTime) -> tuple[object, ...]:
    """The values of a row, in the order of ``firmware.history.database.COLUMNS``."""
    return (
        at.iso,
        int(at.known),
        record.game,
        record.variant,
        record.level,
        record.edition,
        record.photo,
        json.dumps(list(record.health)),
        record.rescan_of,
        json.dumps(list(record.corrections)),
        json.dumps(record.reading),
        json.dumps(record.table),
        json.dumps(record.sheet),
    )


def scan_of(row: Sequence[Any], where: str) -> StoredScan:
    """The scan of a row, which begins with its sequence number.

    Raises:
        HistoryError: ``scan-damaged``.
    """
    seq, at_utc, known, game, variant, level, edition, photo, health, rescan_of, *texts = row
    try:
        corrections, reading, table, sheet = (json.loads(text) for text in texts)
        record = ScanRecord(
            game=str(game),
            variant=str(variant),
            level=int(level),
            edition=str(edition),
            reading=dict(reading),
            table=dict(table),
            sheet=dict(sheet),
            corrections=tuple(map(str, corrections)),
            photo=None if photo is None else str(photo),
            health=tuple(map(str, json.loads(health))),
            rescan_of=None if rescan_of is None else int(rescan_of),
        )
        return StoredScan(int(seq), WallTime(parsed_time(at_utc), bool(known)), record)
    except (ValueError, TypeError, RecursionError) as error:
        raise HistoryError(
            "scan-damaged",
            f"scan {seq} is damaged: delete it with stadtblick history delete {seq}",
            where,
        ) from error
