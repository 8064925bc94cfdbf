"""What can happen to the appliance.

Times are monotonic seconds of whoever runs the machine; the wall clock plays no part. ``job`` is
the number of the effect that an event answers: an answer to a job that was given up meanwhile
changes nothing.
"""

import itertools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from firmware.appliance.faults import Fault
from firmware.screens.views import (
    AimView,
    Bitmap,
    CalibratedView,
    Crops,
    ScoreView,
    Text,
    no_crop,
)
from firmware.screens.words import Alert, Stage
from hardware.buttons import Button, PressKind
from hardware.hotspot import Network
from vision.arrays import Image
from vision.editions.description import Description
from vision.photo import Photo
from vision.reading import Reading

if TYPE_CHECKING:
    from firmware.appliance.result import Result
    from firmware.history.stats import Best


@dataclass(frozen=True, slots=True)
class GameChoice:
    """A game that can be scanned.

    Attributes:
        name: its identifier, such as ``cities``.
        title: for people, as the catalogue has it.
        variants: identifiers of its variants, the usual one first.
        levels: the levels at which it can be played; one alone: it has none.
        seats: for how many players names can be given; 0: players are called by their colours.
        editions: names of the looks that it may have; the one known from the start first, if
            there is one.
        teachable: whether its tiles can be taught on the device.
    """

    name: str
    title: str
    variants: tuple[str, ...]
    levels: tuple[int, ...]
    seats: int = 0
    editions: tuple[str, ...] = ()
    teachable: bool = False


@dataclass(frozen=True, slots=True)
class Choices:
    """What there is to choose from on the device.

    Attributes:
        games: at least one.
        languages: identifiers, at least one.
        names: that players have had, the most frequent first.
    """

    games: tuple[GameChoice, ...]
    languages: tuple[str, ...]
    names: tuple[str, ...] = ()

    def game(self, name: str) -> GameChoice | None:
        """A game by its identifier; None: it cannot be scanned."""
        return next((game for game in self.games if game.name == name), None)

    @property
    def next_edition(self) -> str:
        """A name for an edition that nobody gave one."""
        known = {name.lower() for name in self.all_editions}
        return next(free for n in itertools.count(1) if (free := f"table-{n}") not in known)

    @property
    def all_editions(self) -> tuple[str, ...]:
        """Those of all games: a name is given once."""
        return tuple(dict.fromkeys(name for game in self.games for name in game.editions))


