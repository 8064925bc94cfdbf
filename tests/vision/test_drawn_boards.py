"""The own drawn editions of City Blocks and of the dice board."""

import itertools
from functools import cache
from pathlib import Path
from types import ModuleType

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.arrays import Image
from vision.editions.description import Turned
from vision.editions.edition import Edition
from vision.editions.folder import own_edition
from vision.simulate.drawn import city_blocks, dice_board

DRAWN = {"city-blocks": city_blocks, "dice-board": dice_board}
GAMES = tuple(DRAWN)

CITY_BLOCKS_FACES = {
    f"{owner}-{kind}"
    for owner in ("blue", "red")
    for kind in (
        *(f"house-{value}" for value in range(1, 6)),
        *(f"shop-{value}" for value in range(2, 7)),
        *(f"factory-{value}" for value in range(3, 8)),
        "school",
        "power-plant",
        "mall",
        "court",
    )
} | {f"value-{dollars}" for dollars in range(1, 16)}

SMALL_PX = 40
"""What is left of a card in a photo of the whole dice board."""

MOST_ALIKE = 0.72
"""Correlation under which two pictures count as clearly different."""


@cache
def shipped(game: str) -> Edition:
    return own_edition(game)


def drawing(game: str) -> ModuleType:
    return DRAWN[game]


def small(picture: Image, size_px: int = SMALL_PX) -> Image:
    reduced = cv2.resize(picture, (size_px, size_px), interpolation=cv2.INTER_AREA)
    return np.asarray(reduced, np.uint8)


def vector(picture: Image) -> NDArray[np.float64]:
    """A picture without its mean colour and contrast, which a lamp can change."""
    values = picture.astype(np.float64)
    values -= values.mean(axis=(0, 1))
    flat = values.ravel()
    return flat / np.linalg.norm(flat)


def in_grey(picture: Image) -> Image:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)[..., None], np.uint8)


def likest_pair(pictures: dict[str, Image]) -> tuple[float, str, str]:
    """The two faces that are most alike in any of the four rotations."""
    names = list(pictures)
    upright = np.array([vector(pictures[name]) for name in names])
    best = (-1.0, "", "")
    for turns in range(4):
        turned = np.array([vector(np.rot90(pictures[name], turns)) for name in names])
        alike = upright @ turned.T
        np.fill_diagonal(alike, -1.0)
        first, second = np.unravel_index(int(alike.argmax()), alike.shape)
        best = max(best, (float(alike[first, second]), names[first], names[second]))
    return best


def test_city_blocks_has_every_building_of_both_owners_and_every_value_tile() -> None:
    assert set(shipped("city-blocks").pictures) == CITY_BLOCKS_FACES


def test_dice_board_has_both_sides_of_four_quarters_of_five_companies_of_four_players() -> None:
    names = set(shipped("dice-board").pictures)
    fronts = {name for name in names if not name.endswith("-sight")}
    assert names == fronts | {f"{name}-sight" for name in fronts}
    parts = [name.split("-") for name in sorted(fronts)]
    colours, companies, quarters = (set(part) for part in zip(*parts, strict=True))
    assert colours == {"red", "blue", "green", "yellow"}
    assert quarters == {"nw", "ne", "se", "sw"}
    assert len(companies) == 5
    assert len(fronts) == 4 * 5 * 4


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("grey", [False, True], ids=["in colour", "in grey"])
def test_no_face_is_like_another_in_any_rotation(game: str, grey: bool) -> None:
    pictures = {name: small(images[0]) for name, images in shipped(game).pictures.items()}
    if grey:
        pictures = {name: in_grey(picture) for name, picture in pictures.items()}
    alike, first, second = likest_pair(pictures)
    assert alike < MOST_ALIKE, f"{first} and {second} correlate by {alike:.2f}"


