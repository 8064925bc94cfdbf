"""Simulated tables of games known by pictures: the ground truth says what the picture shows."""

import json
from dataclasses import replace
from functools import cache
from itertools import chain, product
from typing import Any

import cv2
import numpy as np
import pytest
from likeness import likeness

from vision.arrays import Image, Points, floats, transformed
from vision.editions.description import Description, FaceDescription, Turned
from vision.editions.edition import Edition
from vision.editions.folder import own_edition
from vision.rectify import crop_window
from vision.simulate.boards.camera import Camera, Stance, aimed
from vision.simulate.boards.table import simulate_board_table
from vision.simulate.conditions import CONDITIONS
from vision.simulate.lens import Lens
from vision.simulate.mishaps import Mishaps
from vision.simulate.photos import dealer, take_photo
from vision.simulate.table import SimulatedTable, Surroundings

GAMES = ("cities", "city-blocks", "dice-board")
SIZE_WH = (1120, 720)
SMALL_WH = (640, 480)
CROP_PX = 32
WHOLE_TILE = (0.0, 0.0, 1.0, 1.0)
CLEAN = Surroundings(material="felt", tile_px=0.95, tilt=0.2, props=0, strays=2, strength=0,
                     barrel=0.1)  # fmt: skip
GLOBES = np.random.default_rng(8).integers(0, 255, (3, 64, 64, 3), dtype=np.uint8)


def table_of(game: str, seed: int, around: Surroundings = CLEAN) -> SimulatedTable:
    edition = own_edition(game)
    content = dealer(game)(np.random.default_rng(seed), edition.description, 0)
    return simulate_board_table(seed, edition, content, SIZE_WH, around)


@cache
def clean(game: str) -> SimulatedTable:
    return table_of(game, 11)


def picture_of(edition: Edition, face: str, turns: int = 0) -> Image:
    picture = cv2.resize(
        edition.pictures[face][0], (CROP_PX, CROP_PX), interpolation=cv2.INTER_AREA
    )
    return np.rot90(np.asarray(picture, np.uint8), -turns).copy()


def shown_at(table: SimulatedTable, quad: Any) -> Image:
    return crop_window(table.image, floats(quad), WHOLE_TILE, CROP_PX)


def tiles_of(city: dict[str, Any]) -> list[tuple[str, int, Any]]:
    """Face, quarter turns and quad of each tile."""
    flat = (chain.from_iterable(city[key]) for key in ("tiles", "turns"))
    every = zip(*flat, city["tile_corners_px"], strict=True)
    return [(face, turns, quad) for face, turns, quad in every if face is not None]


def cell_quad(city: dict[str, Any], rows: int, columns: int, cell: list[int]) -> Points:
    """Where a cell of a tidy grid is seen, from the grid's corners alone."""
    unit = floats([[0, 0], [columns, 0], [columns, rows], [0, rows]])
    seen = cv2.getPerspectiveTransform(unit, floats(city["corners_px"]))
    row, column = cell
    return transformed([[column + x, row + y] for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))], seen)


def lies_in(quad: Points, spot: Any, room: float = 0.0) -> bool:
    return cv2.pointPolygonTest(quad, (float(spot[0]), float(spot[1])), measureDist=True) >= -room


@pytest.mark.parametrize("game", GAMES)
def test_each_tile_lies_as_the_truth_says(game: str) -> None:
    table, edition = clean(game), own_edition(game)
    under_a_figure = 0.35 if game == "cities" else 0.75
    for city in table.truth["cities"]:
        tiles = tiles_of(city)
        assert len(tiles) >= 10
        for face, turns, quad in tiles:
            crop = shown_at(table, quad)
            alike = [likeness(crop, picture_of(edition, face, turn)) for turn in range(4)]
            assert max(alike) == alike[turns]
            assert alike[turns] > under_a_figure


@pytest.mark.parametrize("game", GAMES)
def test_a_quad_moved_by_an_eighth_of_a_tile_frames_it_worse(game: str) -> None:
    table, edition = clean(game), own_edition(game)
    for city in table.truth["cities"]:
        better = 0
        tiles = tiles_of(city)
        for face, turns, quad in tiles:
            step = float(np.ptp(floats(quad))) / 8
            moves = ((0.0, 0.0), (step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step))
            picture = picture_of(edition, face, turns)
            framed, *moved = (
                likeness(shown_at(table, np.add(quad, move)), picture) for move in moves
            )
            better += framed > max(moved)
        assert better >= 0.9 * len(tiles)


