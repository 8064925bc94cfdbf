"""What can be set: one tree of immutable values, and its defaults.

The names are the keys of ``settings.toml``; the classes of the devices (``hardware.settings``) and
of storage are its tables. What each value may be stands in ``firmware.settings.rules``.
"""

from dataclasses import asdict, dataclass, field
from typing import Any, Final

from firmware.base.language import system_language
from hardware.settings import ButtonSettings, CameraSettings, DisplaySettings, SignalSettings
from scoring.games import GAMES

STANDARD_EDITION: Final = "standard"
"""The edition of each game that needs no teaching."""


@dataclass(frozen=True, slots=True)
class StorageSettings:
    """How much is kept.

    Attributes:
        photos_max: so many photos at most; 0: none.
        photos_max_mb: so many megabytes (of 1,000,000 bytes) of photos at most.
        photos_max_days: for so many days at most; 0: however old they are.
    """

    photos_max: int = 200
    photos_max_mb: int = 500
    photos_max_days: int = 0


@dataclass(frozen=True, slots=True)
class PageSettings:
    """The page for phones in the same network.

    Attributes:
        on: whether it is served.
        port: where.
    """

    on: bool = False
    port: int = 8080


@dataclass(frozen=True, slots=True)
class MqttSettings:
    """The broker that ``stadtblick mqtt`` connects with.

    Attributes:
        host: its name or address; empty: none.
        port: where.
        tls: whether it is spoken to in secret.
        user: its name there; empty: none is given.
        password_file: path of a file whose first line is the password; empty: none is given.
    """

    host: str = ""
    port: int = 1883
    tls: bool = False
    user: str = ""
    password_file: str = ""


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set.

    Attributes:
        language: of the display and of all texts.
        game: its identifier, or ``reading-only`` for one without rules; at first the first of all.
        variant: of games that have variants.
        level: of games that have levels.
        edition: whose look tiles and board have; of this game.
        players: names in seat order; empty where a seat has none, and so for the seats beyond.
        camera: where photos come from.
        display: how it is connected.
        buttons: how they are connected.
        signals: how buzzer and lamp are connected.
        storage: how much is kept.
        page: whether there is a page for phones.
        mqtt: the broker that is told of results.
    """

    language: str = field(default_factory=system_language)
    game: str = next(iter(GAMES))
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


def by_key(settings: Settings) -> dict[str, Any]:
    """All settings by their keys; those of a table with its name before them, ``camera.kind``."""
    found: dict[str, Any] = {}
    for name, value in asdict(settings).items():
        inner = value.items() if isinstance(value, dict) else ()
        found |= {f"{name}.{key}": one for key, one in inner} or {name: value}
    return found


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
