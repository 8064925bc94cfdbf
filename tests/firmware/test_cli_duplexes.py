"""``stadtblick read`` names duplex tiles where they can be told apart."""

import json

import cv2
import numpy as np
import pytest

from firmware.cli import main
from firmware.places import cell_words
from tests.firmware.fake_eye import EXAMPLE, FakeEye, write_photo
from vision.simulate.deal import deal_cities
from vision.simulate.table import Surroundings, simulate_table

CLEAN = Surroundings(material="felt", tile_px=70.0, tilt=0.05, props=0, strays=0, strength=0.1)


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """A photo of a simulated table, and where the duplex tiles of its cities lie."""
    cities = deal_cities(np.random.default_rng(72), 4)
    made = simulate_table(
        72, [city.grid for city in cities], (2304, 1296), CLEAN, [city.duplexes for city in cities]
    )
    path = tmp_path_factory.mktemp("duplexes") / "table.jpg"
    cv2.imwrite(str(path), made.image)
    true = [
        {tuple(sorted(map(tuple, pair))) for pair in c["duplexes"]} for c in made.truth["cities"]
    ]
    return str(path), true


def test_they_are_told_where_they_are_seen(table, capsys):
    path, true = table
    assert main(["read", "--json", path]) in (0, 1)
    told = json.loads(capsys.readouterr().out)
    found = [city["duplexes"] for city in told["cities"] if "duplexes" in city]
    assert found
    for pairs in found:
        assert {tuple(map(tuple, pair)) for pair in pairs} in true
    assert told["timings_ms"]["duplexes"] > 0
    assert main(["read", path]) in (0, 1)
    printed = capsys.readouterr().out
    (line,) = [line for line in printed.splitlines() if line.startswith("Duplex tiles:")]
    index = next(n for n, city in enumerate(told["cities"]) if "duplexes" in city)
    (first, second), _other = told["cities"][index]["duplexes"]
    name = "ABCDEFG"[index]
    assert f"{name}:{cell_words(first)}-{cell_words(second)}" in line


def test_and_not_where_nobody_wants_to_know(table, capsys):
    path, _true = table
    main(["read", "--json", "--no-duplexes", path])
    told = json.loads(capsys.readouterr().out)
    assert all("duplexes" not in city for city in told["cities"])
    assert "duplexes" not in told["timings_ms"]
    main(["read", "--no-duplexes", path])
    assert "Duplex" not in capsys.readouterr().out


def test_where_none_stand_out_nothing_is_said(tmp_path, capsys):
    path = str(write_photo(tmp_path / "table.jpg"))
    assert main(["read", path], eye=FakeEye(*EXAMPLE)) == 0
    assert "Duplex" not in capsys.readouterr().out


@pytest.mark.parametrize("game", ["cities", "city-blocks", "dice-board"])
def test_other_games_have_none(tmp_path, capsys, game):
    path = str(write_photo(tmp_path / "table.jpg"))
    assert main(["read", "--json", "--duplexes", "--game", game, path]) == 2
    error = json.loads(capsys.readouterr().err)["error"]
    assert error["code"] == "usage"
    assert error["message"] == f"{game} has no duplex tiles: leave out --duplexes"
