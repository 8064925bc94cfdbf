"""The wiring guide: no pin twice, no 5 V, and drawing and table say what is connected."""

import xml.etree.ElementTree as ET
from itertools import pairwise
from pathlib import Path

import pytest

import hardware
from hardware.buttons import ButtonWiring
from hardware.display import DisplayWiring
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
GUIDE = (FOLDER / "wiring.md").read_text("utf-8")
FIVE_VOLT_PINS = {2, 4}
CONNECTIONS = {
    "i2c": wires(DisplayWiring(), ButtonWiring()),
    "spi": wires(DisplayWiring(connection="spi"), ButtonWiring()),
}


@pytest.fixture(params=CONNECTIONS)
def connected(request):
    return CONNECTIONS[request.param]


def test_every_pin_of_the_header_is_one_thing():
    others = {*GROUND_PINS, *SUPPLY_PINS, *FIVE_VOLT_PINS}
    pins = [*PIN_OF_GPIO.values(), *others]
    assert sorted(pins) == list(range(1, HEADER_PINS + 1))


def test_no_pin_is_used_twice_and_none_of_5_v(connected):
    pins = [wire.pin for wire in connected]
    assert len(set(pins)) == len(pins)
    assert not FIVE_VOLT_PINS & set(pins)


def test_each_wire_ends_at_a_pin_of_its_kind(connected):
    for wire in connected:
        if wire.kind == "signal":
            assert PIN_OF_GPIO[wire.gpio] == wire.pin
        else:
            assert wire.pin in {"supply": SUPPLY_PINS, "ground": GROUND_PINS}[wire.kind]


def test_the_guide_has_both_tables():
    for connected in CONNECTIONS.values():
        assert table(connected) in GUIDE


def test_the_settings_name_the_lines_of_the_guide(connected):
    buttons = {
        wire.device: wire.gpio for wire in connected if wire.device != "display" and wire.gpio
    }
    wiring = ButtonWiring()
    assert buttons == {"scan": wiring.scan_gpio, "next": wiring.next_gpio, "ok": wiring.ok_gpio}


@pytest.mark.parametrize("name", drawings())
def test_the_drawing_is_up_to_date(name):
    assert (FOLDER / name).read_text("utf-8") == drawings()[name]


@pytest.mark.parametrize(("name", "key"), [("wiring.svg", "i2c"), ("wiring-spi.svg", "spi")])
def test_the_drawing_has_a_line_and_a_label_for_each_wire_and_nothing_outside(name, key):
    root = ET.fromstring(drawings()[name])  # noqa: S314 - our own drawing
    space = "{http://www.w3.org/2000/svg}"
    _, _, width, height = (float(number) for number in root.attrib["viewBox"].split())
    lines = root.findall(f"{space}polyline")
    assert len(lines) == len(CONNECTIONS[key])
    for line in lines:
        for point in line.attrib["points"].split():
            x, y = (float(number) for number in point.split(","))
            assert 0 < x < width
            assert 0 < y < height
    texts = [text.text for text in root.findall(f"{space}text")]
    for wire in CONNECTIONS[key]:
        assert f"{wire.pin} = {wire.pin_name}" in texts
        assert texts.count(str(wire.pin)) == 2


@pytest.mark.parametrize("name", drawings())
def test_two_wires_never_run_in_the_same_track(name):
    """Crossings are harmless; stretches that lie on each other would read as a connection."""
    root = ET.fromstring(drawings()[name])  # noqa: S314 - our own drawing
    stretches = []
    for line in root.findall("{http://www.w3.org/2000/svg}polyline"):
        points = [tuple(map(float, p.split(","))) for p in line.attrib["points"].split()]
        stretches.append(list(pairwise(points)))
    for index, one in enumerate(stretches):
        for other in stretches[index + 1 :]:
            assert not any(overlap(a, b) for a in one for b in other)


def overlap(one, other):
    for across, along in ((0, 1), (1, 0)):
        level = {point[across] for point in (*one, *other)}
        if len(level) == 1:
            spans = [sorted(point[along] for point in stretch) for stretch in (one, other)]
            return max(span[0] for span in spans) < min(span[1] for span in spans)
    return False
