"""Ground-truthed folders as training loads them; shown on a simulated table."""

import json
from itertools import chain
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from scoring.faces import Face
from vision.arrays import Image
from vision.photo import MAX_DECODED_PIXELS
from vision.simulate.table import SimulatedTable, Surroundings, simulate_table
from vision.training.truth import FACES, load_folder

FIRST: list[list[Face | None]] = [[FACES[(4 * r + c) % 9] for c in range(4)] for r in range(4)]
SECOND: list[list[Face | None]] = [[Face.PARK] * 4, [None] * 4, [Face.SHOP] * 4, [Face.HOUSE] * 4]


@pytest.fixture(scope="module")
def table() -> SimulatedTable:
    around = Surroundings(material="felt", tile_px=24, props=0, strays=2, score_board=False)
    return simulate_table(11, [FIRST, SECOND], (480, 320), around)


def write(folder: Path, name: str, image: Image, truth: dict[str, Any]) -> None:
    cv2.imwrite(str(folder / f"{name}.png"), image)
    text = json.dumps({"photo": f"{name}.png", **truth})
    (folder / f"{name}.json").write_text(text, encoding="utf-8")


def truth_of_one_tile(quad: list[list[float]]) -> dict[str, Any]:
    return {"cities": [], "stray_tiles": [{"face": "office", "corners_px": quad}]}


def test_a_simulated_table_comes_back_tile_by_tile(table: SimulatedTable, tmp_path: Path) -> None:
    write(tmp_path, "table", table.image, table.truth)
    (photo,) = load_folder(tmp_path)
    assert photo.name == "table"
    assert np.array_equal(photo.image_bgr, table.image)
    expected = [
        (face.value, number, quad)
        for number, (grid, city) in enumerate(
            zip((FIRST, SECOND), table.truth["cities"], strict=True)
        )
        for face, quad in zip(chain.from_iterable(grid), city["tile_corners_px"], strict=True)
        if face is not None
    ]
    expected += [(stray["face"], -1, stray["corners_px"]) for stray in table.truth["stray_tiles"]]
    assert len(photo.tiles) == 16 + 12 + 2
    for tile, (face, city, quad) in zip(photo.tiles, expected, strict=True):
        assert (FACES[tile.face], tile.city, tile.hidden) == (face, city, False)
        assert tile.quad_px.dtype == np.float32
        assert tile.quad_px == pytest.approx(np.array(quad), abs=1e-3)


def test_tiles_that_something_covers_are_marked(table: SimulatedTable, tmp_path: Path) -> None:
    first, second = table.truth["cities"]
    covered = {**table.truth, "cities": [first, {**second, "occluded": [[2, 1], [3, 3]]}]}
    write(tmp_path, "table", table.image, covered)
    (photo,) = load_folder(tmp_path)
    hidden = [(FACES[tile.face], tile.city) for tile in photo.tiles if tile.hidden]
    assert hidden == [(Face.SHOP, 1), (Face.HOUSE, 1)]


def test_photos_come_sorted_by_name_and_other_files_are_left_alone(tmp_path: Path) -> None:
    blank = np.zeros((40, 60, 3), np.uint8)
    for name in ("b", "c", "a"):
        write(tmp_path, name, blank, {"cities": []})
    (tmp_path / "notes.txt").write_text("not a photo", encoding="utf-8")
    assert [photo.name for photo in load_folder(tmp_path)] == ["a", "b", "c"]


def test_an_empty_folder_holds_no_photos(tmp_path: Path) -> None:
    assert load_folder(tmp_path) == []


def test_a_large_photo_is_halved_and_its_quads_with_it(tmp_path: Path) -> None:
    image = np.zeros((2010, 3000, 3), np.uint8)
    assert image.shape[0] * image.shape[1] > MAX_DECODED_PIXELS
    image[400:800, 1000:1400] = 255
    left, top, right, bottom = 999.5, 399.5, 1399.5, 799.5
    quad = [[left, top], [right, top], [right, bottom], [left, bottom]]
    write(tmp_path, "large", image, truth_of_one_tile(quad))
    (photo,) = load_folder(tmp_path)
    assert photo.image_bgr.shape == (1005, 1500, 3)
    assert photo.tiles[0].quad_px.tolist() == [
        [499.5, 199.5],
        [699.5, 199.5],
        [699.5, 399.5],
        [499.5, 399.5],
    ]
    assert (photo.image_bgr[200:400, 500:700] == 255).all()
    assert int((photo.image_bgr > 0).sum()) == 200 * 200 * 3


def test_a_huge_photo_is_halved_until_it_is_as_small_as_the_eye_gets_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.training.truth.MAX_DECODED_PIXELS", 100 * 100)
    quad = [[-0.5, -0.5], [399.5, -0.5], [399.5, 399.5], [-0.5, 399.5]]
    write(tmp_path, "huge", np.zeros((400, 400, 3), np.uint8), truth_of_one_tile(quad))
    (photo,) = load_folder(tmp_path)
    assert photo.image_bgr.shape == (100, 100, 3)
    assert photo.tiles[0].quad_px[2].tolist() == [99.5, 99.5]


def test_a_photo_that_is_not_there_is_named(tmp_path: Path) -> None:
    (tmp_path / "lost.json").write_text('{"photo": "lost.jpg", "cities": []}', encoding="utf-8")
    with pytest.raises(FileNotFoundError, match=r"lost\.jpg is missing or not an image"):
        load_folder(tmp_path)
