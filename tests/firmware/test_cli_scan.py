"""``stadtblick scan``: the sheet, corrections, doubts, what is written, and what is refused."""

import json
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware.base.errors import ExitCode
from firmware.cli import main
from scoring.faces import Face
from tests.firmware.fake_eye import DARK, EXAMPLE, NOT_READ, FakeEye, write_photo
from tests.firmware.tables import GOLDEN_TEXTS
from vision.reading import NoteCode, note

NO_FACTORIES = "SSSS/PPHP/HOOO/HOOE"
INCOMPLETE = ("SSSS/PPHP/HOOO/HOO.", *EXAMPLE[1:])


@pytest.fixture
def run_scan(photo, prints):
    return partial(prints, "scan", photo)


@pytest.fixture
def sheet(run_scan):
    return lambda *arguments, **options: json.loads(run_scan(*arguments, "--json", **options))


@pytest.fixture
def error(photo, refuses):
    return partial(refuses, "scan", photo)


def rows(printed):
    return [line.split() for line in printed.splitlines()]


class TestSheet:
    def test_names_are_composed(self, run_scan):
        players = json.loads(run_scan("--players", "A\u0301nn,B,C,D,E,F", "--json"))["players"]
        assert players[0]["name"] == "\u00c1nn"

    def test_for_people_is_that_of_the_table(self, run_scan):
        """A sheet without doubts equals that of the table; names and reasons on request."""
        players = "Ben,Matthew,Anna Grace,Emily,Margaux,Peter"
        lines = run_scan("--players", players, "--reasons").splitlines()
        golden = GOLDEN_TEXTS["between-two-cities"].read_text("utf-8")
        assert [line.rstrip() for line in lines] == [*golden.splitlines(), "Edition: standard"]
        assert "4 shops in row 1" not in run_scan()
        assert "Player 4 wins with 62 points" in run_scan()


class TestCorrections:
    def test_says_what_the_tiles_could_have_scored_if_asked(self, run_scan, sheet):
        (first, *_) = sheet("--better")["better"]
        assert (first["given"], first["total"], first["bound"]) == (56, 60, 60)
        assert "60 if laid best" in run_scan("--better")

    def test_a_tile_is_put_right_and_the_last_word_counts(self, sheet, error):
        assert sheet()["cities"][1]["points"]["taverns"] == 1
        assert sheet("--set", "B:2,4=park")["cities"][1]["points"]["taverns"] == 0
        twice = ["--set", "A:1,1=park", "--set", "A:1,1=shop"]
        assert sheet(*twice)["cities"][0]["total"] == 56
        result = sheet("--set", "A:4,4=tavern-food", eye=FakeEye(*INCOMPLETE))
        assert result["cities"][0]["total"] == 56
        result = sheet("--set", "A:4,4=none", code=1)
        assert result["missing"] == [{"city": "A", "at": [3, 3]}]
        assert "did you mean factory" in error("--set", "A:1,1=facory")["message"]

    def test_a_corrected_tile_is_no_longer_unsure(self, sheet):
        eye = FakeEye(*EXAMPLE, unsure={(0, (1, 2)): [Face.PARK], (2, (0, 0)): [Face.OFFICE]})
        left = sheet("--set", "a:2,3=house", eye=eye, code=1)["unsure"]
        assert [place["city"] for place in left] == ["C"]
        sheet("--set", "A:2,3=house", "--set", "C:1,1=factory", eye=eye)

    @pytest.mark.parametrize("face", ["park", "none"])
    def test_notes_about_a_corrected_tile_are_dropped(self, sheet, face):
        codes = (NoteCode.UPSIDE_DOWN, (1, 2)), (NoteCode.NO_TILE, (1, 3)), (NoteCode.TOO_DARK,)
        eye = FakeEye(*EXAMPLE, city_notes={0: [note(*each) for each in codes]})
        notes = [
            "city A: tile upside down: row 2, column 3",
            "city A: no tile to be seen: row 2, column 4",
            "city A: it is too dark: use more light",
        ]
        assert sheet(eye=eye)["notes"] == notes
        code = 1 if face == "none" else 0
        assert sheet("--set", f"A:2,3={face}", eye=eye, code=code)["notes"] == notes[1:]


