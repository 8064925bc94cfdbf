"""What the appliance can want done. Each is named here; nothing else leaves the machine."""

from dataclasses import dataclass

from firmware.appliance.faults import Fault
from firmware.appliance.result import Result
from firmware.screens.views import View
from firmware.screens.words import Alert, MenuWord
from firmware.settings import Settings
from hardware.signals import Signal
from vision.photo import Photo


class Effect:
    """Something that is to be done."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, eq=False)
class Job(Effect):
    """Something that is done beside the machine, one at a time.

    Attributes:
        job: its number, which the event that answers it has, too.
    """

    job: int


@dataclass(frozen=True, slots=True)
class Show(Effect):
    """Draw this on the display; comes only when the picture changes or has been lost.

    Attributes:
        view: what to say.
        language: in which language: that of the settings.
    """

    view: View
    language: str


@dataclass(frozen=True, slots=True)
class SetBrightness(Effect):
    """Dim the display because nobody uses it, or brighten it again."""

    dimmed: bool


@dataclass(frozen=True, slots=True)
class Give(Effect):
    """Sound the buzzer, flash the lamp; comes only where there is one."""

    signal: Signal


@dataclass(frozen=True, slots=True, eq=False)
class StartScan(Job):
    """Take a photo and read it.

    Answered by ``StageReached`` for each stage, then ``ScanFinished`` or ``JobFailed``, or by
    ``CameraLost``.

    Attributes:
        game: which lies on the table.
        edition: whose look it has.
        again: whether the table of the last scan still lies there.
        photo: read this one and take none; None: take one.
    """

    game: str
    edition: str
    again: bool = False
    photo: Photo | None = None


@dataclass(frozen=True, slots=True)
class CancelJob(Effect):
    """Nobody waits for this job any longer; it may be stopped or left to end."""

    job: int


@dataclass(frozen=True, slots=True)
class OpenCamera(Effect):
    """Open the camera, anew if it was open; answered by ``CameraBack`` or ``CameraLost``."""


@dataclass(frozen=True, slots=True)
class LookToAim(Job):
    """Take a picture and say how the camera stands; answered by ``Aimed`` or ``JobFailed``."""


@dataclass(frozen=True, slots=True)
class TakeCalibrationPhoto(Job):
    """Take a photo and find the sheet in it.

    Answered by ``CalibrationPhotoTaken`` or ``JobFailed``; only a photo with the sheet is kept.

    Attributes:
        first: whether the photos before are to be forgotten.
    """

    first: bool


@dataclass(frozen=True, slots=True)
class SolveCalibration(Job):
    """Find lens and table from the photos kept, of which the last shows the sheet on the table.

    Answered by ``CalibrationFinished`` or ``JobFailed``.

    Attributes:
        table_only: keep the lens of the stored calibration.
    """

    table_only: bool


@dataclass(frozen=True, slots=True)
class StartTeaching(Job):
    """Take a photo of the reference grid and learn the tiles from it.

    Answered by ``TeachingFinished`` or ``JobFailed``; nothing is stored if it failed.

    Attributes:
        game: whose tiles they are.
        edition: its name.
        add: add examples to an edition of this name; else it is learned anew.
        same_photo: learn from the last photo once more instead of taking one.
        corner: in which corner of the photo the shop lies; None: as the eye reads it.
    """

    game: str
    edition: str
    add: bool
    same_photo: bool = False
    corner: MenuWord | None = None


@dataclass(frozen=True, slots=True)
class StartGrouping(Job):
    """Take a photo of a finished table of a game and put its tiles into groups.

    Answered by ``GroupsFound`` or ``JobFailed``.
    """

    game: str


@dataclass(frozen=True, slots=True)
class LearnGroups(Job):
    """Learn the tiles of the groups found last; answered by ``TilesLearned`` or ``JobFailed``.

    Attributes:
        game: whose tiles they are.
        edition: its name.
        names: the face of each group; None: it teaches nothing.
    """

    game: str
    edition: str
    names: tuple[str | None, ...]


@dataclass(frozen=True, slots=True, eq=False)
class LearnCorrected(Job):
    """Learn what a person put right in the last photo beside what the edition in use knows.

    Answered by ``TilesLearned`` or ``JobFailed``.

    Attributes:
        result: with what a person said.
        edition: name that the edition gets; its own, or that of a copy of the built-in one.
    """

    result: Result
    edition: str


@dataclass(frozen=True, slots=True, eq=False)
class Save(Effect):
    """Store a result; answered by ``Saved`` or ``JobFailed``.

    Attributes:
        job: number of this job.
        result: it, scored; one of the same table takes the place of an earlier one.
        health: what the computer suffered from.
    """

    job: int
    result: Result
    health: tuple[Alert, ...]


@dataclass(frozen=True, slots=True)
class RecallLast(Effect):
    """Take the last result out of the history; answered by ``LastRecalled`` if there is one."""


@dataclass(frozen=True, slots=True)
class ReadHistory(Job):
    """List the past games; answered by ``HistoryRead`` or ``JobFailed``."""


@dataclass(frozen=True, slots=True)
class CountGames(Job):
    """Make figures of all past games; answered by ``GamesCounted`` or ``JobFailed``."""


@dataclass(frozen=True, slots=True)
class OpenGame(Job):
    """Take a game out of the history by its number there.

    Answered by ``GameOpened`` or ``JobFailed``.
    """

    seq: int


@dataclass(frozen=True, slots=True)
class DeleteGame(Job):
    """Forget a past game, by its number in the history, then list the others.

    Answered by ``HistoryRead`` or ``JobFailed``.
    """

    seq: int


@dataclass(frozen=True, slots=True)
class DeletePhotos(Job):
    """Forget all photos; the games stay. Answered by ``PhotosDeleted`` or ``JobFailed``."""


@dataclass(frozen=True, slots=True)
class StoreSettings(Effect):
    """Use these settings and store them, unless they are for now alone.

    Answered by ``SettingsStored`` or ``SettingsNotStored``; those for now by nothing.
    """

    settings: Settings
    only_now: bool = False


@dataclass(frozen=True, slots=True)
class Restart(Effect):
    """End the program so that it is started anew, in the usual way."""


@dataclass(frozen=True, slots=True)
class ShutDown(Effect):
    """Switch the computer off; answered by ``ShutDownFailed`` if that cannot be done."""


@dataclass(frozen=True, slots=True)
class Log(Effect):
    """Write down what went wrong, once."""

    fault: Fault
