"""The whole eye on photos of our own drawn tiles: what it reads, and what it says it cannot."""

import json
from dataclasses import replace
from functools import cache
from math import dist
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from scoring.faces import Face
from tests.refusals import refused
from tests.vision.cities import SIZE_WH, read_cities, table_of_cities
from vision.arrays import Doubles, Image
from vision.editions.folder import built_in_edition
from vision.editions.learning import model_of
from vision.eye.read import MAX_UNSURE_WITHOUT_QUALITY_NOTE, read_tiles, recognise_image
from vision.eye.recognise import may_lie_further_out
from vision.eye.white_areas import LIGHT_HIDES_NOTE
from vision.lab.simulate.simulated_photos import take_photo
from vision.lab.simulate.simulated_table import SimulatedTable, Surroundings
from vision.patches.cut import Pyramid
from vision.photo.load import Photo, decode_photo, load_photo
from vision.reading import GridReading, Note, NoteCode, Reading, note

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "firmware" / "data" / "between-two-cities.jpg"
TRUTH = ROOT / "tests" / "data" / "sample-table.json"
CITIES = json.loads(TRUTH.read_text())["cities"]
FACES = tuple(Face)
CALM = Surroundings(material="felt", props=2, strays=1, strength=0.15)


@cache
def noise() -> Doubles:
    return np.random.default_rng(0).normal(0, 3, (*SIZE_WH[::-1], 3))


@cache
def sample() -> Reading:
    return read_cities(load_photo(SAMPLE))


def photo_of(image: Image) -> Photo:
    height, width = image.shape[:2]
    return Photo(image, "test.jpg", (width, height))


def dealt(seed: int, cities: int) -> list[list[list[Face | None]]]:
    """Cities dealt at random."""
    rng = np.random.default_rng(seed)
    return [
        [[FACES[int(n)] for n in row] for row in rng.integers(0, 9, (4, 4))] for _ in range(cities)
    ]


def middle(corners: Any) -> tuple[float, float]:
    return sum(p[0] for p in corners) / 4, sum(p[1] for p in corners) / 4


def city_at(reading: Reading, corners: Any) -> GridReading:
    """The city whose middle lies within half a tile of that of ``corners``."""
    size = dist(corners[0], corners[1]) / 4
    near = [c for c in reading.grids if dist(c.centre_px, middle(corners)) < size / 2]
    assert len(near) == 1
    return near[0]


def assert_read(reading: Reading, truth: dict[str, Any]) -> None:
    """Every city found, none invented, and every face right that is not flagged."""
    assert len(reading.grids) == len(truth["cities"])
    for city in truth["cities"]:
        found = city_at(reading, city["corners_px"])
        for row in range(4):
            for column in range(4):
                if (row, column) not in found.unsure:
                    assert found.faces[row][column] == city["grid"][row][column]


def flagged(reading: Reading) -> int:
    return sum(len(city.unsure) for city in reading.grids)


def test_sample_photo_is_read_completely_with_its_corners() -> None:
    assert_read(sample(), {"cities": CITIES})
    assert flagged(sample()) == 0
    assert sample().unread == ()
    for city in CITIES:
        found = city_at(sample(), city["corners_px"])
        tile = dist(city["corners_px"][0], city["corners_px"][1]) / 4
        for corner, true_corner in zip(found.corners_px, city["corners_px"], strict=True):
            assert dist(corner, true_corner) < 0.15 * tile


def test_a_turned_photo_shows_the_same_cities() -> None:
    image = np.rot90(load_photo(SAMPLE).image_bgr)
    turned = read_cities(photo_of(np.ascontiguousarray(image)))
    assert sorted(c.faces for c in turned.grids) == sorted(c.faces for c in sample().grids)


def test_reading_twice_gives_the_same() -> None:
    first, second = read_cities(load_photo(SAMPLE)), sample()
    assert (first.grids, first.unread, first.notes) == (second.grids, second.unread, second.notes)


