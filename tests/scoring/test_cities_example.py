"""The examples of the rulebook, "Spielstufen"; the letters of the tourists are the printed ones."""

import pytest

from scoring.games.cities import list_breaches, score
from scoring.games.cities.score_sheet import PlayerScore
from scoring.games.cities.table import Table
from tests.scoring.cities_tables import (
    LEVEL_1,
    LEVEL_2_CAFES,
    LEVEL_3_CAFES,
    LEVEL_3_PARKS,
    LEVEL_3_SIGHTS,
    printed_city,
)


def scored(example, level: int) -> PlayerScore:
    (player,) = score(Table((printed_city(example),), level)).players
    return player


def points_of(example, level: int) -> dict[str, int]:
    tourists = scored(example, level).tourists
    return {letter: tourist.points for letter, tourist in zip(example[1], tourists, strict=True)}


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
def test_examples_of_the_rulebook_have_the_printed_points(example, level, printed, points):
    assert list_breaches(Table((printed_city(example),), level)) == ()
    assert points_of(example, level) == printed
    assert tuple(scored(example, level).points.values()) == points
    assert scored(example, level).final == sum(points) == sum(printed.values())
