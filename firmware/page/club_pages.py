"""Pages of a club's evening: standings over several tables, for phones and for a large screen."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from http import HTTPStatus
from typing import Any, Final

from starlette.responses import Response

from firmware.base.errors import OutputError
from firmware.base.language import _, format_decimal
from firmware.base.user_data import user_folder
from firmware.club.evening import (
    HOURS,
    MAX_NAME_CHARS,
    ClubTable,
    Evening,
    change_evening,
    evening_games,
    load_evening,
)
from firmware.club.games import ClubGame, ClubPlayer, game_message, parse_game
from firmware.club.standings import ClubStanding, Scoring, club_standings
from firmware.club.tables import utc_now
from firmware.games.player_words import shown_name
from firmware.games.registry import games as all_games
from firmware.history import HistoryError
from firmware.history.player_names import tidy_name
from firmware.page.context import PageContext
from firmware.page.page_request import PageRequest, RequestRefused, with_changes_of_others
from firmware.wording.ranges import Range

OWN_TABLE: Final = ""
"""Identifier of the table of this scanner."""
MAX_OWN_GAMES: Final = 200
"""Number of own games that are looked through, the latest ones."""
SCREEN_ROWS: Final = 11
"""Largest number of players for whom the large screen has all columns."""
FEW_SCREEN_ROWS: Final = 16
"""Largest number of players for whom two columns of the large screen have high rows."""
MAX_SCREEN_ROWS: Final = 22
"""Largest number of players on the large screen; further ones are on the page."""
SCREEN_GAMES: Final = 3
"""Number of games beside the standings of the large screen."""


@dataclass(frozen=True, slots=True)
class StandingRow:
    """Row of the standings.

    Attributes:
        standing: Player in the standings.
        name: Name for people.
        mean: Mean points in words; empty where games of several kinds were played.
        is_mean_open: True if the mean may still change.
    """

    standing: ClubStanding
    name: str
    mean: str
    is_mean_open: bool


@dataclass(frozen=True, slots=True)
class GameRow:
    """Game of the evening.

    Attributes:
        time: Hour and minute.
        table: Name of the table.
        winners: Names of the winners, or of those who can win.
        points: Points of the winners.
        others: Names and points of the others.
        is_open: True if points or ranks may still change.
        path: Address of the game; empty for a game of another table.
    """

    time: str
    table: str
    winners: str
    points: str
    others: str
    is_open: bool
    path: str


@dataclass(frozen=True, slots=True)
class TableRow:
    """Table of the evening.

    Attributes:
        number: Number of its field in the form.
        typed: Name that was given; empty without one.
        name: Name for people.
        state: State of its scanner in words.
        is_silent: True if its scanner is not connected.
        is_lost: True if it is silent, and its games are known.
    """

    number: int
    typed: str
    name: str
    state: str
    is_silent: bool
    is_lost: bool


class ClubPages:
    """Pages of a club's evening.

    Args:
        context: Context of the page.
    """

    def __init__(self, context: PageContext) -> None:
        self._context = context

    def show(self, request: PageRequest) -> Response:
        """Show standings, games and tables, with the form to set them up."""
        return self._context.render(request, "club", **self._values())

    def screen(self, request: PageRequest) -> Response:
        """Show the standings for a large screen, without buttons."""
        return self._context.render(request, "club_screen", **self._values())

    def change(self, request: PageRequest) -> Response:
        """Begin an evening, or store how it counts."""
        tables, form = self._tables(), request.form
        change_evening(user_folder(), lambda evening: _after_form(evening, tables, form))
        self._context.channel.notify_listeners()
        return self._context.redirect("/club")

    def _evening(self) -> tuple[Evening, tuple[ClubTable, ...]]:
        """Return the evening and all its tables, new ones among them."""
        tables = self._tables()
        evening = _with_tables(load_evening(user_folder()), tables)
        if len(tables) > 1:
            with suppress(OutputError):  # the order of the tables alone would be lost
                evening = change_evening(user_folder(), lambda stored: _with_tables(stored, tables))
        return evening, _known_tables(evening, tables)

    def _tables(self) -> tuple[ClubTable, ...]:
        return ClubTable(OWN_TABLE, self._own_games()), *self._context.channel.club.all()

    def _own_games(self) -> tuple[ClubGame, ...]:
        scans, _damaged = self._context.history.read_scans(MAX_OWN_GAMES, sheets_only=True)
        parsed = (parse_game(OWN_TABLE, game_message(scan)) for scan in scans)
        return tuple(each for each in parsed if each is not None)

    def _values(self) -> dict[str, Any]:
        evening, tables = self._evening()
        club, now = self._context.channel.club, utc_now()
        counted = evening_games(evening, tables, now)
        names = {table: _table_name(evening, table) for table in evening.tables}
        games = [_game_row(each, names) for each in reversed(counted.games)]
        rows = [
            _standing_row(each, names) for each in club_standings(counted.games, evening.scoring)
        ]
        latest = counted.games[-1] if counted.games else None
        return {
            "evening": evening,
            "title": evening.name or _("Club evening"),
            "since": "" if evening.started is None else _clock(evening.started),
            "rows": rows,
            "has_means": any(row.mean for row in rows),
            "is_open": any(game.is_open for game in games),
            "games": games,
            "untimed": counted.untimed,
            "table_count": len({game.table for game in counted.games}),
            "tables": self._table_rows(evening, tables),
            "photo": self._photo_of(latest),
            "highest": _highest(counted.games, names),
            "broker_lost": club.has_bridge and not club.is_connected,
            "has_bridge": club.has_bridge,
            "hours": HOURS,
            "most_letters": MAX_NAME_CHARS,
            "scorings": _scorings(),
            "full_rows": SCREEN_ROWS,
            "few_rows": FEW_SCREEN_ROWS,
            "most_rows": MAX_SCREEN_ROWS,
            "screen_games": SCREEN_GAMES,
        }

    def _photo_of(self, game: ClubGame | None) -> str:
        """Return the address of the photo of a game; empty if it is not here."""
        if game is None or game.table != OWN_TABLE:
            return ""
        try:
            stored = self._context.history.get(game.seq)
        except HistoryError:  # damaged, or deleted meanwhile; its result counts all the same
            return ""
        has_photo = self._context.history.photo_path(stored.record.photo) is not None
        return f"/history/{game.seq}/photo.jpg?v={game.open_count}" if has_photo else ""

    def _table_rows(self, evening: Evening, tables: Sequence[ClubTable]) -> list[TableRow]:
        rows = []
        club_tables = {each.table: each for each in tables}
        for number, (table, typed) in enumerate(evening.tables.items()):
            name, found = _table_name(evening, table), club_tables.get(table)
            is_silent = found is None or not found.is_online
            if table == OWN_TABLE:
                state = _("this scanner")
            elif not is_silent:
                state = _("connected")
            elif found is not None and found.last_message is not None:
                state = _("not connected; last heard at {time}").format(
                    time=_clock(found.last_message)
                )
            else:
                state = _("not connected")
            rows.append(
                TableRow(number, typed, name, state, is_silent, is_silent and found is not None)
            )
        return rows


def _after_form(evening: Evening, tables: Sequence[ClubTable], form: Any) -> Evening:
    """Return an evening that a form began, or whose settings it changed."""
    evening, do = _with_tables(evening, tables), form.get("do")
    if do == "begin":
        return evening.begun(utc_now(), _known_tables(evening, tables))
    if do == "hours":
        return replace(evening, started=None, marks={})
    if do == "save":
        return _with_form(evening, form)
    raise RequestRefused(HTTPStatus.BAD_REQUEST, _("That cannot be chosen."))


def _with_tables(evening: Evening, tables: Sequence[ClubTable]) -> Evening:
    return evening.with_tables(each.table for each in tables)


def _known_tables(evening: Evening, tables: Sequence[ClubTable]) -> tuple[ClubTable, ...]:
    return tuple(each for each in tables if each.table in evening.tables)


def _with_form(evening: Evening, form: Any) -> Evening:
    """Return an evening with the values of the form."""
    names = {f"table{n}": name for n, name in enumerate(evening.tables.values())}
    known = {"name": evening.name, "scoring": evening.scoring.value, "hours": str(evening.hours)}
    form = with_changes_of_others(form, known | names)
    scoring, hours = form.get("scoring", ""), form.get("hours", "")
    if scoring not in list(Scoring) or hours not in list(map(str, HOURS)):
        raise RequestRefused(HTTPStatus.BAD_REQUEST, _("That cannot be chosen."))
    tables = {
        table: _short(form.get(f"table{number}", name))
        for number, (table, name) in enumerate(evening.tables.items())
    }
    return replace(
        evening,
        name=_short(form.get("name", "")),
        scoring=Scoring(scoring),
        hours=int(hours),
        tables=tables,
    )


def _short(text: str) -> str:
    plain = "".join(each for each in text if each.isprintable())
    return tidy_name(plain)[:MAX_NAME_CHARS].rstrip()


def _scorings() -> list[tuple[Scoring, str]]:
    return [
        (Scoring.WINS, _("Wins, then place points, then mean points")),
        (Scoring.PLACE_POINTS, _("Place points, then wins, then mean points")),
    ]


def _table_name(evening: Evening, table: str) -> str:
    number = list(evening.tables).index(table) + 1
    return evening.tables[table] or _("Table {n}").format(n=number)


def _clock(at: datetime) -> str:
    return f"{at.astimezone():%H:%M}"


def _player(player: ClubPlayer, table: str) -> str:
    return shown_name(player.name) if player.has_name or not table else _at(player.name, table)


def _at(name: str, table: str) -> str:
    return _("{player} ({table})").format(player=shown_name(name), table=table)


def _standing_row(each: ClubStanding, names: dict[str, str]) -> StandingRow:
    name = shown_name(each.name) if each.table is None else _at(each.name, names[each.table])
    if each.mean is None:
        return StandingRow(each, name, "", is_mean_open=False)
    bounds = each.mean_bounds
    if bounds is None:
        return StandingRow(each, name, f"{format_decimal(each.mean)}?", is_mean_open=True)
    least, most = map(format_decimal, bounds)
    mean = least if least == most else f"{least}–{most}"
    return StandingRow(each, name, mean, is_mean_open=bounds[0] != bounds[1])


def _points(player: ClubPlayer) -> str:
    return f"{player.points}?" if player.points_range is None else str(player.points_range)


def _game_row(game: ClubGame, names: dict[str, str]) -> GameRow:
    won = [each for each in game.players if each.rank == 1]
    can_win = [each for each in game.players if each.rank_range.least == 1]
    is_certain = all(each.rank_range.most == 1 for each in won) and len(can_win) == len(won)
    first = won if is_certain else can_win
    others = sorted(
        (each for each in game.players if each not in first), key=lambda each: each.rank
    )
    winners = [shown_name(each.name) for each in first]
    if len(winners) > 1:
        listed = ", ".join(winners[:-1])
        pattern = _("{names} and {last}") if is_certain else _("{names} or {last}")
        winners = [pattern.format(names=listed, last=winners[-1])]
    return GameRow(
        time=_clock(game.at),
        table=names[game.table],
        winners="".join(winners),
        points=_points(first[0]) if is_certain and first else _span(first),
        others=" · ".join(f"{shown_name(each.name)} {_points(each)}" for each in others),
        is_open=game.is_open,
        path=f"/history/{game.seq}" if game.table == OWN_TABLE else "",
    )


def _span(players: Sequence[ClubPlayer]) -> str:
    """Return the points of several players as one range; empty if they may be anything."""
    ranges = [each.points_range for each in players]
    bounded = [each for each in ranges if each is not None]
    if len(bounded) < len(ranges) or not bounded:
        return ""
    return str(Range(min(each.least for each in bounded), max(each.most for each in bounded)))


def _highest(games: Sequence[ClubGame], names: dict[str, str]) -> dict[str, str] | None:
    """Return the most points of the evening; None without, or with games of several kinds."""
    if len({game.game for game in games}) != 1 or games[0].game not in all_games():
        return None
    best, game = max(
        ((player, game) for game in games for player in game.players),
        key=lambda pair: pair[0].points,
    )
    return {"name": _player(best, names[game.table]), "points": _points(best)}