@pytest.mark.parametrize("game", GAMES)
def test_every_face_shows_which_way_up_it_is(game: str) -> None:
    for name, images in shipped(game).pictures.items():
        upright = small(images[0])
        for turns in (1, 2, 3):
            alike = float(vector(upright) @ vector(np.rot90(upright, turns)))
            assert alike < MOST_ALIKE, f"{name} turned by {turns} quarters: {alike:.2f}"


@pytest.mark.parametrize("game", GAMES)
def test_shipped_pictures_are_what_is_drawn(game: str) -> None:
    drawn, files = drawing(game).edition(), shipped(game)
    assert files.description == drawn.description
    assert drawn.board is not None
    assert files.board is not None
    assert mean_difference(drawn.board, files.board) < 2
    for name, (picture,) in drawn.pictures.items():
        assert mean_difference(picture, files.pictures[name][0]) < 2, name


def mean_difference(first: Image, second: Image) -> float:
    assert first.shape == second.shape
    return float(np.abs(first.astype(np.int16) - second.astype(np.int16)).mean())


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("size_px", [8, 33, 250, 801])
def test_faces_can_be_drawn_at_any_size(game: str, size_px: int) -> None:
    name = max(shipped(game).pictures)
    picture = drawing(game).draw_face(name, size_px)
    assert picture.shape == (size_px, size_px, 3)
    if size_px >= SMALL_PX:
        usual = small(shipped(game).pictures[name][0])
        assert float(vector(small(picture)) @ vector(usual)) > 0.97


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("longer_px", [64, 401, 2100])
def test_boards_can_be_drawn_at_any_size(game: str, longer_px: int) -> None:
    picture = drawing(game).draw_board(longer_px)
    wide, high = drawing(game).SIZE_MM
    assert max(picture.shape[:2]) == longer_px
    assert picture.shape[1] / picture.shape[0] == pytest.approx(wide / high, rel=0.02)
    size_wh = round(64 * wide / max(wide, high)), round(64 * high / max(wide, high))
    reduced, usual = (
        np.asarray(cv2.resize(board, size_wh, interpolation=cv2.INTER_AREA), np.uint8)
        for board in (picture, shipped_board(game))
    )
    assert float(vector(reduced) @ vector(usual)) > 0.95


def shipped_board(game: str) -> Image:
    board = shipped(game).board
    assert board is not None
    return board


@pytest.mark.parametrize("game", GAMES)
def test_drawing_twice_gives_the_same(game: str) -> None:
    name = min(shipped(game).pictures)
    face = drawing(game).draw_face
    np.testing.assert_array_equal(face(name, 50), face(name, 50))
    np.testing.assert_array_equal(drawing(game).draw_board(300), drawing(game).draw_board(300))


@pytest.mark.parametrize("game", GAMES)
def test_too_small_a_picture_and_an_unknown_face_are_refused(game: str) -> None:
    with pytest.raises(ValueError, match="7 px"):
        drawing(game).draw_face(min(shipped(game).pictures), 7)
    with pytest.raises(KeyError, match="purple-palace"):
        drawing(game).draw_face("purple-palace", 64)


@pytest.mark.parametrize("game", GAMES)
def test_tiles_cover_the_plots_that_the_board_shows(game: str) -> None:
    """The edges of the printed plots lie where the description says, to a millimetre."""
    description = shipped(game).description
    board = description.board
    assert board is not None
    grey = cv2.cvtColor(shipped_board(game), cv2.COLOR_BGR2GRAY).astype(np.float32)
    px_per_mm = grey.shape[1] / board.size_mm[0]
    for axis, count in ((0, description.columns), (1, description.rows)):
        steps = np.abs(np.diff(grey if axis == 0 else grey.T, axis=1))
        other = 1 - axis
        cells = description.rows if axis == 0 else description.columns
        near = board.first_cell_mm[other] - description.tile_mm / 2
        far = near + (cells - 1) * board.cell_mm[other] + description.tile_mm
        profile = steps[round(near * px_per_mm) : round(far * px_per_mm)].mean(axis=0)
        for cell in range(count):
            middle = board.first_cell_mm[axis] + cell * board.cell_mm[axis]
            for side in (-1, 1):
                edge = (middle + side * description.tile_mm / 2) * px_per_mm
                window = slice(round(edge - px_per_mm), round(edge + px_per_mm) + 1)
                assert profile[window].max() > 2 * np.median(profile), (axis, cell, side)


