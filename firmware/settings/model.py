"""What can be set: one tree of immutable values, and its defaults.

The names are the keys of ``settings.toml``; the classes below ``Settings`` are its tables. What
each value may be stands in ``firmware.settings.allowed``.
"""

from dataclasses import dataclass, field
from typing import Final, Literal

from firmware.language import system_language
from scoring.games import between_two_cities
from scoring.games.between_two_cities.table import Variant

STANDARD_EDITION: Final = "standard"
"""The edition of each game that needs no teaching."""

CameraKind = Literal["picamera", "v4l2", "folder", "file", "none"]


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """Where photos come from.

    Attributes:
        kind: a camera module of the Raspberry Pi, a USB camera, the pictures of a folder in turn,
            always the same file, or no camera.
        size_wh: width and height in pixels.
        number: which camera, where several are connected: the index at the ribbon cables, or
            the number of ``/dev/video0``.
        source: path of the folder or file, for the kinds ``folder`` and ``file``.
        upside_down: the camera is mounted head down.
    """

    kind: CameraKind = "picamera"
    size_wh: tuple[int, int] = (2304, 1296)
    number: int = 0
    source: str = ""
    upside_down: bool = False


@dataclass(frozen=True, slots=True)
class DisplaySettings:
    """How the display is connected and how bright it is; see ``hardware.display``.

    Attributes:
        kind: an OLED, or no display.
        connection: the bus it hangs on.
        controller: the chip on it.
        i2c_port: number of the I2C bus.
        i2c_address: address on the I2C bus.
        spi_port: number of the SPI bus.
        spi_device: chip select of the SPI bus.
        gpio_dc: GPIO number of the data/command line of SPI.
        gpio_reset: GPIO number of the reset line of SPI.
        upside_down: it is mounted with its lower edge up.
        contrast: brightness from 0 to 255.
        dim_after_s: dim it, and shift its pixels, after so many seconds without a button; 0: never.
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


@dataclass(frozen=True, slots=True)
class ButtonSettings:
    """GPIO numbers (not pins of the header) of the three buttons.

    Attributes:
        scan_gpio: of the button that starts a scan.
        next_gpio: of the button that turns the page.
        ok_gpio: of the button that accepts and goes back.
    """

    scan_gpio: int = 17
    next_gpio: int = 27
    ok_gpio: int = 22


@dataclass(frozen=True, slots=True)
class StorageSettings:
    """How much is kept.

    Attributes:
        photos_max: so many photos at most; 0: none.
        photos_max_mb: so many megabytes (of 1,000,000 bytes) of photos at most.
    """

    photos_max: int = 200
    photos_max_mb: int = 500


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set.

    Attributes:
        language: of the display and of all texts.
        game: its identifier, or ``reading-only`` for one without rules.
        variant: how the players share the cities, in Between Two Cities.
        level: of games that have levels.
        edition: whose look tiles and board have; of this game.
        players: names in seat order; empty where a seat has none, and so for the seats beyond.
        camera: where photos come from.
        display: how it is connected.
        buttons: how they are connected.
        storage: how much is kept.
    """

    language: str = field(default_factory=system_language)
    game: str = between_two_cities.NAME
    variant: str = Variant.STANDARD.value
    level: int = 1
    edition: str = STANDARD_EDITION
    players: tuple[str, ...] = ()
    camera: CameraSettings = CameraSettings()
    display: DisplaySettings = DisplaySettings()
    buttons: ButtonSettings = ButtonSettings()
    storage: StorageSettings = StorageSettings()


def seat_names(players: tuple[str, ...], count: int) -> tuple[str, ...] | None:
    """The names for a table of so many players, in seat order; None: nobody has a name.

    A seat without a name is called by its number (``P3``), as everywhere; where another player
    has just this name, it is called by the next number that is free.
    """
    given = [players[seat] if seat < len(players) else "" for seat in range(count)]
    if not any(given):
        return None
    names: list[str] = []
    for seat, name in enumerate(given):
        number = seat + 1
        while not name:
            free = f"P{number}"
            name = "" if free in given or free in names else free  # noqa: PLW2901
            number += 1
        names.append(name)
    return tuple(names)
