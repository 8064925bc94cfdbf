"""What the screens for choosing and setting up say, as data."""

from dataclasses import dataclass
from enum import StrEnum

from firmware.screens.hints import MENU_HINTS, NAME_HINTS, NOTICE_HINTS, WIZARD_HINTS, Hints
from firmware.screens.view import View
from scoring.faces import Face


class MenuWord(StrEnum):
    """A title, an entry or a value of a menu that is a word; names are given as text."""

    MENU = "menu"
    SETTINGS = "settings"
    CALIBRATE = "calibrate"
    TEACH = "teach"
    SHUT_DOWN = "shut-down"
    RESTART = "restart"
    BACK = "back"
    GAME = "game"
    VARIANT = "variant"
    LEVEL = "level"
    EDITION = "edition"
    PLAYERS = "players"
    LANGUAGE = "language"
    CONTRAST = "contrast"
    UPSIDE_DOWN = "upside-down"
    CLEAR_NAMES = "clear-names"
    RESET_SETTINGS = "reset-settings"
    CHECK_TILES = "check-tiles"
    CORRECT_TILE = "correct-tile"
    CITY = "city"
    ROW = "row"
    COLUMN = "column"
    LAST_RESULT = "last-result"
    GO_ON = "go-on"
    SAFE_MODE = "safe-mode"
    START_NORMALLY = "start-normally"
    LENS_AND_TABLE = "lens-and-table"
    TABLE_ONLY = "table-only"
    ADD_EXAMPLES = "add-examples"
    LEARN_ANEW = "learn-anew"
    SHOP_CORNER = "shop-corner"
    """In which corner of the photo does the shop lie?"""
    TOP_LEFT = "top-left"
    TOP_RIGHT = "top-right"
    BOTTOM_RIGHT = "bottom-right"
    BOTTOM_LEFT = "bottom-left"
    DELETE = "delete"
    """Take away the last letter of a name."""
    SPACE = "space"
    STANDARD_EDITION = "standard-edition"
    NEW_EDITION = "new-edition"
    YES = "yes"
    NO = "no"
    NONE = "none"
    BETWEEN_TWO_CITIES = "between-two-cities"
    CITIES = "cities"
    CITY_BLOCKS = "city-blocks"
    DICE_BOARD = "dice-board"
    READING_ONLY = "reading-only"
    """A game without rules, which is read but not scored."""
    VARIANT_STANDARD = "standard"
    VARIANT_TWO_PLAYER = "two-player"
    LEVEL_1 = "level-1"
    LEVEL_2 = "level-2"
    LEVEL_3 = "level-3"
    ENGLISH = "en"
    GERMAN = "de"
    HUNGARIAN = "hu"
    NO_TILE = "no-tile"
    NO_FIGURE = "no-figure"


class WizardStep(StrEnum):
    """A step of setting up, which says what to do; the value begins with the wizard's name."""

    CALIBRATE_PRINT = "calibrate-print"
    CALIBRATE_FLAT = "calibrate-flat"
    CALIBRATE_LIFT_LEFT = "calibrate-lift-left"
    CALIBRATE_LIFT_RIGHT = "calibrate-lift-right"
    CALIBRATE_LIFT_NEAR = "calibrate-lift-near"
    CALIBRATE_LIFT_FAR = "calibrate-lift-far"
    CALIBRATE_CORNER = "calibrate-corner"
    """The sheet in another corner of the picture."""
    CALIBRATE_TABLE = "calibrate-table"
    """The last photo: the sheet flat on the table."""
    TEACH_LAY = "teach-lay"
    """Which tiles to lay, and how; the picture shows the order."""
    TEACH_PHOTO = "teach-photo"
    TEACH_TURN = "teach-turn"
    """Another photo, with other light or from elsewhere."""
    TEACH_CORNER = "teach-corner"
    """In which corner of the photo does the shop lie?"""


@dataclass(frozen=True, slots=True)
class Piece:
    """A label of a menu: what lies on the table, in a game known by pictures.

    Attributes:
        name: identifier of a face, a kind of figure, or of a place beside a board.
    """

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MenuEntry:
    """A line of a menu.

    Attributes:
        label: a word, the face of a tile, what else lies there, or a name as text.
        value: what is chosen, at the right end of the line; None: nothing.
        ticked: whether this is the choice in use.
    """

    label: MenuWord | Face | Piece | str
    value: MenuWord | str | None = None
    ticked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MenuView(View):
    """Some entries, of which one is marked.

    Attributes:
        title: a word or a text.
        entries: all of them; those round the selected one are shown.
        selected: index of the marked one.
    """

    title: MenuWord | str
    entries: tuple[MenuEntry, ...]
    selected: int
    hints: Hints = MENU_HINTS


@dataclass(frozen=True, slots=True, kw_only=True)
class NameView(View):
    """A name is written letter by letter.

    Attributes:
        seat: number of the player, from 1; None: the name of an edition.
        name: what has been written.
        letters: those to choose from, in their order; as many as fit are shown.
        offered: index into ``letters`` of the one that OK takes.
    """

    seat: int | None
    name: str
    letters: str
    offered: int
    hints: Hints = NAME_HINTS


@dataclass(frozen=True, slots=True, kw_only=True)
class WizardView(View):
    """One step of setting up.

    Attributes:
        step: which says what to do.
        number: of this step, from 1.
        of: how many steps there are.
        worked: whether the photo of the step before was good.
        problem: error code of why it failed; said instead of what to do.
        detail: message of that error, for a code without words of its own.
        page: of a long text; counts on past the last page, which is followed by the first.
    """

    step: WizardStep
    number: int
    of: int
    worked: bool = False
    problem: str = ""
    detail: str = ""
    page: int = 0
    hints: Hints = WIZARD_HINTS


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibratedView(View):
    """Lens and table are known.

    Attributes:
        error_px: root mean square distance of found and expected corners, in pixels.
        coverage: share of the picture, 0 to 1, that the sheet covered in some photo.
        height_mm: of the camera above the table.
        photos: how many were used.
    """

    error_px: float
    coverage: float
    height_mm: float
    photos: int
    hints: Hints = NOTICE_HINTS
