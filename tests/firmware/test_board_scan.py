"""``stadtblick read`` and ``stadtblick scan`` of games known by pictures."""

import json

import cv2
import pytest

from firmware.cli import main
from tests.firmware.board_samples import (
    CITIES,
    CITY_BLOCKS,
    DICE_BOARD,
    EMPTY_ROW,
    FULL_BOARD,
    READING_ONLY,
    FakeBoardEye,
    blocks,
    cards,
    city,
    grid_reading,
    pictured,
    piece,
    reading,
    sign,
    slots,
)
from vision.reading import NoteCode, note

EDITIONS = {each.game: each for each in (CITIES, CITY_BLOCKS, DICE_BOARD, READING_ONLY)}
SURE_CITIES = (
    city(tourists={(0, 0): "red", (2, 2): "red"}),
    city(tourists={(0, 0): "blue"}, place=1),
)
BOARD = blocks(FULL_BOARD, piece("blue", 0, 7), piece("red", 0, 12))
SEEN = {
    "cities": reading(CITIES, *SURE_CITIES),
    "city-blocks": reading(CITY_BLOCKS, BOARD),
    "dice-board": reading(DICE_BOARD, cards(*sign(4, 4, "red-bakery"))),
    "reading-only": reading(
        READING_ONLY, grid_reading(READING_ONLY, [["sun", "moon", None], ["moon"] * 3])
    ),
}


@pytest.fixture(autouse=True)
def editions(monkeypatch):
    """Editions of the tests instead of those on disk."""

    def load(name, game):
        return pictured(EDITIONS[game])

    monkeypatch.setattr("firmware.editions.load_edition", load)


def run(*arguments, seen):
    return main([str(argument) for argument in arguments], eye=FakeBoardEye(seen))


def scan(photo, game, *arguments, seen=None):
    return run("scan", photo, "--game", game, *arguments, seen=seen or SEEN[game])


def scanned(capsys, photo, game, *arguments, seen=None):
    """Exit code and sheet; nothing else may be printed."""
    code = scan(photo, game, "--json", *arguments, seen=seen)
    printed = capsys.readouterr()
    assert printed.err == ""
    return code, json.loads(printed.out)


def refused(capsys, photo, game, *arguments, seen=None):
    assert scan(photo, game, "--json", *arguments, seen=seen) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    return json.loads(printed.err)["error"]


class TestSheets:
    def test_of_cities(self, photo, capsys):
        assert scan(photo, "cities") == 0
        printed = capsys.readouterr().out
        assert "Red wins with 8 points" in printed
        assert "A Red" in printed
        code, sheet = scanned(capsys, photo, "cities", "--level", "3")
        assert (code, sheet["level"]) == (0, 3)
        assert [player["name"] for player in sheet["players"]] == ["Red", "Blue"]
        assert (sheet["unsure"], sheet["unread"], sheet["notes"]) == ([], [], [])

    def test_of_city_blocks(self, photo, capsys):
        assert scan(photo, "city-blocks") == 0
        assert "Red wins with $12" in capsys.readouterr().out
        code, sheet = scanned(capsys, photo, "city-blocks")
        assert (code, sheet["basis"]) == (0, "collected")
        assert sheet["totals"] == {"blue": 7, "red": 12}

    def test_of_the_dice_board(self, photo, capsys):
        assert scan(photo, "dice-board", "--players", "Ann") == 0
        assert "Ann wins with 44 points" in capsys.readouterr().out
        assert scanned(capsys, photo, "dice-board")[1]["totals"] == {"Red": 44}

    def test_names_are_in_the_language_of_the_sheet(self, photo, capsys):
        assert scan(photo, "dice-board", "--lang", "de") == 0
        assert "Rot gewinnt" in capsys.readouterr().out

    def test_of_a_game_without_rules_there_is_none(self, photo, capsys):
        assert scan(photo, "reading-only") == 0
        printed = capsys.readouterr().out
        assert "there are no rules for this game" in printed
        assert "sun" in printed
        code, told = scanned(capsys, photo, "reading-only")
        assert (code, told["table"], told["unsure"]) == (0, None, [])

    def test_what_is_odd_without_rules_needs_a_person(self, photo, capsys):
        grid = grid_reading(READING_ONLY, [["sun"] * 3] * 2, unsure=((0, 1),))
        code, told = scanned(capsys, photo, "reading-only", seen=reading(READING_ONLY, grid))
        assert (code, [each["at"] for each in told["unsure"]]) == (1, [[0, 1]])


