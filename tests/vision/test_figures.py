"""Readings held against the truth: every figure counts what it says."""

import json
import math
import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scoring.faces import Cell, Face
from vision.editions.edition import GAME
from vision.figures.tally import Outcome, Reliability, Tally, percentile, upper_bound
from vision.figures.truth import GridTruth, PhotoTruth, Sight, TruthError, load_truth, parse_truth
from vision.figures.verdict import Fate, PhotoVerdict, compare, refused
from vision.reading import GridReading, Note, Quad, Reading, Unread

FACES = tuple(Face)
GRID = tuple(tuple(FACES[(4 * r + c) % 9] for c in range(4)) for r in range(4))


def quad(x: float, y: float, size: float = 400) -> Quad:
    return (x, y), (x + size, y), (x + size, y + size), (x, y + size)


def truth(*cities: GridTruth) -> PhotoTruth:
    return PhotoTruth(Path("table.jpg"), "dim", cities)


def read_as(
    corners: Quad,
    changes: dict[Cell, Face | None] | None = None,
    unsure: Iterable[Cell] = (),
) -> GridReading:
    grid = [list(row) for row in GRID]
    for (row, column), face in (changes or {}).items():
        grid[row][column] = face
    return GridReading(
        corners_px=corners,
        grid=tuple(map(tuple, grid)),
        confidence=((0.99,) * 4,) * 4,
        unsure=tuple(unsure),
        tile_quads_px=((None,) * 4,) * 4,
    )


def reading(*cities: GridReading, unread: Iterable[Quad] = ()) -> Reading:
    regions = tuple(Unread(corners, Note("city-unreadable")) for corners in unread)
    return Reading("table.jpg", "between-two-cities", "standard", (2000, 1000), cities, regions)


def tally_of(*pairs: tuple[PhotoTruth, Reading]) -> Tally:
    tally = Tally()
    for true, read in pairs:
        tally.add(compare(true, read))
    return tally


def silent_in(verdict: PhotoVerdict) -> int:
    tally = Tally()
    tally.add(verdict)
    return tally.silent


def test_a_perfect_reading_has_nothing_to_tell() -> None:
    tally = tally_of((truth(GridTruth(quad(0, 0), GRID, 4)), reading(read_as(quad(0, 0)))))
    assert (tally.photos, tally.perfect, tally.right, tally.cells) == (1, 1, 16, 16)
    assert (tally.silent, tally.visible_flagged, tally.invented, tally.false_alarms) == (0, 0, 0, 0)
    assert tally.corner_errors == [0]


def test_a_wrong_tile_is_silent_only_without_a_flag() -> None:
    wrong = {(1, 2): Face.PARK, (3, 3): Face.PARK, (0, 0): None}
    assert Face.PARK not in (GRID[1][2], GRID[3][3])
    tally = tally_of(
        (
            truth(GridTruth(quad(0, 0), GRID, 4)),
            reading(read_as(quad(0, 0), wrong, [(3, 3), (2, 0)])),
        )
    )
    assert tally.silent == 2
    assert tally.right == 13
    assert tally.visible_flagged == 2
    assert tally.count(None, Outcome.WRONG_AND_FLAGGED) == 1
    assert tally.perfect == 0


def test_flags_on_what_cannot_be_seen_are_no_fault() -> None:
    city = GridTruth(
        quad(0, 0),
        GRID,
        4,
        covered=frozenset({(0, 0), (0, 1)}),
        outside=frozenset({(0, 1)}),
        turned=frozenset({(2, 2)}),
    )
    flags = [(0, 0), (0, 1), (2, 2)]
    tally = tally_of((truth(city), reading(read_as(quad(0, 0), {(0, 0): Face.PARK}, flags))))
    assert (tally.visible, tally.visible_flagged, tally.silent) == (13, 0, 0)
    assert tally.count(Sight.COVERED, Outcome.WRONG_AND_FLAGGED) == 1
    assert tally.count(Sight.OUTSIDE, Outcome.RIGHT_BUT_FLAGGED) == 1
    assert tally.count(Sight.TURNED, Outcome.RIGHT_BUT_FLAGGED) == 1


def test_a_covered_tile_read_wrong_without_a_flag_is_silent() -> None:
    city = GridTruth(quad(0, 0), GRID, 4, covered=frozenset({(0, 0)}))
    tally = tally_of((truth(city), reading(read_as(quad(0, 0), {(0, 0): Face.PARK}))))
    assert tally.silent == tally.count(Sight.COVERED, Outcome.SILENTLY_WRONG) == 1


def test_a_tile_read_where_none_lies_is_silently_wrong() -> None:
    empty = tuple(tuple(None if c == 0 else f for c, f in enumerate(row)) for row in GRID)
    tally = tally_of((truth(GridTruth(quad(0, 0), empty, 4)), reading(read_as(quad(0, 0)))))
    assert tally.count(Sight.MISSING, Outcome.SILENTLY_WRONG) == tally.silent == 4


