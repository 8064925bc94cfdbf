"""Who has won: rulebook, "Wertung" and "Unentschieden".

Players with the same final score are compared by their best tourists, then by their second
best, and so on; then they share their rank. A tourist who is not there is worth as much as one
without points.
"""

from collections.abc import Sequence

from scoring.games.cities.points import tourist_reasons
from scoring.games.cities.sheet import PlayerScore, Points, Reason, TieBreak, TouristScore
from scoring.games.cities.table import TOURISTS_PER_PLAYER, City, Table
from scoring.legality import player_name
from scoring.ranking import Standing, nearest_rivals, rank_of


def score_players(table: Table) -> tuple[PlayerScore, ...]:
    """Points and rank of every player, in seat order.

    Args:
        table: a table that the rules allow; its fields may be None.
    """
    reasons = [tourist_reasons(city, table.level) for city in table.cities]
    tourists = [_tourist_scores(city, own) for city, own in zip(table.cities, reasons, strict=True)]
    standings = [_standing(own) for own in tourists]
    return tuple(
        PlayerScore(
            name=player_name(table.players, player),
            final=standings[player][0],
            rank=rank_of(player, standings),
            points=Points.of(reasons[player]),
            tourists=tourists[player],
            reasons=reasons[player],
            tie_break=_tie_break(player, standings),
        )
        for player in range(len(table.cities))
    )


def _tourist_scores(city: City, reasons: Sequence[Reason]) -> tuple[TouristScore, ...]:
    points = dict.fromkeys(city.tourists, 0)
    for reason in reasons:
        points[reason.tourist] += reason.points
    return tuple(TouristScore(tourist, points[tourist]) for tourist in city.tourists)


def _standing(tourists: Sequence[TouristScore]) -> Standing:
    """The final score, then each tourist's points, the best first."""
    points = sorted((tourist.points for tourist in tourists), reverse=True)
    absent = [0] * (TOURISTS_PER_PLAYER - len(points))
    return (sum(points), *points, *absent)


def _tie_break(player: int, standings: Sequence[Standing]) -> TieBreak | None:
    """How the player stands to the nearest of those with the same final score."""
    against = nearest_rivals(player, standings)
    if not against:
        return None
    own, other = standings[player], standings[against[0]]
    if own == other:
        return TieBreak(against)
    tourist = next(index for index in range(1, len(own)) if own[index] != other[index])
    return TieBreak(against, tourist, own[tourist], other[tourist])