class TestDoubts:
    def test_are_listed_with_the_option_that_settles_them(self, photo, capsys):
        seen = reading(
            CITIES,
            city(
                tourists={(0, 0): "red"},
                unsure=((2, 3),),
                alternatives={(2, 3): ("park", None)},
                unsure_figures=((0, 0), (6, 1)),
            ),
            unread=[note(NoteCode.TOO_DARK)],
        )
        assert scan(photo, "cities", seen=seen) == 1
        printed = capsys.readouterr().out
        assert "May change: 1 city or board not read, 1 tile to check, 2 figures" in printed
        told = [line.strip() for line in printed.splitlines()]
        assert told[told.index("A, row 3, column 4: sight or park, no tile") :][:6] == [
            *("A, row 3, column 4: sight or park, no tile", "--set A:3,4=park"),
            *("A, row 1, column 1: tourist-red", "--set A:tourist:1,1=no"),
            *("A, row 7, column 2: no figure", "--set A:tourist:7,2=yes"),
        ]
        options = [word for line in told if line.startswith("--set") for word in line.split()]
        options[options.index("A:tourist:1,1=no")] = "A:tourist:1,1=yes"
        code, sheet = scanned(capsys, photo, "cities", *options, seen=seen)
        assert (code, sheet["unsure"], len(sheet["unread"])) == (1, [], 1)

    def test_of_slots_are_named_by_their_place(self, photo, capsys):
        values = slots([7, 3, 15, 6, 1], [2, 4, 5, 8, 9, 10])
        doubtful = piece("row", 2, 15, unsure=True, alternatives=("value-13",))
        seen = reading(
            CITY_BLOCKS,
            blocks(
                "bH1 -- -- -- -- --" + EMPTY_ROW * 4,
                *(each for each in values if (each.place, each.number) != ("row", 2)),
                doubtful,
                unsure_slots=(("column", 5),),
            ),
        )
        code, sheet = scanned(capsys, photo, "city-blocks", seen=seen)
        assert code == 1
        assert sheet["unsure"] == [
            {
                "what": "beside",
                "city": "A",
                "at": ["column", 5],
                "read": "value-10",
                "alternatives": [],
            },
            {
                "what": "beside",
                "city": "A",
                "at": ["row", 2],
                "read": "value-15",
                "alternatives": ["value-13"],
            },
        ]
        options = ["--set", "row:3=value-13", "--set", "column:6=value-10"]
        assert scanned(capsys, photo, "city-blocks", *options, seen=seen)[0] == 0

    def test_by_the_rules_are_told_in_words(self, photo, capsys):
        seen = reading(CITIES, city(tourists={(0, 5): "red", (0, 0): "red"}))
        assert scan(photo, "cities", seen=seen) == 1
        said = capsys.readouterr().out
        assert "tourists cannot stand on water: scored without A, row 1, column 6" in said

    @pytest.mark.parametrize("columns", ["40", "80"])
    def test_fit_into_a_narrow_terminal(self, photo, capsys, monkeypatch, columns):
        monkeypatch.setenv("COLUMNS", columns)
        seen = reading(CITIES, city(unsure=((2, 3),), alternatives={(2, 3): ("park",)}))
        assert scan(photo, "cities", seen=seen) == 1
        printed = capsys.readouterr().out
        assert any(line.rstrip().endswith("--set A:3,4=park") for line in printed.splitlines())
        assert max(map(len, printed.splitlines())) <= int(columns)


class TestReadings:
    def test_json_has_the_documented_keys(self, photo, capsys):
        assert run("read", "--json", "--game", "cities", photo, seen=SEEN["cities"]) == 0
        told = json.loads(capsys.readouterr().out)
        assert set(told) == {
            "photo", "game", "edition", "size", "cities", "unread", "table",
            "notes", "note_codes", "timings_ms",
        }  # fmt: skip
        first, second = told["cities"]
        assert (first["name"], second["name"]) == ("A", "B")
        assert [len(first["grid"]), len(first["tiles"]), len(first["turns"])] == [8, 4, 4]
        assert first["tokens"][0] == {
            "at": [0, 0],
            "kind": "tourist-red",
            "foot_px": [56.25, 76.25],
        }
        assert told["timings_ms"]["total"] >= told["timings_ms"]["decode"] + 50

    @pytest.mark.parametrize("game", ["cities", "city-blocks", "dice-board"])
    def test_the_table_is_what_score_takes(self, photo, capsys, tmp_path, game):
        assert run("read", "--json", "--game", game, photo, seen=SEEN[game]) == 0
        table = tmp_path / "table.json"
        table.write_text(json.dumps(json.loads(capsys.readouterr().out)["table"]))
        assert main(["score", "--json", str(table)]) == 0
        scored = json.loads(capsys.readouterr().out)
        sheet = scanned(capsys, photo, game)[1]
        assert {key: sheet[key] for key in scored} == scored

    def test_missing_fields_are_null_in_the_table(self, photo, capsys):
        seen = reading(CITIES, city("." * 8 + "/" + "/".join(["S" * 8] * 7)))
        run("read", "--json", "--game", "cities", photo, seen=seen)
        table = json.loads(capsys.readouterr().out)["table"]
        assert table["cities"][0]["fields"][0] == [None] * 8

    def test_what_lies_beside_a_board(self, photo, capsys):
        assert run("read", "--json", "--game", "city-blocks", photo, seen=SEEN["city-blocks"]) == 0
        (board,) = json.loads(capsys.readouterr().out)["cities"]
        assert [(each["place"], each["number"], each["face"]) for each in board["beside"]] == [
            ("blue", 0, "value-7"),
            ("red", 0, "value-12"),
        ]

    @pytest.mark.parametrize("game", SEEN)
    def test_for_people(self, photo, capsys, game):
        assert run("read", "--game", game, photo, seen=SEEN[game]) == 0
        printed = capsys.readouterr().out
        said = {
            "cities": "2 cities",
            "city-blocks": "1 board",
            "dice-board": "1 board",
            "reading-only": "1 group of tiles",
        }[game]
        assert f"{photo}: {said}" in printed

    @pytest.mark.parametrize("columns", [40, 80, 200])
    @pytest.mark.parametrize("game", SEEN)
    def test_fit_into_a_terminal(self, photo, capsys, monkeypatch, game, columns):
        monkeypatch.setenv("COLUMNS", str(columns))
        run("read", "--game", game, photo, seen=SEEN[game])
        title, *lines = capsys.readouterr().out.splitlines()
        assert photo in title
        assert max(map(len, lines)) <= columns
        for column in range(EDITIONS[game].columns):
            assert any(str(column + 1) in line.split() for line in lines)

    def test_jsonl_is_one_line_a_photo(self, photo, capsys, tmp_path):
        missing = str(tmp_path / "none.jpg")
        photos = ["--jsonl", photo, missing, photo]
        assert run("read", "--game", "dice-board", *photos, seen=SEEN["dice-board"]) == 2
        lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert [line["photo"] for line in lines] == [photo, missing, photo]
        assert ["error" in line for line in lines] == [False, True, False]

    @pytest.mark.parametrize("game", SEEN)
    def test_of_nothing_say_so(self, photo, capsys, game):
        nothing = reading(EDITIONS[game])
        assert run("read", "--json", "--game", game, photo, seen=nothing) == 1
        told = json.loads(capsys.readouterr().out)
        assert (told["cities"], told["table"]) == ([], None)
        assert "found" in told["notes"][0]


