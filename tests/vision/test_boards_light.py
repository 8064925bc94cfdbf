"""Tiles in uneven light: their drawing compared on its own, and the veil of glare taken off."""

import cv2
import numpy as np
import pytest
from pictured import described, drawn_face, edition_of

from vision.arrays import floats
from vision.boards.evened import NOTHING_ALIKE, evened
from vision.boards.known import KnownEdition
from vision.boards.local_contrast import (
    KEPT,
    LocalGrid,
    local_faces,
    local_plots,
)
from vision.boards.looks import TILE_PX, softened
from vision.boards.veil import LEAST_CONTRAST, cleared
from vision.editions.description import BoardDescription, Turned

BOARD = BoardDescription("board.png", (200.0, 200.0), (40.0, 40.0), (40.0, 40.0))
KNOWN = KnownEdition(edition_of(described(("a", "b", "c"))))
MANY = KnownEdition(edition_of(described(tuple(f"face-{number}" for number in range(20)))))
MIDDLE = (TILE_PX / 2, TILE_PX / 2)
SIDE = 80


def tile(number, side=TILE_PX):
    small = cv2.resize(drawn_face(number), (side, side), interpolation=cv2.INTER_AREA)
    return softened(np.asarray(small, np.uint8))


def slope(side, low, high):
    return np.linspace(low, high, side, dtype=np.float32)[None, :, None]


def nearest(flat, gain=1.0):
    distances = LocalGrid.of(floats(flat), gain).distances([MIDDLE], local_faces(KNOWN).full)[0]
    first, second = np.sort(distances)[:2]
    best = int(distances.argmin())
    answer = int(KNOWN.in_grid.faces[best]), int(KNOWN.in_grid.turns[best])
    return answer, float(first), float(second - first)


