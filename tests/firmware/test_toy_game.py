"""A game from outside is scored, scanned, shown, stored and exported, and nothing names it."""

import csv
import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass

import pytest
from rich.text import Text as Line

import scoring.games
from firmware.base.user_data import user_folder
from firmware.cli import main
from firmware.games.game import Game
from firmware.games.registry import registered
from firmware.games.scan import Scan
from firmware.games.scores import PlayerResult
from firmware.report.scan_views import scan_screens
from firmware.scan.json_output import reading_json, scan_json
from firmware.scan.make_scan import make_scan
from firmware.screens.result_views import ScoreView, Standing, WinnerView
from firmware.screens.view import PlayerLabel
from firmware.settings import load_settings
from scoring.errors import N_, Breach, BreachKind, TableError
from tests.firmware.board_samples import face, grid_reading, reading
from tests.firmware.fake_eye import write_photo
from tests.firmware.history_samples import open_history, record
from vision.editions.description import Description, TileTurns
from vision.editions.edition import Edition


class GardenBreach(BreachKind):
    NO_GARDEN = N_("there is no garden: lay 3 x 3 tiles")


@dataclass(frozen=True)
class Garden:
    """3 x 3 plots, each with what grows there; None: nothing."""

    plots: tuple[tuple[str | None, ...], ...]


@dataclass(frozen=True)
class GardenSheet:
    game: str
    roses: int
    winners: tuple[int, ...]
    missing: tuple[tuple[int, tuple[int, int]], ...]


class GardenRules:
    """Rules of a game in which a rose is worth a point."""

    NAME = "rose-garden"
    LEVELS = (1,)
    VARIANTS = ("standard",)

    def list_breaches(self, table: Garden, *, lenient: bool = False) -> tuple[Breach, ...]:
        is_whole = len(table.plots) == 3 and all(len(row) == 3 for row in table.plots)
        return () if is_whole else (GardenBreach.NO_GARDEN.at("$.plots"),)

    def score(self, table: Garden, *, lenient: bool = False) -> GardenSheet:
        if breaches := self.list_breaches(table, lenient=lenient):
            raise TableError(breaches)
        gaps = [
            (0, (row, column))
            for row, plots in enumerate(table.plots)
            for column, plot in enumerate(plots)
            if plot is None
        ]
        roses = sum(row.count("rose") for row in table.plots)
        return GardenSheet(self.NAME, roses, (0,), tuple(gaps))


class GardenGame(Game):
    name = "rose-garden"
    title = "Rose Garden"

    def table_from_json(self, value):
        return Garden(tuple(tuple(row) for row in value["plots"]))

    def table_json(self, table):
        return {"game": self.name, "plots": [list(row) for row in table.plots]}

    def sheet_json(self, sheet):
        gardener = {"name": "Gardener", "final": sheet.roses, "rank": 1}
        missing = [{"city": "A", "at": list(cell)} for _garden, cell in sheet.missing]
        return {"game": self.name, "players": [gardener], "winners": [0], "missing": missing}

    def player_results(self, sheet):
        return (PlayerResult("Gardener", sheet.roses, 1, won=True),)

    def table_from_reading(self, reading, description, options):
        return Garden(reading.grids[0].faces)

    def print_score_sheet(self, console, sheet, table, doubts, numbers=None, *, reasons):
        console.print(Line(f"Gardener: {sheet.roses} roses"))

    def winner_view(self, scan):
        return WinnerView(winners=(PlayerLabel(1, "Gardener"),), points=(str(scan.sheet.roses),))

    def player_standings(self, scan):
        gardener, points = PlayerLabel(1, "Gardener"), (str(scan.sheet.roses),)
        page = ScoreView(name="player-1", title=(gardener,), points=points)
        return (Standing(1, "1", gardener, (page,)),)


DESCRIPTION = Description(
    name="my-garden",
    game="rose-garden",
    rows=3,
    columns=3,
    tile_mm=40.0,
    tile_turns=TileTurns.UPRIGHT,
    faces=(face("rose"), face("tulip")),
)
ROWS = [["rose", "tulip", "rose"], ["tulip", "rose", "tulip"], ["rose", "tulip", "rose"]]
TABLE = {"game": "rose-garden", "plots": ROWS}


