"""File ``settings.toml``: any content gives settings, and only changed values are written."""

from collections.abc import Mapping
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any, Final

from firmware.base.errors import OutputError, UsageError, system_reason
from firmware.base.problem import Problem
from firmware.base.toml_text import MAX_BYTES, decode_text, parse_toml_text
from firmware.base.user_data import set_aside, user_folder, write_safely
from firmware.settings.model import Settings, by_key
from firmware.settings.rules import Rule, consistent, rule_of, settings_from
from vision.errors import Message
from vision.photo.regular_file import read_start

FILE_NAME: Final = "settings.toml"
_parse: Final = partial(parse_toml_text, "settings-not-toml")


def settings_path() -> Path:
    """Return the path of the settings; the file may not exist yet."""
    return user_folder() / FILE_NAME


def setting_place(key: str) -> str:
    """Return file and key of a setting, for errors and warnings."""
    return f"{settings_path()}, {key}"


def load_settings(
    path: Path | None = None, *, keep_damaged: bool = False
) -> tuple[Settings, tuple[Problem, ...]]:
    """Load the settings, with defaults for values that are missing or not allowed.

    A file that is no TOML is renamed (``set_aside``), and all defaults are used.

    Args:
        path: Path of the file; None for the usual one.
        keep_damaged: True to leave a file that is no TOML in its place.

    Returns:
        Settings, and warnings: ``setting-unknown``, ``setting-not-allowed`` and
        ``setting-conflict`` for one setting, ``settings-not-toml`` and ``settings-unreadable`` for
        the whole file.
    """
    path = path or settings_path()
    try:
        return settings_from(_parse(_read_text(path)), str(path))
    except FileNotFoundError:
        return Settings(), ()
    except OSError as error:
        message = Message(
            "the settings cannot be read ({why}), so the defaults are used: check the file",
            why=system_reason(error),
        )
        return Settings(), (Problem("settings-unreadable", message, str(path)),)
    except UsageError as error:
        target = None if keep_damaged else set_aside(path)
        advice = (
            Message("correct it")
            if target is None
            else Message("the file is now called {name}", name=target.name)
        )
        where = f"{path}, {error.where}" if error.where else str(path)
        message = Message(
            "{what}, so the defaults are used: {advice}", what=error.message, advice=advice
        )
        return Settings(), (Problem(error.code, message, where),)


def store_settings(settings: Settings, path: Path | None = None) -> None:
    """Write the settings that differ from those in the file; keep everything else in it.

    Without a file, the documented one is the start. A file that is no TOML is renamed first. The
    file is written atomically.

    Args:
        settings: New settings; defaults are stored for those that contradict others.
        path: Path of the file; None for the usual one.

    Raises:
        OutputError: ``file-not-writable``.
    """
    path = path or settings_path()
    settings = consistent(settings)
    before = _text_to_change(path)
    after = _change_text(before, settings)
    if after is None:  # written in a way that cannot be changed in place
        set_aside(path)
        after = _change_text(documented_defaults(), settings)
    if after is None:
        raise AssertionError("the documented settings cannot be changed")
    if after != before or not path.exists():
        write_safely(path, after.encode("utf-8"))


def create_settings_file(path: Path | None = None) -> bool:
    """Write the documented file with all defaults, if there is none.

    Returns:
        Whether it was written.

    Raises:
        OutputError: ``file-not-writable``.
    """
    path = path or settings_path()
    if path.exists():
        return False
    write_safely(path, documented_defaults().encode("utf-8"))
    return True


def documented_defaults() -> str:
    """Return the text of a new settings file: each setting with its default and its meaning."""
    return (resources.files("firmware.settings") / FILE_NAME).read_text("utf-8")


def _read_text(path: Path) -> str:
    """Read the text of the file.

    Raises:
        OSError: It cannot be read.
        UsageError: It is too large or no UTF-8.
    """
    data = read_start(path, MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise UsageError(
            "settings-not-toml", "these are more than {most} bytes", "", most=MAX_BYTES
        )
    return decode_text("settings-not-toml", data)


def _text_to_change(path: Path) -> str:
    """Return the text to change: that of the file, or the documented one if it cannot be used."""
    try:
        text = _read_text(path)
        _parse(text)
    except FileNotFoundError:
        return documented_defaults()
    except UsageError:
        set_aside(path)
        return documented_defaults()
    except OSError as error:
        raise OutputError(
            "file-not-writable",
            "the settings cannot be read, so nothing is written over them ({why}): check the "
            "file and its permissions",
            str(path),
            why=system_reason(error),
        ) from error
    return text


def _change_text(text: str, settings: Settings) -> str | None:
    """Return the text with these settings; None if it cannot be changed to mean them."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    old, _ = settings_from(_parse(text), "")
    try:
        document = tomlkit.parse(text)
        before = by_key(old)
        for key, value in by_key(settings).items():
            if value == before[key]:
                continue
            table, _dot, name = key.rpartition(".")
            if table and not isinstance(document.get(table), Mapping):
                document[table] = tomlkit.table()
            place: Any = document[table] if table else document
            place[name] = _item(value, rule_of(key))
        after = tomlkit.dumps(document)
        meant, _ = settings_from(_parse(after), "")
    except (TOMLKitError, TypeError, ValueError, LookupError):
        return None
    return after if meant == settings else None


def _item(value: Any, rule: Rule) -> Any:
    import tomlkit

    if rule.hexadecimal:
        return tomlkit.value(f"0x{value:02X}")
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return list(value) if isinstance(value, tuple) else value
