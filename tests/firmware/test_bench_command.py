"""``stadtblick bench``: every figure of a folder, and what it does about broken files."""

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firmware.commands import bench as bench_command
from firmware.errors import ExitCode, UsageError
from scoring.faces import Face
from tests.firmware.commanded import bench as run
from tests.firmware.commanded import command, simulate
from tests.firmware.fake_eye import EXAMPLE, FakeEye, write_photo
from vision.photo import Photo, load_photo
from vision.reading import GridReading, Note, Reading, Unread

SEEN = FakeEye(*EXAMPLE[:3])


def write_truth(folder: Path, name: str, condition: str = "dim") -> dict[str, Any]:
    """A photo in which the truth is what ``SEEN`` sees."""
    reading = SEEN(load_photo(write_photo(folder / f"{name}.jpg")))
    truth = {
        "photo": f"{name}.jpg",
        "subset": condition,
        "cities": [
            {"corners_px": [list(p) for p in city.corners_px], "grid": list(map(list, city.grid))}
            for city in reading.grids
        ],
    }
    save(folder, name, truth)
    return truth


def save(folder: Path, name: str, truth: dict[str, Any]) -> None:
    (folder / f"{name}.json").write_text(json.dumps(truth))


def changed(**changes: Any) -> Any:
    """An eye that sees the first city otherwise than ``SEEN``."""

    def read(photo: Photo) -> Reading:
        reading = SEEN(photo)
        first: GridReading = replace(reading.grids[0], **changes)
        return replace(reading, grids=(first, *reading.grids[1:]))

    return read


def another_face(grid: Any) -> Any:
    """The grid with a park at its top left, where none is."""
    assert grid[0][0] is not Face.PARK
    return ((Face.PARK, *grid[0][1:]), *grid[1:])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_truth(tmp_path, "a", "dim")
    write_truth(tmp_path, "b", "glare")
    return tmp_path


