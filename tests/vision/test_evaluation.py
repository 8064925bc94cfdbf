"""Readings held against the truth: every figure counts what it says."""

import contextlib
import json
import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from hypothesis import strategies as st

from scoring.faces import Cell, Face
from tests import refusals
from vision.editions.edition import BETWEEN_TWO_CITIES
from vision.lab.evaluation.photo_truth import (
    BesideTruth,
    GridTruth,
    PhotoTruth,
    TruthError,
    Visibility,
    load_truth,
    parse_truth,
)
from vision.lab.evaluation.totals import (
    Correctness,
    EvaluationTotals,
    Reliability,
    percentile_or_none,
    upper_bound,
)
from vision.lab.evaluation.verdict import (
    GridFate,
    PhotoVerdict,
    Verdict,
    judge_reading,
    judge_refusal,
)
from vision.reading import Figure, GridReading, LoosePiece, NameGrid, Note, Quad, Reading, Unread

FACES = tuple(Face)
GRID: NameGrid = tuple(tuple(FACES[(4 * r + c) % 9] for c in range(4)) for r in range(4))
SMALL: NameGrid = (("a", "b", None, "c"), ("d", "e", "f", "g"))
"""Two rows of four cells; each tile covers one."""


def quad(x: float, y: float, width: float = 400, height: float | None = None) -> Quad:
    right, bottom = x + width, y + (width if height is None else height)
    return (x, y), (right, y), (right, bottom), (x, bottom)


HERE, THERE = quad(0, 0), quad(1000, 0)
PLACE = quad(100, 100, 400, 200)


def truth(*grids: GridTruth, any_rotation: bool = False) -> PhotoTruth:
    return PhotoTruth(Path("table.jpg"), "dim", grids, any_rotation)


def city(corners: Quad = HERE, **details: Any) -> GridTruth:
    return replace(GridTruth(corners, GRID, 4), **details)


def board(**details: Any) -> GridTruth:
    return replace(GridTruth(PLACE, SMALL, 4), **details)


def read_as(
    corners: Quad = HERE,
    grid: NameGrid = GRID,
    changes: Mapping[Cell, str | None] | None = None,
    tokens: Mapping[Cell, str] | None = None,
    **details: Any,
) -> GridReading:
    rows = [list(row) for row in grid]
    for (row, column), face in (changes or {}).items():
        rows[row][column] = face
    shown = tuple(map(tuple, rows))
    columns = len(rows[0])
    read = GridReading(
        corners_px=corners,
        faces=shown,
        confidence=((0.99,) * columns,) * len(rows),
        unsure=(),
        tiles=shown,
        turns=((0,) * columns,) * len(rows),
        tile_quads_px=((None,) * columns,) * len(rows),
        figures=tuple(Figure(at, kind, (0.0, 0.0)) for at, kind in (tokens or {}).items()),
    )
    return replace(read, **details)


def board_read(**details: Any) -> GridReading:
    return read_as(PLACE, SMALL, **details)


def reading(*grids: GridReading, unread: Iterable[Quad] = ()) -> Reading:
    regions = tuple(Unread(corners, Note("city-unreadable")) for corners in unread)
    return Reading("table.jpg", BETWEEN_TWO_CITIES, "standard", (2000, 1000), grids, regions)


def counts_of(*pairs: tuple[PhotoTruth, Reading]) -> EvaluationTotals:
    counts = EvaluationTotals()
    for true, read in pairs:
        counts.add(judge_reading(true, read))
    return counts


def silent_in(verdict: PhotoVerdict) -> int:
    counts = EvaluationTotals()
    counts.add(verdict)
    return counts.silent


def silent(verdicts: Iterable[Verdict]) -> list[Any]:
    return [verdict.at for verdict in verdicts if verdict.silently_wrong]


def test_perfect_reading_has_no_errors() -> None:
    counts = counts_of((truth(city()), reading(read_as())))
    assert (counts.photos, counts.perfect, counts.right, counts.cells) == (1, 1, 16, 16)
    assert (counts.silent, counts.flagged_in_full_view) == (0, 0)
    assert (counts.invented, counts.false_alarms) == (0, 0)
    assert counts.corner_errors == [0]
    wrong = {(1, 2): Face.PARK, (3, 3): Face.PARK, (0, 0): None}
    assert Face.PARK not in (GRID[1][2], GRID[3][3])
    read = read_as(changes=wrong, unsure=((3, 3), (2, 0)))
    counts = counts_of((truth(city()), reading(read)))
    assert counts.silent == 2
    assert counts.right == 13
    assert counts.flagged_in_full_view == 2
    assert counts.count(None, Correctness.WRONG_AND_FLAGGED) == 1
    assert counts.perfect == 0
    verdict = judge_reading(truth(), reading(read_as(), unread=[quad(900, 0)]))
    assert (verdict.invented, verdict.false_alarms) == (("A",), 1)
    assert judge_reading(truth(), reading()).perfect


