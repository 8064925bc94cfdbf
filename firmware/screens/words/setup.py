"""Words of the menus and of setting up."""

from typing import Final

from firmware.screens.setup_views import MenuWord, WizardStep
from firmware.screens.words.said import Said

MENU_WORDS: Final = {
    MenuWord.MENU: Said("Menu", "Menü", "Menü"),
    MenuWord.SETTINGS: Said("Settings", "Einstellungen", "Beállítások"),
    MenuWord.CALIBRATE: Said("Calibrate", "Kalibrieren", "Kalibrálás"),
    MenuWord.TEACH: Said("Teach tiles", "Plättchen lernen", "Lapkák tanítása"),
    MenuWord.SHUT_DOWN: Said("Switch off", "Ausschalten", "Kikapcsolás"),
    MenuWord.RESTART: Said("Restart", "Neu starten", "Újraindítás"),
    MenuWord.BACK: Said("Back", "Zurück", "Vissza"),
    MenuWord.GAME: Said("Game", "Spiel", "Játék"),
    MenuWord.VARIANT: Said("Players", "Spieler", "Játékosok"),
    MenuWord.LEVEL: Said("Level", "Stufe", "Szint"),
    MenuWord.EDITION: Said("Edition", "Ausgabe", "Kiadás"),
    MenuWord.PLAYERS: Said("Names", "Namen", "Nevek"),
    MenuWord.LANGUAGE: Said("Language", "Sprache", "Nyelv"),
    MenuWord.CONTRAST: Said("Brightness", "Helligkeit", "Fényerő"),
    MenuWord.UPSIDE_DOWN: Said("Upside down", "Auf dem Kopf", "Fejjel lefelé"),
    MenuWord.CLEAR_NAMES: Said("Delete names", "Namen löschen", "Nevek törlése"),
    MenuWord.RESET_SETTINGS: Said("Reset settings", "Zurücksetzen", "Alaphelyzet"),
    MenuWord.CHECK_TILES: Said("Check tiles", "Plättchen prüfen", "Lapkák átnézése"),
    MenuWord.CORRECT_TILE: Said("Correct a tile", "Plättchen ändern", "Lapka javítása"),
    MenuWord.CITY: Said("City", "Stadt", "Város"),
    MenuWord.ROW: Said("Row", "Zeile", "Sor"),
    MenuWord.COLUMN: Said("Column", "Spalte", "Oszlop"),
    MenuWord.LAST_RESULT: Said("Last result", "Letztes Ergebnis", "Előző eredmény"),
    MenuWord.GO_ON: Said("Go on", "Weiter", "Folytatás"),
    MenuWord.SAFE_MODE: Said("Safe mode", "Sicherer Modus", "Biztonságos mód"),
    MenuWord.START_NORMALLY: Said("Start normally", "Normal starten", "Rendes indítás"),
    MenuWord.LENS_AND_TABLE: Said("Lens and table", "Objektiv und Tisch", "Lencse és asztal"),
    MenuWord.TABLE_ONLY: Said("Table only", "Nur der Tisch", "Csak az asztal"),
    MenuWord.ADD_EXAMPLES: Said("Add examples", "Beispiele dazu", "Új példák hozzá"),
    MenuWord.LEARN_ANEW: Said("Learn anew", "Neu lernen", "Újratanulás"),
    MenuWord.SHOP_CORNER: Said("Where is the shop?", "Wo ist der Laden?", "Hol az üzlet?"),
    MenuWord.TOP_LEFT: Said("top left", "oben links", "bal felül"),
    MenuWord.TOP_RIGHT: Said("top right", "oben rechts", "jobb felül"),
    MenuWord.BOTTOM_RIGHT: Said("bottom right", "unten rechts", "jobb alul"),
    MenuWord.BOTTOM_LEFT: Said("bottom left", "unten links", "bal alul"),
    MenuWord.DELETE: Said("Delete letter", "Letzten löschen", "Betű törlése"),
    MenuWord.SPACE: Said("Space", "Leerzeichen", "Szóköz"),
    MenuWord.STANDARD_EDITION: Said("usual", "übliche", "szokásos"),
    MenuWord.NEW_EDITION: Said("New edition", "Neue Ausgabe", "Új kiadás"),
    MenuWord.YES: Said("yes", "ja", "igen"),
    MenuWord.NO: Said("no", "nein", "nem"),
    MenuWord.NONE: Said("none", "keine", "nincs"),
    MenuWord.BETWEEN_TWO_CITIES: Said(
        "Between Two Cities", "Between Two Cities", "Between Two Cities"
    ),
    MenuWord.CITIES: Said("Cities", "Cities", "Cities"),
    MenuWord.CITY_BLOCKS: Said("City Blocks", "City Blocks", "City Blocks"),
    MenuWord.DICE_BOARD: Said("Dice board", "Würfelplan", "Kockatábla"),
    MenuWord.READING_ONLY: Said("Reading only", "Nur lesen", "Csak olvasás"),
    MenuWord.VARIANT_STANDARD: Said("3 to 7", "3 bis 7", "3–7"),
    MenuWord.VARIANT_TWO_PLAYER: Said("2", "2", "2"),
    MenuWord.LEVEL_1: Said("1: beginners", "1: Einsteiger", "1: kezdő"),
    MenuWord.LEVEL_2: Said("2: dilemma", "2: Dilemma", "2: dilemma"),
    MenuWord.LEVEL_3: Said("3: brain-teaser", "3: Kopfnuss", "3: fejtörő"),
    MenuWord.ENGLISH: Said("English", "English", "English"),
    MenuWord.GERMAN: Said("Deutsch", "Deutsch", "Deutsch"),
    MenuWord.HUNGARIAN: Said("Magyar", "Magyar", "Magyar"),
    MenuWord.NO_TILE: Said("no tile", "kein Plättchen", "nincs lapka"),
    MenuWord.NO_FIGURE: Said("no figure", "keine Figur", "nincs bábu"),
}
"""At most 18 letters; a language is named in itself, so that who chose a wrong one finds back."""

