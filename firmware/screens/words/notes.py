"""Words for what the eye says about a photo and its cities, by a pattern of its English wording.

A screen has three rows for each.
"""

from typing import Final

from firmware.screens.words.said import Said

ABOUT_PHOTO: Final = Said("About the photo", "Zum Foto", "A fotóról")
CITIES: Final = (
    Said("Cities {letters}", "Städte {letters}", "{letters} város"),
    Said("{letters}", "{letters}", "{letters}"),
)

PHOTO_NOTES: Final = {
    r"the tiles do not look like those of edition .*": Said(
        "The tiles do not look like the edition that is chosen",
        "Die Plättchen sehen anders aus als die gewählte Ausgabe",
        "A lapkák nem olyanok, mint a választott kiadás",
    ),
    r"much of the photo is white, so that a city may have been missed: .*": Said(
        "Much of it is white, a city may be missing: less light",
        "Vieles ist weiß, eine Stadt kann fehlen: weniger Licht",
        "Sok a fehér, egy város hiányozhat: kevesebb fény kell",
    ),
    r"the photo is dark, so that a city may have been missed: .*": Said(
        "Photo is dark, a city may be missing: use more light",
        "Foto ist dunkel, eine Stadt kann fehlen: mehr Licht",
        "Sötét a kép, egy város hiányozhat: több fény kell",
    ),
    r"the photo is blurred, so that a city may have been missed: .*": Said(
        "Photo is blurred, a city may be missing: focus the camera",
        "Foto ist unscharf, eine Stadt kann fehlen: scharfstellen",
        "Elmosódott kép, egy város hiányozhat: állítsd élesre",
    ),
    r"city (?P<letter>[A-Z]) of an earlier photo is not there any more": Said(
        "City {letter} from before is no longer there",
        "Stadt {letter} von vorhin ist nicht mehr da",
        "A korábbi {letter} város már nincs ott",
    ),
    r"city (?P<letter>[A-Z]) of an earlier photo is not there any more: .*": Said(
        "City {letter} is gone: later cities move up a letter",
        "Stadt {letter} ist weg: spätere rücken einen Buchstaben vor",
        "{letter} város eltűnt: a többi egy betűvel előrébb",
    ),
}
"""Notes on a photo after which a city may be missing or misread."""

CALIBRATION_NOTES: Final = {
    r"the calibration is for photos of another size: .*": Said(
        "Calibration not used: it is for another photo size",
        "Kalibrierung nicht benutzt: für andere Bildgröße",
        "Kalibrálás kihagyva: más képmérethez való",
    ),
    r"the calibration does not fit, the camera was moved or turned: .*": Said(
        "The camera was moved: calibrate the table again",
        "Kamera wurde bewegt: Tisch neu kalibrieren",
        "A kamera elmozdult: kalibráld újra az asztalt",
    ),
    r"the calibration was not used: .*": Said(
        "The calibration is of no use: calibrate again",
        "Kalibrierung ist unbrauchbar: neu kalibrieren",
        "A kalibrálás nem használható: kalibrálj újra",
    ),
}
"""Notes after which the reading is as good as without a calibration."""

CITY_NOTES: Final = {
    r"glare at .*": Said(
        "Glare hides tiles: move the lamp or give shade",
        "Glanz verdeckt Plättchen: Lampe verschieben",
        "Csillogás takar lapkát: tedd arrébb a lámpát",
    ),
    r"runs off the .* of the picture: .*": Said(
        "Not whole in the photo: move the city or the camera",
        "Nicht ganz im Bild: Stadt oder Kamera verschieben",
        "Kilóg a képből: mozdítsd a várost vagy a kamerát",
    ),
    r"its tiles are only \d+ pixels wide: .*": Said(
        "Too small in the photo: move the camera closer",
        "Zu klein im Bild: Kamera näher heran",
        "Túl kicsi a képen: vidd közelebb a kamerát",
    ),
    r"it is too dark: .*": Said(
        "Too dark: use more light",
        "Zu dunkel: mehr Licht machen",
        "Túl sötét: több fény kell",
    ),
    r"it is blurred: .*": Said(
        "Blurred: focus the camera and hold it still",
        "Unscharf: Kamera scharfstellen und ruhig halten",
        "Elmosódott: állítsd élesre, tartsd nyugodtan",
    ),
    r"so much of this city is unclear that all of it must be checked": Said(
        "So much is unclear: check all tiles here",
        "Vieles ist unklar: alle Plättchen prüfen",
        "Sok a bizonytalan: nézd át az összes lapkát",
    ),
    r"a whole row at the edge has no tile: .*": Said(
        "A whole edge row is empty: all may lie a row further",
        "Eine Randreihe ist leer: alles kann eine Reihe weiter liegen",
        "Egy szélső sor üres: minden egy sorral arrébb lehet",
    ),
    r"its tiles are of another size than those of the table: .*": Said(
        "Tiles of another size than the others: check them",
        "Andere Größe als die übrigen: alle prüfen",
        "Más méretű lapkák: nézd át mindet",
    ),
}
"""Notes on a city."""

NOTES: Final = {**PHOTO_NOTES, **CALIBRATION_NOTES, **CITY_NOTES}
