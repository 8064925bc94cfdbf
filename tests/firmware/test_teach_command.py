"""``stadtblick teach`` and using what was taught."""

import cv2
import pytest

from firmware.cli import main
from firmware.editions import editions_folder, load_edition, stored_names
from tests.firmware.commanded import refusal, teach
from tests.vision.reference_photos import other_look, reference_image
from vision.editions.folder import edition_files


@pytest.fixture
def faces(tmp_path):
    path = tmp_path / "faces.png"
    cv2.imwrite(str(path), reference_image())
    return str(path)


def examples_of(name):
    return set(map(len, load_edition(name, None).pictures.values()))


def test_it_stores_and_tells_what_it_learned(faces, capsys):
    assert teach(faces, "--edition", "my-copy") == 0
    told = capsys.readouterr().out
    assert "Learned edition my-copy: 9 faces, 9 pictures." in told
    folder = editions_folder() / "my-copy"
    assert str(folder / "contact-sheet.png") in told
    assert (folder / "contact-sheet.png").is_file()
    assert stored_names() == ["my-copy"]
    written = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert edition_files(load_edition("my-copy", None)).items() <= written.items()


def test_an_edition_is_not_replaced_by_chance(faces):
    teach(faces, "--edition", "my-copy")
    assert refusal(teach, faces, "--edition", "my-copy") == "edition-exists"
    assert teach(faces, "--edition", "my-copy", "--add") == 0
    assert examples_of("my-copy") == {2}
    assert teach(faces, "--edition", "my-copy", "--replace") == 0
    assert examples_of("my-copy") == {1}
    assert [path.name for path in editions_folder().iterdir()] == ["my-copy"]


def test_nothing_is_stored_when_something_is_wrong(faces, tmp_path):
    new = tmp_path / "new.png"
    cv2.imwrite(str(new), other_look(reference_image()))
    assert refusal(teach, faces, str(new), "--edition", "my-copy") == "teach-which-way"
    assert stored_names() == []


@pytest.mark.parametrize("name", ["", "a/b", "..", "a b", "ä", "x" * 41, "standard"])
def test_a_name_that_is_none_is_refused(faces, name):
    assert refusal(teach, faces, "--edition", name) == "edition-name"


def test_options_of_other_games_are_refused(faces):
    assert refusal(teach, faces, "--edition", "my-copy", "--game", "chess") == "teach-game"
    assert refusal(teach, faces, "--edition", "my-copy", "--faces", "blue") == "usage"
    assert refusal(teach, "--edition", "my-copy") == "usage"


def test_a_scan_uses_a_taught_edition_and_lists_the_known_ones(faces, capsys):
    teach(faces, "--edition", "my-copy")
    capsys.readouterr()
    photo = "firmware/data/between-two-cities.jpg"
    assert main(["read", photo, "--edition", "my-copy", "--json"]) == 0
    assert '"edition": "my-copy"' in capsys.readouterr().out
    assert main(["read", photo, "--edition", "zzz"]) == 2
    assert "known are standard, my-copy" in capsys.readouterr().err


def test_a_damaged_edition_gives_one_clear_error(faces, capsys):
    teach(faces, "--edition", "my-copy")
    folder = editions_folder() / "my-copy"
    (folder / "park-1.png").write_bytes(b"nothing")
    assert main(["read", "firmware/data/between-two-cities.jpg", "--edition", "my-copy"]) == 2
    error = capsys.readouterr().err
    assert "park-1.png" in error
    assert error.count("\n") == 1
    (folder / "edition.toml").write_text("format = 3\n")
    assert refusal(load_edition, "my-copy", None) == "description-format"
