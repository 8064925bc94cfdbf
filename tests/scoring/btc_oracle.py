"""Second, slow and plain scoring of the best lines of shops and of ranks, to compare with.

It shares no code, no tables and no method with ``scoring``: shops are scored by trying every choice
of direction for every shop. All else is scored in two ways by ``scoring`` itself: with reasons, and
by ``score_cities``.
"""

from functools import cache, cmp_to_key
from itertools import product

TYPES = ["shop", "factory", "tavern", "office", "park", "house"]


def plain_city(grid):
    return {
        (r, c): str(face)
        for r, row in enumerate(grid)
        for c, face in enumerate(row)
        if face is not None
    }


def building_type(name):
    return "tavern" if name.startswith("tavern") else name


def count(city, wanted):
    return sum(1 for name in city.values() if building_type(name) == wanted)


def shop_points(cells):
    """The best over all ways of counting each shop with its row or with its column."""
    choices_of_rows = []
    for r in range(4):
        row = tuple((r, c) in cells for c in range(4))
        choices_of_rows.append(
            [
                (
                    run_points(across),
                    tuple(shop and not a for shop, a in zip(row, across, strict=True)),
                )
                for across in product([False, True], repeat=4)
                if all(shop or not a for shop, a in zip(row, across, strict=True))
            ]
        )
    return max(
        sum(points for points, _ in choice)
        + sum(run_points(down) for down in zip(*(rest for _, rest in choice), strict=True))
        for choice in product(*choices_of_rows)
    )


@cache
def run_points(flags):
    text = "".join("x" if flag else " " for flag in flags)
    return sum([0, 2, 5, 10, 16][len(run)] for run in text.split())


def player_ranks(cities_of_player, totals, cities, two_player):
    """Final score and rank of each player, by comparing each with each."""

    def compare(a, b):
        mine = sorted(totals[i] for i in cities_of_player[a])
        theirs = sorted(totals[i] for i in cities_of_player[b])
        if two_player:
            if sum(mine) != sum(theirs):
                return sum(mine) - sum(theirs)
        else:
            if mine[0] != theirs[0]:
                return mine[0] - theirs[0]
            if mine[1] != theirs[1]:
                return mine[1] - theirs[1]
        for wanted in TYPES:
            my_count = sum(count(cities[i], wanted) for i in cities_of_player[a])
            their_count = sum(count(cities[i], wanted) for i in cities_of_player[b])
            if my_count != their_count:
                return my_count - their_count
        return 0

    players = list(range(len(cities_of_player)))
    order = sorted(players, key=cmp_to_key(compare), reverse=True)
    ranks = {}
    for position, player in enumerate(order):
        equal = position > 0 and compare(player, order[position - 1]) == 0
        ranks[player] = ranks[order[position - 1]] if equal else position + 1
    finals = [
        sum(totals[i] for i in both) if two_player else min(totals[i] for i in both)
        for both in cities_of_player
    ]
    return finals, [ranks[player] for player in players]
