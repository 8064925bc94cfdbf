"""What is found on a grid laid flat, and which of it is surely a figure."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.arrays import floats
from vision.boards.figure_doubts import judged
from vision.boards.figure_outline import TOKEN_PX, Patches, Standing
from vision.boards.places import Places
from vision.boards.standing import unexplained_besides
from vision.boards.surface import Lens, Surface
from vision.boards.tokens import THERE, Figure, FlatGrid, find_figures
from vision.boards.unexplained import OTHER, apart_from_drawn
from vision.editions.folder import own_edition

DESCRIPTION = own_edition("cities").description
RED, BLUE, YELLOW, GREEN = range(4)
MARGIN, TILES = 0.25, 2
FOOT_PX = DESCRIPTION.tokens[RED].foot_mm / DESCRIPTION.tile_mm * TOKEN_PX
STANDING = Standing(DESCRIPTION, (1.0, 1.0, 30.0), MARGIN)
NOWHERE = np.zeros((round((TILES + 2 * MARGIN) * TOKEN_PX),) * 2, np.bool_)
CONTRASTS = {(row, column): 1.0 for row in range(TILES) for column in range(TILES)}
PLACES = ((0, 1), (1, 2), (2, 0), (3, 3))


def bare():
    """Tiles of a pale drawing."""
    side = round((TILES + 2 * MARGIN) * TOKEN_PX)
    grain = np.random.default_rng(3).uniform(-12, 12, (side // 5, side // 5, 1))
    drawn = np.array([170, 200, 205]) + cv2.resize(floats(grain), (side, side))[..., None]
    return floats(drawn)


def middle_of(cell):
    return tuple(round((MARGIN + (n + 0.5) / 2) * TOKEN_PX) for n in reversed(cell))


def with_disc(picture, cell, colour, diameter_px=FOOT_PX, by=(0, 0)):
    """The same with something round of one colour in the middle of a cell, or so far from it."""
    seen = picture.copy()
    x, y = np.add(middle_of(cell), by).tolist()
    cv2.circle(seen, (x, y), round(diameter_px / 2), [float(c) for c in colour], -1)
    return seen


def paint(kind, light=0.8):
    return [light * level for level in DESCRIPTION.tokens[kind].colour_bgr]


def figures_on(seen, expected=None, contrasts=CONTRASTS, description=DESCRIPTION, unknown=NOWHERE):
    """What is found in a picture, by cell."""
    expected = bare() if expected is None else expected
    grid = FlatGrid(seen, seen, seen, expected, unknown)
    standing = replace(STANDING, description=description)
    found = find_figures(grid, standing, (TILES, TILES), (1.0, 1.0))
    figures = judged(found, grid, apart_from_drawn(seen, expected), standing, contrasts)
    return {figure.cell: figure for figure in figures}


def standing_on(places, kind=RED):
    seen = bare()
    for cell in places:
        seen = with_disc(seen, cell, paint(kind))
    return seen


def test_patches_are_as_large_as_they_are():
    mask = np.zeros((20, 30), np.uint8)
    mask[2:5, 3:9] = mask[5, 9] = mask[12:, 20:] = 1
    patches = Patches.of(mask)
    sizes = patches.sizes[patches.numbers]
    assert (sizes > 0).tolist() == (mask > 0).tolist()
    assert (sizes[3, 4], sizes[5, 9], sizes[15, 25]) == (19, 19, 80)


class TestPlainFigures:
    @pytest.mark.parametrize("kind", [RED, BLUE, YELLOW, GREEN])
    def test_they_are_sure_and_stand_on_their_cells(self, kind):
        figures = figures_on(standing_on(PLACES, kind))
        assert set(figures) == set(PLACES)
        assert all(figure.is_sure and figure.kind == kind for figure in figures.values())
        assert all(figure.share > THERE for figure in figures.values())

    def test_on_a_bare_grid_there_are_none(self):
        assert figures_on(bare()) == {}

    def test_they_may_differ_a_little_in_brightness(self):
        seen = with_disc(standing_on(PLACES[:3]), PLACES[3], paint(RED, 0.95))
        assert all(figure.is_sure for figure in figures_on(seen).values())


class TestDoubts:
    def only_unsure(self, seen, **more):
        figures = figures_on(seen, **more)
        assert set(figures) == set(PLACES)
        return {cell for cell, figure in figures.items() if not figure.is_sure}

    def test_something_larger_of_the_same_paint(self):
        seen = with_disc(standing_on(PLACES[:3]), PLACES[3], paint(RED), 1.5 * FOOT_PX)
        assert self.only_unsure(seen) == {PLACES[3]}

    def test_something_long_of_the_same_paint(self):
        seen = standing_on(PLACES[:3])
        (x, y), wide = middle_of(PLACES[3]), round(FOOT_PX / 2)
        seen[y - TOKEN_PX : y, x - wide // 2 : x + wide // 2] = paint(RED)
        unsure = {figure.cell for figure in figures_on(seen).values() if not figure.is_sure}
        assert len(unsure) > 1
        assert unsure.isdisjoint(PLACES[:3])

    def test_the_tip_of_something_larger_of_another_colour(self):
        seen = standing_on(PLACES[:3])
        (x, y), wide = middle_of(PLACES[3]), round(FOOT_PX / 2)
        seen[y - TOKEN_PX : y, x - wide // 2 : x + wide // 2] = paint(BLUE)
        seen = with_disc(seen, PLACES[3], paint(RED))
        assert PLACES[3] in {cell for cell, f in figures_on(seen).items() if not f.is_sure}
        assert all(figures_on(seen)[cell].is_sure for cell in PLACES[:3])

    def test_what_reaches_onto_a_tile_that_is_not_sure(self):
        """What covers that tile may reach further, and have such a spot at its edge."""
        unknown = NOWHERE.copy()
        unknown[:, middle_of(PLACES[3])[0] + 2 :] = True
        assert self.only_unsure(standing_on(PLACES), unknown=unknown) == {PLACES[3]}

    @pytest.mark.parametrize("height", [5, 4])
    def test_a_spot_of_paint_may_be_a_figure_that_is_seen_badly_or_hidden_in_part(self, height):
        seen = standing_on(PLACES[:3])
        x, y = middle_of(PLACES[3])
        seen[y - 2 : y - 2 + height, x - 2 : x + 3] = paint(RED)
        assert self.only_unsure(seen) == {PLACES[3]}

    def test_a_paint_a_little_other_than_that_of_the_other_figures(self):
        orange = np.array(paint(YELLOW)) * [2.5, 0.75, 1.0]
        seen = with_disc(standing_on(PLACES[:3], YELLOW), PLACES[3], orange)
        assert self.only_unsure(seen) == {PLACES[3]}

    @pytest.mark.parametrize("light", [0.5, 1.2])
    def test_something_much_brighter_or_darker_than_the_other_figures(self, light):
        seen = with_disc(standing_on(PLACES[:3]), PLACES[3], paint(RED, light))
        assert self.only_unsure(seen) == {PLACES[3]}

    def test_another_colour_in_a_city_with_figures_of_one_player(self):
        seen = with_disc(standing_on(PLACES[:3]), PLACES[3], paint(BLUE))
        assert self.only_unsure(seen) == {PLACES[3]}

    def test_two_colours_of_which_none_is_that_of_the_player(self):
        seen = with_disc(standing_on(PLACES[:1]), PLACES[3], paint(BLUE))
        assert [figure.is_sure for figure in figures_on(seen).values()] == [False, False]

    def test_both_are_sure_where_players_share_a_grid(self):
        shared = replace(DESCRIPTION, one_kind_of_token=False)
        seen = with_disc(standing_on(PLACES[:1]), PLACES[3], paint(BLUE))
        figures = figures_on(seen, description=shared)
        assert [figure.is_sure for figure in figures.values()] == [True, True]

    @pytest.mark.parametrize(("contrast", "is_sure"), [(0.3, False), (0.5, True), (1.0, True)])
    def test_light_that_leaves_little_contrast(self, contrast, is_sure):
        dull = dict.fromkeys(CONTRASTS, contrast)
        figures = figures_on(standing_on(PLACES), contrasts=dull)
        assert {figure.is_sure for figure in figures.values()} == {is_sure}

    @pytest.mark.parametrize(("contrast", "is_sure"), [(0.5, False), (1.0, True)])
    def test_a_drawing_of_the_same_paint_where_light_leaves_little_contrast(
        self, contrast, is_sure
    ):
        expected = bare()
        for cell in PLACES:
            expected = with_disc(expected, cell, paint(GREEN, 0.3), 2 * FOOT_PX)
        seen = expected
        for cell in PLACES:
            seen = with_disc(seen, cell, paint(GREEN))
        dull = dict.fromkeys(CONTRASTS, contrast)
        figures = figures_on(seen, expected, dull)
        assert set(figures) == set(PLACES)
        assert {figure.is_sure for figure in figures.values()} == {is_sure}

    def test_a_hue_other_than_that_of_the_other_figures(self):
        """As a colour it is nearly theirs."""
        seen = with_disc(standing_on(PLACES[:3], YELLOW), PLACES[3], [45, 135, 195])
        assert self.only_unsure(seen) == {PLACES[3]}

    @pytest.mark.parametrize("count", [1, 2])
    def test_another_hue_where_too_few_others_tell(self, count):
        seen = bare()
        for cell in PLACES[:count]:
            seen = with_disc(seen, cell, [40, 120, 200])
        figures = figures_on(seen)
        assert {figure.kind for figure in figures.values()} == {YELLOW}
        assert set(figures) == set(PLACES[:count])
        assert not any(figure.is_sure for figure in figures.values())

    def test_a_foot_near_the_edge_of_a_cell_may_stand_on_the_next(self):
        down = round(TOKEN_PX / 4) - 1
        seen = with_disc(standing_on(PLACES[:2]), (2, 0), paint(RED), by=(0, down))
        figures = figures_on(seen)
        assert {(2, 0), (3, 0)} <= set(figures)
        assert not figures[2, 0].is_sure
        assert not figures[3, 0].is_sure
        assert [figures[cell].share >= THERE for cell in ((2, 0), (3, 0))] == [True, False]

    def test_what_may_only_be_a_figure_explains_nothing_that_hides_a_cell(self):
        seen = with_disc(bare(), (1, 3), (90, 60, 120))
        apart = apart_from_drawn(seen, bare())
        places = Places(Surface(np.eye(3), Lens.of((100, 100))), TILES, TILES)
        perhaps = Figure(RED, (1.75, 0.75), (1, 3), 0.0, is_sure=False)
        for figures in ([], [perhaps]):
            cells = unexplained_besides(figures, apart > OTHER, STANDING, places)
            assert (1, 3) in cells
        seen_there = replace(perhaps, share=0.9)
        assert (1, 3) not in unexplained_besides([seen_there], apart > OTHER, STANDING, places)

    def test_a_wide_foot_near_the_edge_of_a_cell_may_stand_on_the_next(self):
        wide = tuple(replace(token, foot_mm=25.0) for token in DESCRIPTION.tokens)
        diameter_px = 25 / DESCRIPTION.tile_mm * TOKEN_PX
        seen = with_disc(bare(), (1, 1), paint(RED), diameter_px, by=(9, 0))
        figures = figures_on(seen, description=replace(DESCRIPTION, tokens=wide))
        assert set(figures) == {(1, 1), (1, 2)}
        assert not any(figure.is_sure for figure in figures.values())

    def test_a_foot_of_another_player_near_the_edge_of_a_cell_may_stand_on_the_next(self):
        seen = with_disc(standing_on(PLACES[:2]), (2, 0), paint(BLUE), by=(0, 9))
        figures = figures_on(seen)
        assert set(figures) == {*PLACES[:2], (2, 0), (3, 0)}
        assert not figures[2, 0].is_sure
        assert not figures[3, 0].is_sure

    @pytest.mark.parametrize("kind", [RED, BLUE, YELLOW, GREEN])
    def test_of_a_figure_without_paint_where_a_veil_was_taken_off_no_hue_is_known(self, kind):
        seen = standing_on(PLACES, kind)
        clear = bare() - 80 * (seen != bare())
        grid = FlatGrid(seen, floats(clear), seen, bare(), NOWHERE)
        found = find_figures(grid, STANDING, (TILES, TILES), (1.0, 1.0))
        figures = judged(found, grid, apart_from_drawn(seen, bare()), STANDING, CONTRASTS)
        assert {figure.cell for figure in figures} == set(PLACES)
        assert not any(figure.is_sure for figure in figures)

    def test_no_colour_is_dropped_where_nobody_knows_the_players(self):
        """Two blots of blue, each beside a tile that is not sure, outweigh a part of a red one."""
        seen = standing_on([(0, 1), (1, 2)], BLUE)
        x, y = middle_of((3, 3))
        seen[y - 3 : y + 3, x - 4 : x + 2] = paint(RED)
        figures = figures_on(seen, contrasts=dict.fromkeys(CONTRASTS, 0.3))
        assert set(figures) == {(0, 1), (1, 2), (3, 3)}
        assert not any(figure.is_sure for figure in figures.values())


class TestTableOfTheColourOfAPaint:
    """A table around the tiles that is as yellow as a player's figures."""

    @staticmethod
    def laid(off_px=0):
        """Tiles on it, the first so far off its place, as seen and as they should be."""
        drawn, first, side = bare(), round(MARGIN * TOKEN_PX), TILES * TOKEN_PX
        expected = np.full(drawn.shape, np.nan, np.float32)
        expected[first : first + side, first : first + side] = 0
        expected[first : first + TOKEN_PX, first : first + TOKEN_PX] = np.nan
        expected[first + off_px :, first + off_px :][:TOKEN_PX, :TOKEN_PX] = 0
        expected += drawn
        table = np.broadcast_to(floats(paint(YELLOW)), drawn.shape)
        return np.where(np.isnan(expected), table, drawn), expected

    def test_the_table_is_no_figure(self):
        assert figures_on(*self.laid()) == {}

    def test_where_no_tile_is_sure_the_table_is_no_figure_either(self):
        seen, expected = self.laid()
        first = round(MARGIN * TOKEN_PX)
        missing = np.s_[first : first + TOKEN_PX, first : first + TOKEN_PX]
        seen[missing], expected[missing] = paint(YELLOW), np.nan
        unknown = NOWHERE.copy()
        unknown[missing] = True
        assert figures_on(seen, expected, unknown=unknown) == {}

    def test_what_stands_at_the_corner_of_a_tile_that_lies_off_its_place_is_not_the_table(self):
        """As it may only seem to, because of what stands there."""
        seen, expected = self.laid(off_px=5)
        corner = round(MARGIN * TOKEN_PX)
        cv2.circle(seen, (corner + 4, corner + 4), round(FOOT_PX / 2), paint(YELLOW), -1)
        assert (0, 0) in figures_on(seen, expected)


