"""A scan as it is remembered: plain values, ready for JSON."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from firmware.history.clock import WallTime

if TYPE_CHECKING:
    from firmware.corrections import Correction
    from firmware.scan import Scan
    from firmware.terminal import Json
    from vision.reading import Reading


@dataclass(frozen=True, slots=True)
class ScanRecord:
    """What is stored of one scan.

    Attributes:
        game: its identifier.
        variant: how the players share the cities; ``standard`` for games without variants.
        level: 1 for games without levels.
        edition: whose look the tiles have.
        reading: what the eye saw, as ``stadtblick read --json`` prints it.
        corrections: what a person said, as ``--set`` takes it, in this order.
        table: what was scored, as ``stadtblick score`` takes it; empty for a game without rules.
        sheet: the result, as ``stadtblick scan --json`` prints it.
        photo: name of the photo among those kept; None: it was not kept.
        health: what the computer suffered from: ``under-voltage``, ``too-hot``, ``throttled``.
        rescan_of: sequence number of the scan of the same table before this one.
    """

    game: str
    variant: str
    level: int
    edition: str
    reading: "Json"
    table: "Json"
    sheet: "Json"
    corrections: Sequence[str] = ()
    photo: str | None = None
    health: Sequence[str] = ()
    rescan_of: int | None = None


@dataclass(frozen=True, slots=True)
class StoredScan:
    """A scan with what it got when it was stored.

    Attributes:
        seq: sequence number, counted from 1; later scans have higher ones, whatever the clock
            says, and none is given twice.
        at: the time, as the clock had it.
        record: the scan.
    """

    seq: int
    at: WallTime
    record: ScanRecord


def record_of(
    scan: "Scan",
    corrections: Sequence["Correction"] = (),
    *,
    read: "Reading | None" = None,
    photo: str | None = None,
    health: Sequence[str] = (),
    rescan_of: int | None = None,
) -> ScanRecord:
    """What is stored of a scan.

    Args:
        scan: after the corrections.
        corrections: what a person said.
        read: the reading before the corrections; None: only that of the scan is known.
        photo: name that ``History.keep_photo`` gave.
        health: what the computer suffered from.
        rescan_of: sequence number of the scan of the same table before this one.
    """
    from firmware.output import reading_json, scan_json

    table = reading_json(scan)["table"] or {}
    seen = replace(scan, reading=scan.reading if read is None else read, table=None, findings=())
    return ScanRecord(
        game=scan.reading.game,
        variant=table.get("variant", "standard"),
        level=table.get("level", 1),
        edition=scan.reading.edition,
        reading=reading_json(seen),
        table=table,
        sheet=scan_json(scan),
        corrections=tuple(map(str, corrections)),
        photo=photo,
        health=tuple(health),
        rescan_of=rescan_of,
    )
