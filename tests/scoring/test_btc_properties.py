"""What holds for every city and table, and agreement with a second, plain scoring."""

from itertools import pairwise

import btc_oracle as oracle
import pytest
from btc_tables import dealt_table, seeded, with_gaps
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.faces import Face, Grid
from scoring.games.between_two_cities import score
from scoring.games.between_two_cities.points import (
    FACTORY_POINTS,
    best_lines,
    city_reasons,
    factory_places,
    tiles_by_type,
)
from scoring.games.between_two_cities.sheet import Category, Points, ReasonKind, TieBreaker
from scoring.games.between_two_cities.table import Variant

few = settings(max_examples=40)

CELLS = [(row, column) for row in range(4) for column in range(4)]


def rows_of(faces: list[Face | None]) -> Grid:
    return tuple(tuple(faces[start : start + 4]) for start in range(0, 16, 4))


few_faces = st.lists(st.sampled_from([*Face, None]), min_size=1, max_size=4)
grids = few_faces.flatmap(
    lambda faces: st.lists(st.sampled_from(faces), min_size=16, max_size=16)
).map(rows_of)
"""Cities of a few kinds of tiles, so that lines, groups and sets are common."""
places = st.sampled_from(list(FACTORY_POINTS))
shop_layouts = st.sets(st.sampled_from(CELLS))


def reasons(grid: Grid, place: ReasonKind):
    return city_reasons(grid, tiles_by_type(grid), place)


def turned(grid: Grid) -> Grid:
    return tuple(zip(*grid[::-1], strict=True))


def mirrored(grid: Grid) -> Grid:
    return tuple(row[::-1] for row in grid)


@few
@given(grids, places)
def test_a_turned_or_mirrored_city_is_worth_the_same(grid, place):
    expected = Points.of(reasons(grid, place))
    for other in (turned(grid), turned(turned(grid)), mirrored(grid), mirrored(turned(grid))):
        assert Points.of(reasons(other, place)) == expected


@few
@given(grids, places)
def test_every_tile_is_counted_once_and_the_office_bonus_beside_it(grid, place):
    found = reasons(grid, place)
    counted = [
        cell
        for reason in found
        if reason.kind is not ReasonKind.OFFICES_BY_TAVERN
        for cell in reason.cells
    ]
    tiles = [cell for cell in CELLS if grid[cell[0]][cell[1]] is not None]
    assert sorted(counted) == tiles
    for reason in found:
        assert reason.cells
        assert set(reason.cells) <= set(tiles_by_type(grid)[reason.category])


@few
@given(grids, places)
def test_where_all_cells_are_worth_the_same_they_add_up(grid, place):
    for reason in reasons(grid, place):
        if reason.each is not None:
            assert reason.points == reason.each * len(reason.cells)


@few
@given(grids, places)
def test_cells_are_named_in_reading_order(grid, place):
    for reason in reasons(grid, place):
        assert list(reason.cells) == sorted(reason.cells)
        assert list(reason.beside) == sorted(reason.beside)


@few
@given(shop_layouts)
def test_shop_lines_are_straight_unbroken_and_share_no_shop(shops):
    lines = best_lines(shops)
    assert sorted(cell for line in lines for cell in line) == sorted(shops)
    for line in lines:
        steps = {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(line)}
        assert steps in [set(), {(0, 1)}, {(1, 0)}]


@few
@given(shop_layouts)
def test_the_same_shops_are_always_split_the_same_way(shops):
    assert best_lines(sorted(shops)) == best_lines(sorted(shops, reverse=True))


@few
@given(st.lists(st.sampled_from([face for face in Face if face.is_tavern]), max_size=16))
def test_no_other_choice_of_tavern_sets_is_worth_more(taverns):
    grid = rows_of(taverns + [None] * (16 - len(taverns)))
    points = Points.of(reasons(grid, ReasonKind.FACTORIES_MOST)).taverns
    assert points == oracle.tavern_points(oracle.plain_city(grid))


@few
@given(grids, places)
def test_a_city_is_worth_what_the_plain_scoring_says(grid, place):
    plain = oracle.plain_city(grid)
    others = [{}, {}]  # worse cities; better ones are made of further factories
    for better in range(list(FACTORY_POINTS).index(place)):
        factories = oracle.count(plain, "factory") + better + 1
        others.append(dict.fromkeys(range(factories), "factory"))
    found = Points.of(reasons(grid, place))
    assert [found[category] for category in Category] == oracle.city_points(plain, others)


@few
@given(st.lists(st.integers(0, 16), min_size=1, max_size=7))
def test_the_place_of_a_city_depends_on_the_larger_numbers_that_occur(counts):
    for count, place in zip(counts, factory_places(counts), strict=True):
        larger = len({other for other in counts if other > count})
        assert place is list(FACTORY_POINTS)[min(larger, 2)]


@pytest.mark.parametrize("block", range(4))
def test_dealt_tables_score_as_the_plain_scoring_says(block):
    for seed in range(100 * block, 100 * (block + 1)):
        random = seeded(seed)
        table = dealt_table(random)
        lenient = random.random() < 0.25
        if lenient:
            table = with_gaps(table, random)
        cities = [oracle.plain_city(city.grid) for city in table.cities]
        sheet = score(table, lenient=lenient)
        expected = [oracle.city_points(city, cities) for city in cities]
        assert [[c.points[category] for category in Category] for c in sheet.cities] == expected
        finals, ranks = oracle.player_ranks(
            [player.cities for player in sheet.players],
            [sum(points) for points in expected],
            cities,
            table.variant is Variant.TWO_PLAYER,
        )
        assert [player.final for player in sheet.players] == finals
        assert [player.rank for player in sheet.players] == ranks
        assert sheet.winners == tuple(i for i, rank in enumerate(ranks) if rank == 1)


@pytest.mark.parametrize("seed", range(60))
def test_the_sheet_of_a_dealt_table_agrees_with_itself(seed):
    sheet = score(dealt_table(seeded(seed)))
    for city in sheet.cities:
        assert city.total == sum(reason.points for reason in city.reasons)
        assert city.total == sum(city.points[category] for category in Category)
        for category in Category:
            of_category = [r.points for r in city.reasons if r.category is category]
            assert city.points[category] == sum(of_category)
    finals = [player.final for player in sheet.players]
    for player in sheet.players:
        assert (player.tie_break is None) == (finals.count(player.final) == 1)
        if player.tie_break is None:
            continue
        rivals = [sheet.players[index] for index in player.tie_break.against]
        assert {rival.final for rival in rivals} == {player.final}
        if player.tie_break.by is TieBreaker.SHARED:
            assert {rival.rank for rival in rivals} == {player.rank}
        else:
            ahead = player.tie_break.own > player.tie_break.other
            assert all((player.rank < rival.rank) == ahead for rival in rivals)


def test_dealt_tables_hold_what_they_are_meant_to_test():
    """The comparison above would show little if ties and long lines never occurred."""
    kinds = set()
    longest_line = 0
    for seed in range(300):
        sheet = score(dealt_table(seeded(seed)))
        kinds |= {player.tie_break.by for player in sheet.players if player.tie_break}
        lines = [r for c in sheet.cities for r in c.reasons if r.kind is ReasonKind.SHOP_LINE]
        longest_line = max([longest_line, *(len(line.cells) for line in lines)])
    assert {TieBreaker.HIGHER_CITY, TieBreaker.SHOP_COUNT, TieBreaker.SHARED} <= kinds
    assert longest_line == 4
