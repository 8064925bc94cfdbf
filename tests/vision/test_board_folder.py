"""Editions of games known by pictures, as folders and as text."""

import re
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np
import pytest
import tomlkit
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.vision.described import FREE, PRINTED, descriptions, tile, write_free, write_printed
from vision.editions.description import TileTurns
from vision.editions.description_toml import (
    MAX_DESCRIPTION_BYTES,
    description_toml,
    parse_description,
)
from vision.editions.edition import MAX_BOARD_PX, MAX_PICTURE_PX, DescriptionError
from vision.editions.folder import encode_edition, load_folder

PAGE = (Path(__file__).parents[2] / "docs" / "edition-format.md").read_text("utf-8")

anything = st.recursive(
    st.booleans() | st.integers(-(2**62), 2**62) | st.floats() | st.text(max_size=20),
    lambda values: (
        st.lists(values, max_size=4)
        | st.dictionaries(st.text(min_size=1, max_size=8), values, max_size=3)
    ),
    max_leaves=6,
)


def refused(text):
    with pytest.raises(DescriptionError) as caught:
        parse_description(text, "edition.toml")
    assert caught.value.where.startswith("edition.toml")
    assert re.search(r"[:;] ", caught.value.message), "it says what to do"
    assert "\n" not in caught.value.message
    return caught.value


def refused_folder(folder):
    with pytest.raises(DescriptionError) as caught:
        load_folder(folder)
    assert ": " in caught.value.message
    return caught.value


def with_change(text, old, new):
    assert old in text
    return text.replace(old, new, 1)


@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow])
@given(descriptions())
def test_a_description_is_read_back_as_it_was_written(description):
    assert parse_description(description_toml(description), "here") == description


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from([FREE, PRINTED]), st.data())
def test_any_changed_value_is_read_or_refused(text, data):
    """Any value of the file is replaced by any other."""
    content = tomlkit.parse(text).unwrap()
    at = content
    while True:
        key = data.draw(st.sampled_from(sorted(at) if isinstance(at, dict) else range(len(at))))
        if not at[key] or not isinstance(at[key], dict | list) or data.draw(st.booleans()):
            break
        at = at[key]
    at[key] = data.draw(anything)
    with suppress(DescriptionError):
        description = parse_description(tomlkit.dumps(content), "here")
        assert parse_description(description_toml(description), "here") == description


@pytest.mark.parametrize("text", re.findall(r"```toml\n(format = 2\n.*?)```", PAGE, re.DOTALL))
def test_the_examples_of_the_documentation_can_be_read(text):
    assert parse_description(text, "docs").faces


def test_description_of_free_tiles_is_parsed():
    description = parse_description(FREE.encode(), "here")
    assert (description.rows, description.columns, description.tile_mm) == (2, 3, 40.0)
    assert description.tile_turns is TileTurns.ANY
    assert description.board is None
    assert description.most_grids == 1
    assert [face.name for face in description.faces] == ["wood", "lake"]
    assert description.faces[0].images == ("wood-1.png", "wood-2.png")
    assert description.faces[0].cells == (("wood",),)
    assert description.tokens[0].colour_bgr == (0x2C, 0x23, 0xC8)
    description = parse_description(PRINTED, "here")
    assert description.board.size_mm == (200.0, 150.0)
    assert description.board.plots == {(0, 0), (1, 2)}
    assert description.board.slots[0].count == 2
    assert description.board.heaps[0].area_mm == (0.0, 150.0, 200.0, 240.0)
    assert description.numbers == {"row_numbers": (1, 2), "column_numbers": (-3, 4, 5)}
    assert [face.name for face in description.grid_faces] == ["wood"]


def test_a_face_without_pictures_is_described_and_stays_unknown(tmp_path):
    text = with_change(FREE, 'images = ["lake.png"]\n', "")
    assert parse_description(text, "here").faces[1].images == ()
    edition = load_folder(write_free(tmp_path / "e", text))
    assert "lake" not in edition.pictures


