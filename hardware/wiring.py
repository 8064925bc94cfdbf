"""Which wire goes where on the header, and a drawing of it.

``python -m hardware.wiring`` writes ``hardware/wiring.svg`` and ``hardware/wiring-spi.svg`` anew;
a test compares them and the table in ``hardware/wiring.md`` with what is connected here.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal
from xml.sax.saxutils import escape

from hardware.buttons import Button, gpio_of_buttons
from hardware.settings import ButtonSettings, DisplaySettings

HEADER_PINS: Final = 40

PIN_OF_GPIO: Final = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19,
    9: 21, 25: 22, 11: 23, 8: 24, 7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35,
    16: 36, 26: 37, 20: 38, 21: 40,
}  # fmt: skip
"""The pin of the 40-pin header by GPIO number, alike on all models that have it."""

SUPPLY_PINS: Final = (1, 17)
"""3.3 V; the pins of 5 V beside them would destroy a GPIO."""

GROUND_PINS: Final = (6, 9, 14, 20, 25, 30, 34, 39)

Kind = Literal["supply", "ground", "signal"]


@dataclass(frozen=True, slots=True)
class Wire:
    """One wire.

    Attributes:
        device: what it leads to: ``display``, or the name of a button.
        terminal: what is printed on the device there.
        pin: of the header.
        gpio: number of its GPIO; None for supply and ground.
        kind: what it carries.
    """

    device: str
    terminal: str
    pin: int
    gpio: int | None
    kind: Kind

    @property
    def pin_name(self) -> str:
        """What the pin is, as it stands in the table."""
        if self.gpio is None:
            return "3.3 V" if self.kind == "supply" else "ground"
        return f"GPIO {self.gpio}"


def wires(display: DisplaySettings, buttons: ButtonSettings) -> tuple[Wire, ...]:
    """All wires, the display's first, in the order in which most displays have them."""
    return (*_display_wires(display), *_button_wires(buttons))


def _display_wires(display: DisplaySettings) -> tuple[Wire, ...]:
    def signal(terminal: str, gpio: int) -> Wire:
        return Wire("display", terminal, PIN_OF_GPIO[gpio], gpio, "signal")

    if display.connection == "i2c":
        return (
            Wire("display", "GND", 6, None, "ground"),
            Wire("display", "VCC", 1, None, "supply"),
            signal("SCL", 3),
            signal("SDA", 2),
        )
    return (
        Wire("display", "GND", 25, None, "ground"),
        Wire("display", "VCC", 17, None, "supply"),
        signal("CLK", 11),
        signal("DIN", 10),
        signal("RES", display.gpio_reset),
        signal("DC", display.gpio_dc),
        signal("CS", 8),
    )


def _button_wires(buttons: ButtonSettings) -> tuple[Wire, ...]:
    grounds = {Button.SCAN: 9, Button.NEXT: 14, Button.OK: 20}
    return tuple(
        wire
        for button, gpio in gpio_of_buttons(buttons).items()
        for wire in (
            Wire(button.value, "one side", PIN_OF_GPIO[gpio], gpio, "signal"),
            Wire(button.value, "other side", grounds[button], None, "ground"),
        )
    )


def table(connected: tuple[Wire, ...]) -> str:
    """The pin table in Markdown."""
    rows = [
        f"| {wire.device.upper() if wire.device != 'display' else 'display'} | {wire.terminal} "
        f"| {wire.pin} | {wire.pin_name} |"
        for wire in connected
    ]
    head = ["| part | terminal | pin of the header | is |", "| --- | --- | --- | --- |"]
    return "\n".join([*head, *rows]) + "\n"


_PITCH, _LEFT, _HEADER_TOP = 36, 60, 430
_WIDTH, _HEIGHT = 840, 620
_DEVICE_BOTTOM, _LANES_TOP, _LANE = 150, 200, 15
_COLOURS: Final[dict[str, tuple[str, ...]]] = {
    "supply": ("#c62828",),
    "ground": ("#212121",),
    "signal": ("#1565c0", "#2e7d32", "#ad1457", "#6a1b9a", "#ef6c00", "#00838f", "#5d4037"),
}
_FONT: Final = 'font-family="DejaVu Sans, Arial, sans-serif"'


