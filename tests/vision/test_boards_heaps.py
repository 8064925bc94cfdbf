"""Where the pieces of a heap may lie, by their colours."""

import cv2
import numpy as np
import pytest
from pictured import described, edition_of

from vision.boards.description import BoardDescription, Heap
from vision.boards.edition import PicturedEdition
from vision.boards.heap import MOST_LEFT_OVER
from vision.boards.heap_ground import HeapGround
from vision.boards.known import KnownEdition
from vision.boards.light import Light
from vision.boards.piece_colours import is_dazzling, where_pieces_may_lie
from vision.boards.strange import strange_areas
from vision.boards.surface import Lens, Surface
from vision.boards.view import View
from vision.pyramid import Pyramid

TILE_MM = 40.0
MM_PX = 2
EDGE_PX = round(TILE_MM * MM_PX)
SIZE_MM = (400.0, 320.0)
HEAP = Heap("pool", ("b",), (0.0, 160.0, 400.0, 320.0))
BOARD = BoardDescription("board.png", SIZE_MM, (20.0, 20.0), (40.0, 40.0), heaps=(HEAP,))
WINDOW = (0.0, 4.0, 10.0, 8.0)
BLUE, GOLD, GREEN = (220, 190, 150), (60, 150, 210), (120, 200, 130)
EVEN = Light(np.zeros((3, 3)), np.eye(3) * 0.01)


