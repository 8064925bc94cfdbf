"""Invariants of cities and tables, and agreement with a second, plain scoring."""

from collections import Counter
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.faces import Face, Grid
from scoring.games.between_two_cities import list_breaches, score
from scoring.games.between_two_cities.bulk_scoring import score_cities
from scoring.games.between_two_cities.points import (
    FACTORY_POINTS,
    best_lines,
    city_reasons,
    tiles_by_building_type,
)
from scoring.games.between_two_cities.score_sheet import Points, ReasonKind, TieBreaker
from scoring.games.between_two_cities.table import Variant
from tests.scoring import btc_oracle as oracle
from tests.scoring.btc_tables import dealt_table, with_gaps
from tests.scoring.dealing import seeded

few = settings(max_examples=40)

CELLS = [(row, column) for row in range(4) for column in range(4)]


def rows_of(faces: list[Face | None]) -> Grid:
    return tuple(tuple(faces[start : start + 4]) for start in range(0, 16, 4))


few_faces = st.lists(st.sampled_from([*Face, None]), min_size=1, max_size=4)
grids = few_faces.flatmap(
    lambda faces: st.lists(st.sampled_from(faces), min_size=16, max_size=16)
).map(rows_of)
"""Cities of a few kinds of tiles, so that lines, groups and sets are common."""
factory_ranks = st.sampled_from(list(FACTORY_POINTS))
shop_layouts = st.sets(st.sampled_from(CELLS))


def reasons(grid: Grid, factory_rank: ReasonKind):
    return city_reasons(grid, tiles_by_building_type(grid), factory_rank)


@few
@given(grids, factory_ranks)
def test_every_tile_is_counted_once_and_the_office_bonus_beside_it(grid, factory_rank):
    found = reasons(grid, factory_rank)
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
        assert set(reason.cells) <= set(tiles_by_building_type(grid)[reason.category])
        assert list(reason.cells) == sorted(reason.cells)
        assert list(reason.beside) == sorted(reason.beside)
        assert reason.each is None or reason.points == reason.each * len(reason.cells)


@few
@given(shop_layouts)
def test_shop_lines_are_straight_unbroken_and_share_no_shop(shops):
    lines = best_lines(shops)
    assert lines == best_lines(sorted(shops, reverse=True))
    assert sorted(cell for line in lines for cell in line) == sorted(shops)
    for line in lines:
        steps = {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(line)}
        assert steps in [set(), {(0, 1)}, {(1, 0)}]


def test_dealt_tables_score_the_same_in_each_way():
    seen = Counter()
    for seed in range(400):
        random = seeded(seed)
        table = dealt_table(random)
        lenient = random.random() < 0.25
        if lenient:
            table = with_gaps(table, random)
        assert list_breaches(table, lenient=lenient) == ()
        sheet = score(table, lenient=lenient)
        assert score_cities([[list(row) for row in city.grid] for city in table.cities]) == [
            city.points for city in sheet.cities
        ]
        for city in sheet.cities:
            assert city.total == sum(reason.points for reason in city.reasons)
            assert city.points == Points.of(city.reasons)
            seen.update((reason.kind, len(reason.cells)) for reason in city.reasons)
        finals, ranks = oracle.player_ranks(
            [player.cities for player in sheet.players],
            [city.total for city in sheet.cities],
            [oracle.plain_city(city.grid) for city in table.cities],
            table.variant is Variant.TWO_PLAYER,
        )
        assert [player.final for player in sheet.players] == finals
        assert [player.rank for player in sheet.players] == ranks
        assert sheet.winners == tuple(i for i, rank in enumerate(ranks) if rank == 1)
        seen.update(player.tie_break.by for player in sheet.players if player.tie_break)
    # It would show little if ties and long lines never occurred
    assert {TieBreaker.HIGHER_CITY, TieBreaker.SHOP_COUNT, None} <= set(seen)
    assert seen[ReasonKind.SHOP_LINE, 4]
