"""The own drawn editions: what players, the simulator and the eye rely on."""

import itertools
from collections import Counter
from functools import cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from scoring.faces import Face, Field
from tests.refusals import refused
from tests.vision.likeness import likeness
from vision.arrays import Image
from vision.editions import folder
from vision.editions.built_in import BUILT_IN_FOLDER, tile_picture
from vision.editions.description import TileTurns
from vision.editions.folder import built_in_edition, built_in_games

DRAWN_GAMES = built_in_games()
BOARD_GAMES = ("city-blocks", "dice-board")
WORTHS = {"house": range(1, 6), "shop": range(2, 7), "factory": range(3, 8)}
SMALL_PX = 40
"""Width of a card in a photo of the whole dice board."""
MAX_ALIKE = 0.72
"""Correlation under which two pictures count as clearly different."""
CELL_CENTRES = {
    (row, column): (49 + row * 95, 49 + column * 95) for row in (0, 1) for column in (0, 1)
}
"""Centres of the fields in the picture of a tile of Cities."""


@cache
def pictures(game: str) -> dict[str, Image]:
    if game == "between-two-cities":
        return {face.value: tile_picture(face, 192) for face in Face}
    return {name: images[0] for name, images in built_in_edition(game).pictures.items()}


def small(picture: Image, size_px: int = SMALL_PX) -> Image:
    reduced = cv2.resize(picture, (size_px, size_px), interpolation=cv2.INTER_AREA)
    return np.asarray(reduced, np.uint8)


def in_grey(picture: Image) -> Image:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)[..., None], np.uint8)


def vector(picture: Image) -> NDArray[np.float64]:
    """A picture without its mean colour and contrast, which a lamp can change."""
    values = picture.astype(np.float64)
    values -= values.mean(axis=(0, 1))
    flat = values.ravel()
    return flat / np.linalg.norm(flat)


@pytest.mark.parametrize("game", DRAWN_GAMES)
@pytest.mark.parametrize("grey", [False, True], ids=["in colour", "in grey"])
def test_no_face_is_like_another_in_any_rotation(game: str, grey: bool) -> None:
    reduced = {name: small(picture) for name, picture in pictures(game).items()}
    if grey:
        reduced = {name: in_grey(picture) for name, picture in reduced.items()}
    names, upright = list(reduced), np.array([vector(each) for each in reduced.values()])
    for turns in range(4):
        turned = np.array([vector(np.rot90(each, turns)) for each in reduced.values()])
        alike = upright @ turned.T
        np.fill_diagonal(alike, -1.0)
        first, second = np.unravel_index(int(alike.argmax()), alike.shape)
        pair = f"{names[first]} and {names[second]} turned by {turns} quarters"
        assert alike[first, second] < MAX_ALIKE, f"{pair}: draw them less alike"


@pytest.mark.parametrize("game", DRAWN_GAMES)
def test_every_face_shows_which_way_up_it_is(game: str) -> None:
    for name, picture in pictures(game).items():
        upright = small(picture)
        for turns in (1, 2, 3):
            alike = float(vector(upright) @ vector(np.rot90(upright, turns)))
            assert alike < MAX_ALIKE, f"{name} turned by {turns} quarters: show better what is up"


class TestBetweenTwoCities:
    def test_pictures_have_the_size_asked_for_and_stay_as_they_are(self) -> None:
        for picture in (tile_picture(Face.PARK, 48), tile_picture("back", 48)):
            assert (picture.shape, picture.dtype) == ((48, 48, 3), np.uint8)
            with pytest.raises(ValueError, match="read-only"):
                picture[0, 0] = 0
        with pytest.raises(ValueError, match="park has 320 pixels"):
            tile_picture(Face.PARK, 321)

    @pytest.mark.parametrize("face", list(Face))
    def test_the_back_is_like_no_face(self, face: Face) -> None:
        assert likeness(tile_picture("back", 48), tile_picture(face, 48)) < 0.75


