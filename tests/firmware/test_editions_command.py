"""Editions: stored, shown, exchanged as folders and ZIP files; files that mean harm are refused."""

import io
import re
import zipfile
from dataclasses import replace
from functools import cache, partial

import cv2
import numpy as np
import pytest

from firmware.teaching.edition_archive import MAX_ARCHIVE_BYTES, encode_archive
from firmware.teaching.user_editions import (
    check_game,
    edition_game,
    editions_folder,
    load_edition,
    rename_edition,
    save_edition,
    stored_names,
)
from scoring.faces import Face
from tests.firmware import commanded
from tests.firmware.commanded import editions
from tests.refusals import refused
from tests.vision.described import FREE, write_free, write_printed
from tests.vision.taught_cities import cities_edition
from vision.editions.description_toml import description_toml, parse_description
from vision.editions.folder import built_in_edition, encode_edition, load_folder
from vision.editions.learning import with_model

refusal = partial(commanded.refusal, editions)


@cache
def taught(name="my-copy"):
    """A look of Between Two Cities."""
    rng = np.random.default_rng(1)
    pictures = {face: (rng.integers(0, 255, (96, 96, 3), dtype=np.uint8),) for face in Face}
    return with_model(cities_edition(name, pictures))


@pytest.fixture(scope="module")
def described(tmp_path_factory):
    """A game without rules on a printed board."""
    return with_model(load_folder(write_printed(tmp_path_factory.mktemp("given") / "my-board")))


@pytest.fixture(params=["my-copy", "my-board"])
def edition(request):
    if request.param == "my-copy":
        return taught()
    return request.getfixturevalue("described")


@pytest.fixture
def run_editions(prints):
    return partial(prints, "editions")


def zipped(tmp_path, files):
    """A ZIP with these files, names as given, in this order."""
    path = tmp_path / "given.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files:
            archive.writestr(name, data)
    return path


@cache
def png(side, level=0):
    return cv2.imencode(".png", np.full((side, side, 3), level, np.uint8))[1].tobytes()


class TestStored:
    def test_an_edition_is_loaded_as_it_was_saved(self, edition):
        folder = save_edition(edition)
        assert folder == editions_folder() / edition.name
        assert (folder / "contact-sheet.png").is_file()
        assert encode_edition(load_edition(edition.name, None)) == encode_edition(edition)
        game = edition.description.game
        assert edition_game(edition.name) == game
        assert stored_names() == stored_names(game) == [edition.name]
        assert stored_names("cities") == []

    def test_edition_with_more_pictures_than_allowed_is_loaded_after_saving(self):
        built_in = built_in_edition("dice-board")
        pictures = {name: 3 * of_face for name, of_face in built_in.pictures.items()}
        save_edition(rename_edition(replace(built_in, pictures=pictures), "my-copy"))
        kept = load_edition("my-copy", "dice-board").pictures
        assert {len(of_face) for of_face in kept.values()} == {2}

    @pytest.mark.parametrize("name", [None, "standard"])
    def test_the_standard_edition_is_the_built_in_one_of_the_game(self, name):
        assert load_edition(name, "cities") is built_in_edition("cities")
        with refused("edition-which-game"):
            load_edition(name, None)

    def test_an_edition_of_another_game_is_refused_by_name(self, edition):
        save_edition(edition)
        for game in {"cities", "between-two-cities"} - {edition.description.game}:
            result = f"is of {edition.description.game}, not of {game}"
            with refused("edition-other-game", result):
                load_edition(edition.name, game)

    def test_an_unknown_one_and_one_under_another_name_are_refused(self, described):
        with refused("unknown-edition"):
            load_edition("nothing", "cities")
        save_edition(described).rename(editions_folder() / "other")
        with refused("edition-damaged"):
            load_edition("other", None)

    @pytest.mark.parametrize(
        ("old", "new", "words"),
        [
            ("rows = 8", "rows = 6", "8 rows"),
            (r"tile_cells = .2, 2.", "tile_cells = [4, 4]", "2 x 2"),
            ('"tile-1"', '"wood"', "wood"),
            ('"sight"', '"castle"', "castle"),
        ],
    )
    def test_description_must_fit_the_game_that_it_names(self, old, new, words):
        text = description_toml(built_in_edition("cities").description)
        if "tile_cells" in old:
            row = "[" + ", ".join(['"park"'] * 4) + "]"
            text = re.sub(r"cells = \[\[.*", f"cells = [{', '.join([row] * 4)}]", text)
        description = parse_description(re.sub(old, new, text).encode(), "here")
        with refused("description-game", words):
            check_game(description, "here")

    def test_damaged_edition_file_is_reported(self, described, run_editions):
        folder = save_edition(described)
        (folder / "coin-1.png").unlink()
        with refused("edition-file"):
            load_edition("my-board", None)
        (folder / "edition.toml").write_text("format = 2\nshape = 3\n")
        with refused("description-unknown-key"):
            load_edition("my-board", None)
        assert "my-board: the key shape is not known here" in run_editions(code=1)


