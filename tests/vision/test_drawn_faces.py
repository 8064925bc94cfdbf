"""The drawn edition and the table round it: what a reader of simulated photos relies on."""

import itertools

import cv2
import numpy as np
import pytest
from likeness import likeness

from scoring.faces import Face
from vision.simulate.faces import draw_back, draw_face
from vision.simulate.materials import MATERIALS, table_material
from vision.simulate.props import PROPS, random_prop

SMALL_PX = 48
SEEDS = range(6)


@pytest.mark.parametrize("face", list(Face))
@pytest.mark.parametrize("size_px", [48, 101, 256])
def test_a_face_is_a_square_colour_picture_of_the_asked_size(face: Face, size_px: int) -> None:
    picture = draw_face(face, size_px)
    assert picture.shape == (size_px, size_px, 3)
    assert picture.dtype == np.uint8


@pytest.mark.parametrize("face", list(Face))
def test_a_face_is_the_same_on_each_call_and_may_be_drawn_over(face: Face) -> None:
    first = draw_face(face, SMALL_PX)
    kept = first.copy()
    first[:] = 0
    assert np.array_equal(draw_face(face, SMALL_PX), kept)


@pytest.mark.parametrize(("face", "other"), [*itertools.combinations(Face, 2)])
def test_two_faces_differ_clearly_however_one_is_turned(face: Face, other: Face) -> None:
    picture, second = draw_face(face, SMALL_PX), draw_face(other, SMALL_PX)
    for quarter_turns in range(4):
        assert likeness(picture, np.rot90(second, quarter_turns).copy()) < 0.6


@pytest.mark.parametrize("face", list(Face))
def test_a_face_shows_which_way_is_up(face: Face) -> None:
    picture = draw_face(face, SMALL_PX)
    for quarter_turns in (1, 2, 3):
        assert likeness(picture, np.rot90(picture, quarter_turns).copy()) < 0.6


@pytest.mark.parametrize("face", list(Face))
def test_the_back_is_like_no_face(face: Face) -> None:
    back = draw_back(SMALL_PX)
    assert back.shape == (SMALL_PX, SMALL_PX, 3)
    assert likeness(back, draw_face(face, SMALL_PX)) < 0.75


def test_a_face_too_small_to_show_anything_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 8 px"):
        draw_face(Face.PARK, 7)


@pytest.mark.parametrize("name", list(MATERIALS))
def test_a_table_top_fills_the_picture_and_follows_its_seed(name: str) -> None:
    drawn = []
    for seed in SEEDS:
        top = table_material(np.random.default_rng(seed), (230, 130), 24, name)
        again = table_material(np.random.default_rng(seed), (230, 130), 24, name)
        assert top.shape == (130, 230, 3)
        assert top.dtype == np.uint8
        assert np.array_equal(top, again)
        drawn.append(top)
    assert not any(np.array_equal(a, b) for a, b in itertools.pairwise(drawn))


@pytest.mark.parametrize("name", list(MATERIALS))
@pytest.mark.parametrize("tile_px", [3.0, 300.0])
def test_a_table_top_can_be_drawn_for_tiny_and_for_huge_tiles(name: str, tile_px: float) -> None:
    for seed in SEEDS:
        top = table_material(np.random.default_rng(seed), (90, 160), tile_px, name)
        assert top.shape == (160, 90, 3)


def test_an_unknown_table_top_is_refused_with_the_names_to_choose_from() -> None:
    with pytest.raises(ValueError, match=r"'lava'.*felt"):
        table_material(np.random.default_rng(0), (90, 60), name="lava")


@pytest.mark.parametrize("name", list(PROPS))
def test_a_prop_has_alpha_a_true_aspect_and_follows_its_seed(name: str) -> None:
    for seed in SEEDS:
        prop = random_prop(np.random.default_rng(seed), 40, name)
        again = random_prop(np.random.default_rng(seed), 40, name)
        assert np.array_equal(prop.image_bgra, again.image_bgra)
        assert prop.image_bgra.dtype == np.uint8
        height, width, channels = prop.image_bgra.shape
        assert channels == 4
        assert prop.image_bgra[:, :, 3].max() > 100, "nothing is visible"
        wide, tall = prop.size_tiles
        assert width / height == pytest.approx(wide / tall, rel=0.15)


@pytest.mark.parametrize("name", ["mug", "coin", "token", "hand", "bowl"])
def test_the_surrounding_of_a_prop_is_transparent_and_has_its_colour_at_the_edge(name: str) -> None:
    picture = random_prop(np.random.default_rng(3), 64, name).image_bgra
    alpha = picture[:, :, 3]
    assert alpha[0, 0] == 0
    near = np.ones((9, 9), np.uint8)
    opaque = (alpha > 200)[:, :, None]
    lowest = cv2.erode(np.where(opaque, picture[:, :, :3], 255).astype(np.uint8), near)
    highest = cv2.dilate(np.where(opaque, picture[:, :, :3], 0).astype(np.uint8), near)
    rim = (alpha == 0) & (cv2.dilate(alpha, np.ones((3, 3), np.uint8)) > 0)
    rim &= cv2.dilate(opaque.astype(np.uint8), near) > 0
    assert rim.sum() > 20
    colours = picture[:, :, :3][rim].astype(int)
    assert (colours >= lowest[rim].astype(int) - 12).all()
    assert (colours <= highest[rim].astype(int) + 12).all()


def test_any_prop_and_any_table_top_come_up() -> None:
    rng = np.random.default_rng(5)
    sizes = {random_prop(rng, 8).size_tiles for _ in range(40)}
    tops = [table_material(rng, (32, 24), 8) for _ in range(10)]
    assert len(sizes) > 10
    assert len({top.tobytes() for top in tops}) == 10


def test_an_unknown_prop_is_refused_with_the_names_to_choose_from() -> None:
    with pytest.raises(ValueError, match=r"'dragon'.*score-board"):
        random_prop(np.random.default_rng(0), name="dragon")