def fields_round_the_middle(cells: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
    """Clockwise from the top left."""
    (north_west, north_east), (south_west, south_east) = cells
    return north_west, north_east, south_east, south_west


class TestCities:
    FACES = built_in_edition("cities").description.faces

    def test_cities_have_24_tiles_with_fields_of_each_kind(self) -> None:
        assert [face.name for face in self.FACES] == [f"tile-{n}" for n in range(1, 25)]
        counts = Counter(field for face in self.FACES for row in face.cells for field in row)
        assert counts == {Field.SIGHT: 29, Field.PARK: 26, Field.WATER: 22, Field.CAFE: 19}
        description = built_in_edition("cities").description
        assert (description.tile_rows, description.tile_columns) == (4, 4)
        assert [token.kind for token in description.tokens] == [
            "tourist-red", "tourist-blue", "tourist-yellow", "tourist-green",
        ]  # fmt: skip

    def test_no_tile_can_be_turned_into_the_fields_of_another(self) -> None:
        rings = [fields_round_the_middle(face.cells) for face in self.FACES]
        for first, second in itertools.combinations(rings, 2):
            assert first not in [second[start:] + second[:start] for start in range(4)]

    def test_each_field_shows_plenty_and_its_kind_by_its_colour_alone(self) -> None:
        colours: list[tuple[str, NDArray[np.float32]]] = []
        for face in self.FACES:
            for (row, column), (y, x) in CELL_CENTRES.items():
                part = pictures("cities")[face.name][y - 38 : y + 38, x - 38 : x + 38]
                grey = cv2.cvtColor(part, cv2.COLOR_BGR2GRAY)
                assert len(cv2.SIFT.create().detect(grey, None)) >= 25, face.name
                lab = cv2.cvtColor(part.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
                colours.append((face.cells[row][column], lab.mean(axis=(0, 1))))
        typical = {
            field: np.mean([colour for kind, colour in colours if kind == field], axis=0)
            for field in Field
        }
        for field, colour in colours:
            away = {kind: float(np.linalg.norm(colour - typical[kind])) for kind in Field}
            assert min(away, key=away.__getitem__) == field


def test_city_blocks_and_the_dice_board_have_all_their_pieces() -> None:
    kinds = ["school", "power-plant", "mall", "court"]
    kinds += [f"{kind}-{worth}" for kind, worths in WORTHS.items() for worth in worths]
    buildings = {f"{owner}-{kind}" for owner in ("blue", "red") for kind in kinds}
    values = {f"value-{dollars}" for dollars in range(1, 16)}
    assert pictures("city-blocks").keys() == buildings | values
    names = pictures("dice-board").keys()
    fronts = {name for name in names if not name.endswith("-sight")}
    assert names == fronts | {f"{name}-sight" for name in fronts}
    parts = [name.split("-") for name in sorted(fronts)]
    colours, companies, quarters = (set(part) for part in zip(*parts, strict=True))
    assert colours == {"red", "blue", "green", "yellow"}
    assert quarters == {"nw", "ne", "se", "sw"}
    assert len(companies) == 5
    assert len(fronts) == 4 * 5 * 4
    expected = (1, 2, 3, 4, 5, 6, 6, 5, 4, 3, 2, 1)
    numbers = dict(built_in_edition("dice-board").description.numbers)
    assert numbers == {"row_numbers": expected, "column_numbers": expected}


def board_of(game: str) -> Image:
    board = built_in_edition(game).board_picture
    assert board is not None
    return board


class TestBoards:
    @pytest.mark.parametrize("game", BOARD_GAMES)
    def test_tiles_in_any_turn_cover_plots_of_board(self, game: str) -> None:
        """The edges of the printed plots lie where the description says, to a millimetre."""
        description = built_in_edition(game).description
        board = description.board
        assert board is not None
        assert description.tile_turns is TileTurns.ANY
        assert description.tile_mm < min(board.cell_mm)
        grey = cv2.cvtColor(board_of(game), cv2.COLOR_BGR2GRAY).astype(np.float32)
        px_per_mm = grey.shape[1] / board.size_mm[0]
        counts = description.columns, description.rows
        for axis, count in enumerate(counts):
            steps = np.abs(np.diff(grey if axis == 0 else grey.T, axis=1))
            other = 1 - axis
            near = board.first_cell_mm[other] - description.tile_mm / 2
            far = near + (counts[other] - 1) * board.cell_mm[other] + description.tile_mm
            profile = steps[round(near * px_per_mm) : round(far * px_per_mm)].mean(axis=0)
            for cell, side in itertools.product(range(count), (-1, 1)):
                middle = board.first_cell_mm[axis] + cell * board.cell_mm[axis]
                edge = (middle + side * description.tile_mm / 2) * px_per_mm
                window = slice(round(edge - px_per_mm), round(edge + px_per_mm) + 1)
                assert profile[window].max() > 2 * np.median(profile), (axis, cell, side)

    def test_places_of_value_tiles_match_board_and_line_up(self) -> None:
        description, picture = built_in_edition("city-blocks").description, board_of("city-blocks")
        board = description.board
        assert board is not None
        px_per_mm, half = picture.shape[1] / board.size_mm[0], description.tile_mm / 2
        row, column = board.slots
        assert (row.name, row.count, column.name, column.count) == ("row", 5, "column", 6)
        assert (row.first_mm[1], row.step_mm) == (board.first_cell_mm[1], (0.0, board.cell_mm[1]))
        assert column.first_mm[0] == board.first_cell_mm[0]
        assert column.step_mm == (board.cell_mm[0], 0.0)
        for slots in board.slots:
            for number in range(slots.count):
                x = slots.first_mm[0] + number * slots.step_mm[0]
                y = slots.first_mm[1] + number * slots.step_mm[1]
                for across, down in itertools.product((3 - half, half - 3), repeat=2):
                    at = round((y + down) * px_per_mm), round((x + across) * px_per_mm)
                    blue, green, red = picture[at].tolist()
                    assert red > green > blue > 150, (slots.name, number)

    def test_heaps_are_coloured_strips_and_hold_all_a_player_wins(self) -> None:
        description, picture = built_in_edition("city-blocks").description, board_of("city-blocks")
        board = description.board
        assert board is not None
        px_per_mm, tile = picture.shape[1] / board.size_mm[0], description.tile_mm
        for heap in board.heaps:
            left, top, right, bottom = heap.area_mm
            strip = picture[
                round(max(top, 0.0) * px_per_mm) : round(min(bottom, board.size_mm[1]) * px_per_mm),
                round((left + 60) * px_per_mm) : round((right - 60) * px_per_mm),
            ]
            blue, _, red = np.median(strip, axis=(0, 1)).tolist()
            assert (blue > red + 30) if heap.name == "blue" else (red > blue + 30)
            room = int((right - left) // tile) * int((bottom - top) // tile)
            assert room >= description.rows + description.columns

    @pytest.mark.parametrize("game", BOARD_GAMES)
    @pytest.mark.parametrize("turns", [1, 2, 3])
    def test_the_frame_shows_which_way_up_it_is(self, game: str, turns: int) -> None:
        description = built_in_edition(game).description.board
        assert description is not None
        board = small(board_of(game), 400)
        frame = np.ones((400, 400), bool)
        inside = round(400 * 12 / min(description.size_mm))
        frame[inside:-inside, inside:-inside] = False
        turned = np.rot90(board, turns)
        first, second = (vector(picture[frame][:, None]) for picture in (board, turned))
        assert float(first @ second) < 0.5


def test_pictures_of_too_many_pixels_together_are_refused(monkeypatch):
    monkeypatch.setattr(folder, "_MAX_PIXELS", 1_000_000)
    with refused("edition-picture", "more than 1 million pixels together"):
        folder.load_folder(BUILT_IN_FOLDER / "dice-board")