class TestTwoPlayers:
    @pytest.mark.parametrize(
        ("turns", "owners", "cities_of_players"),
        [
            ((0, 180, 180, 0), None, [[0, 3], [2, 1]]),
            ((90, 90, 270, 270), None, [[1, 0], [3, 2]]),
            ((350, 170, 190, 10), None, [[0, 3], [2, 1]]),
            ((0, 0, 0, 0), "1,0,1,0", [[1, 3], [0, 2]]),
            # What is stated counts more than what the cities show
            ((0, 180, 180, 0), "0, 0, 1, 1", [[1, 0], [3, 2]]),
        ],
    )
    def test_cities_belong_to_whom_they_face_or_as_is_stated(
        self, sheet, turns, owners, cities_of_players
    ):
        eye = FakeEye(*EXAMPLE[:4], turns_degrees=turns)
        stated = [] if owners is None else ["--owners", owners]
        result = sheet("--variant", "two-player", *stated, eye=eye)
        assert result["notes"] == []
        assert [player["cities"] for player in result["players"]] == cities_of_players
        totals = [city["total"] for city in result["cities"]]
        assert [player["final"] for player in result["players"]] == [
            sum(totals[index] for index in cities) for cities in cities_of_players
        ]

    def test_cities_that_face_one_way_leave_the_owners_open(self, sheet, run_scan):
        eye = FakeEye(*EXAMPLE[:4], turns_degrees=(0, 0, 0, 0))
        found = sheet("--variant", "two-player", eye=eye, code=1)
        assert [player["cities"] for player in found["players"]] == [[0, 3], [2, 1]]
        assert "belong" in found["notes"][0]
        assert "--owners" in found["notes"][0]
        printed = run_scan("--variant", "two-player", eye=eye, code=1)
        assert "May change: 1 note to read" in printed
        assert "119? points" in printed

    @pytest.mark.parametrize(
        "owners", ["", "0", "0,1", "0,1,1", "0,1,1,0,0", "0,1,1,2", "0,0,0,1", "A,B,B,A", "0;1;1;0"]
    )
    def test_owners_that_make_no_sense_are_refused(self, error, owners):
        found = error("--variant", "two-player", f"--owners={owners}")
        assert found["code"] == "owners-malformed"
        assert "0,1,1,0" in found["message"]

    def test_owners_are_for_two_players(self, error):
        found = error("--owners", "0,1,1,0")
        assert (found["code"], found["where"]) == ("usage", "--owners")
        assert "two-player" in found["message"]


class TestNeedsAPerson:
    def test_unsure_tiles_are_listed_with_the_way_to_correct_them(self, run_scan, sheet):
        eye = FakeEye(*EXAMPLE, unsure={(1, (2, 3)): [Face.PARK, Face.OFFICE]})
        printed = run_scan(eye=eye, code=1)
        assert "F?" in printed
        assert "  B, row 3, column 4: factory or park, office\n    --set B:3,4=park\n" in printed
        [unsure] = sheet(eye=eye, code=1)["unsure"]
        alternatives = {"read": "factory", "alternatives": ["park", "office"]}
        assert unsure == {"what": "tile", "city": "B", "at": [2, 3], **alternatives}

    def test_an_incomplete_city_is_scored_and_says_so(self, run_scan, sheet):
        [unsure] = sheet(eye=FakeEye(*INCOMPLETE, unsure={(0, (3, 3)): []}), code=1)["unsure"]
        assert (unsure["at"], unsure["read"]) == ([3, 3], None)
        printed = run_scan(eye=FakeEye(*INCOMPLETE), code=1)
        assert "Scored without the missing tiles: A, row 4, column 4" in printed
        assert "  A, row 4, column 4: no tile\n    --set A:4,4=FACE\n" in printed

    def test_an_unread_city_is_listed_with_its_place(self, run_scan, sheet):
        eye = FakeEye(*EXAMPLE[:5], unread=[NOT_READ])
        checks = run_scan(eye=eye, code=1).partition("Please check (1):")[2]
        assert "upper left of the photo: this looks like a city but cannot be read" in checks
        [unread] = sheet(eye=eye, code=1)["unread"]
        assert unread["why"] == "this looks like a city but cannot be read"
        assert unread["corners_px"] == [[50.0, 50.0], [130.0, 50.0], [130.0, 130.0], [50.0, 130.0]]
        found = sheet(eye=FakeEye(*EXAMPLE, notes=[DARK]))
        assert found["notes"][0].startswith("the photo is dark,")
        assert found["note_codes"] == [{"code": "dark"}]


