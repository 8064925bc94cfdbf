"""The JSON of sheets and readings is the documented one and can always be written."""

import json
from dataclasses import replace

import pytest

from firmware.games import find_game
from firmware.output import reading_json, scan_json
from firmware.scan import check
from firmware.scan import score as score_reading_of
from firmware.table_input import parse_table
from scoring.faces import Face
from scoring.games.between_two_cities import score
from scoring.games.between_two_cities.notation import parse_city
from scoring.games.between_two_cities.table import City, Table, Variant
from tests.firmware.fake_eye import EXAMPLE
from tests.firmware.samples import ring_reading
from vision.editions.folder import own_edition
from vision.reading import NoteCode, Unread, note

BTC = own_edition("between-two-cities").description

GAME = find_game("between-two-cities")
sheet_json, table_json = GAME.sheet_json, GAME.table_json
TABLE = Table(tuple(map(parse_city, EXAMPLE)))


def scored(reading):
    return score_reading_of(reading, BTC)


def test_a_sheet_has_the_documented_keys():
    sheet = sheet_json(score(TABLE))
    assert set(sheet) >= {"game", "cities", "players", "winners"}
    city = sheet["cities"][0]
    assert set(city) >= {"name", "points", "total", "reasons"}
    assert list(city["points"]) == [
        "shops", "factories", "taverns", "offices", "parks", "houses",
    ]  # fmt: skip
    assert set(city["reasons"][0]) >= {"category", "points", "cells", "text"}
    assert set(sheet["players"][0]) >= {"name", "cities", "final", "rank", "tie_break"}


def test_players_stand_in_seat_order_with_left_and_right_city():
    players = sheet_json(score(TABLE))["players"]
    assert [player["cities"] for player in players] == [
        [0, 5], [1, 0], [2, 1], [3, 2], [4, 3], [5, 4],
    ]  # fmt: skip
    assert [player["rank"] for player in players] == [3, 4, 2, 1, 5, 6]
    assert players[2]["tie_break"] is None
    assert players[0]["tie_break"] == "higher city: 62, P2 57"


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


@pytest.mark.parametrize(
    "table",
    [
        TABLE,
        replace(TABLE, players=("Ödön", "山田", "", "a", "b", "c")),
        Table(TABLE.cities[:4], Variant.TWO_PLAYER, owners=(1, 0, 0, 1)),
        Table((City(((None, Face.SHOP),)),)),
    ],
    ids=["plain", "names", "two players", "incomplete"],
)
def test_a_table_reads_back_as_the_same(table):
    data = json.dumps(table_json(table)).encode()
    assert parse_table(data, "table.json").table == table


def test_all_is_plain_json():
    reading = ring_reading(3, unsure={0: ((0, 0),)}, absent={1: ((1, 1),)})
    for value in (reading_json(check(reading, BTC)), scan_json(scored(reading))):
        assert json.loads(json.dumps(value, allow_nan=False)) == value
