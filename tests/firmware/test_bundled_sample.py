"""The bundled photo read by the real eye: what a newcomer sees first."""

import json

from firmware.cli import main


def test_the_demo_reads_its_table_without_a_doubt(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["demo"]) == 0
    printed = capsys.readouterr().out
    assert "points" in printed
    assert "check" not in printed
    folder = tmp_path / "stadtblick-demo"
    sheet = json.loads((folder / "sheet.json").read_text())
    assert sheet["unsure"] == sheet["notes"] == sheet["missing"] == []
    assert 3 <= len(sheet["cities"]) <= 7
    assert (folder / "screens" / "map.png").exists()
