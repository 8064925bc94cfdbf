"""Photos under named conditions: what the truth says of each cell is what the picture shows."""

import json
from collections import Counter
from typing import Any

import cv2
import numpy as np
import pytest
from likeness import best_likeness

from scoring.faces import Face
from vision.arrays import Image, floats
from vision.rectify import crop_window
from vision.simulate.condition_names import CONDITION_NAMES
from vision.simulate.conditions import CONDITIONS, Shot
from vision.simulate.deal import HALVES, MOST_CITIES, SINGLES, deal_cities
from vision.simulate.games.between_two_cities import take_photo
from vision.simulate.lens import Lens
from vision.simulate.mishaps import Mishaps
from vision.simulate.table import Surroundings, simulate_table

WHOLE_TILE = (0.0, 0.0, 1.0, 1.0)
SIZE_WH = (960, 540)
CLEAN = Surroundings(material="felt", tile_px=36, props=0, strays=0, strength=0, score_board=False)
GRID = [[list(Face)[(4 * row + column) % 9] for column in range(4)] for row in range(4)]


def picture(shot: Shot) -> Image:
    decoded = cv2.imdecode(np.frombuffer(shot.jpeg, np.uint8), cv2.IMREAD_COLOR)
    return np.asarray(decoded, np.uint8)


def seen_at(image: Image, city: dict[str, Any], row: int, column: int) -> tuple[float, str, int]:
    quad = floats(city["tile_corners_px"][4 * row + column])
    return best_likeness(crop_window(image, quad, WHOLE_TILE, 32))


def test_every_condition_is_explained() -> None:
    assert list(CONDITIONS) == list(CONDITION_NAMES)


@pytest.mark.parametrize("condition", CONDITIONS)
def test_the_same_condition_and_seed_give_the_same_file_and_another_seed_another(
    condition: str,
) -> None:
    first, again, other = (take_photo(condition, seed, (640, 480)) for seed in (3, 3, 4))
    assert first.jpeg == again.jpeg
    assert json.loads(json.dumps(first.truth)) == again.truth
    assert first.jpeg != other.jpeg
    assert picture(first).shape == (480, 640, 3)
    assert first.truth["subset"] == condition


@pytest.mark.parametrize("condition", sorted(set(CONDITIONS) - {"no-city", "missing"}))
def test_cities_are_whole_with_two_duplex_tiles(condition: str) -> None:
    cities = take_photo(condition, 11, (640, 480)).truth["cities"]
    assert 3 <= len(cities) <= MOST_CITIES
    for city in cities:
        assert None not in [face for row in city["grid"] for face in row]
        assert len(city["duplexes"]) == 2
        assert city["missing"] == []


def test_a_photo_without_a_city_says_so() -> None:
    truth = take_photo("no-city", 5, (640, 480)).truth
    assert truth["cities"] == []


def test_missing_tiles_are_listed_and_no_duplex_tile_is_broken() -> None:
    cities = [
        c for seed in range(4) for c in take_photo("missing", seed, (640, 480)).truth["cities"]
    ]
    assert all(city["missing"] for city in cities)
    for city in cities:
        empty = [[r, c] for r in range(4) for c in range(4) if city["grid"][r][c] is None]
        assert empty == city["missing"]
        assert not [cell for pair in city["duplexes"] for cell in pair if cell in empty]


def test_a_city_cut_off_by_the_edge_names_the_tiles_that_are_not_whole() -> None:
    for seed in range(4):
        truth = take_photo("edge", seed, (960, 540)).truth
        cut = [city for city in truth["cities"] if city["outside"]]
        assert cut
        for city in truth["cities"]:
            for index, quad in enumerate(city["tile_corners_px"]):
                whole = all(-0.5 <= x <= 959.5 and -0.5 <= y <= 539.5 for x, y in quad)
                assert ([*divmod(index, 4)] in city["outside"]) is not whole


def test_turned_tiles_lie_as_the_truth_says() -> None:
    around = Surroundings(**{**_settings(CLEAN), "mishaps": Mishaps(turned=5)})
    table = simulate_table(2, [GRID, GRID, GRID], SIZE_WH, around)
    turned = {(n, r, c): q for n, city in enumerate(table.truth["cities"])
              for r, c, q in city["turned"]}  # fmt: skip
    assert len(turned) == 5
    assert set(turned.values()) <= {1, 2, 3}
    for number, city in enumerate(table.truth["cities"]):
        for row in range(4):
            for column in range(4):
                _, face, quarters = seen_at(table.image, city, row, column)
                assert face == city["grid"][row][column]
                assert quarters == turned.get((number, row, column), 0)


def test_covered_tiles_are_those_that_look_different() -> None:
    around = Surroundings(**{**_settings(CLEAN), "mishaps": Mishaps(covered=6)})
    plain = simulate_table(4, [GRID, GRID, GRID], SIZE_WH, CLEAN)
    table = simulate_table(4, [GRID, GRID, GRID], SIZE_WH, around)
    covered = [city["occluded"] for city in table.truth["cities"]]
    assert sum(map(len, covered)) >= 6
    for before, after in zip(plain.truth["cities"], table.truth["cities"], strict=True):
        assert before["tile_corners_px"] == after["tile_corners_px"]
        for index, share in enumerate(after["visible_share"]):
            quad = floats(after["tile_corners_px"][index])
            crops = [crop_window(t.image, quad, WHOLE_TILE, 32) for t in (plain, table)]
            changed = np.abs(crops[0].astype(int) - crops[1]).max(axis=2) > 30
            assert ([*divmod(index, 4)] in after["occluded"]) is (share < 0.95)
            assert changed.mean() >= 0.4 * (1 - share), "what is hidden looks different"
            if share == 1.0:
                assert changed.mean() < 0.25, "at most a shadow falls on it"


