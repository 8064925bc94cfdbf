"""Simulated tables: what the ground truth says is what the picture shows."""

import json
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import cv2
import numpy as np
import pytest

from scoring.faces import Cell, Face
from tests.vision.cities import table_of_cities
from tests.vision.likeness import likeness
from vision.arrays import Image, Points, apply_homography, floats
from vision.editions.description import Description, FaceDescription, TileTurns
from vision.editions.edition import BETWEEN_TWO_CITIES, DescriptionError, Edition
from vision.editions.folder import built_in_edition, built_in_games
from vision.lab.simulate.conditions import CONDITIONS
from vision.lab.simulate.content import shuffle
from vision.lab.simulate.games.between_two_cities import HALVES, MAX_CITIES, SINGLES, deal_cities
from vision.lab.simulate.light import EFFECTS
from vision.lab.simulate.simulated_camera import (
    CameraAngles,
    SimulatedCamera,
    SimulatedLens,
    aim_camera,
)
from vision.lab.simulate.simulated_photos import SimulatedPhoto, find_dealer, take_photo
from vision.lab.simulate.simulated_table import SimulatedTable, Surroundings, simulate_table
from vision.lab.simulate.table_canvas import TableCanvas, rectangle, rotate_points
from vision.patches.cut import WHOLE_QUAD, cut_upright

BOARDS = ("city-blocks", "dice-board")
GAMES = built_in_games()
SIZE_WH = (1120, 720)
SMALL_WH = (640, 480)
TILE_SIDE_PX = 32
CLEAN = Surroundings("felt", share=0.95, tilt=0.2, props=0, strays=0, strength=0, barrel=0.1)
PICTURE_WH = (64, 64)
BOARD_PX = 800
GLOBES = np.random.default_rng(8).integers(0, 255, (3, 64, 64, 3), dtype=np.uint8)
FACES = tuple(Face)
GRID = [[FACES[(4 * row + column) % 9] for column in range(4)] for row in range(4)]


@cache
def coarse_edition(game: str) -> Edition:
    """Return the built-in edition with pictures no finer than the small photos show them."""
    edition = built_in_edition(game)
    pictures = {
        name: tuple(shrink(each, PICTURE_WH) for each in of_face)
        for name, of_face in edition.pictures.items()
    }
    board = edition.board_picture
    if board is not None:
        scale = BOARD_PX / max(board.shape)
        board = shrink(board, (round(scale * board.shape[1]), round(scale * board.shape[0])))
    return replace(edition, pictures=pictures, board_picture=board)


def shrink(picture: Image, size_wh: tuple[int, int]) -> Image:
    return np.asarray(cv2.resize(picture, size_wh, interpolation=cv2.INTER_AREA), np.uint8)


def table_of(game: str, seed: int, surroundings: Surroundings = CLEAN) -> SimulatedTable:
    edition = coarse_edition(game)
    content = find_dealer(game)(np.random.default_rng(seed), edition.description, 0)
    return simulate_table(seed, edition, replace(content, things=()), SIZE_WH, surroundings)


@cache
def clean(game: str) -> SimulatedTable:
    return table_of(game, 11)


@cache
def several_cities() -> tuple[SimulatedTable, ...]:
    return tuple(table_of("cities", seed) for seed in (1, 2, 5))


@cache
def picture_of(edition: Edition, face: str, turns: int = 0) -> Image:
    size_wh = (TILE_SIDE_PX, TILE_SIDE_PX)
    return np.rot90(shrink(edition.pictures[face][0], size_wh), -turns).copy()


def shown_at(table: SimulatedTable, quad: Any) -> Image:
    return cut_upright(table.image, floats(quad), WHOLE_QUAD, TILE_SIDE_PX)


