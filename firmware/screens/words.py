"""The words of the display, in English; the catalogue has them in the other languages.

The display has 21 letters a row, so its texts are written for it, and translated by meaning and
not word by word. Words of a game are in its package, those of notes in ``firmware.wording.notes``,
those of problems in ``firmware.screens.problem_words``.
"""

from collections.abc import Mapping
from typing import Final

from firmware.base.language import D_, DN_, Phrase, Worded
from vision.reading import PlaceKind


def mark_unsure(text: object, *, unsure: bool) -> str:
    """Return a text with a question mark if it may change once doubts are resolved."""
    return f"{text}?" if unsure else str(text)


def rank_and_name(rank: str, name: object) -> Phrase:
    """Return rank and name of a player as a title.

    Args:
        rank: Rank as ``ShownNumbers.rank`` gives it: ``2``, ``1–3``, or ``2?``.
        name: Player.
    """
    wording = RANKED_UNSURE if rank.endswith("?") else RANKED
    return wording.fill(rank=rank.removesuffix("?"), name=name)


class Hint(Worded):
    """Action of a button, shown as a word or sign above it; never a state.

    So short that any three stand beside each other.
    """

    NOTHING = ""
    SCAN = D_("scan")
    AGAIN = D_("again")
    """Scan the same table again."""
    NEXT = "►"
    """The next view, letter, place or past game."""
    PREVIOUS = "◄"
    DOWN = "▼"
    """The next entry of a list."""
    MORE = D_("more")
    """The next part of the same text; shown only if there is one."""
    OK = D_("ok")
    BACK = D_("back")
    POINTS = D_("points")
    """Show the last result again."""
    MENU = D_("menu")
    CHOOSE = D_("choose")
    CHECK = D_("check")
    """Look at what is not sure; shown with how much that is, and not shown if there is nothing."""
    CHANGE = D_("change")
    OTHER = D_("other", "display: hint")
    """Offer something else."""
    TAKE = D_("take")
    """Take the offered letter."""
    DONE = D_("done")
    PHOTO = D_("photo")
    UNDO = D_("undo")
    """Take back what was just learned."""
    ADD_NAME = D_("+ name")
    """Write a name that is not offered."""
    SPACE = D_("space")
    SKIP = D_("skip")
    """Leave something as it is when it is asked at the first start."""
    RETRY = D_("retry")
    FOCUS = D_("focus")
    """Find focus and exposure anew."""
    CANCEL = D_("cancel")
    DELETE = D_("delete", "display: hint")
    OPEN = D_("open", "display: hint")
    YES = D_("yes")
    NO = D_("no")


class Alert(Worded):
    """Something that a person should know, and that does not stop the scanner.

    At most 18 letters, so that a count of further ones has room behind.
    """

    NOT_SAVED = D_("Not saved")
    """The last result is shown but could not be written."""
    STORAGE_FULL = D_("Memory card full")
    READ_ONLY = D_("Card is read-only")
    """The card can be read but not written."""
    UNDER_VOLTAGE = D_("Weak power supply")
    TOO_HOT = D_("Too hot")
    THROTTLED = D_("Running slowly")
    RECORD = D_("A new record!")
    """The result has beaten one of the games before."""
    CAMERA = D_("No camera")
    """The camera is not there; the rest works."""
    EDITION = D_("Edition unusable")
    """The edition that was chosen is missing or damaged: the built-in one is used."""
    SETTINGS_RESET = D_("Settings reset")
    """The settings were damaged and set aside; the defaults are used."""
    SAFE_MODE = D_("Safe mode")
    """Started with the defaults after several starts that did not complete."""


class Stage(Worded):
    """Stage of a job as the display names it; not one of the stages of ``vision.eye.read``."""

    CAPTURE = D_("Taking the photo")
    NEXT_PHOTO = D_("Next photo…")
    """Shown between several photos that the phone sends."""
    LOCATE = D_("Finding cities")
    """The photo is read in full, with all stages of ``vision.eye.read``."""
    RECOGNISE = D_("Reading tiles")
    """Tiles are read again in their known places, by ``vision.rereading``."""
    SCORE = D_("Counting points")
    CALIBRATE = D_("Calibrating…")
    TEACH = D_("Learning tiles…")
    HISTORY = D_("Loading…")


