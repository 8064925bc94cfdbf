"""The examples of the rulebook, "Spielstufen"; the letters of the tourists are the printed ones."""

import pytest
from cities_tables import (
    LEVEL_1,
    LEVEL_2_CAFES,
    LEVEL_3_CAFES,
    LEVEL_3_PARKS,
    LEVEL_3_SIGHTS,
    printed_city,
)

from scoring.games.cities import score, status
from scoring.games.cities.sheet import PlayerScore, Reason, ReasonKind
from scoring.games.cities.table import Table


def scored(example, level: int) -> PlayerScore:
    (player,) = score(Table((printed_city(example),), level)).players
    return player


def points_of(example, level: int) -> dict[str, int]:
    tourists = scored(example, level).tourists
    return {letter: tourist.points for letter, tourist in zip(example[1], tourists, strict=True)}


def reason_of(example, level: int, letter: str, kind: ReasonKind) -> Reason:
    (reason,) = (
        reason
        for reason in scored(example, level).reasons
        if reason.tourist == example[1][letter] and reason.kind is kind
    )
    return reason


@pytest.mark.parametrize(
    ("example", "level", "printed", "points"),
    [
        (LEVEL_1, 1, {"A": 1, "B": 6, "C": 0, "D": 5, "E": 2, "F": 0}, (7, 7, 0)),
        (LEVEL_2_CAFES, 2, {"A": 4, "B": 2, "C": 3, "D": 1}, (0, 0, 10)),
        (LEVEL_3_SIGHTS, 3, {"A": 3, "B": 11, "C": 0, "D": 2}, (16, 0, 0)),
        (LEVEL_3_PARKS, 3, {"A": 3, "B": 9}, (0, 12, 0)),
        (LEVEL_3_CAFES, 3, {"A": 6, "B": 1, "C": 3, "D": 3}, (0, 0, 13)),
    ],
)
def test_the_printed_points(example, level, printed, points):
    assert status(Table((printed_city(example),), level)) == ()
    assert points_of(example, level) == printed
    assert tuple(scored(example, level).points.values()) == points
    assert scored(example, level).final == sum(points) == sum(printed.values())


def test_level_1_has_five_tourists_on_four_areas_and_one_in_a_cafe():
    reasons = scored(LEVEL_1, 1).reasons
    kinds = [reason.kind for reason in reasons]
    assert kinds == [
        ReasonKind.SIGHT_AREA,
        ReasonKind.SIGHT_AREA,
        ReasonKind.AREA_COUNTED_BEFORE,
        ReasonKind.PARK_AREA,
        ReasonKind.PARK_AREA,
        ReasonKind.CAFE_WORTH_NOTHING,
    ]
    assert reasons[2].counted_for == LEVEL_1[1]["B"]


@pytest.mark.parametrize(
    ("example", "level", "kind", "letters", "cells"),
    [
        (LEVEL_2_CAFES, 2, ReasonKind.WATER_SEEN, "BC", {(3, 3), (3, 4)}),
        (LEVEL_3_SIGHTS, 3, ReasonKind.CAFES_BESIDE, "AD", {(0, 2)}),
        (LEVEL_3_PARKS, 3, ReasonKind.WATER_BESIDE, "AB", {(0, 2)}),
        (LEVEL_3_CAFES, 3, ReasonKind.WATER_SEEN, "BC", {(5, 2)}),
        (LEVEL_3_CAFES, 3, ReasonKind.PARKS_SEEN, "AD", {(0, 3)}),
    ],
)
def test_what_two_tourists_see_or_touch_counts_for_both(example, level, kind, letters, cells):
    one, other = (set(reason_of(example, level, letter, kind).cells) for letter in letters)
    assert one & other == cells


def test_the_same_city_at_another_level():
    assert points_of(LEVEL_1, 2) == points_of(LEVEL_1, 1) | {"F": 4}  # the water above the cafe
    assert points_of(LEVEL_2_CAFES, 1) == {"A": 0, "B": 0, "C": 0, "D": 0}
    assert points_of(LEVEL_3_SIGHTS, 2) == {"A": 2, "B": 8, "C": 0, "D": 1}
    assert points_of(LEVEL_3_PARKS, 2) == {"A": 2, "B": 6}
    assert points_of(LEVEL_3_CAFES, 2) == {"A": 2, "B": 1, "C": 1, "D": 2}