def test_places_of_value_tiles_lie_where_the_board_shows_them() -> None:
    board = shipped("city-blocks").description.board
    assert board is not None
    picture = shipped_board("city-blocks")
    px_per_mm = picture.shape[1] / board.size_mm[0]
    half = shipped("city-blocks").description.tile_mm / 2
    assert {slots.name: slots.count for slots in board.slots} == {"row": 5, "column": 6}
    for slots in board.slots:
        for number in range(slots.count):
            x = slots.first_mm[0] + number * slots.step_mm[0]
            y = slots.first_mm[1] + number * slots.step_mm[1]
            for across, down in itertools.product((-1, 1), repeat=2):
                corner = x + across * (half - 3), y + down * (half - 3)
                blue, green, red = picture[
                    round(corner[1] * px_per_mm), round(corner[0] * px_per_mm)
                ].tolist()
                assert red > green > blue > 150, (slots.name, number)


def test_slots_are_in_line_with_the_streets_that_they_belong_to() -> None:
    board = shipped("city-blocks").description.board
    assert board is not None
    row, column = board.slots
    assert (row.first_mm[1], row.step_mm) == (board.first_cell_mm[1], (0.0, board.cell_mm[1]))
    assert (column.first_mm[0], column.step_mm) == (board.first_cell_mm[0], (board.cell_mm[0], 0.0))


