"""``stadtblick demo``: the whole way, without a question and without hardware."""

import errno
import json
import re
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from firmware.base.terminal_picture import picture_lines
from firmware.cli import main
from firmware.commands import demo
from hardware.display import StandInDisplay
from scoring.games.between_two_cities.notation import parse_city
from tests.firmware.fake_eye import EXAMPLE, FakeEye, write_photo
from vision.lab.simulate.sample import CITIES


@pytest.fixture
def sample(tmp_path, monkeypatch):
    """A bundled photo, and an empty folder to stand in."""
    monkeypatch.setattr(demo, "SAMPLE", write_photo(tmp_path / "sample-table.jpg"))
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    return here


def run(*arguments):
    return main(["demo", *map(str, arguments)], reader=FakeEye(*EXAMPLE))


def test_shows_the_sheet_and_the_screen_and_where_the_pictures_are(sample, capsys):
    for folder in ("stadtblick-demo", "stadtblick-demo-2"):
        assert run() == 0
        printed = capsys.readouterr().out
        assert "Player 4 wins with 62 points" in printed
        assert "The display shows:" in printed
        assert f"{folder}/annotated.jpg" in printed
        assert (sample / folder / "annotated.jpg").exists()
        assert (sample / folder / "screens" / "winner.png").exists()


def test_the_folder_can_be_named(sample, tmp_path):
    assert run("--out", tmp_path / "pictures") == 0
    assert (tmp_path / "pictures" / "annotated.jpg").exists()
    assert list(sample.iterdir()) == []


def test_unwritable_folder_is_replaced_by_a_temporary_one(sample, capsys, monkeypatch):
    monkeypatch.chdir("/proc")
    assert run() == 0
    (path,) = re.findall(r"annotated photo: (\S+)", capsys.readouterr().out)
    assert Path(path).exists()
    assert not path.startswith("/proc")


def test_shows_what_the_emulated_display_shows(sample, capsys, monkeypatch):
    shown = []

    class Display(StandInDisplay):
        def show(self, image):
            super().show(ImageChops.invert(image))
            shown.append(self.image)

    monkeypatch.setattr(demo, "StandInDisplay", Display)
    monkeypatch.setenv("COLUMNS", "128")
    assert run() == 0
    (picture,) = shown
    assert "\n".join(picture_lines(picture, 128)) in capsys.readouterr().out


def test_a_refused_photo_and_a_full_disk_leave_no_folder(sample, capsys, monkeypatch):
    eye = FakeEye(refuses={"sample-table.jpg": "photo-too-dark"})
    for options in ([], ["--out", str(sample / "pictures")]):
        assert main(["demo", *options], reader=eye) == 2
        assert main(["demo", *options], reader=FakeEye(EXAMPLE[0])) == 2
    assert list(sample.iterdir()) == []

    def no_space(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("firmware.report.result_folder.save_screens", no_space)
    assert run() == 2
    assert "No space left on device" in capsys.readouterr().err
    assert list(sample.iterdir()) == []


def test_a_full_disk_is_named_in_the_language_in_use(sample, capsys, monkeypatch):
    def no_space(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("firmware.report.result_folder.save_screens", no_space)
    assert run("--lang", "de") == 2
    assert "(kein Speicherplatz mehr)" in capsys.readouterr().err


def test_half_blocks_where_they_fit_and_braille_where_they_do_not():
    image = Image.new("1", (8, 4))
    for corner in ((0, 0), (7, 0), (0, 3), (7, 3)):
        image.putpixel(corner, 1)
    assert picture_lines(image, 8) == ["▀      ▀", "▄      ▄"]
    assert picture_lines(image, 7) == ["⡁⠀⠀⢈"]
    lit = Image.new("1", (4, 4), 1)
    assert picture_lines(lit, 80) == ["████"] * 2
    assert picture_lines(lit, 3) == ["⣿⣿"]


def test_the_real_eye_reads_the_bundled_photo_right_and_without_a_doubt(
    tmp_path, monkeypatch, capsys
):
    """The demo is the first thing that a newcomer runs."""
    monkeypatch.chdir(tmp_path)
    assert main(["demo"]) == 0
    printed = capsys.readouterr().out
    assert "points" in printed
    assert "check" not in printed
    folder = tmp_path / "stadtblick-demo"
    sheet = json.loads((folder / "sheet.json").read_text())
    assert sheet["unsure"] == sheet["notes"] == sheet["missing"] == []
    cities = json.loads((folder / "reading.json").read_text())["cities"]
    truth = [parse_city(city).grid for city in CITIES]
    assert [tuple(map(tuple, city["grid"])) for city in cities] == truth
    assert (folder / "screens" / "map.png").exists()
