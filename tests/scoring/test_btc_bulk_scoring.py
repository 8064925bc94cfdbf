"""Points of many tables without reasons: the same as those of the explained scoring."""

import json

import pytest

from scoring.errors import TableError
from scoring.faces import Face
from scoring.games.between_two_cities import score
from scoring.games.between_two_cities.bulk_scoring import (
    MASK_COUNT,
    park_table,
    score_cities,
    shop_table,
)
from scoring.games.between_two_cities.points import (
    SHOP_LINE_POINTS,
    best_lines,
    city_reasons,
    tiles_by_building_type,
)
from scoring.games.between_two_cities.score_sheet import Points, ReasonKind
from scoring.games.between_two_cities.table import Table
from tests.scoring import btc_oracle as oracle
from tests.scoring.btc_tables import dealt_table, example_table, with_gaps
from tests.scoring.dealing import seeded


def as_json(table: Table) -> list[list[list[str | None]]]:
    """The grids of a table as they come out of a file."""
    return json.loads(json.dumps([city.grid for city in table.cities]))


def refusal(grids) -> TableError:
    with pytest.raises(TableError) as refused:
        score_cities(grids)
    return refused.value


def test_no_city_has_no_points():
    assert score_cities([]) == []


@pytest.mark.parametrize("row", [list, tuple])
def test_faces_may_be_members_or_names_in_lists_or_tuples(row):
    for seed in range(50):
        random = seeded(seed)
        table = with_gaps(dealt_table(random), random)
        expected = [city.points for city in score(table, lenient=True).cities]
        given = as_json(table)
        assert score_cities([row(row(line) for line in grid) for grid in given]) == expected
        assert given == as_json(table), "left as they are"
        members = [
            [[*line[:2], *names[2:]] for line, names in zip(city.grid, grid, strict=True)]
            for city, grid in zip(table.cities, given, strict=True)
        ]
        assert score_cities(members) == expected


def test_points_of_layouts_are_those_of_lines_and_groups():
    shops, parks = shop_table(), park_table()
    assert len(shops) == len(parks) == MASK_COUNT
    masks = [0, MASK_COUNT - 1, *seeded(7).sample(range(MASK_COUNT), 2000)]
    for number, mask in enumerate(masks):
        cells = [divmod(bit, 4) for bit in range(16) if mask >> bit & 1]
        lines = best_lines(cells)
        assert shops[mask] == sum(SHOP_LINE_POINTS[len(line)] for line in lines), f"{mask:016b}"
        if number < 300:
            assert shops[mask] == oracle.shop_points(cells)
        grid = [[Face.PARK if (row, c) in cells else None for c in range(4)] for row in range(4)]
        reasons = city_reasons(grid, tiles_by_building_type(grid), ReasonKind.FACTORIES_MOST)
        assert parks[mask] == Points.of(reasons).parks


@pytest.mark.parametrize("wrong", ["tree", "", "Shop", "tavern", 7, ["shop"], {"shop": 1}, b"shop"])
def test_unknown_face_is_refused_with_its_place(wrong):
    table = as_json(example_table())
    table[4][2][1] = wrong
    error = refusal(table)
    assert (error.code, error.where) == ("unknown-face", "$.cities[4].grid[2][1]")
    assert repr(wrong) in error.message
    assert "tavern-food" in error.message


def test_everything_that_is_wrong_is_named_in_short():
    table = as_json(example_table())
    table[0][3][3], table[5][0][0] = "tree", "lake"
    wheres = [breach.where for breach in refusal(table).breaches]
    assert wheres == ["$.cities[0].grid[3][3]", "$.cities[5].grid[0][0]"]
    table[0][0][0] = "tree" * 10_000
    assert len(refusal(table).message) < 300


@pytest.mark.parametrize(
    ("change", "code", "where"),
    [
        (lambda grid: grid[:3], "row-count", "$.cities[1].grid"),
        (lambda grid: [*grid, grid[0]], "row-count", "$.cities[1].grid"),
        (lambda grid: [], "row-count", "$.cities[1].grid"),
        (lambda grid: [grid[0] + grid[1], grid[2] + grid[3]], "row-count", "$.cities[1].grid"),
        (lambda grid: [*grid[:2], grid[2][:3], grid[3]], "row-length", "$.cities[1].grid[2]"),
        (lambda grid: [*grid[:3], [*grid[3], "shop"]], "row-length", "$.cities[1].grid[3]"),
        (lambda grid: [*grid[:3], "shop"], "wrong-type", "$.cities[1].grid"),
        (lambda grid: [*grid[:3], None], "wrong-type", "$.cities[1].grid"),
        (lambda grid: None, "wrong-type", "$.cities[1].grid"),
        (lambda grid: "shop", "wrong-type", "$.cities[1].grid"),
    ],
)
def test_a_city_of_another_shape_is_refused_with_its_place(change, code, where):
    table = as_json(example_table())
    table[1] = change(table[1])
    error = refusal(table)
    assert (error.code, error.where) == (code, where)
