"""``stadtblick scan --out``: what is written."""

import json

import cv2
import numpy as np

from firmware.errors import ExitCode
from tests.firmware.fake_eye import EXAMPLE, FEW, FakeEye, write_photo
from tests.firmware.scanning import refused, scan


class TestOut:
    def test_everything_about_the_scan_is_written(self, photo, tmp_path, capsys):
        out = tmp_path / "new" / "result"
        assert scan(photo, "--out", out) == 0
        files = {str(path.relative_to(out)) for path in out.rglob("*") if path.is_file()}
        assert {"sheet.json", "reading.json", "annotated.jpg", "screens/winner.png"} <= files
        assert {f"screens/city-{letter}.png" for letter in "ABCDEF"} <= files
        assert not any(".unfinished" in name for name in files)
        assert json.loads((out / "sheet.json").read_text())["winners"] == [3]
        assert len(json.loads((out / "reading.json").read_text())["cities"]) == 6
        assert cv2.imread(str(out / "annotated.jpg")).shape == (720, 960, 3)

    def test_a_photo_larger_than_memory_allows_is_annotated_smaller(self, tmp_path):
        photo = write_photo(tmp_path / "large.jpg", (4608, 2592))
        assert scan(photo, "--out", tmp_path / "out") == 0
        annotated = cv2.imread(str(tmp_path / "out" / "annotated.jpg"))
        assert annotated.shape == (1296, 2304, 3)
        reading = json.loads((tmp_path / "out" / "reading.json").read_text())
        assert reading["size"] == [4608, 2592]
        corners = np.array(reading["cities"][0]["corners_px"])
        x, y = (corners.mean(axis=0) / 2).round().astype(int)
        assert annotated[y - 40 : y + 40, x - 40 : x + 40].std() > 5, "something is drawn there"

    def test_results_of_an_earlier_scan_are_replaced(self, photo, tmp_path):
        out = tmp_path / "out"
        scan(photo, "--out", out)
        (out / "mine.txt").write_text("keep me")
        scan(photo, "--out", out, eye=FakeEye(*EXAMPLE[:3]))
        assert not (out / "screens" / "city-D.png").exists()
        assert (out / "screens" / "city-C.png").exists()
        assert (out / "mine.txt").read_text() == "keep me"

    def test_a_file_in_the_way(self, photo, tmp_path, capsys):
        (tmp_path / "out").write_text("")
        error = refused(capsys, photo, "--out", tmp_path / "out")
        assert (error["code"], error["where"]) == ("out-not-a-folder", str(tmp_path / "out"))
        error = refused(capsys, photo, "--out", tmp_path / "out" / "below")
        assert error["code"] == "out-not-a-folder"

    def test_a_place_that_cannot_be_written(self, photo, capsys):
        assert refused(capsys, photo, "--out", "/proc/stadtblick")["code"] == "out-not-writable"

    def test_a_reader_that_stops_early_costs_nothing(self, photo, tmp_path, monkeypatch):
        def nobody_reads(_):
            raise BrokenPipeError

        monkeypatch.setattr("firmware.terminal.write_json", nobody_reads)
        assert scan(photo, "--json", "--out", tmp_path / "out") == ExitCode.BROKEN_PIPE
        assert json.loads((tmp_path / "out" / "sheet.json").read_text())["winners"] == [3]

    def test_a_full_disk_still_leaves_the_sheet(self, photo, tmp_path, capsys, monkeypatch):
        def no_space(*_):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("firmware.result_folder.save_screens", no_space)
        assert scan(photo, "--out", tmp_path / "out") == 2
        printed = capsys.readouterr()
        assert "P4 wins" in printed.out
        assert "No space left on device" in printed.err
        assert list((tmp_path / "out").iterdir()) == []

    def test_what_is_refused_is_shown_nevertheless(self, photo, tmp_path, capsys):
        eye = FakeEye(*["FFFF/FFFF/FFFF/FFFF"] * 3, unsure={(0, (1, 1)): []})
        out = tmp_path / "out"
        error = refused(capsys, photo, "--out", out, "--set", "B:1,1=park", eye=eye)
        assert error["code"] == "too-many-tiles"
        assert {path.name for path in out.iterdir()} == {"annotated.jpg", "reading.json"}
        assert cv2.imread(str(out / "annotated.jpg")).shape == (720, 960, 3)
        reading = json.loads((out / "reading.json").read_text())
        assert reading["cities"][0]["unsure"] == [[1, 1]]
        assert reading["table"]["cities"][1]["grid"][0][:2] == ["park", "factory"]

    def test_a_wrong_number_of_cities_is_shown(self, photo, tmp_path, capsys):
        out = tmp_path / "out"
        for eye in (FakeEye(EXAMPLE[0]), FakeEye(unread=[FEW])):
            refused(capsys, photo, "--out", out, eye=eye)
            reading = json.loads((out / "reading.json").read_text())
            assert len(reading["cities"]) == len(eye.cities)
            assert cv2.imread(str(out / "annotated.jpg")).std() > 1, "something is drawn there"
