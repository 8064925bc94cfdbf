"""Cities are named clockwise as seen from above, from the first one after 6 o'clock on."""

from math import cos, radians, sin

from hypothesis import given
from hypothesis import strategies as st

from scoring.faces import Face
from vision.reading import GridReading, sort_clockwise


def city_at(x: float, y: float) -> GridReading:
    corners = ((x - 9, y - 9), (x + 9, y - 9), (x + 9, y + 9), (x - 9, y + 9))
    return GridReading(
        corners_px=corners,
        faces=((Face.PARK,),),
        confidence=((1.0,),),
        unsure=(),
        tile_quads_px=((corners,),),
    )


def on_the_clock(hour: float) -> GridReading:
    angle = radians(30 * hour)
    return city_at(1000 + 500 * sin(angle), 600 - 500 * cos(angle))


def test_clockwise_from_six_o_clock() -> None:
    hours = [7, 9, 12, 3, 5]
    cities = {hour: on_the_clock(hour) for hour in hours}
    mixed = [cities[hour] for hour in (3, 12, 5, 7, 9)]
    assert sort_clockwise(mixed) == [cities[hour] for hour in hours]
    six, two, ten = on_the_clock(6), on_the_clock(2), on_the_clock(10)
    assert sort_clockwise([two, six, ten]) == [six, ten, two]
    assert sort_clockwise([]) == []


@given(st.permutations(range(7)))
def test_the_order_in_which_they_were_found_does_not_matter(found: list[int]) -> None:
    cities = [on_the_clock(6.3 + 12 * n / 7) for n in range(7)]
    assert sort_clockwise([cities[n] for n in found]) == cities