@pytest.fixture(autouse=True)
def garden() -> Iterator[None]:
    with scoring.games.registered(GardenRules()), registered(GardenGame()):
        yield


@pytest.fixture(autouse=True)
def edition(monkeypatch):
    """Pretend that an edition of the game was taught."""
    monkeypatch.setattr(
        "firmware.teaching.user_editions.load_edition",
        lambda name, game=None, **_: Edition(DESCRIPTION, {}),
    )


def read(photo, edition, rows=ROWS, **further):
    """Read the same garden from every photo."""
    return reading(DESCRIPTION, grid_reading(DESCRIPTION, rows, **further))


def scanned(rows=ROWS, **further) -> Scan:
    return make_scan(read(None, None, rows, **further), DESCRIPTION)


def test_a_table_is_scored_and_what_its_rules_forbid_is_told(tmp_path, capsys):
    file = tmp_path / "table.json"
    file.write_text(json.dumps(TABLE))
    assert main(["score", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["players"][0]["final"] == 5
    assert main(["score", str(file)]) == 0
    assert "Gardener: 5 roses" in capsys.readouterr().out
    file.write_text(json.dumps({**TABLE, "plots": [["rose"]]}))
    assert main(["score", str(file)]) == 2
    assert "lay 3 x 3 tiles" in capsys.readouterr().err


def test_a_photo_is_scanned_and_corrected(tmp_path, capsys):
    photo = write_photo(tmp_path / "table.jpg")
    asked = ["scan", str(photo), "--game", "rose-garden", "--edition", "my-garden"]
    assert main([*asked, "--json"], reader=read) == 0
    sheet = json.loads(capsys.readouterr().out)
    assert (sheet["game"], sheet["players"][0]["final"]) == ("rose-garden", 5)
    assert main([*asked, "--json", "--set", "1,1=tulip"], reader=read) == 0
    assert json.loads(capsys.readouterr().out)["players"][0]["final"] == 4
    out = tmp_path / "result"
    assert main([*asked, "--out", str(out)], reader=read) == 0
    assert "5 roses" in capsys.readouterr().out
    written = {path.name for path in out.rglob("*") if path.is_file()}
    assert {"annotated.jpg", "reading.json", "sheet.json", "winner.png"} <= written


def test_toy_game_asks_about_doubts_and_shows_its_result():
    gap = [["rose", None, "rose"], *ROWS[1:]]
    assert not scanned().needs_a_person
    assert scanned(unsure=((1, 1),)).doubts.count == 1
    assert scanned(gap).needs_a_person
    screens = {screen.name: screen.image for screen in scan_screens(scanned())}
    assert {"winner", "player-1"} <= set(screens)
    assert all(image.size == (128, 64) and image.getbbox() for image in screens.values())


def test_toy_game_is_stored_and_exported(tmp_path, capsys):
    scan = scanned()
    stored = record(
        game="rose-garden",
        reading=reading_json(scan),
        table=GardenGame().table_json(scan.table),
        sheet=scan_json(scan),
    )
    with closing(open_history(user_folder())) as history:
        history.add(stored)
    assert main(["history"]) == 0
    assert "Gardener" in capsys.readouterr().out
    assert main(["history", "show", "1"]) == 0
    assert "5 roses" in capsys.readouterr().out
    out = tmp_path / "games.csv"
    assert main(["history", "export", "--csv", "--out", str(out)]) == 0
    (row,) = csv.DictReader(out.read_text("utf-8").splitlines())
    assert (row["game"], row["player"], row["points"]) == ("rose-garden", "Gardener", "5")


def test_toy_game_can_be_set_in_the_settings(tmp_path):
    file = tmp_path / "settings.toml"
    file.write_text('game = "rose-garden"\nedition = "my-garden"\n')
    settings, warnings = load_settings(file)
    assert (settings.game, settings.edition, warnings) == ("rose-garden", "my-garden", ())
