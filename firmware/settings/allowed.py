"""What each setting may be."""

import string
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from firmware.language import LANGUAGES
from firmware.settings.rules import Names, Number, OneOf, Rule, Size, Text, WholeNumber, YesNo
from scoring.games import GAMES
from scoring.games.between_two_cities.table import Variant
from vision.editions.description import READING_ONLY

SYSTEM_LANGUAGE: Final = "system"
"""Instead of a language in the file: that of the system."""
MOST_PLAYERS: Final = 7
MOST_LETTERS: Final = 18
"""Of a player's name."""
_EDITION_LETTERS: Final = string.ascii_letters + string.digits + "_-"
_GPIO: Final = WholeNumber(0, 27)
"""Those that the header of a Raspberry Pi leads out."""

ALLOWED: Final[Mapping[str, Rule]] = MappingProxyType(
    {
        "language": OneOf((SYSTEM_LANGUAGE, *LANGUAGES)),
        "game": OneOf((*GAMES, READING_ONLY)),
        "variant": OneOf(tuple(variant.value for variant in Variant)),
        "level": OneOf(tuple(sorted({level for game in GAMES.values() for level in game.LEVELS}))),
        "edition": Text(
            40, "the name of an edition: 1 to 40 letters, digits, - and _", _EDITION_LETTERS
        ),
        "players": Names(MOST_PLAYERS, MOST_LETTERS),
        "camera.kind": OneOf(("picamera", "v4l2", "folder", "file", "none")),
        "camera.size_wh": Size(320, 8192),
        "camera.number": WholeNumber(0, 99),
        "camera.source": Text(900, "the path of a folder or file"),
        "camera.upside_down": YesNo(),
        "display.kind": OneOf(("oled", "none")),
        "display.connection": OneOf(("i2c", "spi")),
        "display.controller": OneOf(("ssd1306", "sh1106", "ssd1309")),
        "display.i2c_port": WholeNumber(0, 99),
        "display.i2c_address": WholeNumber(0x08, 0x77, hexadecimal=True),
        "display.spi_port": WholeNumber(0, 9),
        "display.spi_device": WholeNumber(0, 9),
        "display.gpio_dc": _GPIO,
        "display.gpio_reset": _GPIO,
        "display.upside_down": YesNo(),
        "display.contrast": WholeNumber(0, 255),
        "display.dim_after_s": Number(0, 86_400),
        "buttons.scan_gpio": _GPIO,
        "buttons.next_gpio": _GPIO,
        "buttons.ok_gpio": _GPIO,
        "storage.photos_max": WholeNumber(0, 100_000),
        "storage.photos_max_mb": WholeNumber(1, 1_000_000),
    }
)
"""The rule of each setting by its key, that of a table with the name of the table before it."""
