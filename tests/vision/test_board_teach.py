"""Learning the pictures of a described game from photos, and what is refused."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from firmware.games.registry import games
from tests.refusals import refused
from tests.vision.described import FREE, PRINTED, tile
from tests.vision.laid_out import learned_layout_of, learned_of, photo_of_flat, photo_of_layout
from tests.vision.likeness import fits as alike
from vision.arrays import floats
from vision.editions.description import FaceDescription, TileTurns
from vision.editions.description_toml import parse_description
from vision.editions.edition import (
    MAX_PICTURE_PX,
    MAX_PICTURES_OF_FACE,
    MIN_PICTURE_PX,
    Edition,
    EditionError,
)
from vision.editions.folder import built_in_edition, built_in_games
from vision.editions.learning import with_model
from vision.teaching.layout import parse_layout
from vision.teaching.learn_layout import complete_from_fallback, list_untaught_faces
from vision.teaching.tile_pictures import cut_board

NAMES = ("wood", "lake", "mine", "field")
PICTURES = {name: tile(seed, 128) for seed, name in enumerate(NAMES)}
LAYOUT = (("wood", "lake", None), ("mine", "field", "wood"))


def described(names=NAMES, tile_turns=TileTurns.ANY):
    faces = tuple(FaceDescription(name, (), ((name,),)) for name in names)
    return replace(parse_description(FREE, "here"), faces=faces, tile_turns=tile_turns)


def refusal(photo, corners, layout=LAYOUT, description=None):
    with pytest.raises(EditionError) as caught:
        learned_of(description or described(), photo, corners, layout)
    assert ": " in caught.value.message
    assert caught.value.where == "photo.jpg"
    return caught.value


def changed(photo, corners, cell, change, layout=LAYOUT):
    """The photo with the tile in a row and column of the layout changed."""
    rows, columns = len(layout), len(layout[0])
    warp = cv2.getPerspectiveTransform(floats([[0, 0], [1, 0], [1, 1], [0, 1]]), corners)
    unit = floats([[0, 0], [1, 0], [1, 1], [0, 1]]) + floats([cell[1], cell[0]])
    quad = cv2.perspectiveTransform((unit / floats([columns, rows]))[None], warp)[0]
    place = np.zeros(photo.image_bgr.shape[:2], np.uint8)
    cv2.fillConvexPoly(place, np.rint(quad).astype(np.int32), 1)
    other = np.clip(change(photo.image_bgr.astype(np.float32)), 0, 255).astype(np.uint8)
    return replace(photo, image_bgr=np.where(place[..., None] > 0, other, photo.image_bgr))


def reference_layouts(description):
    """Return the reference layouts of a game, by the names of the arrangements."""
    game = games().get(description.game)
    return {} if game is None else game.arrangements(description)


class TestLayout:
    def test_layout_names_the_face_of_each_place(self):
        text = "# my table\nwood  lake .\n\nmine\tfield wood\n"
        assert parse_layout(text, "layout.txt", NAMES) == LAYOUT
        assert parse_layout(text.encode("utf-8-sig"), "layout.txt", NAMES) == LAYOUT
        with pytest.raises(EditionError) as caught:
            parse_layout("wood\nlakes\n", "layout.txt", NAMES)
        assert caught.value.where == "layout.txt, line 2"

    @pytest.mark.parametrize(
        ("text", "message"),
        [("wood lake\nmine", "1 to 2"), ("wood lak", "did you mean lake"), ("wood !", "!"),
         ("", "no kind of tile"), (". .", "no kind of tile"), ("# wood", "no kind of tile"),
         (b"\xff", "UTF-8"),
         ("wood " * 21, "20 x 20"), ("wood\n" * 21, "20 x 20"), ("#" * 100_000, "larger")],
    )  # fmt: skip
    def test_fault_of_a_layout_is_named(self, text, message):
        with pytest.raises(EditionError) as caught:
            parse_layout(text, "layout.txt", NAMES)
        assert caught.value.code == "teach-layout"
        assert message in caught.value.message
        assert ": " in caught.value.message
        assert caught.value.where.startswith("layout.txt")


class TestArrangements:
    @pytest.mark.parametrize("game", built_in_games())
    def test_arrangements_show_each_face_once(self, game):
        description = built_in_edition(game).description
        shown = [
            name
            for layout in reference_layouts(description).values()
            for row in layout
            for name in row
            if name is not None
        ]
        assert sorted(shown) == sorted(face.name for face in description.faces)

    def test_arrangements_have_the_documented_sizes(self):
        sizes = {
            (game, name): (len(layout), len(layout[0]))
            for game in ("cities", "city-blocks")
            for name, layout in reference_layouts(built_in_edition(game).description).items()
        }
        assert sizes == {
            ("cities", "tiles"): (4, 6),
            ("city-blocks", "blue"): (4, 5),
            ("city-blocks", "red"): (4, 5),
            ("city-blocks", "values"): (3, 5),
        }
        signs = reference_layouts(built_in_edition("dice-board").description)
        assert len(signs) == 8
        assert {(len(layout), len(layout[0])) for layout in signs.values()} == {(4, 6)}
        company = signs["red"][0][0].removesuffix("-nw")
        square = [row[:2] for row in signs["red"][:2]]
        assert square == [(f"{company}-nw", f"{company}-ne"), (f"{company}-sw", f"{company}-se")]
        assert reference_layouts(described()) == {}

    @pytest.mark.parametrize("game", built_in_games())
    def test_the_built_in_tiles_are_learned_from_them(self, game):
        standard = built_in_edition(game)
        tiles = {name: of_face[0] for name, of_face in standard.pictures.items()}
        layout, *_more = reference_layouts(standard.description).values()
        photo, corners = photo_of_layout(tiles, layout)
        learned = learned_of(standard.description, photo, corners, layout)
        for name in {name for row in layout for name in row if name is not None}:
            assert alike(learned.pictures[name][0], tiles[name]) > 0.9, name


class TestFaces:
    def test_each_face_is_learned_as_it_lies_there(self):
        photo, corners = photo_of_layout(PICTURES, LAYOUT)
        learned = learned_of(described(), photo, corners, LAYOUT)
        assert list_untaught_faces(learned) == []
        for name, (picture, *_) in learned.pictures.items():
            assert max(PICTURES, key=lambda other: alike(picture, PICTURES[other])) == name
            assert alike(picture, PICTURES[name]) > 0.9
            assert picture.shape[0] == picture.shape[1]
            assert MIN_PICTURE_PX <= picture.shape[0] <= MAX_PICTURE_PX
        assert learned.description.faces[0].images == ("wood-1.png",)
        width, height = photo.size_wh
        reduced = replace(photo, size_wh=(width * 2, height * 2), scale=2)
        learned = learned_of(described(), reduced, reduced.to_photo_px(corners), LAYOUT)
        assert alike(learned.pictures["field"][0], PICTURES["field"]) > 0.9
        spoilt = changed(photo, corners, (1, 2), lambda image: image * 0 + 255)
        learned = learned_of(described(), spoilt, corners, LAYOUT)
        assert len(learned.pictures["wood"]) == 1
        assert alike(learned.pictures["wood"][0], PICTURES["wood"]) > 0.9
        photo, corners = photo_of_layout(PICTURES, LAYOUT, turns={(1, 2): 3})
        learned = learned_of(described(), photo, corners, LAYOUT)
        assert len(learned.pictures["wood"]) == 1
        upright = learned_of(described(tile_turns=TileTurns.UPRIGHT), photo, corners, LAYOUT)
        assert len(upright.pictures["wood"]) == 2

    def test_faces_not_shown_are_untaught_and_filled_up(self):
        layout = (("wood", "mine"),)
        photo, corners = photo_of_layout(PICTURES, layout)
        learned = learned_of(described(), photo, corners, layout)
        assert list_untaught_faces(learned) == ["lake", "field"]
        other = replace(learned, pictures={name: (tile(9),) for name in (*NAMES, "more")})
        whole = complete_from_fallback(learned, other)
        assert list_untaught_faces(whole) == []
        assert whole.pictures["lake"] is other.pictures["lake"]
        assert whole.pictures["wood"] is learned.pictures["wood"]
        assert set(whole.pictures) == set(NAMES)

    def test_known_references_of_filled_up_faces_are_kept(self):
        layout = (("wood", "mine"),)
        photo, corners = photo_of_layout(PICTURES, layout)
        learned = learned_of(described(), photo, corners, layout)
        other = replace(learned, pictures={"lake": (tile(9),)}, model=None)
        before = complete_from_fallback(learned, other)
        after = complete_from_fallback(learned, replace(before, pictures={"lake": (tile(10),)}))
        known, kept = (each.model.references.of_faces({"lake"}) for each in (before, after))
        assert np.array_equal(kept.vectors, known.vectors)

    def test_known_board_is_taken_over_unless_another_is_learned(self):
        built_in = with_model(built_in_edition("city-blocks"))
        description, known = built_in.description, built_in.model
        empty = Edition(description, {})
        # Without its picture the board could not be learned again
        filled = complete_from_fallback(empty, replace(built_in, board_picture=None)).model
        assert all(map(np.array_equal, filled.rim, known.rim))
        for kept, of_known in ((filled.references, known.references), (filled.loose, known.loose)):
            assert len(kept.face_index) == len(of_known.face_index)
            assert set(kept.faces) == set(of_known.faces)
        other = replace(empty, board_picture=built_in.board_picture[::-1].copy())
        assert not np.allclose(complete_from_fallback(other, built_in).model.rim[0], known.rim[0])

    def test_examples_that_differ_are_all_kept_up_to_the_most(self):
        variants = {f"wood-{n}": tile(50 + n, 128) for n in range(10)}
        drawn = (("wood-0", "wood-1", "wood-2", "wood-3", "wood-4"),
                 ("wood-5", "wood-6", "wood-7", "wood-8", "wood-9"))  # fmt: skip
        photo, corners = photo_of_layout(variants, drawn)
        layout = tuple(tuple("wood" for _ in row) for row in drawn)
        learned = learned_of(described(), photo, corners, layout)
        assert len(learned.pictures["wood"]) == MAX_PICTURES_OF_FACE

    def test_examples_are_turned_as_the_first_one_lies(self):
        photo, corners = photo_of_layout(PICTURES, LAYOUT)
        before = learned_of(described(), photo, corners, LAYOUT)
        shaded = {"wood": PICTURES["wood"].copy()}
        shaded["wood"][:, 80:] //= 4
        photo, corners = photo_of_layout(shaded, (("wood",),), tile_px=400, turns={(0, 0): 1})
        learned = learned_of(described(), photo, corners, (("wood",),), before)
        first, second = learned.pictures["wood"]
        assert first is before.pictures["wood"][0]
        assert alike(second, shaded["wood"]) > 0.9
        assert learned.pictures["mine"] is before.pictures["mine"]


class TestRefusals:
    @pytest.mark.parametrize(
        ("change", "code"),
        [(lambda image: image * 0.05, "teach-too-dark"),
         (lambda image: image * 8, "teach-doubtful")],
    )  # fmt: skip
    def test_a_face_of_which_no_tile_is_clear_is_named(self, change, code):
        photo, corners = photo_of_layout(PICTURES, LAYOUT)
        error = refusal(changed(photo, corners, (0, 1), change), corners)
        assert error.code == code
        assert "lake" in error.message
        assert "wood" not in error.message

    def test_confirmed_white_face_is_learned(self):
        photo, corners = photo_of_layout(PICTURES, LAYOUT)
        white = changed(photo, corners, (0, 1), lambda image: image * 8)
        learned_layout = learned_layout_of(described(), white, corners, LAYOUT, confirmed=True)
        assert learned_layout.edition.pictures["lake"][0].min(axis=2).mean() > 200

    def test_white_tile_is_left_out_beside_a_clear_one_of_its_face(self):
        photo, corners = photo_of_layout(PICTURES, LAYOUT)
        white = changed(photo, corners, (1, 2), lambda image: image * 8)
        learned_layout = learned_layout_of(described(), white, corners, LAYOUT, confirmed=True)
        assert len(learned_layout.edition.pictures["wood"]) == 1

    def test_blurred_photos_small_tiles_and_tiles_of_another_name_are_refused(self):
        photo, corners = photo_of_layout(PICTURES, LAYOUT)
        blurred = cv2.GaussianBlur(photo.image_bgr, (0, 0), 4)
        error = refusal(replace(photo, image_bgr=blurred), corners)
        assert error.code == "teach-blurred"
        assert "wood, lake, mine, field" in error.message
        photo, corners = photo_of_layout(PICTURES, LAYOUT, tile_px=36)
        assert refusal(photo, corners).code == "teach-too-small"
        photo, corners = photo_of_layout(PICTURES, LAYOUT)
        before = learned_of(described(), photo, corners, LAYOUT)
        photo, corners = photo_of_layout(PICTURES, (("wood", "lake"),), tile_px=150)
        with refused("teach-doubtful", "1/1 (lake / wood) 1/2 (wood / lake)"):
            learned_of(described(), photo, corners, (("lake", "wood"),), before)
        with refused("teach-alike"):
            learned_layout_of(
                described(), photo, corners, (("lake", "wood"),), before, confirmed=True
            )

    @pytest.mark.parametrize("quarters", [0, 1])
    def test_two_names_for_one_drawing_are_refused(self, quarters):
        same = {**PICTURES, "mine": np.rot90(PICTURES["lake"], quarters)}
        photo, corners = photo_of_layout(same, LAYOUT)
        error = refusal(photo, corners)
        assert error.code == "teach-alike"
        assert "lake and mine" in error.message

    @pytest.mark.parametrize("other", [(0.6, 0.7, 0.9), (0.72, 0.72, 0.72)])
    def test_the_same_drawing_in_two_colours_is_two_faces(self, other):
        grey = cv2.cvtColor(PICTURES["wood"], cv2.COLOR_BGR2GRAY).astype(np.float32)[..., None]
        tinted = {
            "wood": np.uint8(grey * floats([0.9, 0.7, 0.6])),
            "lake": np.uint8(grey * floats(other)),
        }
        photo, corners = photo_of_layout({**PICTURES, **tinted}, LAYOUT)
        assert list_untaught_faces(learned_of(described(), photo, corners, LAYOUT)) == []

    @pytest.mark.parametrize(
        ("change", "message"),
        [(lambda corners: corners[::-1], "clockwise"),
         (lambda corners: corners[[0, 2, 1, 3]], "clockwise"),
         (lambda corners: np.roll(corners, 1, axis=0), "pixels"),
         (lambda corners: corners + 100, "outside"),
         (lambda corners: corners * floats([1, np.nan]), "four points"),
         (lambda corners: corners * 0, "clockwise")],
    )  # fmt: skip
    def test_corners_that_cannot_be_right_are_refused(self, change, message):
        photo, corners = photo_of_layout(PICTURES, LAYOUT)
        error = refusal(photo, change(corners))
        assert (error.code, message in error.message) == ("teach-corners", True), error.message


class TestBoard:
    def photo(self):
        return photo_of_flat(cv2.resize(tile(7, 256), (800, 600)))

    def test_board_is_rectified(self):
        photo, corners = self.photo()
        board = cut_board(photo, corners, parse_description(PRINTED, "here"))
        height, width = board.shape[:2]
        assert width / height == pytest.approx(200 / 150, rel=0.01)
        true = cv2.resize(tile(7, 256), (width, height))
        assert alike(cv2.resize(board, (96, 96)), cv2.resize(true, (96, 96))) > 0.95
        with refused("teach-no-board"):
            cut_board(photo, corners, described())

    @pytest.mark.parametrize(
        ("change", "code"),
        [(lambda photo, corners: (photo, corners / 3), "teach-too-small"),
         (lambda photo, corners: (photo, corners[::-1]), "teach-corners"),
         (lambda photo, corners: (replace(photo, image_bgr=photo.image_bgr // 12), corners),
          "teach-too-dark")],
    )  # fmt: skip
    def test_photo_that_is_no_picture_of_a_board_is_refused(self, change, code):
        photo, corners = change(*self.photo())
        with refused(code):
            cut_board(photo, corners, parse_description(PRINTED, "here"))