def test_a_duplex_tile_is_one_rigid_piece() -> None:
    loose = Surroundings(**{**_settings(CLEAN), "carelessness": 4.0})
    pairs = (((0, 0), (0, 1)), ((1, 3), (2, 3)))
    city = simulate_table(1, [GRID], SIZE_WH, loose, [pairs]).truth["cities"][0]
    quads = floats(city["tile_corners_px"])
    left, right, upper, lower = quads[0], quads[1], quads[7], quads[11]
    assert left[1] == pytest.approx(right[0], abs=0.02)
    assert left[2] == pytest.approx(right[3], abs=0.02)
    assert upper[3] == pytest.approx(lower[0], abs=0.02)
    assert np.hypot(*(quads[1][1] - quads[2][0])) > 0.3, "a single tile beside it lies apart"


def test_a_bent_picture_still_has_its_tiles_where_the_truth_says() -> None:
    bent = Surroundings(**{**_settings(CLEAN), "barrel": 0.25, "margin": 2.5})
    table = simulate_table(5, [GRID, GRID, GRID], SIZE_WH, bent)
    straight = simulate_table(
        5, [GRID, GRID, GRID], SIZE_WH, Surroundings(**{**_settings(bent), "barrel": 0.0})
    )
    moved = floats(table.truth["cities"][0]["corners_px"]) - floats(
        straight.truth["cities"][0]["corners_px"]
    )
    assert np.hypot(*moved.T).max() > 5
    for city in table.truth["cities"]:
        for row in range(4):
            for column in range(4):
                alike, face, quarters = seen_at(table.image, city, row, column)
                assert (face, quarters) == (city["grid"][row][column], 0)
                assert alike > 0.8


def test_grids_of_backs_are_no_cities() -> None:
    decoys = Surroundings(**{**_settings(CLEAN), "decoys": 3})
    table, empty = (simulate_table(6, [], SIZE_WH, around) for around in (decoys, CLEAN))
    assert not np.array_equal(table.image, empty.image)
    assert table.truth["cities"] == table.truth["stray_tiles"] == []


@pytest.mark.parametrize("k", [-0.15, 0.05, 0.3])
def test_a_lens_shows_each_point_where_it_says(k: float) -> None:
    lens = Lens((301, 201), k)
    for x, y in ((150, 100), (40, 30), (260, 120)):
        dot = np.zeros((201, 301, 3), np.uint8)
        cv2.circle(dot, (x, y), 4, (255, 255, 255), -1)
        seen = lens.photographed(dot)[..., 0].astype(float)
        ys, xs = np.mgrid[:201, :301]
        found = [(seen * axis).sum() / seen.sum() for axis in (xs, ys)]
        assert lens.seen([[x, y]])[0] == pytest.approx(found, abs=0.4)


def test_a_lens_leaves_middle_and_corners_and_bends_edges_outwards() -> None:
    lens = Lens((301, 201), 0.2)
    kept = [[150, 100], [0, 0], [300, 200]]
    assert lens.seen(kept) == pytest.approx(floats(kept), abs=1)
    assert lens.seen([[150, 20]])[0][1] < 18


def test_a_lens_beyond_reason_is_refused() -> None:
    with pytest.raises(ValueError, match=r"k is 0\.9"):
        Lens((301, 201), 0.9)


def test_seven_cities_do_not_need_more_tiles_than_the_box_has() -> None:
    for seed in range(20):
        cities = deal_cities(np.random.default_rng(seed), MOST_CITIES)
        halves, singles = Counter[Face](), Counter[Face]()
        for city in cities:
            joined = {cell for pair in city.duplexes for cell in pair}
            assert len(joined) == 4
            for row, faces in enumerate(city.grid):
                for column, face in enumerate(faces):
                    (halves if (row, column) in joined else singles)[face] += 1
        assert all(halves[face] <= HALVES[face] for face in Face)
        assert all(singles[face] <= SINGLES[face] for face in Face)
    assert (sum(SINGLES.values()), sum(HALVES.values())) == (108, 48)


def test_more_cities_than_tiles_and_unknown_conditions_are_refused() -> None:
    with pytest.raises(ValueError, match="enough for 7"):
        deal_cities(np.random.default_rng(0), 8)
    with pytest.raises(ValueError, match="no condition 'fog'"):
        take_photo("fog", 1)
    with pytest.raises(ValueError, match="at most 2 times"):
        take_photo("normal", 1, (2000, 500))
    with pytest.raises(ValueError, match="from 480 to 4608"):
        take_photo("normal", 1, (200, 200))


def _settings(around: Surroundings) -> dict[str, Any]:
    return {name: getattr(around, name) for name in Surroundings.__dataclass_fields__}
