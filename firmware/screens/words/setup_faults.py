"""Faults of calibrating and teaching."""

from typing import Final

from firmware.screens.words.said import Said
from firmware.screens.words.trouble import Trouble

_SHEET_AGAIN: Final = Said(
    "Sheet flat, light even, whole sheet in the picture",
    "Blatt glatt, Licht gleichmäßig, ganz im Bild",
    "Sima lap, egyenletes fény, az egész a képen",
)
_MORE_PHOTOS: Final = Said(
    "Begin anew: other places, other tilts",
    "Neu beginnen: andere Stellen, andere Neigungen",
    "Kezdd újra: máshol, másképp döntve",
)
_CALIBRATE_ANEW: Final = Said(
    "Calibrate again: see the menu",
    "Neu kalibrieren: siehe Menü",
    "Kalibrálj újra a menüben",
)
_LAY_AGAIN: Final = Said(
    "Lay the nine tiles again as the picture shows",
    "Die neun Plättchen wie im Bild neu legen",
    "Rakd le újra a kilenc lapkát a kép szerint",
)
_OTHER_EDITION: Final = Said(
    "Choose another edition in the menu",
    "Im Menü eine andere Ausgabe wählen",
    "Válassz másik kiadást a menüben",
)
_START_ANEW: Final = Said(
    "Switch off and on again", "Aus- und wieder einschalten", "Kapcsold ki, majd be"
)

