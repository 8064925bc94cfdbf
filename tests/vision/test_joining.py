"""Several photos of one table: which cities are one, what is read of them, and their order."""

from dataclasses import replace
from math import cos, pi, sin
from random import Random

import numpy as np
import pytest

from scoring.faces import Face
from vision.editions.folder import built_in_edition
from vision.joining import PlacedReading, join_readings, merge_grids
from vision.joining.grid_comparison import GridMatch, GridSameness, compare_grids, face_frequencies
from vision.joining.picture import (
    PicturePart,
    cut_photo,
    joined_picture,
    place_photos,
    reduce_photo,
)
from vision.joining.sightings import Sighting, identify_grids
from vision.photo.load import Photo
from vision.reading import (
    Figure,
    GridReading,
    Note,
    NoteCode,
    Place,
    PlaceKind,
    Reading,
    Unread,
    as_quad,
)

CITIES = built_in_edition("between-two-cities").description
OWN_CITIES = built_in_edition("cities").description
BLOCKS = built_in_edition("city-blocks").description
SIZE_WH = (1600, 1200)
FACES = tuple(Face)


class Table:
    """Cities in a ring on a plane whose unit is the side of a tile."""

    def __init__(self, random: Random, count: int) -> None:
        self.grids = [
            tuple(tuple(random.choice(FACES) for _c in range(4)) for _r in range(4))
            for _city in range(count)
        ]
        self.places = []
        for index in range(count):
            angle = 2 * pi * (index + random.uniform(0.3, 0.7)) / count
            middle = np.array([-12 * sin(angle), 9 * cos(angle)]) * (1 + count / 20)
            self.places.append((middle, random.uniform(0, 2 * pi)))

    def corners(self, city: int) -> np.ndarray:
        middle, turn = self.places[city]
        rotation = np.array([[cos(turn), -sin(turn)], [sin(turn), cos(turn)]])
        return np.array([[-2, -2], [2, -2], [2, 2], [-2, 2]]) @ rotation.T + middle

    def photo(
        self,
        random: Random,
        cities: list[int],
        *,
        name: str = "photo",
        doubt: float = 0.0,
        flat: bool = False,
    ) -> Reading:
        """Return the reading of a photo of some cities, taken from any side and somewhat askew."""
        turn = random.uniform(0, 2 * pi)
        scale = random.uniform(20, 45)
        rotation = scale * np.array([[cos(turn), -sin(turn)], [sin(turn), cos(turn)]])
        matrix = np.eye(3)
        matrix[:2, :2] = rotation
        middle = np.mean([self.places[city][0] for city in cities], axis=0)
        matrix[:2, 2] = np.array(SIZE_WH) / 2 - rotation @ middle
        if not flat:
            tilt = np.eye(3)
            tilt[2, :2] = random.uniform(-1.5e-4, 1.5e-4), random.uniform(-1.5e-4, 1.5e-4)
            to_middle = np.eye(3)
            to_middle[:2, 2] = -np.array(SIZE_WH) / 2
            matrix = np.linalg.inv(to_middle) @ tilt @ to_middle @ matrix
        grids = []
        for city in cities:
            points = np.column_stack([self.corners(city), np.ones(4)]) @ matrix.T
            corners = points[:, :2] / points[:, 2:]
            corners += [[random.gauss(0, 0.4), random.gauss(0, 0.4)] for _corner in range(4)]
            grids.append(self.grid(random, city, corners, doubt))
        random.shuffle(grids)
        return Reading(name, CITIES.game, "standard", SIZE_WH, tuple(grids))

    def grid(self, random: Random, city: int, corners: np.ndarray, doubt: float) -> GridReading:
        """Return a city as it is read; a part of its tiles is unsure, and some of these wrong."""
        rows = [list(row) for row in self.grids[city]]
        unsure = [(r, c) for r in range(4) for c in range(4) if random.random() < doubt]
        for r, c in unsure:
            rows[r][c] = random.choice((rows[r][c], random.choice(FACES)))
        confidence = tuple(
            tuple(0.4 if (r, c) in unsure else 0.99 for c in range(4)) for r in range(4)
        )
        quads = ((as_quad(corners.tolist()),) * 4,) * 4
        return GridReading(
            as_quad(corners.tolist()), tuple(map(tuple, rows)), confidence, tuple(unsure), quads
        )


