"""Where the pieces of a heap may lie, by their colours, and what is flagged there."""

from dataclasses import replace
from types import SimpleNamespace

import cv2
import numpy as np
import pytest
from pictured import described, drawn_face, edition_of

from vision.arrays import floats
from vision.boards import heap, heap_poses
from vision.boards.features import Votes
from vision.boards.heap import MOST_LEFT_OVER, pieces_in_heap
from vision.boards.heap_ground import HeapGround
from vision.boards.heap_poses import ENOUGH_AGREEING, FEWEST_AGREEING, Pose, poses_by_features
from vision.boards.known import KnownEdition
from vision.boards.light import Light
from vision.boards.piece_colours import ANYWHERE, Whereabouts, is_dazzling, where_pieces_may_lie
from vision.boards.strange import strange_areas
from vision.boards.surface import Lens, Surface
from vision.boards.view import View
from vision.editions.description import BoardDescription, Heap
from vision.editions.edition import Edition
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
    return edition_with(plain(piece), board)


def edition_with(piece, board):
    """The same with a picture of the piece."""
    pictures = {"a": (plain(GREEN),), "b": (piece,)}
    print_ = plain(board, round(SIZE_MM[0] * MM_PX), round(SIZE_MM[1] * MM_PX))
    description = edition_of(described(("a", "b"), 2, 2, board=BOARD)).description
    return Edition(description, pictures, print_)


def ground_of(image, window=WINDOW):
    """The heap's part of a photo that shows the board straight from above."""
    return HeapGround(view_of(image), window)


def view_of(image):
    """A photo that shows the board straight from above."""
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
        return where_pieces_may_lie(ground_of(image), self.KNOWN, light).may_lie

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
        assert where_pieces_may_lie(table, self.KNOWN, EVEN).may_lie is None

    def test_pieces_of_the_board_s_own_colour_may_lie_nearly_everywhere(self):
        same = edition(BLUE, BLUE)
        where = where_pieces_may_lie(ground_of(board_with(same)), KnownEdition(same), EVEN).may_lie
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

    @pytest.mark.parametrize(
        ("white", "is_so"), [(0.6, False), (0.75, False), (0.9, False), (0.97, True)]
    )
    def test_it_may_not_as_long_as_some_of_it_is_dark(self, white, is_so):
        dark = edition(GOLD, (90, 60, 40))
        photo = dark.board.copy()
        photo[:, : round(white * photo.shape[1])] = 245
        assert is_dazzling(ground_of(photo), KnownEdition(dark), EVEN) is is_so

    @pytest.mark.parametrize(("mark_mm", "is_so"), [(10, False), (120, True)])
    def test_a_mark_of_dark_print_tells_nothing(self, mark_mm, is_so):
        pale = edition(GOLD, (235, 230, 225))
        side = mark_mm * MM_PX
        pale.board[400 : 400 + side, 100 : 100 + side] = (90, 60, 40)
        white = ground_of(np.full((640, 800, 3), 245, np.uint8))
        assert is_dazzling(white, KnownEdition(pale), EVEN) is is_so

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

    def test_what_light_dazzles_is_not_left_over(self):
        photo = board_with(self.GOLDEN, (6.4, 5.1))
        right_half = photo[:, round(6.9 * EDGE_PX) :]
        right_half[(right_half == GOLD).all(axis=2)] = 190, 215, 255
        (area,) = strange_areas(ground_of(photo), self.KNOWN, EVEN)
        assert area.pieces == pytest.approx(1, abs=0.15)
        assert area.left_over([]) == pytest.approx(0.5, abs=0.1)

    def test_a_thin_strip_beside_a_piece_is_none(self):
        photo = board_with(self.GOLDEN, (6.4, 5.1))
        top, right = round(5.1 * EDGE_PX), round(7.4 * EDGE_PX)
        photo[top : top + EDGE_PX, right : right + round(0.12 * EDGE_PX)] = GOLD
        (area,) = strange_areas(ground_of(photo), self.KNOWN, EVEN)
        assert area.left_over([(np.array([6.9, 5.6]), 0.0)]) == 0

    @pytest.mark.parametrize("wide", [0.2, 0.5])
    def test_what_shows_along_the_board_s_outer_edge_is_not_left_over(self, wide):
        photo = board_with(self.GOLDEN, (6.4, 6.9))
        left, right = round(5.0 * EDGE_PX), round(8.0 * EDGE_PX)
        photo[-round(wide * EDGE_PX) :, left:right] = GOLD
        (area,) = strange_areas(ground_of(photo), self.KNOWN, EVEN)
        left_over = area.left_over([(np.array([6.9, 7.4]), 0.0)])
        assert (left_over > MOST_LEFT_OVER) is (wide > 0.3)

    @pytest.mark.parametrize("light", [EVEN, None])
    def test_the_print_is_none(self, light):
        assert strange_areas(ground_of(board_with(self.GOLDEN)), self.KNOWN, light) == []

    @pytest.mark.parametrize("window", [(11.0, 1.0, 18.0, 6.0), (1.0, 9.0, 6.0, 12.0)])
    def test_beside_the_board_there_are_none(self, window):
        ground = ground_of(np.full((960, 1600, 3), 90, np.uint8), window)
        assert strange_areas(ground, self.KNOWN, EVEN) == []


