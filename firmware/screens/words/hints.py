"""The hint row: at most six letters each, so that any three stand beside each other."""

from typing import Final

from firmware.screens.hints import Hint
from firmware.screens.words.said import Said

HINTS: Final = {
    Hint.NOTHING: Said("", "", ""),
    Hint.SCAN: Said("scan", "Scan", "pontoz"),
    Hint.AGAIN: Said("again", "neu", "újra"),
    Hint.NEXT: Said("next", "weiter", "tovább"),
    Hint.MORE: Said("more", "mehr", "tovább"),
    Hint.OK: Said("ok", "ok", "ok"),
    Hint.BACK: Said("back", "zurück", "vissza"),
    Hint.LAST: Said("last", "letzte", "előző"),
    Hint.MENU: Said("menu", "Menü", "menü"),
    Hint.CHOOSE: Said("choose", "wählen", "ezt"),
    Hint.CHECK: Said("check", "prüfen", "átnéz"),
    Hint.ACCEPT: Said("right", "stimmt", "jó így"),
    Hint.CHANGE: Said("change", "ändern", "más"),
    Hint.TAKE: Said("take", "nehmen", "beír"),
    Hint.DONE: Said("done", "fertig", "kész"),
    Hint.PHOTO: Said("photo", "Foto", "fotó"),
    Hint.RETRY: Said("retry", "erneut", "újra"),
    Hint.SKIP: Said("later", "später", "később"),
    Hint.CANCEL: Said("cancel", "Stopp", "mégse"),
    Hint.YES: Said("yes", "ja", "igen"),
    Hint.NO: Said("no", "nein", "nem"),
}
