"""Words of a result, of what is not sure about it, and of what has changed."""

from typing import Final

from firmware.screens.doubt_views import Other
from firmware.screens.words.said import Counted, Said
from scoring.faces import Face
from scoring.games.between_two_cities.sheet import Category, TieBreaker

CATEGORIES: Final = {
    Category.SHOPS: Said("Shop", "Laden", "Üzlet"),
    Category.FACTORIES: Said("Factory", "Fabrik", "Gyár"),
    Category.TAVERNS: Said("Tavern", "Gaststätte", "Vendéglő"),
    Category.OFFICES: Said("Office", "Büro", "Iroda"),
    Category.PARKS: Said("Park", "Park", "Park"),
    Category.HOUSES: Said("House", "Haus", "Ház"),
}

TIE_BREAKERS: Final = {
    TieBreaker.HIGHER_CITY: Said("best city", "beste Stadt", "jobb város"),
    TieBreaker.SHOP_COUNT: Said("shops", "Läden", "üzletek"),
    TieBreaker.FACTORY_COUNT: Said("factories", "Fabriken", "gyárak"),
    TieBreaker.TAVERN_COUNT: Said("taverns", "Gaststätten", "vendéglők"),
    TieBreaker.OFFICE_COUNT: Said("offices", "Büros", "irodák"),
    TieBreaker.PARK_COUNT: Said("parks", "Parks", "parkok"),
    TieBreaker.HOUSE_COUNT: Said("houses", "Häuser", "házak"),
}

FACES: Final[dict[Face | Other, Said]] = {
    Face.SHOP: Said("shop", "Laden", "üzlet"),
    Face.FACTORY: Said("factory", "Fabrik", "gyár"),
    Face.TAVERN_FOOD: Said("food", "Essen", "étel"),
    Face.TAVERN_BED: Said("bed", "Bett", "ágy"),
    Face.TAVERN_MUSIC: Said("music", "Musik", "zene"),
    Face.TAVERN_DRINK: Said("drink", "Getränk", "ital"),
    Face.OFFICE: Said("office", "Büro", "iroda"),
    Face.PARK: Said("park", "Park", "park"),
    Face.HOUSE: Said("house", "Haus", "ház"),
    Other.NO_TILE: Said("no tile", "leer", "üres"),
    Other.LATER: Said("later", "später", "később"),
}
"""What lies at a place, in one short word: also on the annotated photo."""

NO_TILE_UNSURE: Final = Said("empty?", "leer?", "üres?")
NOT_READ_BECAUSE: Final = Said("not read:", "nicht gelesen:", "nem olvasható:")
OWNERS_ON_PHOTO: Final = Said(
    "Please check whose city is which",
    "Bitte prüfen: Wem gehört welche Stadt?",
    "Ellenőrizd: melyik város kié?",
)

WINNER: Final = Said("Winner", "Gewinner", "Nyertes")
SHARED_VICTORY: Final = Said("Shared victory", "Geteilter Sieg", "Közös győzelem")
SEAT: Final = Said("Player {n}", "Spieler {n}", "{n}. játékos")
MORE_WINNERS: Final = Said("+{n} more", "+{n} weitere", "+{n} további")
UNSAVED: Final = (Said("not saved", "ungesichert", "nincs mentve"), Said("!", "!", "!"))

LEFT: Final = Said("{letter} left", "{letter} links", "{letter} bal")
RIGHT: Final = Said("{letter} right", "{letter} rechts", "{letter} jobb")
LOWER_COUNTS: Final = Said(
    "Lower city {letter} counts", "Niedrigere zählt: {letter}", "A kisebb számít: {letter}"
)
BOTH_EQUAL: Final = Said("Both cities are equal", "Beide Städte gleich", "Egyforma a két város")
ARE_ADDED: Final = Said("Both cities together", "Beide Städte zusammen", "A két város összege")
TIE_SHARED: Final = Said("Tie: rank is shared", "Gleichstand: geteilt", "Holtverseny: közös")
TIE: Final = (
    Said("Tie: {by} {numbers}", "Gleich: {by} {numbers}", "Döntő: {by} {numbers}"),
    Said("{by} {numbers}", "{by} {numbers}", "{by} {numbers}"),
)

CITY: Final = Said("City {letter}", "Stadt {letter}", "{letter} város")
MAP: Final = Said("Map", "Plan", "Térkép")
LEGEND: Final = Said("The signs", "Die Zeichen", "A jelek")

UNSURE: Final = Counted(
    Said("Check {n} tile", "{n} Plättchen prüfen", "{n} kérdéses lapka"),
    Said("Check {n} tiles", "{n} Plättchen prüfen", "{n} kérdéses lapka"),
)
MISSING: Final = Counted(
    Said("{n} tile missing", "{n} Plättchen fehlt", "{n} lapka hiányzik"),
    Said("{n} tiles missing", "{n} Plättchen fehlen", "{n} lapka hiányzik"),
)
UNREAD: Final = Counted(
    Said("{n} city not read", "{n} Stadt unlesbar", "{n} olvasatlan város"),
    Said("{n} cities not read", "{n} Städte unlesbar", "{n} olvasatlan város"),
)
PLACE_LEGEND: Final = Said("rows, columns from 0", "Zeile, Spalte ab 0", "sor, oszlop 0-tól")
OWNERS: Final = Said("Whose city is which?", "Wessen Stadt?", "Melyik város kié?")
OWNERS_GUESSED: Final = Said(
    "Guessed: please check", "Geraten: bitte prüfen", "Becslés: ellenőrizd"
)

UNREAD_REASONS: Final = {
    r"only (?P<n>\d+) tiles can be read here": Said(
        "only {n} tiles can be read here",
        "hier sind nur {n} Plättchen lesbar",
        "itt csak {n} lapka olvasható",
    ),
    r"what lies here like a grid of this edition cannot be read": Said(
        "what lies here cannot be read: more light, no hands",
        "was hier liegt, ist nicht lesbar: mehr Licht, Hände weg",
        "ami itt van, nem olvasható: több fény, kezek nélkül",
    ),
    r"it cannot be told for certain where this grid ends: .*": Said(
        "part of it is hidden or not in the picture",
        "ein Teil ist verdeckt oder nicht im Bild",
        "egy része takarva van vagy nincs a képen",
    ),
    r"what lies here like a city cannot be read": Said(
        "what lies here like a city cannot be read",
        "was hier wie eine Stadt liegt, ist nicht lesbar",
        "ami itt városnak látszik, nem olvasható",
    ),
    r"the table has a pattern like tiles here, .*": Said(
        "the table has a pattern like tiles here",
        "das Tischmuster sieht hier wie Plättchen aus",
        "az asztal mintája itt lapkákra hasonlít",
    ),
    r"so much light that tiles cannot be seen here: .*": Said(
        "too much light: move the lamp or give shade",
        "zu viel Licht: Lampe verschieben oder abschatten",
        "túl sok fény: vidd arrébb a lámpát vagy árnyékold",
    ),
}
"""Reasons of the eye by a pattern of their English wording."""

CHANGES: Final = Said("Since the last scan", "Seit dem letzten Mal", "Az előző óta")
NO_CHANGE: Final = Said("Nothing has changed", "Nichts hat sich geändert", "Semmi sem változott")
NEW_WINNER: Final = Counted(
    Said("Winner now:", "Jetzt gewinnt:", "Most nyer:"),
    Said("{n} share the victory", "{n} teilen den Sieg", "{n} közös győztes"),
)
CITY_COUNT: Final = Said("Cities", "Städte", "Városok")
