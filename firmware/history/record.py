"""A scan as it is remembered: plain values, ready for JSON, and the time as the clock had it.

A Raspberry Pi without a battery does not know the time until a network tells it. So a time is only
ever shown, never reckoned with: sequence numbers order what is stored.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from firmware.base.language import _
from firmware.games import Scan
from firmware.games.colours import player_name

if TYPE_CHECKING:
    from firmware.scan.corrections import Correction
    from vision.patches.comparison import Patch
    from vision.reading import Place, Reading

_SYNCHRONISED: Final = Path("/run/systemd/timesync/synchronized")
"""There as soon as systemd-timesyncd has heard the time from a server."""
_RTC: Final = Path("/sys/class/rtc/rtc0/since_epoch")
"""Seconds of the clock with a battery, where there is one."""
_EARLIEST_YEAR: Final = 2025
"""Whatever is earlier is a clock that was never set."""
_MOST_APART_S: Final = 86_400.0
"""A clock with a battery may keep local time."""


@dataclass(frozen=True, slots=True)
class WallTime:
    """A time as the computer's clock gave it.

    Attributes:
        utc: date and time in UTC, to the second.
        known: whether the clock had been set.
    """

    utc: datetime
    known: bool

    @property
    def iso(self) -> str:
        """Like ``2026-11-21T15:40:38Z``."""
        return self.utc.isoformat(timespec="seconds").replace("+00:00", "Z")

    def __str__(self) -> str:
        """Date and time where the computer is."""
        if not self.known:
            return _("time unknown")
        return self.utc.astimezone().strftime("%Y-%m-%d %H:%M")


def wall_time(synchronised: Path = _SYNCHRONISED, rtc: Path = _RTC) -> WallTime:
    """The time now.

    It is known if a server has told it since the start, or if a clock with a battery agrees.
    """
    utc = datetime.now(UTC).replace(microsecond=0)
    known = utc.year >= _EARLIEST_YEAR and (synchronised.exists() or _agrees(utc, rtc))
    return WallTime(utc, known)


def _agrees(utc: datetime, rtc: Path) -> bool:
    try:
        seconds = float(rtc.read_text("ascii"))
    except (OSError, ValueError):
        return False
    return abs(seconds - utc.timestamp()) < _MOST_APART_S


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanRecord:
    """What is stored of one scan.

    Attributes:
        game: its identifier.
        variant: how the players share the cities; ``standard`` for games without variants.
        level: 1 for games without levels.
        edition: whose look the tiles have.
        photo: name of the photo among those kept; None: it was not kept.
        health: what the computer suffered from: ``under-voltage``, ``too-hot``, ``throttled``.
        corrections: what a person said, as ``--set`` takes it, in this order.
        reading: what was read before the corrections, as ``stadtblick read --json`` prints it.
        table: what was scored, as ``stadtblick score`` takes it; empty for a game without rules.
        sheet: the result, as ``stadtblick scan --json`` prints it.
        was: ``corrections``, ``table`` and ``sheet`` as they were on the evening itself; None: they
            were not put right later.
        patches: pictures of the tiles that ``corrections`` are about, as they looked when a person
            answered, by place (``A:3,4``); see ``vision.patches.comparison``.
        replaced: this record as it was before the table was scanned again, without ``replaced``;
            None if it was scanned once.
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
    was: dict[str, Any] | None = None
    patches: dict[str, str] = field(default_factory=dict)
    replaced: dict[str, Any] | None = None

    def corrected_later(self, now: "ScanRecord") -> "ScanRecord":
        """This scan with what was put right later; what it was before that is kept."""
        was = self.was
        if was is None and (self.corrections, self.table) != (now.corrections, now.table):
            was = {name: getattr(self, name) for name in ("corrections", "table", "sheet")}
        kept = {name: getattr(self, name) for name in ("photo", "health", "replaced")}
        return replace(now, was=was, **kept)

    def updated(self, now: "ScanRecord") -> "ScanRecord":
        """The record of a further scan of the same table, which keeps this one as ``replaced``."""
        return replace(now, replaced=asdict(replace(self, replaced=None)))


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
    scan: Scan,
    corrections: Sequence["Correction"] = (),
    *,
    read: "Reading | None" = None,
    patches: "Mapping[Place, Patch] | None" = None,
) -> ScanRecord:
    """What is stored of a scan; photo and health are for the caller to add.

    Args:
        scan: after the corrections.
        corrections: what a person said.
        read: the reading before the corrections; None: only that of the scan is known.
        patches: Pictures of the tiles that a person answered about, by place.
    """
    from firmware.report.json_output import reading_json, scan_json
    from vision.patches.comparison import patch_to_text

    table = reading_json(scan)["table"] or {}
    seen = replace(scan, reading=scan.reading if read is None else read, table=None, findings=())
    return ScanRecord(
        game=scan.reading.game,
        variant=table.get("variant", "standard"),
        level=table.get("level", 1),
        edition=scan.reading.edition,
        corrections=tuple(map(str, corrections)),
        reading=reading_json(seen),
        table=table,
        sheet=scan_json(scan),
        patches={
            place_text(each): patch_to_text((patches or {})[each.place])
            for each in corrections
            if each.place in (patches or {})
        },
    )