def test_a_large_photo_is_read_in_its_own_pixels() -> None:
    photo = load_photo(SAMPLE)
    large = Photo(photo.image_bgr, photo.name, (4608, 2592), scale=2)
    for small, big in zip(sample().grids, read_cities(large).grids, strict=True):
        for (x, y), (big_x, big_y) in zip(small.corners_px, big.corners_px, strict=True):
            assert (big_x, big_y) == pytest.approx(
                ((x + 0.5) * 2 - 0.5, (y + 0.5) * 2 - 0.5), abs=0.05
            )


@pytest.mark.parametrize(
    ("material", "seed"),
    [("cutting-mat", 9), ("wood-dark", 8), ("ceramic", 6), ("chequerboard", 7)],
)
def test_tables_with_a_pattern_of_their_own(material: str, seed: int) -> None:
    surroundings = Surroundings(material=material, tilt=0.12, carelessness=1.5, strength=0.25)
    table = table_of_cities(seed, dealt(seed, 3 + seed % 5), surroundings=surroundings)
    reading = read_cities(photo_of(table.image))
    assert_read(reading, table.truth)
    # Square tiles of the table's own may seem to go on where a city ends
    assert flagged(reading) <= (16 if material == "ceramic" else len(reading.grids))


def test_a_missing_tile_is_null_and_flagged() -> None:
    grids = dealt(11, 2)
    grids[1][2][1] = None
    table = table_of_cities(11, grids, surroundings=CALM)
    reading = read_cities(photo_of(table.image))
    assert_read(reading, table.truth)
    city = city_at(reading, table.truth["cities"][1]["corners_px"])
    assert city.faces[2][1] is None
    assert (2, 1) in city.unsure
    assert note(NoteCode.NO_TILE, (2, 1)) in city.notes


def test_a_tile_turned_the_wrong_way_is_flagged() -> None:
    table = calm_table(18)
    image = with_tile_turned(table, city=0, cell=6)
    reading = read_cities(photo_of(image))
    city = city_at(reading, table.truth["cities"][0]["corners_px"])
    assert (1, 2) in city.unsure
    assert note(NoteCode.UPSIDE_DOWN, (1, 2)) in city.notes
    assert (1, 1) not in city.unsure  # one turned tile says nothing of its neighbours


def test_a_row_that_shows_nothing_but_its_tiles_ends_a_city() -> None:
    """A reflection takes the drawings from the tiles, not their edges."""
    table = calm_table(18)
    city = table.truth["cities"][0]
    image = table.image.copy()
    for quad in np.array(city["tile_corners_px"][12:], np.float32):
        inner = quad.mean(axis=0) + 0.85 * (quad - quad.mean(axis=0))
        plain = cv2.fillConvexPoly(np.zeros(image.shape[:2], np.uint8), inner.astype(np.int32), 1)
        image[plain > 0] = (image[plain > 0] * 0.03 + 235).astype(np.uint8)
    read = city_at(read_cities(photo_of(image)), city["corners_px"])
    assert {(3, column) for column in range(4)} <= set(read.unsure)
    assert not {(row, column) for row in range(3) for column in range(4)} & set(read.unsure)


def test_a_covered_tile_is_flagged_or_right() -> None:
    table = calm_table(18)
    quad = np.array(table.truth["cities"][1]["tile_corners_px"][9], np.float32)
    image = table.image.copy()
    centre = tuple(int(v) for v in quad.mean(axis=0))
    cv2.circle(image, centre, int(0.62 * dist(*quad[:2])), (40, 90, 160), -1, cv2.LINE_AA)
    reading = read_cities(photo_of(image))
    assert_read(reading, table.truth)
    assert (2, 1) in city_at(reading, table.truth["cities"][1]["corners_px"]).unsure