def tiles_of(city: dict[str, Any]) -> Iterator[tuple[Cell, str, int, Any]]:
    """Place, face, quarter turns and quad of each tile."""
    wrong = {(row, column): turns for row, column, turns in city["turned"]}
    quads = iter(city["tile_corners_px"])
    for row, names in enumerate(city["tiles"]):
        for column, name in enumerate(names):
            quad, turns = next(quads), city["turns"][row][column]
            assert (name is None) == (quad is None) == (turns is None)
            if name is not None:
                yield (row, column), name, (turns + wrong.get((row, column), 0)) % 4, quad


def cell_quad(city: dict[str, Any], cell: Any, grid: str = "grid") -> Points:
    """Return the quad of a cell of a tidy grid, from the grid's corners alone."""
    rows, columns = len(city[grid]), len(city[grid][0])
    unit = floats([[0, 0], [columns, 0], [columns, rows], [0, rows]])
    seen = cv2.getPerspectiveTransform(unit, floats(city["corners_px"]))
    row, column = cell
    return apply_homography(
        [[column + x, row + y] for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))], seen
    )


def lies_in(quad: Points, spot: Any, room: float = 0.0) -> bool:
    return cv2.pointPolygonTest(quad, (float(spot[0]), float(spot[1])), measureDist=True) >= -room


def cells_of(city: dict[str, Any]) -> Iterator[tuple[int, int]]:
    return product(range(len(city["grid"])), range(len(city["grid"][0])))


@pytest.mark.parametrize("game", GAMES)
def test_each_tile_lies_as_the_truth_says(game: str) -> None:
    table, edition = table_of(game, 11, replace(CLEAN, turned=5)), coarse_edition(game)
    under_a_figure = 0.35 if edition.description.tokens else 0.75
    for city in table.truth["cities"]:
        better, tiles = 0, list(tiles_of(city))
        assert len(tiles) >= min(10, edition.description.rows * edition.description.columns)
        for place, face, turns, quad in tiles:
            alike = [
                likeness(shown_at(table, quad), picture_of(edition, face, turn))
                for turn in range(4)
            ]
            assert max(alike) == alike[turns] > under_a_figure
            assert lies_in(cell_quad(city, place, "tiles"), np.mean(quad, axis=0))
            step = float(np.ptp(floats(quad))) / 8
            better += alike[turns] > max(
                likeness(shown_at(table, np.add(quad, move)), picture_of(edition, face, turns))
                for move in ((step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step))
            )
        assert better >= 0.9 * len(tiles), "moved by an eighth the quads frame them worse"
    wrong = [each for city in table.truth["cities"] for each in city["turned"] or city["askew"]]
    assert len(wrong) == 5 * math.prod(edition.description.tile_cells), "all cells of five tiles"
    are_upright = edition.description.tile_turns is TileTurns.UPRIGHT
    for city in table.truth["cities"]:
        assert are_upright or not city["turned"], "no way to lie is wrong: tiles lie askew instead"


def test_fields_are_those_of_the_tiles_as_they_are_turned() -> None:
    faces = {face.name: face.cells for face in coarse_edition("cities").description.faces}
    places = ((0, 0), (0, 1), (1, 1), (1, 0))  # clockwise
    for city in clean("cities").truth["cities"]:
        for (r, c), face, turns, _quad in tiles_of(city):
            for n, place in enumerate(places):
                source = places[(n - turns) % 4]
                printed = faces[face][source[0]][source[1]]
                assert city["grid"][2 * r + place[0]][2 * c + place[1]] == printed


def test_all_cities_are_made_of_the_same_tiles() -> None:
    tables = [table.truth["cities"] for table in several_cities()]
    assert {len(cities) for cities in tables} >= {2, 3}
    for cities in tables:
        sets = [{face for _cell, face, *_ in tiles_of(city)} for city in cities]
        assert len(set.union(*sets)) == 16
        assert len({json.dumps(city["tiles"]) for city in cities}) == len(cities)


