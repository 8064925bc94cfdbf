"""Points of cities that may still change, as people see them."""

from typing import Final

from firmware.games.doubts import Doubts
from firmware.wording.notes import UNUSED_PHOTO_CODES, ScanNote
from firmware.wording.ranges import ShownNumbers
from scoring.faces import Face, Grid, city_name
from scoring.games.between_two_cities.score_sheet import BuildingType

_ABOUT_CITIES: Final = UNUSED_PHOTO_CODES | {ScanNote.PERHAPS_SAME}
"""Codes of notes that leave open which cities there are."""


def total_may_change(doubts: Doubts, city: int, grid: Grid) -> bool:
    """Return whether the points of a city may still change.

    Factories are ranked over the whole table (rulebook, "Fabriken"), so a tile of one city may
    change the points of every other city that has some; so may a city that is missing, or one that
    was seen twice. Who owns a city and where it lies changes no points of cities.
    """
    if doubts.touches_grid(city) or _is_perhaps_seen_twice(doubts, city):
        return True
    notes = [note for note in doubts.notes if note.code in _ABOUT_CITIES]
    of_table = bool(doubts.places or doubts.unread or notes)
    return of_table and any(Face.FACTORY in row for row in grid)


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
    if _is_perhaps_seen_twice(doubts, city):
        return f"{points}?"
    may_change = doubts.touches_grid(city)
    if building_type is BuildingType.FACTORIES:
        may_change = total_may_change(doubts, city, grid)
        if may_change and numbers.mark:  # an unread city may have some, too
            return f"{points}?"
    return numbers.part(city, building_type.value, points, may_change=may_change)


def _is_perhaps_seen_twice(doubts: Doubts, city: int) -> bool:
    """Return whether a person has to say if a city is the same as another one."""
    return any(
        note.code == ScanNote.PERHAPS_SAME
        and city_name(city) in (dict(note.values)["first"], dict(note.values)["second"])
        for note in doubts.notes
    )