def test_a_city_that_runs_off_the_picture_is_flagged() -> None:
    table = calm_table(18)
    corners = np.array(table.truth["cities"][0]["corners_px"])
    x0, x1 = corners[:, 0].min(), corners[:, 0].max()
    cut = int(x0 + 0.3 * (x1 - x0))
    image = np.ascontiguousarray(table.image[:, cut:])
    reading = read_cities(photo_of(image))
    near = [c for c in reading.grids if min(p[0] for p in c.corners_px) < 2]
    near_unread = [u for u in reading.unread if min(p[0] for p in u.corners_px) < 2]
    assert near or near_unread
    for city in near:
        assert note(NoteCode.OVER_THE_EDGE, edges="left") in city.notes


@pytest.mark.parametrize(("unsure", "may"), [((), False), ((0, 4, 8, 12), True)])
def test_cut_grid_without_sure_tiles_opposite_may_lie_further_out(
    unsure: tuple[int, ...], may: bool
) -> None:
    cells = np.array([(x, y) for y in range(4) for x in range(4)])
    quads_px = 100 * (cells[:, None] + [[0, 0], [1, 0], [1, 1], [0, 1]]).astype(np.float32)
    sure = np.array([n % 4 != 3 and n not in unsure for n in range(16)])
    assert may_lie_further_out(quads_px, sure, (4, 4), (350, 500)) is may


def test_city_hidden_by_light_is_unread() -> None:
    table = calm_table(18)
    image, lit = under_a_lamp(table, 2.2, 1.4)
    reading = read_cities(photo_of(image))
    assert len(reading.grids) == len(table.truth["cities"]) - 1
    (hidden,) = (each for each in reading.unread if each.reason == LIGHT_HIDES_NOTE)
    assert cv2.pointPolygonTest(np.array(hidden.corners_px, np.float32), lit, False) > 0


@pytest.mark.parametrize("strength", [0.8, 1.8])
def test_city_under_any_lamp_is_read_or_unread(strength: float) -> None:
    table = calm_table(18)
    image, lit = under_a_lamp(table, strength, 0.5)
    reading = read_cities(photo_of(image))
    unread_places = [unread.corners_px for unread in reading.unread]
    read = [city.corners_px for city in reading.grids]
    places = [np.array(corners, np.float32) for corners in (*read, *unread_places)]
    assert any(cv2.pointPolygonTest(place, lit, False) > 0 for place in places)


def test_a_city_with_an_empty_row_in_its_middle_is_read_whole() -> None:
    grids = dealt(4, 2)
    grids[1] = [grids[1][0], [None] * 4, *grids[1][2:]]
    table = table_of_cities(4, grids, surroundings=CALM)
    reading = read_cities(photo_of(table.image))
    city = city_at(reading, table.truth["cities"][1]["corners_px"])
    assert [list(row) for row in city.faces] == [
        [None if face is None else Face(face) for face in row]
        for row in table.truth["cities"][1]["grid"]
    ]


def test_a_missing_edge_is_null_and_its_city_flagged() -> None:
    grids = dealt(21, 2)
    grids[1] = [[None] * 4, *grids[1][1:]]
    table = table_of_cities(21, grids, surroundings=CALM)
    reading = read_cities(photo_of(table.image))
    (city,) = [c for c in reading.grids if any(face is None for row in c.faces for face in row)]
    assert sum(face is None for row in city.faces for face in row) == 4
    assert len(city.unsure) == 16
    assert note(NoteCode.EDGE_ROW_EMPTY) in city.notes


@pytest.mark.parametrize("share", [0.09, 0.04])
def test_dark_table_is_read_or_noted_with_remedy(share: float) -> None:
    table = calm_table(18, cities=3)
    image = np.clip(table.image * share + noise(), 0, 255).astype(np.uint8)
    reading = read_cities(photo_of(image))
    if flagged(reading) > MAX_UNSURE_WITHOUT_QUALITY_NOTE or len(reading.grids) < 3:
        assert {NoteCode.DARK, NoteCode.TOO_DARK} & {note.code for note in reading.all_notes}
    else:
        assert_read(reading, table.truth)


