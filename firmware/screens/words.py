"""The words of the display, in English; the catalogue has them in the other languages.

The display has 21 letters a row, so its texts are written for it, and translated by meaning and
not word by word. Words of a game are in its package, those of notes in ``firmware.notes``, those
of faults in ``firmware.screens.faults``.
"""

from collections.abc import Mapping
from typing import Final

from firmware.language import D_, DN_, Phrase
from firmware.screens.views import (
    Alert,
    Hint,
    MenuWord,
    Notice,
    Question,
    Stage,
    WizardStep,
)
from vision.reading import PlaceKind

HINTS: Final = {
    Hint.SCAN: D_("scan"),
    Hint.AGAIN: D_("again"),
    Hint.NEXT: D_("next"),
    Hint.MORE: D_("more"),
    Hint.OK: D_("ok"),
    Hint.BACK: D_("back"),
    Hint.LAST: D_("last"),
    Hint.MENU: D_("menu"),
    Hint.CHOOSE: D_("choose"),
    Hint.CHECK: D_("check"),
    Hint.ACCEPT: D_("right"),
    Hint.CHANGE: D_("change"),
    Hint.TAKE: D_("take"),
    Hint.DONE: D_("done"),
    Hint.PHOTO: D_("photo"),
    Hint.RETRY: D_("retry"),
    Hint.CANCEL: D_("cancel"),
    Hint.YES: D_("yes"),
    Hint.NO: D_("no"),
}
"""At most six letters each, so that any three stand beside each other; ``NOTHING`` has none."""

TITLE: Final = D_("Stadtblick")
STARTING: Final = D_("Starting…")
READY: Final = D_("Ready")
HOLD_FOR_MENU: Final = D_("hold SCAN: menu")
HOLD_TITLE: Final = D_("Taking the photo", "display: title")
HOLD_TITLE_AGAIN: Final = D_("Scanning again")
HOLD_STILL: Final = D_("Hold still")
PROBLEM: Final = D_("Problem")
QUESTION: Final = D_("Are you sure?")
RETRYING: Final = D_("Trying again…")
VARIANTS: Final[Mapping[str, Phrase]] = {MenuWord.VARIANT_TWO_PLAYER: D_("2 players")}
"""Those that the ready screen names, by their identifiers."""
LEVEL: Final = D_("Level {n}")
ALERTS: Final = {
    Alert.NOT_SAVED: D_("Not saved"),
    Alert.STORAGE_FULL: D_("The card is full"),
    Alert.READ_ONLY: D_("Card is read-only"),
    Alert.UNDER_VOLTAGE: D_("Weak power supply"),
    Alert.TOO_HOT: D_("Too hot"),
    Alert.THROTTLED: D_("Slowed down"),
    Alert.CAMERA: D_("No camera"),
    Alert.CLOCK_UNKNOWN: D_("Time not known"),
    Alert.SETTINGS_RESET: D_("Settings reset"),
    Alert.SAFE_MODE: D_("Safe mode"),
}
"""At most 18 letters, so that a count of further ones has room behind."""

STAGES: Final = {
    Stage.CAPTURE: D_("Taking the photo"),
    Stage.LOCATE: D_("Finding cities"),
    Stage.RECOGNISE: D_("Reading tiles"),
    Stage.SCORE: D_("Counting points"),
    Stage.CALIBRATE: D_("Calibrating…"),
    Stage.TEACH: D_("Learning tiles…"),
}

QUESTIONS: Final = {
    Question.CANCEL_WIZARD: D_("Stop setting up?"),
    Question.REPLACE_EDITION: D_("Learn this edition anew?"),
    Question.RESET_SETTINGS: D_("Reset all settings?"),
    Question.CLEAR_NAMES: D_("Delete all names?"),
}

NOTICES: Final = {
    Notice.TAUGHT: D_("Tiles learned"),
    Notice.TAUGHT_UNCHECKED: D_("Learned. The order of the tiles could not be checked"),
    Notice.STANDARD_EDITION: D_("New game: the edition is the usual one now"),
    Notice.OTHER_EDITION: D_("New game: see the edition in the menu"),
    Notice.SHUTTING_DOWN: D_("Switching off…"),
    Notice.SAFE_MODE: D_("Safe mode: the last starts failed"),
}

