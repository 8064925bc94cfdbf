"""``stadtblick scan``: what it prints, writes, refuses and tells the shell."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware.cli import main
from scoring.faces import Face
from tests.firmware.fake_eye import EXAMPLE, FakeEye, write_photo

NO_FACTORIES = "SSSS/PPHP/HOOO/HOOE"


@pytest.fixture
def photo(tmp_path):
    return str(write_photo(tmp_path / "table.jpg"))


def scan(*arguments, eye=None):
    return main(["scan", *map(str, arguments)], eye=eye or FakeEye(*EXAMPLE))


def scanned_json(capsys, *arguments, eye=None):
    """Exit code and sheet; nothing else may be printed."""
    code = scan(*arguments, "--json", eye=eye)
    printed = capsys.readouterr()
    assert printed.err == ""
    return code, json.loads(printed.out)


def refused(capsys, *arguments, eye=None):
    """The error of a scan that is refused, as an object; its line for people is checked, too."""
    assert scan(*arguments, "--json", eye=eye) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    error = json.loads(printed.err)["error"]
    assert set(error) == {"code", "message", "where"}
    assert scan(*arguments, eye=eye) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("stadtblick: ")
    assert printed.err.count("\n") == 1
    assert error["where"] in printed.err
    return error


class TestSheet:
    def test_says_what_each_city_is_worth_and_who_wins(self, photo, capsys):
        assert scan(photo) == 0
        printed = capsys.readouterr()
        assert printed.err == ""
        lines = [line.split() for line in printed.out.splitlines()]
        assert ["A", "B", "C", "D", "E", "F"] in lines
        assert ["shops", "16", "2", "2", "16", "5", "10"] in lines
        assert ["houses", "12", "12", "25", "0", "9", "20"] in lines
        assert ["total", "56", "57", "62", "62", "52", "62"] in lines
        assert "P4 wins with 62 points" in printed.out

    def test_shows_the_tiles_of_each_city(self, photo, capsys):
        scan(photo)
        printed = capsys.readouterr().out
        assert "S S S S   H H H P   F F F S" in printed
        assert "M tavern with music" in printed

    def test_players_are_ranked_and_may_have_names(self, photo, capsys):
        scan(photo, "--players", "Ben,Matthew,Anna Grace,Emily,Margaux,Peter")
        printed = capsys.readouterr().out
        assert "Emily wins with 62 points" in printed
        ranking = [line.split()[:2] for line in printed.splitlines() if " 62 " in line]
        assert ["1", "Emily"] in ranking

    def test_the_tie_break_is_named(self, photo, capsys):
        scan(photo)
        assert "higher city: 62, P2 57" in capsys.readouterr().out

    def test_reasons_explain_each_point(self, photo, capsys):
        scan(photo, "--reasons")
        printed = capsys.readouterr().out
        assert "4 shops in a row" in printed
        assert "0,0 0,1 0,2 0,3" in printed
        assert "2 offices beside a tavern: 1 more each" in printed

    def test_json(self, photo, capsys):
        code, sheet = scanned_json(capsys, photo)
        assert code == 0
        assert [city["total"] for city in sheet["cities"]] == [56, 57, 62, 62, 52, 62]
        assert [player["final"] for player in sheet["players"]] == [56, 56, 57, 62, 52, 52]
        assert sheet["winners"] == [3]
        assert sheet["unsure"] == []
        assert sheet["notes"] == []

    def test_seven_cities_fit_into_eighty_columns(self, photo, capsys, monkeypatch):
        monkeypatch.setenv("COLUMNS", "80")
        eye = FakeEye(*EXAMPLE, "OOOO/OPPP/PHHH/SSHH")
        assert scan(photo, "--reasons", eye=eye) == 0
        printed = capsys.readouterr().out
        assert max(map(len, printed.splitlines())) <= 80
        assert ["A", "B", "C", "D", "E", "F", "G"] in [
            line.split() for line in printed.splitlines()
        ]

    def test_without_a_terminal_there_are_no_colours(self, photo, capsys):
        scan(photo)
        assert "\x1b" not in capsys.readouterr().out

    def test_player_names_cannot_control_the_terminal(self, photo, capsys):
        scan(photo, "--players", "[red]A[/red],:smile:,\x1b[2J,D\nE,F,G")
        printed = capsys.readouterr().out
        assert "[red]A[/red]" in printed
        assert ":smile:" in printed
        assert "\x1b" not in printed


class TestCorrections:
    def test_a_tile_is_put_right(self, photo, capsys):
        _, before = scanned_json(capsys, photo)
        _, after = scanned_json(capsys, photo, "--set", "B:1,3=park")
        assert before["cities"][1]["points"]["taverns"] == 1
        assert after["cities"][1]["points"]["taverns"] == 0

    def test_a_corrected_tile_is_no_longer_unsure(self, photo, capsys):
        eye = FakeEye(*EXAMPLE, unsure={(0, (1, 2)): [Face.PARK], (2, (0, 0)): [Face.OFFICE]})
        assert scanned_json(capsys, photo, eye=eye)[0] == 1
        code, sheet = scanned_json(capsys, photo, "--set", "a:1,2=house", eye=eye)
        assert code == 1
        assert [place["city"] for place in sheet["unsure"]] == ["C"]
        corrections = ["--set", "A:1,2=house", "--set", "C:0,0=factory"]
        assert scanned_json(capsys, photo, *corrections, eye=eye)[0] == 0

    def test_a_missing_tile_is_filled_in(self, photo, capsys):
        eye = FakeEye("SSSS/PPHP/HOOO/HOO.", *EXAMPLE[1:])
        code, sheet = scanned_json(capsys, photo, "--set", "A:3,3=tavern-food", eye=eye)
        assert (code, sheet["cities"][0]["total"]) == (0, 56)

    def test_a_tile_that_is_none_is_taken_away(self, photo, capsys):
        _, sheet = scanned_json(capsys, photo, "--set", "A:3,3=none")
        assert sheet["missing"] == [{"city": "A", "at": [3, 3]}]

    def test_the_last_word_counts(self, photo, capsys):
        arguments = ["--set", "A:0,0=park", "--set", "A:0,0=shop"]
        assert scanned_json(capsys, photo, *arguments)[1]["cities"][0]["total"] == 56

    @pytest.mark.parametrize(
        ("correction", "code"),
        [
            ("A", "correction-malformed"),
            ("A:2=park", "correction-malformed"),
            ("A:2,3:park", "correction-malformed"),
            ("A:-1,0=park", "correction-malformed"),
            ("1:0,0=park", "correction-malformed"),
            ("", "correction-malformed"),
            ("A:2,3=tree", "correction-unknown-face"),
            ("A:2,3=tavern", "correction-unknown-face"),
            ("G:0,0=park", "correction-unknown-city"),
            ("A:4,0=park", "correction-off-grid"),
            ("A:0,4=park", "correction-off-grid"),
        ],
    )
    def test_that_makes_no_sense_is_refused(self, photo, capsys, correction, code):
        error = refused(capsys, photo, "--set", correction)
        assert error["code"] == code
        assert correction in error["where"]

    def test_a_misspelt_face_is_suggested(self, photo, capsys):
        assert "did you mean factory" in refused(capsys, photo, "--set", "A:0,0=facory")["message"]


class TestNeedsAPerson:
    def test_unsure_tiles_are_listed_with_the_way_to_correct_them(self, photo, capsys):
        eye = FakeEye(*EXAMPLE, unsure={(1, (2, 3)): [Face.PARK, Face.OFFICE]})
        assert scan(photo, eye=eye) == 1
        printed = capsys.readouterr().out
        assert "F?" in printed
        line = next(line for line in printed.splitlines() if "--set" in line)
        assert line.split() == [
            "B",
            "2,3",
            "factory",
            "or",
            "park,",
            "office",
            "--set",
            "B:2,3=park",
        ]

    def test_the_way_to_correct_them_can_be_copied_from_eighty_columns(self, photo, capsys):
        faces = [Face.TAVERN_MUSIC, Face.TAVERN_DRINK, Face.TAVERN_FOOD]
        eye = FakeEye(*EXAMPLE, unsure={(2, (2, 3)): faces})
        scan(photo, eye=eye)
        assert "--set C:2,3=tavern-music\n" in capsys.readouterr().out

    def test_unsure_tiles_in_json(self, photo, capsys):
        eye = FakeEye(*EXAMPLE, unsure={(1, (2, 3)): [Face.PARK, Face.OFFICE]})
        code, sheet = scanned_json(capsys, photo, eye=eye)
        assert code == 1
        assert sheet["unsure"] == [
            {"city": "B", "at": [2, 3], "read": "factory", "alternatives": ["park", "office"]}
        ]

    def test_an_incomplete_city_is_scored_and_says_so(self, photo, capsys):
        eye = FakeEye("SSSS/PPHP/HOOO/HOO.", *EXAMPLE[1:])
        assert scan(photo, eye=eye) == 1
        printed = capsys.readouterr().out
        assert "Scored without the missing tiles: A 3,3" in printed
        line = next(line for line in printed.splitlines() if "--set" in line)
        assert line.split() == ["A", "3,3", "no", "tile", "--set", "A:3,3=FACE"]

    def test_an_unread_city_is_told(self, photo, capsys):
        eye = FakeEye(*EXAMPLE, unread=["only 6 tiles were seen"])
        assert scan(photo, eye=eye) == 1
        assert "only 6 tiles were seen" in capsys.readouterr().out

    def test_notes_of_the_eye_are_passed_on(self, photo, capsys):
        code, sheet = scanned_json(capsys, photo, eye=FakeEye(*EXAMPLE, notes=["some glare"]))
        assert (code, sheet["notes"]) == (0, ["some glare"])


class TestTwoPlayers:
    CITIES = EXAMPLE[:4]

    @pytest.mark.parametrize(
        ("turns", "cities_of_players"),
        [
            ((0, 180, 180, 0), [[0, 3], [2, 1]]),
            ((90, 90, 270, 270), [[1, 0], [3, 2]]),
            ((350, 170, 190, 10), [[0, 3], [2, 1]]),
        ],
    )
    def test_cities_belong_to_whom_they_face(self, photo, capsys, turns, cities_of_players):
        eye = FakeEye(*self.CITIES, turns_degrees=turns)
        code, sheet = scanned_json(capsys, photo, "--variant", "two-player", eye=eye)
        assert code == 0
        assert [player["cities"] for player in sheet["players"]] == cities_of_players
        totals = [city["total"] for city in sheet["cities"]]
        assert [player["final"] for player in sheet["players"]] == [
            sum(totals[index] for index in cities) for cities in cities_of_players
        ]

    def test_when_all_face_the_same_way_a_person_has_to_look(self, photo, capsys):
        eye = FakeEye(*self.CITIES, turns_degrees=(0, 0, 0, 0))
        code, sheet = scanned_json(capsys, photo, "--variant", "two-player", eye=eye)
        assert code == 1
        assert [player["cities"] for player in sheet["players"]] == [[0, 3], [2, 1]]
        assert "belong" in sheet["notes"][0]


class TestRefusals:
    @pytest.mark.parametrize(
        ("count", "variant", "found"),
        [
            (1, "standard", "found 1 city, standard needs 3 to 7: is a city outside"),
            (2, "standard", "found 2 cities, standard needs 3 to 7: is a city outside"),
            (8, "standard", "found 8 cities, standard needs 3 to 7: choose the other variant"),
            (3, "two-player", "found 3 cities, two-player needs 4: is a city outside"),
            (5, "two-player", "found 5 cities, two-player needs 4: choose the other variant"),
        ],
    )
    def test_wrong_number_of_cities(self, photo, capsys, count, variant, found):
        eye = FakeEye(*[NO_FACTORIES] * count)
        error = refused(capsys, photo, "--variant", variant, eye=eye)
        assert (error["code"], error["where"]) == ("city-count", photo)
        assert error["message"].startswith(found)

    def test_cities_that_could_not_be_read_are_counted_beside(self, photo, capsys):
        eye = FakeEye(*[NO_FACTORIES] * 2, unread=["blurred"])
        assert (
            "found 2 cities and 1 more that cannot be read"
            in (refused(capsys, photo, eye=eye)["message"])
        )

    def test_no_city(self, photo, capsys):
        assert refused(capsys, photo, eye=FakeEye())["code"] == "no-city"

    def test_more_tiles_than_the_game_has(self, photo, capsys):
        error = refused(capsys, photo, eye=FakeEye(*["FFFF/FFFF/FFFF/FFFF"] * 3))
        assert (error["code"], error["where"]) == ("too-many-tiles", photo)

    def test_wrong_number_of_names(self, photo, capsys):
        error = refused(capsys, photo, "--players", "Ben,Emily")
        assert (error["code"], error["where"]) == ("player-count", "--players")

    def test_what_the_eye_refuses(self, photo, capsys):
        eye = FakeEye(refuses={"table.jpg": "photo-too-dark"})
        assert refused(capsys, photo, eye=eye)["code"] == "photo-too-dark"

    def test_a_file_that_is_no_photo(self, tmp_path, capsys):
        path = tmp_path / "no\tphoto\n.jpg"
        path.write_text("hello")
        assert scan(path) == 2
        printed = capsys.readouterr().err
        assert printed.count("\n") == 1
        assert printed.endswith("): give a photo in JPEG or PNG format\n")

    def test_a_photo_whose_name_is_no_text(self, tmp_path, capfd):
        name = bytes(tmp_path) + b"/\xff.jpg"
        write_photo(tmp_path / "table.jpg").rename(Path(name.decode("utf-8", "surrogateescape")))
        argument = name.decode("utf-8", "surrogateescape")
        assert main(["read", "--json", argument], eye=FakeEye(*EXAMPLE)) == 0
        assert json.loads(capfd.readouterr().out)["photo"] == argument

    def test_unknown_edition(self, photo, capsys):
        assert refused(capsys, photo, "--edition", "golden")["code"] == "unknown-edition"


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

    def test_a_full_disk_still_leaves_the_sheet(self, photo, tmp_path, capsys, monkeypatch):
        def no_space(*_):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("firmware.result_folder.save_screens", no_space)
        assert scan(photo, "--out", tmp_path / "out") == 2
        printed = capsys.readouterr()
        assert "P4 wins" in printed.out
        assert "No space left on device" in printed.err
        assert list((tmp_path / "out").iterdir()) == []
