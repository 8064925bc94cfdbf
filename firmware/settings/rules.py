"""Allowed values of each setting, and contradictions between settings.

The default replaces a value that is not allowed or contradicts another setting.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, is_dataclass, replace
from types import MappingProxyType
from typing import Any, Final, TypeVar, cast, get_args

from firmware.base.errors import printable, shorten, suggest_name
from firmware.base.language import LANGUAGES
from firmware.base.problem import Problem
from firmware.settings.defaults import MAX_NAME_LETTERS, Settings
from hardware.settings import ButtonSettings, CameraKind, DisplaySettings, SignalSettings
from scoring.games import GAMES
from scoring.legality import has_visible_characters
from vision.editions.description import READING_ONLY
from vision.editions.description_toml import EDITION_NAME
from vision.editions.edition import STANDARD_EDITION
from vision.message import Message

T = TypeVar("T")
Warn = Callable[[str, Message, str], None]
"""Callback with code, message and key of a setting that cannot be used."""

SYSTEM_LANGUAGE: Final = "system"
"""Value of ``language`` in the file for the language of the system."""

_HOST: Final = re.compile(r"[A-Za-z0-9._:-]{0,253}")
_I2C_1_GPIO: Final = {2: Message("the display's data"), 3: Message("the display's clock")}
_SPI_0_GPIO: Final = {
    9: "SPI (MISO)",
    10: Message("the display's data"),
    11: Message("the display's clock"),
}
_CHIP_SELECT_GPIO: Final = {0: 8, 1: 7}


@dataclass(frozen=True, slots=True)
class Rule:
    """Allowed values of one setting.

    Attributes:
        allowed: Allowed values in words, to follow after "use".
        convert: Function from a value of the file to the setting; None if it is not allowed.
        hexadecimal: True for numbers that are written so.
        choices: Allowed values, if they can be listed.
        limits: Least and greatest number, for numbers.
    """

    allowed: str
    convert: Callable[[Any], object]
    hexadecimal: bool = False
    choices: tuple[str | int, ...] = ()
    limits: tuple[float, float] | None = None


def as_toml(value: object) -> str:
    """Format a value as in a TOML file, shortened if it is long."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return f'"{printable(shorten(value))}"'
        case list() | tuple():
            return shorten(f"[{', '.join(as_toml(one) for one in value)}]", 80)
        case Mapping():
            return Message("a table")
        case int():
            # Python refuses to write a number of more than some thousand digits
            return str(value) if abs(value) < 10**40 else Message("a number of very many digits")
    return printable(shorten(str(value)))


def _one_of(*choices: str | int) -> Rule:
    *others, last = [as_toml(choice) for choice in choices]
    # true is not the number 1
    typed = [(type(choice), choice) for choice in choices]
    return Rule(
        Message("{others} or {last}", others=", ".join(others), last=last),
        lambda given: given if (type(given), given) in typed else None,
        choices=choices,
    )


def _whole_number(least: int, most: int, *, hexadecimal: bool = False) -> Rule:
    form = "0x{:02X}" if hexadecimal else "{}"
    return Rule(
        Message(
            "a whole number from {least} to {most}",
            least=form.format(least),
            most=form.format(most),
        ),
        lambda given: given if type(given) is int and least <= given <= most else None,
        hexadecimal,
        limits=(least, most),
    )


def _number(least: float, most: float) -> Rule:
    return Rule(
        Message("a number from {least} to {most}", least=f"{least:g}", most=f"{most:g}"),
        lambda given: (
            float(given) if type(given) in (int, float) and least <= given <= most else None
        ),
        limits=(least, most),
    )


def _size(least: int, most: int) -> Rule:
    side = _whole_number(least, most)

    def convert(given: object) -> object:
        if not isinstance(given, list) or len(given) != 2:
            return None
        return tuple(given) if all(side.convert(number) is not None for number in given) else None

    allowed = Message(
        "a list of width and height, two whole numbers from {least} to {most}",
        least=least,
        most=most,
    )
    return Rule(Message("{allowed}, like [2304, 1296]", allowed=allowed), convert)


def _names(most: int, most_letters: int) -> Rule:
    def convert(given: object) -> object:
        if not isinstance(given, list) or len(given) > most:
            return None
        names = [_name(each, most_letters) for each in given]
        called = [name for name in names if name]
        return tuple(names) if None not in names and len(set(called)) == len(called) else None

    allowed = Message(
        "a list of at most {most} different names of at most {letters} letters, none invisible or "
        "of dots alone",
        most=most,
        letters=most_letters,
    )
    return Rule(Message('{allowed}, like ["Ann", "Ben", "Cid"]', allowed=allowed), convert)


