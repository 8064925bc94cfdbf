"""Tiles of any edition, taught by photos or pictures, are read without knowing the game."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.faces import Face
from tests.refusals import refused
from tests.vision.cities import STANDARD, table_of_cities
from tests.vision.laid_out import learned_of, photo_of_layout
from tests.vision.pictured import (
    CLEAN,
    NAMES,
    described,
    drawn_face,
    edition_of,
    grid_of,
    photo_of,
    table_of,
)
from vision.editions.description import BoardDescription, TileTurns
from vision.editions.edition import Edition
from vision.editions.folder import MODEL_FILE, encode_edition, load_folder
from vision.editions.learning import with_model
from vision.editions.model import empty_model
from vision.editions.model_file import MAX_MODEL_BYTES, decode_model, encode_model
from vision.errors import PhotoError
from vision.eye.read import read_tiles, recognise_image
from vision.patches.cut import Pyramid
from vision.reading import NoteCode
from vision.teaching import taught_tiles
from vision.teaching.learn_groups import (
    draw_groups,
    find_groups,
    find_top_side_of_groups,
    learn_groups,
)

SMALL_CITY = [list(Face)[3 * row : 3 * row + 3] for row in range(3)]
OF_SMALL_CITIES = replace(STANDARD.description, rows=3, columns=3)
LAYOUT = (("a", "b", "c", "d"), ("e", "f", "g", "h"), ("i", "j", "k", "l"))
PICTURES = {name: drawn_face(number + 1) for number, name in enumerate(NAMES)}


@cache
def taught(tile_turns=TileTurns.ANY, most_grids=1):
    """The drawn game, taught by one photo in which the layout is found by itself.

    Its grids have 16 tiles, or nine if they stand upright.
    """
    side = 3 if tile_turns is TileTurns.UPRIGHT else 4
    description = replace(
        described(rows=side, columns=side, tile_turns=tile_turns), most_grids=most_grids
    )
    photo, _ = photo_of_layout(PICTURES, LAYOUT, tile_px=110)
    return learned_of(description, photo, None, LAYOUT)


@cache
def small_table(seed, tile_turns=TileTurns.ANY):
    """A table of the drawn game, of the size of ``pictured.SIZE_WH``."""
    edition = taught(tile_turns)
    return table_of(edition, grid_of(edition.description, seed), seed=seed)


def described_for_groups(tile_turns=TileTurns.ANY):
    """The drawn game with six faces and nine tiles in a grid."""
    return described(NAMES[:6], rows=3, columns=3, tile_turns=tile_turns)


@cache
def table_in_groups(tile_turns=TileTurns.ANY):
    """A table of six drawn faces that nobody taught, its photo, and the groups found in that."""
    description = described_for_groups(tile_turns)
    table = table_of(edition_of(description), grid_of(description, 4), seed=4)
    photo = photo_of(table.image)
    return table, photo, find_groups(description, photo)


@cache
def upright_table():
    """A table of the drawn game whose tiles all stand upright."""
    known = taught(TileTurns.UPRIGHT)
    return table_of(known, grid_of(known.description, 4), seed=4)


@cache
def turned_groups(quarters):
    """A photo of ``upright_table`` turned by quarters, and the groups found in it."""
    photo = photo_of(np.ascontiguousarray(np.rot90(upright_table().image, quarters)))
    return photo, find_groups(taught(TileTurns.UPRIGHT).description, photo)


@cache
def another_table():
    """A photo of another table of the drawn game, and its reading by the taught edition."""
    known = taught(TileTurns.UPRIGHT)
    photo = photo_of(table_of(known, grid_of(known.description, 7), seed=7).image)
    return photo, read_tiles(photo, known)


@cache
def table_of_small_cities(count):
    """A table with a number of equal cities of three rows and columns."""
    return table_of_cities(3, [SMALL_CITY] * count, (1024, 576), CLEAN, things=())


def right_and_silent(reading, truth):
    """Count tiles right in the best turn of each grid, and tiles silently wrong."""
    right = silent = 0
    for city in truth["cities"]:
        middle = np.mean(city["corners_px"], axis=0)
        found = min(reading.grids, key=lambda g: float(np.hypot(*(np.array(g.centre_px) - middle))))
        want = np.array(city["grid"], object)
        unsure = np.zeros(want.shape, bool)
        for cell in found.unsure:
            unsure[cell] = True
        grid = np.array(found.faces, object)
        turn = max(range(4), key=lambda t: int((np.rot90(grid, t) == want).sum()))
        same = np.rot90(grid, turn) == want
        right += int(same.sum())
        silent += int((~same & ~np.rot90(unsure, turn)).sum())
    return right, silent


class TestReading:
    @pytest.mark.parametrize("seed", [3, 8])
    def test_a_game_taught_by_one_photo_is_read(self, seed):
        edition, table = taught(), small_table(seed)
        reading = read_tiles(photo_of(table.image), edition)
        assert right_and_silent(reading, table.truth) == (16, 0)
        (grid,) = reading.grids
        assert len(grid.unsure) <= 1
        assert (reading.game, reading.edition, reading.unread) == ("reading-only", "tiny", ())

    def test_several_grids_are_read(self):
        edition = taught(most_grids=3)
        grids = [grid_of(edition.description, seed) for seed in (1, 2, 3)]
        surroundings = replace(CLEAN, share=0.8)
        table = table_of(edition, *grids, seed=4, surroundings=surroundings, size_wh=(1280, 960))
        reading = read_tiles(photo_of(table.image), edition)
        assert len(reading.grids) == 3
        assert right_and_silent(reading, table.truth) == (48, 0)

    @pytest.mark.parametrize("quarters", [1, 2])
    def test_upright_tiles_say_which_way_up_a_grid_lies(self, quarters):
        edition, table = taught(TileTurns.UPRIGHT), small_table(6, TileTurns.UPRIGHT)
        (city,) = table.truth["cities"]
        (grid,) = read_tiles(photo_of(np.rot90(table.image, quarters)), edition).grids
        assert [list(row) for row in grid.faces] == city["grid"]
        assert all(turn == 0 for row in grid.turns for turn in row)

    def test_turns_are_those_from_the_picture(self):
        edition = taught()
        lying = {(row, column): (row + column) % 4 for row in range(4) for column in range(4)}
        layout = tuple(
            tuple(NAMES[(4 * row + column) % 12] for column in range(4)) for row in range(4)
        )
        photo, _ = photo_of_layout(PICTURES, layout, tile_px=90, turns=lying)
        (grid,) = read_tiles(photo, edition).grids
        assert grid.faces == layout
        assert grid.turns == tuple(tuple((row + c) % 4 for c in range(4)) for row in range(4))

    def test_a_tile_that_nobody_taught_is_asked_about(self):
        edition = taught()
        strange = {**PICTURES, "x": cv2.applyColorMap(drawn_face(77)[:, :, 0], cv2.COLORMAP_JET)}
        rows = [list(NAMES[4 * row % 12 : 4 * row % 12 + 4]) for row in range(4)]
        rows[1][2] = "x"
        photo, _ = photo_of_layout(strange, tuple(map(tuple, rows)), tile_px=90)
        (grid,) = read_tiles(photo, edition).grids
        assert (1, 2) in grid.unsure
        assert len(grid.unsure) <= 2
        assert len(grid.alternatives[1, 2]) > 1
        assert grid.alternatives[0, 0], "whoever puts a sure tile right is offered what it may be"

    def test_a_photo_too_dark_for_anything_is_refused(self):
        with pytest.raises(PhotoError):
            read_tiles(photo_of(np.full((600, 800, 3), 3, np.uint8)), taught())
        edition, image = taught(), small_table(9).image
        grey = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
        with pytest.raises(PhotoError):
            read_tiles(photo_of(grey), edition)
        noise = np.random.default_rng(5).normal(110, 9, (600, 800, 3))
        reading = read_tiles(photo_of(np.clip(noise, 0, 255).astype(np.uint8)), taught())
        assert (reading.grids, reading.unread) == ((), ())

    def test_a_grid_that_runs_off_the_photo_is_not_trusted(self):
        edition = taught()
        table = small_table(9)
        corners = np.array(table.truth["cities"][0]["corners_px"])
        cut = int(corners[:, 0].min() + 0.6 * np.ptp(corners[:, 0]))
        reading = read_tiles(photo_of(np.ascontiguousarray(table.image[:, :cut])), edition)
        assert all(len(grid.unsure) >= 4 for grid in reading.grids)
        assert reading.grids or reading.unread


class TestBoards:
    """A printed board of which there is no picture: photos of tiles on it teach it."""

    @staticmethod
    def board_photo(rows, seed):
        """A board with a frame and plots, tiles on some of them."""
        side, border = 80, 70
        flat = np.full((4 * side + 2 * border, 4 * side + 2 * border, 3), (120, 160, 175), np.uint8)
        cv2.rectangle(flat, (8, 8), (flat.shape[1] - 9, flat.shape[0] - 9), (40, 60, 120), 9)
        for row in range(4):
            for column in range(4):
                top, left = border + row * side, border + column * side
                place = flat[top : top + side, left : left + side]
                if rows[row][column] is None:
                    cv2.rectangle(place, (8, 8), (side - 9, side - 9), (70, 110, 140), 3)
                else:
                    picture = cv2.resize(PICTURES[rows[row][column]], (side - 12, side - 12))
                    place[6:-6, 6:-6] = picture
        noise = np.random.default_rng(seed).normal(0, 3, flat.shape)
        table = cv2.copyMakeBorder(flat, 60, 60, 60, 60, cv2.BORDER_CONSTANT, value=(60, 80, 70))
        noisy = table + np.pad(noise, ((60, 60), (60, 60), (0, 0)))
        return photo_of(np.clip(noisy, 0, 255).astype(np.uint8))

    def test_tiles_and_empty_plots_are_read(self):
        board = BoardDescription(None, (460.0, 460.0), (110.0, 110.0), (80.0, 80.0))
        description = described(NAMES[:4], tile_turns=TileTurns.UPRIGHT, board=board)
        first = (("a", None, "b", None), (None, "c", None, "d"), ("b", "a", None, None),
                 (None, None, "c", "d"))  # fmt: skip
        edition = learned_of(description, self.board_photo(first, 1), None, first)
        assert edition.board_picture is None
        second = ((None, "b", None, "a"), ("d", None, "c", None), (None, None, "a", "b"),
                  ("c", "d", None, None))  # fmt: skip
        (grid,) = read_tiles(self.board_photo(second, 2), edition).grids
        wrong = [(r, c) for r in range(4) for c in range(4) if grid.faces[r][c] != second[r][c]]
        assert set(wrong) <= set(grid.unsure)
        assert len(wrong) <= 1


class TestTeaching:
    def test_a_face_that_no_photo_shows_stays_unknown(self):
        photo, _ = photo_of_layout(PICTURES, (("a", "b"), ("c", "d")), tile_px=110)
        first = learned_of(described(), photo, None, (("a", "b"), ("c", "d")))
        assert set(first.pictures) == set("abcd")
        assert set(first.model.references.faces) == set("abcd")
        photo, _ = photo_of_layout(PICTURES, (("e", "f"), ("g", "h")), tile_px=110)
        both = learned_of(described(), photo, None, (("e", "f"), ("g", "h")), first)
        assert set(both.pictures) == set("abcdefgh")
        assert set(both.model.references.faces) == set("abcdefgh")
        bare = photo_of(np.full((600, 800, 3), 90, np.uint8))
        with refused("teach-no-outline"):
            learned_of(described(), bare, None, LAYOUT)

    def test_photo_taught_again_adds_no_examples(self):
        photo, _ = photo_of_layout(PICTURES, LAYOUT, tile_px=110)
        once = taught()
        again = learned_of(once.description, photo, None, LAYOUT, once)
        assert again.model.references.face_index.tolist() == list(range(12))

    def test_pictures_alone_teach_as_well(self):
        edition = with_model(edition_of(described()))
        table = table_of(edition, grid_of(edition.description, 12), seed=12)
        reading = read_tiles(photo_of(table.image), edition)
        right, silent = right_and_silent(reading, table.truth)
        assert right >= 15
        assert silent == 0


class TestGroups:
    """Any finished table teaches: its tiles in groups, which a person names."""

    @staticmethod
    def named(groups, quads_of):
        """Names of groups, by where tiles of each face lie; that of a mixed group is None."""
        names = {}
        for number, group in enumerate(groups.groups):
            faces = {quads_of(groups.quads_px[tile].mean(axis=0)) for tile in group}
            names[number] = faces.pop() if len(faces) == 1 else None
        return names

    @staticmethod
    def face_at(city, middle):
        """The face of a tile of the truth whose middle lies at a place of the photo."""
        quads = np.array(city["tile_corners_px"])
        nearest = np.hypot(*(quads.mean(axis=1) - middle).T).argmin()
        return [name for row in city["grid"] for name in row][int(nearest)]

    @pytest.mark.parametrize("tile_turns", list(TileTurns))
    def test_groups_hold_one_face_each_and_named_groups_are_learned(self, tile_turns):
        description = described_for_groups(tile_turns)
        drawn = edition_of(description)
        table, photo, groups = table_in_groups(tile_turns)
        (city,) = table.truth["cities"]
        assert sum(map(len, groups.groups)) == 9
        names = self.named(groups, lambda middle: self.face_at(city, middle))
        assert None not in names.values()
        assert len(groups.groups) <= len(set(names.values())) + 1
        edition = learn_groups(Edition(description, {}), photo, groups, names)
        other = table_of(drawn, grid_of(description, 7), seed=7)
        known = set(edition.pictures)
        reading = read_tiles(photo_of(other.image), edition)
        right, silent = right_and_silent(reading, other.truth)
        taught = sum(name in known for row in other.truth["cities"][0]["grid"] for name in row)
        assert right >= taught - 1
        assert silent == 0

    def test_known_tiles_tell_which_way_up_upright_tiles_lie(self):
        known, table = taught(TileTurns.UPRIGHT), upright_table()
        (city,) = table.truth["cities"]
        names = {}

        def sides(turned):
            photo, groups = turned_groups(turned)
            high, wide = table.image.shape[:2]
            for number, group in enumerate(groups.groups):
                x, y = groups.quads_px[group[0]].mean(axis=0)
                back = [(x, y), (wide - 1 - y, x), (wide - 1 - x, high - 1 - y), (y, high - 1 - x)]
                names[number] = self.face_at(city, np.array(back[turned]))
            return (
                photo,
                groups,
                find_top_side_of_groups(photo, groups, names, known.model.references),
            )

        *_, upright = sides(0)
        photo, groups, side = sides(1)
        assert side.value == (upright.value + 1) % 4
        assert (
            find_top_side_of_groups(photo, groups, names, known.model.references.of_faces([]))
            is None
        )
        edition = learn_groups(Edition(known.description, {}), photo, groups, names, up=side)
        other, as_known = another_table()
        as_learned = read_tiles(other, edition)
        first, second = (np.array(seen.grids[0].corners_px) for seen in (as_known, as_learned))
        assert np.abs(first - second).max() < 5

    def test_tiles_face_their_seats_in_a_turned_photo(self):
        table = table_of_small_cities(3)
        groups = find_groups(OF_SMALL_CITIES, photo_of(np.rot90(table.image)))
        turned = groups.quads_px
        quads = np.stack([table.image.shape[1] - 1 - turned[..., 1], turned[..., 0]], axis=-1)
        true = np.array([q for city in table.truth["cities"] for q in city["tile_corners_px"]])
        off = np.linalg.norm(quads[:, None] - true, axis=3).max(axis=2).min(axis=1)
        assert np.median(off) < table.tile_px / 8

    def test_cities_in_a_row_stand_as_in_the_photo(self):
        table = table_of_small_cities(1)
        (city,) = table.truth["cities"]
        corners = np.array(city["corners_px"], np.float32)
        side = 3 * 60
        place = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
        upright = cv2.warpPerspective(
            table.image, cv2.getPerspectiveTransform(corners, place), (side, side)
        )
        row = np.full((3 * side, 6 * side, 3), 90, np.uint8)
        for left, top in ((0.5, 1.0), (2.5, 0.5), (4.5, 1.0)):
            x, y = int(left * side), int(top * side)
            row[y : y + side, x : x + side] = upright
        quads = find_groups(OF_SMALL_CITIES, photo_of(row)).quads_px
        assert len(quads) == 27
        assert (quads[:, 0] < quads[:, 2]).all()

    def test_unnamed_groups_teach_nothing_and_sheet_lists_all(self):
        description = described_for_groups()
        _, photo, groups = table_in_groups()
        edition = learn_groups(Edition(description, {}), photo, groups, {0: "a"})
        assert set(edition.pictures) == {"a"}
        assert edition.model.references.faces == ("a",)
        assert draw_groups(photo, groups).shape[0] == len(groups.groups) * 104 + 8

    def test_a_photo_without_a_grid_teaches_no_groups(self):
        photo = photo_of(np.full((600, 800, 3), 90, np.uint8))
        with refused("teach-no-outline"):
            find_groups(described(), photo)


class TestModelFile:
    def test_stored_model_is_read_unchanged(self, tmp_path):
        edition = taught()
        for name, data in encode_edition(edition).items():
            (tmp_path / name).write_bytes(data)
        again = load_folder(tmp_path)
        assert again.model is not None
        assert encode_model(again.model) == encode_model(edition.model)
        table = small_table(3)
        assert right_and_silent(read_tiles(photo_of(table.image), again), table.truth) == (16, 0)

    def test_unusable_model_is_learned_again_from_the_pictures(self, tmp_path):
        for name, data in encode_edition(taught()).items():
            (tmp_path / name).write_bytes(data)
        (tmp_path / MODEL_FILE).write_bytes(b'{"network": "other"}\n')
        edition = load_folder(tmp_path)
        assert edition.model is None
        assert with_model(edition).model is not None

    @given(st.data())
    def test_no_model_content_makes_loading_fail(self, data):
        whole = encode_model(taught().model)
        first = data.draw(st.integers(0, 600))
        changed = bytearray(whole[: data.draw(st.integers(0, len(whole)))])
        changed[first : first + 8] = data.draw(st.binary(max_size=8))
        model = decode_model(bytes(changed), empty_model(described()))
        assert model is None or model.references.faces

    def test_model_without_tiles_or_with_a_repeated_face_is_refused(self):
        whole = encode_model(taught().model)
        twice = whole.replace(b'"a", "b"', b'"a", "a"', 1)
        assert twice != whole
        assert decode_model(twice, empty_model(described())) is None
        empty = empty_model(described())
        assert decode_model(encode_model(empty), empty) is None
        for content in (b"", b"\n", b"[]\n", b"{}\n", b"null", b"\xff" * 100, b"[" * 100_000):
            assert decode_model(content, empty_model(described())) is None
        known = taught().model.references
        colours = (
            whole.index(b"\n")
            + 1
            + 4 * len(known.face_index)
            + known.vectors.size
            + known.parts.size
        )
        spoilt = bytearray(whole)
        spoilt[colours : colours + 4] = b"\x00\x00\xc0\x7f"  # not a number
        assert decode_model(bytes(spoilt), empty_model(described())) is None
        assert len(whole) < MAX_MODEL_BYTES
        photo = np.full((480, 640, 3), 128, np.uint8)
        assert recognise_image(Pyramid(photo), empty_model(described())).grids == ()


def test_uncertain_end_of_a_grid_is_noted():
    """A grid of five rows where four are asked for may begin in either of two places."""
    edition = taught()
    layout = tuple(tuple(NAMES[(3 * r + c) % 12] for c in range(4)) for r in range(5))
    photo, _ = photo_of_layout(PICTURES, layout, tile_px=90)
    reading = read_tiles(photo, edition)
    for grid in reading.grids:
        assert len(grid.unsure) == 16
        assert any(note.code == NoteCode.POSITION_UNCERTAIN for note in grid.notes)
    assert reading.grids or reading.unread


def test_edition_of_too_many_examples_is_refused(monkeypatch):
    monkeypatch.setattr(taught_tiles, "MAX_TILES", 3)
    photo, _ = photo_of_layout(PICTURES, LAYOUT, tile_px=110)
    description = described(rows=4, columns=4)
    with refused("teach-too-many"):
        learned_of(description, photo, None, LAYOUT)