@pytest.mark.parametrize(
    ("old", "new", "code", "message"),
    [('turned = "any"', 'turned = "any"\ncolour = 3', "description-unknown-key", "colour"),
     ('kind = "pawn"', 'kind = "pawn"\nshape = "x"', "description-unknown-key", "shape"),
     ("rows = 2\n", "", "description-missing-key", "rows"),
     ('name = "lake"\n', "", "description-missing-key", "name"),
     ("format = 2\n", "", "description-format", "format = 2"),
     ("format = 2", "format = 3", "description-format", "newer"),
     ("format = 2", "format = true", "description-format", "format = 2"),
     ('name = "my-game"', 'name = "../x"', "description-value", "name"),
     ('game = "reading-only"', 'game = "../x"', "description-value", "game"),
     ('game = "reading-only"', 'game = ["cities"]', "description-value", "game"),
     ('layout = "free-tiles"', 'layout = "printed-board"', "description-missing-key", "board"),
     ("rows = 2", "rows = 0", "description-value", "1 to 20"),
     ("rows = 2", "rows = 21", "description-value", "1 to 20"),
     ("rows = 2", "rows = 2.0", "description-value", "whole number"),
     ("rows = 2", "rows = true", "description-value", "True"),
     ("rows = 2", f"rows = {10**40}", "description-value", "so large"),
     ("tile_mm = 40.0", "tile_mm = nan", "description-value", "tile_mm"),
     ("tile_mm = 40.0", "tile_mm = inf", "description-value", "tile_mm"),
     ("tile_mm = 40.0", 'tile_mm = "40"', "description-value", "tile_mm"),
     ("columns = 3", "columns = 3\ntile_cells = [2]", "description-value", "two equal numbers"),
     ("columns = 3", "columns = 3\ntile_cells = [2, 1]", "description-value", "two equal numbers"),
     ("columns = 3", "columns = 3\ntile_cells = [1, 1]\nrows = 2", "description-not-toml", "key"),
     ("columns = 3", "columns = 3\nmost_grids = 9", "description-value", "1 to 8"),
     ('"#c8232c"', '"red"', "description-value", "#c8232c"),
     ("foot_mm = 12.0", "foot_mm = 500", "description-value", "foot_mm"),
     ('name = "lake"', 'name = "wood"', "description-contradiction", "wood"),
     ('name = "lake"', 'name = "Lake"', "description-value", "small letters"),
     ('"lake.png"', '"../lake.png"', "description-value", "images"),
     ('"lake.png"', '"/etc/passwd"', "description-value", "images"),
     ('"lake.png"', '"wood-1.png"', "description-contradiction", "wood-1.png"),
     ('"lake.png"', '"WOOD-1.png"', "description-contradiction", "wood-1.png"),
     ('["lake.png"]', "[]", "description-value", "1 to 8"),
     ('["lake.png"]', '["lake.png"]\ncells = [["a"]]', "description-contradiction", "lake"),
     ("[[faces]]", "[faces]", "description-not-toml", "already"),
     ("[[tokens]]", "[[tokens", "description-not-toml", "bracket"),
     ('"wood"', '"wood\x00"', "description-not-toml", "TOML")],
)  # fmt: skip
def test_fault_of_free_tiles_is_named(old, new, code, message):
    error = refused(with_change(FREE, old, new))
    assert (error.code, message in error.message) == (code, True), error.message


def test_error_in_toml_has_its_place():
    assert refused("format = 2\na b").where == "edition.toml, line 2, column 3"


@pytest.mark.parametrize(
    ("old", "new", "code", "message"),
    [('layout = "printed-board"', 'layout = "free-tiles"', "description-contradiction", "[board]"),
     ("size_mm = [200, 150]", "size_mm = [200]", "description-value", "2 numbers"),
     ("size_mm = [200, 150]", "size_mm = [120, 150]", "description-contradiction", "130 mm"),
     ("cell_mm = [40, 40]", "cell_mm = [40, 20]", "description-contradiction", "overlap"),
     ("[1, 2]]", "[2, 0]]", "description-value", "0 to 1"),
     ("[1, 2]]", "[0, 0]]", "description-value", "twice"),
     ("[1, 2]]", "3]", "description-value", "row and column"),
     ('faces = ["coin"]', 'faces = ["gold"]', "description-contradiction", "gold"),
     ('faces = ["coin"]', 'faces = ["coin", "wood"]', "description-contradiction", "no kind of"),
     ('faces = ["coin"]', 'faces = "coin"', "description-value", "list"),
     ('name = "left"', 'name = "row"', "description-contradiction", "row"),
     ("[0, 150, 200, 240]", "[200, 150, 0, 240]", "description-contradiction", "left, top"),
     ("count = 2", "count = 0", "description-value", "count"),
     ("row_numbers = [1, 2]", "row_numbers = [1, 2, 3]", "description-contradiction", "numbers: 3"),
     ("row_numbers = [1, 2]", "edge_numbers = [1, 2]", "description-unknown-key", "edge_numbers"),
     ('image = "board.png"', 'image = "board.gif"', "description-value", "PNG or JPEG")],
)  # fmt: skip
def test_fault_of_a_printed_board_is_named(old, new, code, message):
    error = refused(with_change(PRINTED, old, new))
    assert (error.code, message in error.message) == (code, True), error.message


