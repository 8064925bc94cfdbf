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
from scoring.ranking import Standing, nearest_rivals, rank_of

USUAL_OWNERS: Final = (0, 1, 1, 0)
"""Two players, clockwise: left city of player 0, right and left of player 1, right of player 0."""

_TIE_BREAKERS: Final = {
    Variant.STANDARD: tuple(TieBreaker)[:-1],
    Variant.TWO_PLAYER: tuple(TieBreaker)[1:-1],
}
"""What follows the final score in a standing, all but ``SHARED``."""


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
    return tuple(
        PlayerScore(
            name=player_name(table.players, player),
            cities=seat,
            final=standings[player][0],
            rank=rank_of(player, standings),
            tie_break=_tie_break(player, standings, _TIE_BREAKERS[table.variant]),
        )
        for player, seat in enumerate(seats)
    )


def _left_and_right(owners: Sequence[int], player: int) -> tuple[int, int]:
    first, second = (city for city, owner in enumerate(owners) if owner == player)
    left_follows_right = second - first == 1
    return (second, first) if left_follows_right else (first, second)


def _standing(
    variant: Variant, seat: tuple[int, int], totals: Sequence[int], tiles: Sequence[Tiles]
) -> Standing:
    lower, higher = sorted(totals[city] for city in seat)
    counts = [sum(len(tiles[city][category]) for city in seat) for category in Category]
    return (lower + higher, *counts) if variant is Variant.TWO_PLAYER else (lower, higher, *counts)


def _tie_break(
    player: int, standings: Sequence[Standing], tie_breakers: Sequence[TieBreaker]
) -> TieBreak | None:
    against, place = nearest_rivals(player, standings)
    if not against:
        return None
    if place is None:
        return TieBreak(TieBreaker.SHARED, against)
    own, other = standings[player][place], standings[against[0]][place]
    return TieBreak(tie_breakers[place - 1], against, own, other)