class TestMayChange:
    WITHOUT_FACTORIES = (NO_FACTORIES, NO_FACTORIES, "PPPP/HHHH/OOEB/OOMD")

    def test_is_said_before_the_winner(self, run_scan):
        doubts = {(0, (0, 1)): [Face.PARK], (0, (1, 1)): [Face.PARK]}
        eye = FakeEye(*EXAMPLE[:4], "SSSF/EBMD/OOPP/HHH.", unsure=doubts, unread=[NOT_READ])
        printed = run_scan(eye=eye, code=1)
        text = "May change: 1 city or board not read, 2 tiles to check, 1 tile missing"
        assert 0 < printed.index(text) < printed.index(" wins")
        assert "Please check (4):" in printed

    @pytest.mark.parametrize(
        ("cities", "doubts", "totals"),
        [
            (WITHOUT_FACTORIES, {"unread": [NOT_READ]}, None),
            # Totals of doubtful cities are marked
            (
                (*WITHOUT_FACTORIES, "OOOO/OOOO/HHHH/HHHH"),
                {"unsure": {(0, (0, 0)): []}},
                (True, False, False, False),
            ),
            # Two cities with the same number of factories both have the most
            (
                (*WITHOUT_FACTORIES[:2], "FPPP/HHHH/OOEB/OOMD"),
                {"unsure": {(0, (0, 0)): [Face.FACTORY]}},
                (True, False, False),
            ),
        ],
    )
    def test_totals_that_may_are_marked_and_all_players(self, run_scan, cities, doubts, totals):
        printed = rows(run_scan(eye=FakeEye(*cities, **doubts), code=1))
        (total,) = [row[1:] for row in printed if row[:1] == ["total"]]
        players_rows = [row for row in printed if len(row) == 7 and row[1].startswith("P")]
        finals = [row[-1] for row in sorted(players_rows, key=lambda row: row[1])]
        assert totals is None or tuple("–" in text for text in total) == totals
        assert totals is not None or all(text.endswith("?") for text in finals)

    def test_note_on_photo_leaves_winner_open(self, run_scan):
        printed = run_scan(eye=FakeEye(*EXAMPLE, notes=[DARK]))
        assert "May change: 1 note to read\nPlayer 4 wins with 62? points" in printed


