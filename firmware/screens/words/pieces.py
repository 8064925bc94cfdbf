"""Words of what lies on the table in the games that are known by pictures."""

from typing import Final

from firmware.board_games.spots import What
from firmware.screens.words.said import Said

NOTHING: Final = {
    What.TILE: Said("empty", "leer", "üres"),
    What.TOKEN: Said("no figure", "keine Figur", "nincs bábu"),
    What.BESIDE: Said("nothing", "nichts", "semmi"),
}

WORDS: Final = {
    "sight": Said("sight", "Sehens- würdigkeit", "látnivaló"),
    "cafe": Said("cafe", "Straßencafé", "kávézó"),
    "park": Said("park", "Park", "park"),
    "water": Said("water", "Wasser", "víz"),
    "tourist": Said("tourist", "Tourist", "turista"),
    "red": Said("red", "rot", "piros"),
    "blue": Said("blue", "blau", "kék"),
    "green": Said("green", "grün", "zöld"),
    "yellow": Said("yellow", "gelb", "sárga"),
    "house": Said("house", "Haus", "ház"),
    "shop": Said("shop", "Laden", "üzlet"),
    "factory": Said("factory", "Fabrik", "gyár"),
    "school": Said("school", "Schule", "iskola"),
    "power-plant": Said("power plant", "Kraftwerk", "erőmű"),
    "mall": Said("mall", "Einkaufs- zentrum", "bevásárló- központ"),
    "court": Said("court", "Gerichts- gebäude", "bíróság"),
    "value": Said("value", "Wert", "érték"),
    "row": Said("row values", "Zeilenwerte", "sorértékek"),
    "column": Said("column values", "Spaltenwerte", "oszlopértékek"),
    "bakery": Said("bakery", "Bäckerei", "pékség"),
    "brewery": Said("brewery", "Brauerei", "sörfőzde"),
    "shipyard": Said("shipyard", "Werft", "hajógyár"),
    "theatre": Said("theatre", "Theater", "színház"),
    "post": Said("post", "Post", "posta"),
}
"""By an identifier, or a part of one; 12 letters fit in a row."""

SIGHT_UP: Final = Said("turned", "gewendet", "fordítva")
"""Instead of the last part of the name of a card that is turned over."""
