"""``stadtblick read``: readings for people and for programs."""

import json
from functools import partial

import cv2
import numpy as np
import pytest

from firmware.cli import main
from firmware.wording.places import cell_name
from tests.firmware.fake_eye import DARK, EXAMPLE, FakeEye, write_photo
from vision.editions.edition import BETWEEN_TWO_CITIES
from vision.editions.folder import built_in_edition
from vision.lab.simulate.content import Content
from vision.lab.simulate.games.between_two_cities import deal_cities
from vision.lab.simulate.simulated_table import Surroundings, simulate_table

CLEAN = Surroundings(material="felt", tilt=0.05, props=0, strays=0, strength=0.1)


@pytest.fixture
def photos(tmp_path):
    return [str(write_photo(tmp_path / f"table-{number}.jpg")) for number in (1, 2, 3)]


@pytest.fixture
def run_read(prints):
    return partial(prints, "read")


@pytest.fixture
def reading(run_read):
    return lambda *arguments, **options: json.loads(run_read("--json", *arguments, **options))


def test_shows_the_tiles_of_each_photo_that_was_named(photos, run_read):
    eye = FakeEye(*EXAMPLE)
    printed = run_read(*photos, eye=eye)
    assert all(f"{photo}: 6 cities" in printed for photo in photos)
    assert "S S S S   H H H P   F F F S" in printed
    assert "Duplex" not in printed
    assert [photo.name for photo in eye.photos] == photos


def test_a_photo_without_a_city_is_no_error_but_needs_a_person(photos, run_read, reading):
    printed = run_read(photos[0], eye=FakeEye(), code=1)
    assert f"{photos[0]}: no city" in printed
    assert "Note: no city found" in printed
    notes = reading(photos[0], eye=FakeEye(notes=[DARK]), code=1)["notes"]
    assert notes[0].startswith("the photo is dark")
    assert notes[1].startswith("no city found")
    run_read(photos[0], eye=FakeEye("SSSS/PPHP/HOOO/HOO."), code=1)


@pytest.mark.parametrize("cities", [EXAMPLE[:4], EXAMPLE[:3]], ids=["four", "three"])
def test_owners_that_the_cities_do_not_show_are_noted(photos, reading, cities):
    eye = FakeEye(*cities, turns_degrees=[0] * len(cities))
    found = reading("--variant", "two-player", photos[0], eye=eye, code=1)
    assert "owners" not in found["table"]
    assert "belong" in found["notes"][0]


@pytest.mark.parametrize(
    ("arguments", "code", "expected"),
    [
        (["--level", "3"], "unknown-level", "no levels"),
        (["--game", "go"], "unknown-game", "known are"),
        (["--game", "cities", "--level", "4"], "unknown-level", "has the levels 1, 2, 3: name"),
        (["another.jpg"], "usage", "--jsonl"),
        ([], "photo-missing", "there is no such"),
        *[
            (["--duplexes", "--game", game], "usage", f"{game} has no duplex tiles: leave out")
            for game in ("cities", "city-blocks", "dice-board")
        ],
    ],
)
def test_wrong_option_is_refused_before_the_photo_is_read(capsys, arguments, code, expected):
    assert main(["read", "--json", "missing.jpg", *arguments]) == 2
    printed = capsys.readouterr()
    error = json.loads(printed.err)["error"]
    assert (printed.out, error["code"]) == ("", code)
    assert expected in error["message"]


def test_jsonl_has_a_line_for_each_photo_read_or_refused(photos, run_read):
    eye = FakeEye(*EXAMPLE, refuses={"table-2.jpg": "photo-too-dark"})
    lines = [
        json.loads(line) for line in run_read("--jsonl", *photos, eye=eye, code=2).splitlines()
    ]
    assert [line["photo"] for line in lines] == photos
    assert ["error" in line for line in lines] == [False, True, False]
    values = {"message": "this shows nothing: try again", "where": photos[1]}
    assert lines[1]["error"] == {"code": "photo-too-dark", **values}


def test_a_refused_photo_does_not_keep_the_others_from_being_read(photos, capsys):
    eye = FakeEye(*EXAMPLE, refuses={"table-1.jpg": "photo-too-dark"})
    assert main(["read", *photos], reader=eye) == 2
    printed = capsys.readouterr()
    assert printed.err == f"stadtblick: this shows nothing ({photos[0]}): try again\n"
    assert printed.out.count("6 cities") == 2


def test_seen_duplex_tiles_are_told_unless_switched_off(tmp_path, capsys):
    cities = Content(tuple(deal_cities(np.random.default_rng(72), 4)), is_round=True)
    edition = built_in_edition(BETWEEN_TWO_CITIES)
    made = simulate_table(72, edition, cities, (1536, 864), CLEAN)
    path = str(tmp_path / "table.jpg")
    cv2.imwrite(path, made.image)

    def printed(*arguments):
        assert main(["read", *arguments, path]) in (0, 1)
        return capsys.readouterr().out

    result = json.loads(printed("--json"))
    found = {
        "ABCDEFG"[number]: city["duplexes"]
        for number, city in enumerate(result["cities"])
        if "duplexes" in city
    }
    assert found
    true = [sorted(map(sorted, city["duplexes"])) for city in made.truth["cities"]]
    assert all(sorted(map(sorted, pairs)) in true for pairs in found.values())
    assert result["timings_ms"]["duplexes"] > 0
    _above, _title, line = " ".join(printed().split()).partition("Duplex tiles: ")
    name, ((first, second), *_others) = next(iter(found.items()))
    assert f"{cell_name(name, first)} - {cell_name('', second)}" in line
    result = json.loads(printed("--json", "--no-duplexes"))
    assert all("duplexes" not in city for city in result["cities"])
    assert "duplexes" not in result["timings_ms"]
    assert "Duplex" not in printed("--no-duplexes")
