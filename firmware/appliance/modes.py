"""What the buttons act on: one mode at a time. Times are monotonic seconds."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from firmware.appliance.events import PastGame
from firmware.appliance.faults import Fault
from firmware.screens.views import (
    AimPage,
    AimView,
    Bitmap,
    CalibratedView,
    ResultView,
    ScoreView,
)
from firmware.screens.words import MenuWord, Notice, Question, Stage
from vision.photo import Photo
from vision.reading import Place

if TYPE_CHECKING:
    from firmware.appliance.result import Result


class Mode:
    """What the buttons act on: one at a time."""

    __slots__ = ()


class Step(StrEnum):
    """A question of those that are asked one after the other."""

    LANGUAGE = "language"
    GAME = "game"
    VARIANT = "variant"
    LEVEL = "level"
    NAMES = "names"
    CAMERA = "camera"
    CALIBRATE = "calibrate"


EVENING: Final = (Step.VARIANT, Step.LEVEL, Step.NAMES)
"""What is asked about the players, each where the game has it."""
FIRST_START: Final = (Step.LANGUAGE, Step.GAME, *EVENING, Step.CAMERA, Step.CALIBRATE)


@dataclass(frozen=True, slots=True)
class Ready(Mode):
    """Nothing is going on; where the camera does not work, a page of its fault is shown."""

    page: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Working(Mode):
    """A job is done, or a person waited for who begins one.

    Attributes:
        job: number of what is being done; None: nothing is.
        since_s: when its stage began.
        stage: what it is doing.
    """

    job: int | None = None
    since_s: float = 0.0
    stage: Stage = Stage.CAPTURE


@dataclass(frozen=True, slots=True)
class Scanning(Working):
    """A photo is taken and read."""


@dataclass(frozen=True, slots=True)
class Viewing(Mode):
    """A page of the result is shown; or of what the rules have against the table."""

    page: int = 0


class PickStage(StrEnum):
    """What of a place is chosen; the values are the fields of ``Picking``."""

    GRID = "grid"
    ROW = "row"
    COLUMN = "column"
    KIND = "kind"


@dataclass(frozen=True, slots=True)
class Picking(Mode):
    """A person chooses a place to put right.

    Attributes:
        stage: what is being chosen.
        grid: index of it.
        row: of the grid; behind the last one come the names of what lies beside it.
        column: or the number of the piece beside.
        kind: 0 for the tile, 1 for the figure on it.
    """

    stage: PickStage
    grid: int = 0
    row: int = 0
    column: int = 0
    kind: int = 0


@dataclass(frozen=True, slots=True)
class Checking(Mode):
    """A person looks at places, one by one.

    Attributes:
        places: all to look at in this round.
        index: of the one that is shown.
        option: index of what is offered for it.
        kind: whose faces are offered; None: kinds are, where there are many faces.
        picked: how a person has come to a place of choice; None: they look at all not sure.
    """

    places: tuple[Place, ...]
    index: int = 0
    option: int = 0
    kind: str | None = None
    picked: Picking | None = None


@dataclass(frozen=True, slots=True)
class SharingOut(Mode):
    """A person says whose each grid is; ``option`` is the index of what is offered."""

    option: int = 0


class MenuKind(StrEnum):
    """Which menu."""

    MAIN = "main"
    SAFE = "safe"
    GAME = "game"
    VARIANT = "variant"
    LEVEL = "level"
    EDITION = "edition"
    SETTINGS = "settings"
    LANGUAGE = "language"
    CONTRAST = "contrast"
    DEVICE = "device"
    CALIBRATE = "calibrate"
    TEACH = "teach"
    TEACH_HOW = "teach-how"


@dataclass(frozen=True, slots=True)
class MenuLevel:
    """A menu, and what is marked in it.

    Attributes:
        kind: which menu.
        selected: index of the marked entry; None: that of the choice in use, or the first.
        subject: the edition that it is about.
    """

    kind: MenuKind
    selected: int | None = None
    subject: str = ""


@dataclass(frozen=True, slots=True)
class InMenu(Mode):
    """A menu is open.

    Attributes:
        levels: the main menu, and those opened from it; the last one is shown.
    """

    levels: tuple[MenuLevel, ...]


@dataclass(frozen=True, slots=True)
class Seating(Mode):
    """A person says who plays, seat by seat.

    Attributes:
        names: of the seats so far.
        selected: index of the marked entry.
    """

    names: tuple[str, ...] = ()
    selected: int = 0


@dataclass(frozen=True, slots=True)
class Writing(Mode):
    """A name is written letter by letter.

    Attributes:
        before: where it was begun: of the next player at the seats, of an edition in a menu.
        text: what has been written.
        alphabet: index of the one whose letters are offered.
        selected: index of the key that is offered.
        capitals: whether the next letter is a capital.
        problem: what is wrong with the name; None: nothing so far.
        page: of the problem.
    """

    before: InMenu | Seating
    text: str = ""
    alphabet: int = 0
    selected: int = 0
    capitals: bool = True
    problem: Fault | None = None
    page: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Wizard(Working):
    """Something is set up, photo by photo.

    Attributes:
        problem: what was wrong with the last photo.
        page: of a long text.
    """

    problem: Fault | None = None
    page: int = 0


@dataclass(frozen=True, slots=True)
class Calibrating(Wizard):
    """The camera is calibrated.

    Attributes:
        table_only: whether the lens is known, and only the table is to be found again.
        step: index into the steps of this wizard.
        fresh: whether no photo has been kept yet.
    """

    table_only: bool
    step: int = 0
    fresh: bool = True


@dataclass(frozen=True, slots=True)
class Aiming(Working):
    """The camera is being mounted, and picture after picture is shown.

    Attributes:
        used_s: when a button was pressed last.
        seen: what the last picture shows; None: there is none yet.
        page: what is shown of it.
        picture: what it shows that of, for the page.
    """

    used_s: float = 0.0
    seen: AimView | None = None
    page: AimPage = AimPage.PICTURE
    picture: Photo | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeafingBack(Working):
    """Past games are gone through; one of them may be open.

    Attributes:
        games: the last one first; empty: they are not known yet.
        index: of the game that is shown.
        result: that game, if it is open; None: it is not.
        page: of its result.
    """

    stage: Stage = Stage.HISTORY
    games: tuple[PastGame, ...] = ()
    index: int = 0
    result: "Result | None" = None
    page: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class InFigures(Working):
    """Figures over past games are leafed through.

    Attributes:
        pages: empty: they are not known yet.
        page: index of the page.
    """

    stage: Stage = Stage.HISTORY
    pages: tuple[ScoreView, ...] = ()
    page: int = 0


class TeachStep(StrEnum):
    """Where teaching has come to."""

    LAY = "lay"
    PHOTO = "photo"
    CORNER = "corner"
    """The look is new, so a person has to say in which corner the shop lies."""
    MORE = "more"
    """The edition is learned; more photos add examples."""


@dataclass(frozen=True, slots=True)
class Teaching(Wizard):
    """An edition is taught.

    Attributes:
        edition: its name.
        add: whether the next photo adds examples to it.
        learned: whether a photo of this wizard was learned.
        step: where it has come to.
        corner: what a person said, or is being offered; None: nothing so far.
        order_checked: whether the eye has checked the order of all tiles that were taught.
    """

    edition: str
    add: bool
    learned: bool = False
    step: TeachStep = TeachStep.LAY
    corner: MenuWord | None = None
    order_checked: bool = True


@dataclass(frozen=True, slots=True)
class Grouping(Wizard):
    """An edition is taught by a finished table, whose tiles a person names group by group.

    Attributes:
        edition: its name.
        pictures: a tile of each group; none: no photo was taken yet.
        faces: that they may show.
        named: what was said of the first groups; None: left out.
        option: index of what is offered for the next one.
    """

    edition: str
    pictures: tuple[Bitmap, ...] = ()
    faces: tuple[str, ...] = ()
    named: tuple[str | None, ...] = ()
    option: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Learning(Working):
    """What a person put right is learned.

    Attributes:
        edition: name of what is learned.
        after: where it leads if it is given up.
    """

    stage: Stage = Stage.TEACH
    edition: str
    after: Mode


@dataclass(frozen=True, slots=True)
class OnPhone(Mode):
    """Where a phone finds the page is shown."""


@dataclass(frozen=True, slots=True)
class InHotspot(Mode):
    """The scanner's own network is shown, or being made."""


@dataclass(frozen=True, slots=True)
class Asking(Mode):
    """Something is done only after a yes.

    Attributes:
        question: what is asked.
        before: where a no leads back to; None: to what is asked next.
    """

    question: Question
    before: Mode | None


@dataclass(frozen=True, slots=True)
class Telling(Mode):
    """A person takes notice of something."""

    notice: Notice | CalibratedView


@dataclass(frozen=True, slots=True)
class Failed(Mode):
    """Something that a person wanted did not work.

    Attributes:
        fault: why.
        scans: whether it was a scan, so that another one may help.
        page: of its text.
        remarks: pages on what the eye says of the photo.
    """

    fault: Fault
    scans: bool = True
    page: int = 0
    remarks: tuple[ResultView, ...] = ()


@dataclass(frozen=True, slots=True)
class SwitchingOff(Mode):
    """The computer is being switched off, once the last result is stored.

    Attributes:
        since_s: when that began.
        asked: whether the computer has been told.
    """

    since_s: float
    asked: bool = False