class Notice(Worded):
    """Notice in large letters, without a question."""

    TAUGHT = D_("Tiles learned")
    UNLEARNED = D_("Tiles forgotten: read as before")
    TAUGHT_UNCHECKED = D_("Learned. The order of the tiles could not be checked")
    """Learned, but the look was new: the order of the tiles could not be checked."""
    STANDARD_EDITION = D_("New game: the standard edition is used now")
    """The edition that was set is of another game: the built-in one is used."""
    OTHER_EDITION = D_("New game: see the edition in the menu")
    """The edition that was set is of another game: a taught one is used."""
    NO_GAMES = D_("No game is stored yet")
    PHOTOS_DELETED = D_("All photos are deleted")
    SHUTTING_DOWN = D_("Switching off…")
    SAFE_MODE = D_("Safe mode: the last starts failed")


class Question(Worded):
    """Something that is done only after a yes."""

    CANCEL_WIZARD = D_("Stop setting up?")
    REPLACE_EDITION = D_("Teach this edition again?")
    RESET_SETTINGS = D_("Reset all settings?")
    SHUT_DOWN = D_("Switch off?")
    CALIBRATE = D_("Calibrate the camera now?")
    LEARN_TILES = D_("Teach the corrected tiles?")
    LEARN_DOUBTFUL = D_("It does not seem to fit. Teach it anyway?")
    SAME_TABLE = D_("Same game again: update it?")
    """The answer no means that it is a new game."""
    HOTSPOT = D_("Scanner Wi-Fi instead of home Wi-Fi?")
    NAME_LAST_GAME = D_("Names also for the last game?")
    """Asked if the game just played had other names."""
    DELETE_GAME = D_("Delete this game?")
    DELETE_PHOTOS = D_("Delete all photos for good?")


class MenuWord(Worded):
    """A title, an entry or a value of a menu that is a word; names are given as text.

    At most 18 letters. Languages are named in themselves, so that a wrong choice can be undone.
    """

    MENU = D_("Menu")
    SETTINGS = D_("Settings")
    ON_PHONE = D_("Open on phone")
    """Open the page of the scanner on a phone."""
    START_WIFI = D_("Start Wi-Fi")
    SHOW_WIFI = D_("Wi-Fi password")
    STOP_WIFI = D_("Stop Wi-Fi")
    STOP_PAGE = D_("Stop the page")
    AIM = D_("Aim the camera")
    CALIBRATE = D_("Calibrate")
    TEACH = D_("Teach tiles", "display: menu")
    SHUT_DOWN = D_("Switch off")
    GAME = D_("Game")
    VARIANT = D_("Players")
    LEVEL = D_("Level")
    EDITION = D_("Edition")
    WHO_PLAYS = D_("Who plays?")
    AS_LAST_TIME = D_("As last time")
    THAT_IS_ALL = D_("No more players")
    PREVIOUS_NAME = D_("Previous name")
    NO_NAMES = D_("No names")
    SET_UP = D_("Set up again")
    LANGUAGE = D_("Language")
    CONTRAST = D_("Brightness")
    UPSIDE_DOWN = D_("Upside down")
    DEVICE = D_("This scanner")
    TIME_KNOWN = D_("Clock is set")
    CAMERA_WORKS = D_("Camera works")
    CALIBRATED = D_("Calibrated")
    VERSION = D_("Version")
    RESET_SETTINGS = D_("Reset settings")
    DELETE_PHOTOS = D_("Delete photos")
    TO_CHECK = D_("To check")
    """Places of any kind that are not sure; its value is their number."""
    CORRECT_TILE = D_("Correct a tile")
    NEW_GAME = D_("This is a new game")
    """Not the same table as before."""
    SAME_GAME = D_("Same game again")
    """The game that may be of this table is updated."""
    LAST_RESULT = D_("Last result")
    HISTORY = D_("Past games")
    STATISTICS = D_("Statistics")
    GO_ON = D_("Go on")
    SAFE_MODE = D_("Safe mode")
    START_NORMALLY = D_("Start normally")
    LENS_AND_TABLE = D_("Lens and table")
    TABLE_ONLY = D_("Table only")
    UNDO_TEACHING = D_("Undo last teaching")
    ADD_EXAMPLES = D_("Add examples")
    TEACH_AGAIN = D_("Teach again")
    SHOP_CORNER = D_("Where is the shop?")
    """In which corner of the photo does the shop lie?"""
    TOP_LEFT = D_("top left")
    TOP_RIGHT = D_("top right")
    BOTTOM_RIGHT = D_("bottom right")
    BOTTOM_LEFT = D_("bottom left")
    STANDARD_EDITION = D_("standard")
    NEW_EDITION = D_("New edition")
    FROM_TABLE = D_("From finished game")
    """Teach a new edition by a finished table."""
    YES = D_("yes")
    NO = D_("no")
    STANDARD = D_("3 to 7")
    TWO_PLAYER = D_("2")
    LEVEL_1 = D_("1: beginners")
    LEVEL_2 = D_("2: dilemma")
    LEVEL_3 = D_("3: brain-teaser")
    EN = D_("English")
    DE = D_("Deutsch")
    HU = D_("Magyar")


