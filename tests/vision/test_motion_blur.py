"""Photos that a moving camera blurred: its movement is found, and the photo sharpened."""

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.faces import Face
from vision.arrays import Floats, Image, floats
from vision.editions.built_in import tile_picture
from vision.editions.folder import built_in_edition
from vision.editions.learning import model_of
from vision.eye.ledger import RejectedRegion, RejectionReason
from vision.eye.motion_blur import (
    MIN_GRID_DEPTH,
    edge_evenness,
    find_movement,
    is_motion_blurred,
    sharpen,
    sharpen_grids,
    shows_movement,
)
from vision.eye.read import RecognisedTable, unite_sharp_and_blurred
from vision.eye.recognise import RecognisedGrid
from vision.patches.cut import Pyramid

TILE_PX = 60
SIDE_PX = 4 * TILE_PX


@dataclass(frozen=True)
class Outline:
    """Outline of a city in a photo."""

    corners_px: Floats
    tile_px: float = TILE_PX


CITY = Outline(floats([[0, 0], [SIDE_PX, 0], [SIDE_PX, SIDE_PX], [0, SIDE_PX]]))


@cache
def city() -> Image:
    faces = list(Face)
    tiles = [tile_picture(faces[n % 9], TILE_PX) for n in range(16)]
    rows = [np.hstack([tile[..., :3] for tile in tiles[4 * r : 4 * r + 4]]) for r in range(4)]
    return np.ascontiguousarray(np.vstack(rows))


def moved(image: Image, length_px: float, angle: float) -> Image:
    """Return an image as a camera takes it that moves evenly along a line."""
    height, width = image.shape[:2]
    steps = np.linspace(-0.5, 0.5, 2 * round(length_px) + 1) * length_px
    shifts = [(float(s * np.cos(angle)), float(s * np.sin(angle))) for s in steps]
    still, total = image.astype(np.float32), np.zeros(image.shape, np.float32)
    for x, y in shifts:
        shift = np.array([[1, 0, x], [0, 1, y]])
        total += cv2.warpAffine(still, shift, (width, height), borderMode=cv2.BORDER_REFLECT_101)
    return np.asarray(np.round(total / len(shifts)), np.uint8)


def test_edges_of_still_photo_are_even_and_outer_grids_ignored() -> None:
    still, beyond = Pyramid(city()), floats([3 * SIDE_PX, 3 * SIDE_PX])
    beside = [Outline(floats(CITY.corners_px + beyond)), Outline(floats(-CITY.corners_px - beyond))]
    assert edge_evenness(still, [CITY, *beside]) == edge_evenness(still, [CITY])
    assert edge_evenness(still, beside[:1]) == 0.0


def test_edges_across_a_movement_are_weak() -> None:
    assert not is_motion_blurred(Pyramid(city()), [CITY])
    assert is_motion_blurred(Pyramid(moved(city(), 15, 0.0)), [CITY])


@given(length_px=st.floats(6, 20), angle=st.floats(0, np.pi))
def test_movement_is_found_to_a_pixel(length_px: float, angle: float) -> None:
    found = find_movement(Pyramid(moved(city(), length_px, angle)), [CITY])
    assert found is not None
    assert found.depth > MIN_GRID_DEPTH
    there = np.array([np.cos(angle), np.sin(angle)]) * length_px
    here = np.array([found.x_px, found.y_px])
    assert min(np.linalg.norm(here - there), np.linalg.norm(here + there)) < 1


@pytest.mark.parametrize("sigma_px", [0.0, 1.0, 3.0])
def test_still_photo_shows_no_movement_even_out_of_focus(sigma_px: float) -> None:
    image = city() if not sigma_px else cv2.GaussianBlur(city(), (0, 0), sigma_px)
    found = find_movement(Pyramid(np.asarray(image, np.uint8)), [CITY])
    assert found is not None
    assert found.depth < MIN_GRID_DEPTH


