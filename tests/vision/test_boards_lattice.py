"""From local features of pictures to grids of free tiles."""

from itertools import product

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pictured import described, drawn_board, drawn_face, edition_of

from vision.arrays import floats, transformed
from vision.boards.features import (
    PictureIndex,
    Votes,
    features_of,
    turned,
    votes_for,
    wrapped,
)
from vision.boards.find import find_grids
from vision.boards.known import KnownEdition
from vision.boards.lattice import find_lattices
from vision.boards.lattice_growth import Lattice
from vision.boards.tile_look import FEWEST_VOTES
from vision.editions.folder import own_edition
from vision.pyramid import Pyramid

TILE_PX = 70
TILES = [drawn_face(seed) for seed in range(1, 13)]
GROUND = (70, 90, 110)
WARP = np.array([[0.95, -0.12, 90], [0.14, 0.93, 20], [2e-5, 6e-5, 1]])
"""From the flat table to the photo."""

Layer = tuple[np.ndarray, tuple[float, float]]


def grid_picture(rows, columns, seed, *, turns=True):
    """Random tiles edge to edge, seen from above."""
    rng = np.random.default_rng(seed)
    picture = np.zeros((rows * TILE_PX, columns * TILE_PX, 3), np.uint8)
    for row, column in product(range(rows), range(columns)):
        tile = cv2.resize(TILES[int(rng.integers(12))], (TILE_PX, TILE_PX),
                          interpolation=cv2.INTER_AREA)  # fmt: skip
        tile = np.rot90(tile, int(rng.integers(4)) if turns else 0)
        picture[row * TILE_PX :, column * TILE_PX :][:TILE_PX, :TILE_PX] = tile
    return picture


def photo_with(*layers, size_wh=(800, 640), warp=WARP):
    """Pictures on a table, each with its top left corner at (x, y), through a slanted view."""
    table = np.full((size_wh[1], size_wh[0], 3), GROUND, np.uint8)
    for picture, (left, top) in layers:
        height, width = picture.shape[:2]
        table[top : top + height, left : left + width] = picture
    return cv2.warpPerspective(table, warp, size_wh, borderValue=GROUND)


@pytest.fixture(scope="module")
def index():
    return PictureIndex.of([cv2.resize(tile, (80, 80)) for tile in TILES], 120)


def none_of_all():
    empty = np.zeros(0, np.float32)
    points = np.zeros((0, 2), np.float32)
    return Votes(points, points, np.zeros(0, np.int32), empty, empty)


