"""The best arrangement of a city's tiles, and its most valuable tile."""

from collections import Counter
from itertools import combinations, permutations

import pytest

from scoring.areas import empty_cells
from scoring.faces import Face
from scoring.games.between_two_cities import score
from scoring.games.between_two_cities.best_arrangements import find_best_arrangements
from scoring.games.between_two_cities.bulk_scoring import score_cities
from scoring.games.between_two_cities.table import City, Table
from tests.scoring.btc_tables import dealt_table, table_of, with_gaps
from tests.scoring.dealing import seeded


def grids_of(table):
    return [city.grid for city in table.cities]


def totals(grids):
    return [points.total for points in score_cities(grids)]


@pytest.mark.parametrize("seed", range(20))
def test_the_same_tiles_never_worth_less_and_never_more_than_the_bound(seed):
    random = seeded(seed)
    table = dealt_table(random)
    given = grids_of(with_gaps(table, random) if seed % 4 == 0 else table)
    found = find_best_arrangements(given)
    assert found == find_best_arrangements(given), "the same each time"
    before = totals(given)
    for index, (grid, city) in enumerate(zip(given, found, strict=True)):
        assert Counter(face for row in city.grid for face in row) == Counter(
            face for row in grid for face in row
        )
        assert empty_cells(city.grid) == empty_cells(grid)
        after = totals([*given[:index], city.grid, *given[index + 1 :]])
        assert after[index] == city.total
        assert before[index] <= city.total <= city.bound
        assert after[:index] + after[index + 1 :] == before[:index] + before[index + 1 :]


@pytest.mark.parametrize("seed", range(15))
def test_of_few_tiles_it_is_the_best_of_all_arrangements(seed):
    random = seeded(seed)
    places = random.sample(range(16), 6)
    tiles = random.choices(list(Face), k=6)

    def grid_of(faces):
        lying = dict(zip(places, faces, strict=True))
        return tuple(tuple(lying.get(4 * row + column) for column in range(4)) for row in range(4))

    best = max(totals([grid_of(faces)])[0] for faces in set(permutations(tiles)))
    found = find_best_arrangements([grid_of(tiles)])[0]
    assert best == found.total <= found.bound


@pytest.mark.parametrize("face", [Face.SHOP, Face.PARK, Face.OFFICE, Face.FACTORY])
@pytest.mark.parametrize("rest", [Face.TAVERN_BED, Face.HOUSE])
def test_better_city_of_two_kinds_is_best_of_all_arrangements(face, rest):
    def grid_of(cells):
        faces = [face if cell in cells else rest for cell in range(16)]
        return tuple(tuple(faces[start : start + 4]) for start in range(0, 16, 4))

    best = max(totals([grid_of(cells)])[0] for cells in combinations(range(16), 4))
    found = find_best_arrangements([grid_of((0, 5, 10, 15))])[0]
    assert best == found.total <= found.bound


def test_bound_proves_the_best_arrangement_of_one_of_two_cities():
    table = table_of("SHPH/HSHP/PHSH/HPHS", "SPSP/PSPS/SPSP/PSPS")
    spread, mixed = find_best_arrangements(grids_of(table))
    assert spread.is_best
    assert spread.total > totals(grids_of(table_of("SHPH/HSHP/PHSH/HPHS")))[0]
    assert not mixed.is_best, "eight shops and eight parks are in each other's way"


def test_factories_in_a_corner_leave_most_houses_apart():
    (city,) = find_best_arrangements(grids_of(table_of("FFSH/FHHH/HHHH/HHHH")))
    assert city.is_best


@pytest.mark.parametrize("seed", range(8))
def test_without_the_most_valuable_tile_the_most_points_are_lost(seed):
    table = dealt_table(seeded(seed))
    before = score(table)
    for index, found in enumerate(find_best_arrangements(grids_of(table))):
        losses = {}
        for cell in ((row, column) for row in range(4) for column in range(4)):
            rows = [list(row) for row in table.cities[index].grid]
            rows[cell[0]][cell[1]] = None
            cities = list(table.cities)
            cities[index] = City(tuple(map(tuple, rows)))
            after = score(Table(tuple(cities), table.variant, table.owners), lenient=True)
            losses[cell] = before.cities[index].total - after.cities[index].total
        assert found.worth == max(losses.values())
        assert found.valuable == tuple(c for c, lost in losses.items() if lost == found.worth)


def test_an_empty_city_has_no_points_and_no_valuable_tile():
    empty = ((None,) * 4,) * 4
    (found,) = find_best_arrangements([empty])
    assert (found.grid, found.total, found.bound, found.valuable) == (empty, 0, 0, ())
