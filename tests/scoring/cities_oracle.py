"""A second scoring of Cities, slow and plain, to compare the first one with.

It shares no code, no tables and no method with ``scoring``: cities are dictionaries of names,
areas are found by relabelling, views are read off as text, players are compared in pairs.
"""

import re

LETTERS = {"sight": "S", "cafe": "C", "park": "P", "water": "W"}
AROUND = {
    (r, c): [(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)] for r in range(8) for c in range(8)
}


def plain_city(fields):
    return {
        (r, c): str(field)
        for r, row in enumerate(fields)
        for c, field in enumerate(row)
        if field is not None
    }


def area_labels(city):
    """Each cell's label; two cells have the same one where they are in the same area."""
    label = {cell: cell for cell in city}
    changed = True
    while changed:
        changed = False
        for cell, name in city.items():
            for other in AROUND[cell]:
                if city.get(other) == name and label[other] < label[cell]:
                    label[cell] = label[other]
                    changed = True
    return label


def line_of_letters(city, cells):
    return "".join(LETTERS.get(city.get(cell), "-") for cell in cells)


def fields_in_view(city, cell, letters):
    r, c = cell
    lines = [
        [(r, k) for k in range(c + 1, 8)],
        [(r, k) for k in reversed(range(c))],
        [(k, c) for k in range(r + 1, 8)],
        [(k, c) for k in reversed(range(r))],
    ]
    return sum(
        len(re.match(f"[{letters}]*", line_of_letters(city, line)).group()) for line in lines
    )


def area_points(city, label, cell, level):
    points = 0
    bonus = {"sight": "cafe", "park": "water"}[city[cell]]
    for other, name in city.items():
        if name == city[cell] and label[other] == label[cell]:
            points += 1
        touching = [label.get(neighbour) for neighbour in AROUND[other]]
        if level == 3 and name == bonus and label[cell] in touching:
            points += 1
    return points


def tourist_points(city, tourists, level):
    """The category and the points of each tourist, in the order given."""
    label = area_labels(city)
    result = []
    for index, cell in enumerate(tourists):
        name = city.get(cell)
        if name is None:
            result.append((None, 0))
        elif name == "cafe":
            seen = 0 if level == 1 else fields_in_view(city, cell, ["W", "WP"][level - 2])
            result.append(("cafes", seen))
        else:
            earlier = [label[other] for other in tourists[:index] if other in city]
            counted = label[cell] in earlier
            points = 0 if counted else area_points(city, label, cell, level)
            result.append((name + "s", points))
    return result


def beats(mine, theirs):
    """Return whether points of single tourists beat those of another player."""
    if sum(mine) != sum(theirs):
        return sum(mine) > sum(theirs)
    mine, theirs = list(mine), list(theirs)
    while mine or theirs:
        best, their_best = max(mine, default=0), max(theirs, default=0)
        if best != their_best:
            return best > their_best
        for points in (mine, theirs):
            if points:
                points.remove(best)
    return False


def ranks(players):
    return [1 + sum(beats(other, own) for other in players) for own in players]