def test_figures_stand_on_the_cells_that_the_truth_names() -> None:
    colours = {
        token.kind: token.colour_bgr for token in coarse_edition("cities").description.tokens
    }
    seen_kinds: set[str] = set()
    for table in several_cities():
        kinds = [{token["kind"] for token in city["tokens"]} for city in table.truth["cities"]]
        assert all(len(of_one) <= 1 for of_one in kinds), "each player has one colour"
        assert len(set.union(*kinds)) == sum(map(len, kinds)), "and another than the rest"
        seen_kinds |= set.union(*kinds)
        for city in table.truth["cities"]:
            cells = [tuple(token["at"]) for token in city["tokens"]]
            assert len(set(cells)) == len(cells) <= 7
            for token in city["tokens"]:
                row, column = token["at"]
                assert city["grid"][row][column] not in (None, "water")
                assert lies_in(cell_quad(city, token["at"]), token["foot_px"], room=3.0)
                assert nearest_colour(table.image, token["foot_px"], colours) == token["kind"]
    assert len(seen_kinds) >= 3


def nearest_colour(image: Image, spot: Any, colours: dict[str, tuple[int, int, int]]) -> str:
    """Return the colour nearest to a spot's, whatever the light on it."""
    x, y = (round(v) for v in spot)
    seen = direction(image[y - 1 : y + 2, x - 1 : x + 2].mean(axis=(0, 1)))
    off = {kind: float(np.abs(seen - direction(colour)).sum()) for kind, colour in colours.items()}
    return min(off, key=off.__getitem__)


def direction(colour: Any) -> Points:
    values = floats(colour)
    return values / np.linalg.norm(values)


def test_value_tiles_lie_as_truth_says_without_overlap() -> None:
    edition, places = coarse_edition("city-blocks"), set()
    for seed in (1, 2, 3):
        table = table_of("city-blocks", seed)
        [board] = table.truth["cities"]
        faces = [piece["face"] for piece in board["beside"]]
        assert len(set(faces)) == len(faces)
        for piece in board["beside"]:
            places.add((piece["place"], piece["in_heap"]))
            picture = shown_at(table, piece["corners_px"])
            assert likeness(picture, picture_of(edition, piece["face"])) > 0.75
        quads = [floats(piece["corners_px"]) for piece in board["beside"] if piece["in_heap"]]
        for n, quad in enumerate(quads):
            assert all(cv2.intersectConvexConvex(quad, other)[0] < 1.0 for other in quads[:n])
    assert places == {("row", False), ("column", False), ("blue", True), ("red", True)}


def test_complete_companies_form_their_sign() -> None:
    quarters, clockwise = ("nw", "ne", "se", "sw"), ((0, 0), (0, 1), (1, 1), (1, 0))
    signs = 0
    for seed in (1, 2, 3):
        [board] = table_of("dice-board", seed).truth["cities"]
        where = {name: (place, turns) for place, name, turns, _quad in tiles_of(board)}
        for name, ((row, column), turns) in where.items():
            if "-nw" not in name:
                continue
            mates = [name.replace("-nw", f"-{quarter}") for quarter in quarters]
            first = row - clockwise[turns][0], column - clockwise[turns][1]
            block = [(first[0] + down, first[1] + right) for down, right in clockwise]
            expected = [(block[(n + turns) % 4], turns) for n in range(4)]
            signs += [where.get(mate) for mate in mates] == expected
    assert signs >= 6


@pytest.mark.parametrize("game", GAMES)
def test_strays_are_listed_and_framed(game: str) -> None:
    table, framed = table_of(game, 12, replace(CLEAN, share=0.6, strays=4)), 0
    for stray in table.truth["stray_tiles"]:
        quad = floats(stray["corners_px"])
        if (quad.min(axis=0) > 0).all() and (quad.max(axis=0) < floats(SIZE_WH) - 1).all():
            framed += 1
            picture = picture_of(coarse_edition(game), stray["face"])
            assert likeness(shown_at(table, quad), picture) > 0.6
    assert framed or not table.truth["stray_tiles"]


