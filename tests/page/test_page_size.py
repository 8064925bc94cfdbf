"""The largest result and the vaguest one: size of the page, and how open points look."""

import re
from dataclasses import replace
from random import Random

from firmware.settings import Settings
from firmware.settings.defaults import PageSettings
from hardware.buttons import Button
from scoring.faces import Face
from scoring.games.between_two_cities.legality import SUPPLY
from tests.appliance.fake_tables import TABLES, FakeTables
from tests.firmware.samples import ring_reading
from tests.page.phone import Scanner

CITIES = 7
NAMES = tuple(f"{name:-<18}" for name in "ABCDEFG")
"""Names as long as they may be."""
LIMIT = 60_000


def dealt():
    """Return a reading of seven cities dealt out of the box, a tile of each unsure."""
    box = [face for face in Face for _tile in range(SUPPLY[face].total)]
    Random(1).shuffle(box)  # noqa: S311 - tables are dealt
    grids = [
        tuple(tuple(box[16 * n + 4 * row : 16 * n + 4 * row + 4]) for row in range(4))
        for n in range(CITIES)
    ]
    unsure = dict.fromkeys(range(CITIES), ((1, 1),))
    return ring_reading(CITIES, grids=grids, unsure=unsure)


def test_result_of_seven_in_german_is_small():
    settings = Settings(language="de", page=PageSettings(on=True), players=NAMES)
    eye = FakeTables(between_two_cities=dealt())
    phone = Scanner(eye=eye, settings=settings).phone(**{"Accept-Language": "de"})
    phone.scanner.press(Button.SCAN)
    phone.see("/")
    parts = [phone.html.encode()]
    paths = re.findall(r'"(/static/[a-z]+[.](?:css|js)[^"]*)"', phone.html)
    paths += ["/static/icons.svg", "/static/skyline.svg"]
    parts += [phone.client.get(path).content for path in paths]
    assert "Rangliste" in phone.html
    assert sum(map(len, parts)) < LIMIT


def test_place_of_a_heap_without_a_tile_has_no_picture():
    seen = TABLES["city-blocks"]
    grid = replace(seen.grids[0], loose=(), unsure_slots=(("blue", 0),))
    eye = FakeTables(city_blocks=replace(seen, grids=(grid,)))
    scanner = Scanner(eye=eye)
    phone = scanner.phone()
    phone.send("/setup", game="city-blocks")
    scanner.press(Button.SCAN)
    assert "what is this?" in phone.see("/")
    assert "/place/blue%3A1/picture.jpg" not in phone.html
    assert "What is it?" in phone.see("/place/blue:1")
    assert "picture.jpg" not in phone.html


def test_legend_example_is_as_vague_as_the_points():
    cells = tuple((row, column) for row in range(4) for column in range(4))
    seen = ring_reading(3, unsure={0: cells})
    scanner = Scanner(eye=FakeTables(between_two_cities=seen))
    phone = scanner.phone()
    scanner.press(Button.SCAN)
    text = phone.see("/")
    examples = re.findall(r"(\d+\?): may still change", text)
    assert examples
    assert all(text.count(each) > 1 for each in examples), "each stands in its table, too"
    assert not re.search(r"\d–\d+: may still change", text)
