"""The own drawn edition of Cities: what its players and the eye rely on."""

import itertools
from collections import Counter
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from likeness import likeness

from scoring.faces import Field
from vision.editions.folder import load_folder, own_edition
from vision.simulate.drawn.cities import PICTURE_PX, TILES, draw_tile, face_name, write
from vision.simulate.drawn.cities_sights import LANDMARKS

NUMBERS = tuple(range(1, 25))
SMALL_PX = 48
LEVELS_APART = 2.0
"""Between two versions of OpenCV, whose edges are smoothed a little differently."""

CELL_CENTRES = {
    (row, column): (49 + row * 95, 49 + column * 95) for row in (0, 1) for column in (0, 1)
}


@cache
def drawn(number: int, size_px: int) -> np.ndarray:
    return draw_tile(number, size_px)


def fields_round_the_middle(number: int) -> tuple[Field, ...]:
    """Clockwise from the top left."""
    (north_west, north_east), (south_west, south_east) = TILES[number].cells
    return north_west, north_east, south_east, south_west


def turns_of(ring: tuple[Field, ...]) -> set[tuple[Field, ...]]:
    return {ring[start:] + ring[:start] for start in range(4)}


def field_crop(number: int, row: int, column: int) -> np.ndarray:
    """The middle of a field, without rim and road."""
    y, x = CELL_CENTRES[row, column]
    return drawn(number, PICTURE_PX)[y - 38 : y + 38, x - 38 : x + 38]


class TestTheSet:
    def test_has_the_numbers_one_to_twenty_four(self):
        assert tuple(TILES) == NUMBERS

    def test_has_fields_of_each_kind_for_an_interesting_city(self):
        counts = Counter(
            field for design in TILES.values() for row in design.cells for field in row
        )
        assert counts == {Field.SIGHT: 29, Field.PARK: 26, Field.WATER: 22, Field.CAFE: 19}

    @pytest.mark.parametrize(("first", "second"), [*itertools.combinations(NUMBERS, 2)])
    def test_no_tile_can_be_turned_into_the_fields_of_another(self, first: int, second: int):
        assert fields_round_the_middle(first) not in turns_of(fields_round_the_middle(second))

    def test_shows_each_landmark_once(self):
        shown = [name for design in TILES.values() for name in design.landmarks]
        assert sorted(shown) == sorted(LANDMARKS)

    @pytest.mark.parametrize("number", NUMBERS)
    def test_landmarks_cover_exactly_the_sights_of_a_tile(self, number: int):
        design = TILES[number]
        sights = sum(row.count(Field.SIGHT) for row in design.cells)
        areas = [LANDMARKS[name].fields for name in design.landmarks]
        assert sum(down * across for down, across in areas) == sights

    def test_some_landmarks_cover_two_fields_side_by_side_and_one_above_the_other(self):
        assert {landmark.fields for landmark in LANDMARKS.values()} == {(1, 1), (1, 2), (2, 1)}


class TestTheDrawing:
    @pytest.mark.parametrize("number", [1, 8, 13, 24])
    @pytest.mark.parametrize("size_px", [8, 101, 192, 700])
    def test_is_a_square_colour_picture_of_the_asked_size(self, number: int, size_px: int):
        picture = draw_tile(number, size_px)
        assert picture.shape == (size_px, size_px, 3)
        assert picture.dtype == np.uint8

    @pytest.mark.parametrize("number", NUMBERS)
    def test_shows_the_same_at_each_size(self, number: int):
        large = draw_tile(number, 600)
        reduced = cv2.resize(large, (96, 96), interpolation=cv2.INTER_AREA)
        assert likeness(reduced, draw_tile(number, 96)) > 0.97

    @pytest.mark.parametrize("number", NUMBERS)
    def test_is_the_same_on_each_call_and_may_be_drawn_over(self, number: int):
        first = draw_tile(number, SMALL_PX)
        kept = first.copy()
        first[:] = 0
        assert np.array_equal(draw_tile(number, SMALL_PX), kept)

    def test_too_small_to_show_anything_is_refused(self):
        with pytest.raises(ValueError, match="8 px or more"):
            draw_tile(1, 7)

    def test_of_a_tile_that_is_not_in_the_set_is_refused(self):
        with pytest.raises(KeyError):
            draw_tile(25)


class TestTellingTilesApart:
    @pytest.mark.parametrize(("first", "second"), [*itertools.combinations(NUMBERS, 2)])
    def test_two_tiles_differ_however_one_is_turned(self, first: int, second: int):
        picture, other = drawn(first, SMALL_PX), drawn(second, SMALL_PX)
        for turns in range(4):
            assert likeness(picture, np.rot90(other, turns).copy()) < 0.5

    @pytest.mark.parametrize("number", NUMBERS)
    def test_a_tile_shows_which_way_is_up(self, number: int):
        picture = drawn(number, SMALL_PX)
        for turns in (1, 2, 3):
            assert likeness(picture, np.rot90(picture, turns).copy()) < 0.5

    @pytest.mark.parametrize("number", NUMBERS)
    @pytest.mark.parametrize("cell", [*CELL_CENTRES])
    def test_each_field_has_plenty_to_see(self, number: int, cell: tuple[int, int]):
        grey = cv2.cvtColor(field_crop(number, *cell), cv2.COLOR_BGR2GRAY)
        assert len(cv2.SIFT_create().detect(grey, None)) >= 25


def typical_colour(field: Field) -> np.ndarray:
    """The mean CIELAB colour of all fields of a kind."""
    return np.mean([colour for kind, colour in field_colours() if kind is field], axis=0)


@cache
def field_colours() -> list[tuple[Field, np.ndarray]]:
    """Kind and mean CIELAB colour of each field of the set."""
    colours = []
    for number, design in TILES.items():
        for row, column in CELL_CENTRES:
            crop = field_crop(number, row, column).astype(np.float32) / 255
            lab = cv2.cvtColor(crop, cv2.COLOR_BGR2LAB)
            colours.append((design.cells[row][column], lab.mean(axis=(0, 1))))
    return colours


def test_the_kind_of_each_field_can_be_told_by_its_colour_alone() -> None:
    typical = {field: typical_colour(field) for field in Field}
    for field, colour in field_colours():
        nearest = min(typical, key=lambda kind: float(np.linalg.norm(colour - typical[kind])))
        assert nearest is field


class TestTheShippedEdition:
    @pytest.mark.parametrize("number", NUMBERS)
    def test_has_the_pictures_that_the_code_draws(self, number: int):
        (shipped,) = own_edition("cities").pictures[face_name(number)]
        apart = np.abs(shipped.astype(float) - drawn(number, PICTURE_PX)).mean()
        assert apart < LEVELS_APART

    @pytest.mark.parametrize("number", NUMBERS)
    def test_names_the_fields_that_are_drawn(self, number: int):
        faces = {face.name: face for face in own_edition("cities").description.faces}
        assert faces[face_name(number)].cells == TILES[number].cells

    def test_describes_cities_of_four_by_four_tiles_with_tourists_of_four_colours(self):
        description = own_edition("cities").description
        assert (description.tile_rows, description.tile_columns) == (4, 4)
        assert [token.kind for token in description.tokens] == [
            "tourist-red", "tourist-blue", "tourist-yellow", "tourist-green",
        ]  # fmt: skip

    def test_can_be_written_again(self, tmp_path: Path):
        write(tmp_path)
        assert load_folder(tmp_path).description == own_edition("cities").description