class TestFeatures:
    @pytest.mark.parametrize(
        "image",
        [
            np.zeros((400, 600, 3), np.uint8),
            np.full((400, 600, 3), 255, np.uint8),
            np.full((9, 9, 3), 120, np.uint8),
        ],
    )
    def test_pictures_of_one_colour_have_none(self, image, index):
        features = features_of(image, 100)
        assert len(features.points) == len(features.descriptors) == 0
        assert len(votes_for(index, features)) == 0

    def test_those_of_a_copy_of_half_the_size_lie_where_the_picture_has_them(self):
        board = drawn_board()
        half = cv2.resize(board, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        of_half, own = features_of(half, 200), features_of(board, 2000)
        enlarged = of_half.enlarged(2)
        apart = np.linalg.norm(enlarged.points[:, None] - own.points, axis=2)
        assert np.median(apart.min(axis=1)) < 1.5
        assert enlarged.sizes == pytest.approx(2 * of_half.sizes)

    def test_a_larger_picture_has_them_at_its_own_pixels(self):
        board = drawn_board()
        small = features_of(board, 200)
        large = features_of(cv2.resize(board, None, fx=2, fy=2), 200, area_px=board.size / 3)
        # Most features of the large one, halved, are features of the small one
        halved = (large.points + 0.5) / 2 - 0.5
        apart = np.linalg.norm(halved[:, None] - small.points[None], axis=2).min(axis=1)
        assert np.median(apart) < 0.5
        assert np.median(large.sizes) == pytest.approx(2 * np.median(small.sizes), rel=0.15)

    def test_a_dim_photo_has_nearly_as_many(self):
        board = drawn_board()
        dim = (board * 0.25).astype(np.uint8)
        assert len(features_of(dim, 2000).points) > 0.7 * len(features_of(board, 2000).points)

    def test_what_light_has_nearly_drowned_has_more_if_told_so(self):
        pale = (225 + drawn_board() * 0.12).astype(np.uint8)
        usual, closer = (features_of(pale, 2000, is_dazzling=told) for told in (False, True))
        assert len(closer.points) > 1.2 * len(usual.points)

    def test_none_lie_where_the_picture_is_not_looked_at(self):
        board = drawn_board()
        where = np.ones((10, 10), np.uint8)
        where[:, :5] = 0
        of_half, of_all = features_of(board, 9999, where=where), features_of(board, 9999)
        middle = board.shape[1] / 2
        assert len(of_half.points) == (of_all.points[:, 0] + 0.5 >= middle).sum() > 20
        assert of_half.points[:, 0].min() + 0.5 >= middle

    def test_an_index_of_pictures_without_features_gets_no_votes(self):
        blank = PictureIndex.of([np.full((80, 80, 3), 99, np.uint8)] * 2, 50)
        assert len(votes_for(blank, features_of(drawn_board(), 100))) == 0

    @given(st.floats(-50, 50))
    def test_wrapped_angles_are_the_same_directions(self, angle):
        (found,) = wrapped(floats([angle]))
        assert -np.pi - 1e-4 <= found <= np.pi + 1e-4
        assert np.cos(found) == pytest.approx(np.cos(angle), abs=1e-4)
        assert np.sin(found) == pytest.approx(np.sin(angle), abs=1e-4)

    def test_turned_is_clockwise_as_seen(self):
        assert np.allclose(turned(floats([[1, 0]]), floats([np.pi / 2])), [[0, 1]], atol=1e-6)


def most_agreeing(votes):
    """The largest group of votes that put a picture at nearly the same place."""
    apart = np.linalg.norm(votes.centres[:, None] - votes.centres[None], axis=2)
    together = apart < 0.15 * votes.widths[:, None]
    return np.flatnonzero(together[together.sum(axis=1).argmax()])


class TestVotes:
    def test_votes_that_say_the_same_about_the_same_point_are_joined_once(self):
        def votes(points, pictures):
            numbers = np.full(len(points), 50, np.float32)
            return Votes(floats(points), floats(points), np.int32(pictures), numbers, numbers)

        own = votes([(10, 10), (90, 40)], [3, 4])
        others = votes([(11, 9), (90, 40), (60, 10)], [3, 5, 3])
        joined = own.with_new(others)
        assert joined.points.tolist() == [[10, 10], [90, 40], [90, 40], [60, 10]]
        assert joined.pictures.tolist() == [3, 4, 5, 3]

    PICTURES = tuple(own_edition("cities").pictures[f"tile-{n}"][0] for n in range(1, 7))

    @pytest.mark.parametrize(("angle", "size"), [(0.0, 60.0), (0.7, 90.0), (2.5, 75.0)])
    def test_they_agree_on_where_a_picture_lies_how_it_is_turned_and_how_large(self, angle, size):
        side = self.PICTURES[0].shape[0]
        known = [cv2.resize(p, (80, 80), interpolation=cv2.INTER_AREA) for p in self.PICTURES]
        of_pictures = PictureIndex.of(known, 120)
        c, s = np.cos(angle) * size / side, np.sin(angle) * size / side
        centre = np.array([110.0, 90.0])
        corner = centre - np.array([[c, -s], [s, c]]) @ np.full(2, (side - 1) / 2)
        place = np.array([[c, -s, corner[0]], [s, c, corner[1]]])
        for number in (0, 5):
            smooth = cv2.GaussianBlur(self.PICTURES[number], (0, 0), 0.4 * side / size)
            photo = cv2.warpAffine(smooth, place, (220, 180), borderValue=GROUND)
            votes = votes_for(of_pictures, features_of(photo, 500))
            best = votes.only(most_agreeing(votes))
            assert len(best) >= 3
            assert np.bincount(best.pictures).argmax() == number
            assert np.median(np.linalg.norm(best.centres - centre, axis=1)) < 0.1 * size
            assert abs(np.median(wrapped(best.angles - np.float32(angle)))) < 0.1
            assert np.median(best.widths) == pytest.approx(size, rel=0.12)


def own_tiles(lattice, layers_at, rows, columns):
    """Middles of the tiles of a grid in coordinates of a lattice."""
    left, top = layers_at
    middles = [
        (left + (c + 0.5) * TILE_PX, top + (r + 0.5) * TILE_PX)
        for r, c in product(range(rows), range(columns))
    ]
    return transformed(transformed(middles, WARP), np.linalg.inv(lattice.to_photo))


def assert_tiles_are_cells(lattice, at, rows, columns):
    """Each tile is a cell of the lattice of its own: all lie together, whichever way it is up."""
    middles = own_tiles(lattice, at, rows, columns)
    cells = np.floor(middles)
    assert np.abs(middles - cells - 0.5).max() < 0.15
    assert len(np.unique(cells, axis=0)) == rows * columns
    spans = np.ptp(cells, axis=0) + 1
    assert sorted(spans) == sorted((rows, columns))


def votes_of_a_lattice(tile_px, each, tiles):
    """Votes that agree on some tiles of a lattice that begins at the photo's corner."""
    middles = np.repeat(floats([*tiles])[:, ::-1] + np.float32(0.5), each, axis=0)
    count = len(middles)
    offsets = floats(np.random.default_rng(3).uniform(-0.5, 0.5, (count, 2)))
    return Votes(
        floats((middles + offsets) * tile_px), offsets, np.zeros(count, np.int32),
        np.zeros(count, np.float32), np.full(count, tile_px, np.float32),
    )  # fmt: skip


def votes_for_tile(rng, middle, angle, count):
    """Votes that all say nearly the same of one tile."""
    offsets = floats(rng.uniform(-0.45, 0.45, (count, 2)))
    points = middle + TILE_PX * turned(offsets, np.full(count, angle, np.float32))
    return (
        floats(points + rng.normal(0, 0.5, (count, 2))),
        offsets,
        np.zeros(count, np.int32),
        floats(angle + rng.normal(0, 0.04, count)),
        floats(TILE_PX * np.exp(rng.normal(0, 0.06, count))),
    )


def random_votes(rng, count):
    return (
        floats(rng.uniform(150, 750, (count, 2))),
        floats(rng.uniform(-0.5, 0.5, (count, 2))),
        np.zeros(count, np.int32),
        floats(rng.uniform(-np.pi, np.pi, count)),
        floats(rng.uniform(30, 130, count)),
    )


def grid_and_strays(seed):
    """Votes for the tiles of a grid, more of them for two tiles beside it, and wrong ones."""
    rng = np.random.default_rng(seed)
    middle, each = np.array([450.0, 450.0]), []
    for at in product((-1.5, -0.5, 0.5, 1.5), repeat=2):
        quarter = rng.integers(4) * np.pi / 2
        count = int(rng.integers(4, 9))
        each.append(votes_for_tile(rng, middle + TILE_PX * np.array(at), quarter, count))
    for _ in range(2):
        away, towards = TILE_PX * rng.uniform(3.2, 4.2), rng.uniform(0, 2 * np.pi)
        at = middle + away * np.array([np.cos(towards), np.sin(towards)])
        each.append(votes_for_tile(rng, at, rng.uniform(-np.pi, np.pi), 24))
    each.append(random_votes(rng, 40))
    return Votes(*(np.concatenate(column) for column in zip(*each, strict=True)))


class TestLattices:
    @pytest.mark.parametrize(("rows", "columns"), [(4, 4), (2, 5)])
    @pytest.mark.parametrize("turns", [True, False])
    def test_a_grid_is_found_where_it_lies(self, index, rows, columns, turns):
        photo = photo_with((grid_picture(rows, columns, 8, turns=turns), (160, 120)))
        votes = votes_for(index, features_of(photo, 3000))
        (lattice,) = find_lattices(votes, 1, (rows, columns), FEWEST_VOTES)
        assert_tiles_are_cells(lattice, (160, 120), rows, columns)
        assert len(lattice.support) >= 0.8 * rows * columns
        top, left, bottom, right = lattice.extent
        assert sorted((bottom - top + 1, right - left + 1)) == sorted((rows, columns))

    @pytest.mark.parametrize("gap", [14, 40])
    def test_parallel_grids_side_by_side_are_kept_apart(self, index, gap):
        first, second = (60, 150), (60 + 4 * TILE_PX + gap, 150)
        photo = photo_with((grid_picture(4, 4, 1), first), (grid_picture(4, 4, 2), second))
        votes = votes_for(index, features_of(photo, 4000))
        found = find_lattices(votes, 4, (4, 4), FEWEST_VOTES)
        assert len(found) == 2
        by_x = sorted(found, key=lambda g: votes.points[g.votes][:, 0].mean())
        for lattice, at in zip(by_x, (first, second), strict=True):
            assert_tiles_are_cells(lattice, at, 4, 4)

    def test_a_few_tiles_lying_about_are_no_grid(self, index):
        spots = ((90, 120), (300, 200), (520, 140))
        photo = photo_with(*((grid_picture(1, 1, n), at) for n, at in enumerate(spots)))
        votes = votes_for(index, features_of(photo, 3000))
        assert len(votes) > 20
        assert find_lattices(votes, 4, (4, 4), FEWEST_VOTES) == []

    def test_a_pattern_that_lies_across_a_grid_does_not_hide_it(self):
        """Of a cloth, say, whose print agrees on a few far larger tiles."""
        grid = votes_of_a_lattice(tile_px=60, each=28, tiles=product(range(1, 5), range(2, 6)))
        pattern = votes_of_a_lattice(tile_px=170, each=30, tiles=((0, 0), (1, 1), (2, 2), (3, 3)))
        names = ("points", "offsets", "pictures", "angles", "widths")
        votes = Votes(*(np.concatenate([getattr(v, n) for v in (grid, pattern)]) for n in names))
        (lattice, *_) = find_lattices(votes, 4, (4, 4), FEWEST_VOTES)
        assert (lattice.votes < len(grid)).mean() > 0.9
        assert lattice.tiles == 16

    def test_nothing_is_found_in_nothing(self):
        assert find_lattices(none_of_all(), 4, (4, 4), FEWEST_VOTES) == []

    @pytest.mark.parametrize("seed", [1, 9, 203])
    def test_a_tile_that_happens_to_lie_as_one_of_a_grid_takes_nothing_from_it(self, seed):
        votes = grid_and_strays(seed)
        best, *others = find_lattices(votes, 4, (4, 4), FEWEST_VOTES)
        assert len(best.support) == 16
        assert all(len(other.votes) < 0.5 * len(best.votes) for other in others)

    @settings(max_examples=40)
    @given(st.integers(0, 2**32 - 1), st.sampled_from([10, 30, 120]), st.floats(1, 1000))
    def test_random_votes_make_no_trouble(self, seed, count, extent):
        rng = np.random.default_rng(seed)
        votes = Votes(
            floats(rng.uniform(0, extent, (count, 2))),
            floats(rng.uniform(-0.5, 0.5, (count, 2))),
            rng.integers(0, 12, count).astype(np.int32),
            floats(rng.uniform(-np.pi, np.pi, count)),
            floats(rng.uniform(0.1, 400, count)),
        )
        for lattice in find_lattices(votes, 3, (3, 5), FEWEST_VOTES):
            assert np.isfinite(lattice.to_photo).all()
            assert len(lattice.votes) >= FEWEST_VOTES

    @settings(max_examples=30)
    @given(st.integers(0, 2**32 - 1), st.integers(0, 2))
    def test_votes_that_all_lie_in_a_line_or_point_make_no_trouble(self, seed, dimensions):
        rng = np.random.default_rng(seed)
        spread = np.array([dimensions > 0, dimensions > 1])
        votes = Votes(
            floats(rng.uniform(0, 300, (60, 2)) * spread + 50),
            floats(rng.uniform(-0.5, 0.5, (60, 2)) * spread),
            np.zeros(60, np.int32),
            np.zeros(60, np.float32),
            np.full(60, 60, np.float32),
        )
        find_lattices(votes, 2, (4, 4), FEWEST_VOTES)


class TestFindGrids:
    KNOWN = KnownEdition(edition_of(described()))

    @pytest.mark.parametrize("kind", ["noise", "black", "grey", "stripes"])
    def test_where_there_is_no_grid_none_is_found(self, kind):
        rng = np.random.default_rng(9)
        image = {
            "noise": rng.integers(0, 256, (480, 640, 3), dtype=np.uint8),
            "black": np.zeros((480, 640, 3), np.uint8),
            "grey": np.full((480, 640, 3), 128, np.uint8),
            "stripes": np.tile(np.uint8([0, 255])[None, :, None].repeat(8, axis=1), (480, 40, 3)),
        }[kind]
        assert find_grids(Pyramid.of(image), self.KNOWN) == []

    def test_features_without_any_picture_to_match_are_no_grid(self):
        blank = KnownEdition(edition_of(described(), lambda _: np.full((64, 64, 3), 90, np.uint8)))
        assert find_grids(Pyramid.of(drawn_board()), blank) == []


class TestFindBoard:
    EDITION = own_edition("city-blocks")
    KNOWN = KnownEdition(EDITION)
    PLANE = np.array([[95.0, -14, 160], [12, 88, 130], [3e-3, 8e-3, 1]])
    """From grid coordinates, in tile edges, to the photo."""

    def photo(self, blur):
        picture, board = self.EDITION.board, self.EDITION.description.board
        mm = board.size_mm[0] / picture.shape[1]
        each = mm / self.EDITION.description.tile_mm
        left, top = self.KNOWN.board_offset[0] + each / 2
        to_photo = self.PLANE @ np.array([[each, 0, left], [0, each, top], [0, 0, 1]])
        seen = cv2.warpPerspective(
            picture, to_photo, (1100, 850), flags=cv2.INTER_AREA, borderValue=GROUND
        )
        return cv2.GaussianBlur(seen, (0, 0), blur) if blur else seen

    @pytest.mark.parametrize(("blur", "fewest"), [(0, 300), (3, 150), (6, 100)])
    def test_it_lies_where_the_photo_shows_it_sharp_or_blurred(self, blur, fewest):
        (found,) = find_grids(Pyramid.of(self.photo(blur)), self.KNOWN)
        corners = floats([[0, 0], [5, 0], [5, 5], [0, 5]])
        off = found.surface.at(corners) - transformed(corners, self.PLANE)
        assert np.linalg.norm(off, axis=1).max() < 0.01 * 95
        assert found.support >= fewest


def test_tiles_count_as_seen_if_several_votes_speak_for_them():
    """A single tile and stray votes beside it are no grid of many tiles."""
    cells = np.array([(0, 0)] * 40 + [(0, 1)] * 3 + [(2, 3)] * 2 + [(3, 3)], np.intp)
    lattice = Lattice(np.eye(3), np.arange(len(cells)), cells, np.zeros(len(cells), np.intp))
    assert (len(lattice.votes), len(lattice.support), lattice.tiles) == (46, 4, 2)