def place_text(correction: "Correction") -> str:
    """Return the key of a correction's place in ``ScanRecord.patches``, such as ``A:3,4``."""
    return str(correction).rpartition("=")[0].strip()


class PlayerResult(NamedTuple):
    """One player's part of a sheet.

    Attributes:
        name: as the sheet has it.
        points: the final ones.
        rank: 1, 1, 3 and so on.
        won: alone or together with others.
    """

    name: str
    points: int
    rank: int
    won: bool


def results_of(sheet: Mapping[str, Any]) -> tuple[PlayerResult, ...]:
    """The players of a sheet of any game in its order; empty if it is none of a known form."""
    try:
        if "players" in sheet:
            return tuple(
                PlayerResult(
                    str(one["name"]), int(one["final"]), int(one["rank"]), seat in sheet["winners"]
                )
                for seat, one in enumerate(sheet["players"])
            )
        totals = {str(name): int(points) for name, points in sheet["totals"].items()}
        return tuple(
            PlayerResult(
                name,
                points,
                1 + sum(other > points for other in totals.values()),
                name in sheet["winners"],
            )
            for name, points in totals.items()
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        return ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """Who has won by a sheet, with how many points.

    Attributes:
        winners: one, or several who share the victory; none: the game has no points.
        open_places: so many were not sure or not read, so that the points may still change.
    """

    winners: tuple[PlayerResult, ...]
    open_places: int

    @property
    def points(self) -> str:
        """Of each winner: ``57?``; empty without any."""
        return f"{self.winners[0].points}{'?' if self.open_places else ''}" if self.winners else ""

    @property
    def names(self) -> list[str]:
        """Of the winners, as they are said."""
        return [player_name(one.name) for one in self.winners]

    @property
    def sentence(self) -> str:
        """Who has won; empty without any."""
        from firmware.wording.text_layout import winner_sentence

        winners = self.winners
        return winner_sentence(self.names, self.points, winners[0].points) if winners else ""

    def __str__(self) -> str:
        """In short: ``Ann, Ben 57?``."""
        return f"{', '.join(self.names)} {self.points}" if self.winners else _("no result")


def outcome_of(sheet: Mapping[str, Any], open_places: int | None = None) -> Outcome:
    """Who has won by a sheet as JSON; how much is open is as it says, if nobody says otherwise."""
    if open_places is None:
        open_places = sum(len(sheet.get(key) or ()) for key in ("unsure", "unread"))
    return Outcome(tuple(one for one in results_of(sheet) if one.won), open_places)
