"""Grids that are searched top-down, with camera and tile size known."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from scoring.faces import Face
from tests.vision.cities import STANDARD, read_cities, table_of_cities
from tests.vision.laid_out import photo_of_layout
from vision.arrays import apply_homography, floats
from vision.editions.built_in import tile_picture
from vision.editions.learning import model_of
from vision.eye.acceptance import is_background
from vision.eye.completion import (
    _TableSearch,
    complete_grids,
    fit_table_geometry,
    mean_tile_probabilities,
)
from vision.eye.growth import SMALL_THEN_LARGE_BLOCK, grow_grid
from vision.eye.ledger import Ledger, RejectionReason
from vision.eye.leftovers import DetectionGroup, account_for_leftovers, find_leftovers
from vision.eye.locate import OFFSET, UNIT_PX, Detections, run_locator
from vision.eye.placement import CandidateGrid, embed_grids_at, make_candidates
from vision.eye.position_search import BLOCK_CELLS, search_position
from vision.eye.quads import overlap_share
from vision.lab.simulate.simulated_table import Surroundings
from vision.networks import measure_work
from vision.patches.cut import UNIT_SQUARE, Pyramid
from vision.photo.load import Photo

GRID = [[list(Face)[(2 * row + column) % 9] for column in range(4)] for row in range(4)]


@cache
def table():
    return table_of_cities(4, [GRID] * 4, surroundings=Surroundings(props=0, strays=0))


def corners(candidate):
    return candidate.corners_px


def quads_of(city):
    return floats(city["tile_corners_px"]).reshape(4, 4, 4, 2)


@cache
def scene():
    """The table, all its cities as placed by their truth, and one output of the locator."""
    pyramid, model = Pyramid(table().image), model_of(STANDARD)
    camera, placed = embed_grids_at(pyramid, [quads_of(city) for city in table().truth["cities"]])
    grids = make_candidates(pyramid, camera, placed, model)
    return pyramid, model, grids, run_locator(pyramid, model.grid_format)


def completed(grids: list[CandidateGrid]):
    pyramid, model, _, located = scene()
    return complete_grids(pyramid, grids, (located,), (), model)


@pytest.mark.parametrize("lost", [0, 3])
def test_city_without_a_grid_is_found(lost):
    grids = scene()[2]
    found, _ = completed([each for each in grids if each is not grids[lost]])
    assert max(overlap_share(corners(each), corners(grids[lost])) for each in found) > 0.9


def test_bare_table_gives_no_grid():
    found, _ = completed(list(scene()[2]))
    assert len(found) == 4


def test_nothing_is_searched_without_a_good_grid():
    grids = scene()[2]
    weak = [
        replace(each, similarity=floats(each.similarity - 0.5), placed=each.placed)
        for each in grids[:1]
    ]
    assert completed(weak) == (weak, [])


def test_grid_that_lies_aside_is_laid_anew():
    pyramid, model, grids, _ = scene()
    quads = quads_of(table().truth["cities"][0])
    aside = quads + 0.15 * (quads[0, 0, 1] - quads[0, 0, 0])
    camera, placed = embed_grids_at(pyramid, [aside])
    (weak,) = make_candidates(pyramid, camera, placed, model)
    weak = replace(weak, placed=replace(weak.placed, is_position_certain=False))
    found, _ = completed([weak, *grids[1:]])
    off = [np.abs(corners(each) - corners(grids[0])).max() for each in found]
    tile_px = grids[0].tile_px
    assert min(off) < 0.06 * tile_px < np.abs(corners(weak) - corners(grids[0])).max()


def test_table_geometry_has_the_steps_of_all_grids():
    grids = scene()[2]
    geometry = fit_table_geometry(grids)
    sizes = [each.placed.lattice_grid.lattice.cell_size for each in grids]
    assert np.sqrt(np.linalg.det(geometry.steps)) == pytest.approx(np.median(sizes), rel=0.03)


def without_tiles(output):
    """Return an output of the locator that shows no tile."""
    maps, likely = output.maps.copy(), np.zeros_like(output.probability_map)
    maps[0] = -9
    return replace(output, maps=maps, probability_map=likely)


def test_city_that_only_an_earlier_run_shows_is_found():
    pyramid, model, grids, located = scene()
    outputs = (located, without_tiles(located))
    found, _ = complete_grids(pyramid, grids[1:], outputs, (), model)
    assert max(overlap_share(corners(each), corners(grids[0])) for each in found) > 0.9


def test_found_city_takes_the_place_of_a_thing_that_is_none():
    pyramid, model, grids, located = scene()
    quads = quads_of(table().truth["cities"][0])
    right, down = quads[0, 0, 1] - quads[0, 0, 0], quads[0, 0, 3] - quads[0, 0, 0]
    camera, placed = embed_grids_at(pyramid, [quads + 2 * right + 2 * down])
    (thing,) = make_candidates(pyramid, camera, placed, model)
    whole = replace(thing.placed.embeddings, whole_probability=np.ones(16, np.float32))
    thing = replace(thing, placed=replace(thing.placed, embeddings=whole))
    found, _ = complete_grids(pyramid, [*grids[1:], thing], (located,), (), model)
    assert max(overlap_share(corners(each), corners(grids[0])) for each in found) > 0.9
    assert all(each is not thing for each in found)


@pytest.mark.parametrize(("weak_support", "is_replaced"), [(0.4, True), (0.7, False)])
def test_unconfirmed_grid_takes_the_place_of_a_weaker_one(weak_support, is_replaced):
    pyramid, model, grids, located = scene()
    weak, found = (
        replace(grids[0], similarity=floats(0 * grids[0].similarity + support))
        for support in (weak_support, 0.6)
    )
    search = _TableSearch(pyramid, fit_table_geometry(grids), (located,), model, [*grids[1:], weak])
    added = search.add_or_set_aside(found)
    assert (added is found) == is_replaced
    assert search.candidates[-1] is (found if is_replaced else weak)


def test_grid_that_was_nearly_accepted_is_left_unread():
    pyramid, model, grids, located = scene()
    unconfirmed = replace(grids[0], similarity=floats(grids[0].similarity - 0.3))
    others, ledger = [corners(each) for each in grids[1:]], Ledger()
    account_for_leftovers(pyramid, [without_tiles(located)], others, [unconfirmed], model, ledger)
    assert [overlap_share(quad, corners(grids[0])) > 0.9 for quad in ledger.unread] == [True]


def with_likely(output, likely):
    """Return an output of the locator with these probabilities of tiles."""
    maps = output.maps.copy()
    maps[0] = np.log(likely / (1 - likely))
    return replace(output, maps=maps, probability_map=floats(likely))


def test_city_that_is_as_hard_to_detect_as_the_others_is_found():
    pyramid, model, grids, located = scene()
    faint = with_likely(located, np.clip(0.1 * located.probability_map, 1e-6, 1 - 1e-6))
    found, _ = complete_grids(pyramid, grids[1:], (faint,), (), model)
    assert max(overlap_share(corners(each), corners(grids[0])) for each in found) > 0.9


def test_city_that_is_much_harder_to_detect_than_the_others_is_found():
    pyramid, model, grids, located = scene()
    shown = mean_tile_probabilities(grids, (located,), model)
    likely = np.clip(located.probability_map, 1e-6, 1 - 1e-6)
    around = np.zeros(likely.shape, np.uint8)
    cv2.fillConvexPoly(around, np.rint(located.to_map(corners(grids[0]))).astype(np.int32), 1)
    around = cv2.dilate(around, np.ones((9, 9), np.uint8)) > 0
    likely[around] *= 0.085 * shown[1:].min() / shown[0]
    found, _ = complete_grids(pyramid, grids[1:], (with_likely(located, likely),), (), model)
    assert max(overlap_share(corners(each), corners(grids[0])) for each in found) > 0.9


def bare_places(grids, output, radius):
    """Return places on the map that far from each grid and each other, at most twenty."""
    taken = np.zeros(output.probability_map.shape, np.uint8)
    for each in grids:
        cv2.fillConvexPoly(taken, np.rint(output.to_map(corners(each))).astype(np.int32), 1)
    places = []
    while (cv2.distanceTransform(1 - taken, cv2.DIST_L2, 5) > radius).any() and len(places) < 20:
        y, x = np.argwhere(cv2.distanceTransform(1 - taken, cv2.DIST_L2, 5) > radius)[0].tolist()
        cv2.circle(taken, (x, y), radius, 1, -1)
        places.append((x, y))
    return places


def test_city_is_found_after_any_number_of_likelier_places():
    pyramid, model, grids, located = scene()
    likely = np.clip(0.3 * located.probability_map, 1e-6, 1 - 1e-6)
    places = bare_places(grids, located, 7)
    for place in places:
        cv2.circle(likely, place, 5, 0.9, -1)
    found, _ = complete_grids(pyramid, grids[1:], (with_likely(located, likely),), (), model)
    assert len(places) > 8
    assert max(overlap_share(corners(each), corners(grids[0])) for each in found) > 0.9


def test_grid_whose_end_is_uncertain_gives_the_tile_size():
    grids = [
        replace(each, placed=replace(each.placed, is_position_certain=False)) for each in scene()[2]
    ]
    assert fit_table_geometry(grids) is not None


def test_city_within_the_outline_of_other_things_is_no_evidence():
    pyramid, model, grids, located = scene()
    city, taken = grids[3], [corners(each) for each in grids]
    right, down = corners(city)[1] - corners(city)[0], corners(city)[3] - corners(city)[0]
    # Seven squares along two sides of the city: their rectangle holds the city
    steps = [(-0.13, 0.25 * n - 0.13) for n in range(4)] + [
        (0.25 * n + 0.12, -0.13) for n in range(3)
    ]
    at_px = corners(city)[0] + np.array([x * right + y * down for x, y in steps])
    at = (at_px + 0.5) / located.reduction_xy - 0.5
    quarters = np.stack([right, down])[None] / 4 / located.reduction_xy.mean()
    edges = np.repeat(quarters, len(at), axis=0)
    ones = np.ones(len(at), np.float32)
    detections = Detections(floats(at), floats(edges), ones, 0 * ones, 0.05 * ones)
    ledger, output = Ledger(), replace(without_tiles(located), detections=detections)
    account_for_leftovers(pyramid, [output], taken, (), model, ledger)
    assert ledger.unread == []
    assert RejectionReason.NO_KNOWN_FACE in [each.reason for each in ledger.rejected]


def test_face_down_supply_starts_no_search():
    grid = scene()[2][0]
    vectors = np.repeat(grid.placed.embeddings.vectors[:1], 16, axis=0)
    alike = replace(grid.placed.embeddings, vectors=vectors)
    pile = replace(
        grid,
        placed=replace(grid.placed, embeddings=alike),
        similarity=floats(np.full_like(grid.similarity, 0.72)),
    )
    assert fit_table_geometry([pile]) is None
    assert fit_table_geometry([replace(pile, placed=grid.placed)]) is not None


def from_farther_off(image, scale):
    """Return a photo of the table from farther off: the image reduced, on a larger floor."""
    height, width = image.shape[:2]
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    far = np.full_like(image, (90, 100, 110))
    top, left = (height - small.shape[0]) // 2, (width - small.shape[1]) // 2
    far[top : top + small.shape[0], left : left + small.shape[1]] = small
    return Photo(far, "photo.jpg", (width, height))


def test_cities_so_far_off_that_no_first_run_shows_them_are_found():
    reading = read_cities(from_farther_off(table().image, 0.3))
    assert [grid.tiles for grid in reading.grids] == [tuple(map(tuple, GRID))] * 4


def on_squares_like_tiles(side_px=46):
    """Return an image of the cities on a cloth of squares that resemble tiles."""
    square = np.full((side_px, side_px, 3), (70, 90, 60), np.uint8)
    cv2.rectangle(square, (0, 0), (side_px - 1, side_px - 1), (30, 40, 30), 3)
    cv2.rectangle(square, (side_px // 5,) * 2, (side_px * 4 // 5,) * 2, (140, 150, 90), -1)
    cv2.circle(square, (side_px // 2,) * 2, side_px // 5, (60, 70, 160), -1)
    image = table().image
    height, width = image.shape[:2]
    cloth = np.tile(square, (2 * width // side_px, 2 * width // side_px, 1))
    turned = cv2.getRotationMatrix2D((width, width), 17, 1)
    turned[:, 2] -= [width / 2, width - height / 2]
    cloth = cv2.warpAffine(cloth, turned, (width, height))
    cities = np.zeros((height, width), np.uint8)
    for city in table().truth["cities"]:
        cv2.fillConvexPoly(cities, np.rint(city["corners_px"]).astype(np.int32), 1)
    return np.where(cities[..., None] > 0, image, cloth)


@cache
def cloth_scene():
    """Return an image with a cloth of squares, and one output of the locator."""
    image = on_squares_like_tiles()
    return image, run_locator(Pyramid(image), model_of(STANDARD).grid_format)


def search_cloth(down, **options):
    """Search a row of places at a share of the height; return the work, and the tiles found."""
    image, located = cloth_scene()
    pyramid, geometry = Pyramid(image), fit_table_geometry(scene()[2])
    height, width = image.shape[:2]
    places = np.linspace([0.06 * width, down * height], [0.94 * width, down * height], 6)
    with measure_work() as work:
        found = [
            search_position(pyramid, geometry, floats(place), located, scene()[1], **options)
            for place in places
        ]
    return work.patches, [each.placed.embeddings for each in found if each is not None]


def test_background_searched_in_vain_is_not_searched_again():
    _, on_cloth = search_cloth(0.08)
    model = model_of(STANDARD)
    background = np.concatenate([each.vectors for each in on_cloth if is_background(each, model)])
    patches, _ = search_cloth(0.5)
    assert search_cloth(0.5, background=background)[0] < patches / 2


def test_one_lattice_is_searched_where_map_cells_agree():
    _, model, grids, located = scene()
    bare = Pyramid(np.full_like(table().image, 90))
    middle_px = corners(grids[0]).mean(axis=0)
    with measure_work() as work:
        search_position(
            bare, fit_table_geometry(grids), middle_px, located, model, require_agreement=True
        )
    nine_blocks = 9 * 4
    assert work.patches < nine_blocks


def test_offset_is_searched_only_along_the_axis_on_which_map_cells_disagree():
    _, model, grids, located = scene()
    bare = Pyramid(np.full_like(table().image, 90))
    right_px = corners(grids[0])[1] - corners(grids[0])[0]
    maps = located.maps.copy()
    shares = np.random.default_rng(3).uniform(0, 1 / 4, maps.shape[1:])
    maps[OFFSET] += (right_px / located.reduction_xy / UNIT_PX)[:, None, None] * shares
    geometry, middle_px = fit_table_geometry(grids), corners(grids[0]).mean(axis=0)
    with measure_work() as work:
        search_position(bare, geometry, middle_px, replace(located, maps=maps), model)
    assert work.patches == 3 * len(BLOCK_CELLS)


def test_block_that_shows_no_known_face_is_not_followed():
    _, model, grids, _ = scene()
    strange = replace(
        model, references=replace(model.references, vectors=-model.references.vectors)
    )
    lattice = grids[0].placed.lattice_grid.shifted((2, 2)).lattice
    with measure_work() as work:
        found = grow_grid(
            Pyramid(table().image),
            fit_table_geometry(grids),
            lattice,
            SMALL_THEN_LARGE_BLOCK,
            strange,
        )
    assert found is None
    assert work.patches == len(BLOCK_CELLS)


@pytest.mark.parametrize("side_ratio", [0.5, 2.0])
def test_detection_alone_of_another_size_starts_no_search(side_ratio):
    pyramid, model, grids, located = scene()
    tile_quad_px = grids[0].placed.aligned_quads_px[5]
    middle_px = tile_quad_px.mean(axis=0)
    other_px = floats(middle_px + side_ratio * (tile_quad_px - middle_px))
    group = DetectionGroup(other_px, 1.0, other_px[None])
    with measure_work() as work:
        complete_grids(pyramid, grids[1:], (without_tiles(located),), (group,), model)
    assert work.patches == 0


def test_detections_at_the_rim_of_a_grid_cost_one_search():
    pyramid, model, grids, located = scene()
    rim_px = grids[0].placed.aligned_quads_px[12:14]
    beside_px = floats(rim_px + 0.9 * (rim_px[0, 3] - rim_px[0, 0]))
    outline_px = beside_px.reshape(-1, 2)[[0, 5, 6, 3]]
    group = DetectionGroup(outline_px, 4.0, rim_px)
    with measure_work() as work:
        complete_grids(pyramid, grids, (located,), (group,), model)
    assert 0 < work.patches < 200


def test_city_of_which_one_tile_is_detected_is_found():
    pyramid, model, grids, located = scene()
    tile_quad_px = grids[0].placed.aligned_quads_px[5]
    group = DetectionGroup(tile_quad_px, 1.0, tile_quad_px[None])
    found, _ = complete_grids(pyramid, grids[1:], (without_tiles(located),), (group,), model)
    assert max(overlap_share(corners(each), corners(grids[0])) for each in found) > 0.9


def test_no_city_is_taken_for_background():
    _, model, grids, _ = scene()
    assert not any(is_background(each.placed.embeddings, model) for each in grids)


def quads_between(corners_px, rows, columns):
    """Return the outlines (rows, columns, 4, 2) of tiles between the corners of a block."""
    ends = floats([[0, 0], [columns, 0], [columns, rows], [0, rows]])
    warp = cv2.getPerspectiveTransform(ends, floats(corners_px))
    at = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), axis=-1)[:, :, None]
    return apply_homography((at + UNIT_SQUARE).reshape(-1, 2), warp).reshape(rows, columns, 4, 2)


def test_grid_makes_room_for_one_that_touches_it():
    names = [face.value for face in Face]
    layout = tuple(tuple(names[(2 * r + c) % 9] for c in range(4)) for r in range(8))
    photo, outline = photo_of_layout({name: tile_picture(name, 96) for name in names}, layout)
    pyramid, model = Pyramid(photo.image_bgr), model_of(STANDARD)
    quads = quads_between(outline, 8, 4)
    upper, off, lower = (
        make_candidates(pyramid, *embed_grids_at(pyramid, [quads[top : top + 4]]), model)[0]
        for top in (0, 1, 4)
    )
    off = replace(off, placed=replace(off.placed, is_position_certain=False))
    located = run_locator(pyramid, model.grid_format)
    groups = find_leftovers([located], [corners(off)], model)
    found, _ = complete_grids(pyramid, [off], (located,), groups, model)
    assert len(found) == 2
    for city in (upper, lower):
        assert max(overlap_share(corners(each), corners(city)) for each in found) > 0.9
    assert not any(each.placed.is_position_certain for each in found)


@cache
def cities_in_a_row():
    """Three cities that touch, placed by their truth, and one output of the locator."""
    names = [face.value for face in Face]
    layout = tuple(tuple(names[(2 * r + c) % 9] for c in range(4)) for r in range(12))
    photo, outline = photo_of_layout({name: tile_picture(name, 96) for name in names}, layout)
    pyramid, model = Pyramid(photo.image_bgr), model_of(STANDARD)
    quads = quads_between(outline, 12, 4)
    grids = make_candidates(
        pyramid, *embed_grids_at(pyramid, [quads[top : top + 4] for top in (0, 4, 8)]), model
    )
    return pyramid, model, grids, run_locator(pyramid, model.grid_format)


def uncertain(grid):
    return replace(grid, placed=replace(grid.placed, is_position_certain=False))


def lie_at(found, cities):
    return len(found) == len(cities) and all(
        max(overlap_share(corners(each), corners(city)) for each in found) > 0.9 for city in cities
    )


@pytest.mark.parametrize("certain", range(3))
def test_grids_that_touch_do_not_take_each_others_place(certain):
    pyramid, model, cities, located = cities_in_a_row()
    first = [
        each if n == certain else replace(uncertain(each), similarity=floats(0.9 * each.similarity))
        for n, each in enumerate(cities)
    ]
    found, _ = complete_grids(pyramid, first, (located,), (), model)
    assert lie_at(found, cities)


def test_found_grid_is_moved_between_those_that_it_overlaps():
    pyramid, model, cities, located = cities_in_a_row()
    first = [cities[0], cities[2]]
    groups = find_leftovers([located], [corners(each) for each in first], model)
    found, _ = complete_grids(pyramid, first, (located,), groups, model)
    assert lie_at(found, cities)
    assert [each.placed.is_position_certain for each in found] == [True, True, False]