def test_rows_must_be_whole_tiles():
    text = with_change(FREE, "columns = 3", "columns = 3\ntile_cells = [2, 2]")
    for face in ("wood", "lake"):
        cells = f'name = "{face}"\ncells = [["a", "b"], ["c", "d"]]'
        text = with_change(text, f'name = "{face}"', cells)
    error = refused(text)
    assert (error.code, "columns is 3" in error.message) == ("description-contradiction", True)
    assert refused("#" * (MAX_DESCRIPTION_BYTES + 1)).code == "description-too-large"
    assert refused(b"\xff\xfe").code == "description-not-toml"
    assert refused("a = " + "[" * 100_000).code == "description-not-toml"


class TestFolder:
    def test_folder_is_loaded_as_edition(self, tmp_path):
        edition = load_folder(write_free(tmp_path / "e"))
        assert {name: len(of_face) for name, of_face in edition.pictures.items()} == {
            "wood": 2,
            "lake": 1,
        }
        assert np.array_equal(
            edition.pictures["lake"][0], cv2.imread(str(tmp_path / "e" / "lake.png"))
        )
        assert edition.board_picture is None

    def test_large_pictures_are_made_smaller(self, tmp_path):
        folder = write_printed(tmp_path / "e")
        cv2.imwrite(str(folder / "wood.png"), tile(1, 1000))
        cv2.imwrite(str(folder / "board.png"), np.full((1500, 2000, 3), 90, np.uint8))
        edition = load_folder(folder)
        assert edition.pictures["wood"][0].shape == (MAX_PICTURE_PX, MAX_PICTURE_PX, 3)
        assert edition.board_picture.shape == (1200, MAX_BOARD_PX, 3)

    def test_written_edition_is_read_again(self, tmp_path):
        edition = load_folder(write_printed(tmp_path / "e"))
        (tmp_path / "copy").mkdir()
        for name, data in encode_edition(edition).items():
            (tmp_path / "copy" / name).write_bytes(data)
        copy = load_folder(tmp_path / "copy")
        assert copy.description.faces[0].images == ("wood-1.png",)
        assert np.array_equal(copy.board_picture, edition.board_picture)
        for name, pictures in edition.pictures.items():
            assert all(map(np.array_equal, copy.pictures[name], pictures))
        assert encode_edition(copy) == encode_edition(edition)

    def test_a_folder_without_description_is_refused(self, tmp_path):
        assert refused_folder(tmp_path).code == "edition-file"
        assert refused_folder(tmp_path / "nowhere").code == "edition-file"
        folder = write_free(tmp_path / "e")
        (folder / "lake.png").unlink()
        error = refused_folder(folder)
        assert (error.code, error.where) == ("edition-file", str(folder / "lake.png"))
        (folder / "lake.png").write_bytes(bytes(5_000_000))
        assert refused_folder(folder).code == "edition-file"

    def test_a_picture_that_links_to_itself_is_refused_by_its_reason(self, tmp_path):
        folder = write_free(tmp_path / "e")
        (folder / "lake.png").unlink()
        (folder / "lake.png").symlink_to("lake.png")
        assert "Too many levels" in refused_folder(folder).message

    @pytest.mark.parametrize("size", [(64, 80), (20, 20), (3000, 3000)])
    def test_a_picture_of_the_wrong_size_is_refused(self, tmp_path, size):
        folder = write_free(tmp_path / "e")
        cv2.imwrite(str(folder / "lake.png"), np.zeros((*size, 3), np.uint8))
        error = refused_folder(folder)
        assert (error.code, error.where) == ("edition-picture", f"{folder}/lake.png")

    @pytest.mark.parametrize("size", [(300, 300), (90, 120)])
    def test_a_board_of_the_wrong_shape_is_refused(self, tmp_path, size):
        folder = write_printed(tmp_path / "e")
        cv2.imwrite(str(folder / "board.png"), np.zeros((*size, 3), np.uint8))
        error = refused_folder(folder)
        assert (error.code, error.where) == ("edition-picture", f"{folder}/board.png")

    def test_a_damaged_picture_is_refused(self, tmp_path):
        folder = write_free(tmp_path / "e")
        whole = (folder / "lake.png").read_bytes()
        for data in (b"", b"nothing", whole[: len(whole) // 2]):
            (folder / "lake.png").write_bytes(data)
            assert refused_folder(folder).code == "edition-picture"