class TestWhatIsFlagged:
    DRAWN = edition_with(drawn_face(1), BLUE)
    KNOWN = KnownEdition(DRAWN)
    HEAP = Heap("pool", ("b",), (4.0, 164.0, 396.0, 316.0))
    """All of it inside the photo."""
    LOWER, UPPER, ELSEWHERE = (6.4, 5.1), (6.7, 5.2), (2.0, 5.2)

    def read(self, photo, light=EVEN):
        """How many pieces are read, and how much is flagged."""
        seen = SimpleNamespace(view=view_of(photo), light=light)
        pieces, riddles = pieces_in_heap(seen, self.KNOWN, self.HEAP)
        assert all(piece.answer.is_sure for piece in pieces)
        return len(pieces), len(riddles)

    def covered(self, *others):
        """A photo of a piece that lies on another one, which only sticks out."""
        return board_with(self.DRAWN, self.LOWER, self.UPPER, *others)

    @pytest.mark.parametrize("light", [EVEN, None])
    def test_nothing_where_pieces_lie_apart(self, light):
        photo = board_with(self.DRAWN, self.UPPER, self.ELSEWHERE)
        assert self.read(photo, light) == (2, 0)

    def test_a_piece_that_sticks_out_under_another_one(self):
        assert self.read(self.covered()) == (1, 1)
        assert self.read(self.covered(self.ELSEWHERE)) == (2, 1)

    def test_not_where_light_tells_nothing_of_colours(self):
        assert self.read(self.covered(), light=None) == (1, 0)

    def test_what_is_alone_whatever_lies_elsewhere(self):
        photo = board_with(self.DRAWN, self.ELSEWHERE)
        photo[450:530, 560:640] = GOLD
        photo[450:490, 400:440] = GOLD
        assert self.read(photo) == (1, 1)


class TestWhatFewFeaturesTellOf:
    """Where light leaves little of a piece, two features may put it a third of its width off."""

    DRAWN = TestWhatIsFlagged.DRAWN
    KNOWN = TestWhatIsFlagged.KNOWN
    MIDDLE = floats((6.9, 5.6))

    def read(self, monkeypatch, *poses, pale=0.0, noise=0):
        """The pieces that are read where features put pieces so."""
        photo = board_with(self.DRAWN, self.MIDDLE - 0.5)
        top, left = (round((way - 0.5) * EDGE_PX) for way in self.MIDDLE[::-1])
        part = photo[top : top + EDGE_PX, left : left + EDGE_PX]
        grain = np.random.default_rng(1).normal(0, noise, part.shape)
        part[:] = np.clip(part * (1 - pale) + 255 * pale + grain, 0, 255)
        monkeypatch.setattr(heap, "poses_by_features", lambda *_: list(poses))
        monkeypatch.setattr(heap, "strange_areas", lambda *_: [])
        seen = SimpleNamespace(view=view_of(photo), light=EVEN)
        return pieces_in_heap(seen, self.KNOWN, TestWhatIsFlagged.HEAP)[0]

    def pose(self, votes, off=(0.2, -0.2), *, are_of_one=True):
        return Pose(self.MIDDLE + floats(off), 0.0, votes, are_of_one)

    @pytest.mark.parametrize("off", [(0.2, -0.2), (-0.2, -0.25), (0.25, 0.2)])
    def test_a_piece_is_read_where_it_lies(self, monkeypatch, off):
        (piece,) = self.read(monkeypatch, self.pose(FEWEST_AGREEING, off))
        middle = (piece.corners_px.mean(axis=0) + 0.5) / EDGE_PX
        assert np.hypot(*(middle - self.MIDDLE)) < 0.1
        assert piece.answer.is_sure

    def test_it_is_asked_about_if_it_is_not_plainly_alike(self, monkeypatch):
        (piece,) = self.read(monkeypatch, self.pose(FEWEST_AGREEING), pale=0.8, noise=20)
        assert not piece.answer.is_sure

    def test_a_single_feature_tells_of_one_where_it_is(self, monkeypatch):
        (piece,) = self.read(monkeypatch, self.pose(1, (0, 0)))
        assert piece.answer.is_sure
        assert self.read(monkeypatch, self.pose(1, (0.3, 0.3))) == []

    @pytest.mark.parametrize("degrees", [-8, -5, 5, 8])
    def test_a_piece_is_turned_to_how_it_lies(self, monkeypatch, degrees):
        told = replace(self.pose(ENOUGH_AGREEING, (0, 0)), angle=np.deg2rad(degrees))
        (piece,) = self.read(monkeypatch, told)
        across = piece.corners_px[1] - piece.corners_px[0]
        assert abs(np.rad2deg(np.arctan2(across[1], across[0]))) < 4

    def test_features_of_different_pieces_tell_of_none(self, monkeypatch):
        assert self.read(monkeypatch, self.pose(FEWEST_AGREEING, are_of_one=False)) == []

    def test_nor_do_they_tell_of_one_that_was_read_already(self, monkeypatch):
        there = self.pose(ENOUGH_AGREEING, (0, 0))
        for few in (self.pose(FEWEST_AGREEING), self.pose(1, (0, 0))):
            assert len(self.read(monkeypatch, few, there)) == 1
            assert len(self.read(monkeypatch, there, few)) == 1


