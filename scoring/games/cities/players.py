"""Who has won: rulebook, "Wertung" and "Unentschieden".

Players with the same final score are compared by their best tourists, then by their second
best, and so on; then they share their rank. A tourist who is not there is worth as much as one
without points.
"""

from collections.abc import Mapping, Sequence

from scoring.games.cities.points import tourist_reasons
from scoring.games.cities.sheet import PlayerScore, Points, Reason, TieBreak, TouristScore
from scoring.games.cities.table import TOURISTS_PER_PLAYER, City, Table
from scoring.legality import player_name

_Standing = tuple[int, ...]
"""What a player is compared by: the final score, then each tourist's points, the best first."""


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
            rank=1 + sum(standing > standings[player] for standing in standings),
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


def _standing(tourists: Sequence[TouristScore]) -> _Standing:
    points = sorted((tourist.points for tourist in tourists), reverse=True)
    absent = [0] * (TOURISTS_PER_PLAYER - len(points))
    return (sum(points), *points, *absent)


def _tie_break(player: int, standings: Sequence[_Standing]) -> TieBreak | None:
    """How the player stands to the nearest of those with the same final score."""
    own = standings[player]
    rivals = {
        index: standing
        for index, standing in enumerate(standings)
        if index != player and standing[0] == own[0]
    }
    if not rivals:
        return None
    if own in rivals.values():
        return TieBreak(_having(own, rivals))
    better = [standing for standing in rivals.values() if standing > own]
    nearest = min(better) if better else max(rivals.values())
    tourist = next(index for index in range(1, len(own)) if own[index] != nearest[index])
    return TieBreak(_having(nearest, rivals), tourist, own[tourist], nearest[tourist])


def _having(standing: _Standing, rivals: Mapping[int, _Standing]) -> tuple[int, ...]:
    return tuple(index for index, other in rivals.items() if other == standing)
