"""The eye with a calibration: better where it fits, and as ever where it does not."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from scoring.faces import Face
from tests.refusals import refused
from tests.vision.calibrated_scene import TILE_MM, calibration_of
from tests.vision.cities import STANDARD, read_cities
from tests.vision.rescan_scene import SIZE_WH, TILE_PX, Scene, assert_right, city_of, table
from vision.calibration import calibration_to_bytes, photo_px_to_plane
from vision.calibration.plan_view import PlanView
from vision.calibration.reader import (
    CAMERA_MOVED_NOTE,
    OTHER_PHOTO_SIZE_NOTE,
    OTHER_TILE_SIZE_NOTE,
    CalibratedReader,
    load_reader,
)
from vision.photo.load import Photo
from vision.reading import Figure, LoosePiece, NoteCode, Reading, Unread, note
from vision.rereading import read_again

WIDE = table(4, barrel=0.25, tilt=0.25)
WIDE_FITS = calibration_of(WIDE)


@cache
def wide() -> Photo:
    """The photo of ``WIDE``."""
    return WIDE.photo()


@cache
def plain() -> Reading:
    """Reading of the wide table without a calibration."""
    return read_cities(wide())


@cache
def calibrated() -> Reading:
    """Reading of the wide table with the calibration that fits."""
    return CalibratedReader(WIDE_FITS)(wide(), STANDARD)


def errors(reading: Reading, scene: Scene):
    """Return the errors of all tile corners, in tile widths."""
    off = []
    for laid in scene.cities:
        quads = city_of(reading, scene, laid).tile_quads_px
        for row in range(4):
            for column in range(4):
                true = scene.seen(laid.corners((row, column)))
                off.extend(np.linalg.norm(np.array(quads[row][column]) - true, axis=1))
    return np.array(off) / TILE_PX


def same_cities(one: Reading, other: Reading) -> bool:
    return (one.grids, one.unread, one.size_wh) == (other.grids, other.unread, other.size_wh)


def blank(size_wh=SIZE_WH) -> Photo:
    return Photo(np.full((*size_wh[::-1], 3), 90, np.uint8), "blank.jpg", size_wh)


# The plan


@pytest.mark.parametrize("scene", [WIDE, table(1, tilt=0.4), table(1, barrel=0.3, tilt=0.0)])
def test_lengths_on_a_plan_are_those_of_the_table(scene):
    calibration = calibration_of(scene, sheet_turned_deg=130)
    view = PlanView.for_photo(calibration, blank())
    width, height = view.size_wh
    points = np.random.default_rng(1).uniform(0.2, 0.8, (30, 2)) * (width, height)
    on_table = photo_px_to_plane(calibration, view.to_photo_px(points))
    in_plan = np.linalg.norm(points[1:] - points[:-1], axis=1)
    in_mm = np.linalg.norm(on_table[1:] - on_table[:-1], axis=1)
    assert in_plan == pytest.approx(in_mm * view.px_per_mm, rel=1e-4)


@pytest.mark.parametrize("scene", [WIDE, table(1), table(1, barrel=0.3), table(1, tilt=0.45)])
def test_a_plan_shows_all_that_the_photo_shows(scene):
    width, height = SIZE_WH
    photo = blank()
    image = np.zeros((height, width, 3), np.uint8)
    places = [(x, y) for x in (12, width // 2, width - 13) for y in (12, height // 2, height - 13)]
    for number, (x, y) in enumerate(places):
        image[y - 10 : y + 11, x - 10 : x + 11] = 20 + 25 * number
    view = PlanView.for_photo(calibration_of(scene), photo)
    plan = view.draw(Photo(image, "marks.png", SIZE_WH))
    for number, place in enumerate(places):
        ys, xs = np.nonzero(np.abs(plan[..., 0].astype(int) - (20 + 25 * number)) <= 1)
        inner = np.column_stack([xs, ys])
        back = np.median(view.to_photo_px(inner), axis=0)
        assert np.hypot(*(back - place)) < 3


@pytest.mark.parametrize("turned_deg", [0, 90, 180, 222])
def test_a_plan_lies_like_the_photo_however_the_sheet_lay(turned_deg):
    view = PlanView.for_photo(calibration_of(WIDE, sheet_turned_deg=turned_deg), blank())
    width, height = view.size_wh
    middle = np.array([width, height]) / 2
    here, right, down = view.to_photo_px(middle + np.array([[0, 0], [50, 0], [0, 50]]))
    assert np.hypot(*(here - np.array(SIZE_WH) / 2)) < 0.2 * SIZE_WH[0]
    assert (right - here)[0] > 10 * abs((right - here)[1])
    assert (down - here)[1] > 5 * abs((down - here)[0])


def test_outside_the_photo_its_last_pixels_go_on():
    """Single tiles cut out of a photo do the same: a cut tile still looks like one."""
    view = PlanView.for_photo(calibration_of(WIDE), blank())
    image = np.full((*SIZE_WH[::-1], 3), 90, np.uint8)
    image[:, :4] = 200
    plan = view.draw(Photo(image, "rim.png", SIZE_WH))
    width, height = view.size_wh
    places = np.array([(x, y) for y in range(0, height, 7) for x in range(0, width, 7)])
    in_photo = view.to_photo_px(places)
    levels = plan[places[:, 1], places[:, 0], 0]
    beside = (in_photo[:, 1] > 0) & (in_photo[:, 1] < SIZE_WH[1] - 1)
    assert (in_photo[:, 0] < -2).any()
    assert (levels[beside & (in_photo[:, 0] < 2)] == 200).all()
    assert (levels[beside & (in_photo[:, 0] > 5)] == 90).all()


# Reading


def test_through_a_wide_lens_tiles_are_placed_better():
    with_it, without = calibrated(), plain()
    assert_right(with_it, WIDE)
    assert with_it.notes == ()
    assert errors(with_it, WIDE).mean() < errors(without, WIDE).mean()
    assert sum(len(c.unsure) for c in with_it.grids) <= sum(len(c.unsure) for c in without.grids)
    turned = CalibratedReader(calibration_of(WIDE, sheet_turned_deg=180))(wide(), STANDARD)
    assert [c.faces for c in turned.grids] == [c.faces for c in plain().grids]


def test_elsewhere_it_does_no_harm():
    scene = table(3, tilt=0.35, material="gingham")
    photo = scene.photo()
    without, with_it = read_cities(photo), CalibratedReader(calibration_of(scene))(photo, STANDARD)
    assert_right(with_it, scene)
    assert [c.faces for c in with_it.grids] == [c.faces for c in without.grids]
    assert errors(with_it, scene).mean() <= errors(without, scene).mean() + 0.015


def test_a_photo_decoded_at_half_size_is_read_in_its_own_pixels():
    photo, small = wide(), calibrated()
    matrix = WIDE_FITS.lens.camera_matrix.copy()
    matrix[:2] *= 2
    matrix[:2, 2] += 0.5
    double = (2 * SIZE_WH[0], 2 * SIZE_WH[1])
    lens = replace(WIDE_FITS.lens, camera_matrix=matrix, size_wh=double)
    large = Photo(photo.image_bgr, photo.name, double, scale=2)
    reading = CalibratedReader(replace(WIDE_FITS, lens=lens))(large, STANDARD)
    assert reading.size_wh == double
    assert [city.faces for city in reading.grids] == [city.faces for city in small.grids]
    found = np.array([city.tile_quads_px for city in reading.grids]).reshape(-1, 2)
    expected = (np.array([city.tile_quads_px for city in small.grids]).reshape(-1, 2) + 0.5) * 2
    off = found - (expected - 0.5)
    assert np.abs(off).max() < 0.15 * 2 * TILE_PX
    assert np.abs(off.mean(axis=0)).max() < 0.02 * 2 * TILE_PX


def test_pieces_are_placed_in_photo_pixels():
    scene = table(1, barrel=0.3, tilt=0.3)

    def with_pieces(plan: Photo, edition, *, area_factor=1.0) -> Reading:
        reading = read_cities(plan)
        city = reading.grids[0]
        quad = city.tile_quads_px[0][0]
        figure, piece = Figure((0, 0), "red", quad[2]), LoosePiece("heap", 0, "park", quad, 0.9)
        return replace(reading, grids=(replace(city, figures=(figure,), loose=(piece,)),))

    photo = scene.photo()
    (city,) = CalibratedReader(calibration_of(scene), reader=with_pieces)(photo, STANDARD).grids
    quad = city.tile_quads_px[0][0]
    assert city.loose[0].corners_px == quad
    assert city.figures[0].foot_px == quad[2]


def test_a_table_seen_far_aslant_is_read_without_a_plan():
    scene = table(1, tilt=0.9, barrel=0.2)
    calibration = calibration_of(scene)
    photo = scene.photo()
    assert PlanView.for_photo(calibration, photo).px_per_mm is None
    reading = CalibratedReader(calibration)(photo, STANDARD)
    assert CAMERA_MOVED_NOTE not in reading.notes
    for city in reading.grids:
        assert city.faces == scene.cities[0].grid or city.unsure
    scene = replace(table(0), material="wood-dark")
    photo = scene.photo()
    without, with_it = read_cities(photo), CalibratedReader(calibration_of(scene))(photo, STANDARD)
    assert same_cities(with_it, without)
    assert with_it.notes == without.notes


def test_a_city_that_runs_off_the_photo_is_flagged_there():
    laid = WIDE.cities[0]
    scene = WIDE.with_city(0, replace(laid, place=(-15.6, -3.0), angle=0.0))
    reading = CalibratedReader(calibration_of(scene))(scene.photo(), STANDARD)
    near = [c for c in reading.grids if min(x for x, _ in c.corners_px) < 0]
    assert len(near) == 1
    assert {(row, 0) for row in range(4)} <= set(near[0].unsure)
    assert note(NoteCode.OVER_THE_EDGE, edges="left") in near[0].notes
    for city in reading.grids:
        if city is not near[0]:
            assert city.unsure == ()


# A calibration that does not fit


def test_for_a_photo_of_another_size_the_calibration_is_not_used():
    small = Photo(np.ascontiguousarray(wide().image_bgr[:-64]), "cut.jpg", (1536, 800))
    reading = CalibratedReader(WIDE_FITS)(small, STANDARD)
    assert reading.notes == (OTHER_PHOTO_SIZE_NOTE,)
    assert same_cities(reading, read_cities(small))
    black = Photo(np.zeros((*SIZE_WH[::-1], 3), np.uint8), "black.jpg", SIZE_WH)
    with refused("photo-too-dark"):
        CalibratedReader(WIDE_FITS)(black, STANDARD)
    assert CalibratedReader(WIDE_FITS, tile_mm=TILE_MM)(wide(), STANDARD).notes == ()
    higher = CalibratedReader(WIDE_FITS, tile_mm=1.25 * TILE_MM)(wide(), STANDARD)
    assert higher.notes == (CAMERA_MOVED_NOTE,)
    assert same_cities(higher, plain())


@pytest.mark.parametrize("tilt", [0.55, -0.15])
def test_a_camera_tilted_since_is_noticed(tilt):
    reading = CalibratedReader(calibration_of(replace(WIDE, tilt=tilt)))(wide(), STANDARD)
    assert reading.notes == (CAMERA_MOVED_NOTE,)
    assert same_cities(reading, plain())


@pytest.mark.parametrize("how", [{"turn_deg": 6.0}, {"tilt": 0.27}])
def test_harmless_camera_motion_keeps_the_calibration(how):
    """The camera turned about its axis, or moved so little that it does not matter."""
    scene = table(3, barrel=0.2, tilt=0.25)
    reading = CalibratedReader(calibration_of(scene))(replace(scene, **how).photo(), STANDARD)
    assert reading.notes == ()
    assert_right(reading, replace(scene, **how))


def test_a_calibration_of_another_lens_is_noticed_or_harmless():
    """The other lens bends far more: on its plan no city is square."""
    scene = table(4, barrel=0.0)
    photo = scene.photo()
    reading = CalibratedReader(calibration_of(replace(scene, barrel=0.3, tilt=-0.3)))(
        photo, STANDARD
    )
    assert_right(reading, scene)


# What contradicts the size of the tiles


def test_a_city_of_larger_tiles_is_flagged_as_a_whole():
    scene = table(4)
    scene = scene.with_city(3, replace(scene.cities[3], size=1.2))
    reading = CalibratedReader(calibration_of(scene))(scene.photo(), STANDARD)
    *others, larger = (city_of(reading, scene, laid) for laid in scene.cities)
    assert OTHER_TILE_SIZE_NOTE in larger.notes
    assert len(larger.unsure) == 16
    assert all(city.unsure == () for city in others)
    assert any(len(city.unsure) < 16 for city in read_cities(scene.photo()).grids)


@pytest.mark.parametrize("strength", [0.9, 1.1])
def test_city_hidden_by_light_of_any_reach_is_unread(strength):
    scene = table(4)
    photo = scene.photo()
    x, y = scene.place_px(scene.cities[0].place)
    ys, xs = np.mgrid[: photo.image_bgr.shape[0], : photo.image_bgr.shape[1]]
    away = np.hypot(xs - x, ys - y) / (4 * TILE_PX)
    lamp = 255 * np.clip(strength - away * 0.5, 0, 1)
    lit = np.clip(photo.image_bgr + lamp[..., None], 0, 255).astype(np.uint8)
    reading = CalibratedReader(calibration_of(scene))(replace(photo, image_bgr=lit), STANDARD)
    places = [city.corners_px for city in reading.grids]
    places += [unread.corners_px for unread in reading.unread]
    inside = [cv2.pointPolygonTest(np.array(p, np.float32), (x, y), False) > 0 for p in places]
    assert any(inside)


def test_unread_regions_too_large_or_small_for_tiles_are_dropped():
    scene = table(3)
    calibration = calibration_of(scene)
    photo = scene.photo()
    middle = np.array(PlanView.for_photo(calibration, photo).size_wh) / 2
    side = TILE_MM * PlanView.for_photo(calibration, photo).px_per_mm

    def square(tiles: float):
        (left, top), (right, bottom) = middle - tiles * side / 2, middle + tiles * side / 2
        corners = ((left, top), (right, top), (right, bottom), (left, bottom))
        return Unread(corners, note(NoteCode.CITY_UNREADABLE, tiles=tiles))

    def with_unread(plan: Photo, edition, *, area_factor=1.0) -> Reading:
        regions = tuple(square(tiles) for tiles in (0.7, 2, 4, 6))
        return replace(read_cities(plan), unread=regions)

    reading = CalibratedReader(calibration, reader=with_unread)(photo, STANDARD)
    assert [region.reason for region in reading.unread] == [
        note(NoteCode.CITY_UNREADABLE, tiles=tiles) for tiles in (2, 4)
    ]


# Photos without a city


# Calibrations in files


def test_stored_calibration_is_used_only_if_good(tmp_path):
    reading = load_reader(tmp_path / "calibration.json", {})(wide(), STANDARD)
    assert same_cities(reading, plain())
    assert reading.notes == ()
    path = tmp_path / "calibration.json"
    path.write_bytes(calibration_to_bytes(WIDE_FITS))
    assert same_cities(load_reader(path, {})(wide(), STANDARD), calibrated())
    path = tmp_path / "calibration.json"
    path.write_bytes(calibration_to_bytes(WIDE_FITS)[:200])
    reading = load_reader(path, {})(wide(), STANDARD)
    assert same_cities(reading, plain())
    assert [note.code for note in reading.notes] == [NoteCode.CALIBRATION_UNUSABLE]


# Together with a rescan


def test_a_table_is_read_again_where_the_calibrated_eye_found_it():
    eye = CalibratedReader(WIDE_FITS)
    first, memory = read_again(wide(), None, STANDARD, reader=eye)
    other = Face.PARK if WIDE.cities[0].grid[0][0] is not Face.PARK else Face.SHOP
    scene = replace(WIDE, shot=2).with_city(0, WIDE.cities[0].with_tile((0, 0), other))
    reading, _ = read_again(scene.photo(), memory, STANDARD, reader=eye)
    assert "locate" not in reading.timings_ms
    assert_right(reading, scene)
    assert errors(reading, scene).mean() < 1.5 * errors(first, WIDE).mean()