def test_flags_on_what_cannot_be_seen_are_no_fault() -> None:
    hindered = city(
        covered=frozenset({(0, 0), (0, 1)}), outside=frozenset({(0, 1)}), turned=frozenset({(2, 2)})
    )
    read = read_as(changes={(0, 0): Face.PARK}, unsure=((0, 0), (0, 1), (2, 2)))
    counts = counts_of((truth(hindered), reading(read)))
    assert (counts.in_full_view, counts.flagged_in_full_view, counts.silent) == (13, 0, 0)
    assert counts.count(Visibility.COVERED, Correctness.WRONG_AND_FLAGGED) == 1
    assert counts.count(Visibility.OUTSIDE, Correctness.RIGHT_BUT_FLAGGED) == 1
    assert counts.count(Visibility.TURNED, Correctness.RIGHT_BUT_FLAGGED) == 1
    hidden = city(covered=frozenset({(0, 0)}))
    counts = counts_of((truth(hidden), reading(read_as(changes={(0, 0): Face.PARK}))))
    assert counts.silent == counts.count(Visibility.COVERED, Correctness.SILENTLY_WRONG) == 1
    empty = tuple(tuple(None if c == 0 else f for c, f in enumerate(row)) for row in GRID)
    counts = counts_of((truth(city(grid=empty)), reading(read_as())))
    assert counts.count(Visibility.MISSING, Correctness.SILENTLY_WRONG) == counts.silent == 4


def test_missed_city_is_silently_wrong_unless_unread() -> None:
    two = truth(city(), city(THERE))
    silent = judge_reading(two, reading(read_as()))
    unread = judge_reading(two, reading(read_as(), unread=[quad(1050, 60, 250)]))
    assert [each.fate for each in silent.grids] == [GridFate.FOUND, GridFate.MISSED]
    assert [each.fate for each in unread.grids] == [GridFate.FOUND, GridFate.UNREAD]
    assert (silent_in(silent), silent_in(unread), unread.false_alarms) == (16, 0, 0)
    assert not unread.perfect


def test_a_photo_that_was_refused_has_no_silent_errors() -> None:
    verdict = judge_refusal(truth(city()), "photo-too-dark")
    assert silent_in(verdict) == 0
    assert verdict.refusal == "photo-too-dark"
    assert [each.fate for each in verdict.grids] == [GridFate.REFUSED]
    counts = EvaluationTotals()
    counts.add(judge_refusal(truth(city(is_washed_out=True)), "photo-too-dark"))
    assert counts.washed_out[GridFate.REFUSED] == 1


def test_city_is_found_within_a_tile_and_readings_count_once() -> None:
    near, far = (judge_reading(truth(city()), reading(read_as(quad(x, 0)))) for x in (99, 101))
    assert [near.grids[0].fate, far.grids[0].fate] == [GridFate.FOUND, GridFate.MISSED]
    assert near.grids[0].corner_error == pytest.approx(0.99)
    assert far.invented == ("A",)
    twice = judge_reading(truth(city(), city()), reading(read_as()))
    assert [each.fate for each in twice.grids] == [GridFate.FOUND, GridFate.MISSED]
    two = truth(city(), city(THERE))
    verdict = judge_reading(two, reading(read_as(THERE), read_as()))
    assert [(each.index, each.name) for each in verdict.grids] == [(0, "B"), (1, "A")]
    small = replace(read_as(), faces=((Face.PARK,),), confidence=((0.9,),))
    assert silent_in(judge_reading(truth(city()), reading(small))) == 16


def test_times_are_related_photo_by_photo() -> None:
    counts = EvaluationTotals()
    for decode, total in ((10.0, 30.0), (20.0, 100.0)):
        counts.add(judge_reading(truth(), reading()), {"decode": decode, "total": total})
    counts.add(judge_refusal(truth(), "photo-too-dark"))
    assert counts.total_per_decode == [3, 5]
    assert (counts.photos, counts.refused) == (3, 1)


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
    assert upper_bound(0, 0) is None
    with pytest.raises(ValueError, match="3 errors in 2 trials"):
        upper_bound(3, 2)
    assert percentile_or_none([4, 1, 3, 2], 50) == 2.5
    assert percentile_or_none([], 95) is None


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


