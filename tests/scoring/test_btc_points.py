"""Points of each type of building: every number that the rulebook prints in "Wertung"."""

import pytest

from scoring.games.between_two_cities import score
from scoring.games.between_two_cities.bulk_scoring import score_cities
from scoring.games.between_two_cities.notation import parse_city
from scoring.games.between_two_cities.points import best_lines, city_reasons, tiles_by_building_type
from scoring.games.between_two_cities.score_sheet import BuildingType, Points, Reason, ReasonKind
from tests.scoring.btc_tables import table_of


def reasons(text: str) -> tuple[Reason, ...]:
    """Return the reasons of one city on its own, which therefore has the most factories."""
    grid = parse_city(text).grid
    return city_reasons(grid, tiles_by_building_type(grid), ReasonKind.FACTORIES_MOST)


def points(text: str) -> Points:
    """Return the points by the reasons, after comparing them with those of ``score_cities``."""
    grid = parse_city(text).grid
    assert score_cities([grid]) == [Points.of(reasons(text))]
    return Points.of(reasons(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("S.../..../..../....", 2),
        ("SS../..../..../....", 5),
        ("SSS./..../..../....", 10),
        ("SSSS/..../..../....", 16),
        ("S.../S.../S.../S...", 16),
        ("SS.S/..../..../....", 7),  # a gap breaks the line
        ("S.../.S../..S./...S", 8),  # corners do not connect
        ("S..S/..../..../S..S", 8),  # a line does not go round the edge
        ("...S/S.../..../....", 4),
        (".S../SSSS/.S../.S..", 23),  # the book's example: 16 + 2 + 5
        (".SSS/..S./..S./.SSS", 25),  # 10 + 10 + 5, though a line of four is there
        ("S.../S.../SSS./....", 15),  # L: 10 + 5
        ("SSS./.S../.S../....", 15),  # T: 10 + 5
        ("SSSS/SSSS/SSSS/SSSS", 64),
    ],
)
def test_shops_score_by_lines(text, expected):
    assert points(text).shops == expected


def test_of_equal_partitions_the_row_from_the_top_left_is_chosen():
    assert best_lines({(0, 0), (0, 1), (1, 0), (1, 1)}) == (((0, 0), (0, 1)), ((1, 0), (1, 1)))


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ([5, 5, 3, 2, 1, 0], [20, 20, 9, 4, 2, 0]),
        ([2, 2, 2], [8, 8, 8]),
        ([3, 1, 1], [12, 3, 3]),  # the second most is shared too
    ],
)
def test_factories_are_ranked_over_the_table(counts, expected):
    rows = [("F" * count).ljust(15, ".") + "P" for count in counts]
    table = table_of(*("/".join(row[i : i + 4] for i in range(0, 16, 4)) for row in rows))
    sheet = score(table, lenient=True)
    assert [city.points.factories for city in sheet.cities] == expected
    assert score_cities([city.grid for city in table.cities]) == [
        city.points for city in sheet.cities
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("E.../..../..../....", 1),
        ("E..B/..../..../....", 4),
        ("E..B/..../..../...M", 9),
        ("E..B/..../..../D..M", 17),
        ("MDDE/E.../..../....", 13),  # the book's example: 9 + 4
        ("BB../..../..../....", 2),
        ("BBBB/BBBB/BBBB/BBBB", 16),
        ("EEBB/MMDD/..../....", 34),
    ],
)
def test_taverns_score_by_sets(text, expected):
    assert points(text).taverns == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("O.../..../..../....", 1),
        ("O.O./..../..../....", 3),
        ("O.O./O.../..../....", 6),
        ("O.O./O.O./..../....", 10),
        ("OOOO/O.../..../....", 15),
        ("OOOO/OO../..../....", 21),
        ("OOOO/OOO./..../....", 22),
        ("OOOO/OOOO/OOOO/....", 42),
        ("OOOO/OOOO/OOOO/OOOO", 52),
        ("OE../..../..../....", 2),
        (".E../BOM./.D../....", 2),  # four taverns around give one bonus
        ("OEO./.O../..../....", 9),  # one tavern serves several offices: 6 + 3
        ("O.../.E../..../....", 1),  # corners do not touch
        ("...O/E.../..../....", 1),
    ],
)
def test_offices_score_by_number_and_taverns_beside(text, expected):
    assert points(text).offices == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("P.../..../..../....", 2),
        ("PP../..../..../....", 8),
        ("PP../P.../..../....", 12),
        ("PP../PP../..../....", 13),
        ("PPPP/P.../..../....", 14),
        ("PPPP/PPPP/PPPP/PPPP", 25),
        ("P.P./.P../P.../....", 8),  # four on their own
        ("PPP./..../P.../....", 14),  # 12 + 2
        ("PP../..PP/..../....", 16),  # 8 + 8
        ("...P/P.../..../....", 4),
        ("PPPP/P..P/P..P/PPPP", 21),
        ("P.PP/P..P/PPPP/....", 18),  # two arms that meet at the bottom
    ],
)
def test_parks_score_by_connected_areas(text, expected):
    assert points(text).parks == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("H.../..../..../....", 0),
        ("H..S/..../..../....", 1),
        ("H..S/..../..../...E", 2),
        ("H..S/..../..../O..E", 3),
        ("H..S/...P/..../O..E", 4),
        ("H..S/...P/..F./O..E", 5),
        ("H..S/...P/..F./HO.E", 10),
        ("H..E/..B./.M../D...", 1),  # all taverns are one type
        ("HF.S/...P/..../O..E", 1),  # beside a factory
        ("H..S/.F.P/..../O..E", 5),  # a corner does not spoil a house
        ("HFH./.S../..../....", 2),
        ("FHF./.F.S/P..O/...E", 1),  # several factories spoil it once
    ],
)
def test_houses_score_by_building_types(text, expected):
    assert points(text).houses == expected


TYPES = (BuildingType.SHOPS, BuildingType.TAVERNS, BuildingType.PARKS)


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        (".SSS/..S./..S./.SSS", ReasonKind.SHOP_LINE,
         [(10, "01 02 03", {}), (5, "12 22", {}), (10, "31 32 33", {})]),
        ("F..F/..../..../....", ReasonKind.FACTORIES_MOST, [(8, "00 03", {"each": 4})]),
        ("MDDE/E.../..../....", ReasonKind.TAVERN_SET, [(9, "00 01 03", {}), (4, "02 10", {})]),
        ("OEO./...B/O.../....", ReasonKind.OFFICES_BY_TAVERN,
         [(2, "00 02", {"each": 1, "beside": ((0, 1),)})]),
        (".P../PP.P/..../....", ReasonKind.PARK_GROUP, [(12, "01 10 11", {}), (2, "13", {})]),
        ("H..P/H.../..../E..S", ReasonKind.HOUSES, [(6, "00 10", {"each": 3, "types": TYPES})]),
        ("HFH./.S../F.../....", ReasonKind.HOUSES_BY_FACTORY,
         [(2, "00 02", {"each": 1, "beside": ((0, 1),)})]),
        ("HH../..../..../....", ReasonKind.HOUSES, [(0, "00 01", {"each": 0, "types": ()})]),
    ],
)  # fmt: skip
def test_reason_names_the_cells_that_count(text, kind, expected):
    found = [reason for reason in reasons(text) if reason.kind is kind]
    assert found == [
        Reason(
            found[0].category,
            kind,
            points,
            tuple((int(r), int(c)) for r, c in cells.split()),
            **more,
        )
        for points, cells, more in expected
    ]
