"""Grids of tiles of unknown look are found in photos, or honestly not."""

import cv2
import numpy as np
import pytest

from vision.arrays import floats, transformed
from vision.boards.outline import find_outline
from vision.simulate.lens import Lens
from vision.simulate.materials import table_material
from vision.simulate.photometry import photographed
from vision.simulate.scene import rectangle

SIZE_WH = (800, 600)
SIDE_PX = 64
TILE_PX = 72
TILTED = np.array([[1.0, 0.12, -30], [0.02, 1.0, -10], [2e-5, 3.2e-4, 1.0]])
"""A view from a slant."""


def tiles(rows, columns, seed=1, gaps=(), dominoes=False):
    """A picture (h, w, 4) of tiles with a blot on each, edge to edge, transparent in the gaps."""
    rng = np.random.default_rng(seed)
    colours = rng.integers(30, 235, (6, 3))
    sheet = np.zeros((rows * SIDE_PX, columns * SIDE_PX, 4), np.uint8)
    for row in range(rows):
        for column in range(columns):
            tile = np.full((SIDE_PX, SIDE_PX, 4), 255, np.uint8)
            tile[..., :3] = colours[rng.integers(6)]
            colour = [*colours[rng.integers(6)].tolist(), 255]
            place = rng.integers(20, 44, 2).tolist()
            cv2.circle(tile, place, int(rng.integers(5, 14)), colour, cv2.FILLED)
            seamless = dominoes and row % 2 == 0
            first, last = seamless and column % 2 == 1, seamless and column % 2 == 0
            tile[:, : 0 if first else 2, :3] //= 2
            tile[:, SIDE_PX if last else -2 :, :3] //= 2
            tile[:2, :, :3] //= 2
            tile[-2:, :, :3] //= 2
            if (row, column) not in gaps:
                top, left = row * SIDE_PX, column * SIDE_PX
                sheet[top : top + SIDE_PX, left : left + SIDE_PX] = tile
    return sheet


def lying(shape, turn_deg=0.0, middle=(400, 290), view=TILTED):
    """The corners of a grid of this shape in a photo, its own top left first."""
    size = (shape[1] * TILE_PX, shape[0] * TILE_PX)
    return transformed(rectangle(middle, np.deg2rad(turn_deg), size), view)


def photo(*sheets, material="wood-light", seed=3, barrel=0.0):
    """A photo of a table on which pictures (h, w, 4) lie within corners; and those as it shows."""
    rng = np.random.default_rng(seed)
    image = floats(table_material(rng, SIZE_WH, 66.0, material))
    lens = Lens(SIZE_WH, barrel)
    for sheet, corners in sheets:
        height, width = sheet.shape[:2]
        edges = floats([[0, 0], [width, 0], [width, height], [0, height]]) - 0.5
        seen = cv2.warpPerspective(sheet, cv2.getPerspectiveTransform(edges, corners), SIZE_WH)
        alpha = floats(seen[..., 3:]) / 255
        image = image * (1 - alpha) + floats(seen[..., :3]) * alpha
    image = lens.photographed(np.clip(image, 0, 255).astype(np.uint8))
    return photographed(rng, image, 0.2), [lens.seen(corners) for _, corners in sheets]


def off_by(found, corners):
    """How far the worst corner lies off its place, in tiles."""
    return float(np.linalg.norm(found - corners, axis=1).max()) / TILE_PX


