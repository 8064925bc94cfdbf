"""A second scoring of Between Two Cities, slow and plain, to compare the first one with.

It shares no code, no tables and no method with ``scoring``: cities are dictionaries of names,
shops are scored by trying every choice of direction for every shop, taverns by trying every set.
"""

from functools import cache, cmp_to_key
from itertools import combinations, product

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


def beside(cell, city, wanted):
    r, c = cell
    for neighbour in [(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)]:
        if neighbour in city and building_type(city[neighbour]) == wanted:
            return True
    return False


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


def factory_points(city, all_cities):
    own = count(city, "factory")
    more = {count(other, "factory") for other in all_cities if count(other, "factory") > own}
    if len(more) == 0:
        return 4 * own
    if len(more) == 1:
        return 3 * own
    return 2 * own


def tavern_points(city):
    kinds = sorted({name for name in city.values() if building_type(name) == "tavern"})
    return best_tavern_sets(tuple(list(city.values()).count(kind) for kind in kinds))


@cache
def best_tavern_sets(counts):
    best = 0
    available = [kind for kind, number in enumerate(counts) if number]
    for size in range(1, len(available) + 1):
        for chosen in combinations(available, size):
            rest = tuple(number - (kind in chosen) for kind, number in enumerate(counts))
            best = max(best, [1, 4, 9, 17][size - 1] + best_tavern_sets(rest))
    return best


def office_points(city):
    points = 0
    number_in_set = 0
    for cell, name in city.items():
        if name == "office":
            number_in_set = number_in_set % 6 + 1
            points += number_in_set  # 1 3 6 10 15 21 grow by 1 2 3 4 5 6
            if beside(cell, city, "tavern"):
                points += 1
    return points


def park_points(city):
    label = {cell: cell for cell, name in city.items() if name == "park"}
    for _ in range(16):
        for r, c in label:
            for other in [(r, c), (r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)]:
                if other in label:
                    label[r, c] = min(label[r, c], label[other])
    sizes = [list(label.values()).count(group) for group in set(label.values())]
    return sum([0, 2, 8, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25][s] for s in sizes)


def house_points(city):
    others = {building_type(name) for name in city.values()} - {"house"}
    points = 0
    for cell, name in city.items():
        if name == "house":
            points += 1 if beside(cell, city, "factory") else len(others)
    return points


def city_points(city, all_cities):
    return [
        shop_points([cell for cell, name in city.items() if name == "shop"]),
        factory_points(city, all_cities),
        tavern_points(city),
        office_points(city),
        park_points(city),
        house_points(city),
    ]


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
