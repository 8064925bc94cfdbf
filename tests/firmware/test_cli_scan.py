"""``stadtblick scan``: the sheet, corrections, and two players."""

import pytest

from scoring.faces import Face
from tests.firmware.fake_eye import EXAMPLE, FakeEye
from tests.firmware.scanning import refused, scan, scanned_json
from vision.reading import NoteCode, note


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
        assert "4 shops in row 1" in printed
        assert "1,1 1,2 1,3 1,4" in printed
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
        _, after = scanned_json(capsys, photo, "--set", "B:2,4=park")
        assert before["cities"][1]["points"]["taverns"] == 1
        assert after["cities"][1]["points"]["taverns"] == 0

    def test_a_corrected_tile_is_no_longer_unsure(self, photo, capsys):
        eye = FakeEye(*EXAMPLE, unsure={(0, (1, 2)): [Face.PARK], (2, (0, 0)): [Face.OFFICE]})
        assert scanned_json(capsys, photo, eye=eye)[0] == 1
        code, sheet = scanned_json(capsys, photo, "--set", "a:2,3=house", eye=eye)
        assert code == 1
        assert [place["city"] for place in sheet["unsure"]] == ["C"]
        corrections = ["--set", "A:2,3=house", "--set", "C:1,1=factory"]
        assert scanned_json(capsys, photo, *corrections, eye=eye)[0] == 0

    def test_a_missing_tile_is_filled_in(self, photo, capsys):
        eye = FakeEye("SSSS/PPHP/HOOO/HOO.", *EXAMPLE[1:])
        code, sheet = scanned_json(capsys, photo, "--set", "A:4,4=tavern-food", eye=eye)
        assert (code, sheet["cities"][0]["total"]) == (0, 56)

    def test_a_tile_that_is_none_is_taken_away(self, photo, capsys):
        _, sheet = scanned_json(capsys, photo, "--set", "A:4,4=none")
        assert sheet["missing"] == [{"city": "A", "at": [3, 3]}]

    @pytest.mark.parametrize("face", ["park", "none"])
    def test_what_was_odd_about_a_corrected_tile_is_no_longer_said(self, photo, capsys, face):
        codes = (NoteCode.UPSIDE_DOWN, (1, 2)), (NoteCode.NO_TILE, (1, 3)), (NoteCode.TOO_DARK,)
        notes = {0: [note(*each) for each in codes]}
        eye = FakeEye(*EXAMPLE, city_notes=notes)
        assert scanned_json(capsys, photo, eye=eye)[1]["notes"] == [
            "city A: the tile lies upside down at 2,3",
            "city A: no tile can be seen at 2,4",
            "city A: it is too dark: use more light",
        ]
        assert scanned_json(capsys, photo, "--set", f"A:2,3={face}", eye=eye)[1]["notes"] == [
            "city A: no tile can be seen at 2,4",
            "city A: it is too dark: use more light",
        ]

    def test_the_last_word_counts(self, photo, capsys):
        arguments = ["--set", "A:1,1=park", "--set", "A:1,1=shop"]
        assert scanned_json(capsys, photo, *arguments)[1]["cities"][0]["total"] == 56

    @pytest.mark.parametrize(
        ("correction", "code"),
        [
            ("A", "correction-malformed"),
            ("A:2=park", "correction-malformed"),
            ("A:2,3:park", "correction-malformed"),
            ("A:-1,0=park", "correction-malformed"),
            ("1:1,1=park", "correction-malformed"),
            ("", "correction-malformed"),
            ("A:3,4=tree", "correction-unknown-face"),
            ("A:3,4=tavern", "correction-unknown-face"),
            ("G:1,1=park", "correction-unknown-city"),
            ("A:5,1=park", "correction-off-grid"),
            ("A:1,5=park", "correction-off-grid"),
        ],
    )
    def test_that_makes_no_sense_is_refused(self, photo, capsys, correction, code):
        error = refused(capsys, photo, "--set", correction)
        assert error["code"] == code
        assert correction in error["where"]

    def test_a_misspelt_face_is_suggested(self, photo, capsys):
        assert "did you mean factory" in refused(capsys, photo, "--set", "A:1,1=facory")["message"]


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
        assert "--owners" in sheet["notes"][0]

    def test_owners_may_be_stated(self, photo, capsys):
        eye = FakeEye(*self.CITIES, turns_degrees=(0, 0, 0, 0))
        owners = ["--variant", "two-player", "--owners", "1,0,1,0"]
        code, sheet = scanned_json(capsys, photo, *owners, eye=eye)
        assert (code, sheet["notes"]) == (0, [])
        assert [player["cities"] for player in sheet["players"]] == [[1, 3], [0, 2]]

    def test_what_is_stated_counts_more_than_what_the_cities_show(self, photo, capsys):
        eye = FakeEye(*self.CITIES, turns_degrees=(0, 180, 180, 0))
        owners = ["--variant", "two-player", "--owners", "0, 0, 1, 1"]
        _, sheet = scanned_json(capsys, photo, *owners, eye=eye)
        assert [player["cities"] for player in sheet["players"]] == [[1, 0], [3, 2]]

    @pytest.mark.parametrize(
        "owners", ["", "0", "0,1", "0,1,1", "0,1,1,0,0", "0,1,1,2", "0,0,0,1", "A,B,B,A", "0;1;1;0"]
    )
    def test_owners_that_make_no_sense_are_refused(self, photo, capsys, owners):
        error = refused(capsys, photo, "--variant", "two-player", f"--owners={owners}")
        assert error["code"] == "owners-malformed"
        assert "0,1,1,0" in error["message"]

    def test_owners_are_for_two_players(self, photo, capsys):
        error = refused(capsys, photo, "--owners", "0,1,1,0")
        assert (error["code"], error["where"]) == ("usage", "--owners")
        assert "two-player" in error["message"]