SHORT_WORDS: Final = {
    MenuWord.BETWEEN_TWO_CITIES: Said("B. Two Cities", "B. Two Cities", "B. Two Cities"),
    MenuWord.LEVEL_3: Said("3", "3", "3"),
}
"""A second wording where the first has no room beside a label."""

NAME_OF_SEAT: Final = Said("Name of player {n}", "Name von Spieler {n}", "{n}. játékos neve")
NAME_OF_EDITION: Final = Said("Name of the edition", "Name der Ausgabe", "A kiadás neve")
SPACE_SIGN: Final = "_"
"""Stands for a space among the letters to choose from."""

WIZARD_TITLES: Final = {
    "calibrate": Said("Calibrate", "Kalibrieren", "Kalibrálás"),
    "teach": Said("Teach tiles", "Anlernen", "Tanítás"),
}

WIZARD_STEPS: Final = {
    WizardStep.CALIBRATE_PRINT: Said(
        "Have the printed calibration sheet at hand",
        "Das gedruckte Kalibrierblatt bereithalten",
        "Készítsd elő a nyomtatott kalibrálólapot",
    ),
    WizardStep.CALIBRATE_FLAT: Said(
        "Lay the sheet flat in the middle of the table",
        "Das Blatt flach mitten auf den Tisch legen",
        "Fektesd a lapot az asztal közepére",
    ),
    WizardStep.CALIBRATE_LIFT_LEFT: Said(
        "Lift the left edge of the sheet a hand high",
        "Blatt am linken Rand handbreit anheben",
        "Emeld fel a lap bal szélét egy arasszal",
    ),
    WizardStep.CALIBRATE_LIFT_RIGHT: Said(
        "Lift the right edge of the sheet a hand high",
        "Blatt am rechten Rand handbreit anheben",
        "Emeld fel a lap jobb szélét egy arasszal",
    ),
    WizardStep.CALIBRATE_LIFT_NEAR: Said(
        "Lift the near edge of the sheet a hand high",
        "Blatt am vorderen Rand handbreit anheben",
        "Emeld fel a lap hozzád közeli szélét",
    ),
    WizardStep.CALIBRATE_LIFT_FAR: Said(
        "Lift the far edge of the sheet a hand high",
        "Blatt am hinteren Rand handbreit anheben",
        "Emeld fel a lap tőled távoli szélét",
    ),
    WizardStep.CALIBRATE_CORNER: Said(
        "Push the sheet to another corner of the picture",
        "Blatt in eine andere Ecke des Bildes schieben",
        "Told a lapot a kép egy másik sarkába",
    ),
    WizardStep.CALIBRATE_TABLE: Said(
        "Last photo: the sheet flat on the table",
        "Letztes Foto: Blatt flach auf den Tisch",
        "Utolsó fotó: a lap simán az asztalon",
    ),
    WizardStep.TEACH_LAY: Said(
        "Lay 9 tiles upright like this",
        "9 Plättchen so legen, alle aufrecht",
        "Rakd le így a 9 lapkát, egy irányba",
    ),
    WizardStep.TEACH_PHOTO: Said(
        "Camera above, light from all sides, no hands",
        "Kamera darüber, Licht von überall, Hände weg",
        "Kamera fölötte, fény körben, kezek nélkül",
    ),
    WizardStep.TEACH_TURN: Said(
        "Once more: turn the tiles a little as a whole",
        "Noch einmal: alles zusammen etwas drehen",
        "Még egyszer: fordítsd el az egészet kicsit",
    ),
    WizardStep.TEACH_CORNER: Said(
        "In which corner of the photo is the shop?",
        "In welcher Ecke des Fotos liegt der Laden?",
        "A fotó melyik sarkában van az üzlet?",
    ),
}
"""At most three rows."""

CALIBRATED: Final = (
    Said("Camera {cm} cm above", "Kamera {cm} cm hoch", "Magasság {cm} cm"),
    Said("Error {px} px", "Fehler {px} px", "Hiba {px} képpont"),
    Said("{n} photos, {percent} %", "{n} Fotos, {percent} %", "{n} fotó, {percent} %"),
)