def diagram(connected: tuple[Wire, ...], title: str) -> str:
    """The drawing as SVG.

    The board is seen from above with its header at the upper edge and the memory card at the
    left; then pin 1 is the left one of the lower row. Crossing lines are not connected.

    Args:
        connected: all wires.
        title: what the drawing shows.
    """
    terminal_x = _terminal_places(connected)
    used = {wire.pin: wire for wire in connected}
    parts = [_board(used), *_devices(connected, terminal_x)]
    signals = 0
    by_terminal = sorted(connected, key=lambda wire: terminal_x[wire])
    for lane, wire in enumerate(_lanes(by_terminal, terminal_x)):
        shades = _COLOURS[wire.kind]
        colour = shades[signals % len(shades)]
        signals += wire.kind == "signal"
        parts.append(_line(wire, terminal_x[wire], _LANES_TOP + lane * _LANE, colour))
    parts.append(_pins(used))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        f'role="img" aria-label="{escape(title)}">\n'
        f"<title>{escape(title)}</title>\n"
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>\n'
        + _text(_WIDTH / 2, 30, title, size=18, bold=True)
        + "".join(parts)
        + "</svg>\n"
    )


def _lanes(connected: list[Wire], terminal_x: dict[Wire, float]) -> list[Wire]:
    """The order of the horizontal stretches from top to bottom that makes them cross least.

    Of wires that lead to the left of their pin, the leftmost terminal has the lowest lane; of
    those that lead to the right, the rightmost one.
    """
    to_left = [wire for wire in connected if terminal_x[wire] < _rise_x(wire.pin)]
    to_right = [wire for wire in connected if terminal_x[wire] >= _rise_x(wire.pin)]
    return [*reversed(to_left), *to_right]