def plain(colour, width=128, height=128):
    picture = np.full((height, width, 3), colour, np.uint8)
    cv2.circle(picture, (width // 2, height // 2), height // 8, (250, 250, 250), -1)
    return picture


def edition(piece, board):
    """One tile, one piece that lies in the heap, and a board with the same light circle."""
    pictures = {"a": (plain(GREEN),), "b": (plain(piece),)}
    print_ = plain(board, round(SIZE_MM[0] * MM_PX), round(SIZE_MM[1] * MM_PX))
    description = edition_of(described(("a", "b"), 2, 2, board=BOARD)).description
    return PicturedEdition(description, pictures, print_)


def ground_of(image, window=WINDOW):
    """The heap's part of a photo that shows the board straight from above."""
    to_photo = np.array([[EDGE_PX, 0, -0.5], [0, EDGE_PX, -0.5], [0, 0, 1]])
    height, width = image.shape[:2]
    view = View(Pyramid.of(image), Surface(to_photo, Lens.of((width, height))), 1.0)
    return HeapGround(view, window)


def board_with(pictured, *pieces):
    """A photo of the board with pieces whose top left corners (x, y) lie there, in their edges."""
    photo = pictured.board.copy()
    small = cv2.resize(pictured.pictures["b"][0], (EDGE_PX, EDGE_PX))
    for x, y in pieces:
        top, left = round(y * EDGE_PX), round(x * EDGE_PX)
        photo[top : top + EDGE_PX, left : left + EDGE_PX] = small
    return photo


def looked_at(where, corner):
    """The share of the piece with this top left corner (x, y) that is looked at."""
    height, width = where.shape
    left, top, right, bottom = WINDOW
    across, down = width / (right - left), height / (bottom - top)
    x, y = corner[0] - left, corner[1] - top
    columns = slice(round(x * across), round((x + 1) * across))
    return where[round(y * down) : round((y + 1) * down), columns].mean()


class TestWherePiecesMayLie:
    GOLDEN = edition(GOLD, BLUE)
    KNOWN = KnownEdition(GOLDEN)

    def where(self, image, light=EVEN):
        return where_pieces_may_lie(ground_of(image), self.KNOWN, light)

    def test_nowhere_on_a_bare_board(self):
        assert not self.where(board_with(self.GOLDEN)).any()

    @pytest.mark.parametrize("place", [(1.2, 4.6), (6.4, 6.1), (8.7, 5.2)])
    def test_at_a_piece_and_not_far_around_it(self, place):
        where = self.where(board_with(self.GOLDEN, place))
        assert looked_at(where, place) == 1
        assert where.mean() * (WINDOW[2] - WINDOW[0]) * (WINDOW[3] - WINDOW[1]) < 5

    def test_at_each_of_several_pieces_but_not_between_them(self):
        places = (0.8, 5.0), (7.5, 5.6)
        where = self.where(board_with(self.GOLDEN, *places))
        assert [looked_at(where, place) for place in places] == [1, 1]
        assert looked_at(where, (4.0, 5.3)) == 0

    def test_a_piece_in_the_shade_or_a_little_pale_is_not_left_out(self):
        for factor, veil in ((0.5, 0), (0.8, 40)):
            photo = board_with(self.GOLDEN).astype(np.float32)
            lit = board_with(self.GOLDEN, (4.0, 5.5)).astype(np.float32)
            is_piece = np.abs(lit - photo).max(axis=2) > 0
            photo[is_piece] = lit[is_piece] * factor + veil
            assert looked_at(self.where(photo.astype(np.uint8)), (4.0, 5.5)) == 1

    def test_without_a_known_light_colours_tell_nothing(self):
        assert self.where(board_with(self.GOLDEN), light=None) is None

    def test_nor_do_they_where_the_board_itself_has_other_ones(self):
        reddish = (board_with(self.GOLDEN) * np.array([0.5, 0.8, 1.0])).astype(np.uint8)
        assert self.where(reddish) is None
        dazzled = (board_with(self.GOLDEN) * 0.3 + 175).astype(np.uint8)
        assert self.where(dazzled) is None

    def test_beside_the_board_nothing_tells_whether_the_light_is_understood(self):
        table = ground_of(np.full((640, 1600, 3), 90, np.uint8), (11.0, 1.0, 18.0, 6.0))
        assert where_pieces_may_lie(table, self.KNOWN, EVEN) is None

    def test_pieces_of_the_board_s_own_colour_may_lie_nearly_everywhere(self):
        same = edition(BLUE, BLUE)
        where = where_pieces_may_lie(ground_of(board_with(same)), KnownEdition(same), EVEN)
        assert where.mean() > 0.9


class TestDazzlingLight:
    LIT = Light(np.array([[0.6, 0, 0]] * 3).T, np.eye(3) * 0.01)
    GOLDEN = edition(GOLD, BLUE)
    KNOWN = KnownEdition(GOLDEN)

    def test_a_heap_that_is_white_with_light_may_hide_pieces(self):
        white = ground_of(np.full((640, 800, 3), 245, np.uint8))
        assert is_dazzling(white, self.KNOWN, self.LIT)
        assert is_dazzling(white, self.KNOWN, None)

    def test_a_white_table_in_even_light_hides_none(self):
        table = ground_of(np.full((640, 1600, 3), 245, np.uint8), (11.0, 1.0, 18.0, 6.0))
        assert not is_dazzling(table, self.KNOWN, EVEN)

    def test_dark_print_that_is_white_may_hide_pieces_in_any_light(self):
        dark = KnownEdition(edition(GOLD, (90, 60, 40)))
        assert is_dazzling(ground_of(np.full((640, 800, 3), 245, np.uint8)), dark, EVEN)

    def test_nor_does_what_shows_its_colours(self):
        assert not is_dazzling(ground_of(board_with(self.GOLDEN)), self.KNOWN, self.LIT)


class TestStrangeAreas:
    GOLDEN = edition(GOLD, BLUE)
    KNOWN = KnownEdition(GOLDEN)

    def test_a_piece_is_one_where_it_lies(self):
        ground = ground_of(board_with(self.GOLDEN, (6.4, 5.1)))
        (area,) = strange_areas(ground, self.KNOWN, EVEN)
        assert area.is_piece
        assert area.middle == pytest.approx([6.9, 5.6], abs=0.05)
        assert area.pieces == pytest.approx(1, abs=0.15)

    def test_nothing_is_left_over_of_a_piece_that_was_read(self):
        (area,) = strange_areas(ground_of(board_with(self.GOLDEN, (6.4, 5.1))), self.KNOWN, EVEN)
        assert area.left_over([(np.array([6.9, 5.6]), 0.0)]) == 0
        assert area.left_over([(np.array([6.9, 5.6]), np.pi / 2)]) == 0
        assert area.left_over([]) == pytest.approx(area.pieces, abs=0.1)

    def test_of_two_that_lie_on_one_another_the_lower_one_is(self):
        photo = board_with(self.GOLDEN, (6.4, 5.1), (6.75, 5.2))
        (area,) = strange_areas(ground_of(photo), self.KNOWN, EVEN)
        upper = np.array([7.25, 5.7]), 0.0
        assert area.left_over([upper]) > MOST_LEFT_OVER
        assert area.left_over([upper, (np.array([6.9, 5.6]), 0.0)]) == 0

    @pytest.mark.parametrize("light", [EVEN, None])
    def test_the_print_is_none(self, light):
        assert strange_areas(ground_of(board_with(self.GOLDEN)), self.KNOWN, light) == []

    @pytest.mark.parametrize("window", [(11.0, 1.0, 18.0, 6.0), (1.0, 9.0, 6.0, 12.0)])
    def test_beside_the_board_there_are_none(self, window):
        ground = ground_of(np.full((960, 1600, 3), 90, np.uint8), window)
        assert strange_areas(ground, self.KNOWN, EVEN) == []
