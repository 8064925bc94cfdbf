"""Points of single tourists, rule by rule: rulebook, "Fläche", "Wertung" and "Spielstufen".

Small cities are scored leniently: around the fields that are given no field lies.
"""

import pytest

from scoring.games.cities import score
from scoring.games.cities.score_sheet import Category, PlayerScore, Reason, ReasonKind
from scoring.games.cities.table import City, Table
from tests.scoring.cities_tables import corner


def scored(city: City | str, level: int = 3) -> PlayerScore:
    city = corner(city) if isinstance(city, str) else city
    (player,) = score(Table((city,), level), lenient=True).players
    return player


def points(city: City | str, level: int = 3) -> list[int]:
    return [tourist.points for tourist in scored(city, level).tourists]


def at_each_level(text: str) -> list[list[int]]:
    return [points(text, level) for level in (1, 2, 3)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SSPP/CCWW", []),  # without tourists
        ("/".join(["sSSSSSSS"] + ["SSSSSSSS"] * 7), [64]),
        ("SSS.s/PPP.p", [1, 1]),  # an area without a tourist is worth nothing
        ("pp/WW", [4, 0]),  # nor is the water for a further tourist
        ("sCs", [2, 2]),  # a cafe or water between two areas counts for both
        ("pWp", [2, 2]),
        ("sCSS", [2]),  # and only for those with a tourist
        ("cWWc", [2, 2]),  # fields are seen by several tourists
        ("cPWc", [2, 2]),
        ("s.S", [1]),  # a missing field connects nothing, and blocks every view
        ("cW.W", [1]),
        ("p.P/W", [2]),
    ],
)
def test_points_of_all_tourists_at_level_3(text, expected):
    assert points(text) == expected
    assert scored(text).final == sum(expected)


def test_a_further_tourist_is_told_for_whom_the_area_was_counted():
    player = scored(City(corner("SSC").fields, ((0, 1), (0, 0))))
    area = ((0, 0), (0, 1))
    assert player.reasons == (
        Reason(Category.SIGHTS, ReasonKind.SIGHT_AREA, 2, area, (0, 1)),
        Reason(Category.SIGHTS, ReasonKind.CAFES_BESIDE, 1, ((0, 2),), (0, 1)),
        Reason(Category.SIGHTS, ReasonKind.AREA_COUNTED_BEFORE, 0, area, (0, 0), (0, 1)),
    )


@pytest.mark.parametrize(
    ("text", "area", "bonus"),
    [
        ("sC", 1, 1),
        (".C./CsC/.C.", 1, 4),
        ("C.C/.s./C.C", 1, 0),  # corners
        ("sS/SC", 3, 1),  # beside two fields of the area, counted once
        ("SSS/SCS/SSs", 8, 1),
        ("sSc", 2, 1),  # with or without a tourist in the cafe
        ("s.C", 1, 0),
        ("sW/W.", 1, 0),
        ("sP", 1, 0),
        ("pW", 1, 1),
        (".W./WpW/.W.", 1, 4),
        ("W.W/.p./W.W", 1, 0),
        ("pP/PW", 3, 1),
        ("PPP/PWP/PPp", 8, 1),
        ("pWW", 1, 1),  # not the water behind
        ("pC/C.", 1, 0),
        ("pS", 1, 0),
    ],
)
def test_only_level_3_counts_cafes_beside_sights_and_water_beside_parks(text, area, bonus):
    first = [of_level[0] for of_level in at_each_level(text)]
    assert first == [area, area, area + bonus]


@pytest.mark.parametrize(
    ("text", "level_2", "level_3"),
    [
        ("c", 0, 0),
        ("cW", 1, 1),
        ("cWWWWWWW", 7, 7),
        ("..W/..W/WWcW/..W", 6, 6),
        ("W.W/.c./W.W", 0, 0),  # only straight
        ("c.W", 0, 0),
        ("cSW", 0, 0),
        ("cCW", 0, 0),
        ("cWSW", 1, 1),
        ("cWCW", 1, 1),
        ("cP", 0, 1),
        ("cPP", 0, 2),
        ("cPW", 0, 2),  # at level 2 a park blocks the view, at level 3 it is passed over
        ("cWP", 1, 2),
        ("cWPWPS", 1, 4),
        ("cWPSPW", 1, 2),
        ("cWcW", 1, 1),  # the first one: a cafe ends the view
        ("cWp", 1, 2),  # with or without a tourist on the park
        ("cpWW", 0, 3),  # a tourist does not block the view
    ],
)
def test_a_tourist_in_a_cafe_scores_what_is_seen(text, level_2, level_3):
    first = [of_level[0] for of_level in at_each_level(text)]  # no tourist stands before it
    assert first == [0, level_2, level_3]


@pytest.mark.parametrize(
    ("text", "level", "kind", "category"),
    [
        ("cW", 1, ReasonKind.CAFE_WORTH_NOTHING, Category.CAFES),
        ("cP", 2, ReasonKind.NOTHING_SEEN, Category.CAFES),
        ("cS", 3, ReasonKind.NOTHING_SEEN, Category.CAFES),
        ("S,", 3, ReasonKind.NO_FIELD, None),
    ],
)
def test_tourist_without_points_has_a_reason(text, level, kind, category):
    player = scored(text, level)
    (tourist,) = player.tourists
    assert tourist.points == player.final == 0
    assert player.reasons == (Reason(category, kind, 0, (), tourist.at),)