class TestFinding:
    @pytest.mark.parametrize("material", ["wood-dark", "cutting-mat", "gingham", "paper"])
    def test_on_any_table(self, material):
        image, [corners] = photo((tiles(3, 5), lying((3, 5), 8)), material=material)
        found = find_outline(image, 3, 5)
        assert (found.shape, found.dtype) == ((4, 2), np.float32)
        assert off_by(found, corners) < 0.1

    @pytest.mark.parametrize("turn", [-70, -30, 60])
    def test_the_top_row_is_the_one_nearest_to_the_top(self, turn):
        image, [corners] = photo((tiles(2, 4), lying((2, 4), turn)))
        assert off_by(find_outline(image, 2, 4), corners) < 0.1

    @pytest.mark.parametrize(("turn", "first"), [(110, 3), (160, 2), (-65, 1)])
    def test_of_a_square_the_edge_that_faces_the_top_is_the_top(self, turn, first):
        image, [corners] = photo((tiles(4, 4), lying((4, 4), turn)))
        assert off_by(find_outline(image, 4, 4), np.roll(corners, -first, axis=0)) < 0.1

    def test_dominoes_without_a_seam(self):
        image, [corners] = photo((tiles(4, 6, dominoes=True), lying((4, 6), -5)))
        assert off_by(find_outline(image, 4, 6), corners) < 0.1

    def test_through_a_lens_that_bends_lines(self):
        image, [corners] = photo((tiles(4, 6), lying((4, 6), 4)), barrel=0.05)
        assert off_by(find_outline(image, 4, 6), corners) < 0.1

    def test_with_places_that_may_be_empty(self):
        gaps = {(2, 4), (2, 3)}
        image, [corners] = photo((tiles(3, 5, gaps=gaps), lying((3, 5), 6)))
        assert off_by(find_outline(image, 3, 5, gaps), corners) < 0.12

    def test_in_pixels_of_the_photo_given(self):
        image, [corners] = photo((tiles(3, 5), lying((3, 5), 8)))
        large = cv2.resize(image, None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC)
        assert off_by(find_outline(large, 3, 5), (corners + 0.5) * 3 - 0.5) < 3 * 0.1

    def test_a_second_time_the_same(self):
        image, _ = photo((tiles(3, 5), lying((3, 5), 8)))
        assert np.array_equal(find_outline(image, 3, 5), find_outline(image.copy(), 3, 5))


class TestRefusing:
    @pytest.mark.parametrize("material", ["cutting-mat", "chequerboard", "ceramic"])
    def test_a_table_alone(self, material):
        image, _ = photo(material=material)
        assert find_outline(image, 4, 4) is None

    def test_something_else_with_four_sides(self):
        sheet = np.full((90, 120, 4), 245, np.uint8)
        image, _ = photo((sheet, lying((3, 4), 10)))
        assert find_outline(image, 3, 4) is None

    @pytest.mark.parametrize("shape", [(3, 4), (3, 6), (4, 5), (6, 10)])
    def test_a_grid_of_another_shape(self, shape):
        image, _ = photo((tiles(3, 5), lying((3, 5), 8)))
        assert find_outline(image, *shape) is None

    def test_two_grids(self):
        image, _ = photo(
            (tiles(3, 4), lying((3, 4), 3, (220, 300))),
            (tiles(3, 4, 2), lying((3, 4), -4, (570, 300))),
        )
        assert find_outline(image, 3, 4) is None

    @pytest.mark.parametrize("middle", [(180, 290), (400, 660)])
    def test_a_grid_that_runs_off_the_photo(self, middle):
        image, _ = photo((tiles(4, 6), lying((4, 6), 3, middle)))
        assert find_outline(image, 4, 6) is None

    def test_a_grid_that_lacks_a_row(self):
        gaps = {(2, column) for column in range(5)}
        image, _ = photo((tiles(3, 5, gaps=gaps), lying((3, 5), 6)))
        assert find_outline(image, 3, 5) is None

    def test_a_grid_that_lies_on_its_point(self):
        image, _ = photo((tiles(4, 4), lying((4, 4), 45, view=np.eye(3))))
        assert find_outline(image, 4, 4) is None

    def test_what_no_seam_can_prove(self):
        image, _ = photo((tiles(3, 5), lying((3, 5), 8)))
        assert find_outline(image, 1, 1) is None
        assert find_outline(image, 3, 5, {(0, column) for column in range(5)}) is None