def test_a_missed_city_is_silent_unless_the_reading_tells_of_it() -> None:
    two = truth(GridTruth(quad(0, 0), GRID, 4), GridTruth(quad(1000, 0), GRID, 4))
    silent = compare(two, reading(read_as(quad(0, 0))))
    told = compare(two, reading(read_as(quad(0, 0)), unread=[quad(1050, 60, 250)]))
    assert [city.fate for city in silent.grids] == [Fate.FOUND, Fate.MISSED]
    assert [city.fate for city in told.grids] == [Fate.FOUND, Fate.UNREAD]
    assert (silent_in(silent), silent_in(told), told.false_alarms) == (16, 0, 0)
    assert not told.perfect


def test_a_photo_that_was_refused_has_no_silent_errors() -> None:
    verdict = refused(truth(GridTruth(quad(0, 0), GRID, 4)), "photo-too-dark")
    assert silent_in(verdict) == 0
    assert verdict.refusal == "photo-too-dark"
    assert [city.fate for city in verdict.grids] == [Fate.REFUSED]


def test_what_is_not_there_is_invented_or_a_false_alarm() -> None:
    verdict = compare(truth(), reading(read_as(quad(0, 0)), unread=[quad(900, 0)]))
    assert (verdict.invented, verdict.false_alarms) == (("A",), 1)
    assert compare(truth(), reading()).perfect


def test_a_city_is_found_within_a_tile_of_its_place_and_each_reading_counts_once() -> None:
    city = GridTruth(quad(0, 0), GRID, 4)
    near, far = (compare(truth(city), reading(read_as(quad(x, 0)))) for x in (99, 101))
    assert [near.grids[0].fate, far.grids[0].fate] == [Fate.FOUND, Fate.MISSED]
    assert near.grids[0].corner_error == pytest.approx(0.99)
    assert far.invented == ("A",)
    twice = compare(truth(city, city), reading(read_as(quad(0, 0))))
    assert [each.fate for each in twice.grids] == [Fate.FOUND, Fate.MISSED]


def test_a_city_is_named_as_in_the_reading() -> None:
    two = truth(GridTruth(quad(0, 0), GRID, 4), GridTruth(quad(1000, 0), GRID, 4))
    verdict = compare(two, reading(read_as(quad(1000, 0)), read_as(quad(0, 0))))
    assert [(city.index, city.name) for city in verdict.grids] == [(0, "B"), (1, "A")]


def test_a_reading_of_another_size_is_silently_wrong_everywhere() -> None:
    small = replace(read_as(quad(0, 0)), grid=((Face.PARK,),), confidence=((0.9,),))
    assert silent_in(compare(truth(GridTruth(quad(0, 0), GRID, 4)), reading(small))) == 16


def test_times_are_related_photo_by_photo() -> None:
    tally = Tally()
    for decode, total in ((10.0, 30.0), (20.0, 100.0)):
        tally.add(compare(truth(), reading()), {"decode": decode, "total": total})
    tally.add(refused(truth(), "photo-too-dark"))
    assert tally.total_per_decode == [3, 5]
    assert (tally.photos, tally.refused) == (3, 1)


@pytest.mark.parametrize(
    ("errors", "trials"), [(0, 1), (0, 100), (0, 1424), (1, 20), (5, 50), (49, 50)]
)
def test_at_the_bound_so_few_errors_happen_once_in_twenty(errors: int, trials: int) -> None:
    rate = upper_bound(errors, trials)
    assert rate is not None
    chance = sum(
        math.comb(trials, k) * rate**k * (1 - rate) ** (trials - k) for k in range(errors + 1)
    )
    assert chance == pytest.approx(0.05, rel=1e-6)


def test_without_an_error_the_bound_is_about_three_in_all_trials() -> None:
    assert upper_bound(0, 1000) == pytest.approx(3 / 1000, rel=0.01)
    assert upper_bound(3, 3) == 1


def test_the_bound_of_an_error_rate_needs_trials() -> None:
    assert upper_bound(0, 0) is None
    with pytest.raises(ValueError, match="3 errors in 2 trials"):
        upper_bound(3, 2)


def test_percentiles_lie_between_values() -> None:
    assert percentile([4, 1, 3, 2], 50) == 2.5
    assert percentile([], 95) is None


def test_confidences_are_held_against_what_came_true() -> None:
    reliability = Reliability()
    assert reliability.calibration_error is None
    for confidence, right in ((0.92, True), (0.94, False), (1.0, True), (0.0, False)):
        reliability.add(confidence, right=right)
    full = {(b.low, b.high): b for b in reliability.bins if b.count}
    assert list(full) == [(0.0, 0.5), (0.9, 0.95), (0.995, 1.0)]
    middle = full[0.9, 0.95]
    assert (middle.count, middle.mean_confidence, middle.share_right) == (
        2, pytest.approx(0.93), 0.5,
    )  # fmt: skip
    assert reliability.calibration_error == pytest.approx(0.86 / 4)


def whole_truth() -> dict[str, Any]:
    return {
        "photo": "a.jpg",
        "subset": "dim",
        "cities": [
            {
                "corners_px": [list(point) for point in quad(0, 0)],
                "grid": [list(row) for row in GRID],
                "occluded": [[0, 1]],
                "turned": [[2, 3, 2]],
            }
        ],
    }


