"""What the tiles of one city are worth: every number that the rulebook prints in "Wertung"."""

import pytest
from btc_tables import table_of

from scoring.games.between_two_cities import score
from scoring.games.between_two_cities.notation import parse_city
from scoring.games.between_two_cities.points import best_lines, city_reasons, tiles_by_type
from scoring.games.between_two_cities.sheet import Category, Points, Reason, ReasonKind
from scoring.games.between_two_cities.tally import tally

EMPTY = "..../..../..../...."


def reasons(text: str) -> tuple[Reason, ...]:
    """Of one city on its own, which therefore has the most factories."""
    grid = parse_city(text).grid
    return city_reasons(grid, tiles_by_type(grid), ReasonKind.FACTORIES_MOST)


def points(text: str) -> Points:
    """Of the reasons, which are those of the tally."""
    grid = parse_city(text).grid
    assert tally([grid]) == [Points.of(reasons(text))]
    return Points.of(reasons(text))


def reason_of(text: str, kind: ReasonKind) -> Reason:
    (reason,) = (reason for reason in reasons(text) if reason.kind is kind)
    return reason


def test_an_empty_city_is_worth_nothing():
    assert reasons(EMPTY) == ()
    assert points(EMPTY).total == 0


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
def test_shops(text, expected):
    assert points(text).shops == expected


def test_the_shop_lines_are_named():
    lines = [(reason.points, reason.cells) for reason in reasons(".SSS/..S./..S./.SSS")]
    assert lines == [
        (10, ((0, 1), (0, 2), (0, 3))),
        (5, ((1, 2), (2, 2))),
        (10, ((3, 1), (3, 2), (3, 3))),
    ]


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
    assert tally([city.grid for city in table.cities]) == [city.points for city in sheet.cities]


def test_the_worth_of_each_factory_is_named():
    reason = reason_of("F..F/..../..../....", ReasonKind.FACTORIES_MOST)
    assert (reason.points, reason.each, reason.cells) == (8, 4, ((0, 0), (0, 3)))


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
def test_taverns(text, expected):
    assert points(text).taverns == expected


def test_tavern_sets_are_named_and_hold_different_kinds():
    sets = [(reason.points, reason.cells) for reason in reasons("MDDE/E.../..../....")]
    assert sets == [(9, ((0, 0), (0, 1), (0, 3))), (4, ((0, 2), (1, 0)))]


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
def test_offices(text, expected):
    assert points(text).offices == expected


def test_the_office_bonus_names_offices_and_taverns():
    reason = reason_of("OEO./...B/O.../....", ReasonKind.OFFICES_BY_TAVERN)
    assert (reason.points, reason.each) == (2, 1)
    assert reason.cells == ((0, 0), (0, 2))
    assert reason.beside == ((0, 1),)


def test_without_a_tavern_beside_there_is_no_office_bonus():
    kinds = [reason.kind for reason in reasons("O.../.E../..../....")]
    assert kinds == [ReasonKind.TAVERN_SET, ReasonKind.OFFICE_SET]


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
def test_parks(text, expected):
    assert points(text).parks == expected


def test_each_park_group_is_named():
    groups = [(reason.points, reason.cells) for reason in reasons(".P../PP.P/..../....")]
    assert groups == [(12, ((0, 1), (1, 0), (1, 1))), (2, ((1, 3),))]


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
def test_houses(text, expected):
    assert points(text).houses == expected


def test_houses_name_the_types_that_count():
    reason = reason_of("H..P/H.../..../E..S", ReasonKind.HOUSES)
    assert (reason.points, reason.each, reason.cells) == (6, 3, ((0, 0), (1, 0)))
    assert reason.types == (Category.SHOPS, Category.TAVERNS, Category.PARKS)


def test_houses_beside_a_factory_name_it():
    reason = reason_of("HFH./.S../F.../....", ReasonKind.HOUSES_BY_FACTORY)
    assert (reason.points, reason.each, reason.cells) == (2, 1, ((0, 0), (0, 2)))
    assert reason.beside == ((0, 1),)


def test_houses_alone_are_named_with_nothing():
    reason = reason_of("HH../..../..../....", ReasonKind.HOUSES)
    assert (reason.points, reason.each, reason.types) == (0, 0, ())