MENU_WORDS: Final = {
    MenuWord.MENU: D_("Menu"),
    MenuWord.SETTINGS: D_("Settings"),
    MenuWord.CALIBRATE: D_("Calibrate"),
    MenuWord.TEACH: D_("Teach tiles", "display: menu"),
    MenuWord.SHUT_DOWN: D_("Switch off"),
    MenuWord.GAME: D_("Game"),
    MenuWord.VARIANT: D_("Players"),
    MenuWord.LEVEL: D_("Level"),
    MenuWord.EDITION: D_("Edition"),
    MenuWord.PLAYERS: D_("Names"),
    MenuWord.LANGUAGE: D_("Language"),
    MenuWord.CONTRAST: D_("Brightness"),
    MenuWord.UPSIDE_DOWN: D_("Upside down"),
    MenuWord.CLEAR_NAMES: D_("Delete names"),
    MenuWord.RESET_SETTINGS: D_("Reset settings"),
    MenuWord.CHECK_TILES: D_("Check tiles"),
    MenuWord.CORRECT_TILE: D_("Correct a tile"),
    MenuWord.ROW: D_("Row"),
    MenuWord.LAST_RESULT: D_("Last result"),
    MenuWord.GO_ON: D_("Go on"),
    MenuWord.SAFE_MODE: D_("Safe mode"),
    MenuWord.START_NORMALLY: D_("Start normally"),
    MenuWord.LENS_AND_TABLE: D_("Lens and table"),
    MenuWord.TABLE_ONLY: D_("Table only"),
    MenuWord.ADD_EXAMPLES: D_("Add examples"),
    MenuWord.LEARN_ANEW: D_("Learn anew"),
    MenuWord.SHOP_CORNER: D_("Where is the shop?"),
    MenuWord.TOP_LEFT: D_("top left"),
    MenuWord.TOP_RIGHT: D_("top right"),
    MenuWord.BOTTOM_RIGHT: D_("bottom right"),
    MenuWord.BOTTOM_LEFT: D_("bottom left"),
    MenuWord.DELETE: D_("Delete letter"),
    MenuWord.SPACE: D_("Space"),
    MenuWord.STANDARD_EDITION: D_("usual"),
    MenuWord.NEW_EDITION: D_("New edition"),
    MenuWord.YES: D_("yes"),
    MenuWord.NO: D_("no"),
    MenuWord.NONE: D_("none"),
    MenuWord.VARIANT_STANDARD: D_("3 to 7"),
    MenuWord.VARIANT_TWO_PLAYER: D_("2"),
    MenuWord.LEVEL_1: D_("1: beginners"),
    MenuWord.LEVEL_2: D_("2: dilemma"),
    MenuWord.LEVEL_3: D_("3: brain-teaser"),
    MenuWord.ENGLISH: D_("English"),
    MenuWord.GERMAN: D_("Deutsch"),
    MenuWord.HUNGARIAN: D_("Magyar"),
    MenuWord.NO_TILE: D_("no tile", "display: menu"),
    MenuWord.NO_FIGURE: D_("no figure"),
}
"""At most 18 letters; a language is named in itself, so that who chose a wrong one finds back."""

SHORT_WORDS: Final = {MenuWord.LEVEL_3: D_("3")}
"""A second wording where the first has no room beside a label."""
NAME_OF_SEAT: Final = D_("Name of player {n}")
NAME_OF_EDITION: Final = D_("Name of the edition")
SPACE_SIGN: Final = "_"
"""Stands for a space among the letters to choose from."""
WIZARD_TITLES: Final = {
    "calibrate": D_("Calibrate"),
    "teach": D_("Teach tiles"),
}

WIZARD_STEPS: Final = {
    WizardStep.CALIBRATE_PRINT: D_("Have the printed calibration sheet at hand"),
    WizardStep.CALIBRATE_FLAT: D_("Lay the sheet flat in the middle of the table"),
    WizardStep.CALIBRATE_LIFT_LEFT: D_("Lift the left edge of the sheet a hand high"),
    WizardStep.CALIBRATE_LIFT_RIGHT: D_("Lift the right edge of the sheet a hand high"),
    WizardStep.CALIBRATE_LIFT_NEAR: D_("Lift the near edge of the sheet a hand high"),
    WizardStep.CALIBRATE_LIFT_FAR: D_("Lift the far edge of the sheet a hand high"),
    WizardStep.CALIBRATE_CORNER: D_("Push the sheet to another corner of the picture"),
    WizardStep.CALIBRATE_TABLE: D_("Last photo: the sheet flat on the table"),
    WizardStep.TEACH_LAY: D_("Lay 9 tiles upright like this"),
    WizardStep.TEACH_PHOTO: D_("Camera above, light from all sides, no hands"),
    WizardStep.TEACH_TURN: D_("Once more: turn the tiles a little as a whole"),
}
"""At most three rows."""

CALIBRATED: Final = (
    D_("Camera {cm} cm above"),
    D_("Error {px} px"),
    D_("{n} photos, {percent} %"),
)

WINNER: Final = D_("Winner")
SHARED_VICTORY: Final = D_("Shared victory")
MORE_WINNERS: Final = D_("+{n} more")
UNSAVED: Final = (D_("not saved"), "!")
MAP: Final = D_("Map")
RANKED: Final = D_("{rank}. {name}")
RANKED_UNSURE: Final = D_("{rank}? {name}")
CHANGES: Final = D_("Since the last scan")
NO_CHANGE: Final = D_("Nothing has changed")

READ: Final = D_("Read, no score")
"""Title of what was read of a game without rules."""
PIECES: Final = DN_("{n} piece read", "{n} pieces read")
EMPTY: Final = DN_("{n} empty place", "{n} empty places")

UNREAD: Final = DN_("{n} city not read", "{n} cities not read")
BOARD_UNREAD: Final = D_("Board not read")
ABOUT_PHOTO: Final = D_("About the photo")
ABOUT_RULES: Final = D_("By the rules")
CITY: Final = D_("City {letter}")
CITIES: Final = D_("Cities {letters}")

CHECK_TILES: Final = DN_("Check {n} tile", "Check {n} tiles")
CHECK_FIELDS: Final = DN_("Check {n} field", "Check {n} fields")
CHECK_FIGURES: Final = DN_("Check {n} figure", "Check {n} figures")
CHECK_PIECES: Final = DN_("Check {n} value", "Check {n} values")
TILES_MISSING: Final = DN_("{n} tile missing", "{n} tiles missing")
FIELDS_MISSING: Final = DN_("{n} field missing", "{n} fields missing")
PLACE_LEGEND: Final = D_("row,column")

NOTHING: Final = {
    PlaceKind.TILE: D_("empty"),
    PlaceKind.FIGURE: D_("no figure"),
    PlaceKind.LOOSE: D_("nothing"),
}
"""What a person may say of a place."""
NO_TILE: Final = D_("no tile")
LATER: Final = D_("later")
