"""What the screens beside a result say, as data: ready, busy, what is wrong."""

from dataclasses import dataclass
from enum import StrEnum

from firmware.screens.hints import (
    CANCEL_HINTS,
    FAULT_HINTS,
    NOTICE_HINTS,
    QUESTION_HINTS,
    READY_HINTS,
    TEXT_HINTS,
    Hints,
)
from firmware.screens.setup_views import MenuWord
from firmware.screens.view import View
from scoring.games.between_two_cities.table import Variant


class Alert(StrEnum):
    """Something that a person should know, and that does not stop the scanner."""

    NOT_SAVED = "not-saved"
    """The last result is shown but could not be written."""
    STORAGE_FULL = "storage-full"
    READ_ONLY = "read-only"
    """The card can be read but not written."""
    UNDER_VOLTAGE = "under-voltage"
    TOO_HOT = "too-hot"
    THROTTLED = "throttled"
    CAMERA = "camera"
    """The camera is not there; the rest works."""
    CLOCK_UNKNOWN = "clock-unknown"
    SETTINGS_RESET = "settings-reset"
    """The settings were damaged and set aside; the defaults are used."""
    SAFE_MODE = "safe-mode"
    """Started with the defaults after several starts that did not complete."""
    NOT_CALIBRATED = "not-calibrated"


class Stage(StrEnum):
    """What the scanner is doing while a person waits."""

    CAPTURE = "capture"
    LOCATE = "locate"
    RECOGNISE = "recognise"
    SCORE = "score"
    CALIBRATE = "calibrate"
    TEACH = "teach"
    STORE = "store"


class Notice(StrEnum):
    """One thing said in large letters, that a person only has to take notice of."""

    STORED = "stored"
    CALIBRATED = "calibrated"
    TAUGHT = "taught"
    TAUGHT_UNCHECKED = "taught-unchecked"
    """Learned, but the look was new: the order of the tiles could not be checked."""
    STANDARD_EDITION = "standard-edition"
    """The edition that was set is of another game: that known from the start is used."""
    OTHER_EDITION = "other-edition"
    """The same, and one that was taught is used."""
    SHUTTING_DOWN = "shutting-down"
    UNPLUG = "unplug"
    """The supply may be cut now."""
    SAFE_MODE = "safe-mode"
    ALL_CHECKED = "all-checked"


class Question(StrEnum):
    """Something that is done only after a yes."""

    SHUT_DOWN = "shut-down"
    RESTART = "restart"
    CANCEL_WIZARD = "cancel-wizard"
    REPLACE_CALIBRATION = "replace-calibration"
    REPLACE_EDITION = "replace-edition"
    RESET_SETTINGS = "reset-settings"
    CLEAR_NAMES = "clear-names"


@dataclass(frozen=True, slots=True, kw_only=True)
class StartingView(View):
    """The scanner has power and starts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadyView(View):
    """The scanner waits for a button.

    Attributes:
        game: its identifier.
        variant: of Between Two Cities; None: the game has none.
        level: None: the game has no levels.
        edition: name of the taught look of the tiles; None: the usual one.
        alerts: what weighs most first; the screen has room for one and counts the others. Where
            NEXT shows the last result, the hints say so with ``Hint.LAST``.
    """

    game: str = "between-two-cities"
    variant: Variant | None = Variant.STANDARD
    level: int | None = None
    edition: str | None = None
    alerts: tuple[Alert, ...] = ()
    hints: Hints = READY_HINTS


@dataclass(frozen=True, slots=True, kw_only=True)
class HoldStillView(View):
    """The photo is being taken.

    Attributes:
        again: whether the same table is scanned once more.
    """

    again: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StageView(View):
    """Something is being done; shown with how far a scan is.

    Attributes:
        stage: what is being done now.
    """

    stage: Stage
    hints: Hints = CANCEL_HINTS


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmView(View):
    """A question to be answered with yes or no."""

    question: Question
    hints: Hints = QUESTION_HINTS


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeView(View):
    """One thing in large letters."""

    notice: Notice
    hints: Hints = NOTICE_HINTS


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultView(View):
    """Something does not work: what, and what to do.

    Attributes:
        code: of the error; one without words of its own is shown with ``detail``.
        detail: the message of the error, in English.
        retrying: whether the scanner tries again by itself.
        page: of a long text; counts on past the last page, which is followed by the first.
    """

    code: str
    detail: str = ""
    retrying: bool = False
    page: int = 0
    hints: Hints = FAULT_HINTS


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageView(View):
    """Any text under a title.

    Attributes:
        title: a word or a text.
        text: as long as need be.
        page: of a long text; counts on past the last page, which is followed by the first.
    """

    title: MenuWord | str
    text: str
    page: int = 0
    hints: Hints = TEXT_HINTS
