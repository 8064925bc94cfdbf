"""Things of the board's own colours that lie on a heap: the print does not show there."""

from types import SimpleNamespace

import cv2
import numpy as np
import pytest
from pictured import described, drawn_board, drawn_face, edition_of

from vision.arrays import floats
from vision.boards.heap import BURNT_OUT, pieces_in_heap
from vision.boards.heap_ground import HeapGround
from vision.boards.hidden_print import hidden_print
from vision.boards.known import KnownEdition
from vision.boards.light import Light
from vision.boards.strange import LEAST_PIECE
from vision.boards.surface import Lens, Surface
from vision.boards.view import View
from vision.editions.description import BoardDescription, Heap
from vision.editions.edition import Edition
from vision.pyramid import Pyramid

EDGE_PX = 80
WIDE, TALL = 800, 640
WINDOW = (0.0, 4.0, 10.0, 8.0)
HEAP = Heap("pool", ("b",), (20.0, 160.0, 380.0, 300.0))
SIZE_MM = (400.0, 320.0)
BOARD = BoardDescription("board.png", SIZE_MM, (20.0, 20.0), (40.0, 40.0), heaps=(HEAP,))
EVEN = Light(np.zeros((3, 3)), np.eye(3) * 0.01)
PLACE = (5.5, 6.0)
"""The middle of what lies there, in grid coordinates."""


def drawn_all_over():
    """A board with spots of a few millimetres everywhere."""
    spots = np.random.default_rng(8).normal(0, 30, (TALL // 12, WIDE // 12)).astype(np.float32)
    large = cv2.resize(spots, (WIDE, TALL), interpolation=cv2.INTER_CUBIC)
    return np.clip(drawn_board(WIDE, TALL) * 0.8 + large[..., None], 0, 255).astype(np.uint8)


PRINT = drawn_all_over()


def known_with(board):
    pictures = {"a": (drawn_face(1),), "b": (drawn_face(4),)}
    description = edition_of(described(("a", "b"), 2, 2, board=BOARD)).description
    return KnownEdition(Edition(description, pictures, board))


KNOWN = known_with(PRINT)


def view_of(photo):
    to_photo = np.array([[EDGE_PX, 0, -0.5], [0, EDGE_PX, -0.5], [0, 0, 1]])
    lens = Lens.of((WIDE, TALL))
    return View(Pyramid.of(np.asarray(photo, np.uint8)), Surface(to_photo, lens), 1.0)


def hidden(photo, *pieces, known=KNOWN):
    return hidden_print(HeapGround(view_of(photo), WINDOW), known, pieces).by_things


def around(side):
    """The pixels of a square of this edge, in those of pieces, about PLACE."""
    left, top = (round((middle - side / 2) * EDGE_PX) for middle in PLACE)
    size = round(side * EDGE_PX)
    return np.s_[top : top + size, left : left + size]


def with_hand(side=1.6):
    """The board under something of its own colour without a drawing."""
    photo = PRINT.copy()
    photo[around(side)] = cv2.blur(PRINT, (241, 241))[around(side)]
    return photo


def with_piece():
    photo = PRINT.copy()
    photo[around(1.0)] = cv2.resize(drawn_face(4), (EDGE_PX, EDGE_PX))
    return photo


@pytest.mark.parametrize(
    "light",
    [
        lambda photo: photo,
        lambda photo: 0.3 * photo,
        lambda photo: 0.35 * photo + 140,
        lambda photo: photo * np.linspace(0.3, 1, WIDE)[None, :, None],
        lambda photo: cv2.GaussianBlur(photo, (0, 0), 2.0),
    ],
    ids=["even", "dim", "pale", "uneven", "blurred"],
)
def test_whatever_the_light_it_shows_where_nothing_lies_and_not_under_a_thing(light):
    assert hidden(light(floats(PRINT))) < LEAST_PIECE / 2
    assert hidden(light(floats(with_hand()))) > LEAST_PIECE


def test_a_piece_that_was_read_hides_it():
    assert hidden(with_hand(1.3)) > 0.1
    assert hidden(with_hand(1.3), (floats(PLACE), 0.0)) == 0


def burnt_out(side):
    """The board under a mirrored lamp."""
    photo = PRINT.copy()
    photo[around(side)] = 255
    return photo


def test_light_hides_it_as_well_but_tells_of_nothing_that_lies_there():
    hidden = hidden_print(HeapGround(view_of(burnt_out(2)), WINDOW), KNOWN, [])
    assert hidden.by_things < LEAST_PIECE / 2
    assert hidden.in_all > BURNT_OUT


def test_a_board_without_a_drawing_tells_nothing():
    plain = np.full_like(PRINT, 170)
    assert hidden(with_hand(), known=known_with(plain)) == 0


def test_beside_the_board_nothing_is_printed():
    ground = HeapGround(view_of(PRINT), (10.0, 0.0, 14.0, 4.0))
    assert hidden_print(ground, KNOWN, []) == (0, 0)


def test_a_heap_whose_print_is_hidden_is_flagged():
    def riddles(photo):
        seen = SimpleNamespace(view=view_of(photo), light=EVEN)
        pieces, flagged = pieces_in_heap(seen, KNOWN, HEAP)
        return len(pieces), len(flagged)

    assert riddles(PRINT) == (0, 0)
    assert riddles(with_hand()) == (0, 1)
    assert riddles(with_piece()) == (1, 0)
    # Under so much light a piece may lie unseen, under less none
    assert riddles(burnt_out(2)) == (0, 1)
    assert riddles(burnt_out(0.8)) == (0, 0)
