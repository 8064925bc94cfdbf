"""``stadtblick bench``: every figure of a folder, and what it does about broken files."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from firmware.base.errors import ExitCode
from firmware.commands.bench import counted_unit
from scoring.faces import Face
from tests.firmware.commanded import command, simulate
from tests.firmware.fake_eye import EXAMPLE, FakeEye, write_photo
from tests.refusals import refused
from vision.editions.folder import built_in_edition, built_in_games
from vision.photo.load import load_photo
from vision.reading import Figure, GridReading, LoosePiece, Note, Reading, Unread

SEEN = FakeEye(*EXAMPLE[:3])


def write_truth(folder, name, condition="dim", **first_city):
    """A photo in which the truth is what ``SEEN`` sees."""
    reading = SEEN(load_photo(write_photo(folder / f"{name}.jpg")))
    cities = [{"corners_px": each.corners_px, "grid": each.faces} for each in reading.grids]
    cities[0] |= first_city
    save(folder, name, {"photo": f"{name}.jpg", "subset": condition, "cities": cities})


def save(folder, name, truth):
    (folder / f"{name}.json").write_text(json.dumps(truth))


def changed(**changes):
    """An eye that sees the first city otherwise than ``SEEN``."""

    def read(photo):
        first, *others = SEEN(photo).grids
        return replace(SEEN(photo), grids=(replace(first, **changes), *others))

    return read


@pytest.fixture
def folder(tmp_path):
    write_truth(tmp_path, "a", "dim")
    write_truth(tmp_path, "b", "glare")
    return tmp_path


@pytest.fixture
def grid(folder):
    """The first city of the truth."""
    return SEEN(load_photo(folder / "a.jpg")).grids[0].faces


@pytest.fixture
def wrong(grid):
    """The same with a park at its top left, where none is."""
    assert grid[0][0] is not Face.PARK
    return ((Face.PARK, *grid[0][1:]), *grid[1:])


@pytest.fixture
def printed(prints):
    def run(folder, game=None, *arguments, eye=SEEN, code=ExitCode.DONE):
        words = ("--game", game, *arguments) if game else arguments
        return prints("bench", folder, *words, eye=lambda photo, _: eye(photo), code=code)

    return run


@pytest.fixture
def bench_figures(printed):
    """The figures of a folder; ``bench`` has to end with that exit code."""

    def run(folder, game=None, *, limit=99, **options):
        return json.loads(printed(folder, game, "--json", "--limit", limit, **options))

    return run


def test_a_folder_that_is_read_right_is_done(folder, bench_figures):
    figures = bench_figures(folder)
    overall = figures["overall"]
    assert sorted(figures["conditions"]) == ["dim", "glare"]
    assert figures["conditions"]["dim"]["tiles"]["right"] == 48
    assert (overall["photos"], overall["perfect"]) == (2, 2)
    assert overall["cities"] == {
        "all": 6, "found": 6, "unread": 0, "refused": 0, "missed": 0, "invented": 0,
        "washed_out": {"found": 0, "unread": 0, "refused": 0, "missed": 0},
    }  # fmt: skip
    assert overall["tiles"]["silently_wrong"] == 0
    assert overall["tiles"]["silent_rate_upper_95"] == pytest.approx(3 / 96, rel=0.02)
    assert list(overall["timings_ms"]) == ["decode", "locate", "recognise", "total"]
    assert overall["total_per_decode"]["median"] >= 1
    # The eye of this test looks its answers up
    assert overall["multiply_adds_millions"]["median"] == overall["patches"]["median"] == 0
    assert sum(b["cells"] for b in overall["reliability"]["bins"]) == 96
    assert figures["peak_memory_mb"] is None or figures["peak_memory_mb"] > 1


def test_a_silent_error_is_named_and_exits_with_1(folder, bench_figures, grid, wrong):
    figures = bench_figures(folder, eye=changed(faces=wrong), code=ExitCode.NEEDS_A_PERSON, limit=1)
    assert figures["overall"]["tiles"]["silently_wrong"] == 1
    [error] = figures["silent_errors"]
    expected = {"photo": "a.jpg", "city": 0, "name": "A", "at": [0, 0], "read": "park"}
    assert error.items() >= {**expected, "what": "cell", "truth": grid[0][0]}.items()
    figures = bench_figures(folder, eye=changed(faces=wrong, unsure=((0, 0),), alternatives={}))
    assert [flag["at"] for flag in figures["flagged"]] == [[0, 0], [0, 0]]
    assert figures["overall"]["tiles"]["wrong_and_flagged"] == 2


def test_the_text_names_every_error_and_flag(folder, grid, wrong, printed):
    eye = changed(faces=wrong, unsure=((1, 2),), alternatives={})
    text = printed(folder, eye=eye, code=ExitCode.NEEDS_A_PERSON)
    _figures, silent = text.split("Wrong and not flagged:")
    silent, flagged = silent.split("Flagged:")
    for photo in ("a.jpg", "b.jpg"):
        assert f"{photo}: A, row 1, column 1: read park, is {grid[0][0]}" in silent
        assert f"{photo}: A, row 2, column 3: read {grid[1][2]}, is {grid[1][2]}" in flagged


@pytest.mark.parametrize("columns", ["40", "200"])
def test_no_figure_is_cut_off_however_narrow_the_terminal(folder, columns, printed, monkeypatch):
    monkeypatch.setenv("COLUMNS", columns)
    text = printed(folder)
    assert "…" not in text
    assert "glare" in text
    assert "3.07%" in text, "bound of the rate of silent errors"


def test_missed_and_invented_cities_exit_with_1(folder, bench_figures):
    def fewer(photo):
        return replace(SEEN(photo), grids=SEEN(photo).grids[1:])

    figures = bench_figures(folder, eye=fewer, code=ExitCode.NEEDS_A_PERSON, limit=1)
    assert figures["missed"] == [{"photo": "a.jpg", "city": 0, "washed_out": False}]
    save(folder, "a", {"photo": "a.jpg", "cities": []})
    figures = bench_figures(folder, code=ExitCode.NEEDS_A_PERSON, limit=1)
    assert [each["name"] for each in figures["invented"]] == ["A", "B", "C"]
    assert bench_figures(folder, eye=FakeEye(), limit=1)["overall"]["perfect"] == 1


def test_missed_city_is_printed_with_what_hides_it(tmp_path, printed):
    write_truth(tmp_path, "a", occluded=[[0, 0], [0, 1], [2, 2]], outside=[[3, 3]])

    def fewer(photo):
        return replace(SEEN(photo), grids=SEEN(photo).grids[1:])

    text = printed(tmp_path, eye=fewer, code=ExitCode.NEEDS_A_PERSON)
    hidden = "(covered in part: 3, partly outside the photo: 1)"
    assert f"a.jpg: grid 1 of the reference data was missed, 16 cells {hidden}" in text


def test_washed_out_grids_are_counted_apart(tmp_path, bench_figures, printed):
    write_truth(tmp_path, "a", "glare", blown_share=[1] * 16)

    def fewer(photo):
        white, *others = SEEN(photo).grids
        unread = (Unread(white.corners_px, Note("city-unreadable")),)
        return replace(SEEN(photo), grids=tuple(others), unread=unread)

    figures = bench_figures(tmp_path, eye=fewer)
    assert figures["unread"] == [{"photo": "a.jpg", "city": 0, "washed_out": True}]
    assert figures["overall"]["cities"]["washed_out"]["unread"] == 1
    text = "Without 1 grid that light leaves half white or more: 2 of 2 found (100.00%)"
    assert text in printed(tmp_path, eye=fewer)


def test_refused_photo_is_listed_and_no_silent_error(folder, bench_figures):
    eye = FakeEye(refuses={"a.jpg": "photo-too-dark", "b.jpg": "photo-too-dark"})
    figures = bench_figures(folder, eye=eye)
    assert figures["refused_photos"][0] == {"photo": "a.jpg", "code": "photo-too-dark"}
    assert figures["overall"]["cities"]["refused"] == 6


def test_broken_files_are_named_and_the_others_go_on(folder, bench_figures, printed):
    (folder / "b.jpg").write_bytes(b"no photo")
    (folder / "c.json").write_text("{")
    save(folder, "d", {"photo": "gone.jpg", "cities": []})
    save(folder, "e", {"photo": "e.jpg", "kind": "teach"})
    figures = bench_figures(folder, code=ExitCode.REFUSED)
    assert (figures["overall"]["photos"], figures["skipped"]) == (1, ["e.jpg"])
    names = ["b.jpg", "c.json", "gone.jpg"]
    assert [Path(each["where"]).name for each in figures["refused_files"]] == names
    text = printed(folder, code=ExitCode.REFUSED)
    assert all(name in text for name in (*names, "e.jpg"))


@pytest.mark.parametrize(("name", "code"), [("none", "bench-no-folder"), (".", "bench-no-truth")])
def test_a_folder_without_truth_is_refused(tmp_path, name, code):
    with refused(code) as caught:
        command("bench", tmp_path / name)
    assert caught.value.where == str(tmp_path / name)


@pytest.mark.parametrize("game", ["between-two-cities", "city-blocks"])
def test_bench_reads_the_files_of_simulate(tmp_path, capsys, game):
    simulate(tmp_path, count=1, seed=3, condition="normal", size="1536x864", game=game)
    capsys.readouterr()
    command("bench", tmp_path, "--json")
    figures = json.loads(capsys.readouterr().out)
    cities = figures["overall"]["cities"]
    assert (figures["game"], figures["overall"]["photos"]) == (game, 1)
    assert cities["found"] == cities["all"] >= (3 if game == "between-two-cities" else 1)
    assert figures["overall"]["corner_error_tiles"]["p95"] < 0.5


def test_photos_of_several_games_are_judged_game_by_game(folder, bench_figures):
    save(folder, "c", {"photo": "c.jpg", "game": "cities", "cities": []})
    with refused("bench-games-differ", "of between-two-cities, cities: ", folder):
        command("bench", folder)
    figures = bench_figures(folder, "between-two-cities", code=ExitCode.REFUSED)
    [of_another] = figures["refused_files"]
    assert of_another["code"] == "truth-other-game"
    assert of_another["message"] == (
        "the reference data are of cities, not of between-two-cities: give --game cities"
    )
    assert bench_figures(folder, limit=2)["overall"]["photos"] == 2


def test_a_limit_that_is_no_number_is_refused():
    with refused("usage", "none is no number of photos"):
        command("bench", "x", "--limit", "none")


class TestOtherGames:
    def truth(self, tmp_path, game, *conditions, seed=1):
        simulate(tmp_path, condition=conditions, seed=seed, game=game)
        return tmp_path

    def eye(self, folder, change=lambda grid: grid):
        """An eye that knows the truth, and what it then gets wrong about the first grid."""

        def read(photo):
            truth = json.loads((folder / photo.name).with_suffix(".json").read_text())
            seen = [self.as_read(city) for city in truth["cities"]]
            grids = (*map(change, seen[:1]), *seen[1:])
            return Reading(photo.name, truth["game"], "standard", photo.size_wh, grids)

        return read

    def as_read(self, city):
        """A city of the truth as an eye without faults sees it."""
        grid, tiles, turns, corners = (
            tuple(map(tuple, city[key])) for key in ("grid", "tiles", "turns", "corners_px")
        )
        return GridReading(
            corners_px=corners,
            faces=grid,
            confidence=tuple((0.999,) * len(row) for row in grid),
            unsure=(),
            tiles=tiles,
            turns=turns,
            tile_quads_px=tuple((None,) * len(row) for row in tiles),
            figures=tuple(
                Figure(tuple(at["at"]), at["kind"], tuple(at["foot_px"])) for at in city["tokens"]
            ),
            loose=tuple(
                LoosePiece(
                    *(at["place"], at["number"], at["face"]),
                    tuple(map(tuple, at["corners_px"])),
                    1.0,
                )
                for at in city["beside"]
            ),
        )

    @pytest.mark.parametrize("game", built_in_games())
    def test_an_eye_without_faults_is_found_to_be_so(self, tmp_path, game, bench_figures):
        folder = self.truth(tmp_path, game, "normal", "covered", "no-city")
        figures = bench_figures(folder, game, eye=self.eye(folder))
        overall = figures["overall"]
        assert (overall["photos"], overall["perfect"], figures["game"]) == (3, 3, game)
        assert overall["cities"]["found"] == overall["cities"]["all"] >= 2
        pieces = overall[counted_unit(built_in_edition(game).description)]
        assert pieces["right"] == pieces["all"] > 0
        assert overall["corner_error_tiles"]["worst"] < 0.01
        assert sorted(figures["conditions"]) == ["covered", "no-city", "normal"]
        assert set(overall["timings_ms"]["total"]) == {"median", "p95", "worst"}
        assert (overall["tokens"]["all"] > 0) == (game == "cities")
        assert (overall["beside"]["all"] > 0) == (game == "city-blocks")

    @pytest.mark.parametrize(
        ("game", "change", "what"),
        [("cities", {"figures": ()}, "token"), ("city-blocks", {"loose": ()}, "beside")],
    )
    def test_silent_error_is_named_and_exits_with_1(
        self, tmp_path, game, change, what, bench_figures, printed
    ):
        folder = self.truth(tmp_path, game, "normal", seed=2)
        eye = self.eye(folder, lambda grid: replace(grid, **change))
        errors = bench_figures(folder, game, eye=eye, code=ExitCode.NEEDS_A_PERSON)["silent_errors"]
        assert {error["what"] for error in errors} == {what}
        text = printed(folder, game, eye=eye, code=ExitCode.NEEDS_A_PERSON)
        lines = text.split("Wrong and not flagged:")[1].strip().splitlines()
        assert lines
        assert all("normal-00002.jpg: A, " in line for line in lines)

    def test_truth_of_another_game_is_a_file_that_cannot_be_used(self, tmp_path, bench_figures):
        folder = self.truth(tmp_path, "cities", "normal")
        figures = bench_figures(folder, "city-blocks", eye=self.eye(folder), code=ExitCode.REFUSED)
        [error] = figures["refused_files"]
        assert error["message"].endswith("not of city-blocks: give --game cities")

    def test_unknown_games_are_refused(self, tmp_path):
        (tmp_path / "a.json").write_text("{}")
        with refused("unknown-game", "known are between-two-cities, cities"):
            command("bench", tmp_path, game="citys")
        with refused("unknown-game", "known are between-two-cities, cities"):
            simulate(tmp_path / "new", game="citys")
        with refused("edition-missing", "give it with --edition"):
            simulate(tmp_path / "new", game="reading-only")
        assert not (tmp_path / "new").exists()
