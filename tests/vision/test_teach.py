"""Learning from photos of the reference grid, and what is refused."""

import re
from functools import cache

import cv2
import numpy as np
import pytest

from scoring.faces import Face
from tests.refusals import refused
from tests.vision.likeness import fits
from tests.vision.reference_photos import (
    FACES,
    IN_ORDER,
    laid_out,
    learn,
    photo_of,
    recolour,
    reference_image,
    reference_table,
    sister_taverns,
)
from tests.vision.taught_cities import cities_edition
from vision.editions.built_in import tile_picture
from vision.editions.contact_sheet import draw_contact_sheet
from vision.teaching.reference_grid import PhotoCorner

BOTTOM_RIGHT = PhotoCorner.BOTTOM_RIGHT


def refuses(code, *images, **options):
    """Learn from photos that are refused with this code; return the message."""
    with refused(code) as caught:
        learn([photo_of(image) for image in images], **options)
    return caught.value.message


def with_one_tile(n, change):
    """The reference photo with tile ``n`` of the order changed, and no other."""
    table = reference_table()
    corners = np.array(table.truth["cities"][0]["tile_corners_px"][n])
    place = np.zeros(table.image.shape[:2], np.uint8)
    cv2.fillConvexPoly(place, np.rint(corners).astype(np.int32), 1)
    changed = np.clip(change(table.image.astype(np.float32)), 0, 255).astype(np.uint8)
    return np.where(place[..., None] > 0, changed, table.image)


@cache
def learned_from_one_photo():
    return learn([photo_of(reference_image())])


@cache
def taught_by_two_photos():
    earlier = learned_from_one_photo().edition
    return learn([photo_of(reference_image(2))], earlier=earlier).edition


def examples_of(edition):
    """Return the number of pictures of the face with most, and of tiles that taught the eye."""
    return max(map(len, edition.pictures.values())), len(edition.model.references.face_index)


def assert_taught_the_drawn_faces(edition):
    drawn = {face: tile_picture(face, 96) for face in FACES}
    for face in FACES:
        for picture in edition.pictures[face]:
            assert max(FACES, key=lambda other: fits(picture, drawn[other])) is face


def test_known_grid_is_learned_in_its_order():
    learned_layout = learned_from_one_photo()
    assert learned_layout.order_checked
    assert learned_layout.edition.name == "mine"
    assert_taught_the_drawn_faces(learned_layout.edition)


def test_the_grid_is_learned_whichever_way_up_it_lies():
    learned_layout = learn([photo_of(np.rot90(reference_image()))])
    assert learned_layout.order_checked
    assert_taught_the_drawn_faces(learned_layout.edition)


def test_later_photo_adds_examples():
    count, tiles = examples_of(learned_from_one_photo().edition)
    assert count == 1
    edition = taught_by_two_photos()
    assert examples_of(edition) == (2, tiles + len(FACES))
    assert_taught_the_drawn_faces(edition)


def test_new_edition_is_learned_given_where_the_shop_lies():
    image = recolour(reference_image())
    refuses("teach-which-way", image)
    learned_layout = learn([photo_of(image)], shop_at=BOTTOM_RIGHT)
    assert not learned_layout.order_checked
    restored = {
        face: tuple(recolour(picture) for picture in learned_layout.edition.pictures[face])
        for face in FACES
    }
    assert_taught_the_drawn_faces(cities_edition("restored", restored))


def test_wrong_corner_is_refused_for_a_known_edition():
    learn([photo_of(reference_image())], shop_at=BOTTOM_RIGHT)
    refuses("teach-which-way", reference_image(), shop_at=PhotoCorner.TOP_LEFT)


def test_first_corner_does_not_turn_a_known_edition():
    corners = np.roll(reference_table().truth["cities"][0]["corners_px"], 1, axis=0)
    learned_layout = learn([photo_of(reference_image())], corners_px=corners)
    assert learned_layout.all_checked
    assert_taught_the_drawn_faces(learned_layout.edition)


def test_corners_of_tiles_in_the_wrong_order_help_nothing():
    swapped = ((FACES[1], FACES[0], FACES[2]), *IN_ORDER[1:])
    corners = reference_table(1, swapped).truth["cities"][0]["corners_px"]
    refuses("teach-wrong-order", reference_image(1, swapped), corners_px=corners)


def test_two_tiles_in_the_wrong_order_or_twice_are_named():
    swapped = ((FACES[1], FACES[0], FACES[2]), *IN_ORDER[1:])
    image = reference_image(1, swapped)
    message = refuses("teach-wrong-order", image)
    assert re.match("(factory lies where shop|shop lies where factory) belongs", message)
    backwards = tuple(tuple(row) for row in zip(*IN_ORDER, strict=True))
    refuses("teach-wrong-order", reference_image(1, backwards))
    twice = (IN_ORDER[0], IN_ORDER[1], (FACES[6], FACES[6], FACES[8]))
    message = refuses("teach-wrong-order", reference_image(1, twice))
    assert message.startswith("office lies where park belongs")


