"""Whose each city is when two play: as a person says, or as the cities lie on the photo."""

import re
from collections.abc import Mapping
from math import hypot
from typing import Final

from firmware.errors import UsageError
from scoring.games.between_two_cities.legality import CITY_COUNTS
from scoring.games.between_two_cities.table import Variant
from vision.reading import GridReading, Reading

_LEAST_LEAD: Final = 0.5
"""How much better two cities of one owner must agree in direction than in any other pairing."""

_OWNERS: Final = re.compile(r"[01](,[01]){3}")


def parse_owners(text: str) -> tuple[int, ...]:
    """Read the owners of cities A to D: ``0,1,1,0``, 0 being the first player.

    Raises:
        UsageError: ``owners-malformed``.
    """
    owners = text.replace(" ", "")
    if _OWNERS.fullmatch(owners) is None or owners.count("0") != 2:
        raise UsageError(
            "owners-malformed",
            "these are no owners of four cities: write the player, 0 or 1, who owns A, B, C and D, "
            "two each, like 0,1,1,0",
            f"--owners {text}",
        )
    return tuple(map(int, owners.split(",")))


def owners_shown(reading: Reading) -> tuple[int, ...] | None:
    """Who owns each of four cities, by the way it faces; player 0 owns the first.

    Rulebook, "Zwei-Spieler Variante": the two cities of a player lie upright for that player.
    None: they do not show it, or are not four.
    """
    if len(reading.grids) != CITY_COUNTS[Variant.TWO_PLAYER][0]:
        return None
    up = [_up_direction(city) for city in reading.grids]
    agreement: Mapping[tuple[int, ...], float] = {
        owners: sum(
            _dot(up[a], up[b]) for a in range(4) for b in range(a + 1, 4) if owners[a] == owners[b]
        )
        for owners in ((0, 0, 1, 1), (0, 1, 0, 1), (0, 1, 1, 0))
    }
    second, best = sorted(agreement, key=agreement.__getitem__)[1:]
    if agreement[best] - agreement[second] < _LEAST_LEAD:
        return None
    return best


def _up_direction(city: GridReading) -> tuple[float, float]:
    top_left, top_right, bottom_right, bottom_left = city.corners_px
    x = top_left[0] + top_right[0] - bottom_left[0] - bottom_right[0]
    y = top_left[1] + top_right[1] - bottom_left[1] - bottom_right[1]
    length = hypot(x, y) or 1.0
    return x / length, y / length


def _dot(a: tuple[float, float], b: tuple[float, float]) -> float:
    return a[0] * b[0] + a[1] * b[1]
