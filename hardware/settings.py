"""Settings of the devices; the defaults are those of the wiring guide.

Plain values: a program may know them without any driver, and keep them in a file.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

CameraKind = Literal["picamera", "v4l2", "folder", "file", "none"]


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """Source of the photos.

    Attributes:
        kind: Camera module at the ribbon cable, a USB camera, the pictures of a folder in turn,
            always the same file, or no camera.
        size_wh: Width and height in pixels. The default is the binned mode of the Camera Module
            3; its full sensor is (4608, 2592).
        number: Number of the camera, where several are connected: the index at the ribbon cables,
            or the 0 of ``/dev/video0``.
        source: Path of the folder or file, for the kinds ``folder`` and ``file``.
        upside_down: True if the camera is mounted head down.
    """

    kind: CameraKind = "picamera"
    size_wh: tuple[int, int] = (2304, 1296)
    number: int = 0
    source: str = ""
    upside_down: bool = False

    @property
    def path(self) -> Path | None:
        """Path of the folder or file; None without one."""
        return Path(self.source).expanduser() if self.source else None

    @property
    def where(self) -> str:
        """Name of the camera in messages: how it is connected."""
        match self.kind:
            case "picamera":
                return f"camera {self.number}"
            case "v4l2":
                return f"/dev/video{self.number}"
            case "folder" | "file":
                return str(self.path or f"{self.kind} of pictures")
        return "camera"


@dataclass(frozen=True, slots=True)
class DisplaySettings:
    """Connection and brightness of the display.

    Attributes:
        kind: An OLED, or no display.
        connection: Bus of the display.
        controller: Chip of the display; most of the 0.96 inch ones have an SSD1306, most of the 1.3
            inch ones an SH1106, most of the 1.5 and 2.42 inch ones an SSD1309.
        i2c_port: Number of the I2C bus: 1 is ``/dev/i2c-1``.
        i2c_address: Address on the I2C bus, 0x3C or 0x3D on all common boards.
        spi_port: Number of the SPI bus: port 0, device 0 is ``/dev/spidev0.0``.
        spi_device: Chip select of the SPI bus.
        gpio_dc: GPIO number (not the pin of the header) of the data/command line of SPI.
        gpio_reset: GPIO number of the reset line of SPI.
        upside_down: True if it is mounted with its lower edge up.
        contrast: Brightness from 0 to 255; 207 is bright enough for daylight, and 255 is hardly
            brighter and wears the display out sooner.
        dim_after_s: Seconds without use until it is dimmed and shifted; 0 for never.
        sh1106_column: First of the 132 columns of an SH1106 that the glass shows, 0 to 4; nearly
            all boards wire up the middle ones.
    """

    kind: Literal["oled", "none"] = "oled"
    connection: Literal["i2c", "spi"] = "i2c"
    controller: Literal["ssd1306", "sh1106", "ssd1309"] = "ssd1306"
    i2c_port: int = 1
    i2c_address: int = 0x3C
    spi_port: int = 0
    spi_device: int = 0
    gpio_dc: int = 24
    gpio_reset: int = 25
    upside_down: bool = False
    contrast: int = 207
    dim_after_s: float = 120.0
    sh1106_column: int = 2

    @property
    def where(self) -> str:
        """Name of the display in messages: how it is connected."""
        if self.connection == "i2c":
            return f"I2C bus {self.i2c_port}, address 0x{self.i2c_address:02X}"
        return f"SPI {self.spi_port}.{self.spi_device}"


@dataclass(frozen=True, slots=True)
class ButtonSettings:
    """GPIO numbers (not pins of the header) of the buttons, each between its line and ground.

    Attributes:
        scan_gpio: Line of the button SCAN.
        next_gpio: Line of the button NEXT.
        ok_gpio: Line of the button OK.
    """

    scan_gpio: int = 17
    next_gpio: int = 27
    ok_gpio: int = 22


@dataclass(frozen=True, slots=True)
class SignalSettings:
    """GPIO numbers (not pins of the header) of buzzer and lamp; -1 if there is none.

    Attributes:
        buzzer_gpio: Line of a buzzer that sounds by itself while its line is high.
        lamp_gpio: Line of a light-emitting diode, or of a switch that turns a lamp or ring on.
    """

    buzzer_gpio: int = -1
    lamp_gpio: int = -1

    @property
    def is_connected(self) -> bool:
        """True if there is a buzzer or a lamp."""
        return max(self.buzzer_gpio, self.lamp_gpio) >= 0
