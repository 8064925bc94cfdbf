"""Views with statistics of past games."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from firmware.base.language import Phrase, format_decimal
from firmware.games.player_words import shown_name
from firmware.games.registry import game_or_unscored, games
from firmware.games.scoring_options import STANDARD_VARIANT
from firmware.history.player_names import is_seat_name
from firmware.history.stats import GameStats, PlayerStats
from firmware.screens import words
from firmware.screens.canvas import BODY_ROWS
from firmware.screens.result_views import Row, ScoreView, ViewNumber
from firmware.screens.view import Hints, Text
from firmware.screens.words import Hint

MAX_SHOWN_PLAYERS: Final = 3 * BODY_ROWS
"""Largest number of players that are shown for a game, those who won most often first."""


def stats_views(stats: Sequence[GameStats]) -> tuple[ScoreView, ...]:
    """Return the views on each game: number of games, players, and parts of the score."""
    views = [view for number, each in enumerate(stats, 1) for view in _views_of_game(number, each)]
    following = Hint.NEXT if len(views) > 1 else Hint.NOTHING
    return tuple(
        replace(view, view_number=ViewNumber(number, len(views)), hints=Hints(Hint.BACK, following))
        for number, view in enumerate(views, start=1)
    )


def _views_of_game(number: int, stats: GameStats) -> Iterator[ScoreView]:
    game = games().get(stats.game)
    title: tuple[Text, ...] = (stats.game,) if game is None else (Phrase(game.title),)
    highest = stats.highest
    best = shown_name(highest.player)
    most = (words.RECORD,) if is_seat_name(highest.player) else (words.MAX_OF.fill(name=best), best)
    overall = (
        _played(stats),
        Row((words.AVERAGE,), format_decimal(stats.average)),
        Row(most, str(highest.points)),
    )
    yield ScoreView(name=f"stats-{number}", title=title, rows=overall)
    players = [_player(one) for one in stats.players[:MAX_SHOWN_PLAYERS]]
    yield from _listed(f"stats-{number}-players", words.WINS_AND_AVERAGE, players)
    parts = [
        Row(
            (game_or_unscored(stats.game).part_name(one.part),),
            f"{format_decimal(one.average)} {one.best:3}",
        )
        for one in stats.parts
    ]
    yield from _listed(f"stats-{number}-parts", words.AVERAGE_AND_MOST, parts)


def _played(stats: GameStats) -> Row:
    """Return the row with the number of games, and the level or variant if it is unusual."""
    game, played = games().get(stats.game), words.PLAYED.fill(n=stats.games)
    if game is not None and len(game.rules.LEVELS) > 1:
        return Row((words.LEVEL.fill(n=stats.level),), played)
    if stats.variant != STANDARD_VARIANT and stats.variant in words.VARIANTS:
        return Row((words.VARIANTS[stats.variant],), played)
    return Row((played,))


def _player(one: PlayerStats) -> Row:
    return Row((shown_name(one.name),), f"{one.wins}/{one.games} {format_decimal(one.average):>5}")


def _listed(name: str, title: Text, rows: Sequence[Row]) -> Iterator[ScoreView]:
    """Yield views with all rows, as many on each as the display has room for."""
    for start in range(0, len(rows), BODY_ROWS):
        shown = tuple(rows[start : start + BODY_ROWS])
        yield ScoreView(name=f"{name}-{start // BODY_ROWS + 1}", title=(title,), rows=shown)
