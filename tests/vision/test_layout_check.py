"""A layout that does not fit its photo is not learned without a person's word."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from firmware.games.registry import game_or_unscored
from firmware.scan.make_scan import make_scan
from tests.refusals import refused
from tests.vision.described import FREE, tile
from tests.vision.laid_out import learned_layout_of, photo_of_layout
from tests.vision.pictured import drawn_face
from vision.editions.description import BoardDescription, FaceDescription, TileTurns
from vision.editions.description_toml import parse_description
from vision.editions.edition import BETWEEN_TWO_CITIES
from vision.editions.folder import built_in_edition
from vision.eye.read import read_tiles
from vision.reading import NoteCode, Reading, Unread, note
from vision.teaching.learn_groups import find_groups, learn_groups
from vision.teaching.orientation import TopSide

NAMES = tuple("abcdefghi")
PICTURES = {name: drawn_face(seed, 128) for seed, name in enumerate(NAMES)}
NINE = (("a", "b", "c"), ("d", "e", "f"), ("g", "h", "i"))
PAIRS = (("a", "b", "c"), ("c", "a", "b"), ("b", "c", "a"))
BOARD = BoardDescription(None, (90.0, 90.0), (15.0, 15.0), (30.0, 30.0))


def described(rows=3, columns=3, tile_turns=TileTurns.ANY, board=None):
    faces = tuple(FaceDescription(name, (), ((name,),)) for name in NAMES)
    description = replace(
        parse_description(FREE, "here"), faces=faces, tile_turns=tile_turns, tokens=()
    )
    return replace(description, rows=rows, columns=columns, board=board)


@cache
def photo_of_new_tiles():
    """A photo of tiles that the built-in edition does not know."""
    layout = tuple(tuple(NAMES[(row * 4 + column) % 9] for column in range(4)) for row in range(4))
    return photo_of_layout(PICTURES, layout, tile_px=120)[0]


@cache
def reading_of_new_tiles():
    return read_tiles(photo_of_new_tiles(), built_in_edition("between-two-cities"))


def learned(layout, shown=None, description=None, **more):
    """Result of learning a photo that shows a layout, or another one."""
    photo, corners = photo_of_layout(PICTURES, shown or layout, tile_px=120)
    given = more.pop("corners", None) and corners
    return learned_layout_of(description or described(), photo, given, layout, **more)


@cache
def learned_from_nine(tile_turns=TileTurns.ANY):
    """Result of learning nine different tiles that nobody taught before."""
    return learned(NINE, description=described(tile_turns=tile_turns))


def on_plots(layout):
    """A photo of a board whose empty plots show one pattern, and its corners."""
    plot = cv2.GaussianBlur(tile(99, 128), (0, 0), 6)
    filled = tuple(tuple(name or "plot" for name in row) for row in layout)
    return photo_of_layout({**PICTURES, "plot": plot}, filled, tile_px=120)


class TestSize:
    def test_too_few_rows_are_reported_with_those_described(self):
        with refused("teach-doubtful", "rows of the layout: 2, of the description: 3"):
            learned(NINE[:2], NINE)

    def test_too_few_columns_are_reported_with_those_described(self):
        with refused("teach-doubtful", "columns of the layout: 2, of the description: 3"):
            learned(tuple(row[:2] for row in NINE), NINE)

    def test_too_many_rows_are_reported_with_those_described(self):
        with refused("teach-doubtful", "rows of the layout: 4, of the description: 3"):
            learned((*NINE, NINE[0]), NINE)

    def test_part_of_grid_is_reported_where_description_is_small(self):
        with refused("teach-doubtful", "goes on beyond row 2, column 3"):
            learned(NINE[:2], NINE, described(rows=2))

    def test_a_whole_grid_smaller_than_described_is_learned(self):
        assert len(learned(NINE[:2], description=described(4, 4)).edition.pictures) == 6

    def test_corners_of_a_larger_grid_are_reported(self):
        with refused("teach-doubtful", "rows of the layout: 2, of the description: 3"):
            learned(NINE[:2], NINE, corners=True)

    def test_a_printed_board_needs_all_its_rows(self):
        photo, corners = on_plots(NINE)
        with refused("teach-doubtful", "rows of the layout: 2, of the description: 3"):
            learned_layout_of(described(board=BOARD), photo, corners, NINE[:2])

    def test_confirmed_layout_is_learned(self):
        assert len(learned(NINE[:2], NINE, confirmed=True).edition.pictures) == 6


def test_one_of_several_grids_is_not_taken_for_the_layout():
    photo, _ = photo_of_layout(PICTURES, NINE, tile_px=120)
    image = photo.image_bgr
    both = replace(
        photo,
        image_bgr=np.hstack([image, image]),
        size_wh=(2 * image.shape[1], image.shape[0]),
    )
    with refused("teach-doubtful", "several grids of 3 x 3 tiles lie there"):
        learned_layout_of(described(), both, None, NINE)


def test_an_arrangement_upside_down_is_reported_in_a_known_edition():
    edition = built_in_edition("cities")
    tiles = {name: of_face[0] for name, of_face in edition.pictures.items()}
    layout = game_or_unscored("cities").arrangements(edition.description)["tiles"]
    photo, _ = photo_of_layout(tiles, tuple(row[::-1] for row in layout[::-1]), tile_px=120)
    with refused("teach-doubtful", "known under another name"):
        learned_layout_of(edition.description, photo, None, layout)


class TestPlaces:
    def test_a_layout_of_several_tiles_a_face_is_learned(self):
        assert len(learned(PAIRS).edition.pictures) == 3

    def test_tiles_like_those_of_another_name_are_reported(self):
        with refused("teach-doubtful", "1/1 (b / a) 1/2 (a / b)"):
            learned((("b", "a", "c"), *PAIRS[1:]), PAIRS)

    def test_tiles_taught_under_another_name_are_reported(self):
        earlier = learned_from_nine().edition
        with refused("teach-doubtful", "known under another name: 1/1 (b / a) 1/2 (a / b)"):
            learned((("b", "a", "c"), *NINE[1:]), NINE, earlier=earlier)

    def test_tiles_taught_earlier_are_learned_again(self):
        earlier = learned_from_nine().edition
        assert len(learned(PAIRS, earlier=earlier).edition.pictures) == 9

    @pytest.mark.parametrize(
        ("layout", "doubt"),
        [
            ((("a", None, "c"), ("b", "b", None), ("c", None, "a")), "(row/column): 2/1"),
            ((("a", None, None), (None, "b", None), ("c", None, "a")), "look like tiles: 1/3"),
        ],
        ids=["empty place named", "tile not named"],
    )  # fmt: skip
    def test_empty_places_and_tiles_are_distinguished(self, layout, doubt):
        photo, corners = on_plots((("a", None, "c"), (None, "b", None), ("c", None, "a")))
        with refused("teach-doubtful", doubt):
            learned_layout_of(described(board=BOARD), photo, corners, layout)

    def test_a_board_with_empty_plots_is_learned(self):
        layout = (("a", None, "c"), (None, "b", None), ("c", None, "a"))
        photo, corners = on_plots(layout)
        learned_layout = learned_layout_of(described(board=BOARD), photo, corners, layout)
        assert set(learned_layout.edition.pictures) == set("abc")


class TestWayUp:
    UPRIGHT = described(tile_turns=TileTurns.UPRIGHT)

    def lying(self, quarters=1):
        """Return the layout ``NINE`` lying on its side, and its photo."""
        layout = tuple(map(tuple, np.rot90(np.array(NINE), quarters).tolist()))
        turned = {name: np.rot90(picture, quarters) for name, picture in PICTURES.items()}
        photo, _ = photo_of_layout(turned, layout, tile_px=120)
        return photo, layout

    def test_new_tiles_do_not_show_the_way_up(self):
        assert not learned_from_nine(TileTurns.UPRIGHT).way_up_known

    def test_way_up_does_not_matter_for_turned_tiles(self):
        assert learned_from_nine().way_up_known

    def test_a_person_may_enter_the_way_up(self):
        photo, layout = self.lying()
        learned_layout = learned_layout_of(self.UPRIGHT, photo, None, layout, up=TopSide.LEFT)
        upright = learned_from_nine(TileTurns.UPRIGHT).edition
        for name in NAMES:
            ours, theirs = learned_layout.edition.pictures[name][0], upright.pictures[name][0]
            off = cv2.absdiff(cv2.resize(ours, (32, 32)), cv2.resize(theirs, (32, 32)))
            assert off.mean() < 25, name
        assert learned_layout.way_up_known

    def test_tiles_taught_earlier_show_the_way_up(self):
        earlier = learned_from_nine(TileTurns.UPRIGHT).edition
        photo, layout = self.lying()
        learned_layout = learned_layout_of(self.UPRIGHT, photo, None, layout, earlier)
        assert learned_layout.way_up_known
        assert set(map(len, learned_layout.edition.pictures.values())) == {1}


class TestGroups:
    def test_groups_are_refused_on_a_printed_board(self):
        photo, _ = on_plots(NINE)
        with refused("teach-groups-board"):
            find_groups(described(board=BOARD), photo)

    def test_part_of_a_larger_field_is_reported(self):
        field = tuple(tuple(NAMES[(r * 2 + c) % 9] for c in range(6)) for r in range(6))
        photo, _ = photo_of_layout(PICTURES, field, tile_px=100)
        with refused("teach-doubtful", "goes on beyond row 4, column 4"):
            find_groups(described(4, 4), photo)

    def test_a_whole_grid_is_put_into_groups(self):
        photo, _ = photo_of_layout(PICTURES, PAIRS, tile_px=120)
        assert [len(group) for group in find_groups(described(), photo).groups] == [3, 3, 3]

    def renamed(self, confirmed=False):
        """Learn two groups under the names that the other had before."""
        earlier = learned_from_nine().edition
        photo, _ = photo_of_layout(PICTURES, PAIRS, tile_px=120)
        groups = find_groups(described(), photo)
        of = [PAIRS[group[0] // 3][group[0] % 3] for group in groups.groups]
        names = {n: {"a": "b", "b": "a"}.get(name, name) for n, name in enumerate(of)}
        return learn_groups(earlier, photo, groups, names, confirmed=confirmed)

    def test_groups_named_otherwise_than_they_are_known_are_reported(self):
        with refused("teach-doubtful", "(a / b)"):
            self.renamed()

    def test_groups_are_learned_otherwise_if_a_person_is_sure(self):
        assert len(self.renamed(confirmed=True).pictures["a"]) == 2

    def test_groups_whose_tiles_differ_by_a_sign_are_named(self):
        def signed(sign):
            picture = np.full((128, 128, 3), (200, 215, 225), np.uint8)
            cv2.rectangle(picture, (3, 3), (124, 124), (60, 90, 160), 6)
            cv2.putText(picture, sign, (36, 90), cv2.FONT_HERSHEY_DUPLEX, 2.8, (30, 35, 30), 8)
            return picture

        layout = (tuple("ABCD"), tuple("EFGH"), tuple("ABIJ"), tuple("CDEF"))
        photo, _ = photo_of_layout({sign: signed(sign) for sign in "ABCDEFGHIJ"}, layout, 120)
        groups = find_groups(described(4, 4), photo, confirmed=True)
        of_one = [len({layout[n // 4][n % 4] for n in group}) == 1 for group in groups.groups]
        assert [n for n, one in enumerate(of_one) if not one][:1] == list(groups.mixed[:1])
        assert not any(of_one[number] for number in groups.mixed)


class TestUnknownTiles:
    def test_unknown_tiles_are_noted_with_the_edition(self):
        notes = reading_of_new_tiles().notes
        (edition_note,) = [each for each in notes if each.code == NoteCode.OTHER_EDITION]
        assert dict(edition_note.values) == {"name": "standard"}

    def test_places_of_unknown_tiles_are_unread(self):
        assert [each.reason.code for each in reading_of_new_tiles().unread] == [
            NoteCode.UNKNOWN_EDITION
        ]

    def test_dark_photo_shows_no_new_edition(self):
        photo = photo_of_new_tiles()
        dark = replace(photo, image_bgr=photo.image_bgr // 8)
        reading = read_tiles(dark, built_in_edition("between-two-cities"))
        assert NoteCode.OTHER_EDITION not in {each.code for each in reading.notes}


def test_scan_of_a_new_edition_advises_to_teach_it():
    region = Unread(
        ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0)), note(NoteCode.UNKNOWN_EDITION)
    )
    other = note(NoteCode.OTHER_EDITION, name="standard")
    edition = built_in_edition("between-two-cities")
    seen = Reading(
        "a.jpg", BETWEEN_TWO_CITIES, "standard", (9, 9), (), unread=(region,), notes=(other,)
    )
    with refused("tiles-differ", "teach them"):
        make_scan(seen, edition.description)
