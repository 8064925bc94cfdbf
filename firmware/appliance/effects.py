"""What the appliance can want done. Each is named here; nothing else leaves the machine.

Jobs (``StartScan``, ``TakeCalibrationPhoto``, ``SolveCalibration``, ``StartTeaching``) run beside
the machine, one at a time, and answer with an event that has their number.
"""

from dataclasses import dataclass
from enum import StrEnum

from firmware.appliance.events import HealthChanged
from firmware.appliance.faults import Fault
from firmware.corrections import Correction
from firmware.scan import Scan
from firmware.screens.views import View
from firmware.settings import Settings
from vision.reading import Reading


@dataclass(frozen=True, slots=True)
class Show:
    """Draw this on the display; comes only when the picture changes or has been lost.

    Attributes:
        view: what to say.
        language: in which language: that of the settings.
    """

    view: View
    language: str


@dataclass(frozen=True, slots=True)
class SetBrightness:
    """Dim the display because nobody uses it, or brighten it again."""

    dimmed: bool


@dataclass(frozen=True, slots=True, eq=False)
class StartScan:
    """Take a photo and read it.

    Answered by ``StageReached`` for each stage, then ``ScanFinished`` or ``ScanFailed``, or by
    ``CameraLost``.

    Attributes:
        job: number of this scan.
        game: which lies on the table.
        edition: whose look it has.
        again: whether the table of the last scan still lies there.
    """

    job: int
    game: str
    edition: str
    again: bool = False


@dataclass(frozen=True, slots=True)
class CancelJob:
    """Nobody waits for this job any longer; it may be stopped or left to end."""

    job: int


@dataclass(frozen=True, slots=True)
class OpenCamera:
    """Open the camera, anew if it was open; answered by ``CameraBack`` or ``CameraLost``."""


class ShopCorner(StrEnum):
    """In which corner of the photo the shop of the reference grid lies."""

    TOP_LEFT = "top-left"
    TOP_RIGHT = "top-right"
    BOTTOM_RIGHT = "bottom-right"
    BOTTOM_LEFT = "bottom-left"


@dataclass(frozen=True, slots=True)
class TakeCalibrationPhoto:
    """Take a photo and find the sheet in it.

    Answered by ``CalibrationPhotoTaken`` or ``CalibrationPhotoFailed``; only a photo with the
    sheet in it is kept.

    Attributes:
        job: number of this job.
        first: whether the photos before are to be forgotten.
    """

    job: int
    first: bool


@dataclass(frozen=True, slots=True)
class SolveCalibration:
    """Find lens and table from the photos kept, of which the last shows the sheet on the table.

    Answered by ``CalibrationFinished`` or ``CalibrationFailed``.

    Attributes:
        job: number of this job.
        table_only: keep the lens of the stored calibration.
    """

    job: int
    table_only: bool


@dataclass(frozen=True, slots=True)
class StartTeaching:
    """Take a photo of the reference grid and learn the tiles from it.

    Answered by ``TeachingFinished`` or ``TeachingFailed``; nothing is stored if it failed.

    Attributes:
        job: number of this job.
        game: whose tiles they are.
        edition: its name.
        add: add examples to an edition of this name; else it is learned anew.
        same_photo: learn from the last photo once more instead of taking one.
        corner: where in the photo the shop lies; None: as the eye reads it.
    """

    job: int
    game: str
    edition: str
    add: bool
    same_photo: bool = False
    corner: ShopCorner | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Save:
    """Store a result; answered by ``Saved`` or ``SaveFailed``.

    Attributes:
        job: number of this job.
        table: number of the scan that it came from: a later ``Save`` of the same table takes the
            place of an earlier one.
        read: what the eye made of the photo.
        scan: reading after the corrections, table, sheet; of the same game as ``read``.
        corrections: what a person said, in this order.
        photo: reference to the stored photo; None: there is none.
        health: what the computer suffered from.
        earlier: number of the scan of the same table before; None: this is the first one.
    """

    job: int
    table: int
    read: Reading
    scan: Scan
    corrections: tuple[Correction, ...]
    photo: str | None
    health: HealthChanged
    earlier: int | None = None


@dataclass(frozen=True, slots=True)
class StoreSettings:
    """Use these settings and store them; answered by ``SettingsStored``, ``SettingsNotStored``.

    Attributes:
        settings: all of them.
        only_now: do not store them; then nothing is answered.
    """

    settings: Settings
    only_now: bool = False


@dataclass(frozen=True, slots=True)
class Restart:
    """End the program so that it is started anew, in the usual way."""


@dataclass(frozen=True, slots=True)
class ShutDown:
    """Switch the computer off; answered by ``ShutDownFailed`` if that cannot be done."""


@dataclass(frozen=True, slots=True)
class Log:
    """Write down what went wrong, once."""

    fault: Fault


Effect = (
    Show
    | SetBrightness
    | StartScan
    | CancelJob
    | OpenCamera
    | TakeCalibrationPhoto
    | SolveCalibration
    | StartTeaching
    | Save
    | StoreSettings
    | Restart
    | ShutDown
    | Log
)
"""All that the machine can want done."""