class TestCommand:
    def test_editions_are_listed_and_shown(self, described, run_editions):
        built_in = run_editions().splitlines()
        assert "No edition has been taught" in built_in.pop()
        assert "standard: cities, 24 kinds, 24 pictures, built in" in built_in
        folder = save_edition(described)
        line = "my-board: reading-only, 2 kinds, 2 pictures"
        assert run_editions().splitlines() == run_editions("list").splitlines() == [*built_in, line]
        output = run_editions("show", "my-board")
        for words in (
            line, "Rows: 2, columns: 3", "Tiles: 30 mm, over 1 x 1 cells", "Kinds: wood, coin",
            "Board: 200 x 150 mm", "Beside the cells: row, left", f"Tile overview: {folder}",
        ):  # fmt: skip
            assert words in output
        assert refusal("show", "other") == "unknown-edition"
        output = run_editions("show", "standard", "--game", "cities")
        assert "Rows: 8, columns: 8" in output
        assert "Tokens: tourist-red" in output
        assert "Folder" not in output
        assert refusal("show", "standard") == "edition-which-game"
        assert refusal("show", "standard", "--game", "chess") == "no-standard-edition"

    def test_removing_asks(self, described, monkeypatch):
        save_edition(described)
        monkeypatch.setattr("sys.stdin", io.StringIO("yes\n"))
        assert refusal("undo", "my-board") == "edition-not-changed"
        assert refusal("remove", "my-board") == "edition-not-removed"
        terminal = io.StringIO("no\nyes\n")
        terminal.isatty = lambda: True
        monkeypatch.setattr("sys.stdin", terminal)
        assert editions("remove", "my-board") == 1
        assert stored_names() == ["my-board"]
        assert editions("remove", "my-board") == 0
        assert stored_names() == []
        assert refusal("remove", "my-board", "--yes") == "unknown-edition"
        assert refusal("undo", "my-board") == "unknown-edition"

    @pytest.mark.parametrize("words", [("remove", "standard", "--yes"), ("undo", "standard")])
    def test_built_in_edition_cannot_be_removed(self, words):
        with refused("edition-built-in", "cannot be removed or undone", "standard"):
            editions(*words)

    def test_a_file_that_cannot_be_written_is_to_be_named_otherwise(self, described, tmp_path):
        save_edition(described)
        (tmp_path / "file").write_text("")
        out = tmp_path / "file" / "out.zip"
        with refused("file-not-writable", "choose another place with --out", out):
            editions("export", "my-board", "--out", out)

    def test_an_import_over_another_edition_says_what_can_be_done(self, described, tmp_path):
        save_edition(described)
        editions("export", "my-board", "--out", tmp_path / "out.zip")
        with refused("edition-exists", "add --replace") as caught:
            editions("import", tmp_path / "out.zip")
        assert "another name" not in caught.value.message
        assert "remove it" in caught.value.message

    def test_an_export_is_imported_as_it_was(self, edition, tmp_path):
        name, out = edition.name, tmp_path / "out.zip"
        save_edition(edition)
        assert editions("export", name, "--out", out) == 0
        assert refusal("export", name, "--out", out) == "archive-exists"
        assert out.read_bytes() == encode_archive(edition)
        assert refusal("import", out) == "edition-exists"
        assert editions("remove", name, "--yes") == 0
        assert editions("import", out) == 0
        assert encode_edition(load_edition(name, None)) == encode_edition(edition)
        assert editions("import", out, "--replace") == 0

    def test_a_built_in_one_is_exported_as_a_model(self, tmp_path):
        out = tmp_path / "cities.zip"
        assert editions("export", "standard", "--game", "cities", "--out", out) == 0
        with zipfile.ZipFile(out) as archive:
            assert "standard/edition.toml" in archive.namelist()
        assert refusal("import", out) == "edition-name"

    def test_a_folder_written_by_hand_is_imported(self, tmp_path, run_editions):
        folder = write_free(tmp_path / "whatever it is called")
        assert "Imported edition my-game." in run_editions("import", folder)
        assert sorted(path.name for path in (editions_folder() / "my-game").iterdir()) == [
            *("contact-sheet.png", "edition.toml", "lake-1.png", "model.bin"), "wood-1.png",
            "wood-2.png",
        ]  # fmt: skip
        assert refusal("import", folder) == "edition-exists"
        assert editions("import", folder, "--replace") == 0

    def test_a_folder_that_is_wrong_is_refused_and_nothing_stored(self, tmp_path):
        folder = write_free(tmp_path / "e", FREE.replace("rows = 2", "rows = 0"))
        assert refusal("import", folder) == "description-value"
        write_free(folder, FREE.replace("my-game", "standard"))
        assert refusal("import", folder) == "edition-name"
        assert refusal("import", tmp_path) == "edition-file"
        write_free(folder, FREE.replace("my-game", "-my-game"))
        assert refusal("import", folder) == "description-value"
        assert stored_names() == []


