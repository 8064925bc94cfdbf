"""Words of the screens beside a result: ready, busy, questions, notices."""

from typing import Final

from firmware.screens.device_views import Alert, Notice, Question, Stage
from firmware.screens.words.said import Said

TITLE: Final = Said("Stadtblick", "Stadtblick", "Stadtblick")
STARTING: Final = Said("Starting…", "Startet…", "Indulás…")
READY: Final = Said("Ready", "Bereit", "Készen áll")
HOLD_FOR_MENU: Final = Said("hold SCAN: menu", "SCAN halten: Menü", "SCAN hosszan: menü")
HOLD_TITLE: Final = Said("Taking the photo", "Foto wird gemacht", "Fotó készül")
HOLD_TITLE_AGAIN: Final = Said("Scanning again", "Noch einmal", "Még egyszer")
HOLD_STILL: Final = Said("Hold still", "Stillhalten", "Ne mozogj!")
PROBLEM: Final = Said("Problem", "Problem", "Hiba")
QUESTION: Final = Said("Are you sure?", "Wirklich?", "Biztosan?")
RETRYING: Final = Said("Trying again…", "Neuer Versuch…", "Újra próbálom…")

TWO_PLAYERS: Final = Said("2 players", "2 Spieler", "2 játékos")
LEVEL: Final = Said("Level {n}", "Stufe {n}", "{n}. szint")

ALERTS: Final = {
    Alert.NOT_SAVED: Said("Not saved", "Nicht gespeichert", "Nincs elmentve"),
    Alert.STORAGE_FULL: Said("The card is full", "Speicherkarte voll", "Megtelt a kártya"),
    Alert.READ_ONLY: Said("Card is read-only", "Karte nur lesbar", "Írásvédett kártya"),
    Alert.UNDER_VOLTAGE: Said("Weak power supply", "Netzteil schwach", "Gyenge tápegység"),
    Alert.TOO_HOT: Said("Too hot", "Zu heiß", "Túl meleg"),
    Alert.THROTTLED: Said("Slowed down", "Läuft gebremst", "Lelassítva fut"),
    Alert.CAMERA: Said("No camera", "Keine Kamera", "Nincs kamera"),
    Alert.CLOCK_UNKNOWN: Said("Time not known", "Uhrzeit unbekannt", "Nem tudom az időt"),
    Alert.SETTINGS_RESET: Said("Settings reset", "Einstellungen neu", "Alapbeállítások"),
    Alert.SAFE_MODE: Said("Safe mode", "Sicherer Modus", "Biztonságos mód"),
    Alert.NOT_CALIBRATED: Said("Not calibrated", "Nicht kalibriert", "Nincs kalibrálva"),
}
"""At most 18 letters, so that a count of further ones has room behind."""

STAGES: Final = {
    Stage.CAPTURE: Said("Taking the photo", "Foto machen", "Fotózás"),
    Stage.LOCATE: Said("Finding cities", "Städte suchen", "Városkeresés"),
    Stage.RECOGNISE: Said("Reading tiles", "Plättchen lesen", "Lapkák olvasása"),
    Stage.SCORE: Said("Counting points", "Punkte zählen", "Pontszámítás"),
    Stage.CALIBRATE: Said("Calibrating…", "Kalibriere…", "Kalibrálás…"),
    Stage.TEACH: Said("Learning tiles…", "Lerne Plättchen…", "Lapkák tanulása…"),
    Stage.STORE: Said("Saving…", "Speichere…", "Mentés…"),
}

QUESTIONS: Final = {
    Question.SHUT_DOWN: Said("Switch off?", "Ausschalten?", "Kikapcsoljam?"),
    Question.RESTART: Said("Restart?", "Neu starten?", "Újrainduljak?"),
    Question.CANCEL_WIZARD: Said(
        "Stop setting up?", "Einrichten abbrechen?", "Abbahagyjuk a beállítást?"
    ),
    Question.REPLACE_CALIBRATION: Said(
        "Replace the calibration?", "Kalibrierung ersetzen?", "Lecseréljem a kalibrálást?"
    ),
    Question.REPLACE_EDITION: Said(
        "Learn this edition anew?", "Diese Ausgabe neu lernen?", "Újratanuljam ezt a kiadást?"
    ),
    Question.RESET_SETTINGS: Said(
        "Reset all settings?", "Alles zurücksetzen?", "Töröljek minden beállítást?"
    ),
    Question.CLEAR_NAMES: Said("Delete all names?", "Alle Namen löschen?", "Töröljem a neveket?"),
}

NOTICES: Final = {
    Notice.STORED: Said("Saved", "Gespeichert", "Elmentve"),
    Notice.CALIBRATED: Said("Calibrated", "Kalibriert", "Kalibrálva"),
    Notice.TAUGHT: Said("Tiles learned", "Plättchen gelernt", "Lapkák megtanulva"),
    Notice.TAUGHT_UNCHECKED: Said(
        "Learned. The order of the tiles could not be checked",
        "Gelernt. Die Reihenfolge war nicht prüfbar",
        "Megtanulva. A lapkák sorrendje nem ellenőrizhető",
    ),
    Notice.STANDARD_EDITION: Said(
        "New game: the edition is the usual one now",
        "Neues Spiel: Ausgabe ist nun die übliche",
        "Új játék: a kiadás most a szokásos",
    ),
    Notice.OTHER_EDITION: Said(
        "New game: see the edition in the menu",
        "Neues Spiel: Ausgabe im Menü prüfen",
        "Új játék: nézd meg a kiadást a menüben",
    ),
    Notice.SHUTTING_DOWN: Said("Switching off…", "Schalte aus…", "Kikapcsolás…"),
    Notice.UNPLUG: Said(
        "You can unplug it now", "Stecker darf gezogen werden", "Kihúzhatod a dugót"
    ),
    Notice.SAFE_MODE: Said(
        "Safe mode: the last starts failed",
        "Sicherer Modus: Starts misslungen",
        "Biztonságos mód: nem sikerült indulni",
    ),
    Notice.ALL_CHECKED: Said("All checked", "Alles geprüft", "Minden átnézve"),
}
