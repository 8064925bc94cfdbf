"""Which parts of a heap may hold pieces, by their colours, and how sharp a grid is."""

import cv2
import numpy as np
import pytest
from pictured import described, edition_of

from vision.boards.description import BoardDescription, Heap
from vision.boards.edition import PicturedEdition
from vision.boards.grid_compared import ComparedGrid, compared_grid
from vision.boards.known import KnownEdition
from vision.boards.light import Light
from vision.boards.piece_colours import is_dazzling, parts_with_pieces
from vision.boards.places import Places
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


def view_of(image):
    """The board seen straight from above."""
    to_photo = np.array([[EDGE_PX, 0, -0.5], [0, EDGE_PX, -0.5], [0, 0, 1]])
    height, width = image.shape[:2]
    return View(Pyramid.of(image), Surface(to_photo, Lens.of((width, height))), 1.0)


def board_with(pictured, *pieces):
    """A photo of the board with pieces whose top left corners (x, y) lie there, in their edges."""
    photo = pictured.board.copy()
    small = cv2.resize(pictured.pictures["b"][0], (EDGE_PX, EDGE_PX))
    for x, y in pieces:
        top, left = round(y * EDGE_PX), round(x * EDGE_PX)
        photo[top : top + EDGE_PX, left : left + EDGE_PX] = small
    return photo


def holds(part, x, y):
    """Whether a part holds the whole piece with this top left corner."""
    left, top, right, bottom = part
    return left <= x and top <= y and x + 1 <= right and y + 1 <= bottom


class TestPartsWithPieces:
    GOLDEN = edition(GOLD, BLUE)
    KNOWN = KnownEdition(GOLDEN)

    def test_a_bare_board_has_none(self):
        view = view_of(board_with(self.GOLDEN))
        assert parts_with_pieces(view, self.KNOWN, WINDOW, EVEN) == []

    @pytest.mark.parametrize("place", [(1.2, 4.6), (6.4, 6.1), (8.7, 5.2)])
    def test_a_piece_is_in_a_part_that_is_not_much_larger(self, place):
        view = view_of(board_with(self.GOLDEN, place))
        (part,) = parts_with_pieces(view, self.KNOWN, WINDOW, EVEN)
        assert holds(part, *place)
        assert (part[2] - part[0]) * (part[3] - part[1]) < 9

    def test_pieces_far_from_each_other_are_in_parts_of_their_own(self):
        places = (0.8, 5.0), (7.5, 5.6)
        view = view_of(board_with(self.GOLDEN, *places))
        parts = sorted(parts_with_pieces(view, self.KNOWN, WINDOW, EVEN))
        assert len(parts) == 2
        assert all(holds(part, *place) for part, place in zip(parts, places, strict=True))

    def test_a_piece_in_the_shade_or_a_little_pale_is_not_left_out(self):
        for factor, veil in ((0.5, 0), (0.8, 40)):
            photo = board_with(self.GOLDEN).astype(np.float32)
            lit = board_with(self.GOLDEN, (4.0, 5.5)).astype(np.float32)
            is_piece = np.abs(lit - photo).max(axis=2) > 0
            photo[is_piece] = lit[is_piece] * factor + veil
            (part,) = parts_with_pieces(view_of(photo.astype(np.uint8)), self.KNOWN, WINDOW, EVEN)
            assert holds(part, 4.0, 5.5)

    def test_without_a_known_light_colours_tell_nothing(self):
        view = view_of(board_with(self.GOLDEN))
        assert parts_with_pieces(view, self.KNOWN, WINDOW, None) is None

    def test_nor_do_they_where_the_board_itself_has_other_ones(self):
        reddish = (board_with(self.GOLDEN) * np.array([0.5, 0.8, 1.0])).astype(np.uint8)
        assert parts_with_pieces(view_of(reddish), self.KNOWN, WINDOW, EVEN) is None
        dazzled = (board_with(self.GOLDEN) * 0.3 + 175).astype(np.uint8)
        assert parts_with_pieces(view_of(dazzled), self.KNOWN, WINDOW, EVEN) is None

    def test_beside_the_board_nothing_tells_whether_the_light_is_understood(self):
        view = view_of(np.full((640, 1600, 3), 90, np.uint8))
        assert parts_with_pieces(view, self.KNOWN, (11.0, 1.0, 18.0, 6.0), EVEN) is None

    def test_pieces_of_the_board_s_own_colour_may_lie_everywhere(self):
        same = edition(BLUE, BLUE)
        view = view_of(board_with(same, (4.0, 5.5)))
        assert parts_with_pieces(view, KnownEdition(same), WINDOW, EVEN) == [WINDOW]


class TestDazzlingLight:
    LIT = Light(np.array([[0.6, 0, 0]] * 3).T, np.eye(3) * 0.01)

    def test_a_heap_that_is_white_with_light_may_hide_pieces(self):
        white = view_of(np.full((640, 800, 3), 245, np.uint8))
        assert is_dazzling(white, WINDOW, self.LIT)
        assert is_dazzling(white, WINDOW, None)

    def test_a_white_table_in_even_light_hides_none(self):
        assert not is_dazzling(view_of(np.full((640, 800, 3), 245, np.uint8)), WINDOW, EVEN)

    def test_nor_does_what_shows_its_colours(self):
        golden = edition(GOLD, BLUE)
        assert not is_dazzling(view_of(board_with(golden)), WINDOW, self.LIT)


class TestSharpness:
    def seen(self, blur_px: float, brightness: float = 1.0) -> ComparedGrid:
        rng = np.random.default_rng(4)
        photo = rng.integers(0, 255, (160, 200, 3)).astype(np.uint8)
        photo = cv2.resize(photo, (800, 640), interpolation=cv2.INTER_NEAREST)
        if blur_px:
            photo = cv2.GaussianBlur(photo, (0, 0), blur_px)
        pictured = edition(GOLD, BLUE)
        view = view_of((photo * brightness).astype(np.uint8))
        return compared_grid(view.picture, Places(view.surface, 2, 2), KnownEdition(pictured))

    def test_blur_takes_it_away_and_dim_light_does_not(self):
        sharp, dim = self.seen(0).sharpness, self.seen(0, 0.4).sharpness
        blurred, more = self.seen(4).sharpness, self.seen(8).sharpness
        assert sharp > 1.05 > blurred > more
        assert dim == pytest.approx(sharp, rel=0.05)

    def test_what_shows_nothing_has_none(self):
        pictured = edition(GOLD, BLUE)
        view = view_of(np.full((640, 800, 3), 90, np.uint8))
        grid = compared_grid(view.picture, Places(view.surface, 2, 2), KnownEdition(pictured))
        assert grid.sharpness == 0
