"""The table of simulated photos and the things on it: what a reader of them relies on."""

import itertools

import cv2
import numpy as np
import pytest

from vision.lab.simulate.props import PROPS, random_prop
from vision.lab.simulate.table_tops import TABLE_TOPS, table_top

SEEDS = range(3)


@pytest.mark.parametrize("name", list(TABLE_TOPS))
def test_a_table_top_fills_the_picture_and_follows_its_seed(name: str) -> None:
    drawn = []
    for seed in SEEDS:
        top = table_top(np.random.default_rng(seed), (230, 130), 24, name)
        again = table_top(np.random.default_rng(seed), (230, 130), 24, name)
        assert top.shape == (130, 230, 3)
        assert top.dtype == np.uint8
        assert np.array_equal(top, again)
        drawn.append(top)
    assert not any(np.array_equal(a, b) for a, b in itertools.pairwise(drawn))


@pytest.mark.parametrize("name", list(TABLE_TOPS))
@pytest.mark.parametrize("tile_px", [3.0, 300.0])
def test_a_table_top_can_be_drawn_for_tiny_and_for_huge_tiles(name: str, tile_px: float) -> None:
    for seed in SEEDS:
        top = table_top(np.random.default_rng(seed), (90, 160), tile_px, name)
        assert top.shape == (160, 90, 3)


def test_an_unknown_table_top_is_refused_with_the_names_to_choose_from() -> None:
    with pytest.raises(ValueError, match=r"'lava'.*felt"):
        table_top(np.random.default_rng(0), (90, 60), name="lava")
    with pytest.raises(ValueError, match=r"'dragon'.*score-board"):
        random_prop(np.random.default_rng(0), name="dragon")


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


@pytest.mark.parametrize("name", ["mug", "coin", "hand", "bowl"])
def test_surroundings_of_prop_are_transparent_with_its_edge_colour(name: str) -> None:
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
    tops = [table_top(rng, (32, 24), 8) for _ in range(10)]
    assert len(sizes) > 10
    assert len({top.tobytes() for top in tops}) == 10