def test_a_photo_without_colours_is_refused() -> None:
    grey = cv2.cvtColor(cv2.cvtColor(calm_table(18).image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    with refused("photo-colourless"):
        read_cities(photo_of(np.asarray(grey, np.uint8)))
    with refused("photo-too-dark"):
        read_cities(photo_of(np.zeros((432, 768, 3), np.uint8)))


def test_an_overexposed_photo_has_a_note() -> None:
    table = table_of_cities(20, dealt(20, 2), surroundings=replace(CALM, material="gingham"))
    image = np.clip(table.image * 2.2, 0, 255).astype(np.uint8)
    reading = read_cities(photo_of(image))
    assert Note(NoteCode.MUCH_LIGHT) in reading.notes
    assert len(reading.grids) == 2
    assert reading.unread == ()


@cache
def out_of_focus(sigma_px: float) -> Reading:
    """Reading of the sample photo out of focus."""
    image = cv2.GaussianBlur(load_photo(SAMPLE).image_bgr, (0, 0), sigma_px)
    return read_cities(photo_of(np.asarray(image, np.uint8)))


def test_cells_of_a_blurred_photo_are_right_or_flagged() -> None:
    reading = out_of_focus(8)
    assert_right_or_unread(reading)
    codes = {each.code for each in reading.all_notes}
    few_unsure = all(len(city.unsure) <= 3 for city in reading.grids)
    assert few_unsure or codes & {NoteCode.OUT_OF_FOCUS, NoteCode.BLURRED}


def moved_sample(length: float, *, evenly: bool) -> Reading:
    """Reading of the sample photo by a camera that moved by some tiles, evenly or by fits."""
    length_px = length * dist(*CITIES[0]["corners_px"][:2]) / 4
    side = round(length_px) | 1
    way = np.zeros((side, side), np.float32)
    for part in np.linspace(-0.5, 0.5, 200):
        x, y = length_px * part * 0.87 + side / 2, side / 2 - length_px * part * 0.5
        way[min(int(y), side - 1), min(int(x), side - 1)] += 1 if evenly else np.exp(-20 * part**2)
    image = load_photo(SAMPLE).image_bgr
    return read_cities(photo_of(np.asarray(cv2.filter2D(image, -1, way / way.sum()), np.uint8)))


def test_photo_blurred_by_even_motion_is_sharpened() -> None:
    reading = moved_sample(0.22, evenly=True)
    assert Note(NoteCode.MOTION_BLURRED) in reading.notes
    assert_right_or_unread(reading)
    assert len(reading.grids) == len(CITIES)
    assert flagged(reading) <= flagged(sample()) + 5


def test_more_is_flagged_in_a_photo_blurred_by_uneven_motion() -> None:
    reading = moved_sample(0.4, evenly=False)
    assert Note(NoteCode.MOTION_BLURRED) in reading.notes
    assert_right_or_unread(reading)
    assert flagged(reading) > flagged(sample())


def test_no_tile_of_a_sharpened_photo_is_sure_by_votes_alone() -> None:
    image = np.asarray(cv2.GaussianBlur(load_photo(SAMPLE).image_bgr, (0, 0), 5), np.uint8)
    model = model_of(built_in_edition("between-two-cities", pictured=False))
    sharp, sharpened = Pyramid(image), Pyramid(image, is_sharpened=True)
    assert recognise_image(sharpened, model).sure_count < recognise_image(sharp, model).sure_count


def test_all_figures_of_a_photo_blurred_by_motion_are_asked_about() -> None:
    edition = built_in_edition("cities")
    photo = decode_photo(take_photo(edition, "normal", 1, SIZE_WH).jpeg, "test.jpg")
    blurred = np.asarray(cv2.blur(photo.image_bgr, (11, 1)), np.uint8)
    reading = read_tiles(replace(photo, image_bgr=blurred), edition)
    assert Note(NoteCode.MOTION_BLURRED) in reading.notes
    assert any(grid.figures for grid in reading.grids)
    for grid in reading.grids:
        assert {figure.at for figure in grid.figures} <= {*grid.unsure_figures}


@pytest.mark.parametrize("sigma_px", [1, 8])
def test_photo_out_of_focus_is_not_called_motion_blurred(sigma_px: float) -> None:
    reading = out_of_focus(sigma_px)
    assert Note(NoteCode.MOTION_BLURRED) not in reading.notes
    assert_right_or_unread(reading)


def assert_right_or_unread(reading: Reading) -> None:
    """Nothing of the sample photo is silently wrong."""
    unread_places = [np.mean(unread.corners_px, axis=0) for unread in reading.unread]
    for city in CITIES:
        tile = dist(city["corners_px"][0], city["corners_px"][1]) / 4
        if not any(dist(place, middle(city["corners_px"])) < tile for place in unread_places):
            found = city_at(reading, city["corners_px"])
            for row, column in np.ndindex(4, 4):
                if (row, column) not in found.unsure:
                    assert found.faces[row][column] == city["grid"][row][column]


def test_a_blurred_photo_is_refused() -> None:
    image = cv2.GaussianBlur(load_photo(SAMPLE).image_bgr, (0, 0), 20)
    with refused("photo-blurred"):
        read_cities(photo_of(np.asarray(image, np.uint8)))


def test_cities_that_are_small_on_a_patterned_cloth_are_all_found() -> None:
    surroundings = Surroundings(material="gingham", share=0.6, tilt=0.1)
    cities = dealt(2, 6)
    reading = read_cities(photo_of(table_of_cities(2, cities, surroundings=surroundings).image))
    assert {city.faces for city in reading.grids} == {tuple(map(tuple, city)) for city in cities}


def test_tiny_tiles_are_noted() -> None:
    table = table_of_cities(1, dealt(1, 6), surroundings=replace(CALM, share=0.5))
    reading = read_cities(photo_of(table.image))
    assert table.tile_px < 24
    for city in reading.grids:
        assert NoteCode.TOO_SMALL in [note.code for note in city.notes]


def test_a_city_close_to_the_camera_is_found() -> None:
    surroundings = Surroundings("laminate", share=0.8, props=0, strays=0, strength=0.1)
    table = table_of_cities(16, dealt(16, 1), (1600, 1296), surroundings, things=())
    assert_read(read_cities(photo_of(table.image)), table.truth)


@cache
def calm_table(seed: int, cities: int = 2) -> SimulatedTable:
    return table_of_cities(seed, dealt(seed, cities), surroundings=CALM)


def under_a_lamp(
    table: SimulatedTable, strength: float, fall: float
) -> tuple[Image, tuple[float, float]]:
    """The photo with a reflection on the first city, and the middle of that."""
    corners = table.truth["cities"][0]["corners_px"]
    (x, y), reach = middle(corners), 0.75 * dist(corners[0], corners[2])
    ys, xs = np.mgrid[: table.image.shape[0], : table.image.shape[1]]
    lamp = 255 * np.clip(strength - np.hypot(xs - x, ys - y) / reach * fall, 0, 1)
    return np.clip(table.image + lamp[..., None], 0, 255).astype(np.uint8), (x, y)


def with_tile_turned(table: SimulatedTable, city: int, cell: int) -> Image:
    """The photo with one tile turned upside down in its place."""
    image = table.image.copy()
    quad = np.array(table.truth["cities"][city]["tile_corners_px"][cell], np.float32)
    warp = cv2.getPerspectiveTransform(quad, np.roll(quad, 2, axis=0))
    size = (image.shape[1], image.shape[0])
    turned = cv2.warpPerspective(image, warp, size)
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, quad.astype(np.int32), 255)
    image[mask > 0] = turned[mask > 0]
    return image
