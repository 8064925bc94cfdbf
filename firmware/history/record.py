"""Scan as the history stores it: plain values, ready for JSON.

A stored scan is a past game: users read "game", and its sequence number is the number of the game,
``scan`` in JSON.

Sequence numbers order the scans: the time of one may not be known, see ``firmware.history.clock``.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from firmware.games.scan import Scan
from firmware.history.clock import WallTime

if TYPE_CHECKING:
    from firmware.scan.corrections import Correction
    from vision.patches.comparison import Patch
    from vision.reading import Place, Reading


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanRecord:
    """Stored values of one scan.

    Two earlier versions of it may be kept: ``before_correction``, from before a person corrected
    the past game, and ``replaced``, from before the table was scanned again.

    Each field is a column of the database (``database.COLUMNS``). A new one needs a new
    ``SCHEMA_VERSION`` and, unless it is text or a number, a place in ``rows._AS_JSON``. If later
    corrections leave it as it is, ``with_later_corrections`` must name it.

    Attributes:
        game: Identifier of the game.
        variant: Variant of the game; ``standard`` for games without variants.
        level: Level of the game; 1 for games without levels.
        edition: Name of the edition that the tiles are of.
        photo: File name of the photo; None if it was not kept.
        health: Problems of the computer: ``under-voltage``, ``too-hot``, ``throttled``.
        corrections: Corrections in the form of ``--set``, in the order in which they were made.
        reading: Reading before the corrections, as ``stadtblick read --json`` prints it.
        table: Scored table, as ``stadtblick score`` takes it; empty for a game without rules.
        sheet: Score sheet, as ``stadtblick scan --json`` prints it.
        before_correction: ``corrections``, ``table`` and ``sheet`` of the evening itself, if the
            past game was corrected since; else None. JSON calls it ``was``.
        eye_reading: Reading of the eye, followed by cities that the photo does not show, about
            which people have said something; None if it is ``reading``.
        unapplied_corrections: Corrections of earlier scans that do not count now: those that a
            person is asked to confirm, and those of the cities that the photo does not show.
        read_as: Face or kind of figure that the eye read where somebody has answered, by place
            (``A:3,4``).
        taken_over: Places of corrections that were taken over from an earlier scan of the table,
            and names of such options: ``owners``, ``order``, ``players``.
        own_names: Names that were given while the game had another number of players.
        patches: Pictures of the corrected tiles as they looked then, by place; see
            ``vision.patches.comparison``.
        replaced: Record of the scan before, in whose place a rescan of the table was stored,
            without its own ``replaced``; None if the table was scanned once.
    """

    game: str
    variant: str
    level: int
    edition: str
    photo: str | None = None
    health: tuple[str, ...] = ()
    corrections: tuple[str, ...] = ()
    reading: dict[str, Any]
    table: dict[str, Any]
    sheet: dict[str, Any]
    before_correction: dict[str, Any] | None = None
    eye_reading: dict[str, Any] | None = None
    unapplied_corrections: tuple[str, ...] = ()
    read_as: dict[str, str] = field(default_factory=dict)
    taken_over: tuple[str, ...] = ()
    own_names: tuple[tuple[str, ...], ...] = ()
    patches: dict[str, str] = field(default_factory=dict)
    replaced: dict[str, Any] | None = None

    def with_later_corrections(self, corrected: "ScanRecord") -> "ScanRecord":
        """Return the record of a past game that was corrected, which keeps the first score."""
        before = self.before_correction
        if before is None and (self.corrections, self.table) != (
            corrected.corrections,
            corrected.table,
        ):
            before = {name: getattr(self, name) for name in ("corrections", "table", "sheet")}
        kept = {name: getattr(self, name) for name in ("photo", "health", "replaced")}
        return replace(corrected, before_correction=before, **kept)

    def with_rescan(self, rescanned: "ScanRecord") -> "ScanRecord":
        """Return the record of a further scan of the same table; it keeps this one."""
        return replace(rescanned, replaced=asdict(replace(self, replaced=None)))


@dataclass(frozen=True, slots=True)
class StoredScan:
    """Record with its number and time in the history.

    Attributes:
        seq: Sequence number from 1. Later scans have higher ones, whatever the clock shows, and
            none is given twice.
        at: Time of the scan.
        record: Stored values.
    """

    seq: int
    at: WallTime
    record: ScanRecord


def make_record(
    scan: Scan,
    corrections: Sequence["Correction"] = (),
    *,
    reading_to_correct: "Reading | None" = None,
    eye_reading: "Reading | None" = None,
    unapplied_corrections: Sequence["Correction"] = (),
    options_taken_over: Sequence[str] = (),
    own_names: Sequence[tuple[str, ...]] = (),
    patches: "Mapping[Place, Patch] | None" = None,
) -> ScanRecord:
    """Return the record of a scan, without photo and health.

    Args:
        scan: Scan after the corrections.
        corrections: Corrections of a person.
        reading_to_correct: Reading before the corrections; None if it is that of the scan.
        eye_reading: Reading of the eye, see ``ScanRecord``; None if it is ``reading_to_correct``.
        unapplied_corrections: Corrections of cities in ``eye_reading`` that do not count now.
        options_taken_over: Names of the options that ``ScanRecord.taken_over`` lists.
        own_names: Names for other numbers of players, see ``ScanRecord``.
        patches: Pictures of the corrected tiles by place; None if there are none.
    """
    from firmware.scan.corrections import correction_text
    from firmware.scan.json_output import reading_json, scan_json  # loads rich, not at the start
    from vision.patches.comparison import patch_to_text

    def as_json(reading: "Reading") -> dict[str, Any]:
        return reading_json(replace(scan, reading=reading, table=None, findings=()))

    table, written_place = reading_json(scan)["table"] or {}, scan.naming.written_place
    answers = (*corrections, *unapplied_corrections)
    return ScanRecord(
        game=scan.reading.game,
        variant=table.get("variant", "standard"),
        level=table.get("level", 1),
        edition=scan.reading.edition,
        corrections=tuple(correction_text(each, scan.naming) for each in corrections),
        reading=as_json(reading_to_correct or scan.reading),
        table=table,
        sheet=scan_json(scan),
        eye_reading=None if eye_reading is None else as_json(eye_reading),
        unapplied_corrections=tuple(
            correction_text(each, scan.naming) for each in unapplied_corrections
        ),
        read_as={
            written_place(each.place): each.read_as for each in answers if each.read_as is not None
        },
        taken_over=(
            *(written_place(each.place) for each in answers if each.is_from_earlier),
            *options_taken_over,
        ),
        own_names=tuple(own_names),
        patches={
            written_place(each.place): patch_to_text((patches or {})[each.place])
            for each in answers
            if each.place in (patches or {})
        },
    )


def in_order_played(times: Iterable[tuple[int, str]]) -> list[int]:
    """Return numbers of games in the order in which they were played.

    Args:
        times: Number and time (``WallTime.iso``) of each game; an empty time if it is not known.
            Such a game counts as played right after the latest one with a smaller number.
    """
    placed, latest = [], ""
    for seq, time in sorted(times):
        latest = max(latest, time)
        placed.append((time or latest, seq))
    return [seq for _time, seq in sorted(placed)]
