"""``stadtblick scan``: what is said of a result that may still change."""

from scoring.faces import Face
from tests.firmware.fake_eye import DARK, EXAMPLE, FEW, FakeEye
from tests.firmware.scanning import scan, scanned_json


class TestNeedsAPerson:
    def test_unsure_tiles_are_listed_with_the_way_to_correct_them(self, photo, capsys):
        eye = FakeEye(*EXAMPLE, unsure={(1, (2, 3)): [Face.PARK, Face.OFFICE]})
        assert scan(photo, eye=eye) == 1
        printed = capsys.readouterr().out
        assert "F?" in printed
        line = next(line for line in printed.splitlines() if "--set" in line)
        assert line.split() == [
            "B",
            "3,4",
            "factory",
            "or",
            "park,",
            "office",
            "--set",
            "B:3,4=park",
        ]

    def test_the_way_to_correct_them_can_be_copied_from_eighty_columns(self, photo, capsys):
        faces = [Face.TAVERN_MUSIC, Face.TAVERN_DRINK, Face.TAVERN_FOOD]
        eye = FakeEye(*EXAMPLE, unsure={(2, (2, 3)): faces})
        scan(photo, eye=eye)
        assert "--set C:3,4=tavern-music\n" in capsys.readouterr().out

    def test_unsure_tiles_in_json(self, photo, capsys):
        eye = FakeEye(*EXAMPLE, unsure={(1, (2, 3)): [Face.PARK, Face.OFFICE]})
        code, sheet = scanned_json(capsys, photo, eye=eye)
        assert code == 1
        assert sheet["unsure"] == [
            {
                "what": "tile",
                "city": "B",
                "at": [2, 3],
                "read": "factory",
                "alternatives": ["park", "office"],
            }
        ]

    def test_an_incomplete_city_is_scored_and_says_so(self, photo, capsys):
        eye = FakeEye("SSSS/PPHP/HOOO/HOO.", *EXAMPLE[1:])
        assert scan(photo, eye=eye) == 1
        printed = capsys.readouterr().out
        assert "Scored without the missing tiles: A 4,4" in printed
        line = next(line for line in printed.splitlines() if "--set" in line)
        assert line.split() == ["A", "4,4", "no", "tile", "--set", "A:4,4=FACE"]

    def test_an_unread_city_is_listed_with_its_place(self, photo, capsys):
        eye = FakeEye(*EXAMPLE[:5], unread=[FEW])
        assert scan(photo, eye=eye) == 1
        checks = capsys.readouterr().out.partition("Please check (1):")[2]
        assert "not read, upper left of the photo: only 6 tiles can be read here" in checks

    def test_an_unread_city_in_json(self, photo, capsys):
        eye = FakeEye(*EXAMPLE[:5], unread=[FEW])
        code, sheet = scanned_json(capsys, photo, eye=eye)
        (unread,) = sheet["unread"]
        assert (code, unread["why"]) == (1, "only 6 tiles can be read here")
        assert unread["corners_px"] == [[50.0, 50.0], [130.0, 50.0], [130.0, 130.0], [50.0, 130.0]]

    def test_notes_of_the_eye_are_passed_on(self, photo, capsys):
        code, sheet = scanned_json(capsys, photo, eye=FakeEye(*EXAMPLE, notes=[DARK]))
        (told,) = sheet["notes"]
        assert (code, told.split(",")[0]) == (0, "the photo is dark")
        assert sheet["note_codes"] == [{"code": "dark"}]


def rows(printed):
    return [line.split() for line in printed.splitlines()]


class TestMayChange:
    WITHOUT_FACTORIES = ("SSSS/PPHP/HOOO/HOOE", "SSSS/PPHP/HOOO/HOOE", "PPPP/HHHH/OOEB/OOMD")

    def test_a_certain_result_has_no_marks(self, photo, capsys):
        assert scan(photo) == 0
        printed = capsys.readouterr().out
        assert "?" not in printed
        assert "May change" not in printed

    def test_is_said_before_the_winner(self, photo, capsys):
        doubts = {(0, (0, 1)): [Face.PARK], (0, (1, 1)): [Face.PARK]}
        eye = FakeEye(*EXAMPLE[:4], "SSSF/EBMD/OOPP/HHH.", unsure=doubts, unread=[FEW])
        assert scan(photo, eye=eye) == 1
        printed = capsys.readouterr().out
        said = "May change: 1 city or board not read, 2 tiles to check, 1 tile missing"
        assert 0 < printed.index(said) < printed.index(" wins with ")
        assert "Please check (4):" in printed

    def test_an_unread_city_leaves_no_player_certain(self, photo, capsys):
        eye = FakeEye(*self.WITHOUT_FACTORIES, unread=[FEW])
        scan(photo, eye=eye)
        printed = capsys.readouterr().out
        players = [row for row in rows(printed) if len(row) == 7 and row[1].startswith("P")]
        assert len(players) == 3
        assert all(row[-1].endswith("?") for row in players)
        assert "? points" in printed

    def test_totals_of_doubtful_cities_and_their_players_are_marked(self, photo, capsys):
        eye = FakeEye(*self.WITHOUT_FACTORIES, "OOOO/OOOO/HHHH/HHHH", unsure={(0, (0, 0)): []})
        scan(photo, eye=eye)
        printed = capsys.readouterr().out
        (totals,) = [row for row in rows(printed) if row[:1] == ["total"]]
        assert [total.endswith("?") for total in totals[1:]] == [True, False, False, False]
        marked = {
            row[1]: row[-1].endswith("?") for row in rows(printed) if "P" in "".join(row[1:2])
        }
        assert {name: marked[name] for name in ("P1", "P2", "P3", "P4")} == {
            "P1": True,
            "P2": True,
            "P3": False,
            "P4": False,
        }

    def test_factories_depend_on_the_tiles_of_every_city(self, photo, capsys):
        cities = (*self.WITHOUT_FACTORIES[:2], "FPPP/HHHH/OOEB/OOMD")
        scan(photo, eye=FakeEye(*cities, unsure={(0, (0, 0)): [Face.FACTORY]}))
        (totals,) = [row for row in rows(capsys.readouterr().out) if row[:1] == ["total"]]
        assert [total.endswith("?") for total in totals[1:]] == [True, False, True]

    def test_unknown_owners(self, photo, capsys):
        eye = FakeEye(*EXAMPLE[:4], turns_degrees=(0, 0, 0, 0))
        assert scan(photo, "--variant", "two-player", eye=eye) == 1
        printed = capsys.readouterr().out
        assert "May change: 1 note to read" in printed
        assert "119? points" in printed