def _name(given: object, most_letters: int) -> str | None:
    """Return the name of a player, empty for none; None if it shows nothing that can be read.

    A name is a part of addresses of the page, where dots alone lead elsewhere.
    """
    one_form = unicodedata.normalize("NFC", given) if isinstance(given, str) else given
    text = _text(one_form, most_letters)
    return text if not text or (has_visible_characters(text) and text.strip(". ")) else None


def _edition(given: object) -> object:
    name = _text(given, 40)
    return name if name and EDITION_NAME.fullmatch(name) else None


def _text(given: object, most_letters: int) -> str | None:
    """Return a text without surrounding spaces; None if it is too long or not a printable line."""
    text = given.strip() if isinstance(given, str) else "\n"
    return text if len(text) <= most_letters and printable(text) == text else None


_GPIO: Final = _whole_number(0, 27)
"""GPIO numbers on the header of a Raspberry Pi."""
_GPIO_OR_NONE: Final = _whole_number(-1, 27)
_YES_NO: Final = Rule(
    Message("true or false"),
    lambda given: given if isinstance(given, bool) else None,
    choices=(True, False),
)


_PATH: Final = Rule(Message("the path of a folder or file"), lambda given: _text(given, 900))


def find_rule(key: str) -> Rule:
    """Return the rule of a setting by its key, such as ``game`` or ``camera.kind``."""
    match key:  # no constant: games can be registered while the program runs
        case "game":
            return _one_of(*GAMES, READING_ONLY)
        case "variant":
            variants = (name for game in GAMES.values() for name in game.VARIANTS)
            return _one_of(*dict.fromkeys(variants))
        case "level":
            return _one_of(*sorted({level for game in GAMES.values() for level in game.LEVELS}))
    return _RULES[key]


_RULES: Final[Mapping[str, Rule]] = MappingProxyType(
    {
        "language": _one_of(SYSTEM_LANGUAGE, *LANGUAGES),
        "edition": Rule(
            Message("the name of an edition: 1 to 40 letters, digits, - and _"), _edition
        ),
        "players": _names(7, MAX_NAME_LETTERS),
        "camera.kind": _one_of(*get_args(CameraKind)),
        "camera.size_wh": _size(320, 8192),
        "camera.number": _whole_number(0, 99),
        "camera.source": _PATH,
        "camera.upside_down": _YES_NO,
        "display.kind": _one_of("oled", "none"),
        "display.connection": _one_of("i2c", "spi"),
        "display.controller": _one_of("ssd1306", "sh1106", "ssd1309"),
        "display.i2c_port": _whole_number(0, 99),
        "display.i2c_address": _whole_number(0x08, 0x77, hexadecimal=True),
        "display.spi_port": _whole_number(0, 9),
        "display.spi_device": _whole_number(0, 9),
        "display.gpio_dc": _GPIO,
        "display.gpio_reset": _GPIO,
        "display.upside_down": _YES_NO,
        "display.contrast": _whole_number(0, 255),
        "display.dim_after_s": _number(0, 86_400),
        "display.sh1106_column": _whole_number(0, 4),
        "buttons.scan_gpio": _GPIO,
        "buttons.next_gpio": _GPIO,
        "buttons.ok_gpio": _GPIO,
        "signals.buzzer_gpio": _GPIO_OR_NONE,
        "signals.lamp_gpio": _GPIO_OR_NONE,
        "storage.photos_max": _whole_number(0, 100_000),
        "storage.photos_max_mb": _whole_number(1, 1_000_000),
        "storage.photos_max_days": _whole_number(0, 36_500),
        "page.on": _YES_NO,
        "page.port": _whole_number(1024, 65_535),
        "mqtt.host": Rule(
            Message("the name or address of a computer, or nothing"),
            lambda given: given if isinstance(given, str) and _HOST.fullmatch(given) else None,
        ),
        "mqtt.port": _whole_number(1, 65_535),
        "mqtt.tls": _YES_NO,
        "mqtt.user": Rule(Message("a name"), lambda given: _text(given, 200)),
        "mqtt.password_file": _PATH,
    }
)
"""Rules that do not depend on the games."""


def settings_from(content: Mapping[str, Any], file: str) -> tuple[Settings, tuple[Problem, ...]]:
    """Return the settings of a parsed file, and the warnings about it."""
    problems: list[Problem] = []

    def warn(code: str, message: Message, key: str) -> None:
        problems.append(Problem(code, message, f"{file}, {key}"))

    settings = _check_table(Settings(), content, "", warn)
    settings = _resolve_gpio_conflicts(_resolve_game_conflicts(settings, warn), warn)
    return settings, tuple(problems)


def make_consistent(settings: Settings) -> Settings:
    """Return the settings with composed names, and defaults for those that contradict others."""

    def ignore(*_warning: object) -> None:
        pass

    players = tuple(unicodedata.normalize("NFC", name) for name in settings.players)
    settings = replace(settings, players=players)
    return _resolve_gpio_conflicts(_resolve_game_conflicts(settings, ignore), ignore)