@pytest.mark.parametrize("game", GAMES)
def test_tiles_lie_in_their_cells_of_the_grid(game: str) -> None:
    truth = clean(game).truth
    for city in truth["cities"]:
        rows, columns = len(city["tiles"]), len(city["tiles"][0])
        for cell, quad in zip(product(range(rows), range(columns)), city["tile_corners_px"],
                              strict=True):  # fmt: skip
            if quad is not None:
                middle = np.mean(quad, axis=0)
                assert lies_in(cell_quad(city, rows, columns, list(cell)), middle)


def test_fields_are_those_of_the_tiles_as_they_are_turned() -> None:
    faces = {face.name: face.cells for face in own_edition("cities").description.faces}
    places = ((0, 0), (0, 1), (1, 1), (1, 0))  # clockwise
    for city in clean("cities").truth["cities"]:
        for (r, c), (n, place) in product(product(range(4), repeat=2), enumerate(places)):
            if city["tiles"][r][c] is None:
                continue
            source = places[(n - city["turns"][r][c]) % 4]
            printed = faces[city["tiles"][r][c]][source[0]][source[1]]
            assert city["grid"][2 * r + place[0]][2 * c + place[1]] == printed


def test_all_cities_are_made_of_the_same_tiles() -> None:
    tables = [table_of("cities", seed).truth["cities"] for seed in (1, 2, 3, 5)]
    assert {len(cities) for cities in tables} >= {2, 3}
    whole = 0
    for cities in tables:
        sets = [{face for face, *_ in tiles_of(city)} for city in cities]
        assert len(set.union(*sets)) == 16
        whole += sum(len(tiles) == 16 for tiles in sets)
        assert len({json.dumps(city["tiles"]) for city in cities}) == len(cities)
    assert whole >= 6


def test_figures_stand_on_the_cells_that_the_truth_names() -> None:
    colours = {token.kind: token.colour_bgr for token in own_edition("cities").description.tokens}
    seen_kinds: set[str] = set()
    for table in (table_of("cities", seed) for seed in (1, 2, 3, 5)):
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
                assert lies_in(cell_quad(city, 8, 8, token["at"]), token["foot_px"], room=3.0)
                assert nearest_colour(table.image, token["foot_px"], colours) == token["kind"]
    assert len(seen_kinds) >= 3


def nearest_colour(image: Image, spot: Any, colours: dict[str, tuple[int, int, int]]) -> str:
    """Which of the colours a spot has, whatever the light on it."""
    x, y = (round(v) for v in spot)
    seen = direction(image[y - 1 : y + 2, x - 1 : x + 2].mean(axis=(0, 1)))
    off = {kind: float(np.abs(seen - direction(colour)).sum()) for kind, colour in colours.items()}
    return min(off, key=off.__getitem__)


def direction(colour: Any) -> Points:
    values = floats(colour)
    return values / np.linalg.norm(values)


def test_what_stands_up_is_seen_leaning_away_from_below_the_camera() -> None:
    camera = aimed(floats([[-3, -2], [3, 2]]), Stance(0.4, 1.0, 0.05), Lens(SIZE_WH), 0.9)
    foot = camera.foot
    below = camera.pixels([foot])[0]
    assert camera.pixels([foot], 0.3)[0] == pytest.approx(below, abs=0.05)
    for spot in ((-2.0, 1.0), (1.5, -1.5), (2.0, 2.0)):
        low, high = camera.pixels([spot])[0], camera.pixels([spot], 0.3)[0]
        higher = np.hypot(*(high - low))
        assert higher > 5
        along = (low - below) / np.hypot(*(low - below))
        assert float(along @ (high - low)) == pytest.approx(higher, rel=0.02)


def test_a_camera_is_aimed_so_that_everything_fills_the_picture() -> None:
    outline, lens = floats([[1, 1], [9, 1], [9, 6], [1, 6]]), Lens(SIZE_WH, 0.15)
    for towards in (0.0, 2.0, 4.0):
        seen = lens.seen(aimed(outline, Stance(0.4, towards, 0.0), lens, 0.8).pixels(outline))
        share = np.ptp(seen, axis=0) / SIZE_WH
        assert max(share) == pytest.approx(0.8, abs=0.01)
        assert (seen.min(axis=0) + seen.max(axis=0)) / 2 == pytest.approx(
            (floats(SIZE_WH) - 1) / 2, abs=2
        )


