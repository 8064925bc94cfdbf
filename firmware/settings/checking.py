"""From what the file says to settings: what is not allowed is named, and the default is used."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any, Final, TypeVar, cast

from firmware.errors import UsageError, error_line, printable, shortened, suggestion
from firmware.settings.allowed import ALLOWED, SYSTEM_LANGUAGE
from firmware.settings.model import STANDARD_EDITION, ButtonSettings, DisplaySettings, Settings
from firmware.settings.rules import NotAllowedError, as_toml
from scoring.games import GAMES, between_two_cities
from scoring.games.between_two_cities.table import Variant
from vision.editions.description import READING_ONLY

T = TypeVar("T")

_I2C_1_GPIO: Final = {2: "the display's data", 3: "the display's clock"}
_SPI_0_GPIO: Final = {
    9: "SPI (MISO)",
    10: "the display's data",
    11: "the display's clock",
}
_CHIP_SELECT_GPIO: Final = {0: 8, 1: 7}


@dataclass(frozen=True, slots=True)
class SettingsWarning:
    """Something in the settings that cannot be used; the default is used in its place.

    Attributes:
        code: short stable identifier.
        message: one line saying what is wrong, then after a colon what to do.
        where: the file, and the key in it.
    """

    code: str
    message: str
    where: str

    @property
    def line(self) -> str:
        """All of it in one line, as errors are shown."""
        return error_line(UsageError(self.code, self.message, self.where))


@dataclass(frozen=True, slots=True)
class _Told:
    """Collects what cannot be used in a file."""

    file: str
    warnings: list[SettingsWarning] = field(default_factory=list)


def _warn(code: str, message: str, key: str, told: _Told) -> None:
    told.warnings.append(SettingsWarning(code, message, f"{told.file}, {key}"))


def settings_from(
    content: Mapping[str, Any], file: str
) -> tuple[Settings, tuple[SettingsWarning, ...]]:
    """The settings that the content of a file means, and what cannot be used in it."""
    told = _Told(file)
    settings = _checked(Settings(), content, "", told)
    settings = _with_free_lines(_with_fitting_game(settings, told), told)
    return settings, tuple(told.warnings)


def consistent(settings: Settings) -> Settings:
    """The settings with defaults in place of those that contradict others."""
    told = _Told("")
    return _with_free_lines(_with_fitting_game(settings, told), told)


def _checked(defaults: T, given: Mapping[str, Any], table: str, told: _Told) -> T:
    """One table of the file; ``defaults`` has the class of the result."""
    names = [one.name for one in fields(cast(Any, defaults))]
    values: dict[str, Any] = {}
    for name, value in given.items():
        if name not in names:
            key = f"{table}{printable(shortened(name))}"
            message = f"there is no setting {key}: {printable(suggestion(name, names))}"
            _warn("setting-unknown", message, key, told)
            continue
        default = getattr(defaults, name)
        if is_dataclass(default):
            if isinstance(value, Mapping):
                values[name] = _checked(default, value, f"{name}.", told)
            else:
                message = f"{as_toml(value)} is no table: write [{name}] and its settings below it"
                _warn("setting-not-allowed", message, name, told)
        elif (table, name, value) != ("", "language", SYSTEM_LANGUAGE):
            values[name] = _value_of(value, f"{table}{name}", default, told)
    return replace(cast(Any, defaults), **values)  # type: ignore[no-any-return]


def _value_of(given: object, key: str, default: object, told: _Told) -> object:
    rule = ALLOWED[key]
    try:
        return rule.value_of(given)
    except NotAllowedError:
        message = (
            f"{as_toml(given)} is not allowed, so it is {as_toml(default)}: use {rule.allowed}"
        )
        _warn("setting-not-allowed", message, key, told)
        return default


def _with_fitting_game(settings: Settings, told: _Told) -> Settings:
    game = settings.game
    if game == READING_ONLY and settings.edition == STANDARD_EDITION:
        usual = Settings().game
        message = (
            f"a game without rules is known by its edition alone, so it is {as_toml(usual)}: "
            "set edition to the name of one"
        )
        _warn("setting-conflict", message, "game", told)
        settings = replace(settings, game=usual)
        game = usual
    levels = GAMES[game].LEVELS if game in GAMES else (1,)
    if settings.level not in levels:
        message = f"{game} has no level {settings.level}, so it is 1: use 1"
        _warn("setting-conflict", message, "level", told)
        settings = replace(settings, level=1)
    standard = Variant.STANDARD.value
    if settings.variant != standard and game != between_two_cities.NAME:
        message = (
            f'{game} has no variant {settings.variant}, so it is "{standard}": use "{standard}"'
        )
        _warn("setting-conflict", message, "variant", told)
        settings = replace(settings, variant=standard)
    return settings


def _with_free_lines(settings: Settings, told: _Told) -> Settings:
    """No line of the header may serve two purposes."""
    usual = DisplaySettings()
    for safer in (
        settings,
        replace(settings, buttons=ButtonSettings()),
        replace(
            settings,
            buttons=ButtonSettings(),
            display=replace(settings.display, gpio_dc=usual.gpio_dc, gpio_reset=usual.gpio_reset),
        ),
    ):
        clash = _first_clash(safer)
        if clash is None:
            return safer
        gpio, key, other = clash
        message = (
            f"GPIO {gpio} is also used for {other}, so buttons and display are taken to be "
            "wired as in the wiring guide: use another line"
        )
        if safer is settings:
            _warn("setting-conflict", message, key, told)
    return safer


def _first_clash(settings: Settings) -> tuple[int, str, str] | None:
    """A line with two purposes: its number, the setting that names it, and the other purpose."""
    used = dict(_bus_lines(settings.display))
    for gpio, key in _lines_named(settings):
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
    return {**_SPI_0_GPIO, _CHIP_SELECT_GPIO[display.spi_device]: "the display's chip select"}


def _lines_named(settings: Settings) -> Sequence[tuple[int, str]]:
    display, buttons = settings.display, settings.buttons
    lines = [(getattr(buttons, one.name), f"buttons.{one.name}") for one in fields(buttons)]
    if display.kind == "oled" and display.connection == "spi":
        lines = [
            (display.gpio_dc, "display.gpio_dc"),
            (display.gpio_reset, "display.gpio_reset"),
            *lines,
        ]
    return lines
