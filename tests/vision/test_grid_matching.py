"""Matching the cities of two readings of a table."""

from dataclasses import replace

from scoring.faces import Face
from tests.vision.rescan_scene import dealt
from vision.reading import GridReading, Reading
from vision.rereading.matching import (
    TableSameness,
    compare_tables,
    keeps_half_of_grids,
    match_grids,
    order_by_letter,
    reorder_grids,
)

ROUND = ((0.0, 100.0), (-100.0, 0.0), (0.0, -100.0), (100.0, 0.0))
"""Places clockwise as seen in a picture, from 6 o'clock on."""


def city(seed: int, place: tuple[float, float], *, other_tiles: int = 0) -> GridReading:
    """A city of 40 x 40 pixels, a number of whose tiles are others than those of its seed."""
    x, y = place
    faces = [face for row in dealt(seed) for face in row]
    for cell in range(other_tiles):
        faces[cell] = Face.SHOP if faces[cell] is not Face.SHOP else Face.PARK
    grid = tuple(tuple(faces[4 * row : 4 * row + 4]) for row in range(4))
    corners = ((x - 20, y - 20), (x + 20, y - 20), (x + 20, y + 20), (x - 20, y + 20))
    return GridReading(corners, grid, ((1.0,) * 4,) * 4, (), ((corners,) * 4,) * 4)


def test_tables_without_cities_have_no_matches():
    assert match_grids([], []) == {}
    assert match_grids([], [city(1, (0, 0))]) == {}
    assert match_grids([city(1, (0, 0))], []) == {}
    nothing = ((None,) * 4,) * 4
    before = [GridReading(c.corners_px, nothing, c.confidence, (), c.tile_quads_px)
              for c in (city(1, ROUND[0]), city(2, ROUND[1]))]  # fmt: skip
    far = [city(3, (300.0, 300.0))]
    assert match_grids(before, far) == {}


def test_cities_match_by_place_or_tiles():
    before = [city(n, place) for n, place in enumerate(ROUND)]
    now = [before[0], city(1, ROUND[1], other_tiles=16), *before[2:]]
    assert match_grids(before, now) == {0: 0, 1: 1, 2: 2, 3: 3}
    now = [city(0, (150.0, 150.0), other_tiles=3), *before[1:]]
    assert match_grids(before, now) == {0: 0, 1: 1, 2: 2, 3: 3}
    now = [city((n + 1) % 4, place) for n, place in enumerate(ROUND)]
    assert match_grids(before, now) == {0: 1, 1: 2, 2: 3, 3: 0}
    assert match_grids(before, [*before[2:], *before[:2]]) == {0: 2, 1: 3, 2: 0, 3: 1}
    before = [city(n, place) for n, place in enumerate(ROUND)]
    now = [city(seed, place) for seed, place in zip((0, 2, 1, 3), ROUND, strict=True)]
    assert match_grids(before, now) == {0: 0, 1: 1, 2: 2, 3: 3}
    now = [*before, city(9, (200.0, 200.0))]
    assert match_grids(before, now) == {0: 0, 1: 1, 2: 2, 3: 3}


def test_equal_cities_match_by_place():
    same = [city(1, place) for place in ROUND]
    assert match_grids(same, [same[0], same[2], same[3]]) == {0: 0, 1: 2, 2: 3}
    before = [city(n, place) for n, place in enumerate(ROUND)]
    now = [city(n + 9, place) for n, place in enumerate(ROUND)]
    assert not keeps_half_of_grids(before, now, match_grids(before, now))
    assert keeps_half_of_grids(before, before[1:], match_grids(before, before[1:]))


def test_new_city_takes_its_seat():
    """Since neighbours share a player; the first name of all stays where it is."""
    before = [city(n, ROUND[n]) for n in (2, 3, 0)]
    now = [city(n, place) for n, place in enumerate(ROUND)]
    assert order_by_letter(match_grids(before, now), len(now)) == [2, 3, 0, 1]
    assert order_by_letter({}, 3) == [0, 1, 2]


def on_table(seeds, first=0):
    """Cities of these seeds clockwise, beginning with another one."""
    places = [ROUND[n % 4] for n in range(len(seeds))]
    return [city(seeds[(n + first) % len(seeds)], place) for n, place in enumerate(places)]


class TestCompareTables:
    def test_order_from_another_city_is_same_table(self):
        match = compare_tables(on_table((1, 2, 3)), on_table((1, 2, 3), first=2))
        assert (match.sameness, dict(match.earlier_by_new)) == (
            TableSameness.SAME,
            {0: 2, 1: 0, 2: 1},
        )

    def test_few_other_tiles_are_same_table(self):
        now = [city(1, ROUND[0], other_tiles=4), *on_table((1, 2, 3))[1:]]
        assert compare_tables(on_table((1, 2, 3)), now).sameness is TableSameness.SAME

    def test_many_other_tiles_are_perhaps_same_table(self):
        now = [city(1, ROUND[0], other_tiles=9), *on_table((1, 2, 3))[1:]]
        assert compare_tables(on_table((1, 2, 3)), now).sameness is TableSameness.PERHAPS

    def test_missing_city_is_perhaps_same_table(self):
        now = on_table((1, 2, 3, 4))[:3]
        assert compare_tables(on_table((1, 2, 3, 4)), now).sameness is TableSameness.PERHAPS

    def test_other_order_is_perhaps_same_table(self):
        before, now = on_table((1, 2, 3, 4)), on_table((2, 1, 3, 4))
        assert compare_tables(before, now).sameness is TableSameness.PERHAPS

    def test_other_cities_are_other_table(self):
        assert (
            compare_tables(on_table((1, 2, 3)), on_table((4, 5, 6))).sameness is TableSameness.OTHER
        )

    def test_few_equal_tiles_are_other_table(self):
        few = tuple(tuple("park" if (r, c) < (0, 3) else None for c in range(4)) for r in range(4))
        one = replace(city(1, ROUND[0]), faces=few)
        assert compare_tables([one], [one]).sameness is TableSameness.OTHER

    def test_turned_city_matches_in_any_turn(self):
        one = city(1, ROUND[0])
        match = compare_tables([one], [one.turned(3)], any_grid_turn=True)
        assert (match.sameness, dict(match.turn_to_earlier)) == (TableSameness.SAME, {0: 1})


def test_known_table_gets_its_order_back():
    before, now = on_table((1, 2, 3)), on_table((1, 2, 3), first=1)
    reading = Reading("photo", "between-two-cities", "standard", (400, 400), tuple(now))
    ordered = reorder_grids(reading, before)
    assert [grid.faces for grid in ordered.grids] == [grid.faces for grid in before]


def test_other_table_keeps_its_own_order():
    reading = Reading("photo", "between-two-cities", "standard", (400, 400), (city(9, ROUND[0]),))
    assert reorder_grids(reading, on_table((1, 2, 3))) is reading


def test_four_quarter_turns_give_same_grid():
    one = replace(city(1, ROUND[0]), unsure=((0, 3),), alternatives={(0, 3): ("park",)})
    assert one.turned(1).turned(3) == one
