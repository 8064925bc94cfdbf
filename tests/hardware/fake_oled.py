"""An OLED as its datasheet describes it, for luma's real driver to talk to.

It takes the calls that ``smbus2.SMBus`` would pass to the kernel, or ``spidev.SpiDev``, and keeps
the display's memory, so ``image()`` is what a person would see on the glass.
"""

import errno

from PIL import Image, ImageOps

COMMAND, DATA = 0x00, 0x40
"""The control byte before the bytes of a transfer says what they are."""

MEMORY_MODE, HORIZONTAL = 0x20, 0x00
SET_COLUMNS, SET_PAGES = 0x21, 0x22
SET_CONTRAST, CHARGE_PUMP, PUMP_ON = 0x81, 0x8D, 0x14
SEGMENTS_AS_IS, SEGMENTS_TURNED = 0xA0, 0xA1
ROWS_AS_IS, ROWS_TURNED = 0xC0, 0xC8
DISPLAY_OFF, DISPLAY_ON = 0xAE, 0xAF
PAGE_START = 0xB0
SH1106_COLUMN = 2
"""An SH1106 has 132 columns; most boards of 128 wire up the middle ones."""

ARGUMENT_COUNT = {
    MEMORY_MODE: 1, SET_COLUMNS: 2, SET_PAGES: 2, SET_CONTRAST: 1, CHARGE_PUMP: 1, 0xA8: 1,
    0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1,
}  # fmt: skip
"""Commands that are followed by arguments."""


class FakeOled:
    """Display that is upright with segments and rows turned, as all boards are.

    Args:
        controller: ``ssd1306``, whose charge pump has to be switched on, ``ssd1309`` or ``sh1106``.
        first_column: First column of an SH1106 that the glass shows.
    """

    WIDTH, PAGES = 128, 8

    def __init__(self, controller="ssd1306", first_column=SH1106_COLUMN):
        self.controller = controller
        self.first_column = first_column
        self.closed = False
        self.switch_on()

    def switch_on(self):
        """Give it power: all settings are those after a reset, the memory holds anything."""
        self.on = False
        self.contrast = 0x7F
        self._pump = self.controller != "ssd1306"
        self._segments_turned = self._rows_turned = False
        self._mode = 0x02
        self._memory = bytearray(value * 37 % 256 for value in range(self.WIDTH * self.PAGES))
        self._columns = (0, self.WIDTH - 1)
        self._page_range = (0, self.PAGES - 1)
        self._column = self._page = 0

    @property
    def lit(self):
        """True if pixels can light up at all."""
        return self.on and self._pump

    def image(self):
        """Picture on the display, mode ``"1"``; dark while it is switched off."""
        picture = Image.new("1", (self.WIDTH, self.PAGES * 8))
        if self.lit:
            for index, value in enumerate(self._memory):
                page, column = divmod(index, self.WIDTH)
                for bit in range(8):
                    picture.putpixel((column, page * 8 + bit), 255 * (value >> bit & 1))
        if not self._segments_turned:
            picture = ImageOps.mirror(picture)
        return picture if self._rows_turned else ImageOps.flip(picture)

    def receive(self, control, block):
        """Take the bytes of one transfer."""
        if control == DATA:
            for value in block:
                self._store(value)
        else:
            assert control == COMMAND
            self._obey(block)

    def close(self):
        """Note that the bus was let go of."""
        self.closed = True

    def _store(self, value):
        self._memory[self._page * self.WIDTH + self._column] = value
        self._column += 1
        if self._column > self._columns[1]:
            self._column = self._columns[0]
            if self._mode == HORIZONTAL:
                first, last = self._page_range
                self._page = self._page + 1 if self._page < last else first

    def _obey(self, block):
        stream = iter(block)
        for command in stream:
            if self.controller == "sh1106" and len(block) == 3 and command & 0xF8 == PAGE_START:
                # The SH1106 knows no ranges: page, low and high half of the column.
                low, high = next(stream), next(stream)
                self._page = command - PAGE_START
                self._column = ((high & 0x0F) << 4 | low) - self.first_column
            elif self.controller != "sh1106" or command != MEMORY_MODE:
                self._set(command, [next(stream) for _ in range(ARGUMENT_COUNT.get(command, 0))])

    def _set(self, command, arguments):
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
        elif command == MEMORY_MODE:
            self._mode = arguments[0]
        elif command == SET_COLUMNS:
            self._columns, self._column = tuple(arguments), arguments[0]
        elif command == SET_PAGES:
            self._page_range, self._page = tuple(arguments), arguments[0]


class FakeOledBus(FakeOled):
    """An I2C bus with one display on it, at the only address that answers."""

    def __init__(self, address=0x3C, controller="ssd1306", first_column=SH1106_COLUMN):
        super().__init__(controller, first_column)
        self.address = address
        self.plugged_in = True

    def write_i2c_block_data(self, address, control, block):
        """Take one transfer of up to 32 bytes, as SMBus allows."""
        if not self.plugged_in or address != self.address:
            raise OSError(errno.EREMOTEIO, "Remote I/O error")
        assert len(block) <= 32
        self.receive(control, block)


class FakeOledSpi(FakeOled):
    """A display on an SPI bus.

    Args:
        data_line: Function that returns the level of the data/command line.
        controller: Controller, see ``FakeOled``.
    """

    def __init__(self, data_line, controller="ssd1306"):
        super().__init__(controller)
        self._data_line = data_line
        self.opened = None

    def open(self, port, device):
        """Note which one was opened."""
        self.opened = (port, device)

    def writebytes(self, block):
        """Take the bytes of one transfer."""
        self.receive(DATA if self._data_line() else COMMAND, block)
