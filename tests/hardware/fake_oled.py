"""An OLED as its datasheet describes it, for luma's real driver to talk to.

It takes the calls that ``smbus2.SMBus`` would pass to the kernel, or ``spidev.SpiDev``, and keeps
the display's memory, so ``image()`` is what a person would see on the glass.
"""

import errno
from collections.abc import Callable, Iterator, Sequence

from PIL import Image, ImageOps

COMMAND, DATA = 0x00, 0x40
"""The control byte before the bytes of a transfer says what they are."""

MEMORY_MODE, HORIZONTAL = 0x20, 0x00
SET_COLUMNS, SET_PAGES = 0x21, 0x22
SET_CONTRAST, CHARGE_PUMP, PUMP_ON = 0x81, 0x8D, 0x14
SEGMENTS_AS_IS, SEGMENTS_TURNED = 0xA0, 0xA1
ROWS_AS_IS, ROWS_TURNED = 0xC0, 0xC8
DISPLAY_OFF, DISPLAY_ON = 0xAE, 0xAF
PAGE_START, PAGE_START_END = 0xB0, 0xB7
SH1106_COLUMN_OFFSET = 2
"""An SH1106 has 132 columns; boards of 128 wire up the middle ones."""

ARGUMENT_COUNT = {
    MEMORY_MODE: 1, SET_COLUMNS: 2, SET_PAGES: 2, SET_CONTRAST: 1, CHARGE_PUMP: 1, 0xA8: 1,
    0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1,
}  # fmt: skip
"""Commands that are followed by arguments."""


class FakeOled:
    """One display, built so that it is upright with segments and rows turned, as all boards are.

    Args:
        controller: ``ssd1306``, whose charge pump has to be switched on, ``ssd1309`` or ``sh1106``.
        width: Columns of the display.
        height: Rows of the display, eight to a page.
    """

    def __init__(self, controller: str = "ssd1306", width: int = 128, height: int = 64) -> None:
        self.controller = controller
        self.width = width
        self.pages = height // 8
        self.transfers = 0
        self.switch_on()

    def switch_on(self) -> None:
        """Give it power: all settings are those after a reset, the memory holds anything."""
        self.on = False
        self.contrast = 0x7F
        self._pump = self.controller != "ssd1306"
        self._segments_turned = self._rows_turned = False
        self._mode = 0x02
        self._memory = bytearray(value * 37 % 256 for value in range(self.width * self.pages))
        self._columns = (0, self.width - 1)
        self._page_range = (0, self.pages - 1)
        self._column = self._page = 0

    @property
    def lit(self) -> bool:
        """Whether pixels can light up at all."""
        return self.on and self._pump

    def image(self) -> Image.Image:
        """What the display shows: mode ``"1"``; dark while it is switched off."""
        picture = Image.new("1", (self.width, self.pages * 8))
        if self.lit:
            for index, value in enumerate(self._memory):
                page, column = divmod(index, self.width)
                for bit in range(8):
                    picture.putpixel((column, page * 8 + bit), 255 * (value >> bit & 1))
        if not self._segments_turned:
            picture = ImageOps.mirror(picture)
        return picture if self._rows_turned else ImageOps.flip(picture)

    def receive(self, control: int, block: Sequence[int]) -> None:
        """Take the bytes of one transfer."""
        self.transfers += 1
        if control == DATA:
            for value in block:
                self._store(value)
        else:
            assert control == COMMAND
            self._obey(block)

    def _store(self, value: int) -> None:
        self._memory[self._page * self.width + self._column] = value
        self._column += 1
        if self._column > self._columns[1]:
            self._column = self._columns[0]
            if self._mode == HORIZONTAL:
                first, last = self._page_range
                self._page = self._page + 1 if self._page < last else first

    def _obey(self, block: Sequence[int]) -> None:
        stream = iter(block)
        for command in stream:
            if self.controller == "sh1106" and len(block) == 3 and command & 0xF8 == PAGE_START:
                # The SH1106 knows no ranges: page, low and high half of the column.
                low, high = _take(stream, 2)
                self._page = command - PAGE_START
                self._column = ((high & 0x0F) << 4 | low) - SH1106_COLUMN_OFFSET
                continue
            count = ARGUMENT_COUNT.get(command, 0)
            if self.controller == "sh1106" and command == MEMORY_MODE:
                count = 0
            self._set(command, _take(stream, count))

    def _set(self, command: int, arguments: list[int]) -> None:
        if command in (DISPLAY_OFF, DISPLAY_ON):
            self.on = command == DISPLAY_ON
        elif command == SET_CONTRAST:
            self.contrast = arguments[0]
        elif command == CHARGE_PUMP:
            self._pump = self._pump or arguments[0] == PUMP_ON
        elif command in (SEGMENTS_AS_IS, SEGMENTS_TURNED):
            self._segments_turned = command == SEGMENTS_TURNED
        elif command in (ROWS_AS_IS, ROWS_TURNED):
            self._rows_turned = command == ROWS_TURNED
        elif command == MEMORY_MODE and arguments:
            self._mode = arguments[0]
        elif command == SET_COLUMNS:
            self._columns = (arguments[0], arguments[1])
            self._column = arguments[0]
        elif command == SET_PAGES:
            self._page_range = (arguments[0], arguments[1])
            self._page = arguments[0]


class FakeOledBus(FakeOled):
    """An I2C bus with one display on it.

    Args:
        address: The only address that answers.
        controller: See ``FakeOled``.
    """

    def __init__(self, address: int = 0x3C, controller: str = "ssd1306") -> None:
        super().__init__(controller)
        self.address = address
        self.plugged_in = True
        self.closed = False

    def write_i2c_block_data(self, address: int, control: int, block: Sequence[int]) -> None:
        """Take one transfer of up to 32 bytes, as SMBus allows."""
        if not self.plugged_in or address != self.address:
            raise OSError(errno.EREMOTEIO, "Remote I/O error")
        assert len(block) <= 32
        self.receive(control, block)

    def close(self) -> None:
        """Note that the bus was let go of."""
        self.closed = True


class FakeOledSpi(FakeOled):
    """A display on an SPI bus.

    Args:
        data_line: Gives the level of the line that says whether bytes are data.
        controller: See ``FakeOled``.
    """

    def __init__(self, data_line: Callable[[], bool], controller: str = "ssd1306") -> None:
        super().__init__(controller)
        self._data_line = data_line
        self.opened: tuple[int, int] | None = None
        self.max_speed_hz = 0
        self.closed = False

    def open(self, port: int, device: int) -> None:
        """Note which one was opened."""
        self.opened = (port, device)

    def writebytes(self, block: Sequence[int]) -> None:
        """Take the bytes of one transfer."""
        self.receive(DATA if self._data_line() else COMMAND, block)

    def close(self) -> None:
        """Note that the bus was let go of."""
        self.closed = True


def _take(stream: Iterator[int], count: int) -> list[int]:
    return [next(stream) for _ in range(count)]