def joined(readings, description=CITIES):
    """Join readings of photos that lie side by side in full size."""
    parts = [PicturePart(n * SIZE_WH[0], 0, SIZE_WH, 1.0) for n, _reading in enumerate(readings)]
    placed = [PlacedReading(*pair) for pair in zip(readings, parts, strict=True)]
    return join_readings(placed, description, (SIZE_WH[0] * len(readings), SIZE_WH[1]))


def cities_of(reading, table):
    """Return which city of the table each grid is."""

    def equal(grid, city):
        return sum(a == b for row, other in zip(grid.faces, table.grids[city], strict=True)
                   for a, b in zip(row, other, strict=True))  # fmt: skip

    return [max(range(len(table.grids)), key=lambda c: equal(grid, c)) for grid in reading.grids]


def from_first(order):
    start = order.index(0)
    return order[start:] + order[:start]


def arcs(random, count):
    """Return overlapping runs of cities round a table, in any order."""
    found, first = [], 0
    while first < count:
        width = random.randint(2, 3)
        found.append([city % count for city in range(first, first + width)])
        first += width - 1
    random.shuffle(found)
    return found


@pytest.mark.parametrize("seed", range(40))
def test_overlapping_photos_give_the_table_or_ask(seed):
    random = Random(seed)  # noqa: S311 - tables are dealt
    table = Table(random, random.randint(3, 7))
    count = len(table.grids)
    photos = [
        table.photo(random, arc, doubt=random.choice((0.0, 0.1))) for arc in arcs(random, count)
    ]
    found = joined(photos)
    order = cities_of(found, table)
    assert sorted(order) == list(range(count)) or found.join.perhaps_same
    for grid, city in zip(found.grids, order, strict=True):
        wrong = {
            (r, c)
            for r in range(4)
            for c in range(4)
            if grid.faces[r][c] != table.grids[city][r][c]
        }
        assert wrong <= set(grid.unsure)
    if found.join.is_order_known:
        assert from_first(order) == list(range(count))


def test_most_chains_of_small_photos_show_the_order():
    known = 0
    for seed in range(16):
        random = Random(seed)  # noqa: S311 - tables are dealt
        table = Table(random, 5)
        photos = [table.photo(random, arc) for arc in arcs(random, 5)]
        known += joined(photos).join.is_order_known
    assert known > 8


@pytest.fixture
def random():
    return Random(7)  # noqa: S311 - tables are dealt


@pytest.fixture
def table(random):
    return Table(random, 4)


def test_photos_of_single_cities_leave_the_order_open(random, table):
    found = joined([table.photo(random, [city]) for city in (2, 0, 3, 1)])
    assert not found.join.is_order_known
    assert cities_of(found, table) == [2, 0, 3, 1]


def test_photo_of_all_cities_gives_the_order(random, table):
    photos = [table.photo(random, [2]), table.photo(random, [0, 1, 2, 3], flat=True)]
    found = joined(photos)
    assert found.join.is_order_known
    assert cities_of(found, table) == [2, 3, 0, 1]


def test_first_photo_of_few_cities_helps_to_show_the_order(random, table):
    photos = [table.photo(random, [0, 1]), table.photo(random, [1, 2, 3])]
    assert joined(photos).join.is_order_known


def test_unsure_tile_is_taken_from_the_photo_that_is_sure(random, table):
    photos = [table.photo(random, [0], doubt=0.3), table.photo(random, [0], doubt=0.3)]
    first, second = (set(photo.grids[0].unsure) for photo in photos)
    found = joined(photos)
    assert set(found.grids[0].unsure) == first & second
    assert len(found.grids) == 1


def test_sure_tiles_that_differ_are_a_doubt_with_both(random, table):
    photos = [table.photo(random, [0]), table.photo(random, [0])]
    was = table.grids[0][1][2]
    other = Face.PARK if was is not Face.PARK else Face.SHOP
    rows = [list(row) for row in photos[1].grids[0].faces]
    rows[1][2] = other
    changed = replace(photos[1].grids[0], faces=tuple(map(tuple, rows)), tiles=())
    found = joined([photos[0], replace(photos[1], grids=(changed,))]).grids[0]
    assert found.unsure == ((1, 2),)
    assert {found.face((1, 2)), *found.alternatives[1, 2]} == {was, other}