class WizardStep(Worded):
    """A step of setting up with its instruction; the value begins with the wizard's name.

    At most three rows.
    """

    CALIBRATE_PRINT = D_("Have the calibration sheet ready, print: Open on phone")
    CALIBRATE_FLAT = D_("Lay the sheet flat in the middle of the table")
    CALIBRATE_LIFT_LEFT = D_("Lift the left edge of the sheet a hand high")
    CALIBRATE_LIFT_RIGHT = D_("Lift the right edge of the sheet a hand high")
    CALIBRATE_LIFT_NEAR = D_("Lift the near edge of the sheet a hand high")
    CALIBRATE_LIFT_FAR = D_("Lift the far edge of the sheet a hand high")
    CALIBRATE_CORNER = D_("Push the sheet to another corner of the picture")
    """The sheet in another corner of the picture."""
    CALIBRATE_TABLE = D_("Last photo: the sheet flat on the table")
    """The last photo: the sheet flat on the table."""
    TEACH_TABLE = D_("Finished game under the camera, hands away")
    TEACH_LAY = D_("Lay 9 tiles upright like this")
    """Tiles to lay out; the picture shows the order."""
    TEACH_PHOTO = D_("Camera above, light from all sides, hands away")
    TEACH_TURN = D_("Once more: turn the tiles a little as a whole")
    """Another photo, with other light or from elsewhere."""


TITLE: Final = D_("Stadtblick")
STARTING: Final = D_("Starting…")
READY: Final = D_("Ready")
SAME_PLAYERS: Final = D_("Same players?")
HOLD_FOR_MENU: Final = D_("hold SCAN: menu")
HANDS_OFF_TITLES: Final = {
    False: D_("Taking the photo", "display: title"),
    True: D_("Scanning again"),
}
"""Title while the photo is taken, by whether the same table is scanned again."""
HANDS_OFF: Final = D_("Hands off")
PROBLEM: Final = D_("Problem")
QUESTION: Final = D_("Are you sure?")
OFFERS: Final = (
    Question.CALIBRATE,
    Question.LEARN_TILES,
    Question.SAME_TABLE,
    Question.NAME_LAST_GAME,
)
"""Questions without the title *Are you sure?*, as no answer does harm."""
RETRYING: Final = D_("Trying again…")
VARIANTS: Final[Mapping[str, Phrase]] = {
    "standard": D_("3 to 7 players"),
    "two-player": D_("2 players"),
}
"""Words of variants on the ready screen, by their identifiers."""
LEVEL: Final = D_("Level {n}")
TIME_UNKNOWN: Final = D_("Time not known")
"""Date of a past game."""
LAST_UNSURE: Final = D_("Last: check {n}")
"""Number of places to check in the last result."""

SHORT_WORDS: Final = {MenuWord.LEVEL_3: D_("3")}
"""Second wordings, for values that have no room beside a label."""
FIRST_SEAT: Final = D_("Who's in front?")
"""Title of the names to choose from for the player at the near edge of the photo."""
NEXT_SEAT: Final = D_("Left of {name}")
"""Title of the names to choose from for the next player clockwise."""
NAME_OF_SEAT: Final = D_("Name of player {n}")
NAME_OF_EDITION: Final = D_("Name of the edition")
SPACE_SIGN: Final = "_"
"""Sign of the space among the letters to choose from."""
WIZARD_TITLES: Final = {
    "calibrate": D_("Calibrate"),
    "teach": D_("Teach tiles"),
}

CALIBRATED: Final = (
    D_("Camera {cm} cm above"),
    D_("Error {px} px"),
    DN_("{n} photo, {percent}%", "{n} photos, {percent}%"),
)

