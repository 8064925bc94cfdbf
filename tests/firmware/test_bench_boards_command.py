"""``stadtblick simulate`` and ``bench`` with ``--game``: photos, readings and figures."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firmware.commands import bench as bench_command
from firmware.errors import ExitCode, UsageError
from tests.firmware.commanded import bench, command, simulate
from vision.errors import PhotoError
from vision.photo import Photo
from vision.reading import Figure, GridReading, LoosePiece, Reading

SMALL = (640, 480)
GAMES = ("cities", "city-blocks", "dice-board")


def point(given: list[float]) -> tuple[float, float]:
    return given[0], given[1]


def quad(given: Any) -> Any:
    return tuple(point(each) for each in given)


def as_read(city: dict[str, Any]) -> GridReading:
    """A city of the truth as an eye without faults sees it."""
    grid, tiles, turns = (tuple(map(tuple, city[key])) for key in ("grid", "tiles", "turns"))
    return GridReading(
        corners_px=quad(city["corners_px"]),
        grid=grid,
        confidence=tuple((0.999,) * len(row) for row in grid),
        unsure=(),
        tiles=tiles,
        turns=turns,
        tile_quads_px=tuple((None,) * len(row) for row in tiles),
        figures=tuple(
            Figure((at["at"][0], at["at"][1]), at["kind"], point(at["foot_px"]))
            for at in city["tokens"]
        ),
        loose=tuple(
            LoosePiece(at["place"], at["number"], at["face"], quad(at["corners_px"]), 1.0)
            for at in city["beside"]
        ),
    )


def eye_that_sees(
    folder: Path, change: Callable[[GridReading], GridReading] = lambda grid: grid
) -> Callable[[Photo], Reading]:
    """An eye that knows the truth, and what it then gets wrong about the first grid."""

    def read(photo: Photo) -> Reading:
        truth = json.loads((folder / photo.name).with_suffix(".json").read_text())
        grids = [as_read(city) for city in truth["cities"]]
        seen = tuple([change(grid) for grid in grids[:1]] + grids[1:])
        return Reading(photo.name, truth["game"], "standard", photo.size_wh, seen)

    return read


def folder_of(tmp_path: Path, game: str, *conditions: str, seed: int = 1) -> Path:
    simulate(tmp_path / game, conditions=conditions, seed=seed, size_wh=SMALL, game=game)
    return tmp_path / game


def figures(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("game", GAMES)
def test_an_eye_without_faults_is_found_to_be_so(
    tmp_path: Path, game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = folder_of(tmp_path, game, "normal", "covered", "no-city")
    capsys.readouterr()
    assert bench(folder, game, as_json=True, eye=eye_that_sees(folder)) is ExitCode.DONE
    told = figures(capsys)
    overall = told["overall"]
    assert (overall["photos"], overall["perfect"], told["game"]) == (3, 3, game)
    assert overall["cities"]["found"] == overall["cities"]["all"] >= 2
    assert overall["cells"]["right"] == overall["cells"]["all"] > 0
    assert overall["corner_error_tiles"]["worst"] < 0.01
    assert sorted(told["conditions"]) == ["covered", "no-city", "normal"]
    assert set(overall["timings_ms"]["total"]) == {"median", "p95", "worst"}
    assert (overall["tokens"]["all"] > 0) == (game == "cities")
    assert (overall["beside"]["all"] > 0) == (game == "city-blocks")


def with_a_water_top_left(grid: GridReading) -> GridReading:
    first = "park" if grid.grid[0][0] == "water" else "water"
    return replace(grid, grid=((first, *grid.grid[0][1:]), *grid.grid[1:]))


def without_figures(grid: GridReading) -> GridReading:
    return replace(grid, figures=())


def without_pieces(grid: GridReading) -> GridReading:
    return replace(grid, loose=())


@pytest.mark.parametrize(
    ("game", "change", "what"),
    [
        ("cities", with_a_water_top_left, "cell"),
        ("cities", without_figures, "token"),
        ("city-blocks", without_pieces, "beside"),
    ],
)
def test_what_is_wrong_without_a_flag_is_named_and_exits_with_1(
    tmp_path: Path,
    game: str,
    change: Callable[[GridReading], GridReading],
    what: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = folder_of(tmp_path, game, "normal", seed=2)
    capsys.readouterr()
    eye = eye_that_sees(folder, change)
    assert bench(folder, game, as_json=True, eye=eye) is ExitCode.NEEDS_A_PERSON
    errors = figures(capsys)["silent_errors"]
    assert {error["what"] for error in errors} == {what}
    assert bench(folder, game, eye=eye) is ExitCode.NEEDS_A_PERSON
    printed = capsys.readouterr().out
    assert "Wrong without a word:" in printed
    assert all("normal-00002.jpg: A " in line for line in wrong_lines(printed))


def wrong_lines(printed: str) -> list[str]:
    lines = printed.split("Wrong without a word:")[1].strip().splitlines()
    assert lines
    return lines


def test_flags_are_named_and_no_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = folder_of(tmp_path, "cities", "normal")
    capsys.readouterr()

    def doubtful(grid: GridReading) -> GridReading:
        return replace(with_a_water_top_left(grid), unsure=((0, 0), (0, 1)))

    assert bench(folder, "cities", eye=eye_that_sees(folder, doubtful)) is ExitCode.DONE
    assert "A 1,2 read" in capsys.readouterr().out.split("Flagged:")[1]


@pytest.mark.parametrize("columns", ["40", "200"])
def test_no_figure_is_cut_off_however_narrow_the_terminal(
    tmp_path: Path,
    columns: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = folder_of(tmp_path, "city-blocks", "normal")
    capsys.readouterr()
    monkeypatch.setenv("COLUMNS", columns)
    bench(folder, "city-blocks", eye=eye_that_sees(folder))
    printed = capsys.readouterr().out
    assert "…" not in printed
    assert "9.50 %" in printed, "bound of the rate of silent errors among 30 cells"


def test_what_the_eye_refuses_is_told_and_no_silent_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = folder_of(tmp_path, "dice-board", "dim")
    capsys.readouterr()

    def refuse(photo: Photo) -> Reading:
        raise PhotoError("photo-too-dark", "too dark: make light", photo.name)

    assert bench(folder, "dice-board", as_json=True, eye=refuse) is ExitCode.DONE
    told = figures(capsys)
    assert told["refused_photos"] == [{"photo": "dim-00001.jpg", "code": "photo-too-dark"}]


def test_truth_of_another_game_is_a_file_that_cannot_be_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = folder_of(tmp_path, "cities", "normal")
    capsys.readouterr()
    eye = eye_that_sees(folder)
    assert bench(folder, "city-blocks", as_json=True, eye=eye) is ExitCode.REFUSED
    [error] = figures(capsys)["refused_files"]
    assert "game must be city-blocks" in error["message"]


def test_unknown_games_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{}")
    with pytest.raises(UsageError, match="known are between-two-cities, cities") as caught:
        bench(tmp_path, "citys", eye=None)
    assert caught.value.code == "unknown-game"
    with pytest.raises(UsageError, match="known are between-two-cities, cities"):
        simulate(tmp_path / "new", game="citys")
    with pytest.raises(UsageError, match="name it with --edition"):
        simulate(tmp_path / "new", game="reading-only")
    assert not (tmp_path / "new").exists()


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    folders = [folder_of(tmp_path / name, "dice-board", "glare", "edge") for name in "ab"]
    first, second = ({p.name: p.read_bytes() for p in folder.iterdir()} for folder in folders)
    assert len(first) == 4
    assert first == second


def test_what_simulate_writes_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    simulate(tmp_path, count=1, size_wh=(1536, 864), game="city-blocks")
    capsys.readouterr()
    command(bench_command, tmp_path, "--json", "--game", "city-blocks")
    told = figures(capsys)
    assert told["game"] == "city-blocks"
    assert told["overall"]["photos"] == 1
