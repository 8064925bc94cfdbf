"""Reading tables with taught pictures."""

from functools import cache, partial

import cv2
import numpy as np
import pytest

from tests.vision.cities import read_cities, table_of_cities
from tests.vision.pictured import described, edition_of
from tests.vision.reference_photos import FACES, learn, photo_of, recolour, reference_image
from tests.vision.taught_cities import cities_edition
from vision.arrays import floats
from vision.editions.learning import learn_pictures, with_model
from vision.editions.model import Model, empty_model
from vision.eye.read import read_tiles
from vision.eye.reference_similarity import best_cosines
from vision.lab.simulate.simulated_table import Surroundings
from vision.patches.cut import UNIT_SQUARE, Pyramid, embed_quads
from vision.patches.embedding import TILE_PX
from vision.teaching.reference_grid import PhotoCorner

CALM = Surroundings(material="felt", props=0, strays=0, strength=0.15)


@cache
def table():
    rng = np.random.default_rng(5)
    grids = [[[FACES[int(n)] for n in row] for row in rng.integers(0, 9, (4, 4))] for _ in range(2)]
    return table_of_cities(5, grids, (1280, 720), CALM, things=())


@cache
def standard_taught():
    return learn([photo_of(reference_image())]).edition


@cache
def by_standard():
    """Reading of the table by the built-in edition."""
    return read_cities(photo_of(table().image))


@cache
def by_standard_taught():
    """Reading of the table by the built-in tiles, as they were taught."""
    return read_tiles(photo_of(table().image), standard_taught())


@cache
def other_taught():
    photo = photo_of(recolour(reference_image()))
    return learn([photo], shop_at=PhotoCorner.BOTTOM_RIGHT).edition


def compare(reading, truth):
    """Tiles right, wrong without a flag, and flagged."""
    right = silent = flagged = 0
    assert len(reading.grids) == len(truth["cities"])
    for city in truth["cities"]:
        middle = np.mean(city["corners_px"], axis=0)
        found = min(reading.grids, key=lambda c: float(np.hypot(*(c.centre_px - middle))))
        for row in range(4):
            for column in range(4):
                same = found.faces[row][column] == city["grid"][row][column]
                unsure = (row, column) in found.unsure
                right += same
                flagged += unsure
                silent += not same and not unsure
    return right, silent, flagged


def test_known_edition_is_read_as_well_as_before():
    reading = by_standard_taught()
    assert reading.edition == "mine"
    assert reading.notes == ()
    assert compare(reading, table().truth) == (32, 0, 0)
    for city, as_before in zip(reading.grids, by_standard().grids, strict=True):
        assert np.abs(np.subtract(city.corners_px, as_before.corners_px)).max() < 2


@cache
def by_other_taught(quarters=0):
    """Reading of the table in other colours, turned, by an edition taught in those."""
    image = recolour(table().image)
    return read_tiles(photo_of(np.rot90(image, quarters)), other_taught())


def test_new_edition_is_read_by_what_was_taught():
    right, silent, flagged = compare(by_other_taught(), table().truth)
    assert (right, silent) == (32, 0)
    assert flagged <= 2


def differing(first, second):
    """The cells in which two cities show other faces."""
    cells = np.ndindex(4, 4)
    return {
        (row, column)
        for row, column in cells
        if first.faces[row][column] != second.faces[row][column]
    }


@pytest.mark.parametrize("quarters", [1, 2])
def test_new_edition_is_read_alike_in_a_turned_photo(quarters):
    turned, upright = by_other_taught(quarters).grids, by_other_taught().grids
    assert len(turned) == len(upright)
    for city in turned:
        same = min(upright, key=lambda other: len(differing(city, other)))
        assert differing(city, same) <= {*city.unsure, *same.unsure}


def test_taught_tiles_override_the_standard_edition():
    pictures = dict(standard_taught().pictures)
    park, house = FACES[7], FACES[8]
    pictures[park], pictures[house] = pictures[house], pictures[park]
    contrary = read_tiles(photo_of(table().image), cities_edition("contrary", pictures))
    exchanged = {park: house, house: park}
    seen = 0
    for city, before in zip(contrary.grids, by_standard().grids, strict=True):
        for row, column in np.ndindex(4, 4):
            face = before.faces[row][column]
            if (row, column) not in city.unsure:
                seen += face in exchanged
                assert city.faces[row][column] == exchanged.get(face, face)
    assert seen > 3


def test_tiles_of_another_edition_are_never_taken_for_those_taught():
    noise = np.random.default_rng(1).integers(0, 255, (96, 96, 3), dtype=np.uint8)
    known = dict.fromkeys(FACES, (noise,))
    other = read_tiles(photo_of(table().image), with_model(cities_edition("noise", known)))
    assert all(len(grid.unsure) == 16 for grid in other.grids)
    assert len(other.unread) + len(other.grids) >= 2


def test_pictures_are_learned_amid_others_as_tiles_lie_on_a_table():
    edition = edition_of(described())
    learn = partial(learn_pictures, empty_model(edition.description), edition)
    names = [face.name for face in edition.description.faces][:9]
    side = 2 * TILE_PX
    tiles = [cv2.resize(edition.pictures[name][0], (side, side)) for name in names]
    table = np.full((5 * side, 5 * side, 3), 90, np.uint8)
    table[side:-side, side:-side] = cv2.vconcat(
        [cv2.hconcat(tiles[row : row + 3]) for row in (0, 3, 6)]
    )
    places = np.array([[column, row] for row in (1, 2, 3) for column in (1, 2, 3)])
    quads = floats((places[:, None] + UNIT_SQUARE) * side - 0.5)
    seen = embed_quads(Pyramid(table), quads)

    def similarity_to_own(model: Model) -> float:
        known = model.references
        own = [
            best_cosines(seen.take(np.array([n])), known.of_faces([name]))[0]
            for n, name in enumerate(names)
        ]
        return float(np.mean(own))

    assert similarity_to_own(learn()) > similarity_to_own(learn(amid_others=False)) + 0.005
