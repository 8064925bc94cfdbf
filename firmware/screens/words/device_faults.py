"""Faults of the camera, the buttons, the display, the memory card and the computer."""

from typing import Final

from firmware.screens.words.said import Said
from firmware.screens.words.trouble import Trouble

_MAKE_ROOM: Final = Said(
    "The result is shown but not kept: make room",
    "Das Ergebnis bleibt nicht: Platz schaffen",
    "Az eredmény nem marad meg: szabadíts helyet",
)
_START_ANEW: Final = Said(
    "Switch off and on again", "Aus- und wieder einschalten", "Kapcsold ki, majd be"
)
_CHECK_WIRES: Final = Said(
    "Check the four wires of the display",
    "Die vier Kabel der Anzeige prüfen",
    "Ellenőrizd a kijelző négy vezetékét",
)
_CHECK_BUTTONS: Final = Said(
    "Check their wires, then start anew",
    "Ihre Kabel prüfen, dann neu starten",
    "Nézd meg a vezetékeket, majd indítsd újra",
)
_SEE_SETTINGS: Final = Said(
    "See the file settings.toml", "Siehe Datei settings.toml", "Lásd: settings.toml"
)

DEVICE_FAULTS: Final = {
    "camera-missing": Trouble(
        Said("No camera found", "Keine Kamera da", "Nincs kamera"),
        Said("Check both ends of its cable", "Beide Kabelenden prüfen", "Nézd meg a kábelét"),
    ),
    "camera-silent": Trouble(
        Said("Camera silent", "Kamera reagiert nicht", "A kamera nem felel"),
        Said("Check both ends of its cable", "Beide Kabelenden prüfen", "Nézd meg a kábelét"),
    ),
    "camera-stuck": Trouble(
        Said("Camera stuck", "Kamera hängt fest", "A kamera lefagyott"),
        _START_ANEW,
    ),
    "camera-broken": Trouble(
        Said("Camera disturbed", "Kamera gestört", "Zavar a kamerában"),
        Said("Unplug it and plug it in", "Abziehen und neu anstecken", "Húzd ki, és dugd vissza"),
    ),
    "camera-busy": Trouble(
        Said("Camera in use", "Kamera ist belegt", "A kamera foglalt"),
        Said(
            "Another program has it: end it",
            "Ein anderes Programm nutzt sie",
            "Másik program használja",
        ),
    ),
    "camera-none": Trouble(
        Said("No camera is set", "Keine Kamera gewählt", "Nincs kamera megadva"),
        _SEE_SETTINGS,
    ),
    "camera-no-permission": Trouble(
        Said("Camera not allowed", "Kamera nicht erlaubt", "Kamera nem elérhető"),
        Said(
            "Add the user to group video",
            "Benutzer in Gruppe video aufnehmen",
            "Video csoport kell a felhasználónak",
        ),
    ),
    "camera-driver-missing": Trouble(
        Said("No camera driver", "Kameratreiber fehlt", "Nincs kameravezérlő"),
        Said("Run the installer again", "Installation noch einmal starten", "Telepítsd újra"),
    ),
    "camera-no-memory": Trouble(
        Said("Camera: no memory", "Speicher reicht nicht", "Kevés a memória"),
        Said("Set smaller pictures", "Kleinere Bilder einstellen", "Állíts be kisebb képet"),
    ),
    "camera-picture": Trouble(
        Said("Picture missing", "Bild fehlt", "Hiányzik a kép"),
        Said("Name a JPEG or PNG file", "JPEG oder PNG angeben", "JPEG vagy PNG kell"),
    ),
    "camera-format": Trouble(
        Said("Unknown camera", "Unbekannte Kamera", "Ismeretlen kamera"),
        Said("Use another camera", "Eine andere verwenden", "Használj másikat"),
    ),
    "display-lost": Trouble(
        Said("Display was away", "Anzeige war weg", "Kijelző nem felelt"), _CHECK_WIRES
    ),
    "display-silent": Trouble(
        Said("Display silent", "Anzeige ist stumm", "A kijelző nem felel"), _CHECK_WIRES
    ),
    "buttons-broken": Trouble(
        Said("Buttons do not work", "Tasten gestört", "Rosszak a gombok"), _CHECK_BUTTONS
    ),
    "buttons-not-found": Trouble(
        Said("Buttons not found", "Keine Tasten gefunden", "Nincsenek gombok"), _CHECK_BUTTONS
    ),
    "buttons-no-permission": Trouble(
        Said("Buttons not allowed", "Tasten nicht erlaubt", "Gombok nem elérhetők"),
        Said(
            "Add the user to the group gpio",
            "Benutzer in Gruppe gpio aufnehmen",
            "gpio csoport kell a felhasználónak",
        ),
    ),
    "buttons-driver-missing": Trouble(
        Said("No button driver", "Tastentreiber fehlt", "Nincs gombvezérlő"),
        Said("Run the installer again", "Installation noch einmal starten", "Telepítsd újra"),
    ),
    "buttons-busy": Trouble(
        Said("Buttons in use", "Tasten sind belegt", "Foglalt gombok"),
        Said(
            "Another program has them: end it",
            "Ein anderes Programm nutzt sie: beenden",
            "Másik program használja őket: zárd be",
        ),
    ),
    "settings-unreadable": Trouble(
        Said("Settings damaged", "Einstellungen kaputt", "Sérült beállítások"), _SEE_SETTINGS
    ),
    "settings-not-toml": Trouble(
        Said("Settings damaged", "Einstellungen kaputt", "Sérült beállítások"), _SEE_SETTINGS
    ),
    "not-saved": Trouble(Said("Not saved", "Nicht gespeichert", "Nincs elmentve"), _START_ANEW),
    "not-saved-disk-full": Trouble(
        Said("The card is full", "Speicherkarte voll", "Megtelt a kártya"), _MAKE_ROOM
    ),
    "not-saved-read-only": Trouble(
        Said("Card is read-only", "Karte nur lesbar", "Írásvédett kártya"),
        Said(
            "Not kept: start anew, else change the card",
            "Nichts bleibt: neu starten, sonst Karte tauschen",
            "Nem marad meg: indítsd újra, vagy cserélj kártyát",
        ),
    ),
    "file-not-writable": Trouble(
        Said("Not saved", "Nicht gespeichert", "Nincs elmentve"), _MAKE_ROOM
    ),
    "shut-down-failed": Trouble(
        Said("It stays on", "Bleibt eingeschaltet", "Nem kapcsol ki"),
        Said(
            "Wait a minute, then pull the plug",
            "Eine Minute warten, dann Stecker ziehen",
            "Várj egy percet, aztán húzd ki",
        ),
    ),
    "out-of-memory": Trouble(
        Said("Out of memory", "Kein Speicher mehr", "Elfogyott a memória"), _START_ANEW
    ),
    "too-slow": Trouble(
        Said("It takes too long", "Es dauert zu lange", "Túl sokáig tart"),
        Said("Try once more", "Noch einmal versuchen", "Próbáld újra"),
    ),
    "internal-error": Trouble(
        Said("Stadtblick failed", "Fehler in Stadtblick", "Hiba a programban"), _START_ANEW
    ),
}
"""By the code of the error; the scanner tries those of the camera again by itself."""