@pytest.mark.parametrize("game", GAMES)
def test_truth_names_what_covers_a_tile_and_nothing_else_changes(game: str) -> None:
    plain, table = clean(game), table_of(game, 11, replace(CLEAN, covered=12))
    covered = 0
    for before, city in zip(plain.truth["cities"], table.truth["cities"], strict=True):
        assert city["tile_corners_px"] == before["tile_corners_px"]
        assert city["corners_px"] == before["corners_px"]
        occluded = {tuple(cell) for cell in city["occluded"]}
        for cell, share in zip(cells_of(city), city["visible_share"], strict=True):
            assert (share < 0.95) == (cell in occluded)
            quad = cell_quad(city, cell)
            changed = np.abs(shown_at(table, quad).astype(int) - shown_at(plain, quad))
            if share < 0.3:
                covered += 1
                assert changed.mean() > 8, "what is hidden looks different"
            elif share == 1.0 and game == BETWEEN_TWO_CITIES:
                assert (changed.max(axis=2) > 30).mean() < 0.35, "at most a shadow falls on it"
    assert covered >= 2


@pytest.mark.parametrize("game", GAMES)
def test_truth_names_what_runs_off_the_edge(game: str) -> None:
    table = table_of(game, 11, replace(CLEAN, cut_off=True, barrel=0.0))
    outside = 0
    for city in table.truth["cities"]:
        outside_cells = {tuple(cell) for cell in city["outside"]}
        outside += len(outside_cells)
        for cell in cells_of(city):
            quad = cell_quad(city, cell)
            beyond = max(-quad.min(), *(quad.max(axis=0) - floats(SIZE_WH)))
            if abs(beyond) > np.ptp(quad, axis=0).min() / 4:  # tiles lie a little off their cells
                assert (beyond > 0) == (cell in outside_cells)
    assert outside > 2


def test_missing_tiles_are_listed_and_no_duplex_tile_is_broken() -> None:
    shots = [
        take_photo(coarse_edition(BETWEEN_TWO_CITIES), "missing", seed, SMALL_WH)
        for seed in range(2)
    ]
    cities = [city for shot in shots for city in shot.truth["cities"]]
    assert len({len(city["missing"]) for city in cities}) >= 3
    for city in cities:
        empty = [[r, c] for r in range(4) for c in range(4) if city["grid"][r][c] is None]
        assert empty == city["missing"] != []
        assert not [cell for pair in city["duplexes"] for cell in pair if cell in empty]


def test_table_shows_where_truth_has_no_tile() -> None:
    grid: list[list[Face | None]] = [list(row) for row in GRID]
    grid[0][0] = grid[2][3] = None
    table = table_of_cities(7, [GRID, grid], SIZE_WH, CLEAN, things=())
    city = table.truth["cities"][1]
    assert city["grid"] == grid
    assert city["missing"] == [[0, 0], [2, 3]]
    picture = shown_at(table, cell_quad(city, (2, 3)))[8:24, 8:24]
    assert picture.std(axis=(0, 1)).max() < 15, "felt"
    quads = city["tile_corners_px"]
    assert city["corners_px"][1:] == [quads[3][1], quads[15][2], quads[12][3]]
    beside = floats(quads[1])
    expected = beside[0] - (beside[1] - beside[0])  # a tile further to the left
    assert city["corners_px"][0] == pytest.approx(expected, abs=0.15 * table.tile_px)


def test_a_duplex_tile_is_one_rigid_piece() -> None:
    pairs = (((0, 0), (0, 1)), ((1, 3), (2, 3)))
    careless = replace(CLEAN, carelessness=4.0)
    table = table_of_cities(1, [GRID], SIZE_WH, careless, [pairs], things=())
    [city] = table.truth["cities"]
    assert city["duplexes"] == json.loads(json.dumps(pairs))
    quads = floats(city["tile_corners_px"])
    left, right, upper, lower = quads[0], quads[1], quads[7], quads[11]
    assert left[1] == pytest.approx(right[0], abs=0.02)
    assert left[2] == pytest.approx(right[3], abs=0.02)
    assert upper[3] == pytest.approx(lower[0], abs=0.02)
    assert np.hypot(*(quads[1][1] - quads[2][0])) > 0.3, "a single tile beside it lies apart"


