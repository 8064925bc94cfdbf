"""Faults of a photo, and of the table that it shows."""

from typing import Final

from firmware.screens.words.said import Said
from firmware.screens.words.trouble import Trouble

_PHOTO_AGAIN: Final = Said(
    "Take the photo again: press SCAN",
    "Noch ein Foto machen: SCAN drücken",
    "Új fotó: nyomd meg a SCAN gombot",
)

PHOTO_FAULTS: Final = {
    "photo-too-dark": Trouble(
        Said("Too dark", "Zu dunkel", "Túl sötét"),
        Said(
            "Switch on a light, then press SCAN",
            "Licht einschalten, dann SCAN drücken",
            "Kapcsolj lámpát, majd nyomj SCAN-t",
        ),
    ),
    "photo-blurred": Trouble(
        Said("Blurred", "Unscharf", "Elmosódott"),
        Said(
            "Touch nothing, then press SCAN again",
            "Nichts berühren, dann neu SCAN drücken",
            "Ne érj semmihez, majd nyomj újra SCAN-t",
        ),
    ),
    "photo-colourless": Trouble(
        Said("No colours", "Keine Farben", "Nincsenek színek"),
        Said("Use a colour camera", "Eine Farbkamera verwenden", "Színes kamera kell"),
    ),
    "no-city": Trouble(
        Said("No city found", "Keine Stadt gefunden", "Nem látok várost"),
        Said(
            "Lay each city as 4 x 4 tiles, all of them in the picture",
            "Jede Stadt als 4 x 4 legen, alle ganz im Bild",
            "Minden város 4 x 4 lapka, mind legyen a képen",
        ),
    ),
    "no-board": Trouble(
        Said("No board found", "Kein Brett gefunden", "Nem látok táblát"),
        Said(
            "The whole board into the picture, nothing over its edges",
            "Das ganze Brett ins Bild, nichts über den Rändern",
            "Az egész tábla a képen, semmi a szélén",
        ),
    ),
    "no-tiles": Trouble(
        Said("Nothing found", "Nichts gefunden", "Nem látok semmit"),
        Said(
            "Right edition? Tiles edge to edge, all in the picture",
            "Richtige Ausgabe? Plättchen aneinander, ganz im Bild",
            "Jó a kiadás? Lapkák szorosan, mind a képen",
        ),
    ),
    "no-companies": Trouble(
        Said("No cards found", "Keine Karten da", "Nem látok kártyát"),
        Said(
            "Cards on the board? Right edition in the menu?",
            "Karten auf dem Brett? Richtige Ausgabe im Menü?",
            "Van kártya a táblán? Jó a kiadás a menüben?",
        ),
    ),
    "city-count": Trouble(
        Said("Wrong city count", "Falsche Städtezahl", "Rossz városszám"),
        Said(
            "All cities in the picture? Right players in the menu?",
            "Alle Städte im Bild? Spielerzahl im Menü richtig?",
            "Minden város a képen? Jó a játékosszám a menüben?",
        ),
    ),
    "too-many-tiles": Trouble(
        Said("Too many of a kind", "Zu viele einer Art", "Túl sok egyforma"),
        Said(
            "One tile was read wrong: scan again or correct it",
            "Ein Plättchen wurde falsch gelesen: neu scannen",
            "Egy lapkát rosszul olvastam: pontozz újra",
        ),
    ),
    "empty-city": Trouble(
        Said("A city is empty", "Eine Stadt ist leer", "Egy város üres"), _PHOTO_AGAIN
    ),
    "player-count": Trouble(
        Said("Names do not fit", "Namen passen nicht", "A nevek száma rossz"),
        Said(
            "One name for each player: see the menu",
            "Ein Name für jeden Spieler: siehe Menü",
            "Minden játékosnak egy név: lásd a menüt",
        ),
    ),
    "repeated-name": Trouble(
        Said("Same name twice", "Name doppelt", "Két azonos név"),
        Said(
            "Give other names in the menu",
            "Im Menü andere Namen geben",
            "Adj más nevet a menüben",
        ),
    ),
    "name-taken": Trouble(
        Said("Name is taken", "Name schon vergeben", "Foglalt név"),
        Said("Choose another name", "Einen anderen Namen wählen", "Válassz másik nevet"),
    ),
    "game-not-read": Trouble(
        Said("Game not readable", "Spiel nicht lesbar", "Nem olvasható játék"),
        Said(
            "Choose another game in the menu",
            "Im Menü ein anderes Spiel wählen",
            "Válassz másik játékot a menüben",
        ),
    ),
    "job-too-slow": Trouble(
        Said("It took too long", "Das dauert zu lange", "Túl sokáig tart"),
        Said(
            "It was given up: try once more",
            "Abgebrochen: bitte noch einmal versuchen",
            "Feladtam: próbáld újra",
        ),
    ),
}
"""By the code of the error."""
