"""File ``settings.toml``: bad values become defaults with a warning; only changes are written."""

from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any, Final

from firmware.base.checked_input import decode_text, join_places, parse_toml_text, read_toml_file
from firmware.base.errors import OutputError, UsageError, system_reason
from firmware.base.problem import Problem
from firmware.base.user_data import set_aside, user_folder, write_safely
from firmware.settings.defaults import Settings, values_by_key
from firmware.settings.rules import Rule, find_rule, make_consistent, settings_from
from vision.message import Message, Value

FILE_NAME: Final = "settings.toml"
_DAMAGED: Final = "settings-not-toml"


def settings_path() -> Path:
    """Return the path of the settings; the file may not exist yet."""
    return user_folder() / FILE_NAME


def setting_location(key: str) -> str:
    """Return file and key of a setting, for errors and warnings."""
    return f"{settings_path()}, {key}"


def load_settings(path: Path | None = None) -> tuple[Settings, tuple[Problem, ...]]:
    """Load the settings, with defaults for values that are missing or not allowed.

    Args:
        path: Path of the file; None for the default one.

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
        where = join_places(str(path), error.where)
        return Settings(), (_damaged(error.message, where, Message("correct it")),)


def set_damaged_aside(warnings: Sequence[Problem], path: Path | None = None) -> tuple[Problem, ...]:
    """Rename the settings file if it is no TOML, so that a new one can take its place.

    Args:
        warnings: Warnings of ``load_settings``.
        path: Path of the file; None for the default one.

    Returns:
        The warnings, with the new name of the file.
    """
    path = path or settings_path()
    return tuple(_set_aside(each, path) if each.code == _DAMAGED else each for each in warnings)


def _set_aside(warning: Problem, path: Path) -> Problem:
    target = set_aside(path)
    if target is None:
        return warning
    advice = Message("the file is now called {name}", name=target.name)
    return _damaged(warning.values["what"], warning.where, advice)


def _damaged(what: Value, where: str, advice: Message) -> Problem:
    message = Message("{what}, so the defaults are used: {advice}", what=what, advice=advice)
    return Problem(_DAMAGED, message, where)


def store_settings(settings: Settings, path: Path | None = None) -> None:
    """Write the settings that differ from those in the file; keep everything else in it.

    Without a file, the documented one is the start. A file that is no TOML is renamed first. The
    file is written atomically.

    Args:
        settings: New settings; defaults are stored for those that contradict others.
        path: Path of the file; None for the default one.

    Raises:
        OutputError: ``file-not-writable``.
    """
    path = path or settings_path()
    settings = make_consistent(settings)
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
    return decode_text(_DAMAGED, read_toml_file(_DAMAGED, path))


def _parse(text: str) -> dict[str, Any]:
    return parse_toml_text("settings-not-toml", text)


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
        before = values_by_key(old)
        for key, value in values_by_key(settings).items():
            if value == before[key]:
                continue
            table, _dot, name = key.rpartition(".")
            if table and not isinstance(document.get(table), Mapping):
                document[table] = tomlkit.table()
            place: Any = document[table] if table else document
            place[name] = _item(value, find_rule(key))
        after = tomlkit.dumps(document)
        stored, _ = settings_from(_parse(after), "")
    except (TOMLKitError, TypeError, ValueError, LookupError):
        return None
    return after if stored == settings else None


def _item(value: Any, rule: Rule) -> Any:
    import tomlkit

    if rule.hexadecimal:
        return tomlkit.value(f"0x{value:02X}")
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return list(value) if isinstance(value, tuple) else value