def test_strange_tile_in_known_edition_is_not_checked_nor_doubled():
    pictures = [tile_picture(face, 96) for face in FACES]
    strange = np.random.default_rng(5).integers(0, 255, (8, 8, 3), dtype=np.uint8)
    pictures[6] = cv2.resize(strange, (96, 96), interpolation=cv2.INTER_NEAREST)
    learned_layout = learn([photo_of(laid_out(pictures))])
    assert (learned_layout.order_checked, learned_layout.all_checked) == (True, False)
    pictures[7] = pictures[6]
    message = refuses("teach-alike", laid_out(pictures))
    assert FACES[6].value in message
    assert FACES[7].value in message


def test_a_turned_tile_is_named():
    table = reference_table(turned=1)
    ((row, column, _),) = table.truth["cities"][0]["turned"]
    message = refuses("teach-wrong-order", table.image)
    assert message.startswith(f"the tile {IN_ORDER[row][column].value} does not lie upright")


def test_doubled_face_is_found_in_a_new_edition():
    faces, first, second = list(FACES), 2, 5
    faces[second] = faces[first]
    grid = tuple(tuple(faces[row * 3 : row * 3 + 3]) for row in range(3))
    image = recolour(reference_image(1, grid))
    named = f"the tiles called {FACES[first].value} and {FACES[second].value} look the same"
    assert named in refuses("teach-alike", image, shop_at=BOTTOM_RIGHT)


def test_taverns_with_same_drawing_are_learned_in_right_order_only():
    image = laid_out(sister_taverns())
    learned_layout = learn([photo_of(image)], shop_at=BOTTOM_RIGHT)
    assert not learned_layout.order_checked
    assert all(Face(face).is_tavern for face in learned_layout.most_similar_faces[:2])
    dim = np.uint8(image * 0.7)
    again = learn([photo_of(image), photo_of(dim)], shop_at=BOTTOM_RIGHT)
    assert again.most_similar_faces is None, "the same tiles in another light are not kept"
    refuses("teach-wrong-order", image, shop_at=PhotoCorner.TOP_LEFT)
    order = list(range(len(FACES)))
    order[2], order[7] = order[7], order[2]
    image = laid_out([sister_taverns()[n] for n in order])
    message = refuses("teach-wrong-order", image, shop_at=BOTTOM_RIGHT)
    assert "where the taverns belong" in message


def test_turned_tavern_of_equal_drawing_is_named():
    pictures = sister_taverns()
    pictures[3] = np.ascontiguousarray(np.rot90(pictures[3], 2))
    message = refuses("teach-wrong-order", laid_out(pictures), shop_at=BOTTOM_RIGHT)
    assert message.startswith("the tile tavern-bed does not lie upright")


def test_photos_that_cannot_teach_are_refused_with_the_reason():
    refuses("teach-no-grid", np.full((960, 1280, 3), 120, np.uint8))
    short = (IN_ORDER[0], IN_ORDER[1], (FACES[6], FACES[7], None))
    message = refuses("teach-incomplete", reference_image(1, short))
    assert message.startswith("only 8 of 9 tiles")
    wide = tuple((*row, FACES[0]) for row in IN_ORDER)
    refuses("teach-ambiguous", reference_image(1, wide))
    refuses("teach-too-small", cv2.resize(reference_image(), None, fx=0.4, fy=0.4))
    refuses("teach-blurred", cv2.GaussianBlur(reference_image(), (0, 0), 3.0))
    bright = np.clip(reference_image().astype(np.float32) * 1.9, 0, 255).astype(np.uint8)
    refuses("teach-overexposed", bright, shop_at=BOTTOM_RIGHT)
    images = recolour(reference_image()), recolour(np.rot90(reference_image(2), 2))
    refuses("teach-photos-differ", *images, shop_at=BOTTOM_RIGHT)


def test_a_dark_photo_is_refused():
    for share in (0.12, 0.08, 0.04):
        dark = (reference_image() * share).astype(np.uint8)
        assert refuses("teach-too-dark", dark).endswith("use more light")


@pytest.mark.parametrize(
    ("code", "start", "change"),
    [
        ("teach-blurred", "not sharp enough: office", lambda i: cv2.GaussianBlur(i, (0, 0), 2.5)),
        ("teach-blurred", "not sharp enough: office", lambda i: cv2.GaussianBlur(i, (0, 0), 6.0)),
        ("teach-overexposed", "white spots of light hide part of office", lambda i: i * 4),
    ],
)
def test_the_one_bad_tile_is_named(code, start, change):
    assert refuses(code, with_one_tile(6, change)).startswith(f"{start}: ")


def test_the_contact_sheet_shows_every_picture():
    edition = taught_by_two_photos()
    sheet = draw_contact_sheet(edition)
    for face in FACES:
        for picture in edition.pictures[face]:
            assert cv2.matchTemplate(sheet, picture, cv2.TM_SQDIFF_NORMED).min() < 1e-5
