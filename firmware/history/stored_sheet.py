"""Players, cities and winners of a stored sheet, and the sentence on who has won."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from firmware.base.language import _
from firmware.games.game import Game
from firmware.games.player_words import shown_name
from firmware.games.registry import games
from firmware.games.scores import CityPoints, PlayerResult, results_from_totals
from firmware.wording.ranges import Range, RangeQuality, Ranges, ShownNumbers
from firmware.wording.winners import any_of, result_sentence, winner_sentence


def parse_results(sheet: Mapping[str, Any]) -> tuple[PlayerResult, ...]:
    """Return the players of a stored sheet in its order; empty if its form is not known."""
    try:
        if "players" in sheet:
            return tuple(
                PlayerResult(
                    str(one["name"]), int(one["final"]), int(one["rank"]), seat in sheet["winners"]
                )
                for seat, one in enumerate(sheet["players"])
            )
        totals = {str(name): int(points) for name, points in sheet["totals"].items()}
        return results_from_totals(totals, sheet["winners"])
    except (KeyError, TypeError, ValueError, AttributeError):
        return ()


def parse_city_points(sheet: Mapping[str, Any]) -> tuple[CityPoints, ...]:
    """Return the points of each city of a stored sheet, without reasons; empty if it has none."""
    return tuple(
        CityPoints(
            city["name"],
            city["total"],
            city["points"] if isinstance(city.get("points"), Mapping) else {},
        )
        for city in sheet.get("cities") or ()
        if "total" in city
    )


@dataclass(frozen=True, slots=True)
class WinnerSummary:
    """Winners of a table, or those who can still win, with all points.

    Attributes:
        players: All players, in the order of the sheet; empty if the game has no points.
        shown_numbers: Points and ranks as people see them.
        open_count: Number of places that are not sure or not read: the points may still change.
    """

    players: tuple[PlayerResult, ...]
    shown_numbers: ShownNumbers
    open_count: int

    @property
    def winners(self) -> tuple[PlayerResult, ...]:
        """Winners; several share the victory, and a game without points has none."""
        return tuple(each for each in self.players if each.won)

    @property
    def winner_points(self) -> str:
        """Points of each winner, such as ``57`` or ``55–57``; empty without winners.

        While others can win as well, a ``?`` follows.
        """
        best = next((seat for seat, each in enumerate(self.players) if each.won), None)
        if best is None:
            return ""
        shown = self.shown_numbers.final(best, self.players[best].points)
        return f"{shown}?" if self.shown_numbers.contenders and not shown.endswith("?") else shown

    @property
    def contenders(self) -> tuple[int, ...]:
        """Indices of the players who can win while that is open; else empty."""
        return tuple(seat for seat in self.shown_numbers.contenders if seat < len(self.players))

    @property
    def list_entry(self) -> tuple[str, str]:
        """Names and points of the winners, or of all who can win, for a list of games."""
        ranges, seats = self.shown_numbers.ranges, self.contenders
        if ranges is None or not seats:
            return ", ".join(self.winner_names), self.winner_points
        bounds = [ranges.players[seat] for seat in seats]
        span = Range(min(each.least for each in bounds), max(each.most for each in bounds))
        names = any_of([shown_name(self.players[seat].name) for seat in seats])
        return names, f"{span}{self.shown_numbers.mark}"

    @property
    def is_certain(self) -> bool:
        """True if these players win for certain: nothing is open, or they win anyway."""
        return bool(self.players) and (
            self.shown_numbers.wins_anyway or not self.shown_numbers.is_open
        )

    @property
    def winner_names(self) -> list[str]:
        """Names of the winners in the language in use."""
        return [shown_name(one.name) for one in self.winners]

    @property
    def sentence(self) -> str:
        """Sentence that names the winners, or those who can win; empty without winners."""
        winners = self.winners
        if not winners:
            return ""
        as_read = winner_sentence(self.winner_names, self.winner_points, winners[0].points)
        return result_sentence(
            self.shown_numbers, [shown_name(one.name) for one in self.players], as_read
        )

    def __str__(self) -> str:
        return (
            f"{', '.join(self.winner_names)} {self.winner_points}"
            if self.winners
            else _("no result")
        )


def summarize_winners(sheet: Mapping[str, Any]) -> WinnerSummary:
    """Return who has won, or can still win, by a stored sheet."""
    open_count = sum(len(sheet.get(key) or ()) for key in ("unsure", "unread"))
    return WinnerSummary(parse_results(sheet), parse_shown_numbers(sheet), open_count)


def parse_shown_numbers(sheet: Mapping[str, Any]) -> ShownNumbers:
    """Return points and ranks of a stored sheet as people see them."""
    if any(sheet.get(key) for key in ("unsure", "unread", "ranges")):
        with suppress(KeyError, TypeError, ValueError, AttributeError):
            ranges_json = sheet["ranges"]
            cities, players, ranks = (
                tuple(Range(int(least), int(most)) for least, most in ranges_json[name])
                for name in ("cities", "players", "ranks")
            )
            winners = tuple(map(int, ranges_json["winners"]))
            certain, limits = bool(ranges_json["winner_certain"]), Range(0, _most_points(sheet))
            if limits in (*cities, *players):
                quality = RangeQuality.UNBOUNDED
            else:
                is_exact = ranges_json.get("exact", True)
                quality = RangeQuality.EXACT if is_exact else RangeQuality.BOUNDS
            ranges = Ranges(
                cities,
                players,
                ranks,
                winners,
                certain,
                (),
                quality=quality,
            )
            return ShownNumbers(ranges, "" if ranges_json["complete"] else "?")
        return ShownNumbers(mark="?")
    return ShownNumbers()


def _most_points(sheet: Mapping[str, Any]) -> int:
    game = games().get(str(sheet.get("game")))
    return Game.most_points if game is None else game.most_points