def test_movement_of_large_tiles_is_measured_in_the_image() -> None:
    large = np.asarray(cv2.resize(city(), None, fx=4, fy=4), np.uint8)
    outline = Outline(floats(4 * CITY.corners_px), 4 * TILE_PX)
    found = find_movement(Pyramid(moved(large, 48, 0.5)), [outline])
    assert found is not None
    assert found.length_px == pytest.approx(48, abs=3)


def test_photo_smaller_than_a_block_shows_no_movement() -> None:
    small = np.asarray(cv2.resize(city(), (90, 90)), np.uint8)
    assert find_movement(Pyramid(small), [Outline(floats(CITY.corners_px * 0.375), 22.5)]) is None


def test_tiles_of_few_pixels_show_no_movement() -> None:
    small = np.asarray(cv2.resize(city(), (160, 160)), np.uint8)
    outline = Outline(floats(CITY.corners_px * 0.2), TILE_PX * 0.2)
    assert find_movement(Pyramid(small), [outline]) is None


@given(length_px=st.floats(6, 16), angle=st.floats(0, np.pi))
def test_sharpened_photo_is_nearer_to_the_still_one(length_px: float, angle: float) -> None:
    blurred = moved(city(), length_px, angle)
    movement = find_movement(Pyramid(blurred), [CITY])
    assert movement is not None
    inner = np.s_[TILE_PX:-TILE_PX, TILE_PX:-TILE_PX]
    before = np.abs(blurred[inner].astype(float) - city()[inner]).mean()
    after = np.abs(sharpen(blurred, movement)[inner].astype(float) - city()[inner]).mean()
    assert after < 0.7 * before


def grid_at(left: int) -> RecognisedGrid:
    """A city whose left edge lies there, 60 pixels from the top of the photo."""
    corner = floats([left, TILE_PX])
    columns, rows = np.meshgrid(np.arange(4), np.arange(4))
    origins = np.stack([columns, rows], axis=-1)[:, :, None] * TILE_PX
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * TILE_PX
    nothing = np.zeros((4, 4))
    return RecognisedGrid(
        corners_px=floats(CITY.corners_px + corner),
        quads_px=floats(origins + square + corner),
        faces=((None,) * 4,) * 4,
        turns=nothing.astype(np.intp),
        face_scores=np.zeros((4, 4, 9)),
        next_faces={},
        is_position_certain=True,
        is_turn_certain=True,
        confidence=nothing,
        similarity=nothing,
        window_similarity=np.zeros((4, 4, 3, 3), np.float32),
        unsure=(),
    )


def row_of(*cities: Image) -> Pyramid:
    """A photo of cities beside each other on a grey table, the first one at 60 pixels."""
    beside = np.hstack(cities)
    return Pyramid(
        np.asarray(
            cv2.copyMakeBorder(
                beside, TILE_PX, TILE_PX, TILE_PX, TILE_PX, cv2.BORDER_CONSTANT, value=(90, 90, 90)
            ),
            np.uint8,
        )
    )


def sharpened(photo: Pyramid, *lefts: int) -> Image:
    references = model_of(built_in_edition("between-two-cities", pictured=False)).references
    image = sharpen_grids(photo, [grid_at(left) for left in lefts], references)
    assert image is not None
    return image


def part_at(image: Image, left: int, border: int) -> Image:
    """The city at this place in an image, without a border."""
    inner = np.s_[border : SIDE_PX - border, border : SIDE_PX - border]
    return np.asarray(image[TILE_PX : TILE_PX + SIDE_PX, left : left + SIDE_PX][inner], np.uint8)


