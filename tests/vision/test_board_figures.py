"""Readings of games known by pictures held against the truth: every figure counts what it says."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scoring.faces import Cell
from vision.figures.tally import Outcome, Tally
from vision.figures.truth import (
    BesideTruth,
    GridTruth,
    PhotoTruth,
    Sight,
    TruthError,
    load_truth,
    parse_truth,
)
from vision.figures.verdict import PhotoVerdict, Verdict, compare
from vision.reading import Figure, GridReading, LoosePiece, NameGrid, Note, Quad, Reading, Unread

GRID: NameGrid = (("a", "b", None, "c"), ("d", "e", "f", "g"))
"""Two rows of four cells; each tile covers one."""


def quad(x: float, y: float, width: float = 400, height: float = 200) -> Quad:
    return (x, y), (x + width, y), (x + width, y + height), (x, y + height)


PLACE = quad(100, 100)


def truth(*grids: GridTruth, any_rotation: bool = False) -> PhotoTruth:
    return PhotoTruth(Path("table.jpg"), "dim", grids, any_rotation)


def board(**details: Any) -> GridTruth:
    return replace(GridTruth(PLACE, GRID, 4), **details)


def read_as(
    corners: Quad = PLACE,
    grid: NameGrid = GRID,
    tokens: Mapping[Cell, str] | None = None,
    **details: Any,
) -> GridReading:
    rows, columns = len(grid), len(grid[0])
    read = GridReading(
        corners_px=corners,
        grid=grid,
        confidence=((0.99,) * columns,) * rows,
        unsure=(),
        tiles=grid,
        turns=((0,) * columns,) * rows,
        tile_quads_px=((None,) * columns,) * rows,
        figures=tuple(Figure(at, kind, (0.0, 0.0)) for at, kind in (tokens or {}).items()),
    )
    return replace(read, **details)


def reading(*grids: GridReading, unread: Iterable[Quad] = ()) -> Reading:
    regions = tuple(Unread(corners, Note("city-unreadable")) for corners in unread)
    return Reading("table.jpg", "cities", "standard", (2000, 1000), grids, regions)


def changed(cell: Cell, name: str | None) -> NameGrid:
    rows = [list(row) for row in GRID]
    rows[cell[0]][cell[1]] = name
    return tuple(map(tuple, rows))


def silent(verdicts: Iterable[Verdict]) -> list[Any]:
    return [verdict.at for verdict in verdicts if verdict.silently_wrong]


def tally_of(*verdicts: PhotoVerdict) -> Tally:
    tally = Tally()
    for verdict in verdicts:
        tally.add(verdict)
    return tally


def turned_clockwise(grid: NameGrid) -> NameGrid:
    return tuple(zip(*reversed(grid), strict=True))


@pytest.mark.parametrize("quarters", range(4))
def test_where_no_board_says_what_is_up_any_rotation_is_right(quarters: int) -> None:
    """A reading whose top left corner is another one names each cell by other numbers."""
    corners, grid, at = PLACE, GRID, (1, 2)
    for _ in range(quarters):  # the reader sees the same grid from another side
        corners = corners[3], corners[0], corners[1], corners[2]
        rows = len(grid)
        grid, at = turned_clockwise(grid), (at[1], rows - 1 - at[0])
    read = read_as(corners, grid, {at: "red"}, unsure=(at,), unsure_figures=(at,))
    there = board(tokens={(1, 2): "red"})
    [found] = compare(truth(there, any_rotation=True), reading(read)).grids
    assert found.corner_error == 0
    assert all(cell.right for cell in found.cells)
    assert [cell.at for cell in found.cells if cell.flagged] == [(1, 2)]
    [token] = found.tokens
    assert (token.at, token.truth, token.read, token.flagged) == ((1, 2), "red", "red", True)


def test_a_board_read_upside_down_is_wrong() -> None:
    upside_down = tuple(tuple(reversed(row)) for row in reversed(GRID))
    corners = PLACE[2], PLACE[3], PLACE[0], PLACE[1]
    [grid] = compare(truth(board()), reading(read_as(corners, upside_down))).grids
    assert len(silent(grid.cells)) == 8
    assert grid.corner_error is not None
    assert grid.corner_error > 4


def test_missing_invented_and_other_figures_are_silently_wrong_unless_flagged() -> None:
    there = board(tokens={(0, 0): "red", (0, 1): "red", (1, 0): "red"})
    read = read_as(tokens={(0, 1): "blue", (1, 0): "red", (1, 3): "red"})
    [grid] = compare(truth(there), reading(read)).grids
    assert silent(grid.tokens) == [(0, 0), (0, 1), (1, 3)]
    flagged = replace(read, unsure_figures=((0, 0), (1, 3), (1, 1)))
    [grid] = compare(truth(there), reading(flagged)).grids
    assert silent(grid.tokens) == [(0, 1)]
    tally = tally_of(compare(truth(there), reading(flagged)))
    assert tally.tokens == {
        Outcome.RIGHT: 1, Outcome.SILENTLY_WRONG: 1,
        Outcome.WRONG_AND_FLAGGED: 2, Outcome.RIGHT_BUT_FLAGGED: 1,
    }  # fmt: skip


def test_a_figure_outside_the_photo_is_told_of_by_the_flag_of_its_cell() -> None:
    there = board(tokens={(1, 3): "red"}, outside=frozenset({(1, 3)}))
    [grid] = compare(truth(there), reading(read_as(unsure=((1, 3),)))).grids
    assert silent(grid.tokens) == []
    [grid] = compare(truth(there), reading(read_as())).grids
    assert silent(grid.tokens) == [(1, 3)]


def piece(place: str, number: int, face: str, x: float = 0, **details: Any) -> LoosePiece:
    return LoosePiece(place, number, face, quad(x, 0, 50, 50), 0.9, **details)


def there(place: str, number: int, face: str, x: float = 0, *, in_heap: bool) -> BesideTruth:
    return BesideTruth(place, number, face, quad(x, 0, 50, 50), in_heap)


def test_pieces_in_slots_are_known_by_their_number() -> None:
    grid = board(
        beside=(there("row", 1, "v1", in_heap=False), there("row", 2, "v2", in_heap=False))
    )
    read = read_as(loose=(piece("row", 1, "v1"), piece("row", 3, "v2")))
    [found] = compare(truth(grid), reading(read)).grids
    assert silent(found.beside) == [("row", 2), ("row", 3)]
    flagged = replace(read, unsure_slots=(("row", 2), ("row", 3), ("row", 4)))
    [found] = compare(truth(grid), reading(flagged)).grids
    assert silent(found.beside) == []
    assert [each.at for each in found.beside if each.right] == [("row", 1), ("row", 4)]


def test_pieces_in_heaps_are_known_by_where_they_lie() -> None:
    grid = board(beside=(there("blue", 0, "v1", 0, in_heap=True),
                         there("blue", 1, "v2", 300, in_heap=True)))  # fmt: skip
    read = read_as(loose=(piece("blue", 0, "v2", 290), piece("blue", 1, "v1", 12)))
    [found] = compare(truth(grid), reading(read)).grids
    assert all(each.right for each in found.beside)
    elsewhere = read_as(loose=(piece("blue", 0, "v2", 340), piece("blue", 1, "v1", 12)))
    [found] = compare(truth(grid), reading(elsewhere)).grids
    assert silent(found.beside) == [("blue", 1), ("blue", 0)], "one missed, one invented"
    doubted = read_as(loose=(piece("blue", 1, "v1", 12),), unsure_slots=(("blue", 0),))
    [found] = compare(truth(grid), reading(doubted)).grids
    assert silent(found.beside) == []


def test_corner_errors_are_in_widths_of_a_tile() -> None:
    read = read_as(((130, 140), *PLACE[1:]))
    [grid] = compare(truth(board(tile_columns=4)), reading(read)).grids
    assert grid.corner_error == pytest.approx(0.5)
    [grid] = compare(truth(board(tile_columns=2)), reading(read)).grids
    assert grid.corner_error == pytest.approx(0.25)


def test_cells_are_told_apart_by_how_they_can_be_seen() -> None:
    grid = board(
        tokens={(0, 0): "red", (0, 1): "red"},
        covered=frozenset({(0, 1), (1, 0)}),
        outside=frozenset({(1, 0)}),
        askew=frozenset({(1, 1)}),
    )
    sights = [grid.sight((r, c)) for r in range(2) for c in range(4)]
    assert sights == [
        Sight.TOKEN, Sight.COVERED, Sight.MISSING, Sight.VISIBLE,
        Sight.OUTSIDE, Sight.ASKEW, Sight.VISIBLE, Sight.VISIBLE,
    ]  # fmt: skip
    tally = tally_of(compare(truth(grid), reading(read_as(unsure=((0, 0), (0, 3))))))
    assert (tally.visible, tally.visible_flagged) == (4, 2)


def given(**details: Any) -> dict[str, Any]:
    city = {
        "corners_px": [list(point) for point in PLACE],
        "grid": [list(row) for row in GRID],
        "tiles": [["a", "b"]],
        "tokens": [{"at": [0, 1], "kind": "red"}],
        "beside": [{"place": "row", "number": 1, "face": "v", "corners_px": list(map(list, PLACE)),
                    "visible_share": 0.5}],
        "occluded": [[0, 0]],
        "outside": [[1, 3]],
        "askew": [[1, 0]],
    }  # fmt: skip
    photo = {"photo": "t.jpg", "game": "cities", "subset": "dim", "any_rotation": True}
    return {**photo, "cities": [{**city, **details}]}


def test_a_file_of_truth_is_read(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text(json.dumps(given()))
    photo = load_truth(path, "cities")
    assert (photo.path, photo.condition, photo.any_rotation) == (tmp_path / "t.jpg", "dim", True)
    [grid] = photo.grids
    assert grid == GridTruth(
        PLACE, GRID, 2, {(0, 1): "red"}, (BesideTruth("row", 1, "v", PLACE, covered=True),),
        frozenset({(0, 0)}), frozenset({(1, 3)}), askew=frozenset({(1, 0)}),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("details", "said"),
    [
        ({"grid": [["a", 1]]}, "grid must hold names or null"),
        ({"tokens": [{"at": [0, 9], "kind": "red"}]}, "tokens must have at"),
        ({"tokens": {}}, "tokens must be a list of objects"),
        ({"beside": [{"place": "row", "number": "1", "face": "v"}]}, "beside must have place"),
        ({"beside": [{"place": "row", "number": 1, "face": "v"}]}, "beside.corners_px"),
        ({"askew": [[2, 0]]}, "askew must list cells"),
        ({"tile_corners_px": [None]}, "tile_corners_px must have an entry for each tile"),
        ({"tile_corners_px": [None, 4]}, "tile_corners_px must be four points"),
        ({"duplexes": [[[0, 0]]]}, "duplexes must list pairs of cells"),
    ],
)
def test_truth_that_cannot_be_used_says_what_is_wrong(details: dict[str, Any], said: str) -> None:
    with pytest.raises(TruthError, match=said) as caught:
        parse_truth(given(**details), Path("t.json"), "cities")
    assert caught.value.code == "truth-not-usable"
    assert caught.value.where == "t.json"


def test_truth_of_another_game_is_refused() -> None:
    with pytest.raises(TruthError, match="game must be dice-board"):
        parse_truth(given(), Path("t.json"), "dice-board")
    with pytest.raises(TruthError, match="any_rotation must be true or false"):
        parse_truth({**given(), "any_rotation": 1}, Path("t.json"), "cities")