def test_cities_run_clockwise_from_six_o_clock_and_face_outwards() -> None:
    truth = table_of_cities(3, [GRID] * 5, SIZE_WH, replace(CLEAN, tilt=0.0), things=()).truth
    corners = floats([city["corners_px"] for city in truth["cities"]])
    centres = corners.mean(axis=1)
    away = centres - (centres.min(axis=0) + centres.max(axis=0)) / 2
    clockwise = [math.atan2(-x, y) % math.tau for x, y in away]
    assert clockwise == sorted(clockwise)
    down = corners[:, 3] - corners[:, 0]
    assert ((down * away).sum(axis=1) > 0).all()


def test_seven_cities_do_not_need_more_tiles_than_the_box_has() -> None:
    for seed in range(20):
        halves, singles = Counter[str](), Counter[str]()
        for city in deal_cities(np.random.default_rng(seed), MAX_CITIES):
            joined = {cell for pair in city.duplexes for cell in pair}
            assert len(joined) == 4
            assert len(city.laid) == 16
            for cell, face in city.laid:
                (halves if cell in joined else singles)[face] += 1
        assert all(halves[face] <= HALVES[face] for face in Face)
        assert all(singles[face] <= SINGLES[face] for face in Face)
    assert (sum(SINGLES.values()), sum(HALVES.values())) == (108, 48)
    with pytest.raises(ValueError, match="enough for 7"):
        deal_cities(np.random.default_rng(0), 8)


@cache
def ordinary_photo(game: str) -> SimulatedPhoto:
    return take_photo(coarse_edition(game), "normal", 1, SMALL_WH)


def test_another_seed_gives_another_photo() -> None:
    other = one_photo("normal")
    assert other.jpeg != ordinary_photo(other.truth["game"]).jpeg


@pytest.mark.parametrize("game", GAMES)
def test_ordinary_photo_shows_all_of_the_game(game: str) -> None:
    for city in ordinary_photo(game).truth["cities"]:
        assert city["outside"] == []
        corners = floats(city["corners_px"])
        assert (corners > 0).all()
        assert (corners < floats(SMALL_WH)).all()


def take_one(condition: str) -> SimulatedPhoto:
    """A photo under this condition; from one to the next the game changes."""
    game = GAMES[list(CONDITIONS).index(condition) % len(GAMES)]
    return take_photo(coarse_edition(game), condition, 3, SMALL_WH, "name")


@cache
def one_photo(condition: str) -> SimulatedPhoto:
    return take_one(condition)


@pytest.mark.parametrize("condition", ["missing", "edge", "covered", "turned", "no-city"])
def test_photo_and_truth_of_a_condition_follow_the_seed(condition: str) -> None:
    first, again = one_photo(condition), take_one(condition)
    assert first.jpeg == again.jpeg
    assert first.truth == again.truth