class TestZip:
    @pytest.fixture
    def files(self, described):
        """Files of a valid edition, by name in the archive."""
        return {f"my-board/{name}": data for name, data in encode_edition(described).items()}

    @pytest.mark.parametrize(
        ("name", "data", "code"),
        [
            *[(name, partial(png, 96), "archive-refused") for name in (
                "../evil.png", "my-board/../evil.png", "/evil.png", "my-board/a/evil.png",
                "my-board/run.sh", "other/coin-1.png", "-my-board/coin-1.png", "my-board\\evil.png",
                "my-board/more-1.png",
            )],
            ("my-board/coin-1.png", None, "archive-refused"),
            ("my-board/coin-1.png", partial(bytes, 6_000_000), "archive-refused"),
            ("my-board/board.png", partial(bytes, 50_000_000), "archive-refused"),
            *[("my-board/coin-1.png", data, "edition-picture")
              for data in (b"", b"no picture", partial(png, 20), partial(png, 4000))],
            *[("my-board/edition.toml", change, code) for change, code in (
                (('name = "my-board"', 'name = "other"'), "archive-refused"),
                (('name = "my-board"', 'name = "../x"'), "description-value"),
                (('name = "my-board"', 'name = "-x"'), "description-value"),
                (("format = 2", "format = 3"), "description-format"),
                (("format = 2", "format = 1"), "description-format"),
                (('"reading-only"', '"chess"'), "description-game"),
                (('"coin-1.png"', '"../coin-1.png"'), "description-value"),
                (("[[faces]]", "[[faces"), "description-not-toml"),
            )],
        ],
    )  # fmt: skip
    def test_archive_with_anything_else_is_refused(self, files, tmp_path, name, data, code):
        data = data() if callable(data) else data
        if isinstance(data, tuple):
            assert data[0] in files[name].decode()
            data = files[name].decode().replace(*data)
        left = {
            file: content for file, content in {**files, name: data}.items() if content is not None
        }
        assert refusal("import", zipped(tmp_path, left.items())) == code
        assert stored_names() == []
        assert not list(tmp_path.rglob("evil*"))

    def test_with_duplicates_links_or_floods_or_nothing_is_refused(self, files, tmp_path):
        with pytest.warns(UserWarning, match="Duplicate"):
            path = zipped(tmp_path, [*files.items(), ("my-board/coin-1.png", png(96))])
        assert refusal("import", path) == "archive-refused"
        link = zipfile.ZipInfo("my-board/link-1.png")
        link.external_attr = 0o120777 << 16
        flood = [(f"my-board/park-{n}.png", b"") for n in range(2, 100)]
        for more in ([(link, "/etc/passwd")], flood):
            assert refusal("import", zipped(tmp_path, [*files.items(), *more])) == "archive-refused"
        assert refusal("import", zipped(tmp_path, [])) == "archive-refused"

    def test_archive_with_files_beyond_all_memory_is_refused(self, tmp_path):
        path = tmp_path / "given.zip"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("my-board/edition.toml", b"")
            archive.filelist[0].header_offset = 2**63
        assert refusal("import", path) == "archive-refused"

    def test_file_that_is_no_archive_is_refused(self, described, tmp_path):
        path = tmp_path / "given.zip"
        assert refusal("import", path) == "archive-missing"
        for data in (b"PK nothing", encode_archive(described)[:-30], bytes(MAX_ARCHIVE_BYTES + 1)):
            path.write_bytes(data)
            assert refusal("import", path) == "archive-refused"
