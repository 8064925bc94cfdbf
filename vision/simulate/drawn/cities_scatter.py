"""Scattering things over a field of 100 x 100 units so that they do not cover each other."""

import math
from collections.abc import Sequence

import numpy as np

from vision.simulate.drawing import Spot

_TRIES_EACH = 40

Round = tuple[float, float, float]
"""x, y and radius of what is taken already."""


def free_places(
    rng: np.random.Generator,
    count: int,
    distance: float,
    taken: Sequence[Round] = (),
    within: tuple[float, float] = (4.0, 96.0),
) -> list[Spot]:
    """Random places, each at least ``distance`` from the others and outside what is taken.

    Args:
        rng: decides.
        count: how many are wanted; fewer come where there is no room.
        distance: between two places.
        taken: discs to stay out of.
        within: least and greatest x and y.

    Returns:
        The places in the order they were found.
    """
    places: list[Spot] = []
    for _ in range(count * _TRIES_EACH):
        if len(places) == count:
            break
        x, y = (float(v) for v in rng.uniform(within[0], within[1], 2))
        clear = all(math.dist((x, y), place) >= distance for place in places)
        if clear and all(math.dist((x, y), (u, v)) >= radius for u, v, radius in taken):
            places.append((x, y))
    return places


def turned(spots: Sequence[Spot], angle: float, centre: Spot = (50.0, 50.0)) -> list[Spot]:
    """The spots turned clockwise by ``angle`` degrees round a centre."""
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    return [
        (
            centre[0] + (x - centre[0]) * cos - (y - centre[1]) * sin,
            centre[1] + (x - centre[0]) * sin + (y - centre[1]) * cos,
        )
        for x, y in spots
    ]