@pytest.mark.parametrize(
    ("width", "height", "stance", "share"),
    [
        (8.7, 7.4, Stance(0.519, 3.58, 0.0), 0.88),
        (8.9, 8.3, Stance(0.598, 0.1, 0.0), 0.77),
        (9.7, 7.7, Stance(0.547, 2.86, 0.0), 0.89),
        (8.4, 9.6, Stance(0.433, 0.52, 0.0), 0.8),
        (10.7, 10.3, Stance(0.521, 6.28, 0.0), 0.77),
    ],
)
def test_a_tilted_camera_never_comes_so_near_that_it_sees_only_what_is_far_away(
    width: float, height: float, stance: Stance, share: float
) -> None:
    outline = floats([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * floats([width / 2, height / 2])
    size_wh = (2304, 1296)
    seen = aimed(outline, stance, Lens(size_wh), share).pixels(outline)
    assert (seen > 0).all()
    assert (seen < size_wh).all()
    assert max(np.ptp(seen, axis=0) / size_wh) == pytest.approx(share, abs=0.02)


def test_the_unit_of_a_camera_is_what_the_plane_measures_in_the_middle() -> None:
    view = np.array([[50, 0, 320], [0, 50, 240], [0, 0, 1]], np.float64)
    assert Camera(view, SMALL_WH).unit_px == pytest.approx(50)


def test_value_tiles_lie_where_the_truth_says() -> None:
    edition, places = own_edition("city-blocks"), set()
    for seed in (1, 2, 3):
        table = table_of("city-blocks", seed)
        [board] = table.truth["cities"]
        faces = [piece["face"] for piece in board["beside"]]
        assert len(set(faces)) == len(faces)
        for piece in board["beside"]:
            places.add((piece["place"], piece["in_heap"]))
            crop = shown_at(table, piece["corners_px"])
            assert likeness(crop, picture_of(edition, piece["face"])) > 0.75
    assert places == {("row", False), ("column", False), ("blue", True), ("red", True)}


def test_value_tiles_in_heaps_do_not_overlap() -> None:
    for seed in range(1, 5):
        [board] = table_of("city-blocks", seed).truth["cities"]
        quads = [floats(piece["corners_px"]) for piece in board["beside"] if piece["in_heap"]]
        for n, quad in enumerate(quads):
            for other in quads[:n]:
                assert cv2.intersectConvexConvex(quad, other)[0] < 1.0


def test_complete_companies_form_their_sign() -> None:
    quarters, clockwise = ("nw", "ne", "se", "sw"), ((0, 0), (0, 1), (1, 1), (1, 0))
    signs = 0
    for seed in (1, 2, 3):
        [board] = table_of("dice-board", seed).truth["cities"]
        rows = enumerate(board["tiles"])
        where = {name: (r, c) for r, row in rows for c, name in enumerate(row) if name}
        for name, (row, column) in where.items():
            if "-nw" not in name:
                continue
            mates = [name.replace("-nw", f"-{quarter}") for quarter in quarters]
            turns = board["turns"][row][column]
            first = row - clockwise[turns][0], column - clockwise[turns][1]
            block = [(first[0] + down, first[1] + right) for down, right in clockwise]
            expected = [block[(n + turns) % 4] for n in range(4)]
            signs += [where.get(mate) for mate in mates] == expected
    assert signs >= 6


def test_strays_are_listed_and_framed() -> None:
    for game in GAMES:
        table, edition = table_of(game, 12, replace(CLEAN, tile_px=0.6)), own_edition(game)
        for stray in table.truth["stray_tiles"]:
            quad = floats(stray["corners_px"])
            if (quad.min(axis=0) > 0).all() and (quad.max(axis=0) < floats(SIZE_WH) - 1).all():
                assert likeness(shown_at(table, quad), picture_of(edition, stray["face"])) > 0.7


@pytest.mark.parametrize("game", GAMES)
def test_covered_cells_no_longer_look_like_their_tile(game: str) -> None:
    around = replace(CLEAN, mishaps=Mishaps(covered=6), strays=0)
    table, plain = table_of(game, 11, around), clean(game)
    covered = 0
    for city, other in zip(table.truth["cities"], plain.truth["cities"], strict=True):
        rows, columns = len(city["grid"]), len(city["grid"][0])
        occluded = {tuple(cell) for cell in city["occluded"]}
        shares = iter(city["visible_share"])
        for cell in product(range(rows), range(columns)):
            share = next(shares)
            assert (share < 0.95) == (cell in occluded) or abs(share - 0.95) < 0.002
            if share < 0.3:
                covered += 1
                quad = cell_quad(city, rows, columns, list(cell))
                changed = np.abs(
                    shown_at(table, quad).astype(int) - shown_at(plain, quad).astype(int)
                )
                assert changed.mean() > 8
        assert city["corners_px"] == other["corners_px"]
    assert covered >= 2


@pytest.mark.parametrize("game", GAMES)
def test_what_runs_off_the_edge_is_told(game: str) -> None:
    table = table_of(game, 11, replace(CLEAN, mishaps=Mishaps(cut_off=1), barrel=0.0))
    outside = 0
    for city in table.truth["cities"]:
        rows, columns = len(city["grid"]), len(city["grid"][0])
        told = {tuple(cell) for cell in city["outside"]}
        outside += len(told)
        for cell in product(range(rows), range(columns)):
            quad = cell_quad(city, rows, columns, list(cell))
            size = np.ptp(quad, axis=0).min()
            beyond = max(-quad.min(), *(quad.max(axis=0) - floats(SIZE_WH)))
            if abs(beyond) > size / 4:  # tiles lie a little off their cells
                assert (beyond > 0) == (cell in told)
    assert outside > 3


@pytest.mark.parametrize("game", GAMES)
def test_ordinary_photos_show_all_of_the_game(game: str) -> None:
    for seed in (1, 2):
        truth = take_photo(own_edition(game), "normal", seed, SMALL_WH).truth
        for city in truth["cities"]:
            assert city["outside"] == []
            corners = floats(city["corners_px"])
            assert (corners > 0).all()
            assert (corners < floats(SMALL_WH)).all()


@pytest.mark.parametrize("number", range(len(CONDITIONS)))
def test_every_condition_gives_a_photo_and_its_truth(number: int) -> None:
    condition, game = list(CONDITIONS)[number], GAMES[number % len(GAMES)]
    shot = take_photo(own_edition(game), condition, 3, SMALL_WH, "name")
    decoded = cv2.imdecode(np.frombuffer(shot.jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert decoded is not None
    assert decoded.shape == (480, 640, 3)
    truth = json.loads(json.dumps(shot.truth))
    assert (truth["photo"], truth["subset"], truth["game"]) == ("name.jpg", condition, game)
    assert bool(truth["cities"]) == CONDITIONS[condition].has_cities
    assert truth["any_rotation"] == (game == "cities")


def test_the_same_seed_gives_the_same_photo_and_another_seed_another() -> None:
    edition = own_edition("cities")
    shots = [take_photo(edition, "glare", seed, SMALL_WH) for seed in (4, 4, 5)]
    assert shots[0].jpeg == shots[1].jpeg
    assert shots[0].truth == shots[1].truth
    assert shots[0].jpeg != shots[2].jpeg


def test_any_edition_can_be_simulated() -> None:
    names = ("moon", "star", "sun")
    faces = tuple(FaceDescription(name, (f"{name}.png",), ((name,),)) for name in names)
    description = Description("own", "reading-only", 2, 3, 40.0, Turned.UPRIGHT, faces)
    pictures = {name: (picture,) for name, picture in zip(names, GLOBES, strict=True)}
    shot = take_photo(Edition(description, pictures), "normal", 1, SMALL_WH)
    [city] = shot.truth["cities"]
    assert city["grid"] == city["tiles"]
    assert {face for face, *_ in tiles_of(city)} <= set(names)
    assert {turns for _, turns, _ in tiles_of(city)} == {0}
    assert len(city["tile_corners_px"]) == 6


def test_unknown_conditions_and_sizes_are_refused() -> None:
    with pytest.raises(ValueError, match="no condition 'foggy'"):
        take_photo(own_edition("cities"), "foggy", 1)
    with pytest.raises(ValueError, match="sides run from"):
        take_photo(own_edition("cities"), "normal", 1, (100, 100))