SETUP_FAULTS: Final = {
    "sheet-not-found": Trouble(
        Said("Sheet not found", "Blatt nicht gefunden", "Nem látom a lapot"), _SHEET_AGAIN
    ),
    "sheet-hidden": Trouble(
        Said("Sheet is covered", "Blatt ist verdeckt", "A lap takarva van"), _SHEET_AGAIN
    ),
    "calibration-too-few-photos": Trouble(
        Said("Too few photos", "Zu wenige Fotos", "Kevés a fotó"), _MORE_PHOTOS
    ),
    "calibration-one-angle": Trouble(
        Said("Photos too alike", "Fotos zu ähnlich", "Túl hasonló fotók"), _MORE_PHOTOS
    ),
    "calibration-low-coverage": Trouble(
        Said("Sheet too small", "Blatt zu klein", "A lap túl kicsi"),
        Said(
            "Closer, and into each corner of the picture",
            "Näher heran, und in jede Ecke des Bildes",
            "Közelebb, és a kép minden sarkába",
        ),
    ),
    "calibration-inexact": Trouble(
        Said("Not exact enough", "Nicht genau genug", "Nem elég pontos"), _SHEET_AGAIN
    ),
    "calibration-table-unclear": Trouble(
        Said("Last photo unclear", "Letztes Foto unklar", "Az utolsó fotó rossz"), _SHEET_AGAIN
    ),
    "calibration-sizes-differ": Trouble(
        Said("Photo sizes differ", "Fotogrößen ungleich", "Eltérő képméretek"),
        _CALIBRATE_ANEW,
    ),
    "calibration-other-size": Trouble(
        Said("Other picture size", "Andere Bildgröße", "Más képméret"), _CALIBRATE_ANEW
    ),
    "calibration-missing": Trouble(
        Said("Not calibrated", "Nicht kalibriert", "Nincs kalibrálva"), _CALIBRATE_ANEW
    ),
    "calibration-damaged": Trouble(
        Said("Calibration damaged", "Kalibrierung kaputt", "Sérült kalibrálás"), _CALIBRATE_ANEW
    ),
    "calibration-unreadable": Trouble(
        Said("Calibration damaged", "Kalibrierung kaputt", "Sérült kalibrálás"), _CALIBRATE_ANEW
    ),
    "calibration-too-new": Trouble(
        Said("Calibration too new", "Kalibrierung zu neu", "Túl új kalibrálás"), _CALIBRATE_ANEW
    ),
    "unknown-edition": Trouble(
        Said("Unknown edition", "Ausgabe unbekannt", "Ismeretlen kiadás"), _OTHER_EDITION
    ),
    "edition-damaged": Trouble(
        Said("Edition damaged", "Ausgabe beschädigt", "Sérült kiadás"),
        Said("Teach it again: see the menu", "Neu anlernen: siehe Menü", "Tanítsd újra a menüben"),
    ),
    "edition-format": Trouble(
        Said("Edition too new", "Ausgabe zu neu", "Túl új kiadás"), _OTHER_EDITION
    ),
    "edition-other-game": Trouble(
        Said("Edition does not fit", "Ausgabe passt nicht", "Nem illő kiadás"),
        Said(
            "It is of another game: choose another one in the menu",
            "Sie ist von einem anderen Spiel: im Menü ändern",
            "Másik játéké: válassz másikat a menüben",
        ),
    ),
    "edition-missing": Trouble(
        Said("No edition chosen", "Keine Ausgabe gewählt", "Nincs kiadás"), _OTHER_EDITION
    ),
    "edition-name": Trouble(
        Said("Not a good name", "Name nicht möglich", "Nem jó név"),
        Said("Use letters and digits", "Buchstaben und Ziffern", "Betűk és számjegyek"),
    ),
    "edition-exists": Trouble(
        Said("Name is taken", "Name schon vergeben", "Foglalt név"),
        Said("Choose another name", "Einen anderen Namen wählen", "Válassz másik nevet"),
    ),
    "edition-not-writable": Trouble(
        Said("Edition not saved", "Nicht gespeichert", "Nincs elmentve"), _START_ANEW
    ),
    "teach-no-grid": Trouble(
        Said("No tiles found", "Keine Plättchen da", "Nem látok lapkát"), _LAY_AGAIN
    ),
    "teach-incomplete": Trouble(
        Said("Fewer than 9 tiles", "Keine 9 Plättchen", "Nincs meg a 9 lapka"),
        Said(
            "Push them together, even light, no hands",
            "Zusammenschieben, gutes Licht, Hände weg",
            "Told össze őket, jó fény, kezek nélkül",
        ),
    ),
    "teach-ambiguous": Trouble(
        Said("Too many tiles", "Zu viele Plättchen", "Túl sok lapka"),
        Said(
            "Only the nine tiles in the picture",
            "Nur die neun Plättchen ins Bild",
            "Csak a kilenc lapka legyen a képen",
        ),
    ),
    "teach-wrong-order": Trouble(
        Said("Wrong order", "Falsche Reihenfolge", "Rossz sorrend"), _LAY_AGAIN
    ),
    "teach-which-way": Trouble(
        Said("Which way is up?", "Wo ist oben?", "Merre van a teteje?"), _LAY_AGAIN
    ),
    "teach-too-small": Trouble(
        Said("Tiles too small", "Plättchen zu klein", "A lapkák túl kicsik"),
        Said("Bring the camera closer", "Kamera näher heran", "Vidd közelebb a kamerát"),
    ),
    "teach-overexposed": Trouble(
        Said("Too much light", "Licht blendet", "Túl erős fény"),
        Said("Move the lamp aside", "Lampe zur Seite rücken", "Vidd arrébb a lámpát"),
    ),
    "teach-too-dark": Trouble(
        Said("Too dark", "Zu dunkel", "Túl sötét"),
        Said("Use more light", "Mehr Licht machen", "Több fény kell"),
    ),
    "teach-blurred": Trouble(
        Said("Blurred", "Unscharf", "Elmosódott"),
        Said(
            "Touch nothing while the photo is taken",
            "Beim Foto nichts berühren",
            "Fotózáskor ne érj semmihez",
        ),
    ),
    "teach-alike": Trouble(
        Said("Two tiles alike", "Zwei sind gleich", "Két egyforma lapka"),
        Said(
            "Lay one tile of each kind", "Von jeder Art eines legen", "Minden fajtából egyet rakj"
        ),
    ),
    "teach-photos-differ": Trouble(
        Said("Photos do not match", "Fotos passen nicht", "Eltérő fotók"), _LAY_AGAIN
    ),
    "teach-too-many": Trouble(
        Said("Enough examples", "Genug Beispiele", "Elég a példa"),
        Said(
            "This edition is full: learn it anew",
            "Diese Ausgabe ist voll: neu lernen",
            "Ez a kiadás megtelt: tanítsd újra",
        ),
    ),
}
"""By the code of the error."""
