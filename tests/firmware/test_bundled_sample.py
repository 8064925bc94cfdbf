"""The bundled photo read by the real eye: what a newcomer sees first."""

import json

from firmware.cli import main
from scoring.games.between_two_cities.notation import parse_city
from vision.simulate.sample import CITIES

TRUTH = [parse_city(city).grid for city in CITIES]


def test_the_demo_reads_its_table_right_and_without_a_doubt(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["demo"]) == 0
    printed = capsys.readouterr().out
    assert "points" in printed
    assert "check" not in printed
    folder = tmp_path / "stadtblick-demo"
    sheet = json.loads((folder / "sheet.json").read_text())
    assert sheet["unsure"] == sheet["notes"] == sheet["missing"] == []
    reading = json.loads((folder / "reading.json").read_text())
    grids = [tuple(map(tuple, city["grid"])) for city in reading["cities"]]
    assert grids == TRUTH
    assert (folder / "screens" / "map.png").exists()