class TestOut:
    @pytest.fixture
    def out(self, tmp_path):
        return tmp_path / "out"

    def reading(self, out):
        return json.loads((out / "reading.json").read_text())

    def test_everything_about_the_scan_is_written(self, run_scan, tmp_path):
        out = tmp_path / "new" / "result"
        run_scan("--out", out)
        files = {str(path.relative_to(out)) for path in out.rglob("*") if path.is_file()}
        assert {"sheet.json", "reading.json", "annotated.jpg", "screens/winner.png"} <= files
        assert {f"screens/city-{letter}.png" for letter in "ABCDEF"} <= files
        assert not any(".unfinished" in name for name in files)
        assert json.loads((out / "sheet.json").read_text())["winners"] == [3]
        assert len(self.reading(out)["cities"]) == 6
        assert cv2.imread(str(out / "annotated.jpg")).shape == (720, 960, 3)

    def test_a_photo_larger_than_memory_allows_is_annotated_smaller(self, photo, run_scan, out):
        write_photo(Path(photo), (4608, 2592))
        run_scan("--out", out)
        annotated = cv2.imread(str(out / "annotated.jpg"))
        assert annotated.shape == (1296, 2304, 3)
        assert self.reading(out)["size"] == [4608, 2592]
        corners = np.array(self.reading(out)["cities"][0]["corners_px"])
        x, y = (corners.mean(axis=0) / 2).round().astype(int)
        assert annotated[y - 40 : y + 40, x - 40 : x + 40].std() > 5, "something is drawn there"

    def test_a_place_that_cannot_be_written(self, error, out):
        out.write_text("")
        found = error("--out", out)
        assert (found["code"], found["where"]) == ("out-not-a-folder", str(out))
        assert error("--out", out / "below")["code"] == "out-not-a-folder"
        assert error("--out", "/proc/stadtblick")["code"] == "out-not-writable"

    def test_a_reader_that_stops_early_costs_nothing(self, run_scan, out, monkeypatch):
        def nobody_reads(_):
            raise BrokenPipeError

        monkeypatch.setattr("firmware.base.terminal.write_json", nobody_reads)
        assert run_scan("--json", "--out", out, code=ExitCode.BROKEN_PIPE) == ""
        assert json.loads((out / "sheet.json").read_text())["winners"] == [3]

    def test_a_full_disk_still_leaves_the_sheet(self, photo, out, capsys, monkeypatch):
        def no_space(*_):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("firmware.report.result_folder.save_screens", no_space)
        assert main(["scan", photo, "--out", str(out)], reader=FakeEye(*EXAMPLE)) == 2
        printed = capsys.readouterr()
        assert "Player 4 wins" in printed.out
        assert "No space left on device" in printed.err
        assert list(out.iterdir()) == []

    def test_refused_table_is_still_written_to_out(self, error, out):
        eye = FakeEye(*["FFFF/FFFF/FFFF/FFFF"] * 3, unsure={(0, (1, 1)): []})
        assert error("--out", out, "--set", "B:1,1=park", eye=eye)["code"] == "too-many-tiles"
        assert {path.name for path in out.iterdir()} == {"annotated.jpg", "reading.json"}
        assert cv2.imread(str(out / "annotated.jpg")).shape == (720, 960, 3)
        assert self.reading(out)["cities"][0]["unsure"] == [[1, 1]]
        table = self.reading(out)["table"]
        assert table["cities"][1]["grid"][0][:2] == ["park", "factory"]
        for eye in (FakeEye(EXAMPLE[0]), FakeEye(unread=[NOT_READ])):
            error("--out", out, eye=eye)
            assert len(self.reading(out)["cities"]) == len(eye.cities)
            assert cv2.imread(str(out / "annotated.jpg")).std() > 1, "something is drawn there"


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
    def test_wrong_number_of_cities(self, error, photo, count, variant, found):
        result = error("--variant", variant, eye=FakeEye(*[NO_FACTORIES] * count))
        assert (result["code"], result["where"]) == ("city-count", photo)
        assert result["message"].startswith(found)

    @pytest.mark.parametrize(
        ("arguments", "eye", "code", "where", "expected"),
        [
            ([], FakeEye(*[NO_FACTORIES] * 2, unread=[NOT_READ]), "city-count", "table.jpg",
             "found 2 cities and 1 more that cannot be read (upper left)"),
            ([], FakeEye(), "no-city", "table.jpg", ""),
            ([], FakeEye(refuses={"table.jpg": "photo-too-dark"}), "photo-too-dark", "", ""),
            (["--players", "Ben,Emily"], None, "player-count", "--players", ""),
            (["--players", "A,B,C,D,E,F"], FakeEye(*EXAMPLE[:5], unread=[NOT_READ]), "player-count",
             "--players", "names: 6, players: 5, and 1 city was not read (upper left)"),
            (["--game", "chess"], None, "unknown-game", "--game", "known are between-two-cities"),
            (["--variant", "for two"], None, "unknown-variant", "--variant 'for two'",
             "has the variants standard, two-player"),
            (["--edition", "golden"], None, "unknown-edition", "", ""),
            *[
                (["--level", level], None, "unknown-level", f"--level {level}", "has no levels")
                for level in ("0", "2", "-1")
            ],
            *[
                (["--game", game, "--variant", "two-player"], None, "unknown-variant",
                 "--variant two-player", f"{game} has no variants: leave out --variant")
                for game in ("cities", "city-blocks", "dice-board", "reading-only")
            ],
        ],
    )  # fmt: skip
    def test_unscorable_table_gives_code_and_place(
        self, error, arguments, eye, code, where, expected
    ):
        found = error(*arguments, eye=eye)
        assert found["code"] == code
        assert found["where"].endswith(where)
        assert expected in found["message"]

    def test_photo_without_a_city_names_the_game_that_was_taken_for_granted(self, error):
        found = error(eye=FakeEye())
        assert found["code"] == "no-city"
        assert found["message"].endswith(
            "from above; it was read as between-two-cities: name another game with --game"
        )

    def test_photo_without_a_board_of_the_game_named_names_no_other(self, error):
        found = error("--game", "city-blocks", eye=FakeEye())
        assert found["code"] == "no-board"
        assert "--game" not in found["message"]

    def test_more_tiles_than_the_game_has(self, error, photo):
        unsure = {(2, (3, 1)): [Face.PARK], (1, (0, 0)): [Face.PARK]}
        found = error(eye=FakeEye(*["FFFF/FFFF/FFFF/FFFF"] * 3, unsure=unsure))
        assert (found["code"], found["where"]) == ("too-many-tiles", photo)
        for text in (
            "48 tiles factory were read, but the game has 24",
            "such as B, row 1, column 1?; C, row 4, column 2?; A, row 1, column 1; ",
            "stadtblick read",
        ):
            assert text in found["message"]

    def test_a_file_that_is_no_photo(self, tmp_path, capsys):
        path = tmp_path / "no\tphoto\n.jpg"
        path.write_text("hello")
        assert main(["scan", str(path)]) == 2
        printed = capsys.readouterr().err
        assert printed.count("\n") == 1
        assert printed.endswith("): give a photo in JPEG, PNG or HEIC format\n")

    def test_a_photo_whose_name_is_no_text(self, photo, capfd, tmp_path):
        name = photo.replace("table", "\udcff")
        Path(photo).rename(name)
        assert main(["read", "--json", name], reader=FakeEye(*EXAMPLE)) == 0
        # Half a letter is in no text: strict programs refuse even its escape
        shown = name.replace("\udcff", "\N{REPLACEMENT CHARACTER}")
        output = capfd.readouterr().out
        assert "\\ud" not in output
        assert json.loads(output)["photo"] == shown
        assert main(["scan", name, "--out", str(tmp_path / "out")], reader=FakeEye(*EXAMPLE)) == 0
        assert json.loads((tmp_path / "out" / "reading.json").read_text("utf-8"))["photo"] == shown
        capfd.readouterr()
        assert main(["scan", "--json", f"{name}x"]) == 2
        error = capfd.readouterr().err
        assert json.loads(error)["error"]["where"] == f"{shown}x"
        assert "\\ud" not in error