def _check_table(defaults: T, given: Mapping[str, Any], table: str, warn: Warn) -> T:
    """Check one table of the file; ``defaults`` has the class of the result."""
    names = [one.name for one in fields(cast(Any, defaults))]
    values: dict[str, Any] = {}
    for name, value in given.items():
        key = f"{table}{printable(shorten(name))}"
        default = getattr(defaults, name) if name in names else None
        if name not in names:
            advice = suggest_name(name, names)
            message = Message("there is no setting {key}: {advice}", key=key, advice=advice)
            warn("setting-unknown", message, key)
        elif is_dataclass(default) and isinstance(value, Mapping):
            values[name] = _check_table(default, value, f"{name}.", warn)
        elif is_dataclass(default):
            message = Message(
                "{value} is no table: write [{name}] and its settings below it",
                value=as_toml(value),
                name=name,
            )
            warn("setting-not-allowed", message, name)
        elif (key, value) != ("language", SYSTEM_LANGUAGE):  # "system" keeps the default
            rule = find_rule(key)
            converted = rule.convert(value)
            values[name] = default if converted is None else converted
            if converted is None:
                message = Message(
                    "{value} is not allowed; {default} is used instead",
                    value=as_toml(value),
                    default=as_toml(default),
                )
                message = Message("{message}: use {allowed}", message=message, allowed=rule.allowed)
                warn("setting-not-allowed", message, key)
    return replace(cast(Any, defaults), **values)  # type: ignore[no-any-return]


def _resolve_game_conflicts(settings: Settings, warn: Warn) -> Settings:
    """Replace a game, level or variant that contradict each other or the edition."""
    game, level, variant = settings.game, settings.level, settings.variant
    if game == READING_ONLY and settings.edition == STANDARD_EDITION:
        game = Settings().game
        message = Message(
            "a game without rules is known only by its edition; {replacement} is used instead: "
            "set edition to the name of one",
            replacement=as_toml(game),
        )
        warn("setting-conflict", message, "game")
    if level not in (GAMES[game].LEVELS if game in GAMES else (1,)):
        message = Message(
            "{game} has no level {level}; level 1 is used instead: use 1", game=game, level=level
        )
        warn("setting-conflict", message, "level")
        level = 1
    standard, *variants = GAMES[game].VARIANTS if game in GAMES else ("standard",)
    if variant not in (standard, *variants):
        message = Message(
            '{game} has no variant {variant}; "{standard}" is used instead: use "{standard}"',
            game=game,
            variant=variant,
            standard=standard,
        )
        warn("setting-conflict", message, "variant")
        variant = standard
    return replace(settings, game=game, level=level, variant=variant)


def _resolve_gpio_conflicts(settings: Settings, warn: Warn) -> Settings:
    """Replace connections if a GPIO line serves two purposes."""
    clash = _first_clash(settings)
    if clash is None:
        return settings
    gpio, key, other = clash
    message = Message(
        "GPIO {gpio} is also used for {other}, so buttons and display are taken to be wired "
        "as in the wiring guide, without buzzer and lamp: use another line",
        gpio=gpio,
        other=other,
    )
    warn("setting-conflict", message, key)
    default = DisplaySettings()
    safe = replace(settings, buttons=ButtonSettings(), signals=SignalSettings())
    if _first_clash(safe) is None:
        return safe
    display = replace(safe.display, gpio_dc=default.gpio_dc, gpio_reset=default.gpio_reset)
    return replace(safe, display=display)


def _first_clash(settings: Settings) -> tuple[int, str, str] | None:
    """Find a GPIO line with two purposes: its number, its setting, and the other purpose."""
    used, display = dict(_bus_lines(settings.display)), settings.display
    named = [(number, f"buttons.{name}") for name, number in asdict(settings.buttons).items()]
    signals = asdict(settings.signals).items()
    named += [(number, f"signals.{name}") for name, number in signals if number >= 0]
    if display.kind == "oled" and display.connection == "spi":
        of_display = ("gpio_dc", "gpio_reset")
        named = [(getattr(display, name), f"display.{name}") for name in of_display] + named
    for gpio, key in named:
        if gpio in used:
            return gpio, key, used[gpio]
        used[gpio] = key
    return None


def _bus_lines(display: DisplaySettings) -> Mapping[int, str]:
    if display.kind == "none":
        return {}
    if display.connection == "i2c":
        return _I2C_1_GPIO if display.i2c_port == 1 else {}
    if display.spi_port != 0 or display.spi_device not in _CHIP_SELECT_GPIO:
        return {}
    chip_select = _CHIP_SELECT_GPIO[display.spi_device]
    return {**_SPI_0_GPIO, chip_select: Message("the display's chip select")}
