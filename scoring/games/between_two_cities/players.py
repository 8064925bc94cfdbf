"""Who has won: rulebook, "Spielende" and "Zwei-Spieler Variante".

Three and more players get the points of the lower of their two cities, two players those of
both together. Players with the same final score are compared by their higher city (not with two
players, where the book goes straight on), then by the number of their tiles over both cities,
type by type; then they share their rank.
"""

from collections.abc import Sequence
from typing import Final

from scoring.games.between_two_cities.points import Tiles
from scoring.games.between_two_cities.sheet import Category, PlayerScore, TieBreak, TieBreaker
from scoring.games.between_two_cities.table import Table, Variant
from scoring.legality import player_name
from scoring.ranking import nearest_rivals, rank_of

USUAL_OWNERS: Final = (0, 1, 1, 0)
"""Two players, clockwise: left city of player 0, right and left of player 1, right of player 0."""

_TYPE_COUNTS: Final = {
    TieBreaker.SHOP_COUNT: Category.SHOPS,
    TieBreaker.FACTORY_COUNT: Category.FACTORIES,
    TieBreaker.TAVERN_COUNT: Category.TAVERNS,
    TieBreaker.OFFICE_COUNT: Category.OFFICES,
    TieBreaker.PARK_COUNT: Category.PARKS,
    TieBreaker.HOUSE_COUNT: Category.HOUSES,
}

_Standing = dict[TieBreaker | None, int]
"""What a player is compared by, in this order: the final score (None), then the tie-breakers."""


def players_cities(table: Table) -> tuple[tuple[int, int], ...]:
    """Indices of the left and the right city of each player, in seat order.

    With two players whose cities do not lie side by side, the first one counts as the left.
    """
    count = len(table.cities)
    if table.variant is Variant.STANDARD:
        return tuple((player, (player - 1) % count) for player in range(count))
    owners = USUAL_OWNERS if table.owners is None else table.owners
    return tuple(_left_and_right(owners, player) for player in range(table.player_count))


def score_players(
    table: Table, totals: Sequence[int], tiles: Sequence[Tiles]
) -> tuple[PlayerScore, ...]:
    """Final score and rank of every player, in seat order.

    Args:
        table: a table that the rules allow.
        totals: points of each of its cities.
        tiles: the tiles of each of its cities by type.
    """
    seats = players_cities(table)
    standings = [_standing(table.variant, seat, totals, tiles) for seat in seats]
    keys = [tuple(standing.values()) for standing in standings]
    return tuple(
        PlayerScore(
            name=player_name(table.players, player),
            cities=seat,
            final=standings[player][None],
            rank=rank_of(player, keys),
            tie_break=_tie_break(player, standings),
        )
        for player, seat in enumerate(seats)
    )


def _left_and_right(owners: Sequence[int], player: int) -> tuple[int, int]:
    first, second = (city for city, owner in enumerate(owners) if owner == player)
    left_follows_right = second - first == 1
    return (second, first) if left_follows_right else (first, second)


def _standing(
    variant: Variant, seat: tuple[int, int], totals: Sequence[int], tiles: Sequence[Tiles]
) -> _Standing:
    points = sorted(totals[city] for city in seat)
    standing: _Standing
    if variant is Variant.TWO_PLAYER:
        standing = {None: sum(points)}
    else:
        standing = {None: points[0], TieBreaker.HIGHER_CITY: points[1]}
    for tie_breaker, category in _TYPE_COUNTS.items():
        standing[tie_breaker] = sum(len(tiles[city][category]) for city in seat)
    return standing


def _tie_break(player: int, standings: Sequence[_Standing]) -> TieBreak | None:
    """How the player stands to the nearest of those with the same final score."""
    against = nearest_rivals(player, [tuple(standing.values()) for standing in standings])
    if not against:
        return None
    own, other = standings[player], standings[against[0]]
    if own == other:
        return TieBreak(TieBreaker.SHARED, against)
    by = next(key for key in own if key is not None and own[key] != other[key])
    return TieBreak(by, against, own[by], other[by])