class Event:
    """Something that has happened."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, eq=False)
class Answer(Event):
    """What came of a job, or how far it is.

    Attributes:
        job: number of the effect that wanted it.
    """

    job: int


@dataclass(frozen=True, slots=True)
class Started(Event):
    """The program runs and can show something; no device is open yet."""


@dataclass(frozen=True, slots=True)
class ButtonPressed(Event):
    """A button was pressed: released early, or still held and repeating itself, or held long.

    Attributes:
        button: which one.
        kind: ``short``, ``repeat`` or ``long``.
        now_s: the time.
        repeats: how often it has repeated itself since it went down.
    """

    button: Button
    kind: PressKind
    now_s: float
    repeats: int = 0


@dataclass(frozen=True, slots=True)
class Tick(Event):
    """Time has passed; comes at least once a second."""

    now_s: float


@dataclass(frozen=True, slots=True)
class JobFailed(Answer):
    """A job gave nothing, such as a photo that shows nothing, or a result that was not stored."""

    fault: Fault


@dataclass(frozen=True, slots=True)
class StageReached(Answer):
    """A scan has come to a stage."""

    stage: Stage


@dataclass(frozen=True, slots=True, eq=False)
class ScanFinished(Answer):
    """The photo was read; whether it can be scored is still open.

    Attributes:
        reading: what the photo shows; in a rescored table each city keeps its letter.
        description: of the game.
        crops: gives pictures of places, and of what was not read.
        photo: reference to the stored photo; None: it could not be stored.
        picture: the photo itself; None: it is not at hand.
    """

    reading: Reading
    description: Description
    crops: Crops = no_crop
    photo: str | None = None
    picture: Photo | None = None


@dataclass(frozen=True, slots=True)
class CameraBack(Event):
    """The camera is open and gives pictures."""


@dataclass(frozen=True, slots=True)
class CameraLost(Event):
    """The camera could not be opened, or stopped giving pictures."""

    fault: Fault


@dataclass(frozen=True, slots=True)
class DisplayBack(Event):
    """The display was found again and is empty."""


@dataclass(frozen=True, slots=True)
class DisplayLost(Event):
    """The display does not answer; everything else goes on."""

    fault: Fault


@dataclass(frozen=True, slots=True)
class HealthChanged(Event):
    """What the computer itself suffers from now: ailments that are alerts, the worst first."""

    suffers: tuple[Alert, ...] = ()


@dataclass(frozen=True, slots=True)
class ClockChanged(Event):
    """Whether the computer knows the date and the time of day."""

    known: bool


@dataclass(frozen=True, slots=True)
class Saved(Answer):
    """A result is stored.

    Attributes:
        seq: its number in the history.
        beaten: the records of the games before that it has beaten.
    """

    seq: int | None = None
    beaten: "tuple[Best, ...]" = ()


@dataclass(frozen=True, slots=True)
class PastGame:
    """A game in the history.

    Attributes:
        seq: its number there.
        when: date and time, wordings best first; empty: they were not known.
        game: its identifier.
        winners: empty: it is of a game without rules.
        points: of each of them; with a question mark if something was not sure.
    """

    seq: int
    when: tuple[str, ...]
    game: str
    winners: tuple[Text, ...]
    points: str


@dataclass(frozen=True, slots=True)
class HistoryRead(Answer):
    """What is in the history now.

    Attributes:
        games: the last one first.
        gone: what ``Result.table`` is of the game that was deleted just now; None: none was.
    """

    games: tuple[PastGame, ...]
    gone: int | None = None


@dataclass(frozen=True, slots=True)
class PhotosDeleted(Answer):
    """No photo is kept any more."""


@dataclass(frozen=True, slots=True)
class GamesCounted(Answer):
    """Figures over all past games, on pages; none: no game was scored yet."""

    pages: tuple[ScoreView, ...]


@dataclass(frozen=True, slots=True, eq=False)
class GameOpened(Answer):
    """A past game, as it was left."""

    result: "Result"


@dataclass(frozen=True, slots=True, eq=False)
class LastRecalled(Event):
    """The last result that was stored, as it was left."""

    result: "Result"


@dataclass(frozen=True, slots=True)
class SettingsStored(Event):
    """The settings are on the disk."""


@dataclass(frozen=True, slots=True)
class SettingsNotStored(Event):
    """The settings hold until the power goes, but are not on the disk."""

    fault: Fault


@dataclass(frozen=True, slots=True)
class EditionsChanged(Event):
    """There are other editions than before, and this is what can be scanned now."""

    games: tuple[GameChoice, ...]


@dataclass(frozen=True, slots=True)
class EditionLost(Event):
    """The edition in use cannot be used: it is missing, damaged or of another game.

    Attributes:
        game: of the settings that named it.
        edition: its name.
        usual: the game whose built-in edition takes its place; the same one if that has one.
        fault: why.
    """

    game: str
    edition: str
    usual: str
    fault: Fault


@dataclass(frozen=True, slots=True)
class NamesKnown(Event):
    """The names that players have had, the most frequent first."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Aimed(Answer):
    """The camera has given a picture to aim it by.

    Attributes:
        seen: what it shows.
        picture: it, for the page.
    """

    seen: AimView
    picture: Photo | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class CalibrationPhotoTaken(Answer):
    """The sheet was found in a photo."""


@dataclass(frozen=True, slots=True)
class CalibrationFinished(Answer):
    """Lens and table are known and can be kept; ``found`` says how good they are."""

    found: CalibratedView


@dataclass(frozen=True, slots=True)
class CalibrationKept(Answer):
    """Lens and table are stored."""


@dataclass(frozen=True, slots=True)
class TeachingFinished(Answer):
    """The edition knows the tiles of a photo and is stored.

    Attributes:
        order_checked: whether the eye knew the look and checked the order of the tiles; else
            only a person can.
    """

    order_checked: bool


@dataclass(frozen=True, slots=True, eq=False)
class GroupsFound(Answer):
    """The tiles of a finished table are in groups.

    Attributes:
        pictures: a tile of each group, the largest group first.
        faces: that the game has.
        strips: some tiles of each group in a row, for the page.
    """

    pictures: tuple[Bitmap, ...]
    faces: tuple[str, ...]
    strips: tuple[Image, ...] = ()


@dataclass(frozen=True, slots=True)
class TilesLearned(Answer):
    """The edition knows the tiles that a person named, and is stored."""


class Wish:
    """Something that can be asked for on the page; which there are, ``wishes`` says."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, eq=False)
class Asked(Event):
    """Somebody asks for something on the page.

    Attributes:
        wish: what.
        now_s: the time.
    """

    wish: Wish
    now_s: float


@dataclass(frozen=True, slots=True)
class PageOpened(Event):
    """The page for phones can be reached, or cannot.

    Attributes:
        url: of the page; empty: it is not served.
        pin: with which a phone may change something.
        fault: why it is not served; None: it is, or nobody wants it.
    """

    url: str = ""
    pin: str = ""
    fault: Fault | None = None


@dataclass(frozen=True, slots=True)
class HotspotChanged(Event):
    """The scanner has a Wi-Fi network of its own, or no longer.

    Attributes:
        network: it; None: there is none.
        fault: why it could not be switched; None: it could.
    """

    network: Network | None = None
    fault: Fault | None = None


@dataclass(frozen=True, slots=True)
class ShutDownFailed(Event):
    """The computer does not switch itself off."""

    fault: Fault