class TestOneBehindTheOther:
    """A camera far to the left and low: figures lean to the right by two thirds of a cell."""

    LOW = Standing(DESCRIPTION, (-14.0, 1.0, 15.0), MARGIN)

    def found_on(self, *feet_px, slimmer_px=0):
        seen = bare()
        thin = np.ones((2 * slimmer_px + 1, 1), np.uint8)
        for foot in feet_px:
            spot = self.LOW.spot(DESCRIPTION.tokens[BLUE], self.tile_edges(foot))
            rows, columns = (
                slice(n - spot.shape.reach, n + spot.shape.reach + 1) for n in reversed(foot)
            )
            seen[rows, columns][cv2.erode(spot.shape.outline, thin) > 0] = paint(BLUE)
        grid = FlatGrid(seen, seen, seen, bare(), NOWHERE)
        found = find_figures(grid, self.LOW, (TILES, TILES), (1.0, 1.0))
        return {figure.cell: figure for figure in found}

    @staticmethod
    def tile_edges(foot_px):
        return tuple(n / TOKEN_PX - MARGIN for n in foot_px)

    def test_every_cell_on_which_one_of_two_may_stand_is_named(self):
        x, y = middle_of((2, 1))
        found = self.found_on((x + 5, y), (x + 5 + round(FOOT_PX), y))
        assert {(2, 1), (2, 2)} <= set(found)

    @pytest.mark.parametrize("apart_px", [8, 9])
    def test_figures_that_are_slimmer_than_described_tell_how_large_one_is(self, apart_px):
        x, y = middle_of((2, 1))
        others = [tuple(np.add(middle_of(cell), 4)) for cell in ((0, 0), (0, 2), (1, 1))]
        pair = (x + 5, y), (x + 5 + apart_px, y)
        found = self.found_on(*others, *pair, slimmer_px=1)
        assert set(found) == {(0, 0), (0, 2), (1, 1), (2, 1), (2, 2)}
        assert not found[2, 2].is_sure

    @pytest.mark.parametrize("slimmer_px", [0, 1])
    def test_one_alone_is_one(self, slimmer_px):
        assert set(self.found_on(middle_of((2, 1)), slimmer_px=slimmer_px)) == {(2, 1)}
