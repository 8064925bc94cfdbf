"""``stadtblick read``: readings for people and for programs."""

import json

import pytest

from firmware.cli import main
from scoring.faces import Face
from scoring.games.between_two_cities import score
from scoring.games.between_two_cities.notation import parse_city
from tests.firmware.fake_eye import DARK, EXAMPLE, FEW, FakeEye, write_photo


@pytest.fixture
def photos(tmp_path):
    return [str(write_photo(tmp_path / f"table-{number}.jpg")) for number in (1, 2, 3)]


def test_shows_the_tiles_of_a_photo(photos, capsys):
    assert main(["read", photos[0]], eye=FakeEye(*EXAMPLE)) == 0
    printed = capsys.readouterr().out
    assert f"{photos[0]}: 6 cities" in printed
    assert "S S S S   H H H P   F F F S" in printed


def test_shows_several_photos(photos, capsys):
    assert main(["read", *photos], eye=FakeEye(*EXAMPLE)) == 0
    printed = capsys.readouterr().out
    assert all(f"{photo}: 6 cities" in printed for photo in photos)


def test_a_photo_without_a_city_is_no_error_but_needs_a_person(photos, capsys):
    assert main(["read", photos[0]], eye=FakeEye()) == 1
    printed = capsys.readouterr()
    assert printed.err == ""
    assert f"{photos[0]}: no city" in printed.out
    assert "Note: no city found" in printed.out
    assert main(["read", "--json", photos[0]], eye=FakeEye(notes=[DARK])) == 1
    notes = json.loads(capsys.readouterr().out)["notes"]
    assert notes[0].startswith("the photo is dark")
    assert notes[1].startswith("no city found")


def test_the_table_of_two_players_has_their_owners(photos, capsys):
    arguments = ["read", "--json", "--variant", "two-player", photos[0]]
    assert main(arguments, eye=FakeEye(*EXAMPLE[:4], turns_degrees=(90, 90, 270, 270))) == 0
    table = json.loads(capsys.readouterr().out)["table"]
    assert (table["variant"], table["owners"]) == ("two-player", [0, 0, 1, 1])


@pytest.mark.parametrize("cities", [EXAMPLE[:4], EXAMPLE[:3]], ids=["four", "three"])
def test_owners_that_the_cities_do_not_show_are_noted(photos, capsys, cities):
    eye = FakeEye(*cities, turns_degrees=[0] * len(cities))
    assert main(["read", "--json", "--variant", "two-player", photos[0]], eye=eye) == 1
    reading = json.loads(capsys.readouterr().out)
    assert "owners" not in reading["table"]
    assert "belong" in reading["notes"][0]


def test_level_and_game_are_checked_before_the_photo_is_read(capsys):
    for arguments, code in (
        (["--level", "3"], "unknown-level"),
        (["--game", "go"], "unknown-game"),
        (["--game", "cities", "--level", "4"], "unknown-level"),
    ):
        assert main(["read", "missing.jpg", "--json", *arguments]) == 2
        assert json.loads(capsys.readouterr().err)["error"]["code"] == code


def test_json_has_the_documented_keys(photos, capsys):
    eye = FakeEye("SSSS/PPHP/HOOO/HOO.", unsure={(0, (1, 2)): [Face.PARK]}, unread=[FEW])
    assert main(["read", "--json", photos[0]], eye=eye) == 1
    reading = json.loads(capsys.readouterr().out)
    assert set(reading) >= {
        "photo", "game", "edition", "size", "cities", "unread", "table", "notes", "timings_ms",
    }  # fmt: skip
    assert (reading["photo"], reading["size"]) == (photos[0], [960, 720])
    (city,) = reading["cities"]
    assert len(city["corners_px"]) == 4
    assert city["grid"][3] == ["house", "office", "office", None]
    assert city["unsure"] == [[1, 2]]
    assert [len(row) for row in city["confidence"]] == [4, 4, 4, 4]
    assert reading["unread"][0]["why"] == "only 6 tiles can be read here"
    assert {"decode", "total"} <= set(reading["timings_ms"])
    assert reading["timings_ms"]["total"] >= reading["timings_ms"]["decode"] + 50


def test_the_table_of_a_reading_is_what_score_takes(photos, capsys, tmp_path):
    main(["read", "--json", photos[0]], eye=FakeEye(*EXAMPLE))
    table = tmp_path / "table.json"
    table.write_text(json.dumps(json.loads(capsys.readouterr().out)["table"]))
    assert main(["score", "--json", str(table)]) == 0
    sheet = json.loads(capsys.readouterr().out)
    assert [city["total"] for city in sheet["cities"]] == [56, 57, 62, 62, 52, 62]


def test_jsonl_is_one_line_a_photo_in_their_order(photos, capsys):
    assert main(["read", "--jsonl", *photos], eye=FakeEye(*EXAMPLE)) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [json.loads(line)["photo"] for line in lines] == photos


def test_jsonl_has_an_error_in_the_place_of_a_refused_photo(photos, capsys):
    eye = FakeEye(*EXAMPLE, refuses={"table-2.jpg": "photo-too-dark"})
    assert main(["read", "--jsonl", *photos], eye=eye) == 2
    printed = capsys.readouterr()
    assert printed.err == ""
    lines = [json.loads(line) for line in printed.out.splitlines()]
    assert [line["photo"] for line in lines] == photos
    assert ["error" in line for line in lines] == [False, True, False]
    assert lines[1]["error"] == {
        "code": "photo-too-dark",
        "message": "this shows nothing: try again",
        "where": photos[1],
    }


def test_a_refused_photo_does_not_keep_the_others_from_being_read(photos, capsys):
    eye = FakeEye(*EXAMPLE, refuses={"table-1.jpg": "photo-too-dark"})
    assert main(["read", *photos], eye=eye) == 2
    printed = capsys.readouterr()
    assert printed.err == f"stadtblick: this shows nothing ({photos[0]}): try again\n"
    assert printed.out.count("6 cities") == 2


def test_the_only_photo_refused_with_json(tmp_path, capsys):
    assert main(["read", "--json", str(tmp_path / "none.jpg")]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert json.loads(printed.err)["error"]["code"] == "photo-missing"


@pytest.mark.parametrize(
    "eye",
    [
        FakeEye(*EXAMPLE, unsure={(0, (0, 0)): []}),
        FakeEye(*EXAMPLE, unread=[FEW]),
        FakeEye("SSSS/PPHP/HOOO/HOO."),
    ],
    ids=["unsure", "unread", "missing"],
)
def test_what_a_person_has_to_look_at_shows_in_the_exit_code(photos, eye):
    assert main(["read", photos[0]], eye=eye) == 1


def test_json_is_for_one_photo(photos, capsys):
    assert main(["read", "--json", *photos]) == 2
    assert "--jsonl" in json.loads(capsys.readouterr().err)["error"]["message"]


def test_the_eye_gets_the_photo_that_was_named(photos):
    eye = FakeEye(*EXAMPLE)
    main(["read", photos[1]], eye=eye)
    assert [photo.name for photo in eye.photos] == [photos[1]]


def test_the_example_of_these_tests_is_that_of_the_rulebook():
    from scoring.games.between_two_cities.table import Table

    sheet = score(Table(tuple(map(parse_city, EXAMPLE))))
    assert [city.total for city in sheet.cities] == [56, 57, 62, 62, 52, 62]