class TestRefusals:
    @pytest.mark.parametrize(("game", "code"), [("cities", "no-city"), ("city-blocks", "no-board")])
    def test_nothing_found(self, photo, capsys, game, code):
        error = refused(capsys, photo, game, seen=reading(EDITIONS[game]))
        assert (error["code"], error["where"]) == (code, photo)

    @pytest.mark.parametrize(("game", "level"), [("cities", "4"), ("dice-board", "2")])
    def test_levels(self, photo, capsys, game, level):
        assert refused(capsys, photo, game, "--level", level)["code"] == "unknown-level"

    def test_owners_are_for_the_other_game(self, photo, capsys):
        assert refused(capsys, photo, "cities", "--owners", "0,1,1,0")["code"] == "usage"

    def test_corrections_are_checked_before_the_photo_is_read(self, capsys):
        error = refused(capsys, "missing.jpg", "cities", "--set", "A:1,1=tree")
        assert error["code"] == "correction-unknown-face"

    def test_a_game_without_rules_needs_an_edition(self, photo, capsys, monkeypatch):
        monkeypatch.undo()
        assert main(["scan", photo, "--game", "reading-only"]) == 2
        assert "name it with --edition" in capsys.readouterr().err


class TestTheFolder:
    @pytest.mark.parametrize(
        ("game", "screens"),
        [
            ("cities", {"winner", "standings", "player-1", "player-2", "map"}),
            (
                "city-blocks",
                {"winner", "standings", "player-1", "player-2"}
                | {f"streets-{number}" for number in "1234"},
            ),
            ("dice-board", {"winner", "companies-1"}),
        ],
    )
    def test_has_sheet_reading_photo_and_screens(self, photo, tmp_path, game, screens):
        out = tmp_path / "out"
        assert scan(photo, game, "--out", out) == 0
        names = {path.name for path in (out / "screens").iterdir()}
        assert {name.removesuffix(".png") for name in names if "@" not in name} == screens
        assert json.loads((out / "sheet.json").read_text())["game"] == game
        assert json.loads((out / "reading.json").read_text())["game"] == game
        assert cv2.imread(str(out / "annotated.jpg")).shape == (720, 960, 3)

    def test_has_no_sheet_without_rules(self, photo, tmp_path):
        out = tmp_path / "out"
        assert scan(photo, "cities", "--out", out) == 0
        assert scan(photo, "reading-only", "--out", out) == 0
        left = {path.name for path in out.rglob("*.*")}
        assert left == {"annotated.jpg", "reading.json"}

    def test_shows_what_is_refused_with_its_corrections(self, photo, tmp_path, capsys):
        out = tmp_path / "out"
        refused(capsys, photo, "cities", "--players", "Ann", "--set", "A:1,1=park", "--out", out)
        told = json.loads((out / "reading.json").read_text())
        assert told["cities"][0]["grid"][0][0] == "park"
        assert not (out / "sheet.json").exists()


class TestWhichGame:
    def test_follows_from_the_edition(self, photo, capsys, monkeypatch):
        monkeypatch.setattr("firmware.editions.edition_game", lambda name: "dice-board")
        code = run("scan", photo, "--edition", "mine", "--json", seen=SEEN["dice-board"])
        assert code == 0
        assert json.loads(capsys.readouterr().out)["game"] == "dice-board"
