"""An OLED on an I2C bus, as its datasheet describes it, for luma's real driver to talk to.

It takes the calls that ``smbus2.SMBus`` would pass to the kernel and keeps the display's memory,
so ``image()`` is what a person would see on the glass.
"""

import errno
from collections.abc import Iterator, Sequence

from PIL import Image

COMMAND, DATA = 0x00, 0x40
"""The control byte before the bytes of a transfer says what they are."""

SET_COLUMNS, SET_PAGES = 0x21, 0x22
DISPLAY_OFF, DISPLAY_ON = 0xAE, 0xAF
PAGE_START, PAGE_START_END = 0xB0, 0xB7
SH1106_COLUMN_OFFSET = 2
"""An SH1106 has 132 columns; boards of 128 wire up the middle ones."""

ARGUMENT_COUNT = {
    SET_COLUMNS: 2, SET_PAGES: 2, 0x20: 1, 0x81: 1, 0x8D: 1, 0xA8: 1,
    0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1,
}  # fmt: skip
"""SSD1306 commands that are followed by arguments."""


class FakeOledBus:
    """A bus with one display on it.

    Args:
        address: The only address that answers.
        width: Columns of the display.
        height: Rows of the display, eight to a page.
    """

    def __init__(self, address: int = 0x3C, width: int = 128, height: int = 64) -> None:
        self.address = address
        self.width = width
        self.pages = height // 8
        self.plugged_in = True
        self.lit = False
        self.closed = False
        self._memory = bytearray(width * self.pages)
        self._columns = (0, width - 1)
        self._page_range = (0, self.pages - 1)
        self._column = 0
        self._page = 0

    def write_i2c_block_data(self, address: int, control: int, block: Sequence[int]) -> None:
        """Take one transfer of up to 32 bytes, as SMBus allows."""
        if not self.plugged_in or address != self.address:
            raise OSError(errno.EREMOTEIO, "Remote I/O error")
        assert len(block) <= 32
        if control == DATA:
            for value in block:
                self._store(value)
        else:
            assert control == COMMAND
            self._obey(block)

    def close(self) -> None:
        """Note that the bus was let go of."""
        self.closed = True

    def image(self) -> Image.Image:
        """What the display shows: mode ``"1"``; dark while it is switched off."""
        picture = Image.new("1", (self.width, self.pages * 8))
        if self.lit:
            for index, value in enumerate(self._memory):
                page, column = divmod(index, self.width)
                for bit in range(8):
                    picture.putpixel((column, page * 8 + bit), 255 * (value >> bit & 1))
        return picture

    def _store(self, value: int) -> None:
        self._memory[self._page * self.width + self._column] = value
        self._column += 1
        if self._column > self._columns[1]:
            self._column = self._columns[0]
            first, last = self._page_range
            self._page = self._page + 1 if self._page < last else first

    def _obey(self, block: Sequence[int]) -> None:
        stream = iter(block)
        for command in stream:
            arguments = _take(stream, ARGUMENT_COUNT.get(command, 0))
            if command in (DISPLAY_OFF, DISPLAY_ON):
                self.lit = command == DISPLAY_ON
            elif command == SET_COLUMNS:
                self._columns = (arguments[0], arguments[1])
                self._column = arguments[0]
            elif command == SET_PAGES:
                self._page_range = (arguments[0], arguments[1])
                self._page = arguments[0]
            elif PAGE_START <= command <= PAGE_START_END and len(block) == 3:
                # The SH1106 knows no ranges: page, low and high half of the column.
                self._page = command - PAGE_START
                low, high = _take(stream, 2)
                self._column = ((high & 0x0F) << 4 | low) - SH1106_COLUMN_OFFSET


def _take(stream: Iterator[int], count: int) -> list[int]:
    return [next(stream) for _ in range(count)]
