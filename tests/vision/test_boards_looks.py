"""The light on a grid, and how places are compared with pictures in it."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pictured import described, drawn_board, drawn_face, edition_of, texture_distances

from vision.arrays import floats
from vision.boards.compare import Plots, compared, distances_here
from vision.boards.known import KnownEdition
from vision.boards.light import Light, fitted_light
from vision.boards.looks import TILE_PX, looks_of, products, softened
from vision.boards.windows import Sheet
from vision.editions.description import Turned

PLACES = floats([[x + 0.5, y + 0.5] for y in range(4) for x in range(4)])
MIDDLES = [(float(x), float(y)) for x, y in PLACES * TILE_PX]
KNOWN = KnownEdition(edition_of(described()))


def random_colours(seed, count=16):
    return floats(np.random.default_rng(seed).uniform(30, 220, (count, 3)))


def lit(drawn, places, gains, slopes=((0, 0),) * 3):
    """Colours in such a light: gains at the origin and slopes of their logarithms per tile."""
    return floats(drawn * floats(gains) * np.exp(places @ floats(slopes).T))


class TestLight:
    @given(st.integers(0, 10**6), st.lists(st.floats(0.5, 2.5), min_size=3, max_size=3))
    def test_gains_are_found(self, seed, gains):
        drawn = random_colours(seed)
        light = fitted_light(PLACES, lit(drawn, PLACES, gains), drawn)
        assert light.factor(PLACES) == pytest.approx(np.tile(gains, (16, 1)), rel=0.15)

    def test_slopes_are_found(self):
        drawn, slopes = random_colours(1), ((0.1, -0.05), (0.0, 0.15), (-0.08, 0.02))
        gains = (0.8, 1.1, 0.9)
        light = fitted_light(PLACES, lit(drawn, PLACES, gains, slopes), drawn)
        expected = lit(np.ones((16, 3)), PLACES, gains, slopes)
        assert light.factor(PLACES) == pytest.approx(expected, rel=0.06)

    def test_a_few_wrong_tiles_change_little(self):
        drawn = random_colours(2)
        believed = drawn.copy()
        believed[[3, 7, 12]] = random_colours(3, 3)
        light = fitted_light(PLACES, lit(drawn, PLACES, (0.7, 0.9, 1.2)), believed)
        assert light.factor(PLACES) == pytest.approx(np.tile((0.7, 0.9, 1.2), (16, 1)), rel=0.12)

    @pytest.mark.parametrize("count", [1, 2, 5])
    def test_a_few_tiles_tell_the_gain_and_no_slope(self, count):
        drawn = random_colours(4, count)
        light = fitted_light(PLACES[:count], lit(drawn, PLACES[:count], (0.6, 0.6, 0.6)), drawn)
        far = floats([[-50, 80], [300, 2]])
        assert light.factor(far) == pytest.approx(np.full((2, 3), 0.6), rel=0.1)

    def test_black_and_white_tiles_make_no_trouble(self):
        colours = floats([[0, 0, 0], [255, 255, 255]] * 8)
        light = fitted_light(PLACES, colours[::-1].copy(), colours)
        assert np.isfinite(light.factor(PLACES)).all()
        assert np.isfinite(light.scatter).all()

    def test_the_right_colour_is_nearest_in_any_light(self):
        drawn = random_colours(5)
        seen = lit(drawn, PLACES, (0.5, 0.8, 1.1), ((0.1, 0), (0.1, 0), (0.1, 0)))
        light = fitted_light(PLACES, seen, drawn)
        table = light.distances(PLACES, seen, drawn, np.zeros(16, np.float32))
        assert table.argmin(axis=1).tolist() == list(range(16))
        assert (table.diagonal() < 0.1).all()

    def test_colours_count_less_for_pictures_full_of_drawing(self):
        light = Light(np.zeros((3, 3)), np.eye(3) * 0.01)
        seen, drawn = floats([[250, 20, 20]]), floats([[20, 20, 250]] * 2)
        flat, full = light.distances(PLACES[:1], seen, drawn, floats([0, 1]))[0]
        assert full < flat

    @given(st.integers(0, 10**6))
    def test_pictures_that_all_places_share_are_as_far_as_if_each_had_its_own(self, seed):
        drawn = random_colours(seed, 6)
        seen = lit(random_colours(seed + 1), PLACES, (0.6, 0.9, 1.2), ((0.1, 0), (0, 0), (0, 0.1)))
        light = fitted_light(PLACES[:6], seen[:6], drawn)
        textured = np.linspace(0, 1, 6, dtype=np.float32)
        shared = light.distances(PLACES, seen, drawn, textured)
        own = light.distances(PLACES, seen, np.stack([drawn] * 16), np.stack([textured] * 16))
        assert shared == pytest.approx(own, abs=1e-4)


def flat_of(*tiles):
    """Tiles (TILE_PX, TILE_PX, 3) side by side, softened as photos are."""
    return Sheet(softened(np.hstack(tiles)))


def seen(*pictures):
    """How pictures (h, w, 3) look."""
    return looks_of(floats(np.stack(pictures).transpose(0, 3, 1, 2)))


def small(picture, turn=0):
    reduced = cv2.resize(picture, (TILE_PX, TILE_PX), interpolation=cv2.INTER_AREA)
    return np.rot90(reduced, -turn)


class TestLooks:
    def test_a_picture_is_like_itself_and_unlike_others(self):
        looks = seen(*(softened(small(drawn_face(n))) for n in range(1, 7)))
        table = texture_distances(looks, looks)
        assert np.allclose(table.diagonal(), 0, atol=1e-4)
        assert table[~np.eye(6, dtype=bool)].min() > 0.5
        assert (looks.textured > 0.8).all()

    @pytest.mark.parametrize(("gain", "offset"), [(0.5, 0), (0.8, 40)])
    def test_light_and_haze_change_textures_little(self, gain, offset):
        face = softened(small(drawn_face(3)))
        looks = seen(face, face * np.float32(gain) + np.float32(offset))
        assert texture_distances(looks, looks)[0, 1] < 0.05

    def test_flat_pictures_have_a_colour_and_no_texture(self):
        looks = seen(np.full((TILE_PX, TILE_PX, 3), (10, 90, 200), np.float32))
        assert np.allclose(looks.colour, [[10, 90, 200]])
        assert np.allclose(looks.textured, 0)
        assert len(looks) == 1


@pytest.mark.parametrize(
    "counts",
    [(1, 5), (3, 5), (3, 200), (99, 100), (200, 3), (41, 80), (17, 70), (120, 130), (0, 4), (4, 0)],
)
def test_scalar_products_are_the_same_however_many_vectors_there_are(counts):
    rng = np.random.default_rng(6)
    for dimensions in (30, 1700):
        first, second = (floats(rng.normal(size=(count, dimensions))) for count in counts)
        assert products(first, second) == pytest.approx(first @ second.T, abs=1e-3)


class TestComparison:
    def test_each_tile_is_nearest_to_its_picture_and_turn(self):
        lying = [(2, 0), (5, 3), (0, 1), (9, 2)]
        flat = flat_of(*(small(drawn_face(face + 1), turn) for face, turn in lying))
        table = compared(flat, MIDDLES[:4], KNOWN.in_grid).texture
        best = table.argmin(axis=1)
        found = zip(KNOWN.in_grid.faces[best], KNOWN.in_grid.turns[best], strict=True)
        assert [(int(face), int(turn)) for face, turn in found] == lying

    def test_a_tile_lying_off_its_place_is_still_known_and_its_shift_told(self):
        tile, ground = small(drawn_face(4)), np.full((TILE_PX, TILE_PX, 3), 90, np.uint8)
        rows = [np.hstack(row) for row in ((ground,) * 3, (ground, tile, ground), (ground,) * 3)]
        flat = np.roll(softened(np.vstack(rows)), (-2, 4), axis=(0, 1))
        comparison = compared(Sheet(flat), [(1.5 * TILE_PX, 1.5 * TILE_PX)], KNOWN.in_grid)
        best = int(comparison.texture[0].argmin())
        assert (KNOWN.in_grid.faces[best], KNOWN.in_grid.turns[best]) == (3, 0)
        assert comparison.shifts[0].tolist() == [-2, 4]

    def test_a_tile_in_its_place_has_no_shift(self):
        flat = flat_of(*(small(drawn_face(n)) for n in (1, 2, 3)))
        assert compared(flat, MIDDLES[:3], KNOWN.in_grid).shifts.tolist() == [[0, 0]] * 3

    def test_upright_tiles_are_compared_in_one_turn_only(self):
        description = replace(described(), turned=Turned.UPRIGHT)
        known = KnownEdition(edition_of(description)).in_grid
        assert known.turns.tolist() == [0] * len(description.faces)

    def test_an_empty_place_is_as_the_board_shows_it(self):
        board = softened(drawn_board(4 * TILE_PX, 4 * TILE_PX))
        flat = board.copy()
        flat[:TILE_PX, :TILE_PX] = softened(small(drawn_face(2)))
        light = fitted_light(PLACES, random_colours(1), random_colours(1))
        for known_light in (None, light):
            plots = Plots.of(Sheet(board), MIDDLES, KNOWN.in_grid)
            seen_places = compared(Sheet(flat), MIDDLES, KNOWN.in_grid, plots)
            here = distances_here(Sheet(flat), MIDDLES, plots, seen_places, known_light, PLACES)
            assert here[0] > 0.6
            assert here[1:].max() < 0.3