def test_cities_washed_out_by_light_are_distinguished() -> None:
    table = truth(city(), city(THERE, is_washed_out=True))
    both_read = reading(read_as(), read_as(THERE))
    only_lit = reading(read_as(), unread=[quad(1050, 60, 250)])
    only_white = reading(read_as(THERE), unread=[quad(50, 60, 250)])
    counts = counts_of((table, both_read), (table, only_lit), (table, only_white))
    assert counts.found_of_lit == (2, 3)
    assert (counts.washed_out[GridFate.FOUND], counts.washed_out[GridFate.UNREAD]) == (2, 1)
    assert counts.grids[GridFate.FOUND] == 4, "they count like the others all the same"


def turned_clockwise(grid: NameGrid) -> NameGrid:
    return tuple(zip(*reversed(grid), strict=True))


@pytest.mark.parametrize("quarters", range(4))
def test_any_rotation_is_right_without_a_board(quarters: int) -> None:
    """A reading whose top left corner is another one names each cell by other numbers."""
    corners, grid, at = PLACE, SMALL, (1, 2)
    for _ in range(quarters):  # the reader sees the same grid from another side
        corners = corners[3], corners[0], corners[1], corners[2]
        rows = len(grid)
        grid, at = turned_clockwise(grid), (at[1], rows - 1 - at[0])
    read = read_as(corners, grid, tokens={at: "red"}, unsure=(at,), unsure_figures=(at,))
    there = board(tokens={(1, 2): "red"})
    [found] = judge_reading(truth(there, any_rotation=True), reading(read)).grids
    assert found.corner_error == 0
    assert all(cell.right for cell in found.cells)
    assert [cell.at for cell in found.cells if cell.flagged] == [(1, 2)]
    [token] = found.tokens
    assert (token.at, token.truth, token.read, token.flagged) == ((1, 2), "red", "red", True)


def test_a_board_read_upside_down_is_wrong() -> None:
    upside_down = tuple(tuple(reversed(row)) for row in reversed(SMALL))
    corners = PLACE[2], PLACE[3], PLACE[0], PLACE[1]
    [grid] = judge_reading(truth(board()), reading(read_as(corners, upside_down))).grids
    assert len(silent(grid.cells)) == 8
    assert grid.corner_error is not None
    assert grid.corner_error > 4
    read = read_as(((130, 140), *PLACE[1:]), SMALL)
    [grid] = judge_reading(truth(board(tile_columns=4)), reading(read)).grids
    assert grid.corner_error == pytest.approx(0.5)
    [grid] = judge_reading(truth(board(tile_columns=2)), reading(read)).grids
    assert grid.corner_error == pytest.approx(0.25)


def test_missing_invented_and_other_figures_are_silently_wrong_unless_flagged() -> None:
    there = board(tokens={(0, 0): "red", (0, 1): "red", (1, 0): "red"})
    read = board_read(tokens={(0, 1): "blue", (1, 0): "red", (1, 3): "red"})
    [grid] = judge_reading(truth(there), reading(read)).grids
    assert silent(grid.tokens) == [(0, 0), (0, 1), (1, 3)]
    flagged = replace(read, unsure_figures=((0, 0), (1, 3), (1, 1)))
    [grid] = judge_reading(truth(there), reading(flagged)).grids
    assert silent(grid.tokens) == [(0, 1)]
    counts = counts_of((truth(there), reading(flagged)))
    assert counts.tokens == {
        Correctness.RIGHT: 1, Correctness.SILENTLY_WRONG: 1,
        Correctness.WRONG_AND_FLAGGED: 2, Correctness.RIGHT_BUT_FLAGGED: 1,
    }  # fmt: skip
    there = board(tokens={(1, 3): "red"}, outside=frozenset({(1, 3)}))
    [grid] = judge_reading(truth(there), reading(board_read(unsure=((1, 3),)))).grids
    assert silent(grid.tokens) == []
    [grid] = judge_reading(truth(there), reading(board_read())).grids
    assert silent(grid.tokens) == [(1, 3)]


def piece(place: str, number: int, face: str, x: float = 0, **details: Any) -> LoosePiece:
    return LoosePiece(place, number, face, quad(x, 0, 50, 50), 0.9, **details)


def there(place: str, number: int, face: str, x: float = 0, *, in_heap: bool) -> BesideTruth:
    return BesideTruth(place, number, face, quad(x, 0, 50, 50), in_heap)