class TestLocalContrast:
    @pytest.mark.parametrize("number", [1, 2, 3])
    @pytest.mark.parametrize("turn", range(4))
    def test_a_tile_is_most_like_its_own_picture(self, number, turn):
        answer, distance, lead = nearest(np.rot90(tile(number), -turn))
        assert answer == (number - 1, turn)
        assert distance < 0.2
        assert lead > 0.2

    @pytest.mark.parametrize(
        "light",
        [
            lambda flat: flat * slope(TILE_PX, 0.25, 1.0),
            lambda flat: np.where(np.arange(TILE_PX)[None, :, None] < 17, flat * 0.4, flat),
            lambda flat: 0.4 * flat + slope(TILE_PX, 20, 120),
        ],
        ids=["fading lamp", "edge of a shadow", "glare"],
    )
    def test_uneven_light_changes_little(self, light):
        answer, distance, lead = nearest(light(tile(2)))
        assert answer == (1, 0)
        assert distance < 0.35
        assert lead > 0.15

    def test_what_is_burnt_out_is_left_out_of_account(self):
        burnt = tile(2).copy()
        burnt[:, : TILE_PX // 2] = 255
        answer, distance, _lead = nearest(burnt)
        assert answer == (1, 0)
        covered = tile(2).copy()
        covered[:, : TILE_PX // 2] = 90
        assert distance < nearest(covered)[1] - 0.1

    def test_of_a_tile_that_is_burnt_out_nothing_is_told(self):
        burnt = np.full((TILE_PX, TILE_PX, 3), 255)
        assert nearest(burnt)[1:] == (NOTHING_ALIKE, 0)

    def test_burnt_out_is_what_the_photo_shows_white(self):
        """In a view that was darkened white is no longer 255."""
        flat = tile(2) * np.float32(0.5)
        flat[:, : TILE_PX // 2] = 127.5
        assert nearest(flat, gain=0.5)[0] == (1, 0)
        assert nearest(flat, gain=0.5)[1] < nearest(flat, gain=1.0)[1]

    def test_a_bare_place_is_like_no_picture(self):
        noise = np.random.default_rng(1).normal(120, 12, (TILE_PX, TILE_PX, 3))
        assert nearest(noise)[1] > 0.6

    def test_a_tile_a_little_off_its_place_is_found(self):
        around = np.pad(tile(3), ((8, 8), (8, 8), (0, 0)), mode="edge")
        grid = LocalGrid.of(floats(around), 1.0)
        middle = MIDDLE[0] + 4, MIDDLE[1] + 12
        (distances,) = grid.distances([middle], local_faces(KNOWN).full)
        assert KNOWN.in_grid.faces[int(distances.argmin())] == 2
        assert float(distances.min()) < 0.3

    def test_what_is_most_alike_is_as_far_as_if_all_were_compared_in_full(self):
        faces = local_faces(MANY)
        tiles = [tile(number) for number in (3, 9, 14)]
        tiles[1][:14] = 255  # a good part of it is burnt out
        sheet = np.pad(np.hstack(tiles), ((8, 8), (8, 8), (0, 0)), mode="edge")
        grid = LocalGrid.of(floats(sheet), 1.0)
        middles = [(TILE_PX * (n + 0.5) + 8 + 3, MIDDLE[1] + 8 - 2) for n in range(3)]
        table = grid.table(middles, faces)
        in_full = grid.distances(middles, faces.full)
        for row, expected in zip(table, in_full, strict=True):
            assert row.argmin() == expected.argmin()
            assert row.min() == pytest.approx(expected.min(), abs=1e-4)
            assert (row >= expected - 1e-4).sum() >= KEPT
        assert table[1] == pytest.approx(in_full[1], abs=1e-4)

    def test_a_few_places_alone_are_as_in_the_whole(self):
        sheet = floats(
            np.hstack([np.vstack([tile(3 * r + c) for r in range(8)]) for c in range(8)])
        )
        sheet[100:140, 60:90] = 255
        middles = [(75.0, 120.0), (160.0, 70.0), (27.0, 27.0)]
        grid, at = LocalGrid.about(sheet, 1.0, middles)
        few = grid.table(at, local_faces(MANY))
        whole = LocalGrid.of(sheet, 1.0).table(middles, local_faces(MANY))
        assert few == pytest.approx(whole, abs=1e-5)
        everywhere = [(x + 20.0, y + 20.0) for x in range(0, 280, 40) for y in range(0, 280, 40)]
        assert LocalGrid.about(sheet, 1.0, everywhere)[1] == everywhere

    def test_where_nothing_is_burnt_out_all_is_seen(self):
        sheet = floats(np.hstack([np.minimum(tile(number), 240) for number in (3, 9, 14)]))
        middles = [(TILE_PX * (n + 0.5), MIDDLE[1]) for n in range(3)]
        everything = np.ones(sheet.shape[:2], np.float32)
        grids = [LocalGrid.of(sheet, 1.0), LocalGrid.of(sheet, 1.0, everything)]
        faces = local_faces(MANY)
        for tables in (
            [grid.table(middles, faces) for grid in grids],
            [grid.distances(middles, faces.full) for grid in grids],
        ):
            assert tables[0] == pytest.approx(tables[1], abs=1e-5)

    def test_evening_takes_light_away_and_keeps_noise_small(self):
        flat = tile(1)
        assert np.abs(evened(flat) - evened(flat + 40)).max() < 1e-3
        assert np.abs(evened(np.full_like(flat, 80))).max() < 1e-3

    def test_the_empty_board_is_like_its_own_plots(self):
        description = described(("a", "b"), turned=Turned.UPRIGHT, board=BOARD)
        known = KnownEdition(edition_of(description))
        assert known.board_flat is not None
        middle = (known.board_flat.shape[1] / 2, known.board_flat.shape[0] / 2)
        plots = local_plots(known, [middle, MIDDLE])
        assert plots is not None
        board = LocalGrid.of(known.board_flat, 1.0)
        other = LocalGrid.of(tile(2), 1.0)
        assert board.distances([middle, MIDDLE], plots).max() < 0.01
        assert other.distances([MIDDLE, MIDDLE], plots)[0, 0] > 0.4
        assert local_plots(KNOWN, [middle]) is None


class TestVeil:
    DRAWN = np.stack([tile(1, SIDE), tile(2, SIDE)])

    def cleared(self, seen, white=np.inf):
        """Tiles that lie one below the other."""
        column, drawn = (floats(tiles).reshape(-1, SIDE, 3) for tiles in (seen, self.DRAWN))
        parts = [(slice(top, top + SIDE), slice(0, SIDE)) for top in range(0, len(column), SIDE)]
        return cleared(column, drawn, column, white, parts)

    @pytest.mark.parametrize("contrast", [0.35, 0.6, 1.0])
    def test_glare_is_taken_off(self, contrast):
        veil = slope(SIDE, 30, 110)[None]
        clear = self.cleared(self.DRAWN * contrast + veil)
        assert np.abs(clear.tiles - self.DRAWN).mean() < 3
        assert clear.contrast == pytest.approx([contrast] * 2, rel=0.05)
        assert clear.veil == pytest.approx([70, 70], abs=6)

    def test_what_hides_a_part_of_a_tile_tells_nothing_of_the_light(self):
        seen = self.DRAWN * 0.7 + 20
        seen[:, 20:45, 20:45] = (200, 20, 20)
        clear = self.cleared(seen)
        away = np.abs(clear.tiles - self.DRAWN).mean(axis=3)
        away[:, 20:45, 20:45] = 0
        assert away.mean() < 5
        assert np.abs(clear.tiles - self.DRAWN)[:, 25:40, 25:40].max() > 80

    def test_nor_do_several_figures_that_hide_a_quarter_of_it(self):
        seen, hidden = self.DRAWN * 0.75 + 30, np.zeros((SIDE, SIDE), np.bool_)
        for top, bottom, left, right in ((2, 30, 2, 18), (30, 58, 8, 24), (10, 45, 40, 56)):
            hidden[top:bottom, left:right] = True
        seen[:, hidden] = (44, 35, 200)
        away = np.abs(self.cleared(seen).tiles - self.DRAWN)[:, ~hidden]
        assert away.mean() < 0.2

    def test_what_is_burnt_out_tells_nothing_of_the_light(self):
        seen = self.DRAWN * 0.5 + 60
        seen[:, :, :30] = 255
        clear = self.cleared(seen, white=255)
        assert np.abs(clear.tiles - self.DRAWN)[:, :, 30:].mean() < 4

    def test_light_that_hides_all_leaves_no_contrast(self):
        clear = self.cleared(np.full_like(self.DRAWN, 240))
        assert (clear.contrast < LEAST_CONTRAST).all()
        assert np.isfinite(clear.tiles).all()
