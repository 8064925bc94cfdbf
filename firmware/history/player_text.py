"""Statistics of a player as text for the terminal, as JSON, and as CSV."""

import csv
import io
from dataclasses import asdict
from typing import Final

from rich.console import Console
from rich.text import Text

from firmware.base.errors import printable
from firmware.base.language import _, _n, format_date, format_decimal
from firmware.base.terminal import Json
from firmware.games.registry import game_or_unscored
from firmware.history.export import plain_json
from firmware.history.player_stats import Career, Opponent
from firmware.history.text import print_rows, title_with_level

CSV_COLUMNS: Final = (
    "scan", "time", "game", "variant", "level", "points", "rank", "players", "won", "lead",
)  # fmt: skip


def summary_sentences(career: Career) -> list[str]:
    """Return the statistics of a player over all games, a sentence each."""
    streaks = career.streaks
    lines = [
        _n(
            "{n} game, {wins} won",
            "{n} games, {wins} won",
            career.games,
            wins=career.wins,
        )
    ]
    if career.since is not None:
        lines.append(_("first game on {day}").format(day=format_date(career.since)))
    if streaks.longest > 1:
        lines.append(
            _("longest streak: {n} wins in a row, now {now}").format(
                n=streaks.longest, now=streaks.current
            )
        )
    if streaks.drought > 1:
        lines.append(_("longest time without a win: {n} games").format(n=streaks.drought))
    if career.rival is not None:
        lines.append(rival_sentence(career.rival))
    return lines


def rival_sentence(rival: Opponent) -> str:
    """Return the sentence on the opponent who was ahead most often."""
    return _n(
        "rival: {name}, ahead in {n} of {games} games",
        "rival: {name}, ahead in {n} of {games} games",
        rival.behind,
        name=rival.name,
        games=rival.games,
    )


def print_career(console: Console, career: Career) -> None:
    """Print the statistics of a player."""
    console.print(Text(printable(career.name), style="bold"))
    for sentence in summary_sentences(career):
        console.print(Text(printable(f"  {sentence}")), soft_wrap=True)
    against = [(one.name, one.games, one.ahead, one.behind) for one in career.opponents]
    print_rows(console, (_("against"), _("games"), _("ahead"), _("behind")), against)
    months = [(month, one.games, one.wins) for month, one in career.months.items()]
    print_rows(console, (_("month"), _("games"), _("wins")), months)
    sizes = [(size, one.games, one.wins) for size, one in career.sizes.items()]
    print_rows(console, (_("players"), _("games"), _("wins")), sizes)
    for each in career.by_game:
        console.print()
        title = title_with_level(each.game, each.variant, each.level)
        heading = _n(
            "{game}: {n} game, {average} points on average, best {best} (game {scan})",
            "{game}: {n} games, {average} points on average, best {best} (game {scan})",
            len(each.played),
            game=title,
            average=format_decimal(each.average),
            best=each.best.points,
            scan=each.best.seq,
        )
        console.print(Text(printable(heading), style="bold"), soft_wrap=True)
        parts = [
            (
                game_or_unscored(each.game).part_name(one.part),
                format_decimal(one.own),
                format_decimal(one.table),
            )
            for one in each.parts
        ]
        print_rows(console, (_("points for"), _("own"), _("all")), parts)
        beside = [
            (one.name, one.cities, format_decimal(one.average), one.best) for one in each.partners
        ]
        print_rows(console, (_("beside"), _("cities"), _("average"), _("best")), beside)


def career_json(career: Career) -> Json:
    """Return the statistics of a player as JSON, averages to a hundredth."""
    values: Json = plain_json(asdict(career))
    return values


def career_csv(career: Career) -> str:
    """Return the games of a player as CSV, the oldest first of each game."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(CSV_COLUMNS)
    for each in career.by_game:
        for one in each.played:
            local = None if one.at is None else one.at.replace(tzinfo=None)
            time = "" if local is None else local.isoformat(" ", timespec="minutes")
            lead = "" if one.lead is None else one.lead
            won = "yes" if one.won else "no"
            kind = (each.game, each.variant, each.level)
            writer.writerow((one.seq, time, *kind, one.points, one.rank, one.players, won, lead))
    return text.getvalue()
