"""Games of one table as scanners exchange them over MQTT; messages of others are checked."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, Final

import msgspec

from firmware.base.json_text import json_text
from firmware.games.player_words import is_colour_name
from firmware.history.player_names import tidy_name
from firmware.history.record import StoredScan
from firmware.history.stored_sheet import parse_results, parse_shown_numbers, summarize_winners
from firmware.wording.ranges import Range, RangeQuality
from scoring.legality import seat_number

MAX_SENT_GAMES: Final = 40
"""Most games in the message of a table, the latest ones. A tournament day has fewer."""
MAX_GAMES_BYTES: Final = 30_000
"""Largest message about the games of a table, in bytes; the oldest games are left out."""
MAX_SENT_PLAYERS: Final = 12
"""Largest number of players of one game."""
MAX_SENT_NAME_LETTERS: Final = 40

_Name = Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_SENT_NAME_LETTERS)]
_Points = Annotated[int, msgspec.Meta(ge=-1000, le=10_000)]
_Rank = Annotated[int, msgspec.Meta(ge=1, le=MAX_SENT_PLAYERS)]
_Count = Annotated[int, msgspec.Meta(ge=0, le=1000)]


@dataclass(frozen=True, slots=True)
class ClubPlayer:
    """Result of a player in one game.

    Attributes:
        name: Name as the sheet has it; ``P3`` or a colour for a player without a name.
        points: Points as read.
        rank: Rank as read, 1 for every winner.
        points_range: Points that are possible; None if they are not bounded.
        rank_range: Ranks that are possible.
    """

    name: str
    points: int
    rank: int
    points_range: Range | None
    rank_range: Range

    @property
    def has_name(self) -> bool:
        """True if this is the name of a person, not of a seat or a colour."""
        return seat_number(self.name) is None and not is_colour_name(self.name)

    @property
    def key(self) -> str:
        """Name by which a person is found again: however it is spaced and capitalised."""
        return " ".join(unicodedata.normalize("NFKC", self.name).casefold().split())


@dataclass(frozen=True, slots=True)
class ClubGame:
    """Game played at a table of the club.

    Attributes:
        table: Identifier of the scanner; empty for the own one.
        seq: Number of the game in the scanner's history.
        at: Time of the scan in UTC, by the scanner's clock.
        is_time_known: True if that clock had been set.
        game: Identifier of the game.
        open_count: Number of places that are not sure or not read.
        players: Results in seat order.
    """

    table: str
    seq: int
    at: datetime
    is_time_known: bool
    game: str
    open_count: int
    players: tuple[ClubPlayer, ...]

    @property
    def is_open(self) -> bool:
        """True if points or ranks may still change."""
        return any(one.points_range is None or one.points_range.is_open for one in self.players)


class _PlayerShape(msgspec.Struct, frozen=True):
    name: _Name
    points: _Points
    rank: _Rank
    points_range: tuple[_Points, _Points] | None = None
    rank_range: tuple[_Rank, _Rank] | None = None


class _GameShape(msgspec.Struct, frozen=True):
    scan: Annotated[int, msgspec.Meta(ge=1, lt=2**53)]
    time: Annotated[str, msgspec.Meta(max_length=40)]
    time_known: bool
    game: Annotated[str, msgspec.Meta(max_length=40)]
    open_count: _Count = msgspec.field(name="to_check")
    players: Annotated[
        tuple[_PlayerShape, ...], msgspec.Meta(min_length=1, max_length=MAX_SENT_PLAYERS)
    ]
    winner_certain: bool = False


def game_message(scan: StoredScan) -> dict[str, Any] | None:
    """Return the message on a stored game for other scanners; None if it has no points."""
    sheet = scan.record.sheet
    results = parse_results(sheet)
    if not 1 <= len(results) <= MAX_SENT_PLAYERS:
        return None
    winners, ranges = sum(each.won for each in results), sheet.get("ranges") or {}
    bounds, ranks = ranges.get("players", ()), ranges.get("ranks", ())
    # A city that was not read may have any number of points
    is_whole = bool(ranges) and not sheet.get("unread")
    known = parse_shown_numbers(sheet).ranges
    is_unbounded = known is not None and known.quality is RangeQuality.UNBOUNDED
    players = []
    for seat, each in enumerate(results):
        # Equal points share a rank; a tie-break may still have one winner
        rank = 1 if each.won else max(each.rank, winners + 1)
        player_message = {"name": each.name, "points": each.points, "rank": min(rank, len(results))}
        least, most = bounds[seat] if seat < len(bounds) else (0, 0)
        if is_whole and seat < len(bounds) and not (is_unbounded and least < most):
            player_message["points_range"] = [least, most]
        if is_whole and seat < len(ranks):
            player_message["rank_range"] = list(ranks[seat])
        players.append(player_message)
    return {
        "scan": scan.seq,
        "time": scan.at.iso,
        "time_known": scan.at.known,
        "game": scan.record.game,
        "to_check": summarize_winners(sheet).open_count,
        "players": players,
        "winner_certain": is_whole and ranges.get("winner_certain", False),
    }


def games_message(scans: Iterable[StoredScan]) -> list[dict[str, Any]]:
    """Return the messages on the latest games for other scanners.

    Args:
        scans: Stored games, latest first.
    """
    messages: list[dict[str, Any]] = []
    size = 0
    for scan in scans:
        message = game_message(scan)
        if message is None:
            continue
        size += len(f"{json_text(message, ascii_only=False)}, ".encode())
        if size > MAX_GAMES_BYTES or len(messages) == MAX_SENT_GAMES:
            break
        messages.append(message)
    return messages


def parse_game(table: str, value: object) -> ClubGame | None:
    """Return a game from the message of a scanner; None if it has the wrong form."""
    try:
        message = msgspec.convert(value, _GameShape)
        local = datetime.fromisoformat(message.time)
        at = local.astimezone(UTC)
    except (msgspec.ValidationError, ValueError, OverflowError):
        return None
    names = [_plain(each.name) for each in message.players]
    if local.tzinfo is None or not all(names) or len(set(names)) < len(names):
        return None
    game = message.game if re.fullmatch(r"[a-z0-9-]+", message.game) else ""
    players = _players(message, names)
    return ClubGame(table, message.scan, at, message.time_known, game, message.open_count, players)


def _plain(name: str) -> str:
    """Return a name without letters that cannot be printed, such as those that turn the text."""
    printable = "".join(each for each in name if each.isprintable())
    return tidy_name(printable)


def _players(message: _GameShape, names: list[str]) -> tuple[ClubPlayer, ...]:
    is_open = message.open_count > 0
    bounds: list[Range | None] = []
    for each in message.players:
        certain, given = Range(each.points, each.points), each.points_range
        if not is_open:
            bounds.append(certain)
        elif given is None:
            bounds.append(None)
        else:
            bounds.append(Range(min(*given, each.points), max(*given, each.points)))
    count, winners = len(names), sum(each.rank == 1 for each in message.players)
    ranks = []
    for seat, (each, own) in enumerate(zip(message.players, bounds, strict=True)):
        if not is_open:
            ranks.append(Range(each.rank, each.rank))
            continue
        if each.rank_range is not None:
            ranks.append(Range(min(*each.rank_range, each.rank), max(*each.rank_range, each.rank)))
            continue
        others = [*bounds[:seat], *bounds[seat + 1 :]]
        ahead = sum(_is_ahead(other, own) for other in others)
        behind = sum(_is_ahead(own, other) for other in others)
        found = Range(1 + ahead, count - behind)
        if message.winner_certain:
            found = Range(1, 1) if each.rank == 1 else Range(max(found.least, winners + 1), count)
        # A rank as read is possible, whatever points a scanner sends
        ranks.append(Range(min(found.least, each.rank), max(found.most, each.rank)))
    return tuple(
        ClubPlayer(name, each.points, each.rank, own, rank)
        for name, each, own, rank in zip(names, message.players, bounds, ranks, strict=True)
    )


def _is_ahead(one: Range | None, other: Range | None) -> bool:
    """Return whether the least points of one are more than the most of the other."""
    return one is not None and other is not None and one.least > other.most
