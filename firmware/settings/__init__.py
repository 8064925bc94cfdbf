"""What can be set, and the file it is kept in; see docs/settings.md."""

from firmware.settings.checking import SettingsWarning
from firmware.settings.model import (
    ButtonSettings,
    CameraSettings,
    DisplaySettings,
    Settings,
    StorageSettings,
    seat_names,
)
from firmware.settings.reading import load_settings, settings_path
from firmware.settings.storing import create_settings_file, store_settings

__all__ = [
    "ButtonSettings",
    "CameraSettings",
    "DisplaySettings",
    "Settings",
    "SettingsWarning",
    "StorageSettings",
    "create_settings_file",
    "load_settings",
    "seat_names",
    "settings_path",
    "store_settings",
]