def test_pieces_in_slots_are_known_by_their_number() -> None:
    grid = board(
        beside=(there("row", 1, "v1", in_heap=False), there("row", 2, "v2", in_heap=False))
    )
    read = board_read(loose=(piece("row", 1, "v1"), piece("row", 3, "v2")))
    [found] = judge_reading(truth(grid), reading(read)).grids
    assert silent(found.beside) == [("row", 2), ("row", 3)]
    flagged = replace(read, unsure_slots=(("row", 2), ("row", 3), ("row", 4)))
    [found] = judge_reading(truth(grid), reading(flagged)).grids
    assert silent(found.beside) == []
    assert [each.at for each in found.beside if each.right] == [("row", 1), ("row", 4)]
    grid = board(beside=(there("blue", 0, "v1", 0, in_heap=True),
                         there("blue", 1, "v2", 300, in_heap=True)))  # fmt: skip
    read = board_read(loose=(piece("blue", 0, "v2", 290), piece("blue", 1, "v1", 12)))
    [found] = judge_reading(truth(grid), reading(read)).grids
    assert all(each.right for each in found.beside)
    elsewhere = board_read(loose=(piece("blue", 0, "v2", 340), piece("blue", 1, "v1", 12)))
    [found] = judge_reading(truth(grid), reading(elsewhere)).grids
    assert silent(found.beside) == [("blue", 1), ("blue", 0)], "one missed, one invented"
    doubted = board_read(loose=(piece("blue", 1, "v1", 12),), unsure_slots=(("blue", 0),))
    [found] = judge_reading(truth(grid), reading(doubted)).grids
    assert silent(found.beside) == []


def test_cells_are_distinguished_by_how_they_can_be_seen() -> None:
    grid = board(
        tokens={(0, 0): "red", (0, 1): "red"},
        covered=frozenset({(0, 1), (1, 0)}),
        outside=frozenset({(1, 0)}),
        askew=frozenset({(1, 1)}),
    )
    visibilities = [grid.visibility((r, c)) for r in range(2) for c in range(4)]
    assert visibilities == [
        Visibility.TOKEN, Visibility.COVERED, Visibility.MISSING, Visibility.VISIBLE,
        Visibility.OUTSIDE, Visibility.ASKEW, Visibility.VISIBLE, Visibility.VISIBLE,
    ]  # fmt: skip
    counts = counts_of((truth(grid), reading(board_read(unsure=((0, 0), (0, 3))))))
    assert (counts.in_full_view, counts.flagged_in_full_view) == (4, 2)
    printed = replace(grid, on_board=True)
    assert printed.visibility((0, 2)) == Visibility.EMPTY, "nothing is missing there"
    counts = counts_of((truth(printed), reading(board_read(unsure=((0, 0), (0, 2))))))
    assert (counts.in_full_view, counts.flagged_in_full_view) == (5, 2)


def given(**details: Any) -> dict[str, Any]:
    place = [list(point) for point in PLACE]
    document = {
        "corners_px": place,
        "grid": [list(row) for row in SMALL],
        "tiles": [["a", "b"]],
        "tokens": [{"at": [0, 1], "kind": "red"}],
        "beside": [
            {"place": "row", "number": 1, "face": "v", "corners_px": place, "visible_share": 0.5}
        ],
        "occluded": [[0, 0]],
        "outside": [[1, 3]],
        "turned": [[1, 1, 2]],
        "askew": [[1, 0]],
    }
    photo = {"photo": "t.jpg", "game": "cities", "subset": "dim", "any_rotation": True}
    return {**photo, "cities": [{**document, **details}]}


