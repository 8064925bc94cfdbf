"""What is written into the folder of ``--out``, and what is left alone there."""

import json
from dataclasses import replace

import cv2
import numpy as np
import pytest
from PIL import Image

from firmware.errors import OutputError
from firmware.result_folder import prepare_folder, write_reading, write_results
from firmware.scan import score_reading, table_of
from firmware.screens import result_screens
from scoring.games.between_two_cities.table import Variant
from tests.firmware.fake_eye import EXAMPLE, FakeEye, write_photo
from vision.photo import load_photo


@pytest.fixture
def photo(tmp_path):
    return load_photo(write_photo(tmp_path / "table.jpg"))


@pytest.fixture
def folder(tmp_path):
    out = tmp_path / "out"
    prepare_folder(out)
    return out


def read(photo, *cities, **what):
    return FakeEye(*(cities or EXAMPLE), **what)(photo)


def same_way(photo):
    """Four cities of two players that all face the same way."""
    return read(photo, *EXAMPLE[:4], turns_degrees=(0, 0, 0, 0))


class TestScreens:
    def test_of_a_smaller_table_before_are_removed(self, photo, folder):
        write_results(folder, photo, score_reading(read(photo)))
        write_results(folder, photo, score_reading(read(photo, *EXAMPLE[:3])))
        cities = {path.name for path in (folder / "screens").glob("city-*.png")}
        assert cities == {f"city-{letter}{size}.png" for letter in "ABC" for size in ("", "@8x")}

    def test_of_a_doubt_that_is_gone_are_removed(self, photo, folder):
        doubtful = read(photo, unsure={(0, (1, 1)): []}, unread=["too dark"])
        write_results(folder, photo, score_reading(doubtful))
        assert (folder / "screens" / "unsure-1@8x.png").exists()
        assert (folder / "screens" / "unread-1.png").exists()
        write_results(folder, photo, score_reading(read(photo)))
        assert not list((folder / "screens").glob("un*"))

    def test_pictures_of_other_names_stay(self, photo, folder):
        mine = [folder / "screens" / name for name in ("holiday.png", "city-Rome.png", "MAP.PNG")]
        (folder / "screens").mkdir()
        for path in mine:
            path.write_bytes(b"mine")
        write_results(folder, photo, score_reading(read(photo)))
        assert [path.read_bytes() for path in mine] == [b"mine"] * 3

    def test_say_that_owners_are_unknown(self, photo, folder):
        scan = score_reading(same_way(photo), variant=Variant.TWO_PLAYER)
        assert not scan.owners_known
        write_results(folder, photo, scan)
        assert (folder / "screens" / "owners.png").exists()
        (wanted, *_) = result_screens(scan.sheet, scan.reading, owners_known=False)
        with Image.open(folder / "screens" / "winner.png") as written:
            assert written.tobytes() == wanted.image.tobytes()


class TestAnnotatedPhoto:
    def test_says_that_owners_are_unknown(self, photo, folder):
        scan = score_reading(same_way(photo), variant=Variant.TWO_PLAYER)

        def annotated(scan):
            write_results(folder, photo, scan)
            return cv2.imread(str(folder / "annotated.jpg")).astype(int)

        difference = np.abs(annotated(scan) - annotated(replace(scan, owners_known=True)))
        assert (difference.max(axis=2) > 60).sum() > 1000


class TestReading:
    def test_has_the_table_that_was_scored(self, photo, folder):
        names = ("Ben", "Emily")
        reading = read(photo, *EXAMPLE[:4], turns_degrees=(90, 90, 270, 270))
        write_results(
            folder, photo, score_reading(reading, variant=Variant.TWO_PLAYER, players=names)
        )
        table = json.loads((folder / "reading.json").read_text())["table"]
        assert table["variant"] == "two-player"
        assert table["owners"] == [0, 0, 1, 1]
        assert table["players"] == ["Ben", "Emily"]

    def test_is_all_that_is_left_when_the_table_is_refused(self, photo, folder):
        write_results(folder, photo, score_reading(read(photo)))
        reading = read(photo, EXAMPLE[0])
        write_reading(folder, photo, reading, table_of(reading))
        files = {path.name for path in folder.rglob("*") if path.is_file()}
        assert files == {"reading.json", "annotated.jpg"}
        assert len(json.loads((folder / "reading.json").read_text())["cities"]) == 1


class TestThePhotoItself:
    @pytest.mark.parametrize("name", ["annotated.jpg", "reading.json", "screens/city-G.png"])
    def test_is_never_replaced_or_removed(self, folder, name):
        (folder / "screens").mkdir()
        path = write_photo(folder / name)
        before = path.read_bytes()
        photo = load_photo(path)
        reading = read(photo)
        for write in (
            lambda: write_results(folder, photo, score_reading(reading)),
            lambda: write_reading(folder, photo, reading, table_of(reading)),
        ):
            with pytest.raises(OutputError) as error:
                write()
            assert (error.value.code, error.value.where) == ("out-is-the-photo", str(folder))
            assert path.read_bytes() == before
        assert [path for path in folder.rglob("*") if path.is_file()] == [path]

    def test_is_known_by_another_path_too(self, tmp_path, folder):
        write_photo(folder / "annotated.jpg")
        link = tmp_path / "link.jpg"
        link.symlink_to(folder / "annotated.jpg")
        photo = load_photo(link)
        with pytest.raises(OutputError, match="would replace the photo"):
            write_results(folder, photo, score_reading(read(photo)))

    def test_may_lie_in_the_folder_under_another_name(self, folder):
        photo = load_photo(write_photo(folder / "table.jpg"))
        write_results(folder, photo, score_reading(read(photo)))
        assert (folder / "table.jpg").exists()
        assert (folder / "sheet.json").exists()