def _terminal_places(connected: tuple[Wire, ...]) -> dict[Wire, float]:
    display = [wire for wire in connected if wire.device == "display"]
    others = [wire for wire in connected if wire.device != "display"]
    places = {wire: 70.0 + 44 * count for count, wire in enumerate(display)}
    for count, wire in enumerate(others):
        places[wire] = 440.0 + 130 * (count // 2) + 50 * (count % 2)
    return places


def _pin_place(pin: int) -> tuple[float, float]:
    """The middle of a pin: odd ones in the lower row, counted from the left."""
    return _LEFT + _PITCH * ((pin - 1) // 2), _HEADER_TOP + (_PITCH if pin % 2 else 0)


def _rise_x(pin: int) -> float:
    """Where a wire rises from the header: those of the lower row pass beside the upper one."""
    x, _y = _pin_place(pin)
    return x + _PITCH / 2 if pin % 2 else x


def _line(wire: Wire, terminal_x: float, lane_y: float, colour: str) -> str:
    x, y = _pin_place(wire.pin)
    rise_x = _rise_x(wire.pin)
    points = [(x, y), (rise_x, y), (rise_x, lane_y), (terminal_x, lane_y)]
    points.append((terminal_x, _DEVICE_BOTTOM))
    path = " ".join(f"{px:g},{py:g}" for px, py in dict.fromkeys(points))
    return (
        f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="4" '
        f'stroke-linejoin="round" stroke-linecap="round"/>\n'
        f'<rect x="{terminal_x - 17:g}" y="{_DEVICE_BOTTOM + 12}" width="34" height="18" rx="4" '
        f'fill="{colour}"/>\n'
        + _text(terminal_x, _DEVICE_BOTTOM + 26, str(wire.pin), size=13, fill="#ffffff", bold=True)
    )


def _board(used: dict[int, Wire]) -> str:
    top = _HEADER_TOP - 26
    parts = [
        f'<rect x="20" y="{top}" width="{_WIDTH - 40}" height="{_HEIGHT - top - 15}" rx="14" '
        'fill="#e8f5e9" stroke="#2e7d32" stroke-width="2"/>\n',
        _text(40, _HEIGHT - 92, "Raspberry Pi seen from above,", size=15, anchor="start"),
        _text(40, _HEIGHT - 70, "header at the upper edge,", size=15, anchor="start"),
        _text(40, _HEIGHT - 48, "memory card at the left.", size=15, anchor="start"),
        _text(40, _HEIGHT - 26, "Crossing lines do not touch.", size=15, anchor="start"),
    ]
    notes = [f"{wire.pin} = {wire.pin_name}" for _pin, wire in sorted(used.items())]
    for count, note in enumerate(notes):
        column, row = divmod(count, 4)
        parts.append(
            _text(320 + 124 * column, _HEIGHT - 92 + 22 * row, note, size=14, anchor="start")
        )
    return "".join(parts)


def _pins(used: dict[int, Wire]) -> str:
    parts = []
    for pin in range(1, HEADER_PINS + 1):
        x, y = _pin_place(pin)
        fill = "#fff59d" if pin in used else "#ffffff"
        round_px = 0 if pin == 1 else 12
        parts.append(
            f'<rect x="{x - 12:g}" y="{y - 12:g}" width="24" height="24" rx="{round_px}" '
            f'fill="{fill}" stroke="#424242" stroke-width="1.5"/>\n'
        )
        parts.append(_text(x, y + 4.5, str(pin), size=12, bold=pin in used))
    return "".join(parts)


def _devices(connected: tuple[Wire, ...], terminal_x: dict[Wire, float]) -> list[str]:
    parts = []
    for device in dict.fromkeys(wire.device for wire in connected):
        own = [wire for wire in connected if wire.device == device]
        left, right = terminal_x[own[0]] - 30, terminal_x[own[-1]] + 30
        name = "display" if device == "display" else f"button {device.upper()}"
        parts.append(
            f'<rect x="{left:g}" y="60" width="{right - left:g}" height="{_DEVICE_BOTTOM - 60}" '
            'rx="8" fill="#e3f2fd" stroke="#0d47a1" stroke-width="2"/>\n'
        )
        parts.append(_text((left + right) / 2, 84, name, size=14, bold=True))
        if device == "display":
            parts += [
                _text(terminal_x[wire], _DEVICE_BOTTOM - 12, wire.terminal, size=13) for wire in own
            ]
        else:
            parts.append(_button_symbol(terminal_x[own[0]], terminal_x[own[1]]))
    return parts


def _button_symbol(left: float, right: float) -> str:
    """An open push button between its two terminals."""
    y = _DEVICE_BOTTOM - 22
    stroke = 'fill="none" stroke="#212121" stroke-width="2.5"'
    middle = (left + right) / 2
    return (
        f'<path d="M{left:g},{_DEVICE_BOTTOM} V{y} h10 M{right:g},{_DEVICE_BOTTOM} V{y} h-10 '
        f'M{left + 8:g},{y - 9} H{right - 8:g} M{middle:g},{y - 9} v-12" {stroke}/>\n'
    )


def _text(
    x: float,
    y: float,
    text: str,
    *,
    size: int,
    bold: bool = False,
    anchor: str = "middle",
    fill: str = "#212121",
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" {_FONT}{weight} text-anchor="{anchor}" '
        f'fill="{fill}">{escape(text)}</text>\n'
    )


def drawings() -> dict[str, str]:
    """The drawings of the guide by their file names."""
    buttons = ButtonSettings()
    return {
        "wiring.svg": diagram(
            wires(DisplaySettings(), buttons), "Wiring of a display by I2C and three buttons"
        ),
        "wiring-spi.svg": diagram(
            wires(DisplaySettings(connection="spi"), buttons),
            "Wiring of a display by SPI and three buttons",
        ),
    }


if __name__ == "__main__":
    for file_name, drawing in drawings().items():
        Path(__file__).with_name(file_name).write_text(drawing, "utf-8")