def test_heaps_are_the_strips_of_their_colours_and_hold_all_that_one_player_may_win() -> None:
    description = shipped("city-blocks").description
    board = description.board
    assert board is not None
    picture = shipped_board("city-blocks")
    px_per_mm = picture.shape[1] / board.size_mm[0]
    streets = description.rows + description.columns
    for heap in board.heaps:
        left, top, right, bottom = heap.area_mm
        on_board = max(top, 0.0), min(bottom, board.size_mm[1])
        strip = picture[
            round(on_board[0] * px_per_mm) : round(on_board[1] * px_per_mm),
            round((left + 60) * px_per_mm) : round((right - 60) * px_per_mm),
        ]
        blue, _, red = np.median(strip, axis=(0, 1)).tolist()
        assert (blue > red + 30) if heap.name == "blue" else (red > blue + 30)
        tile = description.tile_mm
        assert int((right - left) // tile) * int((bottom - top) // tile) >= streets


def test_edge_numbers_of_the_dice_board_are_the_default_ones() -> None:
    description = shipped("dice-board").description
    expected = (1, 2, 3, 4, 5, 6, 6, 5, 4, 3, 2, 1)
    assert dict(description.numbers) == {"row_numbers": expected, "column_numbers": expected}


@pytest.mark.parametrize("game", GAMES)
def test_tiles_may_lie_any_way_round_and_fit_into_their_cells(game: str) -> None:
    description = shipped(game).description
    assert description.turned is Turned.ANY
    assert description.board is not None
    assert description.tile_mm < min(description.board.cell_mm)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("turns", [1, 2, 3])
def test_the_frame_of_a_board_shows_which_way_up_it_is(game: str, turns: int) -> None:
    board = small(shipped_board(game), 400)
    frame = np.ones((400, 400), bool)
    inside = round(400 * 12 / min(drawing(game).SIZE_MM))
    frame[inside:-inside, inside:-inside] = False
    turned = np.rot90(board, turns)
    first, second = (vector(picture[frame][:, None]) for picture in (board, turned))
    assert float(first @ second) < 0.5


@pytest.mark.parametrize("game", GAMES)
def test_an_edition_is_written_as_it_is_shipped(game: str, tmp_path: Path) -> None:
    drawing(game).write(tmp_path / game)
    written = {path.name for path in (tmp_path / game).iterdir()}
    description = shipped(game).description
    images = {image for face in description.faces for image in face.images}
    assert written == images | {"edition.toml", "board.png"}
    assert sum(path.stat().st_size for path in (tmp_path / game).iterdir()) < 2.5e6


@pytest.mark.parametrize("game", GAMES)
def test_a_covered_board_is_found_by_what_is_left_to_see(game: str) -> None:
    """Blurred, turned and in perspective, with a tile on every plot, by SIFT features alone."""
    edition, px_per_mm = shipped(game), 3.0
    board = edition.description.board
    assert board is not None
    scene, to_scene = photographed(covered_board(edition), board.size_mm, px_per_mm)
    sift = cv2.SIFT.create(6000)
    points, descriptors = sift.detectAndCompute(shipped_board(game), None)
    seen_points, seen_descriptors = sift.detectAndCompute(scene, None)
    pairs = cv2.BFMatcher().knnMatch(descriptors, seen_descriptors, 2)
    good = [first for first, second in pairs if first.distance < 0.8 * second.distance]
    scale = shipped_board(game).shape[1] / board.size_mm[0]
    on_board = np.array([points[m.queryIdx].pt for m in good]) / scale
    in_scene = np.array([seen_points[m.trainIdx].pt for m in good])
    found, _ = cv2.findHomography(on_board, in_scene, cv2.RANSAC, 3.0)
    wide, high = board.size_mm
    corners = np.array([[[0, 0], [wide, 0], [wide, high], [0, high]]], np.float64)
    apart = cv2.perspectiveTransform(corners, found) - cv2.perspectiveTransform(corners, to_scene)
    assert np.linalg.norm(apart, axis=2).max() < 0.5 * px_per_mm


def covered_board(edition: Edition) -> Image:
    rng = np.random.default_rng(4)
    description, board = edition.description, edition.description.board
    assert board is not None
    assert edition.board is not None
    picture = edition.board.copy()
    px_per_mm = picture.shape[1] / board.size_mm[0]
    edge = round(description.tile_mm * px_per_mm)
    names = [face.name for face in description.grid_faces]
    for row, column in itertools.product(range(description.rows), range(description.columns)):
        x = board.first_cell_mm[0] + column * board.cell_mm[0]
        y = board.first_cell_mm[1] + row * board.cell_mm[1]
        left, top = round(x * px_per_mm - edge / 2), round(y * px_per_mm - edge / 2)
        tile = small(edition.pictures[names[int(rng.integers(len(names)))]][0], edge)
        picture[top : top + edge, left : left + edge] = np.rot90(tile, int(rng.integers(4)))
    return picture


def photographed(
    picture: Image, size_mm: tuple[float, float], px_per_mm: float
) -> tuple[Image, NDArray[np.float64]]:
    """A photo of a board and the homography from its millimetres into the photo."""
    wide, high = size_mm
    angle, edge = np.radians(31.0), max(size_mm) * px_per_mm * 1.3
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    flat = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float64)
    there = (flat - (wide / 2, high / 2)) @ turn.T * px_per_mm
    there *= 0.9 + 0.25 * there[:, 1:] / edge
    there = there * (1.0, 0.85) + edge / 2
    to_scene = cv2.getPerspectiveTransform(flat.astype(np.float32), there.astype(np.float32))
    scale = picture.shape[1] / wide
    from_picture = to_scene @ np.diag([1 / scale, 1 / scale, 1.0])
    soft = cv2.GaussianBlur(picture, (0, 0), 0.5 * scale / px_per_mm)
    size = (round(edge), round(edge))
    scene = cv2.warpPerspective(soft, from_picture, size, borderValue=(70, 90, 110))
    noise = np.random.default_rng(9).normal(0, 4, scene.shape)
    blurred = cv2.GaussianBlur(scene, (0, 0), 1.0) * 0.75 + noise
    return np.clip(blurred, 0, 255).astype(np.uint8), np.asarray(to_scene, np.float64)
