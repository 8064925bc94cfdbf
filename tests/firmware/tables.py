"""A table as ``stadtblick score`` takes it."""

import copy

from scoring.games.between_two_cities.notation import parse_city
from tests.firmware.fake_eye import EXAMPLE

TABLE = {
    "game": "between-two-cities",
    "cities": [{"grid": [list(row) for row in parse_city(text).grid]} for text in EXAMPLE],
}


def changed(path, value):
    """The example table with something else at a place."""
    table = copy.deepcopy(TABLE)
    parent = table
    for key in path[:-1]:
        parent = parent[key]
    parent[path[-1]] = value
    return table
