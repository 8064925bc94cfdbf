"""``stadtblick read`` of all games, and ``stadtblick scan`` of those but Between Two Cities."""

import json
import re
from dataclasses import replace
from functools import partial

import cv2
import pytest

from firmware.page import result_values
from firmware.report.scan_views import scan_screens
from firmware.scan.make_scan import make_scan
from scoring.games.between_two_cities.notation import parse_city
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
from tests.firmware.fake_eye import EXAMPLE
from tests.firmware.samples import ring_reading
from tests.firmware.screen_looks import by_name, shown
from vision.editions.folder import built_in_edition
from vision.reading import NoteCode, Unread, note

BTC = built_in_edition("between-two-cities").description
EDITIONS = {each.game: each for each in (BTC, CITIES, CITY_BLOCKS, DICE_BOARD, READING_ONLY)}
SURE_CITIES = (
    city(tourists={(0, 0): "red", (2, 2): "red"}),
    city(tourists={(0, 0): "blue"}, position=1),
)
TWO_ROWS = "/".join(FULL_BOARD.split("/")[:2]) + EMPTY_ROW * 3
BOARD = blocks(TWO_ROWS, piece("blue", 0, 7), piece("red", 0, 12))
SEEN = {
    "between-two-cities": ring_reading(6, grids=[parse_city(text).grid for text in EXAMPLE]),
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

    def load(name, game, **_):
        return pictured(EDITIONS[game])

    monkeypatch.setattr("firmware.teaching.user_editions.load_edition", load)


@pytest.fixture
def run(photo, prints):
    """Run a command on a photo of the game's sample, or of ``seen``, and return its output."""

    def run(command, game, *arguments, seen=None, code=0):
        eye = FakeBoardEye(seen or SEEN[game])
        return prints(command, photo, "--game", game, *arguments, eye=eye, code=code)

    return run


@pytest.fixture
def read(run):
    return partial(run, "read")


@pytest.fixture
def scan(run):
    return partial(run, "scan")


@pytest.fixture
def sheet(scan):
    return lambda *arguments, **options: json.loads(scan(*arguments, "--json", **options))


class TestSheets:
    @pytest.mark.parametrize(
        ("arguments", "expected"),
        [
            (("cities", "--level", "3"), "Red wins with 15 points"),
            (("city-blocks",), "Red wins with $12"),
            (("dice-board", "--players", "Ann"), "Ann wins with 44 points"),
            (("dice-board", "--lang", "de"), "Rot gewinnt"),
        ],
    )
    def test_of_each_game(self, scan, sheet, arguments, expected):
        assert expected in scan(*arguments)
        sheet_json = sheet(*arguments)
        assert (sheet_json["unsure"], sheet_json["unread"], sheet_json["notes"]) == ([], [], [])

    def test_of_a_game_without_rules_there_is_none(self, scan, sheet):
        printed = scan("reading-only")
        assert "there are no rules for this game" in printed
        assert "sun" in printed
        sheet_json = sheet("reading-only")
        assert (sheet_json["table"], sheet_json["unsure"]) == (None, [])

    def test_unsure_reading_without_rules_needs_a_person(self, sheet):
        grid = grid_reading(READING_ONLY, [["sun"] * 3] * 2, unsure=((0, 1),))
        sheet_json = sheet("reading-only", seen=reading(READING_ONLY, grid), code=1)
        assert [each["at"] for each in sheet_json["unsure"]] == [[0, 1]]


class TestDoubts:
    def test_are_listed_with_the_option_that_settles_them(self, scan, sheet):
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
        printed = scan("cities", seen=seen, code=1)
        assert "May change: 1 city or board not read, 1 tile to check, 2 figures" in printed
        lines = [line.strip() for line in printed.splitlines() if "change no rank" not in line]
        assert {
            *("A, row 3, column 4: sight or park, no tile", "--set A:3,4=park"),
            *("--set A:3,4=none", "A, row 1, column 1: tourist red", "--set A:tourist:1,1=no"),
            *("A, row 7, column 2: no figure", "--set A:tourist:7,2=yes"),
        } <= set(lines)
        lines.remove("--set A:3,4=none")
        options = [word for line in lines if line.startswith("--set") for word in line.split()]
        options[options.index("A:tourist:1,1=no")] = "A:tourist:1,1=yes"
        lines = sheet("cities", *options, seen=seen, code=1)
        assert (lines["unsure"], len(lines["unread"])) == ([], 1)

    def test_of_slots_are_named_by_their_place(self, sheet):
        values = slots([7, 3, 15, 6, 1], [2, 4, 5, 8, 9, 10])
        doubtful = piece("row", 2, 15, unsure=True, alternatives=("value-13",))
        seen = reading(
            CITY_BLOCKS,
            blocks(
                "bH1 -- -- -- -- --" + EMPTY_ROW * 4,
                *(each for each in values if (each.container, each.number) != ("row", 2)),
                doubtful,
                unsure_slots=(("column", 5),),
            ),
        )
        first, second = sheet("city-blocks", seen=seen, code=1)["unsure"]
        beside = {"what": "beside", "city": "A", "at": ["column", 5]}
        assert first == {**beside, "read": "value-10", "alternatives": []}
        assert (second["at"], second["alternatives"]) == (["row", 2], ["value-13"])
        options = ["--set", "row:3=value-13", "--set", "column:6=value-10"]
        sheet("city-blocks", *options, seen=seen)

    def test_by_the_rules_are_told_in_words(self, scan):
        seen = reading(CITIES, city(tourists={(0, 5): "red", (0, 0): "red"}))
        output = scan("cities", seen=seen, code=1)
        assert "tourists cannot stand on water: scored without A, row 1, column 6" in output


class TestReadings:
    def test_json_has_the_documented_keys(self, read):
        parsed = json.loads(read("cities", "--json"))
        assert set(parsed) == {
            "photo", "game", "edition", "size", "cities", "unread", "table",
            "notes", "note_codes", "timings_ms",
        }  # fmt: skip
        first, second = parsed["cities"]
        assert (first["name"], second["name"]) == ("A", "B")
        assert [len(first["grid"]), len(first["tiles"]), len(first["turns"])] == [8, 4, 4]
        assert first["tokens"][0] == {
            "at": [0, 0],
            "kind": "tourist-red",
            "foot_px": [56.25, 76.25],
        }
        assert parsed["timings_ms"]["total"] >= parsed["timings_ms"]["decode"] + 50

    @pytest.mark.parametrize("game", [game for game in SEEN if game != "reading-only"])
    def test_the_table_is_what_score_takes(self, read, sheet, prints, tmp_path, game):
        table = tmp_path / "table.json"
        table.write_text(json.dumps(json.loads(read(game, "--json"))["table"]))
        scored = json.loads(prints("score", "--json", table))
        assert scored.items() <= sheet(game).items()

    @pytest.mark.parametrize("columns", [40, 80, 200])
    @pytest.mark.parametrize("game", SEEN)
    def test_fit_into_a_terminal(self, photo, read, monkeypatch, game, columns):
        monkeypatch.setenv("COLUMNS", str(columns))
        title, *lines = read(game).splitlines()
        found = {"between-two-cities": "6 cities", "cities": "2 cities"}.get(game, "1 board")
        assert title == f"{photo}: {'1 group of tiles' if game == 'reading-only' else found}"
        assert max(map(len, lines)) <= columns
        for column in range(0 if EDITIONS[game] is BTC else EDITIONS[game].columns):
            assert any(str(column + 1) in line.split() for line in lines)

    @pytest.mark.parametrize("game", SEEN)
    def test_of_nothing_say_so(self, read, game):
        parsed = json.loads(read(game, "--json", seen=reading(EDITIONS[game]), code=1))
        assert (parsed["cities"], parsed["table"]) == ([], None)
        assert "found" in parsed["notes"][0]


class TestRefusals:
    @pytest.mark.parametrize(
        ("arguments", "code"),
        [
            (("--owners", "0,1,1,0"), "usage"),
            # Before the photo is read
            (("--set", "A:1,1=tree"), "correction-unknown-face"),
        ],
    )
    def test_option_that_the_game_lacks_is_refused(self, refuses, arguments, code):
        assert refuses("scan", "missing.jpg", "--game", "cities", *arguments)["code"] == code

    def test_piece_behind_a_free_number_of_a_heap_is_refused(self, photo, refuses):
        arguments = "scan", photo, "--game", "city-blocks", "--set", "blue:3=value-9"
        assert refuses(*arguments, eye=FakeBoardEye(SEEN["city-blocks"]))["code"] == (
            "correction-no-place"
        )

    def test_a_game_without_rules_needs_an_edition(self, photo, refuses, monkeypatch):
        monkeypatch.undo()
        error = refuses("scan", photo, "--game", "reading-only")
        assert "give it with --edition" in error["message"]


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
    def test_has_sheet_reading_photo_and_screens(self, scan, tmp_path, game, screens):
        out = tmp_path / "out"
        scan(game, "--out", out)
        names = {path.name for path in (out / "screens").iterdir()}
        assert {name.removesuffix(".png") for name in names if "@" not in name} == screens | {
            "edition"
        }
        assert json.loads((out / "sheet.json").read_text())["game"] == game
        assert json.loads((out / "reading.json").read_text())["game"] == game
        assert cv2.imread(str(out / "annotated.jpg")).shape == (720, 960, 3)

    def test_has_no_sheet_without_rules(self, scan, tmp_path):
        out = tmp_path / "out"
        scan("cities", "--out", out)
        scan("reading-only", "--out", out)
        left = {path.name for path in out.rglob("*.*")}
        assert left == {"annotated.jpg", "reading.json"}


def test_game_follows_from_the_edition(photo, prints, monkeypatch):
    monkeypatch.setattr("firmware.teaching.user_editions.edition_game", lambda name: "dice-board")
    eye = FakeBoardEye(SEEN["dice-board"])
    parsed = json.loads(prints("scan", photo, "--edition", "mine", "--json", eye=eye))
    assert parsed["game"] == "dice-board"


class TestLanguages:
    @pytest.mark.parametrize(
        ("language", "expected"),
        [
            (
                "de",
                [
                    "Reihe 1, Spalte 1: blau Haus 1 oder rot Einkaufszentrum, kein Plättchen",
                    "Spalte 3: Wert 3",
                    "rot 1: kein Plättchen",
                    "Wert 3 wurde mehr als einmal gelesen: Spalte 3; Reihe 2 prüfen",
                ],
            ),
            (
                "hu",
                [
                    "1. sor, 1. oszlop: kék ház 1 vagy piros bevásárlóközpont, nincs lapka",
                    "3. oszlop: érték 3",
                    "piros 1: nincs lapka",
                    "érték 3 többször látszik, csak az egyik számít; nézd át: 3. oszlop; 2. sor",
                ],
            ),
        ],
    )
    def test_places_and_pieces_are_worded_and_what_is_typed_stays(
        self, scan, read, language, expected
    ):
        grid = blocks(
            "bH1 -- -- -- -- --" + EMPTY_ROW * 4,
            piece("column", 2, 3, unsure=True),
            piece("row", 1, 3),
            unsure=((0, 0),),
            alternatives={(0, 0): ("red-mall", None)},
            unsure_slots=(("red", 0),),
        )
        seen = reading(CITY_BLOCKS, grid)
        output = scan("city-blocks", "--lang", language, seen=seen, code=1)
        options = ["1,1=red-mall", "1,1=none", "column:3="]
        for words in (*expected, *(f"    --set {option}" for option in options)):
            assert words in output.replace(" \n", " ")
        printed = read("city-blocks", "--lang", language, seen=seen, code=1)
        for name in ("blue-house", "value-3", "column ", "row "):
            assert name not in printed
            assert name not in "\n".join(
                line for line in output.splitlines() if "--set" not in line
            )

    def test_a_company_is_called_as_in_the_sheet(self, scan):
        (_row, _column, name, turn), *others = sign(4, 4, "red-theatre")
        laid = [(8, 8, name, turn), *others]
        output = scan("dice-board", "--lang", "de", seen=reading(DICE_BOARD, cards(*laid)))
        assert "die vier Kärtchen von Rot Theater liegen" in output

    def test_json_keeps_the_names_of_programs(self, sheet):
        grid = blocks("bH1 -- -- -- -- --" + EMPTY_ROW * 4, piece("row", 1, 3), piece("row", 2, 3))
        sheet_json = sheet("city-blocks", "--lang", "de", seen=reading(CITY_BLOCKS, grid), code=1)
        [code] = [each for each in sheet_json["note_codes"] if each["code"] == "value-twice"]
        assert code["names"] == "value-3"
        assert [each["at"] for each in sheet_json["unsure"]] == [["row", 1], ["row", 2]]


class TestWhatMayChange:
    @pytest.mark.parametrize("game", [game for game in SEEN if game != "reading-only"])
    @pytest.mark.parametrize("doubt", ["unread", "note", None])
    def test_is_marked_alike_at_the_terminal_the_display_and_the_page(self, run, game, doubt):
        seen = SEEN[game]
        if doubt == "unread":
            seen = replace(
                seen, unread=(Unread(seen.grids[0].corners_px, note(NoteCode.TOO_DARK)),)
            )
        elif doubt == "note":
            seen = replace(seen, notes=(note(NoteCode.DARK),))
        scan = make_scan(seen, EDITIONS[game])
        mark = "?" if doubt else ""
        printed = run("scan", game, seen=seen, code=int(doubt == "unread"))
        [points] = re.findall(r"(?:wins|leads) with \$?(\d+\??)|plays alone: (\d+\??)", printed)
        points = "".join(points)
        assert points.endswith("?") is bool(doubt)
        pages = by_name(scan_screens(scan))
        drawn = " ".join(shown(pages["winner"]))
        assert re.search(rf"{re.escape(points)}(?![?\d])", drawn)
        headline = result_values.headline(scan)
        assert re.search(rf"\b{re.escape(points)}(?!\?)", headline)
        for standing in scan.game.player_standings(scan):
            assert str(standing.views[0].points[0]).endswith("?") is bool(mark)
        for badge in scan.game.badges(scan) if game != "between-two-cities" else ():
            assert badge.endswith("?") is bool(mark)
