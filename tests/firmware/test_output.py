"""The JSON of sheets and readings is the documented one and can always be written."""

import json

from firmware.output import reading_json, scan_json
from firmware.scan import check
from firmware.scan import score as score_reading_of
from tests.firmware.samples import ring_reading
from vision.editions.folder import own_edition
from vision.reading import NoteCode, Unread, note

BTC = own_edition("between-two-cities").description


def scored(reading):
    return score_reading_of(reading, BTC)


def test_a_scan_tells_what_to_look_at():
    reading = ring_reading(3, unsure={1: ((2, 3),)}, absent={2: ((0, 0),)})
    scan = scan_json(scored(reading))
    assert scan["unsure"] == [
        {
            "what": "tile",
            "city": "B",
            "at": [2, 3],
            "read": "tavern-food",
            "alternatives": ["shop"],
        }
    ]
    assert scan["missing"] == [{"city": "C", "at": [0, 0]}]


def test_an_unsure_place_may_be_empty():
    reading = ring_reading(3, unsure={1: ((2, 3),)}, absent={1: ((2, 3),)})
    (place,) = scan_json(scored(reading))["unsure"]
    assert place["read"] is None


def test_a_reading_names_cities_and_places():
    region = Unread(((1, 2), (3, 4), (5, 6), (7, 8.126)), note(NoteCode.OUT_OF_FOCUS))
    reading = reading_json(check(ring_reading(3, unsure={0: ((1, 2),)}, unread=(region,)), BTC))
    assert [city["name"] for city in reading["cities"]] == ["A", "B", "C"]
    assert reading["cities"][0]["unsure"] == [[1, 2]]
    assert reading["cities"][0]["alternatives"] == [{"at": [1, 2], "faces": ["shop"]}]
    assert reading["unread"] == [
        {
            "corners_px": [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.13]],
            "why": "it is blurred: focus the camera and hold it still",
            "code": "out-of-focus",
        }
    ]


def test_all_is_plain_json():
    reading = ring_reading(3, unsure={0: ((0, 0),)}, absent={1: ((1, 1),)})
    for value in (reading_json(check(reading, BTC)), scan_json(scored(reading))):
        assert json.loads(json.dumps(value, allow_nan=False)) == value
