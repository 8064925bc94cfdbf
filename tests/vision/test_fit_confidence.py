"""Counting how often the eye is right, and the curves that come of it."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from vision.boards.eye import read_uncalibrated
from vision.confidence import Kind
from vision.editions.folder import own_edition
from vision.figures.truth import parse_truth
from vision.photo import decode_photo
from vision.simulate.games.between_two_cities import take_photo as take_cities_photo
from vision.simulate.photos import take_photo
from vision.training import fit_confidence
from vision.training.fit_confidence import (
    BOARDS,
    Counted,
    counted,
    counted_boards,
    curves,
    from_folder,
    simulated,
    simulated_boards,
)


def save(folder, condition, seed):
    shot = take_cities_photo(condition, seed, (1152, 648), condition)
    (folder / f"{condition}.jpg").write_bytes(shot.jpeg)
    (folder / f"{condition}.json").write_text(json.dumps(shot.truth))
    return shot.truth


def test_every_cell_of_the_cities_found_is_counted(tmp_path):
    truth = save(tmp_path, "missing", 1)
    cells = list(counted(from_folder(tmp_path)))
    assert len(cells) == 16 * len(truth["cities"])
    empty = [cell for cell in cells if cell.kind is Kind.EMPTY]
    missing = sum(len(city["missing"]) for city in truth["cities"])
    assert sum(cell.right for cell in empty) == missing
    sure = [cell for cell in cells if cell.kind is Kind.SURE]
    assert all(cell.right for cell in sure)
    assert all(0 <= cell.raw <= 1 for cell in cells)


def test_photos_to_learn_faces_from_are_not_counted(tmp_path):
    truth = save(tmp_path, "normal", 1)
    (tmp_path / "normal.json").write_text(json.dumps({**truth, "kind": "teach"}))
    assert list(from_folder(tmp_path)) == []


def test_simulated_photos_come_in_every_condition_with_their_truth():
    photo, truth = next(simulated(own_edition("between-two-cities"), 7, 1))
    assert photo.name == "normal-7.jpg"
    assert truth.condition == "normal"
    assert len(truth.grids) >= 3


def test_photos_of_boards_come_in_every_condition_with_their_edition_and_truth():
    photo, edition, truth = next(simulated_boards(7, 1))
    assert photo.name == "normal-7.jpg"
    assert truth.condition == "normal"
    assert len(truth.grids) <= edition.description.most_grids


def test_cells_of_a_board_beyond_the_edge_of_the_photo_are_counted_apart():
    edition = own_edition("city-blocks")
    shot = take_photo(edition, "edge", 3, (1152, 648))
    truth = parse_truth(shot.truth, Path("edge.json"), "city-blocks")
    cells = list(counted_boards([(decode_photo(shot.jpeg, "edge.jpg"), edition, truth)]))
    cells = [cell for cell in cells if cell.kind is not Kind.PIECE]
    (grid,) = truth.grids
    assert len(cells) == len(grid.grid) * len(grid.grid[0])
    assert sum(cell.kind is Kind.OUTSIDE for cell in cells) == len(grid.outside) > 0
    assert all(cell.right for cell in cells if cell.kind is Kind.SURE)


def test_pieces_beside_a_board_are_counted_where_they_are_in_doubt():
    edition = own_edition("city-blocks")
    shot = take_photo(edition, "blown", 2, (1152, 648))
    photo = decode_photo(shot.jpeg, "blown.jpg")
    truth = parse_truth(shot.truth, Path("blown.json"), "city-blocks")
    pieces = [c for c in counted_boards([(photo, edition, truth)]) if c.kind is Kind.PIECE]
    (grid,) = read_uncalibrated(photo, edition).grids
    doubtful = [piece.confidence for piece in grid.loose if piece.unsure]
    assert sorted(piece.raw for piece in pieces) == sorted(doubtful) != []


def test_each_kind_has_its_own_curve():
    cells = [Counted(kind, 0.9, kind is Kind.SURE) for kind in Kind for _ in range(8)]
    shares = curves(cells, tuple(Kind))
    assert shares[Kind.SURE].at(0.9) == pytest.approx(0.9)
    assert shares[Kind.EMPTY].at(0.9) == pytest.approx(0.1)


def test_boards_get_curves_of_their_own(tmp_path, monkeypatch):
    asked = []

    def cells(first_seed, each):
        asked.append((first_seed, each))
        return iter([Counted(kind, 0.9, right=True) for kind in Kind])

    monkeypatch.setattr(fit_confidence, "BOARDS", replace(BOARDS, cells=cells))
    out = tmp_path / "boards.json"
    given = ["fit_confidence", "--boards", "--seed", "0", "--each", "2", "--out", str(out)]
    monkeypatch.setattr("sys.argv", given)
    fit_confidence.main()
    assert asked == [(0, 2)]
    curve = {"raw": [0.9], "share": [0.66667]}
    assert json.loads(out.read_text()) == {kind.value: curve for kind in Kind}


def test_photos_that_lack_a_kind_of_cell_are_refused(tmp_path, monkeypatch, capsys):
    save(tmp_path, "no-city", 1)
    out = tmp_path / "out" / "confidence.json"
    given = ["fit_confidence", "--photos", str(tmp_path), "--out", str(out)]
    monkeypatch.setattr("sys.argv", given)
    with pytest.raises(SystemExit):
        fit_confidence.main()
    assert "no sure and no unsure and no empty cells" in capsys.readouterr().err
    assert not out.exists()
