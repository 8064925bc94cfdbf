"""Files written into the folder of ``--out``, and files left alone there."""

import pytest

from firmware.base.output_folder import prepare_folder
from firmware.games.scan import Scan
from firmware.report.result_folder import SCREENS_FOLDER, write_results
from firmware.scan.make_scan import make_scan, make_unscored_scan
from tests.firmware.fake_eye import EXAMPLE, FakeEye, write_photo
from tests.refusals import refused
from vision.editions.folder import built_in_edition
from vision.photo.load import Photo, load_photo
from vision.reading import Note, NoteCode

GAME = built_in_edition("between-two-cities").description


@pytest.fixture
def photo(tmp_path):
    return load_photo(write_photo(tmp_path / "table.jpg"))


@pytest.fixture
def folder(tmp_path):
    out = tmp_path / "out"
    prepare_folder(out, SCREENS_FOLDER)
    return out


def scan_of(photo: Photo, *cities: str, **seen) -> Scan:
    return make_scan(FakeEye(*(cities or EXAMPLE), **seen)(photo), GAME)


def files_in(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_link_is_no_folder_for_results(tmp_path, folder):
    (tmp_path / "link").symlink_to(folder)
    with refused("out-not-a-folder"):
        prepare_folder(tmp_path / "link", SCREENS_FOLDER)


def test_screens_go_nowhere_by_a_link(tmp_path, folder):
    (folder / "screens").symlink_to(tmp_path)
    with refused("out-not-a-folder"):
        prepare_folder(folder, SCREENS_FOLDER)


class TestScreens:
    def test_of_a_smaller_table_and_of_doubts_before_are_removed(self, photo, folder):
        unread = [Note(NoteCode.CITY_UNREADABLE)]
        write_results(folder, photo, scan_of(photo, unsure={(0, (1, 1)): []}, unread=unread))
        doubts = {"screens/check-1@8x.png", "screens/unread-1.png"}
        assert doubts <= files_in(folder)
        write_results(folder, photo, scan_of(photo, *EXAMPLE[:3]))
        assert not doubts & files_in(folder)
        cities = {path.name for path in (folder / "screens").glob("city-*.png")}
        assert cities == {f"city-{letter}{size}.png" for letter in "ABC" for size in ("", "@8x")}

    def test_pictures_that_are_no_results_stay(self, photo, folder):
        mine = [folder / "screens" / name for name in ("holiday.png", "city-Rome.png", "MAP.PNG")]
        (folder / "screens").mkdir()
        for path in mine:
            path.write_bytes(b"mine")
        for _ in range(2):
            write_results(folder, photo, scan_of(photo))
        assert [path.read_bytes() for path in mine] == [b"mine"] * 3


class TestThePhotoItself:
    @pytest.mark.parametrize("name", ["annotated.jpg", "reading.json", "screens/city-G.png"])
    def test_is_never_replaced_or_removed(self, folder, name):
        (folder / "screens").mkdir()
        path = write_photo(folder / name)
        before = path.read_bytes()
        photo = load_photo(path)
        for scan in (scan_of(photo), make_unscored_scan(FakeEye(*EXAMPLE)(photo), GAME)):
            with refused("out-is-the-photo", where=str(folder)):
                write_results(folder, photo, scan)
            assert path.read_bytes() == before
        assert files_in(folder) == {name}

    def test_photo_is_recognised_by_another_path(self, tmp_path, folder):
        link = tmp_path / "link.jpg"
        link.symlink_to(write_photo(folder / "annotated.jpg"))
        photo = load_photo(link)
        with refused("out-is-the-photo", "would replace the photo"):
            write_results(folder, photo, scan_of(photo))
        photo = load_photo(write_photo(folder / "table.jpg"))
        write_results(folder, photo, scan_of(photo))
        assert {"table.jpg", "sheet.json"} <= files_in(folder)
