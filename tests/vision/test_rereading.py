"""Rescan: read in place if nothing moved, right after any change, letters kept."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from scoring.faces import Face
from tests.vision.cities import STANDARD, read_cities
from tests.vision.rescan_scene import (
    SIZE_WH,
    TILE_PX,
    LaidCity,
    Scene,
    Thing,
    assert_right,
    city_of,
    dealt,
    table,
)
from tests.vision.taught_cities import cities_edition
from vision.calibration.reader import CAMERA_MOVED_NOTE
from vision.editions.built_in import tile_picture
from vision.errors import PhotoError
from vision.lab.simulate import light
from vision.photo.load import Photo
from vision.reading import Note, NoteCode, Reading, Unread
from vision.rereading import TableMemory, read_again, remember

FIRST = table(3)


@pytest.fixture(scope="module")
def first() -> tuple[Reading, TableMemory]:
    """Reading and memory of the first photo of ``FIRST``."""
    return read_again(FIRST.photo(), None, STANDARD)


@cache
def plain() -> Reading:
    """Reading of the first photo of ``FIRST`` that nothing remembers."""
    return read_cities(FIRST.photo())


def second_shot(scene: Scene) -> Scene:
    """Return the same scene in a later photo, with other noise."""
    return replace(scene, shot=2)


def was_read_in_place(reading: Reading) -> bool:
    return "locate" not in reading.timings_ms


def indices_of(reading: Reading, scene: Scene) -> list[int]:
    """Return for each city of the scene its index in the reading."""
    return [reading.grids.index(city_of(reading, scene, laid)) for laid in scene.cities]


def count_unsure(reading: Reading) -> int:
    return sum(len(city.unsure) for city in reading.grids)


def test_first_photo_is_read_in_full(first):
    assert first[0].grids == plain().grids
    assert_right(first[0], FIRST)
    assert count_unsure(first[0]) == 0


def test_unchanged_table_is_read_in_place(first):
    reading, _ = read_again(second_shot(FIRST).photo(), first[1], STANDARD)
    assert was_read_in_place(reading)
    assert reading.grids == first[0].grids
    assert (reading.unread, reading.notes) == ((), ())
    assert reading.photo_name == "shot-2.jpg"
    _, memory = remember(FIRST.photo(), replace(plain(), notes=(CAMERA_MOVED_NOTE,)))
    reading, _ = read_again(second_shot(FIRST).photo(), memory, STANDARD)
    assert reading.notes == (CAMERA_MOVED_NOTE,)


def covered_in_part() -> Scene:
    """The table ``FIRST`` with a finger on its second city, so that tiles are unsure."""
    x, y = FIRST.cities[1].place
    return replace(FIRST, things=(Thing("finger", (x + 0.5, y + 0.5)),))


@cache
def first_covered() -> tuple[Reading, TableMemory]:
    """Reading and memory of ``covered_in_part``."""
    return read_again(covered_in_part().photo(), None, STANDARD)


def test_unchanged_unsure_tile_keeps_its_guess():
    before, memory = first_covered()
    reading, _ = read_again(covered_in_part().photo(), memory, STANDARD)
    assert count_unsure(before)
    assert reading.grids == before.grids


def test_exchanged_tile_leaves_guesses_of_other_cities():
    city = FIRST.cities[0]
    covered = covered_in_part()
    before, memory = first_covered()
    other = Face.PARK if city.grid[1][2] is not Face.PARK else Face.SHOP
    changed = covered.with_city(0, city.with_tile((1, 2), other))
    reading, _ = read_again(changed.photo(), memory, STANDARD)
    there = city_of(before, covered, FIRST.cities[1])
    assert city_of(reading, changed, FIRST.cities[1]) == there


@pytest.mark.parametrize("effect", [light.dim, light.colour_cast])
def test_table_in_other_light_is_read_in_place(first, effect):
    scene = replace(second_shot(FIRST), effects=(effect,))
    reading, _ = read_again(scene.photo(), first[1], STANDARD)
    assert_right(reading, scene)
    assert indices_of(reading, scene) == indices_of(first[0], FIRST)
    assert was_read_in_place(reading) or effect is not light.dim


def test_photo_blurred_by_motion_is_read_in_full(first):
    photo = second_shot(FIRST).photo()
    blurred = np.asarray(cv2.blur(photo.image_bgr, (7, 1)), np.uint8)
    reading, _ = read_again(replace(photo, image_bgr=blurred), first[1], STANDARD)
    assert not was_read_in_place(reading)
    assert Note(NoteCode.MOTION_BLURRED) in reading.notes


def test_new_city_in_deep_shadow_is_not_missed(first):
    scene = replace(second_shot(FIRST), effects=(light.deep_shadows,))
    reading, _ = read_again(scene.photo(), first[1], STANDARD)
    unread_places = [np.mean(unread.corners_px, axis=0) for unread in reading.unread]
    for laid in scene.cities:
        if not any(np.hypot(*(place - scene.place_px(laid.place))) < 20 for place in unread_places):
            found = city_of(reading, scene, laid)
            for row, column in np.ndindex(4, 4):
                same = found.faces[row][column] == laid.grid[row][column]
                assert same or (row, column) in found.unsure


def test_exchanged_tile_is_read_in_place(first):
    city = FIRST.cities[1]
    other = Face.PARK if city.grid[1][2] is not Face.PARK else Face.SHOP
    scene = second_shot(FIRST).with_city(1, city.with_tile((1, 2), other))
    reading, memory = read_again(scene.photo(), first[1], STANDARD)
    assert was_read_in_place(reading)
    assert_right(reading, scene)
    assert city_of(reading, scene, city).faces[1][2] == other
    # And back again
    reading, _ = read_again(replace(FIRST, shot=3).photo(), memory, STANDARD)
    assert was_read_in_place(reading)
    assert reading.grids[indices_of(reading, FIRST)[1]].faces == city.grid


TAVERNS = tuple(face for face in Face if face.is_tavern)
CITY_OF_TAVERNS = Scene((LaidCity((TAVERNS,) * 4, (0.0, 0.0), 0.3),))


@cache
def first_of_taverns() -> tuple[Reading, TableMemory]:
    """Reading and memory of the first photo of ``CITY_OF_TAVERNS``."""
    return read_again(CITY_OF_TAVERNS.photo(), None, STANDARD)


@pytest.mark.parametrize("effects", [(), (light.unsharp,)])
def test_exchanged_tavern_is_never_missed(effects):
    """The four kinds differ by their emblems alone."""
    (city,) = CITY_OF_TAVERNS.cities
    for cell in range(4):
        changed = city.with_tile((cell, cell), TAVERNS[(cell + 1) % 4])
        later = replace(second_shot(CITY_OF_TAVERNS), effects=effects).with_city(0, changed)
        reading, _ = read_again(later.photo(), first_of_taverns()[1], STANDARD)
        assert_right(reading, later)
        assert was_read_in_place(reading) or effects


def test_added_tile_is_read_in_place():
    whole = FIRST.cities[0]
    gap = FIRST.with_city(0, whole.with_tile((2, 1), None))
    reading, memory = read_again(gap.photo(), None, STANDARD)
    assert (2, 1) in city_of(reading, gap, whole).unsure
    reading, _ = read_again(second_shot(FIRST).photo(), memory, STANDARD)
    assert was_read_in_place(reading)
    assert_right(reading, FIRST)
    assert count_unsure(reading) == 0


def test_removed_tile_is_noticed(first):
    scene = second_shot(FIRST).with_city(0, FIRST.cities[0].with_tile((2, 1), None))
    reading, _ = read_again(scene.photo(), first[1], STANDARD)
    city = city_of(reading, scene, scene.cities[0])
    assert city.faces[2][1] is None
    assert (2, 1) in city.unsure


def test_turned_tile_is_flagged(first):
    scene = second_shot(FIRST).with_city(2, replace(FIRST.cities[2], turned={(1, 1): 2}))
    reading, _ = read_again(scene.photo(), first[1], STANDARD)
    assert_right(reading, scene)
    assert (1, 1) in city_of(reading, scene, scene.cities[2]).unsure


@pytest.mark.parametrize(
    ("name", "off"),
    [("finger", (0.0, 0.0)), ("reference-card", (0.55, 0.5))],
)
def test_thing_on_city_makes_no_silent_error(first, name, off):
    x, y = FIRST.cities[0].place
    scene = replace(second_shot(FIRST), things=(Thing(name, (x + off[0], y + off[1])),))
    reading, _ = read_again(scene.photo(), first[1], STANDARD)
    assert_right(reading, scene)


def test_city_keeps_reading_after_hand_above_it(first):
    scene = replace(second_shot(FIRST), things=(Thing("hand", FIRST.cities[0].place),))
    reading, memory = read_again(scene.photo(), first[1], STANDARD)
    for laid in FIRST.cities[1:]:
        assert city_of(reading, scene, laid).faces == laid.grid
    reading, _ = read_again(replace(FIRST, shot=3).photo(), memory, STANDARD)
    assert_right(reading, FIRST)
    assert indices_of(reading, FIRST) == indices_of(first[0], FIRST)


def test_new_city_gets_letter_of_its_seat():
    before = replace(FIRST, material="gingham")
    old, memory = read_again(before.photo(), None, STANDARD)
    more = replace(table(4), material="gingham", shot=2)
    reading, _ = read_again(more.photo(), memory, STANDARD)
    assert_right(reading, more)
    first = indices_of(old, before).index(0)
    assert indices_of(reading, more)[first] == 0  # the city that was A still is
    round_the_table = [city.faces for city in read_cities(more.photo()).grids]
    here = round_the_table.index(reading.grids[0].faces)
    seats = [*round_the_table[here:], *round_the_table[:here]]
    assert [city.faces for city in reading.grids] == seats


def test_removed_city_is_noted_and_keeps_its_letter(first):
    gone = first[0].grids.index(city_of(first[0], FIRST, FIRST.cities[0]))
    scene = replace(second_shot(FIRST), cities=FIRST.cities[1:])
    reading, memory = read_again(scene.photo(), first[1], STANDARD)
    assert_right(reading, scene)
    letter = "ABC"[gone]
    assert letter in [dict(note.values).get("letter") for note in reading.notes]
    stay = [city.faces for number, city in enumerate(first[0].grids) if number != gone]
    assert [city.faces for city in reading.grids] == stay
    # The note stays as long as the city is away, also when the photo is read in place
    reading, memory = read_again(replace(scene, shot=3).photo(), memory, STANDARD)
    assert was_read_in_place(reading)
    assert letter in [dict(note.values).get("letter") for note in reading.notes]
    reading, _ = read_again(replace(FIRST, shot=4).photo(), memory, STANDARD)
    assert indices_of(reading, FIRST) == indices_of(first[0], FIRST)
    assert reading.notes == ()


@pytest.mark.parametrize("move", [(0.3, 0.1), (1.03, 0.0)])
def test_moved_city_keeps_its_letter(move):
    """Also one that lies a whole tile further, in the lattice of its old place."""
    straight = replace(FIRST, cities=tuple(replace(city, angle=0.0) for city in FIRST.cities))
    old, memory = read_again(straight.photo(), None, STANDARD)
    scene = second_shot(straight).with_city(2, straight.cities[2].moved(*move))
    reading, _ = read_again(scene.photo(), memory, STANDARD)
    assert not was_read_in_place(reading)
    assert_right(reading, scene)
    assert indices_of(reading, scene) == indices_of(old, straight)


def test_turned_city_keeps_its_letter(first):
    city = FIRST.cities[1]
    turned = replace(city, angle=city.angle + np.pi / 2)
    scene = second_shot(FIRST).with_city(1, turned)
    reading, _ = read_again(scene.photo(), first[1], STANDARD)
    assert_right(reading, scene)
    assert indices_of(reading, scene) == indices_of(first[0], FIRST)


@pytest.mark.parametrize(
    ("nudge_px", "turn_deg"),
    [((4.0, -3.0), 0.0), ((60.0, 20.0), 0.0), ((10, 0), 8.0)],
)
def test_cities_keep_letters_after_camera_is_nudged(first, nudge_px, turn_deg):
    scene = replace(second_shot(FIRST), nudge_px=nudge_px, turn_deg=turn_deg)
    reading, _ = read_again(scene.photo(), first[1], STANDARD)
    assert_right(reading, scene)
    assert indices_of(reading, scene) == indices_of(first[0], FIRST)


def test_small_nudges_do_not_add_up(first):
    memory = first[1]
    for number in range(1, 5):
        scene = replace(FIRST, shot=number + 1, nudge_px=(0.05 * TILE_PX * number, 0.0))
        reading, memory = read_again(scene.photo(), memory, STANDARD)
        assert_right(reading, scene)
        for laid in scene.cities:
            x, y = scene.place_px(laid.place)
            found = city_of(reading, scene, laid).centre_px
            assert np.hypot(found[0] - x, found[1] - y) < 0.15 * TILE_PX


def test_city_at_6_o_clock_keeps_its_letter():
    """A first reading may list this city first or last."""
    places = ((-9.0, -3.5), (9.0, -3.5), (0.35, 4.6))
    cities = tuple(LaidCity(dealt(n), place, 0.1, seed=n) for n, place in enumerate(places))
    scene = Scene(cities)
    moved = second_shot(scene).with_city(2, cities[2].moved(-0.3, 0.0))
    before, after = read_cities(scene.photo()), read_cities(moved.photo())
    assert indices_of(before, scene) != indices_of(after, moved), "the order itself does waver"
    old, memory = remember(scene.photo(), before)
    reading, _ = remember(moved.photo(), after, memory)
    assert indices_of(reading, moved) == indices_of(old, scene)


def test_other_table_is_read_right(first):
    cities = tuple(replace(c, grid=dealt(50 + n)) for n, c in enumerate(table(4, seed=9).cities))
    scene = Scene(cities, material="marble", table_seed=5, shot=2)
    reading, _ = read_again(scene.photo(), first[1], STANDARD)
    assert_right(reading, scene)


def test_photo_of_other_size_is_read_in_full(first):
    photo = FIRST.photo()
    large = Photo(photo.image_bgr, photo.name, (2 * SIZE_WH[0], 2 * SIZE_WH[1]), scale=2)
    in_full, memory = read_again(large, first[1], STANDARD)
    assert not was_read_in_place(in_full)
    assert in_full.size_wh == large.size_wh
    reading, _ = read_again(large, memory, STANDARD)
    assert was_read_in_place(reading)
    assert reading.grids == in_full.grids


def test_refused_photo_leaves_memory_valid(first):
    black = Photo(np.zeros((*SIZE_WH[::-1], 3), np.uint8), "black.jpg", SIZE_WH)
    with pytest.raises(PhotoError):
        read_again(black, first[1], STANDARD)
    assert was_read_in_place(read_again(second_shot(FIRST).photo(), first[1], STANDARD)[0])


def test_table_of_taught_edition_is_read_in_place():
    drawn = cities_edition("own", {face: (tile_picture(face, 96),) for face in Face})
    reading, memory = read_again(FIRST.photo(), None, drawn)
    assert reading.edition == "own"
    reading, _ = read_again(second_shot(FIRST).photo(), memory, drawn)
    assert was_read_in_place(reading)
    assert reading.edition == "own"
    assert_right(reading, FIRST)
    # The memory of one edition is not used for another
    reading, _ = read_again(second_shot(FIRST).photo(), memory, STANDARD)
    assert not was_read_in_place(reading)
    assert reading.edition == "standard"


def test_photo_after_unread_region_is_read_in_full(first):
    city, *others = plain().grids
    region = Unread(city.corners_px, Note(NoteCode.CITY_UNREADABLE))
    _, memory = remember(FIRST.photo(), replace(plain(), grids=tuple(others), unread=(region,)))
    reading, _ = read_again(second_shot(FIRST).photo(), memory, STANDARD)
    assert not was_read_in_place(reading)
    assert_right(reading, FIRST)


def test_table_is_read_after_photo_without_cities():
    empty = replace(FIRST, cities=())
    reading, memory = read_again(empty.photo(), None, STANDARD)
    assert reading.grids == ()
    reading, _ = read_again(second_shot(FIRST).photo(), memory, STANDARD)
    assert_right(reading, FIRST)