@pytest.mark.parametrize(("pictures", "are_of_one"), [((0, 0), True), ((0, 1), False)])
def test_a_piece_lies_where_features_put_one_of_its_size(monkeypatch, pictures, are_of_one):
    """A blob that seems larger than it is would put its middle too far away."""
    offsets = floats([(-0.4, 0.1), (0.4, -0.3)])
    edge = EDGE_PX
    ground = HeapGround(view_of(board_with(TestWhatIsFlagged.DRAWN)), WINDOW, edge)
    middle = floats((200.0, 150.0))
    told = Votes(
        middle + offsets * edge, offsets, np.array(pictures, np.int32), np.zeros(2, np.float32),
        floats([1.2 * edge, 0.85 * edge]),
    )  # fmt: skip
    monkeypatch.setattr(heap_poses, "_votes", lambda *_, **__: told)
    (pose,) = poses_by_features(ground, TestWhatIsFlagged.KNOWN.beside_index, ANYWHERE, WINDOW)
    assert pose.are_of_one == are_of_one
    assert np.allclose(pose.middle, ground.in_grid(middle), atol=1e-3)


@pytest.mark.parametrize(("x", "is_beside"), [(-30.0, True), (30.0, False), (830.0, True)])
def test_single_features_tell_of_pieces_beside_the_board_only(monkeypatch, x, is_beside):
    """On the board its print tells that something hides it."""
    ground = HeapGround(view_of(board_with(TestWhatIsFlagged.DRAWN)), WINDOW, EDGE_PX)
    told = Votes(
        floats([(x, 100.0)]), floats([(0.0, 0.0)]), np.zeros(1, np.int32), floats([0.3]),
        floats([EDGE_PX]),
    )  # fmt: skip
    monkeypatch.setattr(heap_poses, "_votes", lambda *_, **__: told)
    poses = poses_by_features(ground, TestWhatIsFlagged.KNOWN.beside_index, ANYWHERE, WINDOW)
    assert [(pose.votes, pose.are_of_one) for pose in poses] == [(1, True)] * is_beside


class TestBleachedPieces:
    """Light leaves little of their contrast."""

    DRAWN, KNOWN = TestWhatIsFlagged.DRAWN, TestWhatIsFlagged.KNOWN
    PLACES = ((1.3, 5.2), (3.1, 5.4), (5.2, 5.3), (7.1, 5.2))

    def photo(self, contrast):
        """The board with pieces, this share of its contrast left below a bright level."""
        photo = board_with(self.DRAWN, *self.PLACES)
        return np.rint(250 - contrast * (255.0 - photo)).astype(np.uint8)

    def poses(self, ground, dazzled):
        where = Whereabouts(None, np.array([dazzled], np.uint8))
        return poses_by_features(ground, self.KNOWN.beside_index, where, WINDOW)

    @pytest.mark.parametrize("dazzled", [(1, 1), (0, 0), (0, 1)])
    def test_they_get_more_contrast_where_light_dazzles(self, dazzled):
        poses = self.poses(ground_of(self.photo(contrast=0.15)), dazzled)
        assert len(poses) == len(self.PLACES) // 2 * sum(dazzled)
        assert all(dazzled[int(pose.middle[0] > 5.0)] for pose in poses)

    def test_others_are_seen_as_they_are(self):
        ground = ground_of(board_with(self.DRAWN, *self.PLACES))
        poses = self.poses(ground, dazzled=(0, 1))
        assert len([pose for pose in poses if pose.middle[0] < 5.0]) == len(self.PLACES) // 2

    @pytest.mark.parametrize("light", [EVEN, None])
    def test_they_are_looked_at_closely(self, light):
        seen = SimpleNamespace(view=view_of(self.photo(contrast=0.1)), light=light)
        pieces, _ = pieces_in_heap(seen, self.KNOWN, TestWhatIsFlagged.HEAP)
        assert len(pieces) == len(self.PLACES)

    def test_a_piece_that_light_may_have_bleached_is_told_apart(self):
        photo = board_with(self.DRAWN, *self.PLACES)
        assert not where_pieces_may_lie(ground_of(photo), self.KNOWN, EVEN).dazzled.any()
        x, y = (round(way * EDGE_PX) for way in self.PLACES[1])
        part = photo[y : y + EDGE_PX, x : x + EDGE_PX]
        part[:] = np.rint(250 - 0.1 * (255.0 - part))
        where = where_pieces_may_lie(ground_of(photo), self.KNOWN, EVEN)
        assert looked_at(where.may_lie, self.PLACES[1]) > 0.9
        assert looked_at(where.dazzled, self.PLACES[1]) > 0.9
        assert looked_at(where.dazzled, self.PLACES[3]) == 0