def test_two_cities_of_one_photo_are_never_one(random, table):
    table.grids[1] = table.grids[0]
    found = joined([table.photo(random, [0, 1]), table.photo(random, [2])])
    assert len(found.grids) == 3
    assert not found.join.perhaps_same


def test_city_like_two_of_another_photo_is_asked(random, table):
    table.grids[1] = table.grids[0]
    found = joined([table.photo(random, [0, 1]), table.photo(random, [0])])
    assert len(found.grids) == 3
    assert len(found.join.perhaps_same) == 2


def test_city_with_some_other_tiles_is_asked(random, table):
    changed = [list(row) for row in table.grids[0]]
    for column in range(4):
        changed[0][column] = FACES[(FACES.index(changed[0][column]) + 1) % len(FACES)]
    photo = table.photo(random, [0])
    table.grids[0] = tuple(map(tuple, changed))
    found = joined([photo, table.photo(random, [0])])
    assert found.join.perhaps_same == ((0, 1),)


def test_unsure_tile_makes_no_two_cities_alike(random):
    """Laid off by two rows and columns, a few tiles of any two cities are equal by chance."""
    for _deal in range(40):
        table = Table(random, 3)
        photos = [table.photo(random, [city], doubt=0.1) for city in range(3)]
        assert not joined(photos).join.perhaps_same


def laid_off(photo, right):
    """Return a photo of one city whose tiles are read some columns too far right."""
    grid = photo.grids[0]
    rows = tuple((*(None,) * right, *row[:-right]) for row in grid.faces)
    unsure = tuple((r, c) for r in range(4) for c in range(right))
    changed = replace(grid, faces=rows, tiles=(), turns=(), unsure=unsure)
    return replace(photo, grids=(changed,))


def test_city_read_a_column_off_is_found_again(random, table):
    found = joined([table.photo(random, [0]), laid_off(table.photo(random, [0]), right=1)])
    assert cities_of(found, table) == [0]
    assert found.grids[0].unsure == ()


def test_better_reading_counts_alone_where_merged_ones_lie_off(random, table):
    photo = table.photo(random, [0])
    found = joined([table.photo(random, [1]), photo])
    off = laid_off(replace(photo, grids=(found.grids[1],)), right=1).grids[0]
    join = replace(found.join, order=(0, 1, 2), perhaps_same=((1, 2),))
    grids = (*found.grids[:1], off, found.grids[1])
    merged = merge_grids(replace(found, grids=grids, join=join), 1, 2, CITIES).reading
    assert merged.grids[1].faces == found.grids[1].faces
    assert merged.grids[1].unsure == ()


@pytest.mark.parametrize("is_kept_off", [True, False])
def test_place_follows_its_tile_when_readings_lie_off(random, table, is_kept_off):
    photo = table.photo(random, [0])
    found = joined([table.photo(random, [1]), photo])
    off = laid_off(replace(photo, grids=(found.grids[1],)), right=1).grids[0]
    join = replace(found.join, order=(0, 1, 2), perhaps_same=((1, 2),))
    pair = (off, found.grids[1]) if is_kept_off else (found.grids[1], off)
    merged = merge_grids(replace(found, grids=(found.grids[0], *pair), join=join), 1, 2, CITIES)
    shown = Place(PlaceKind.TILE, 1 if is_kept_off else 2, (1, 2))
    edge = replace(shown, at=(1, 0))
    assert merged.moved(shown) == Place(PlaceKind.TILE, 1, (1, 1))
    assert merged.moved(edge) is None


def test_city_like_one_of_two_equal_readings_is_asked(random, table):
    views = [Sighting(n, table.photo(random, [0]).grids[0]) for n in range(3)]
    matches = {
        (0, 1): GridMatch(GridSameness.SAME, 30.0),
        (0, 2): GridMatch(GridSameness.PERHAPS, 1.0),
        (1, 2): GridMatch(GridSameness.OTHER, -9.0),
    }
    assert identify_grids(views, matches).perhaps_same == ((0, 1),)


