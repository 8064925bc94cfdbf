"""Pages of the players: statistics with charts, games as CSV, another name."""

from datetime import date, timedelta
from http import HTTPStatus
from threading import Lock
from typing import Any, Final
from urllib.parse import quote

from starlette.responses import Response

from firmware.appliance.features.players import RenamePlayer
from firmware.base.language import _, format_date, format_decimal, format_month
from firmware.games.registry import game_or_unscored
from firmware.history import HistoryError
from firmware.history.errors import unknown_player
from firmware.history.player_names import check_player_name, tidy_name
from firmware.history.player_stats import Career, GameCareer, PlayedGame, WinCount, compute_career
from firmware.history.player_text import career_csv, rival_sentence
from firmware.history.text import title_with_level
from firmware.page.charts import (
    Chart,
    ChartWords,
    balance_chart,
    column_chart,
    course_chart,
    mark_chart,
)
from firmware.page.context import PageContext
from firmware.page.page_request import PageRequest, RequestRefused
from firmware.page.result_overview import sign_of_part

MAX_LATEST_GAMES: Final = 12
"""Number of games in the chart of the points, and of months in that of the wins."""
MAX_OPPONENTS: Final = 8
"""Number of opponents in the chart; the table has them all."""
_REFUSED: Final = ("name-not-allowed", "players-together")
"""Errors of a new name that a person can mend."""


class PlayerPages:
    """Pages of the players.

    Args:
        context: Context of the page.
    """

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._renaming = Lock()

    def _career(self, name: str) -> Career:
        career = compute_career(self._context.all_games(sheets_only=True), name)
        if career is None:
            raise RequestRefused(HTTPStatus.NOT_FOUND, unknown_player(name))
        return career

    def show(self, request: PageRequest) -> Response:
        """Show the statistics of a player."""
        return self._page(request)

    def _page(self, request: PageRequest, *, merged_with: str = "") -> Response:
        career = self._career(tidy_name(request.path_value("name")))
        return self._context.render(
            request,
            "player",
            player=career,
            since=None if career.since is None else format_month(career.since),
            rival=None if career.rival is None else rival_sentence(career.rival),
            head_to_head=_head_to_head(career),
            months=_months(career),
            by_game=[_game_values(each) for each in career.by_game],
            address=f"/players/{quote(career.name, safe='')}",
            known_names=self._context.channel.state.choices.names,
            merged_with=merged_with,
        )

    def as_csv(self, request: PageRequest) -> Response:
        """Return the games of a player as CSV."""
        data = career_csv(self._career(tidy_name(request.query_value("name")))).encode()
        return self._context.file_response(data, "text/csv", "stadtblick-player.csv")

    def rename(self, request: PageRequest) -> Response:
        """Rename the player; make one of two players only after a question.

        A second tap leads to the same page.
        """
        old, form = tidy_name(request.path_value("name")), request.form
        history = self._context.history
        try:
            new = check_player_name(form.get("name", ""))
            page = self._context.redirect(f"/players/{quote(new, safe='')}")
            with self._renaming:
                names = history.player_names()
                if new in names and old not in names:
                    return page
                if new != old and new in names and form.get("merge") != "yes":
                    return self._page(request, merged_with=new)
                self._context.check_interruptible()
                history.rename_player(old, new)
        except HistoryError as error:
            if error.code in _REFUSED:
                raise RequestRefused(HTTPStatus.UNPROCESSABLE_ENTITY, error) from error
            raise
        self._context.submit(RenamePlayer(old, new))
        return page


def _head_to_head(career: Career) -> Chart | None:
    if not career.opponents:
        return None
    words = ChartWords(
        "head-to-head",
        _("Head to head"),
        (_("Against"), _("ahead"), _("behind"), _("games")),
        (("own", _("{name} ahead").format(name=career.name)), ("lose", _("the other one ahead"))),
    )
    cells = [
        (one.name, str(one.ahead), str(one.behind), str(one.games)) for one in career.opponents
    ]
    rows = [(one.name, one.behind, one.ahead) for one in career.opponents[:MAX_OPPONENTS]]
    return balance_chart(words, rows, cells)


def _months(career: Career) -> Chart | None:
    if not career.months:
        return None
    words = ChartWords(
        "months",
        _("Games by month"),
        (_("month"), _("games"), _("wins")),
        (("own", _("won")), ("lose", _("not won"))),
    )
    played = {date.fromisoformat(f"{month}-01"): one for month, one in career.months.items()}
    cells = [(format_month(at), str(one.games), str(one.wins)) for at, one in played.items()]
    columns = [
        (format_month(at), one.games, one.wins)
        for at in _months_up_to(max(played), since=min(played))
        for one in (played.get(at, WinCount(0, 0)),)
    ]
    return column_chart(words, columns, cells)


def _months_up_to(last: date, *, since: date) -> list[date]:
    """Return the first days of the latest months, those without a game too."""
    months = [last]
    while len(months) < MAX_LATEST_GAMES and months[-1] > since:
        months.append((months[-1] - timedelta(days=1)).replace(day=1))
    return months[::-1]


def _game_values(career: GameCareer) -> dict[str, Any]:
    name = f"{career.game}-{career.variant}-{career.level}"
    return {
        "title": title_with_level(career.game, career.variant, career.level),
        "of": career,
        "course": _course(name, career.played[-MAX_LATEST_GAMES:]),
        "parts": _parts(name, career),
    }


def _course(name: str, played: tuple[PlayedGame, ...]) -> Chart | None:
    if len(played) < 2:
        return None
    dates = ["" if one.at is None else format_date(one.at) for one in played]
    words = ChartWords(
        f"course-{name}",
        _("Points in the last {n} games").format(n=len(played)),
        (_("game"), _("date"), _("points"), _("rank")),
        (("win", _("won")), ("dot", _("not won"))),
    )
    cells = [
        (str(one.seq), day, str(one.points), str(one.rank))
        for one, day in zip(played, dates, strict=True)
    ]
    games = [
        (day or _("game {n}").format(n=one.seq), one.points, one.won)
        for one, day in zip(played, dates, strict=True)
    ]
    return course_chart(words, games, cells)


def _parts(name: str, career: GameCareer) -> Chart | None:
    if not career.parts:
        return None
    words = ChartWords(
        f"parts-{name}",
        _("Points by building, on average"),
        (_("points for"), _("own"), _("all")),
        (("own", _("own")), ("av", _("all at these tables"))),
    )
    game = game_or_unscored(career.game)
    rows = [
        (game.part_name(one.part), sign_of_part(one.part).kind, one.own, one.table)
        for one in career.parts
    ]
    cells = [
        (label, format_decimal(own), format_decimal(table)) for label, _kind, own, table in rows
    ]
    return mark_chart(words, rows, cells)