PERCENT: Final = D_("{n}%")

PAGE_STARTS: Final = D_("One moment…")
"""Text until the page for phones can be reached."""

PASSWORD: Final = D_("Password")

AIM_PLAYERS: Final = (D_("2–{n} players"), D_("2–{n}", "display: players"))
"""Number of players whose cities fit, if more than two do."""
AIM_TWO_PLAYERS: Final = (VARIANTS["two-player"], D_("2"))
AIM_LIGHT: Final = D_("light")
AIM_FOCUS: Final = D_("sharp")
AIM_HEIGHT: Final = D_("{cm} cm")
AIM_HEIGHTS: Final = D_("Height needed")
"""Title of the heights that the camera needs, by number of players."""
AIM_ROW: Final = D_("{players} players")
AIM_LENS_UNKNOWN: Final = D_("This lens is not known")

WINNER: Final = D_("Winner")
SHARED_VICTORY: Final = D_("Shared victory")
WHO_WINS: Final = D_("Who wins?")
"""Title above all who can still win."""
WINS_ANYWAY: Final = D_("wins in any case")
"""Line below a winner whom the open tiles cannot change."""
MORE_WINNERS: Final = D_("+{n} more")
UNSAVED: Final = (D_("not saved"), "!")
MAP: Final = D_("Map")
STANDINGS: Final = D_("Standings")
RANKED: Final = D_("{rank}. {name}")
RANKED_UNSURE: Final = D_("{rank}? {name}")
PLAYED: Final = DN_("{n} game", "{n} games")
AVERAGE: Final = D_("Average")
RECORD: Final = D_("Record")
MAX_OF: Final = D_("Record: {name}")
WINS_AND_AVERAGE: Final = D_("Wins, average")
AVERAGE_AND_MOST: Final = D_("Average, record")
CHANGES: Final = D_("Since the last scan")
NO_CHANGE: Final = D_("Nothing has changed")
CHANGES_SO_FAR: Final = D_("Changes so far")
NO_CHANGE_SO_FAR: Final = D_("No change so far")
"""Line instead of ``NO_CHANGE`` while there is something to check."""
CHANGED: Final = D_("Changed: page {n}")
"""Line below the winner after a rescan: the first view that shows changes."""

READ: Final = D_("Read, no score")
"""Title of the reading of a game without rules."""
PIECES: Final = DN_("{n} piece read", "{n} pieces read")
EMPTY: Final = DN_("{n} empty place", "{n} empty places")

UNREAD: Final = DN_("{n} city not read", "{n} cities not read")
BOARD_UNREAD: Final = D_("Board not read")
ABOUT_PHOTO: Final = D_("About the photo")
ABOUT_RULES: Final = D_("About the rules")
ROUGH_RANGES: Final = D_("Rough ranges")
ROUGH_TEXT: Final = D_("Too much is open for exact ranges: the real ones are narrower")
CITY: Final = D_("City {letter}")
CITIES: Final = D_("Cities {letters}")

CHECK_TILES: Final = DN_("Check {n} tile", "Check {n} tiles")
CHECK_FIELDS: Final = DN_("Check {n} field", "Check {n} fields")
CHECK_FIGURES: Final = DN_("Check {n} figure", "Check {n} figures")
CHECK_PIECES: Final = DN_("Check {n} value", "Check {n} values")
TILES_MISSING: Final = DN_("{n} tile missing", "{n} tiles missing")
FIELDS_MISSING: Final = DN_("{n} field missing", "{n} fields missing")
ROW: Final = D_("row {n}")
COLUMN: Final = D_("column {n}")

NOTHING: Final = {
    PlaceKind.TILE: D_("empty"),
    PlaceKind.FIGURE: D_("no figure"),
    PlaceKind.LOOSE: D_("nothing"),
}
"""Answers about a place where nothing lies."""
REMAINING: Final = D_("Remaining tiles")
PLACES_WITHOUT_EFFECT: Final = DN_(
    "{n} more does not matter. Check it?", "{n} more do not matter. Check them?"
)
"""Question before open places that change no rank."""
NO_TILE: Final = D_("no tile")
WHICH_TILE: Final = D_("Which tile? {n} of {count}")
"""Title of a question about tiles that look alike."""
LATER: Final = D_("later")
LOOKS_LIKE: Final = D_("Looks like {seen}. Teach as {answer}?")
"""Question about a corrected tile before it is learned."""