def test_merged_cities_keep_the_better_reading_and_move_letters(random, table):
    found = joined([table.photo(random, [city]) for city in (0, 1, 2, 3)])
    clone = replace(found.grids[0], unsure=((0, 0), (0, 1)))
    grids = (*found.grids[:2], clone, *found.grids[2:])
    join = replace(found.join, order=(0, 1, 2, 3, 4), perhaps_same=((0, 2),))
    merged = merge_grids(replace(found, grids=grids, join=join), 0, 2, CITIES).reading
    assert cities_of(merged, table) == [0, 1, 2, 3]
    assert merged.grids[0].unsure == ()
    assert merged.join.perhaps_same == ()


def test_vague_city_counts_as_not_read(random, table):
    photo = table.photo(random, [0, 1])
    cells = tuple((r, c) for r in range(4) for c in range(4))
    vague = replace(photo.grids[0], unsure=cells)
    found = joined([replace(photo, grids=(vague, photo.grids[1])), table.photo(random, [2])])
    assert len(found.grids) == 2
    assert [each.reason.code for each in found.unread] == [NoteCode.CITY_UNREADABLE]


def test_vague_grid_of_another_game_is_no_city(random):
    city = own_city(random)
    vague = replace(city, unsure=tuple((r, c) for r in range(8) for c in range(8)))
    reading = Reading("a", OWN_CITIES.game, "standard", SIZE_WH, (city,))
    found = joined([replace(reading, grids=(vague,)), reading], OWN_CITIES)
    assert [each.reason.code for each in found.unread] == [NoteCode.GRID_UNREADABLE]


def test_sure_grid_of_few_tiles_is_read(random):
    corners = ((0.0, 0.0), (200.0, 0.0), (200.0, 200.0), (0.0, 200.0))
    faces = tuple(tuple(random.choices(FACES, k=2)) for _row in range(2))
    grid = GridReading(corners, faces, ((0.99,) * 2,) * 2, (), ((corners,) * 2,) * 2)
    reading = Reading("a", "own-game", "own", SIZE_WH, (grid,))
    description = replace(CITIES, game="own-game", rows=2, columns=2)
    assert joined([reading, reading], description).unread == ()


def test_unread_region_that_another_photo_shows_is_dropped(random, table):
    whole = table.photo(random, [0, 1], name="a")
    half = table.photo(random, [0, 1], name="b")
    gone = next(n for n, grid in enumerate(half.grids) if grid.faces == table.grids[1])
    region = Unread(half.grids[gone].corners_px, Note(NoteCode.CITY_UNREADABLE))
    half = replace(half, grids=(half.grids[1 - gone],), unread=(region,))
    assert joined([whole, half]).unread == ()
    assert len(joined([half, table.photo(random, [2])]).unread) == 1


def test_notes_name_their_photo(random, table):
    dark = replace(table.photo(random, [0], name="a.jpg"), notes=(Note(NoteCode.DARK),))
    found = joined([dark, table.photo(random, [1], name="b.jpg")])
    assert dict(found.notes[0].values) == {"photo": "a.jpg"}


def own_city(random, colour="tourist-red"):
    """Return a city of the game in which tiles lie in any turn."""
    names = random.sample([face.name for face in OWN_CITIES.faces], 16)
    by_name = {face.name: face for face in OWN_CITIES.faces}
    tiles = tuple(tuple(names[4 * row : 4 * row + 4]) for row in range(4))
    turns = tuple(tuple(random.randrange(4) for _c in range(4)) for _r in range(4))
    cells = [[None] * 8 for _row in range(8)]
    for row in range(4):
        for column in range(4):
            shown = by_name[tiles[row][column]].turned_cells(turns[row][column])
            for r in range(2):
                for c in range(2):
                    cells[2 * row + r][2 * column + c] = shown[r][c]
    corners = ((0.0, 0.0), (400.0, 0.0), (400.0, 400.0), (0.0, 400.0))
    figures = (Figure((0, 1), colour, (60.0, 10.0)),)
    return GridReading(
        corners, tuple(map(tuple, cells)), ((0.99,) * 8,) * 8, (), ((corners,) * 4,) * 4,
        tiles, turns, figures=figures,
    )  # fmt: skip