def figures(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def test_a_folder_that_is_read_right_is_done(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(folder, as_json=True, eye=SEEN) is ExitCode.DONE
    told = figures(capsys)
    assert sorted(told["conditions"]) == ["dim", "glare"]
    assert told["conditions"]["dim"]["tiles"]["right"] == 48
    overall = told["overall"]
    assert (overall["photos"], overall["perfect"]) == (2, 2)
    assert overall["cities"] == {
        "all": 6, "found": 6, "unread": 0, "refused": 0, "missed": 0, "invented": 0,
        "washed_out": {"found": 0, "unread": 0, "refused": 0, "missed": 0},
    }  # fmt: skip
    assert overall["tiles"]["silently_wrong"] == 0
    assert overall["tiles"]["silent_rate_upper_95"] == pytest.approx(3 / 96, rel=0.02)
    assert list(overall["timings_ms"]) == ["decode", "locate", "recognise", "total"]
    assert overall["total_per_decode"]["median"] >= 1
    assert sum(b["cells"] for b in overall["reliability"]["bins"]) == 96
    assert told["peak_memory_mb"] is None or told["peak_memory_mb"] > 1


def test_a_silent_error_is_named_and_exits_with_1(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    city = SEEN(load_photo(folder / "a.jpg")).grids[0]
    eye = changed(grid=another_face(city.grid))
    assert run(folder, as_json=True, limit=1, eye=eye) is ExitCode.NEEDS_A_PERSON
    told = figures(capsys)
    assert told["overall"]["tiles"]["silently_wrong"] == 1
    [error] = told["silent_errors"]
    expected = {"photo": "a.jpg", "city": 0, "name": "A", "at": [0, 0], "read": "park"}
    assert error.items() >= expected.items()
    assert error["truth"] == city.grid[0][0]


def test_the_same_error_with_a_flag_is_no_silent_one(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    city = SEEN(load_photo(folder / "a.jpg")).grids[0]
    eye = changed(grid=another_face(city.grid), unsure=((0, 0),), alternatives={})
    assert run(folder, as_json=True, eye=eye) is ExitCode.DONE
    told = figures(capsys)
    assert [flag["at"] for flag in told["flagged"]] == [[0, 0], [0, 0]]
    assert told["overall"]["tiles"]["wrong_and_flagged"] == 2


def test_the_text_names_every_error_and_flag(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    city = SEEN(load_photo(folder / "a.jpg")).grids[0]
    eye = changed(grid=another_face(city.grid), unsure=((1, 2),), alternatives={})
    run(folder, eye=eye)
    printed = capsys.readouterr().out
    for photo in ("a.jpg", "b.jpg"):
        assert f"{photo}: A 1,1 read park, is {city.grid[0][0]}" in printed
        assert f"{photo}: A 2,3 read {city.grid[1][2]}, is {city.grid[1][2]}" in printed
    assert "glare" in printed


@pytest.mark.parametrize("columns", ["40", "200"])
def test_no_figure_is_cut_off_however_narrow_the_terminal(
    folder: Path,
    columns: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    run(folder, eye=SEEN)
    printed = capsys.readouterr().out
    assert "…" not in printed
    assert "3.07 %" in printed, "bound of the rate of silent errors"


def test_missed_and_invented_cities_exit_with_1(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def fewer(photo: Photo) -> Reading:
        return replace(SEEN(photo), grids=SEEN(photo).grids[1:])

    assert run(folder, as_json=True, limit=1, eye=fewer) is ExitCode.NEEDS_A_PERSON
    assert figures(capsys)["missed"] == [{"photo": "a.jpg", "city": 0, "washed_out": False}]
    save(folder, "a", {"photo": "a.jpg", "cities": []})
    assert run(folder, as_json=True, limit=1, eye=SEEN) is ExitCode.NEEDS_A_PERSON
    assert [each["name"] for each in figures(capsys)["invented"]] == ["A", "B", "C"]


def test_what_light_has_washed_out_is_told_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    truth = write_truth(tmp_path, "a", "glare")
    truth["cities"][0]["blown_share"] = [1] * 16
    save(tmp_path, "a", truth)

    def fewer(photo: Photo) -> Reading:
        white, *others = SEEN(photo).grids
        unread = (Unread(white.corners_px, Note("few-tiles", values=(("n", 6),))),)
        return replace(SEEN(photo), grids=tuple(others), unread=unread)

    assert run(tmp_path, as_json=True, eye=fewer) is ExitCode.DONE
    told = figures(capsys)
    assert told["unread"] == [{"photo": "a.jpg", "city": 0, "washed_out": True}]
    assert told["overall"]["cities"]["washed_out"]["unread"] == 1
    run(tmp_path, eye=fewer)
    said = "Without 1 grid that light leaves half white or more: 2 of 2 found (100.00 %)"
    assert said in capsys.readouterr().out


def test_a_photo_without_a_city_is_right_when_nothing_is_read(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save(folder, "a", {"photo": "a.jpg", "cities": []})
    assert run(folder, as_json=True, limit=1, eye=FakeEye()) is ExitCode.DONE
    assert figures(capsys)["overall"]["perfect"] == 1


def test_what_the_eye_refuses_is_told_and_no_silent_error(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    eye = FakeEye(refuses={"a.jpg": "photo-too-dark", "b.jpg": "photo-too-dark"})
    assert run(folder, as_json=True, eye=eye) is ExitCode.DONE
    told = figures(capsys)
    assert told["refused_photos"][0] == {"photo": "a.jpg", "code": "photo-too-dark"}
    assert told["overall"]["cities"]["refused"] == 6


def test_broken_files_are_named_and_the_others_go_on(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "b.jpg").write_bytes(b"no photo")
    (folder / "c.json").write_text("{")
    save(folder, "d", {"photo": "gone.jpg", "cities": []})
    assert run(folder, as_json=True, eye=SEEN) is ExitCode.REFUSED
    told = figures(capsys)
    assert told["overall"]["photos"] == 1
    assert [Path(each["where"]).name for each in told["refused_files"]] == [
        "b.jpg", "c.json", "gone.jpg",
    ]  # fmt: skip
    assert run(folder, eye=SEEN) is ExitCode.REFUSED
    printed = capsys.readouterr().out
    assert all(name in printed for name in ("b.jpg", "c.json", "gone.jpg"))


def test_photos_to_learn_from_are_left_out(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save(folder, "b", {"photo": "b.jpg", "kind": "teach"})
    assert run(folder, as_json=True, eye=SEEN) is ExitCode.DONE
    told = figures(capsys)
    assert (told["overall"]["photos"], told["skipped"]) == (1, ["b.jpg"])


@pytest.mark.parametrize(("name", "code"), [("none", "bench-no-folder"), (".", "bench-no-truth")])
def test_a_folder_without_truth_is_refused(tmp_path: Path, name: str, code: str) -> None:
    with pytest.raises(UsageError) as caught:
        run(tmp_path / name, eye=SEEN)
    assert (caught.value.code, caught.value.where) == (code, str(tmp_path / name))


def test_what_simulate_writes_is_what_bench_reads(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    simulate(tmp_path, count=1, seed=3, conditions=["normal"], size_wh=(1536, 864))
    capsys.readouterr()
    done = command(bench_command, tmp_path, "--json")
    told = figures(capsys)
    assert done is ExitCode.DONE
    assert told["overall"]["cities"]["found"] == told["overall"]["cities"]["all"] >= 3
    assert told["overall"]["corner_error_tiles"]["p95"] < 0.5


def test_a_limit_that_is_no_number_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    parser = argparse.ArgumentParser()
    bench_command.add_to(parser)
    with pytest.raises(SystemExit):
        parser.parse_args(["x", "--limit", "none"])
    assert "none is no number of photos" in capsys.readouterr().err