def test_a_truth_is_read_with_all_that_hinders(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text(json.dumps(whole_truth()))
    loaded = load_truth(file, GAME)
    assert (loaded.path, loaded.condition) == (tmp_path / "a.jpg", "dim")
    city = loaded.grids[0]
    assert city.grid == GRID
    assert city.sight((0, 1)) is Sight.COVERED
    assert city.sight((2, 3)) is Sight.TURNED
    assert city.sight((0, 0)) is Sight.VISIBLE


@pytest.mark.parametrize(("white", "is_washed_out"), [(0, False), (7, False), (8, True)])
def test_a_city_is_washed_out_when_half_of_its_tiles_are_half_white(
    white: int, is_washed_out: bool
) -> None:
    given = whole_truth()
    given["cities"][0]["blown_share"] = [0.5] * white + [0.49] * (16 - white)
    assert parse_truth(given, Path("a.json"), GAME).grids[0].is_washed_out is is_washed_out


def test_cities_washed_out_by_light_are_told_apart() -> None:
    lit, white = (GridTruth(quad(1000 * n, 0), GRID, 4, is_washed_out=n == 1) for n in range(2))
    table = truth(lit, white)
    both_read = reading(read_as(quad(0, 0)), read_as(quad(1000, 0)))
    only_lit = reading(read_as(quad(0, 0)), unread=[quad(1050, 60, 250)])
    only_white = reading(read_as(quad(1000, 0)), unread=[quad(50, 60, 250)])
    tally = tally_of((table, both_read), (table, only_lit), (table, only_white))
    assert tally.found_of_lit == (2, 3)
    assert (tally.washed_out[Fate.FOUND], tally.washed_out[Fate.UNREAD]) == (2, 1)
    assert tally.grids[Fate.FOUND] == 4, "they count like the others all the same"


def test_a_refused_photo_tells_which_city_was_washed_out() -> None:
    tally = Tally()
    city = GridTruth(quad(0, 0), GRID, 4, is_washed_out=True)
    tally.add(refused(truth(city), "photo-too-dark"))
    assert tally.washed_out[Fate.REFUSED] == 1


def test_a_photo_to_learn_from_is_no_table() -> None:
    assert not parse_truth({"photo": "a.jpg", "kind": "teach"}, Path("a.json"), GAME).is_table


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda t: t.pop("photo"), "photo must be"),
        (lambda t: t.update(photo="../a.jpg"), "photo must be"),
        (lambda t: t.update(game="chess"), "game must be between-two-cities"),
        (lambda t: t.update(subset=3), "subset must be"),
        (lambda t: t.update(cities=None), "cities must be a list"),
        (lambda t: t["cities"].append(4), r"cities\[1\] must be an object"),
        (lambda t: t["cities"][0].update(grid=[]), r"cities\[0\].grid must be rows"),
        (lambda t: t["cities"][0]["grid"][0].pop(), "equally long"),
        (lambda t: t["cities"][0]["grid"][0].__setitem__(0, "zoo"), "'zoo', which is no face"),
        (lambda t: t["cities"][0].update(corners_px=None), "must be four points"),
        (lambda t: t["cities"][0].update(corners_px=[[0, 0]] * 4), "upper edge"),
        (lambda t: t["cities"][0]["corners_px"].__setitem__(0, [0, float("nan")]), "four points"),
        (lambda t: t["cities"][0].update(occluded=[[0, 4]]), "occluded must list cells"),
        (lambda t: t["cities"][0].update(turned=[[0]]), "turned must list cells"),
        (lambda t: t["cities"][0].update(blown_share=[0.5] * 15), "blown_share must be a number"),
        (lambda t: t["cities"][0].update(blown_share=[0] * 15 + [1.1]), "from 0 to 1"),
        (lambda t: t["cities"][0].update(blown_share=[0] * 15 + [None]), "for each cell"),
    ],
)
def test_a_truth_that_makes_no_sense_is_named(change: Any, said: str) -> None:
    given = whole_truth()
    change(given)
    with pytest.raises(TruthError, match=said) as caught:
        parse_truth(given, Path("folder/a.json"), GAME, FACES)
    assert (caught.value.code, caught.value.where) == ("truth-not-usable", "folder/a.json")


def test_files_that_are_no_truth_are_named(tmp_path: Path) -> None:
    for content in (b"", b"[1]", b"{", b"\xff\xfe", b"[" * 100_000):
        file = tmp_path / "a.json"
        file.write_bytes(content)
        with pytest.raises(TruthError):
            load_truth(file, GAME)
    with pytest.raises(TruthError) as caught:
        load_truth(tmp_path / "none.json", GAME)
    assert caught.value.code == "truth-unreadable"


def test_a_pipe_or_a_device_is_no_truth(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    for path in (pipe, Path("/dev/zero")):
        with pytest.raises(TruthError, match="no file") as caught:
            load_truth(path, GAME)
        assert (caught.value.code, caught.value.where) == ("truth-unreadable", str(path))