@pytest.mark.parametrize("quarters", range(4))
def test_city_of_turned_tiles_is_found_in_any_turn(random, quarters):
    city = own_city(random)
    other = city.turned(quarters)
    reading = Reading("a", OWN_CITIES.game, "standard", SIZE_WH, (city,))
    found = joined([reading, replace(reading, grids=(other,))], OWN_CITIES)
    assert len(found.grids) == 1
    assert found.grids[0].unsure == ()


def test_equal_cities_of_two_players_are_asked(random):
    city = own_city(random)
    other = replace(city, figures=(replace(city.figures[0], kind="tourist-blue"),))
    frequencies = face_frequencies([city, other], 24)
    assert compare_grids(city, other, frequencies, OWN_CITIES).sameness is GridSameness.PERHAPS


def board(faces, unsure=()):
    """Return a board of City Blocks with buildings on some plots."""
    rows = tuple(tuple(faces.get((r, c)) for c in range(6)) for r in range(5))
    corners = ((0.0, 0.0), (600.0, 0.0), (600.0, 500.0), (0.0, 500.0))
    grid = GridReading(corners, rows, ((0.99,) * 6,) * 5, tuple(unsure), ((corners,) * 6,) * 5)
    return Reading("a", BLOCKS.game, "standard", SIZE_WH, (grid,))


def test_board_of_two_photos_is_one():
    faces = {(0, n): f"blue-house-{n + 1}" for n in range(5)}
    hidden = {cell: face for cell, face in faces.items() if cell != (0, 0)}
    found = joined([board(hidden, unsure=[(0, 0)]), board(faces)], BLOCKS)
    assert len(found.grids) == 1
    assert found.grids[0].face((0, 0)) == "blue-house-1"
    assert found.grids[0].unsure == ()


def test_boards_of_two_games_stay_apart():
    one = {(0, n): f"blue-house-{n + 1}" for n in range(5)}
    two = {(0, n): f"red-shop-{n + 2}" for n in range(5)}
    assert len(joined([board(one), board(two)], BLOCKS).grids) == 2


def test_photo_is_cut_out_of_the_picture_again():
    photos = [
        Photo(np.full((h, w, 3), value, np.uint8), name, (2 * w, 2 * h), 2)
        for name, value, (w, h) in (("a", 50, (40, 30)), ("b", 90, (30, 40)), ("c", 9, (20, 20)))
    ]
    parts, size_wh = place_photos(photos)
    readings = [Reading(p.name, CITIES.game, "standard", p.size_wh, ()) for p in photos]
    placed = [PlacedReading(*pair) for pair in zip(readings, parts, strict=True)]
    join = join_readings(placed, CITIES, size_wh).join
    picture = joined_picture(photos, "all")
    cut = [cut_photo(picture, each) for each in join.photos]
    assert [(each.image_bgr.shape, each.image_bgr.mean()) for each in cut] == [
        (each.image_bgr.shape, each.image_bgr.mean()) for each in photos
    ]
    assert [each.scale for each in cut] == [each.scale for each in photos]


def test_reduced_photo_keeps_its_points():
    photo = Photo(np.zeros((1500, 2000, 3), np.uint8), "a", (4000, 3000), 2)
    reduced = reduce_photo(photo, 8)
    height, width = reduced.image_bgr.shape[:2]
    assert width < 2000
    end = reduced.to_photo_px([width - 0.5, height - 0.5])
    assert end == pytest.approx([3999.5, 2999.5], abs=4)


def test_points_go_to_the_joined_picture_and_back():
    part = PicturePart(100, 50, (400, 300), 0.25)
    reading = Reading("a", CITIES.game, "standard", (1600, 1200), ())
    join = join_readings([PlacedReading(reading, part)], CITIES, (500, 350)).join
    points = [(0.0, 0.0), (1599.0, 7.5)]
    assert np.allclose(join.photos[0].to_photo_px(part.to_picture(points)), points)