@pytest.mark.parametrize("name", EFFECTS)
def test_effect_of_light_follows_the_seed(name: str) -> None:
    image = GLOBES[0].astype(np.float32) / 255
    first, again, other = (
        EFFECTS[name](np.random.default_rng(seed), image.copy()) for seed in (1, 1, 2)
    )
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize("condition", CONDITIONS)
def test_photo_under_each_condition_has_its_truth(condition: str) -> None:
    photo, has_grids = one_photo(condition), CONDITIONS[condition].has_grids
    truth, game = json.loads(json.dumps(photo.truth)), photo.truth["game"]
    assert truth == photo.truth
    decoded = cv2.imdecode(np.frombuffer(photo.jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert decoded is not None
    assert decoded.shape == (480, 640, 3)
    assert (truth["photo"], truth["subset"]) == ("name.jpg", condition)
    description = coarse_edition(game).description
    no_way_is_up = description.board is None and description.tile_turns is TileTurns.ANY
    assert truth["any_rotation"] == no_way_is_up
    few = 3 if game == BETWEEN_TWO_CITIES else 1
    count, most = len(truth["cities"]), description.most_grids
    if has_grids:
        assert few <= count <= most, f"{count} grids of {game}, not {few} to {most}"
    else:
        assert count == 0


def edition_of_globes(rows: int, columns: int, most_grids: int = 1) -> Edition:
    names = ("moon", "star", "sun")
    faces = tuple(FaceDescription(name, (f"{name}.png",), ((name,),)) for name in names)
    description = Description("own", "reading-only", rows, columns, 40.0, TileTurns.UPRIGHT, faces)
    pictures = {name: (picture,) for name, picture in zip(names, GLOBES, strict=True)}
    return Edition(replace(description, most_grids=most_grids), pictures)


def test_most_of_a_small_grid_stays_uncovered() -> None:
    for seed in range(3):
        truth = take_photo(edition_of_globes(3, 3), "covered", seed, SMALL_WH).truth
        assert 1 <= truth["conditions"]["covered"] <= 3
        assert 1 <= len(truth["cities"][0]["occluded"]) <= 6


def test_any_edition_can_be_simulated() -> None:
    edition = edition_of_globes(2, 3, most_grids=6)
    names, pictures = set(edition.pictures), edition.pictures
    counts = set()
    for seed in (2, 3):
        truth = take_photo(edition, "normal", seed, SMALL_WH).truth
        counts.add(len(truth["cities"]))
        for city in truth["cities"]:
            assert city["grid"] == city["tiles"]
            assert {face for _, face, *_ in tiles_of(city)} <= names
            assert {turns for *_, turns, _ in tiles_of(city)} == {0}
            assert len(city["tile_corners_px"]) == 6
    assert max(counts) > 4
    unknown = replace(edition, pictures={"moon": pictures["moon"], "sun": ()})
    with pytest.raises(DescriptionError, match="no picture is named for star, sun"):
        take_photo(unknown, "normal", 1, SMALL_WH)


def test_unknown_conditions_and_sizes_are_refused() -> None:
    for condition, size_wh, message in (
        ("foggy", SMALL_WH, "no condition 'foggy'"),
        ("normal", (100, 100), "sides run from 480 to 4608"),
        ("normal", (2000, 500), "at most 2 times"),
    ):
        with pytest.raises(ValueError, match=message):
            take_photo(coarse_edition(BETWEEN_TWO_CITIES), condition, 1, size_wh)
    table, empty = (
        table_of_cities(6, [], SIZE_WH, surroundings)
        for surroundings in (replace(CLEAN, decoys=3), CLEAN)
    )
    assert not np.array_equal(table.image, empty.image)
    assert table.truth["cities"] == table.truth["stray_tiles"] == []


def test_a_camera_shows_everything_from_near_and_far_high_and_low() -> None:
    outline, lens = floats([[1, 1], [9, 1], [9, 6], [1, 6]]), SimulatedLens(SIZE_WH, 0.15)
    for towards in (0.0, 2.0, 4.0):
        seen = aim_camera(outline, CameraAngles(0.4, towards), lens, 0.8).to_photo_px(outline)
        assert max(np.ptp(seen, axis=0) / SIZE_WH) == pytest.approx(0.8, abs=0.01)
        middle = (seen.min(axis=0) + seen.max(axis=0)) / 2
        assert middle == pytest.approx((floats(SIZE_WH) - 1) / 2, abs=2)
    for width, height, tilt, towards, share in (
        (8.7, 7.4, 0.519, 3.58, 0.88),
        (8.9, 8.3, 0.598, 0.1, 0.77),
        (8.4, 9.6, 0.433, 0.52, 0.8),
        (10.7, 10.3, 0.521, 6.28, 0.77),
    ):
        outline, size_wh = rectangle((0, 0), 0.0, (width, height)), (2304, 1296)
        seen = aim_camera(
            outline, CameraAngles(tilt, towards), SimulatedLens(size_wh), share
        ).to_photo_px(outline)
        assert (seen > 0).all()
        assert (seen < size_wh).all()
        assert max(np.ptp(seen, axis=0) / size_wh) == pytest.approx(share, abs=0.02)
    camera = aim_camera(
        floats([[-3, -2], [3, 2]]), CameraAngles(0.4, 1.0, 0.05), SimulatedLens(SIZE_WH), 0.9
    )
    foot = camera.foot
    below = camera.to_ideal_px([foot])[0]
    assert camera.to_ideal_px([foot], 0.3)[0] == pytest.approx(below, abs=0.05)
    for spot in ((-2.0, 1.0), (1.5, -1.5), (2.0, 2.0)):
        low, high = camera.to_ideal_px([spot])[0], camera.to_ideal_px([spot], 0.3)[0]
        higher = np.hypot(*(high - low))
        assert higher > 5
        along = (low - below) / np.hypot(*(low - below))
        assert float(along @ (high - low)) == pytest.approx(higher, rel=0.02)
    straight = SimulatedCamera.above(CameraAngles(0.0), SimulatedLens((201, 101)), 40)
    corners = rectangle((100, 50), 0.0, (40, 40))
    assert straight.to_ideal_px(rectangle((0, 0), 0)) == pytest.approx(corners, abs=1e-3)
    assert straight.unit_px == pytest.approx(40, rel=1e-3)
    tilted = SimulatedCamera.above(CameraAngles(0.6), SimulatedLens((200, 200)), 20)
    far, near = sorted(
        float(np.ptp(tilted.to_ideal_px([[-0.5, y], [0.5, y]])[:, 0])) for y in (-3, 3)
    )
    assert far < 0.9 * near


def test_tile_near_the_horizon_is_not_laid() -> None:
    top = np.full((100, 100, 3), 90, np.uint8)
    canvas = TableCanvas(
        top, SimulatedCamera.above(CameraAngles(1.2), SimulatedLens((100, 100)), 20)
    )
    tile = picture_of(coarse_edition(BETWEEN_TWO_CITIES), "shop")
    for y in (-400.0, 400.0):
        canvas.lay(tile, rectangle((0, y), 0.3), (0.03, 0.03, 0.5))
    assert np.array_equal(canvas.to_image(), top)
    canvas.lay(tile, rectangle((0, 0), 0.3), (0.03, 0.03, 0.5))
    assert not np.array_equal(canvas.to_image(), top)


@pytest.mark.parametrize("k", [-0.15, 0.05, 0.3])
def test_a_lens_shows_each_point_where_it_says(k: float) -> None:
    lens = SimulatedLens((301, 201), k)
    for x, y in ((150, 100), (40, 30), (260, 120)):
        dot = np.zeros((201, 301, 3), np.uint8)
        cv2.circle(dot, (x, y), 4, (255, 255, 255), -1)
        seen = lens.distort(dot)[..., 0].astype(float)
        ys, xs = np.mgrid[:201, :301]
        found = [(seen * axis).sum() / seen.sum() for axis in (xs, ys)]
        assert lens.to_photo_px([[x, y]])[0] == pytest.approx(found, abs=0.4)
    kept = [[150, 100], [0, 0], [300, 200]]
    assert lens.to_photo_px(kept) == pytest.approx(floats(kept), abs=1)
    assert (lens.to_photo_px([[150, 20]])[0][1] < 20) == (k > 0), "bent outwards"


def test_lenses_quads_and_shuffled_things() -> None:
    with pytest.raises(ValueError, match=r"k is 0\.9"):
        SimulatedLens((301, 201), 0.9)
    things = list(range(20))
    mixed = shuffle(np.random.default_rng(1), things)
    assert sorted(mixed) == things != mixed
    quarter = math.pi / 2
    assert rotate_points(floats([[1, 0]]), quarter) == pytest.approx(floats([[0, 1]]), abs=1e-6)
    upright, turned = (rectangle((5, 3), angle, (2, 2)) for angle in (0.0, quarter))
    assert turned == pytest.approx(np.roll(upright, -1, axis=0), abs=1e-5)
    assert rectangle((0, 0), 0, (4, 2)).tolist() == [[-2, -1], [2, -1], [2, 1], [-2, 1]]
