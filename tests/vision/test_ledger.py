"""Everything that the locator detected is read, unread or rejected."""

import cv2
import pytest

from vision.arrays import floats
from vision.editions.folder import built_in_edition
from vision.editions.learning import model_of
from vision.eye.ledger import Ledger, RejectionReason
from vision.eye.read import recognise_table
from vision.lab.simulate.photos import take_photo
from vision.patches.cut import Pyramid
from vision.photo.load import decode_photo

SIZE_WH = 1536, 864


def read_photo(game, condition, seed):
    edition = built_in_edition(game)
    photo = decode_photo(take_photo(edition, condition, seed, SIZE_WH).jpeg, "photo.jpg")
    return recognise_table(Pyramid(photo.image_bgr), model_of(edition))


def distance(quad, point):
    """Distance of a point from a quad (4, 2), negative outside."""
    x, y = (float(v) for v in point)
    return cv2.pointPolygonTest(cv2.convexHull(floats(quad)), (x, y), measureDist=True)


@pytest.mark.parametrize(
    ("game", "condition", "seed"),
    [
        ("between-two-cities", "cluttered", 3),
        ("between-two-cities", "no-city", 770011),
        ("between-two-cities", "covered", 5),
        ("between-two-cities", "glare", 6),
        ("cities", "normal", 7),
        ("dice-board", "sloppy", 8),
    ],
)
def test_no_detected_tile_is_unaccounted_for(game, condition, seed):
    reading = read_photo(game, condition, seed)
    quads = [
        *(grid.corners_px for grid in reading.grids),
        *reading.unread,
        *(each.quad_px for each in reading.rejected),
    ]
    assert len(reading.detected_px) > 0
    lost = [at for at in reading.detected_px if max(distance(q, at) for q in quads) < -1]
    assert lost == []


def test_thing_is_left_unread_once():
    ledger = Ledger()
    square = floats([[0, 0], [90, 0], [90, 90], [0, 90]])
    ledger.leave_unread(square)
    ledger.leave_unread(square + 5)
    ledger.leave_unread(square + 200)
    assert len(ledger.unread) == 2


def test_supply_that_lies_face_down_is_rejected():
    reading = read_photo("between-two-cities", "no-city", 770018)
    assert RejectionReason.FACE_DOWN in {each.why for each in reading.rejected}
    assert not reading.unread
