"""Settings and their file; see docs/settings.md."""

from firmware.settings.defaults import MAX_NAME_LETTERS, Settings, StorageSettings, seat_names
from firmware.settings.file import (
    create_settings_file,
    load_settings,
    set_damaged_aside,
    settings_path,
    store_settings,
)
from hardware.settings import ButtonSettings, CameraSettings, DisplaySettings, SignalSettings

__all__ = [
    "MAX_NAME_LETTERS",
    "ButtonSettings",
    "CameraSettings",
    "DisplaySettings",
    "Settings",
    "SignalSettings",
    "StorageSettings",
    "create_settings_file",
    "load_settings",
    "seat_names",
    "set_damaged_aside",
    "settings_path",
    "store_settings",
]