def test_file_of_truth_is_read_with_its_hidden_cells(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text(json.dumps(given()))
    photo = load_truth(path, "cities")
    assert (photo.path, photo.condition, photo.any_rotation) == (tmp_path / "t.jpg", "dim", True)
    [grid] = photo.grids
    assert grid == GridTruth(
        PLACE, SMALL, 2, {(0, 1): "red"}, (BesideTruth("row", 1, "v", PLACE, covered=True),),
        frozenset({(0, 0)}), frozenset({(1, 3)}), frozenset({(1, 1)}), frozenset({(1, 0)}),
    )  # fmt: skip


@pytest.mark.parametrize(("white", "is_washed_out"), [(0, False), (3, False), (4, True)])
def test_city_is_washed_out_when_half_its_tiles_are(white: int, is_washed_out: bool) -> None:
    document = given(blown_share=[0.5] * white + [0.49] * (8 - white))
    assert parse_truth(document, Path("a.json"), "cities").grids[0].is_washed_out is is_washed_out


def test_a_photo_to_learn_from_is_no_table() -> None:
    assert not parse_truth(
        {"photo": "a.jpg", "kind": "teach"}, Path("a.json"), BETWEEN_TWO_CITIES
    ).is_table


@pytest.mark.parametrize(
    ("details", "message"),
    [
        ({"grid": []}, ".grid"),
        ({"grid": [[]]}, ".grid"),
        ({"grid": [["a", "b"], ["c"]]}, ".grid"),
        ({"grid": [["a", 1]]}, ".grid: 1"),
        ({"grid": [["a", "zoo", "b", "c"], [*SMALL[1]]]}, ".grid: 'zoo'"),
        ({"corners_px": None}, ".corners_px"),
        ({"corners_px": [[0, 0]] * 4}, ".corners_px"),
        ({"corners_px": [[0, float("nan")], *PLACE[1:]]}, r".corners_px\[0\]"),
        ({"occluded": [[0, 4]]}, r".occluded\[0\]"),
        ({"turned": [[0]]}, r".turned\[0\]"),
        ({"askew": [[2, 0]]}, r".askew\[0\]"),
        ({"blown_share": [0.5] * 7}, ".blown_share"),
        ({"blown_share": [0] * 7 + [1.1]}, r".blown_share\[7\]"),
        ({"blown_share": [0] * 7 + [None]}, r".blown_share\[7\]"),
        ({"tokens": [{"at": [0, 9], "kind": "red"}]}, r".tokens\[0\].at"),
        ({"tokens": {}}, ".tokens"),
        ({"beside": [{"place": "row", "number": "1", "face": "v"}]}, r".beside\[0\].number"),
        ({"beside": [{"place": "row", "number": 1, "face": "v"}]}, r".beside\[0\].corners_px"),
        ({"tile_corners_px": [None]}, ".tile_corners_px"),
        ({"tile_corners_px": [None, 4]}, ".tile_corners_px"),
        ({"duplexes": [[[0, 0]]]}, ".duplexes"),
    ],
)
def test_a_grid_that_makes_no_sense_is_named(details: dict[str, Any], message: str) -> None:
    with pytest.raises(TruthError, match=rf"^cities\[0\]{message}") as caught:
        parse_truth(given(**details), Path("folder/t.json"), "cities", "abcdefg")
    assert (caught.value.code, caught.value.where) == ("truth-not-usable", "folder/t.json")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"photo": None}, "photo"),
        ({"photo": "../a.jpg"}, "photo"),
        ({"game": 7}, "game"),
        ({"subset": 3}, "subset"),
        ({"any_rotation": 1}, "any_rotation"),
        ({"cities": None}, "cities"),
        ({"cities": [4]}, r"cities\[0\]"),
        ({"stray_tiles": [{"face": "a"}]}, r"stray_tiles\[0\].corners_px"),
    ],
)
def test_a_truth_that_makes_no_sense_is_named(change: dict[str, Any], message: str) -> None:
    with pytest.raises(TruthError, match=f"^{message} has the wrong form"):
        parse_truth({**given(), **change}, Path("t.json"), "cities")


def test_files_that_are_no_truth_are_named(tmp_path: Path) -> None:
    for content in (b"", b"[1]", b"{", b"\xff\xfe", b"[" * 100_000):
        file = tmp_path / "a.json"
        file.write_bytes(content)
        with pytest.raises(TruthError):
            load_truth(file, BETWEEN_TWO_CITIES)
    with refusals.refused("truth-unreadable"):
        load_truth(tmp_path / "none.json", BETWEEN_TWO_CITIES)
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    for path in (pipe, Path("/dev/zero")):
        with refusals.refused("truth-unreadable", "device or pipe", path):
            load_truth(path, BETWEEN_TWO_CITIES)


BROKEN = [None, True, -1, 10**400, 1.5, math.nan, math.inf, "", "x", [], {}, [[]], [1, 2]]


@hypothesis.given(st.data())
def test_a_truth_broken_anywhere_is_used_or_refused(data: st.DataObject) -> None:
    pairs = [[[0, 0], [0, 1]]]
    document = given(
        blown_share=[0.5] * 8, duplexes=pairs, tile_corners_px=[None, [*map(list, HERE)]]
    )
    place: Any = document
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = data.draw(st.sampled_from(keys))
        inner = place[key]
        if not isinstance(inner, (dict, list)) or not inner or data.draw(st.booleans()):
            break
        place = inner
    place[key] = data.draw(st.sampled_from(BROKEN))
    with contextlib.suppress(TruthError):
        parse_truth(document, Path("t.json"), "cities", "abcdefg")
