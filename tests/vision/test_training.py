"""Training data of the eye's networks: ground-truthed photos, strips of joints."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.refusals import refused
from tests.vision.cities import STANDARD, table_of_cities
from vision.arrays import Image, floats
from vision.editions.edition import BETWEEN_TWO_CITIES_FACES
from vision.eye.duplex import STRIP_HW
from vision.lab.simulate.simulated_table import Surroundings
from vision.lab.training.photos_with_truth import CityTiles, load_photos, tiles_of_table
from vision.lab.training.piece_scenes import draw_figure_scene, draw_loose_scene
from vision.lab.training.table_scenes import SCENE_PX, QuadKind, draw_table_scene
from vision.lab.training.tile_families import FamilyPool

CLEAN = Surroundings("felt", props=0, strays=2)
GRID = [[BETWEEN_TWO_CITIES_FACES[(4 * r + c) % 9] for c in range(4)] for r in range(4)]
PAIR = ((0, 0), (0, 1))


def write(folder: Path, name: str, image: Image, truth: dict[str, Any]) -> None:
    cv2.imwrite(str(folder / f"{name}.png"), image)
    (folder / f"{name}.json").write_text(json.dumps({"photo": f"{name}.png", **truth}), "utf-8")


def test_a_table_comes_back_tile_by_tile_without_those_that_something_covers(
    tmp_path: Path,
) -> None:
    table = table_of_cities(11, [GRID, GRID], (640, 480), CLEAN, [[PAIR], []])
    table.truth["cities"][1]["occluded"] = [[2, 1]]
    write(tmp_path, "table", table.image, table.truth)
    write(tmp_path, "lesson", table.image, {"kind": "teach"})
    [photo] = load_photos(tmp_path)
    assert np.array_equal(photo.image, table.image)
    first, second, strays = photo.cities
    assert (first.duplexes, second.duplexes, strays.duplexes) == ({PAIR}, frozenset(), None)
    assert len(first.quads) == 16
    assert (2, 1) not in second.quads
    for cell, quad in first.quads.items():
        in_truth = table.truth["cities"][0]["tile_corners_px"][4 * cell[0] + cell[1]]
        assert quad == pytest.approx(floats(in_truth), abs=1e-3)
        assert first.faces[cell] == GRID[cell[0]][cell[1]]
    strays_in_truth = [stray["face"] for stray in table.truth["stray_tiles"]]
    assert list(strays.faces.values()) == strays_in_truth
    assert tiles_of_table(table).cities[1].quads.keys() == second.quads.keys()


def test_quads_of_large_photo_fit_the_reduced_picture(tmp_path: Path) -> None:
    image = np.zeros((2100, 3000, 3), np.uint8)
    image[400:800, 1000:1400] = 255
    left, top, right, bottom = 999.5, 399.5, 1399.5, 799.5
    quad = [[left, top], [right, top], [right, bottom], [left, bottom]]
    truth = {"cities": [], "stray_tiles": [{"face": "office", "corners_px": quad}]}
    write(tmp_path, "large", image, truth)
    [photo] = load_photos(tmp_path)
    assert photo.image.shape == (1050, 1500, 3)
    [quad] = photo.cities[0].quads.values()
    assert quad.tolist() == [[499.5, 199.5], [699.5, 199.5], [699.5, 399.5], [499.5, 399.5]]
    assert (photo.image[200:400, 500:700] == 255).all()


def test_a_photo_that_is_not_there_is_named(tmp_path: Path) -> None:
    assert load_photos(tmp_path) == []
    (tmp_path / "lost.json").write_text('{"photo": "lost.jpg", "cities": []}', "utf-8")
    with refused("photo-missing"):
        load_photos(tmp_path)


def test_a_strip_is_labelled_by_what_lies_at_its_joint() -> None:
    joints = pytest.importorskip("vision.lab.training.train_joints", exc_type=ImportError)
    shown = joints.compose_city(np.random.default_rng(4), STANDARD)
    city = shown.cities[0]
    strips, labels = joints.cut_strips(np.random.default_rng(1), shown.image, city)
    assert strips.shape == (24, *STRIP_HW, 3)
    assert labels.sum() == len(city.duplexes) == 2
    row = {(0, n): floats([[0, 0], [20, 0], [20, 20], [0, 20]]) + 20 * n for n in (0, 1)}
    some = CityTiles(row, dict.fromkeys(row, "park"), frozenset([PAIR]))
    strips, labels = joints.cut_strips(np.random.default_rng(1), shown.image, some)
    assert labels.tolist() == [True], "joints of tiles that cannot be seen are left out"


def test_half_of_samples_are_duplex_and_follow_seed() -> None:
    joints = pytest.importorskip("vision.lab.training.train_joints", exc_type=ImportError)
    rng = np.random.default_rng(5)
    photo = joints.compose_city(rng, STANDARD)
    pools = joints.make_pools(rng, [photo], scenes=2)
    assert len(pools) == 2
    first, again = (
        next(joints.make_batches(np.random.default_rng(7), pools, 60)) for _ in range(2)
    )
    assert (first[0] == again[0]).all()
    assert first[0].shape == (60, 3, *STRIP_HW)
    assert 20 < int(first[1].sum()) < 40
    with pytest.raises(ValueError, match="duplex"):
        joints.make_pools(rng, [], scenes=0)


def test_scenes_follow_their_seed_and_say_where_tiles_and_figures_are() -> None:
    def drawn() -> list[Any]:
        rng, pool = np.random.default_rng(4), FamilyPool()
        draw = [draw_table_scene] * 3 + [draw_figure_scene] * 2 + [draw_loose_scene] * 2
        return [one(rng, pool) for one in draw]

    scenes = drawn()
    assert all(np.array_equal(a.image, b.image) for a, b in zip(scenes, drawn(), strict=True))
    tables = scenes[:3]
    assert {table.image.shape for table in tables} == {(SCENE_PX, SCENE_PX, 3)}
    tiles = np.concatenate([table.quads_px[table.kinds == QuadKind.TILE] for table in tables])
    assert len(tiles) > 10
    assert 10**2 < np.median([cv2.contourArea(quad) for quad in tiles]) < 150**2
    for some, first in ((scenes[3:5], 0), (scenes[5:], 3)):
        maps = np.concatenate([scene.maps for scene in some], axis=1)
        here = maps[first] == 1
        assert 0 < here.mean() < 0.6
        assert np.abs(maps[first + 1 : first + 3, here]).max() < 4, "ways in widths"