def error_in(image: Image, left: int) -> float:
    """Mean difference of a city from the still one, half a tile from the strange border."""
    seen, still = part_at(image, left, TILE_PX // 2), part_at(row_of(city()).level(0), TILE_PX, 30)
    return float(np.abs(seen.astype(float) - still).mean())


def test_photo_that_did_not_move_is_not_sharpened() -> None:
    references = model_of(built_in_edition("between-two-cities", pictured=False)).references
    assert sharpen_grids(row_of(city()), [grid_at(TILE_PX)], references) is None


def test_each_grid_is_sharpened_by_its_own_movement() -> None:
    gap = np.full((SIDE_PX, SIDE_PX, 3), 90, np.uint8)
    photo = row_of(moved(city(), 15, 0.2), gap, moved(city(), 12, 1.9))
    lefts = TILE_PX, TILE_PX + 2 * SIDE_PX
    image = sharpened(photo, *lefts)
    for left in lefts:
        assert error_in(image, left) < 0.7 * error_in(photo.level(0), left)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_of_touching_grids_the_still_one_stays(order: tuple[int, int]) -> None:
    photo = row_of(moved(city(), 15, 0.0), city())
    lefts = TILE_PX, TILE_PX + SIDE_PX
    image = sharpened(photo, *(lefts[n] for n in order))
    assert error_in(image, lefts[0]) < 0.7 * error_in(photo.level(0), lefts[0])
    assert (part_at(image, lefts[1], 2) == part_at(photo.level(0), lefts[1], 2)).all()


def test_single_moved_grid_of_several_shows_a_movement() -> None:
    still = row_of(city(), city(), city())
    grids = [grid_at(TILE_PX + n * SIDE_PX) for n in range(3)]
    assert not shows_movement(still, grids)
    assert shows_movement(row_of(city(), city(), moved(city(), 15, 0.0)), grids)


def test_movement_whose_filter_would_fill_the_memory_stays() -> None:
    large = np.asarray(cv2.resize(city(), None, fx=6, fy=6), np.uint8)
    outline = Outline(floats(6 * CITY.corners_px), 6 * TILE_PX)
    photo = Pyramid(np.asarray(cv2.blur(large, (91, 1)), np.uint8))
    assert is_motion_blurred(photo, [outline])
    assert not shows_movement(photo, [outline])


def table(*lefts: float, unread: float | None = None, **more: Any) -> RecognisedTable:
    grids = tuple(
        replace(grid_at(0), corners_px=floats(CITY.corners_px + floats([left, 0])))
        for left in lefts
    )
    regions = () if unread is None else (floats(CITY.corners_px + floats([unread, 0])),)
    return RecognisedTable(grids, unread=regions, motion_blurred=True, **more)


@pytest.mark.parametrize(
    ("sharp", "blurred", "read", "unread"),
    [
        # In its place, elsewhere, and between: a row off, or across two
        (table(0), table(4), [0], []),
        (table(0), table(500), [0, 500], []),
        (table(0), table(60), [0], []),
        (table(0), table(120), [0], [120]),
        (table(120), table(0, 240), [120], [0, 240]),
        # More than the game has
        (table(0, 300), table(600, 900), [0, 300, 600], [900]),
        # Unread in one of them
        (table(unread=4), table(0), [0], []),
        (table(0), table(unread=500), [0], [500]),
        (table(0), table(unread=4), [0], []),
        (table(unread=0), table(unread=500), [], [0, 500]),
    ],
)
def test_nothing_seen_before_sharpening_is_lost(
    sharp: RecognisedTable, blurred: RecognisedTable, read: list[float], unread: list[float]
) -> None:
    united = unite_sharp_and_blurred(sharp, blurred, most_grids=3)
    assert [float(grid.corners_px[0, 0]) for grid in united.grids] == read
    assert sorted(float(quad[0, 0]) for quad in united.unread) == unread


def test_detections_and_rejections_of_both_passes_are_told() -> None:
    quad = floats(CITY.corners_px)
    rejected = RejectedRegion(quad, RejectionReason.FACE_DOWN)
    points = np.zeros((2, 2), np.float32)
    blurred = table(0, rejected=(rejected,), detected_px=points, median_similarities=(0.8,))
    united = unite_sharp_and_blurred(table(detected_px=points[:1]), blurred, most_grids=3)
    assert united.rejected == (rejected,)
    assert len(united.detected_px) == 3
    assert united.median_similarities == (0.8,)
    assert united.motion_blurred
