"""Points of cities that may still change, as people see them."""

from firmware.games.doubts import Doubts
from firmware.wording.ranges import ShownNumbers
from scoring.faces import Face, Grid
from scoring.games.between_two_cities.score_sheet import BuildingType


def total_may_change(doubts: Doubts, city: int, grid: Grid) -> bool:
    """Return whether the points of a city may still change.

    Factories are ranked over the whole table (rulebook, "Fabriken"), so a tile of one city may
    change the points of every other city that has some.
    """
    of_table = bool(doubts.places or doubts.unread)
    return doubts.touches_grid(city) or (of_table and any(Face.FACTORY in row for row in grid))


def part_points(
    numbers: ShownNumbers,
    doubts: Doubts,
    city: int,
    grid: Grid,
    building_type: BuildingType,
    points: int,
) -> str:
    """Return the points of a city for a building type as people see them.

    Those for factories depend on all cities, the others on the tiles of the city alone.

    Args:
        numbers: Points of the table as people see them.
        doubts: Doubts about the table.
        city: Index of the city.
        grid: Tiles of the city.
        building_type: Building type.
        points: Points as read.
    """
    may_change = doubts.touches_grid(city)
    if building_type is BuildingType.FACTORIES:
        may_change = total_may_change(doubts, city, grid)
        if may_change and numbers.mark:  # an unread city may have some, too
            return f"{points}?"
    return numbers.part(city, building_type.value, points, may_change=may_change)
