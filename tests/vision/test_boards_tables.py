"""Tables of small editions drawn for the tests: free tiles, printed boards, taught pictures."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest
from laid_out import photo_of_layout
from pictured import (
    NAMES,
    described,
    drawn_face,
    edition_of,
    grid_of,
    hidden,
    photo_of,
    table_of,
    turned_reading,
    without_timings,
)

from vision.boards.eye import read_boards
from vision.boards.known import known_edition
from vision.boards.teach import learn_layout, untaught
from vision.editions.description import BoardDescription, Heap, Slots, Turned
from vision.editions.edition import Edition
from vision.errors import PhotoError
from vision.exposure import LIGHT_HIDES
from vision.reading import NoteCode
from vision.simulate.content import GridContent

BOARD = BoardDescription(
    image="board.png",
    size_mm=(320.0, 240.0),
    first_cell_mm=(110.0, 65.0),
    cell_mm=(50.0, 50.0),
    plots=frozenset((r, c) for r in range(3) for c in range(4) if (r, c) != (1, 2)),
    slots=(Slots("left", ("k",), (40.0, 65.0), (0.0, 55.0), 3),),
    heaps=(Heap("pool", ("l",), (80.0, 190.0, 315.0, 238.0)),),
)
PRINTED = described(rows=3, columns=4, board=BOARD)


@cache
def free(turned=Turned.ANY, rows=4, columns=4):
    return edition_of(described(rows=rows, columns=columns, turned=turned))


@cache
def printed():
    return edition_of(PRINTED)


@cache
def free_table(turned=Turned.ANY, rows=4, columns=4, seed=3):
    edition = free(turned, rows, columns)
    return table_of(edition, grid_of(edition.description, seed), seed=seed)


@cache
def printed_table():
    grid = grid_of(PRINTED, empty=3)
    tiles = [list(row) for row in grid.tiles]
    turns = [list(row) for row in grid.turns]
    tiles[1][2] = turns[1][2] = None
    content = GridContent(
        tuple(map(tuple, tiles)),
        tuple(map(tuple, turns)),
        slots={("left", 0): "k", ("left", 2): "k"},
        heaps={"pool": ("l", "l")},
    )
    return table_of(printed(), content)


def read_all(table, edition, quarters=0):
    return read_boards(photo_of(np.rot90(table.image, -quarters)), edition)


def assert_read_as_it_lies(read, truth, quarters):
    """Faces and turns are those of the truth seen after so many quarters clockwise."""
    faces, turns, unsure = turned_reading(read, -quarters)
    assert np.array_equal(faces, np.array(truth["tiles"], object))
    assert np.array_equal(turns, np.array(truth["turns"], object))
    assert not unsure.any()


class TestFreeTiles:
    @pytest.mark.parametrize("quarters", range(4))
    def test_a_square_grid_is_read_the_way_it_lies_in_the_photo(self, quarters):
        table = free_table(rows=7, columns=7)
        (read,) = read_all(table, free(rows=7, columns=7), quarters).grids
        assert_read_as_it_lies(read, table.truth["cities"][0], quarters)
        first, second, _, last = np.array(read.corners_px)
        assert second[0] - first[0] > abs(second[1] - first[1])
        assert last[1] - first[1] > abs(last[0] - first[0])

    @pytest.mark.parametrize("quarters", range(4))
    def test_upright_tiles_say_which_way_is_up(self, quarters):
        table = free_table(Turned.UPRIGHT)
        (read,) = read_all(table, free(Turned.UPRIGHT), quarters).grids
        assert_read_as_it_lies(read, table.truth["cities"][0], 0)

    @pytest.mark.parametrize("seed", [3, 5])
    @pytest.mark.parametrize("quarters", [0, 1, 2])
    def test_a_grid_that_is_wider_than_high_is_read_so_however_it_lies(self, quarters, seed):
        table = free_table(rows=3, columns=5, seed=seed)
        (read,) = read_all(table, free(rows=3, columns=5), quarters).grids
        truth = table.truth["cities"][0]
        assert (len(read.tiles), len(read.tiles[0])) == (3, 5)
        for turned in (0, 2):
            faces, turns, _ = turned_reading(read, turned)
            if np.array_equal(faces, np.array(truth["tiles"], object)):
                break
        else:
            pytest.fail("it is read neither one way round nor the other")
        assert read.unsure == ()
        # Its lattice turns with it, so turns of tiles against the grid stay
        assert np.array_equal(turns, np.array(truth["turns"], object))

    def test_several_grids_are_found_but_no_more_than_there_can_be(self):
        one = described()
        two = replace(one, most_grids=2)
        table = table_of(edition_of(two), grid_of(two, 1), grid_of(two, 2), size_wh=(1000, 600))
        read = read_all(table, edition_of(two))
        assert len(read.grids) == 2
        wanted = {tuple(map(tuple, city["tiles"])) for city in table.truth["cities"]}
        assert len(wanted) == 2
        for grid in read.grids:
            seen = [turned_reading(grid, q)[0] for q in range(4)]
            assert any(tuple(map(tuple, faces.tolist())) in wanted for faces in seen)
        assert len(read_all(table, edition_of(one)).grids) == 1

    def test_a_tile_of_another_game_is_flagged(self):
        table = free_table()
        strange = cv2.resize(drawn_face(99), (128, 128))
        corners = np.float32(table.truth["cities"][0]["tile_corners_px"][5])
        warp = cv2.getPerspectiveTransform(np.float32([[0, 0], [128, 0], [128, 128], [0, 128]]),
                                           corners)  # fmt: skip
        size = (table.image.shape[1], table.image.shape[0])
        laid = cv2.warpPerspective(strange, warp, size)
        place = cv2.warpPerspective(np.full((128, 128), 255, np.uint8), warp, size)
        image = np.where(place[..., None] > 127, laid, table.image)
        (read,) = read_boards(photo_of(image), free()).grids
        faces, _, unsure = turned_reading(read, 0)
        assert unsure[1, 1]
        faces[1, 1] = table.truth["cities"][0]["tiles"][1][1]
        assert np.array_equal(faces, np.array(table.truth["cities"][0]["tiles"], object))

    @pytest.mark.parametrize("edge", ["top", "left"])
    def test_a_hidden_edge_is_unread_or_flagged_in_its_place(self, edge):
        table = free_table()
        truth = table.truth["cities"][0]
        quads = truth["tile_corners_px"]
        row = quads[:4] if edge == "top" else quads[::4]
        read = read_boards(photo_of(hidden(table.image, row, (90, 60, 60))), free())
        assert read.unread or read.grids
        for grid in read.grids:
            faces, _, unsure = turned_reading(grid, 0)
            assert ((faces == np.array(truth["tiles"], object)) | unsure).all()
        for region in read.unread:
            assert region.why.code in set(NoteCode)


class TestPrintedBoards:
    def test_tiles_and_pieces_beside_them_are_read_as_they_lie(self):
        table = printed_table()
        (read,) = read_all(table, printed()).grids
        truth = table.truth["cities"][0]
        assert_read_as_it_lies(read, truth, 0)
        found = sorted((piece.place, piece.face) for piece in read.loose)
        assert found == [("left", "k"), ("left", "k"), ("pool", "l"), ("pool", "l")]
        assert [piece.number for piece in read.loose if piece.place == "left"] == [0, 2]
        middles = [np.mean(piece["corners_px"], axis=0) for piece in truth["beside"]]
        for piece in read.loose:
            nearest = min(np.hypot(*(np.mean(piece.corners_px, axis=0) - m)) for m in middles)
            assert nearest < 0.15 * np.hypot(*np.subtract(*piece.corners_px[:2]))
        assert read.unsure_slots == ()

    @pytest.mark.parametrize("of", [printed, free])
    def test_light_in_which_all_of_it_may_lie_unseen_is_told(self, of):
        cloth = np.array((40, 90, 140)) + np.random.default_rng(5).integers(0, 30, (600, 900, 3))
        y, x = np.mgrid[:600, :900]
        lamp = 500 * np.exp(-((x - 450) ** 2 + (y - 300) ** 2) / (2 * 120**2))[..., None]
        lit = np.clip(cloth + lamp, 0, 255).astype(np.uint8)
        read = read_boards(photo_of(lit), of())
        assert read.grids == ()
        (hidden,) = read.unread
        assert hidden.why == LIGHT_HIDES
        assert np.mean(hidden.corners_px, axis=0) == pytest.approx((450, 300), abs=20)
        assert read_boards(photo_of(cloth.astype(np.uint8)), of()).unread == ()

    def test_the_corners_are_those_of_the_cells(self):
        table = printed_table()
        (read,) = read_all(table, printed()).grids
        assert np.allclose(read.corners_px, table.truth["cities"][0]["corners_px"], atol=4)

    @pytest.mark.parametrize("quarters", [1, 2])
    def test_the_board_says_which_way_is_up(self, quarters):
        table = printed_table()
        (read,) = read_all(table, printed(), quarters).grids
        assert_read_as_it_lies(read, table.truth["cities"][0], 0)

    def test_a_piece_that_does_not_belong_in_a_slot_is_not_passed_over(self):
        other = replace(BOARD, slots=(replace(BOARD.slots[0], faces=("l",)),),
                        heaps=(replace(BOARD.heaps[0], faces=("k", "l")),))  # fmt: skip
        edition = replace(printed(), description=replace(PRINTED, board=other))
        (read,) = read_all(printed_table(), edition).grids
        in_slots = [piece for piece in read.loose if piece.place == "left"]
        assert {("left", 0), ("left", 2)} <= set(read.unsure_slots)
        assert in_slots == []

    def test_a_piece_that_does_not_belong_in_a_heap_is_flagged(self):
        other = replace(BOARD, heaps=(replace(BOARD.heaps[0], faces=("k",)),),
                        slots=(replace(BOARD.slots[0], faces=("k", "l")),))  # fmt: skip
        edition = replace(printed(), description=replace(PRINTED, board=other))
        (read,) = read_all(printed_table(), edition).grids
        in_heap = [piece for piece in read.loose if piece.place == "pool"]
        assert in_heap
        assert all(piece.unsure or piece.face == "k" for piece in in_heap)

    def test_where_the_board_has_no_plot_nothing_lies(self):
        nothing = ((None,) * 4,) * 3
        tiles = [list(row) for row in nothing]
        tiles[1][2] = "a"
        turns = [[None if name is None else 0 for name in row] for row in tiles]
        content = GridContent(tuple(map(tuple, tiles)), tuple(map(tuple, turns)))
        everywhere = replace(printed(), description=replace(
            PRINTED, board=replace(BOARD, plots=frozenset())))  # fmt: skip
        table = table_of(everywhere, content)
        (read,) = read_all(table, everywhere).grids
        assert read.tiles[1][2] == "a"
        (read,) = read_all(table, printed()).grids
        assert read.tiles == nothing
        assert (1, 2) not in read.unsure


class TestTaughtEditions:
    @pytest.mark.parametrize("turned", list(Turned))
    def test_tiles_learned_from_one_photo_are_read_in_another(self, turned):
        description = described(turned=turned)
        layout = (NAMES[:4], NAMES[4:8], NAMES[8:12])
        pictures = {name: free().pictures[name][0] for name in NAMES}
        photo, corners = photo_of_layout(pictures, layout, tile_px=90)
        taught = learn_layout(description, photo, corners, layout)
        assert untaught(taught) == []
        table = free_table(turned)
        (read,) = read_all(table, taught).grids
        assert_read_as_it_lies(read, table.truth["cities"][0], 0)


class TestPoorEditions:
    @pytest.mark.parametrize("turned", list(Turned))
    def test_pictures_of_one_colour_give_no_grid_and_no_trouble(self, turned):
        edition = edition_of(
            described(turned=turned), lambda n: np.full((64, 64, 3), 20 * n, np.uint8)
        )
        assert read_all(free_table(), edition).grids == ()

    def test_a_single_face_is_read(self):
        description = described(("a",))
        table = table_of(edition_of(description), grid_of(description))
        (read,) = read_all(table, edition_of(description)).grids
        assert_read_as_it_lies(read, table.truth["cities"][0], 0)

    def test_tiny_and_huge_pictures_give_no_trouble(self):
        for side in (32, 256):
            pictures = {
                name: (cv2.resize(pictures[0], (side, side), interpolation=cv2.INTER_AREA),)
                for name, pictures in free().pictures.items()
            }
            reading = read_all(free_table(), Edition(free().description, pictures))
            for grid in reading.grids:
                faces, _, unsure = turned_reading(grid, 0)
                truth = np.array(free_table().truth["cities"][0]["tiles"], object)
                assert ((faces == truth) | unsure).all()

    @pytest.mark.parametrize("edition", [free, printed])
    def test_noise_gives_no_grid(self, edition):
        noise = np.random.default_rng(1).integers(0, 256, (400, 600, 3), dtype=np.uint8)
        assert read_boards(photo_of(noise), edition()).grids == ()

    def test_a_printed_board_of_one_colour_is_not_found(self):
        plain = replace(printed(), board=np.full((480, 640, 3), 128, np.uint8))
        try:
            grids = read_all(printed_table(), plain).grids
        except PhotoError:  # the photo is refused
            grids = ()
        assert grids == ()


def test_an_edition_made_ready_anew_reads_the_same():
    photo = photo_of(free_table().image)
    first = read_boards(photo, free())
    known_edition.cache_clear()
    assert without_timings(read_boards(photo, free())) == without_timings(first)
