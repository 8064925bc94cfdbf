"""Writing ``settings.toml``: only what has changed, all comments stay."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from firmware.errors import OutputError
from firmware.set_aside import set_aside
from firmware.settings.allowed import ALLOWED
from firmware.settings.checking import consistent, settings_from
from firmware.settings.model import Settings
from firmware.settings.reading import FILE_NAME, read_file, settings_path
from firmware.settings.rules import Rule, WholeNumber
from firmware.settings.toml_text import NotTomlError, content_of, text_of
from firmware.user_data import write_safely


def store_settings(settings: Settings, path: Path | None = None) -> None:
    """Write the settings that differ from those in the file; all else in it stays as it is.

    Without a file, the documented one is begun. A file that is no TOML is set aside first. The
    file holds its old or its new content, whenever the power goes.

    Args:
        settings: those of them that contradict others are stored as the defaults.
        path: of the file; None: the usual one.

    Raises:
        OutputError: ``file-not-writable``.
    """
    path = path or settings_path()
    settings = consistent(settings)
    before = _text_before(path)
    after = _changed(before, settings)
    if after is None:  # written in a way that cannot be changed in place
        set_aside(path)
        after = _changed(documented_defaults(), settings)
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
    """The text of a new settings file: each setting with its default, and what it means."""
    return (resources.files("firmware.settings") / FILE_NAME).read_text("utf-8")


def _text_before(path: Path) -> str:
    try:
        text = text_of(read_file(path))
        content_of(text)
    except FileNotFoundError:
        return documented_defaults()
    except NotTomlError:
        set_aside(path)
        return documented_defaults()
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise OutputError(
            "file-not-writable",
            f"the settings cannot be read, so nothing is written over them ({why}): "
            "check the file and its permissions",
            str(path),
        ) from error
    return text


def _changed(text: str, settings: Settings) -> str | None:
    """The text of the file with these settings; None: it cannot be changed to mean them."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    old, _ = settings_from(content_of(text), "")
    try:
        document = tomlkit.parse(text)
        for table, name, value in _differences(old, settings):
            place: Any = document
            if table:
                if not isinstance(document.get(table), Mapping):
                    document[table] = tomlkit.table()
                place = document[table]
            place[name] = value
        after = tomlkit.dumps(document)
        meant, _ = settings_from(content_of(after), "")
    except (TOMLKitError, NotTomlError, TypeError, ValueError, LookupError):
        return None
    return after if meant == settings else None


def _differences(old: Settings, new: Settings) -> Iterator[tuple[str, str, Any]]:
    """Table (empty: none), name and value, as ``tomlkit`` takes it, of each changed setting."""
    for one in fields(Settings):
        before, after = getattr(old, one.name), getattr(new, one.name)
        if is_dataclass(before):
            for inner in fields(before):
                value = getattr(after, inner.name)
                if value != getattr(before, inner.name):
                    yield one.name, inner.name, _item(value, ALLOWED[f"{one.name}.{inner.name}"])
        elif after != before:
            yield "", one.name, _item(after, ALLOWED[one.name])


def _item(value: Any, rule: Rule) -> Any:
    import tomlkit

    if isinstance(rule, WholeNumber) and rule.hexadecimal:
        return tomlkit.value(f"0x{value:02X}")
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return list(value) if isinstance(value, tuple) else value
