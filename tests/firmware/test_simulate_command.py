"""``stadtblick simulate``: photos and truth in a folder, and what it refuses."""

import json
import sys
from types import SimpleNamespace

import pytest

from firmware.base.errors import ExitCode
from firmware.cli import main
from tests.firmware.commanded import simulate as run
from tests.refusals import refused
from vision.editions.edition import BETWEEN_TWO_CITIES
from vision.lab.evaluation.photo_truth import load_truth
from vision.lab.simulate.conditions import CONDITIONS
from vision.photo.load import load_photo


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_each_photo_lies_beside_its_truth_in_the_form_that_bench_reads(tmp_path, capsys):
    done = run(tmp_path / "new", count=3, seed=7, condition=["glare", "no-city"])
    assert done is ExitCode.DONE
    assert sorted(contents(tmp_path / "new")) == [
        "glare-00007.jpg", "glare-00007.json", "glare-00009.jpg", "glare-00009.json",
        "no-city-00008.jpg", "no-city-00008.json",
    ]  # fmt: skip
    for path in (tmp_path / "new").glob("*.json"):
        truth = load_truth(path, BETWEEN_TWO_CITIES)
        assert truth.path == path.with_suffix(".jpg")
        assert path.name.startswith(truth.condition)
        assert load_photo(truth.path).size_wh == (640, 480)
    assert "3 photos with their reference data" in capsys.readouterr().out


def test_a_photo_is_the_same_each_time_whatever_is_made_beside_it(tmp_path):
    run(tmp_path / "alone", seed=6, count=1, condition=["dim"], game="dice-board")
    run(tmp_path / "beside", seed=5, count=2, condition=["blur", "dim"], game="dice-board")
    assert contents(tmp_path / "alone").items() <= contents(tmp_path / "beside").items()


@pytest.fixture
def _nothing_is_drawn(monkeypatch):
    def shot(_edition, condition, *_how):
        return SimpleNamespace(jpeg=b"jpeg", truth={"subset": condition})

    monkeypatch.setattr("vision.lab.simulate.simulated_photos.take_photo", shot)


@pytest.mark.usefixtures("_nothing_is_drawn")
def test_without_a_count_there_is_one_photo_of_each_condition(tmp_path):
    run(tmp_path)
    subsets = [json.loads(path.read_text())["subset"] for path in tmp_path.glob("*.json")]
    assert sorted(subsets) == sorted(CONDITIONS)


@pytest.mark.usefixtures("_nothing_is_drawn")
@pytest.mark.parametrize("name", ["dim-00002.jpg", "dim-00002.json"])
def test_files_of_same_name_are_left_alone(tmp_path, name):
    (tmp_path / name).write_bytes(b"mine")
    with refused("out-has-photos", f"{name} is there already"):
        run(tmp_path, count=2, condition=["dim"])
    assert contents(tmp_path) == {name: b"mine"}
    run(tmp_path, count=1, condition=["dim"])
    assert contents(tmp_path)[name] == b"mine"


def test_impossible_options_are_refused_before_writing(tmp_path):
    with refused("unknown-condition", "did you mean glare"):
        run(tmp_path / "new", condition=["glar"])
    with refused("size-not-usable", "2000x500 is no size for a table"):
        run(tmp_path / "new", size="2000x500")
    assert not (tmp_path / "new").exists()
    (tmp_path / "file").write_bytes(b"")
    with refused("out-not-a-folder"):
        run(tmp_path / "file", count=1)


@pytest.mark.usefixtures("_nothing_is_drawn")
def test_a_full_disk_is_one_clear_error(tmp_path, monkeypatch):
    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with refused("out-not-writable", "No space left on device") as caught:
        run(tmp_path, count=1, condition=["dim"])
    assert caught.value.where == str(tmp_path)
    assert contents(tmp_path) == {}


@pytest.mark.parametrize(
    ("wrong", "expected"),
    [
        ({"count": 0}, "0 is no whole number from 1 to 100000"),
        ({"seed": "x"}, "x is no whole number from 0"),
        ({"size": "640x"}, "640x is no size like 2304x1296"),
    ],
)
def test_numbers_that_make_no_sense_are_refused(tmp_path, wrong, expected):
    with refused("usage", expected):
        run(tmp_path, **wrong)


def test_the_help_lists_every_condition(capsys):
    assert main(["simulate", "--help"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert all(f"{name} (" in shown for name in CONDITIONS)


@pytest.mark.usefixtures("_nothing_is_drawn")
def test_on_a_terminal_a_line_says_how_far_it_is(tmp_path, monkeypatch, capsys):
    run(tmp_path / "silent", count=1, condition=["dim"])
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    run(tmp_path / "shown", count=2, condition=["dim"])
    assert "Photo 2 of 2: dim-00002" in capsys.readouterr().err
