"""Words of a result of the games that are known by pictures."""

from typing import Final

from firmware.board_games.remarks import RemarkKind
from firmware.screens.board_views import CheckKind, Parts
from firmware.screens.words.said import Counted, Said
from scoring.faces import Side
from scoring.games.city_blocks.sheet import StreetLine

SIDES: Final = {
    Side.BLUE: Said("Blue", "Blau", "Kék"),
    Side.RED: Said("Red", "Rot", "Piros"),
}
STREETS: Final = {
    StreetLine.ROW: Said("Rows blue:red", "Zeilen blau:rot", "Sorok kék:piros"),
    StreetLine.COLUMN: Said("Columns blue:red", "Spalten blau:rot", "Oszlop kék:piros"),
}
OPEN: Final = Said("open", "offen", "nyitva")
TIE: Final = Said("tie", "gleich", "egyenlő")
DOLLARS: Final = Said("${n}", "${n}", "${n}")
LEADS: Final = Said("Leads, unfinished", "Führt, unfertig", "Vezet, még tart")
LEVEL: Final = Said("Level, unfinished", "Gleich, unfertig", "Döntetlen, tart")

PARTS: Final = {
    Parts.TOURISTS: Said("Tourists:", "Touristen:", "Turisták:"),
    Parts.VALUE_TILES: Said("Value tiles:", "Werte:", "Értékek:"),
}
NO_PARTS: Final = Said("none", "keine", "nincs")
TIE_BY: Final = Said("Tie {numbers}:", "Gleich {numbers}:", "Döntő {numbers}:")
TIE_SHARED: Final = Said("Rank shared:", "Rang geteilt:", "Közös hely:")

CHECKS: Final = {
    CheckKind.TILES: Counted(
        Said("Check {n} tile", "{n} Plättchen prüfen", "{n} kérdéses lapka"),
        Said("Check {n} tiles", "{n} Plättchen prüfen", "{n} kérdéses lapka"),
    ),
    CheckKind.FIELDS: Counted(
        Said("Check {n} field", "{n} Feld prüfen", "{n} kérdéses mező"),
        Said("Check {n} fields", "{n} Felder prüfen", "{n} kérdéses mező"),
    ),
    CheckKind.FIGURES: Counted(
        Said("Check {n} figure", "{n} Figur prüfen", "{n} kérdéses bábu"),
        Said("Check {n} figures", "{n} Figuren prüfen", "{n} kérdéses bábu"),
    ),
    CheckKind.PIECES: Counted(
        Said("Check {n} value", "{n} Wert prüfen", "{n} kérdéses érték"),
        Said("Check {n} values", "{n} Werte prüfen", "{n} kérdéses érték"),
    ),
    CheckKind.MISSING: Counted(
        Said("{n} field missing", "{n} Feld fehlt", "{n} mező hiányzik"),
        Said("{n} fields missing", "{n} Felder fehlen", "{n} mező hiányzik"),
    ),
}
PLACES_BESIDE: Final = {
    "row": Said("row {n}", "Zeile {n}", "{n}. sor"),
    "column": Said("col {n}", "Spalte {n}", "{n}. oszlop"),
    "blue": Said("blue {n}", "blau {n}", "kék {n}"),
    "red": Said("red {n}", "rot {n}", "piros {n}"),
}
"""By the name of the slots or heap."""

READ: Final = Said("Read, no score", "Gelesen, ungewertet", "Leolvasva")
"""Title of what was read of a game without rules."""
PIECES: Final = Counted(
    Said("{n} piece read", "{n} Teil gelesen", "{n} darab leolvasva"),
    Said("{n} pieces read", "{n} Teile gelesen", "{n} darab leolvasva"),
)
EMPTY: Final = Counted(
    Said("{n} empty place", "{n} Platz ist leer", "{n} üres hely"),
    Said("{n} empty places", "{n} Plätze sind leer", "{n} üres hely"),
)

