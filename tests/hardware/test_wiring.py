"""The wiring guide: no pin twice, no 5 V; tables, drawings and the code agree with each other."""

import re
import xml.etree.ElementTree as ET
from itertools import combinations, pairwise, product
from pathlib import Path
from typing import NamedTuple

import pytest

import hardware
from hardware.settings import ButtonSettings, DisplaySettings

FOLDER = Path(hardware.__file__).parent
NAMES = {"I2C": "wiring.svg", "SPI": "wiring-spi.svg"}
SVG = "{http://www.w3.org/2000/svg}"

GPIO_OF_PIN = {
    3: 2, 5: 3, 7: 4, 8: 14, 10: 15, 11: 17, 12: 18, 13: 27, 15: 22, 16: 23, 18: 24, 19: 10,
    21: 9, 22: 25, 23: 11, 24: 8, 26: 7, 27: 0, 28: 1, 29: 5, 31: 6, 32: 12, 33: 13, 35: 19,
    36: 16, 37: 26, 38: 20, 40: 21,
}  # fmt: skip
"""GPIO lines of the 40-pin header, alike on all models that have it."""
CARRIES = {
    **{str(pin): f"GPIO {gpio}" for pin, gpio in GPIO_OF_PIN.items()},
    **dict.fromkeys(("1", "17"), "3.3 V"),
    **dict.fromkeys(("6", "9", "14", "20", "25", "30", "34", "39"), "ground"),
}
"""Signal of each pin, without those of 5 V, which would destroy a GPIO."""


class Wire(NamedTuple):
    part: str
    terminal: str
    pin: str
    carries: str


@pytest.fixture(params=NAMES)
def connection(request):
    return request.param


@pytest.fixture
def connected(connection):
    """The wires of the table in the guide."""
    guide = (FOLDER / "wiring.md").read_text("utf-8")
    section = guide.partition(f"## A display by {connection}\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (.*) \| (.*) \| (\d+) \| (.*) \|$", section, re.MULTILINE)
    return [Wire(*row) for row in rows]


@pytest.fixture
def drawing(connection):
    return (FOLDER / NAMES[connection]).read_text("utf-8")


def test_no_pin_is_used_twice_and_each_carries_what_the_table_says(connected):
    pins = [wire.pin for wire in connected]
    assert len(set(pins)) == len(pins) > 9
    for wire in connected:
        assert CARRIES[wire.pin] == wire.carries
        expected = {"GND": "ground", "VCC": "3.3 V", "other side": "ground"}
        assert wire.carries == expected.get(wire.terminal, wire.carries)
    gpios = {
        (wire.part, wire.terminal): int(wire.carries.removeprefix("GPIO "))
        for wire in connected
        if wire.carries.startswith("GPIO")
    }
    buttons = [gpios[name, "one side"] for name in ("SCAN", "NEXT", "OK")]
    assert ButtonSettings() == ButtonSettings(*buttons)
    usual = DisplaySettings()
    assert gpios.get(("display", "DC"), usual.gpio_dc) == usual.gpio_dc
    assert gpios.get(("display", "RES"), usual.gpio_reset) == usual.gpio_reset


def points_of(line):
    return [tuple(map(float, point.split(","))) for point in line.attrib["points"].split()]


def test_drawing_has_separate_line_and_label_for_each_wire(connected, drawing):
    root = ET.fromstring(drawing)  # noqa: S314 - our own drawing
    _, _, width, height = (float(number) for number in root.attrib["viewBox"].split())
    lines = root.findall(f"{SVG}polyline")
    assert len(lines) == len(connected)
    assert all(0 < x < width and 0 < y < height for line in lines for x, y in points_of(line))
    texts = [text.text for text in root.findall(f"{SVG}text")]
    for wire in connected:
        assert f"{wire.pin} = {wire.carries}" in texts
        assert texts.count(wire.pin) == 2
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
