"""The wiring guide: no pin twice, no 5 V, and drawing and table say what is connected."""

import xml.etree.ElementTree as ET
from itertools import combinations, pairwise, product
from pathlib import Path

import pytest

import hardware
from hardware.settings import ButtonSettings, DisplaySettings
from hardware.wiring import (
    GROUND_PINS,
    HEADER_PINS,
    PIN_OF_GPIO,
    SUPPLY_PINS,
    drawings,
    table,
    wires,
)

FOLDER = Path(hardware.__file__).parent
FIVE_VOLT_PINS = {2, 4}
NAMES = {"i2c": "wiring.svg", "spi": "wiring-spi.svg"}
SVG = "{http://www.w3.org/2000/svg}"


def test_every_pin_of_the_header_is_one_thing():
    pins = [*PIN_OF_GPIO.values(), *GROUND_PINS, *SUPPLY_PINS, *FIVE_VOLT_PINS]
    assert sorted(pins) == list(range(1, HEADER_PINS + 1))


@pytest.fixture(params=NAMES)
def connection(request):
    return request.param


@pytest.fixture
def connected(connection):
    return wires(DisplaySettings(connection=connection), ButtonSettings())


@pytest.fixture
def drawing(connection):
    return drawings()[NAMES[connection]]


def test_no_pin_is_used_twice_none_of_5_v_and_each_is_of_the_kind_of_its_wire(connected):
    pins = [wire.pin for wire in connected]
    assert len(set(pins)) == len(pins)
    for wire in connected:
        kinds = {"supply": SUPPLY_PINS, "ground": GROUND_PINS}
        assert wire.pin in kinds.get(wire.kind, (PIN_OF_GPIO.get(wire.gpio),))
        assert wire.pin not in FIVE_VOLT_PINS


def test_the_guide_has_table_and_drawing(connection, connected, drawing):
    assert table(connected) in (FOLDER / "wiring.md").read_text("utf-8")
    assert (FOLDER / NAMES[connection]).read_text("utf-8") == drawing


def test_the_settings_name_the_lines_of_the_guide(connected):
    gpios = {wire.device: wire.gpio for wire in connected if wire.device != "display" and wire.gpio}
    assert gpios == {"scan": 17, "next": 27, "ok": 22}
    assert ButtonSettings() == ButtonSettings(*gpios.values())


def points_of(line):
    return [tuple(map(float, point.split(","))) for point in line.attrib["points"].split()]


def test_the_drawing_has_a_line_and_a_label_for_each_wire_and_nothing_outside(connected, drawing):
    root = ET.fromstring(drawing)  # noqa: S314 - our own drawing
    _, _, width, height = (float(number) for number in root.attrib["viewBox"].split())
    lines = root.findall(f"{SVG}polyline")
    assert len(lines) == len(connected)
    assert all(0 < x < width and 0 < y < height for line in lines for x, y in points_of(line))
    texts = [text.text for text in root.findall(f"{SVG}text")]
    for wire in connected:
        assert f"{wire.pin} = {wire.pin_name}" in texts
        assert texts.count(str(wire.pin)) == 2


def test_two_wires_never_run_in_the_same_track(drawing):
    """Crossings are harmless; stretches that lie on each other would read as a connection."""
    root = ET.fromstring(drawing)  # noqa: S314 - our own drawing
    lines = [list(pairwise(points_of(line))) for line in root.findall(f"{SVG}polyline")]
    for one, other in combinations(lines, 2):
        assert not any(overlap(a, b) for a, b in product(one, other))


def overlap(one, other):
    for across, along in ((0, 1), (1, 0)):
        if len({point[across] for point in (*one, *other)}) == 1:
            spans = [sorted(point[along] for point in stretch) for stretch in (one, other)]
            return max(span[0] for span in spans) < min(span[1] for span in spans)
    return False
