"""Every fault that has words of its own, and titles for those that have none."""

from typing import Final

from firmware.screens.words.device_faults import DEVICE_FAULTS
from firmware.screens.words.photo_faults import PHOTO_FAULTS
from firmware.screens.words.said import Said
from firmware.screens.words.setup_faults import SETUP_FAULTS

FAULTS: Final = {**DEVICE_FAULTS, **PHOTO_FAULTS, **SETUP_FAULTS}
"""By the code of the error."""

KINDS: Final = {
    "camera": Said("Camera", "Kamera", "Kamera"),
    "photo": Said("Photo", "Foto", "Fotó"),
    "calibration": Said("Calibration", "Kalibrierung", "Kalibrálás"),
    "sheet": Said("Calibration", "Kalibrierung", "Kalibrálás"),
    "edition": Said("Edition", "Ausgabe", "Kiadás"),
    "teach": Said("Teach tiles", "Anlernen", "Tanítás"),
    "display": Said("Display", "Anzeige", "Kijelző"),
    "button": Said("Buttons", "Tasten", "Gombok"),
    "buttons": Said("Buttons", "Tasten", "Gombok"),
    "settings": Said("Settings", "Einstellungen", "Beállítások"),
    "history": Said("Not saved", "Nicht gespeichert", "Nincs elmentve"),
    "storage": Said("Memory card", "Speicherkarte", "Memóriakártya"),
}
"""Title of a fault without words of its own, by the first word of its code."""
