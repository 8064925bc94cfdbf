"""Which city is which in two readings of a table."""

from rescoring_scene import dealt

from scoring.faces import Face
from vision.reading import GridReading
from vision.rescore.naming import is_same_table, known_cities, round_the_table

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
