"""Storing and exchanging editions of games known by pictures."""

import io
import zipfile

import numpy as np
import pytest

from firmware.editions import (
    archive_of,
    edition_game,
    editions_folder,
    load_edition,
    save_edition,
    stored_names,
)
from firmware.errors import UsageError
from scoring.faces import Face
from tests.firmware.commanded import editions, refusal
from tests.vision.described import FREE, PRINTED, write_free, write_printed
from tests.vision.taught_cities import cities_edition
from vision.editions.folder import edition_files, load_folder, own_edition


def printed_edition(tmp_path, name="my-board"):
    text = PRINTED.replace("my-board", name)
    return load_folder(write_printed(tmp_path / name, text))


class TestStore:
    def test_an_edition_is_loaded_as_it_was_saved(self, tmp_path):
        edition = printed_edition(tmp_path)
        folder = save_edition(edition)
        assert folder == editions_folder() / "my-board"
        assert (folder / "contact-sheet.png").is_file()
        assert edition_files(load_edition("my-board", None)) == edition_files(edition)
        assert edition_game("my-board") == "reading-only"
        assert stored_names() == stored_names("reading-only") == ["my-board"]
        assert stored_names("cities") == []

    @pytest.mark.parametrize("name", [None, "standard"])
    def test_the_standard_edition_is_the_built_in_one_of_the_game(self, name):
        assert load_edition(name, "cities") is own_edition("cities")
        with pytest.raises(UsageError) as caught:
            load_edition(name, None)
        assert caught.value.code == "edition-which-game"

    def test_an_edition_of_another_game_is_refused_by_name(self, tmp_path):
        save_edition(printed_edition(tmp_path))
        pictures = {face: (np.zeros((96, 96, 3), np.uint8),) for face in Face}
        save_edition(cities_edition("old", pictures))
        assert edition_game("old") == "between-two-cities"
        for name, its, game in (
            ("my-board", "reading-only", "cities"),
            ("old", "between-two-cities", "cities"),
        ):
            with pytest.raises(UsageError) as caught:
                load_edition(name, game)
            assert caught.value.code == "edition-other-game"
            assert f"is of {its}, not of {game}" in caught.value.message
        with pytest.raises(UsageError) as caught:
            load_edition("my-board", "between-two-cities")
        assert caught.value.code == "edition-other-game"
        assert stored_names("between-two-cities") == ["old"]

    def test_an_unknown_one_and_one_under_another_name_are_refused(self, tmp_path):
        assert refusal(load_edition, "nothing", "cities") == "unknown-edition"
        save_edition(printed_edition(tmp_path))
        (editions_folder() / "my-board").rename(editions_folder() / "other")
        assert refusal(load_edition, "other", None) == "edition-damaged"

    def test_what_is_wrong_with_its_files_is_said(self, tmp_path, capsys):
        folder = save_edition(printed_edition(tmp_path))
        (folder / "coin-1.png").unlink()
        assert refusal(load_edition, "my-board", None) == "edition-file"
        (folder / "edition.toml").write_text("format = 2\nshape = 3\n")
        assert refusal(load_edition, "my-board", None) == "description-unknown-key"
        assert editions() == 1
        assert "my-board: the key shape is not known here" in capsys.readouterr().out


class TestCommand:
    def test_it_shows_what_is_described(self, tmp_path, capsys):
        save_edition(printed_edition(tmp_path))
        assert editions("show", "my-board") == 0
        told = capsys.readouterr().out
        for line in (
            "my-board: reading-only, 2 faces, 2 pictures", "Grid: 2 rows, 3 columns",
            "Tiles: 30 mm, over 1 x 1 cells", "Faces: wood, coin", "Board: 200 x 150 mm",
            "Beside the cells: row, left", "Contact sheet: ",
        ):  # fmt: skip
            assert line in told

    def test_it_shows_a_built_in_one(self, capsys):
        assert editions("show", "standard", "--game", "cities") == 0
        told = capsys.readouterr().out
        assert "Grid: 8 rows, 8 columns" in told
        assert "Tokens: tourist-red" in told
        assert "Folder" not in told
        assert refusal(editions, "show", "standard") == "edition-which-game"
        assert refusal(editions, "show", "standard", "--game", "chess") == "no-standard-edition"

    def test_an_export_is_imported_as_it_was(self, tmp_path):
        edition = printed_edition(tmp_path)
        save_edition(edition)
        out = tmp_path / "out.zip"
        assert editions("export", "my-board", "--out", out) == 0
        assert out.read_bytes() == archive_of(edition)
        assert refusal(editions, "import", out) == "edition-exists"
        editions("remove", "my-board", "--yes")
        assert editions("import", out) == 0
        assert edition_files(load_edition("my-board", None)) == edition_files(edition)

    def test_a_folder_written_by_hand_is_imported(self, tmp_path, capsys):
        folder = write_free(tmp_path / "whatever it is called")
        assert editions("import", folder) == 0
        assert "Imported edition my-game." in capsys.readouterr().out
        assert sorted(path.name for path in (editions_folder() / "my-game").iterdir()) == [
            "contact-sheet.png", "edition.toml", "lake-1.png", "wood-1.png", "wood-2.png",
        ]  # fmt: skip
        assert refusal(editions, "import", folder) == "edition-exists"
        assert editions("import", folder, "--replace") == 0

    def test_a_folder_that_is_wrong_is_refused_and_nothing_stored(self, tmp_path):
        folder = write_free(tmp_path / "e", FREE.replace("rows = 2", "rows = 0"))
        assert refusal(editions, "import", folder) == "description-value"
        write_free(folder, FREE.replace("my-game", "standard"))
        assert refusal(editions, "import", folder) == "edition-name"
        write_free(folder)
        (folder / "lake.png").write_bytes(b"nothing")
        assert refusal(editions, "import", folder) == "edition-picture"
        assert stored_names() == []

    def test_a_built_in_one_is_exported_as_a_model(self, tmp_path):
        out = tmp_path / "cities.zip"
        assert editions("export", "standard", "--game", "cities", "--out", out) == 0
        with zipfile.ZipFile(io.BytesIO(out.read_bytes())) as archive:
            assert "standard/edition.toml" in archive.namelist()
        assert refusal(editions, "import", out) == "edition-name"

    @pytest.mark.parametrize(
        ("name", "data", "code"),
        [("my-board/coin-1.png", None, "archive-refused"),
         ("my-board/more.png", b"x", "archive-refused"),
         ("my-board/run.sh", b"x", "archive-refused"),
         ("my-board/coin-1.png", b"x", "edition-picture"),
         ("my-board/board.png", bytes(50_000_000), "archive-refused"),
         ("my-board/coin-1.png", bytes(6_000_000), "archive-refused")],
    )  # fmt: skip
    def test_a_zip_that_does_not_fit_is_refused(self, tmp_path, name, data, code):
        files = {f"my-board/{n}": d for n, d in edition_files(printed_edition(tmp_path)).items()}
        path = tmp_path / "given.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for file, content in {**files, name: data}.items():
                if content is not None:
                    archive.writestr(file, content)
        assert refusal(editions, "import", path) == code
        assert stored_names() == []