BOARD_UNREAD: Final = Said("Board not read", "Brett unlesbar", "Olvashatatlan")
ABOUT_BOARD: Final = Said("By the rules", "Laut Regeln", "Szabály szerint")
REMARKS: Final = {
    RemarkKind.UNKNOWN_FACE: Said(
        "The rules do not know some of the pieces",
        "Manche Teile kennen die Regeln nicht",
        "Néhány darabot nem ismernek a szabályok",
    ),
    RemarkKind.MORE_BOARDS: Said(
        "More than one board: only A is scored",
        "Mehr als ein Brett: nur A wird gewertet",
        "Több tábla is van: csak az A számít",
    ),
    RemarkKind.TILE_TWICE: Said(
        "A tile number was read twice: one is wrong",
        "Eine Plättchen-Nummer ist doppelt: eine ist falsch",
        "Egy lapkaszám kétszer szerepel: az egyik rossz",
    ),
    RemarkKind.TILES_DIFFER: Said(
        "Not all cities have the same 16 tiles: check these",
        "Nicht alle Städte haben die gleichen 16 Plättchen",
        "Nem minden városban ugyanaz a 16 lapka van",
    ),
    RemarkKind.ON_WATER: Said(
        "A tourist on water does not count: check it",
        "Ein Tourist im Wasser zählt nicht: bitte prüfen",
        "A vízen álló turista nem számít: ellenőrizd",
    ),
    RemarkKind.NO_FIELD: Said(
        "A tourist stands where no tile was read",
        "Ein Tourist steht, wo kein Plättchen gelesen wurde",
        "Egy turista alatt nem látok lapkát",
    ),
    RemarkKind.COLOURS_MIXED: Said(
        "Tourists of several colours: check them",
        "Touristen in mehreren Farben: bitte prüfen",
        "Többféle színű turista: ellenőrizd",
    ),
    RemarkKind.TOO_MANY_TOURISTS: Said(
        "More than 7 tourists: 7 of them are scored",
        "Mehr als 7 Touristen: 7 davon zählen",
        "Több mint 7 turista: 7 számít közülük",
    ),
    RemarkKind.BUILDING_TWICE: Said(
        "More buildings of a kind than there are: check them",
        "Mehr Gebäude einer Art, als es gibt: bitte prüfen",
        "Több egyforma épület, mint amennyi van: ellenőrizd",
    ),
    RemarkKind.VALUE_TWICE: Said(
        "A value tile was read twice: one of them counts",
        "Ein Wert wurde doppelt gelesen: einer zählt",
        "Egy értéklapka kétszer szerepel: csak egy számít",
    ),
    RemarkKind.VALUE_LEFT: Said(
        "A street is won, but its value still lies there",
        "Eine Straße ist gewonnen, ihr Wert liegt noch da",
        "Egy utca eldőlt, de az értéke még ott van",
    ),
    RemarkKind.VALUE_GONE: Said(
        "A street is won, but its value is gone: counts 0",
        "Eine Straße ist gewonnen, ihr Wert fehlt: zählt 0",
        "Egy utca eldőlt, de az értéke eltűnt: 0 pont",
    ),
    RemarkKind.VALUES_BESIDE: Said(
        "Values beside the board are not counted",
        "Werte neben dem Brett zählen nicht mit",
        "A tábla melletti értékek nem számítanak",
    ),
    RemarkKind.NO_VALUES: Said(
        "No value tile was found: nobody has points",
        "Keine Werte gefunden: niemand hat Punkte",
        "Nincs értéklapka: senkinek sincs pontja",
    ),
    RemarkKind.CARD_TWICE: Said(
        "A card was read twice: one of them counts",
        "Eine Karte wurde doppelt gelesen: eine zählt",
        "Egy kártya kétszer szerepel: csak egy számít",
    ),
    RemarkKind.OUT_OF_PLACE: Said(
        "Four cards of a company are not in their places",
        "Vier Karten einer Firma liegen nicht am Platz",
        "Egy cég négy kártyája nincs a helyén",
    ),
    RemarkKind.PARTLY_TURNED: Said(
        "Only some cards of a company are turned over",
        "Nur manche Karten einer Firma sind umgedreht",
        "Egy cégnek csak néhány kártyája van megfordítva",
    ),
    RemarkKind.NO_RULES: Said(
        "No rules for this game: read, but not scored",
        "Keine Regeln für dieses Spiel: nur gelesen",
        "Ehhez nincs szabály: csak leolvasás",
    ),
}
"""What the rules say about a reading; a screen has three rows for each."""
