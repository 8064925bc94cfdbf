"""Settings with their defaults: a tree of immutable values.

The names are the keys of ``settings.toml``; the classes of the devices (``hardware.settings``) and
of storage are its tables. What each value may be stands in ``firmware.settings.rules``.
"""

from dataclasses import asdict, dataclass, field
from typing import Any, Final

from firmware.base.language import system_language
from hardware.settings import ButtonSettings, CameraSettings, DisplaySettings, SignalSettings
from vision.editions.edition import STANDARD_EDITION

MAX_NAME_LETTERS: Final = 18
"""Longest name of a player; longer ones are cut off on some screens."""
DEFAULT_GAME: Final = "between-two-cities"
"""Game of a scanner that was not set up."""


@dataclass(frozen=True, slots=True)
class StorageSettings:
    """Limits of the stored photos.

    Attributes:
        photos_max: Most photos to keep; 0 keeps none.
        photos_max_mb: Most megabytes (of 1,000,000 bytes) of photos.
        photos_max_days: Longest time to keep a photo in days; 0 for no limit.
    """

    photos_max: int = 200
    photos_max_mb: int = 500
    photos_max_days: int = 0


@dataclass(frozen=True, slots=True)
class PageSettings:
    """Web page for phones in the same network.

    Attributes:
        on: True to serve it.
        port: TCP port.
    """

    on: bool = False
    port: int = 8080


@dataclass(frozen=True, slots=True)
class MqttSettings:
    """MQTT broker of ``stadtblick mqtt``.

    Attributes:
        host: Name or address; empty without a broker.
        port: TCP port.
        tls: True to encrypt the connection.
        user: Name to log in with; empty for none.
        password_file: Path of a file with the password on its first line; empty for none.
    """

    host: str = ""
    port: int = 1883
    tls: bool = False
    user: str = ""
    password_file: str = ""


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings.

    Attributes:
        language: Language of all texts.
        game: Identifier of the game, or ``reading-only`` for one without rules.
        variant: Variant, for games that have variants.
        level: Level, for games that have levels.
        edition: Name of the edition of tiles and board; it belongs to ``game``.
        players: Names in seat order; empty for a seat without a name. Seats beyond have none.
        camera: Source of the photos.
        display: Connection of the display.
        buttons: Connection of the buttons.
        signals: Connection of buzzer and lamp.
        storage: Limits of the stored photos.
        page: Web page for phones.
        mqtt: MQTT broker that gets the results.
    """

    language: str = field(default_factory=system_language)
    game: str = DEFAULT_GAME
    variant: str = "standard"
    level: int = 1
    edition: str = STANDARD_EDITION
    players: tuple[str, ...] = ()
    camera: CameraSettings = field(default_factory=CameraSettings)
    display: DisplaySettings = field(default_factory=DisplaySettings)
    buttons: ButtonSettings = field(default_factory=ButtonSettings)
    signals: SignalSettings = field(default_factory=SignalSettings)
    storage: StorageSettings = field(default_factory=StorageSettings)
    page: PageSettings = field(default_factory=PageSettings)
    mqtt: MqttSettings = field(default_factory=MqttSettings)


def values_by_key(settings: Settings) -> dict[str, Any]:
    """Return all settings by their keys, such as ``game`` and ``camera.kind``."""
    found: dict[str, Any] = {}
    for name, value in asdict(settings).items():
        inner = value.items() if isinstance(value, dict) else ()
        found |= {f"{name}.{key}": one for key, one in inner} or {name: value}
    return found


def seat_names(players: tuple[str, ...], count: int) -> tuple[str, ...] | None:
    """Return the names for a table of this many players, in seat order; None without any name.

    A seat without a name is called by its number (``P3``); where another player
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
