"""What a display is, and how it is connected.

A picture is a ``PIL.Image`` of mode ``"1"`` and exactly the size of the display: x to the right,
y down, (0, 0) the top left pixel, a set pixel is lit. Showing is synchronous: when ``show``
returns, the picture is on the glass.
"""

from dataclasses import dataclass
from typing import Final, Literal, Protocol

from PIL import Image

from hardware.errors import DisplayError

SIZE_WH: Final = (128, 64)
"""Width and height in pixels of the displays that the project is built for."""

CONTRAST: Final = 207
"""Bright enough for daylight; 255 is hardly brighter and wears the display out sooner."""

Controller = Literal["ssd1306", "sh1106", "ssd1309"]


class Display(Protocol):
    """Anything that can show a one-bit picture."""

    @property
    def size_wh(self) -> tuple[int, int]:
        """Width and height in pixels."""
        ...

    def show(self, image: Image.Image) -> None:
        """Show a picture of mode ``"1"`` and ``size_wh`` until the next one.

        Raises:
            ValueError: The picture has another mode or size.
            DisplayError: The display stopped answering.
        """
        ...

    def set_contrast(self, level: int) -> None:
        """How bright lit pixels are, from 0 (still readable in the dark) to 255.

        Raises:
            ValueError: There is no such level.
            DisplayError: The display stopped answering.
        """
        ...

    def close(self) -> None:
        """Darken the display and let go of it; more calls do nothing."""
        ...


@dataclass(frozen=True, slots=True)
class DisplayWiring:
    """How the display is connected; the defaults are those of the wiring guide.

    Attributes:
        connection: The bus that the display hangs on.
        controller: The chip on the display; most of the 0.96 inch ones have an SSD1306, most of
            the 1.3 inch ones an SH1106, most of the 1.5 and 2.4 inch ones an SSD1309.
        i2c_port: Number of the I2C bus: 1 is ``/dev/i2c-1``.
        i2c_address: Address on the I2C bus, 0x3C or 0x3D on all common boards.
        spi_port: Number of the SPI bus: port 0, device 0 is ``/dev/spidev0.0``.
        spi_device: Chip select of the SPI bus.
        gpio_dc: GPIO number (not the pin of the header) of the data/command line of SPI.
        gpio_reset: GPIO number of the reset line of SPI.
        upside_down: The display is mounted with its lower edge up.
        contrast: How bright lit pixels are, 0 to 255.
    """

    connection: Literal["i2c", "spi"] = "i2c"
    controller: Controller = "ssd1306"
    i2c_port: int = 1
    i2c_address: int = 0x3C
    spi_port: int = 0
    spi_device: int = 0
    gpio_dc: int = 24
    gpio_reset: int = 25
    upside_down: bool = False
    contrast: int = CONTRAST

    @property
    def place(self) -> str:
        """The place where the display is looked for, in words."""
        if self.connection == "i2c":
            return f"I2C bus {self.i2c_port}, address 0x{self.i2c_address:02X}"
        return f"SPI {self.spi_port}.{self.spi_device}"


def checked_image(image: Image.Image, size_wh: tuple[int, int]) -> Image.Image:
    """The picture, if a display of that size can show it as it is.

    Raises:
        ValueError: It has another mode or size.
    """
    if image.mode != "1" or image.size != size_wh:
        raise ValueError(
            f"a display of {size_wh[0]}x{size_wh[1]} takes a picture of that size and mode '1', "
            f"not {image.size[0]}x{image.size[1]} and mode '{image.mode}'"
        )
    return image


def checked_contrast(level: int) -> int:
    """The level, if there is such a contrast.

    Raises:
        ValueError: There is none.
    """
    if not 0 <= level <= 255:
        raise ValueError(f"a contrast is a whole number from 0 to 255, not {level}")
    return level


def closed_error(place: str) -> DisplayError:
    """The error of a display that is used after ``close``."""
    return DisplayError("display-closed", "the display is closed: open it again", place)
