"""Reading ``settings.toml``: whatever is in it, there are settings to work with."""

from pathlib import Path
from typing import Final

from firmware.set_aside import set_aside
from firmware.settings.checking import SettingsWarning, settings_from
from firmware.settings.model import Settings
from firmware.settings.toml_text import MAX_BYTES, NotTomlError, content_of, text_of
from firmware.user_data import user_folder
from vision.regular_file import read_start

FILE_NAME: Final = "settings.toml"


def settings_path() -> Path:
    """Where the settings are kept; the file may not exist yet."""
    return user_folder() / FILE_NAME


def load_settings(
    path: Path | None = None, *, keep_damaged: bool = False
) -> tuple[Settings, tuple[SettingsWarning, ...]]:
    """The settings, with defaults for all that is missing or not allowed.

    A file that is no TOML is set aside (``firmware.set_aside``), and all defaults are used.

    Args:
        path: of the file; None: the usual one.
        keep_damaged: leave a file that is no TOML where it is.

    Returns:
        The settings, and what cannot be used: ``setting-unknown``, ``setting-not-allowed`` and
        ``setting-conflict`` for one of them, ``settings-not-toml`` and ``settings-unreadable`` if
        it is the whole file.
    """
    path = path or settings_path()
    try:
        data = read_file(path)
    except FileNotFoundError:
        return Settings(), ()
    except OSError as error:
        why = error.strerror or type(error).__name__
        message = f"the settings cannot be read ({why}), so the defaults are used: check the file"
        return Settings(), (_whole_file("settings-unreadable", message, str(path)),)
    try:
        settings, warnings = settings_from(content_of(text_of(data)), str(path))
    except NotTomlError as error:
        advice = "correct it" if keep_damaged else _setting_aside(path)
        where = ", ".join(part for part in (str(path), error.place) if part)
        message = f"{error.what}, so the defaults are used: {advice}"
        return Settings(), (_whole_file("settings-not-toml", message, where),)
    return settings, warnings


def read_file(path: Path) -> bytes:
    """The content of a file, or the beginning of one that is too large.

    Raises:
        OSError: it cannot be read, or is none.
    """
    return read_start(path, MAX_BYTES + 1)


def _setting_aside(path: Path) -> str:
    target = set_aside(path)
    return "correct it" if target is None else f"the file is now called {target.name}"


def _whole_file(code: str, message: str, where: str) -> SettingsWarning:
    return SettingsWarning(code, message, where)
