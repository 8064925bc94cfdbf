"""Which city is which in two readings of a table."""

from dataclasses import replace

from rescoring_scene import dealt

from scoring.faces import Face
from vision.reading import GridReading, Reading
from vision.rescore.naming import (
    Sameness,
    compare_tables,
    in_known_order,
    is_same_table,
    known_cities,
    round_the_table,
    turned_grid,
)

ROUND = ((0.0, 100.0), (-100.0, 0.0), (0.0, -100.0), (100.0, 0.0))
"""Places clockwise as seen in a picture, from 6 o'clock on."""


def city(seed: int, place: tuple[float, float], *, other_tiles: int = 0) -> GridReading:
    """A city of 40 x 40 pixels; so many of its tiles are others than those of its seed."""
    x, y = place
    faces = [face for row in dealt(seed) for face in row]
    for cell in range(other_tiles):
        faces[cell] = Face.SHOP if faces[cell] is not Face.SHOP else Face.PARK
    grid = tuple(tuple(faces[4 * row : 4 * row + 4]) for row in range(4))
    corners = ((x - 20, y - 20), (x + 20, y - 20), (x + 20, y + 20), (x - 20, y + 20))
    return GridReading(corners, grid, ((1.0,) * 4,) * 4, (), ((corners,) * 4,) * 4)


def test_without_cities_nothing_is_known():
    assert known_cities([], []) == {}
    assert known_cities([], [city(1, (0, 0))]) == {}
    assert known_cities([city(1, (0, 0))], []) == {}
    nothing = ((None,) * 4,) * 4
    before = [GridReading(c.corners_px, nothing, c.confidence, (), c.tile_quads_px)
              for c in (city(1, ROUND[0]), city(2, ROUND[1]))]  # fmt: skip
    far = [city(3, (300.0, 300.0))]
    assert known_cities(before, far) == {}


def test_cities_are_known_by_their_places_or_their_tiles():
    before = [city(n, place) for n, place in enumerate(ROUND)]
    now = [before[0], city(1, ROUND[1], other_tiles=16), *before[2:]]
    assert known_cities(before, now) == {0: 0, 1: 1, 2: 2, 3: 3}
    now = [city(0, (150.0, 150.0), other_tiles=3), *before[1:]]
    assert known_cities(before, now) == {0: 0, 1: 1, 2: 2, 3: 3}
    now = [city((n + 1) % 4, place) for n, place in enumerate(ROUND)]
    assert known_cities(before, now) == {0: 1, 1: 2, 2: 3, 3: 0}
    assert known_cities(before, [*before[2:], *before[:2]]) == {0: 2, 1: 3, 2: 0, 3: 1}
    before = [city(n, place) for n, place in enumerate(ROUND)]
    now = [city(seed, place) for seed, place in zip((0, 2, 1, 3), ROUND, strict=True)]
    assert known_cities(before, now) == {0: 0, 1: 1, 2: 2, 3: 3}
    now = [*before, city(9, (200.0, 200.0))]
    assert known_cities(before, now) == {0: 0, 1: 1, 2: 2, 3: 3}


def test_cities_alike_in_all_tiles_are_told_apart_by_their_places():
    same = [city(1, place) for place in ROUND]
    assert known_cities(same, [same[0], same[2], same[3]]) == {0: 0, 1: 2, 2: 3}
    before = [city(n, place) for n, place in enumerate(ROUND)]
    now = [city(n + 9, place) for n, place in enumerate(ROUND)]
    assert not is_same_table(before, now, known_cities(before, now))
    assert is_same_table(before, before[1:], known_cities(before, before[1:]))


def test_a_new_city_takes_its_place_round_the_table():
    """Since neighbours share a player; the first name of all stays where it is."""
    before = [city(n, ROUND[n]) for n in (2, 3, 0)]
    now = [city(n, place) for n, place in enumerate(ROUND)]
    assert round_the_table(known_cities(before, now), len(now)) == [2, 3, 0, 1]
    assert round_the_table({}, 3) == [0, 1, 2]


def on_table(seeds, first=0):
    """Cities of these seeds clockwise, beginning with another one."""
    places = [ROUND[n % 4] for n in range(len(seeds))]
    return [city(seeds[(n + first) % len(seeds)], place) for n, place in enumerate(places)]


class TestCompareTables:
    def test_same_cities_beginning_elsewhere_are_the_same_table(self):
        match = compare_tables(on_table((1, 2, 3)), on_table((1, 2, 3), first=2))
        assert (match.sameness, dict(match.pairs)) == (Sameness.SAME, {0: 2, 1: 0, 2: 1})

    def test_some_tiles_read_otherwise_leave_the_table_the_same(self):
        now = [city(1, ROUND[0], other_tiles=4), *on_table((1, 2, 3))[1:]]
        assert compare_tables(on_table((1, 2, 3)), now).sameness is Sameness.SAME

    def test_a_city_with_many_other_tiles_is_asked_about(self):
        now = [city(1, ROUND[0], other_tiles=9), *on_table((1, 2, 3))[1:]]
        assert compare_tables(on_table((1, 2, 3)), now).sameness is Sameness.PERHAPS

    def test_a_missing_city_is_asked_about(self):
        now = on_table((1, 2, 3, 4))[:3]
        assert compare_tables(on_table((1, 2, 3, 4)), now).sameness is Sameness.PERHAPS

    def test_cities_in_another_order_are_asked_about(self):
        before, now = on_table((1, 2, 3, 4)), on_table((2, 1, 3, 4))
        assert compare_tables(before, now).sameness is Sameness.PERHAPS

    def test_other_cities_are_another_table(self):
        assert compare_tables(on_table((1, 2, 3)), on_table((4, 5, 6))).sameness is Sameness.OTHER

    def test_few_equal_tiles_are_no_table(self):
        few = tuple(tuple("park" if (r, c) < (0, 3) else None for c in range(4)) for r in range(4))
        one = replace(city(1, ROUND[0]), grid=few)
        assert compare_tables([one], [one]).sameness is Sameness.OTHER

    def test_turned_city_is_known_where_no_tile_says_which_way_is_up(self):
        one = city(1, ROUND[0])
        match = compare_tables([one], [turned_grid(one, 3)], any_turn=True)
        assert (match.sameness, dict(match.turns)) == (Sameness.SAME, {0: 1})


def test_known_table_gets_its_order_back():
    before, now = on_table((1, 2, 3)), on_table((1, 2, 3), first=1)
    reading = Reading("photo", "between-two-cities", "standard", (400, 400), tuple(now))
    ordered = in_known_order(reading, before)
    assert [grid.grid for grid in ordered.grids] == [grid.grid for grid in before]


def test_other_table_keeps_its_own_order():
    reading = Reading("photo", "between-two-cities", "standard", (400, 400), (city(9, ROUND[0]),))
    assert in_known_order(reading, on_table((1, 2, 3))) is reading


def test_four_quarters_lead_back():
    one = replace(city(1, ROUND[0]), unsure=((0, 3),), alternatives={(0, 3): ("park",)})
    assert turned_grid(turned_grid(one, 1), 3) == one
