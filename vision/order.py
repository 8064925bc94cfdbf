"""The order in which cities are named: clockwise as seen from above, from 6 o'clock on."""

from collections.abc import Sequence
from math import atan2, tau

from vision.reading import GridReading

SAME_ANGLE = 1e-6
"""Radians; what rounding may take from a city straight at 6 o'clock."""


def clockwise(cities: Sequence[GridReading]) -> list[GridReading]:
    """The cities clockwise round the middle of all, the first one clockwise from 6 o'clock first.

    Angles are those in the picture (y runs down), as the table is seen from above. Cities in the
    very same direction are ordered from the middle outwards.
    """
    if not cities:
        return []
    xs, ys = zip(*(city.centre_px for city in cities), strict=True)
    middle_x, middle_y = sum(xs) / len(xs), sum(ys) / len(ys)

    def place(city: GridReading) -> tuple[float, float]:
        dx, dy = city.centre_px[0] - middle_x, city.centre_px[1] - middle_y
        angle = atan2(-dx, dy) % tau
        return (0.0 if tau - angle < SAME_ANGLE else angle), dx * dx + dy * dy

    return sorted(cities, key=place)
