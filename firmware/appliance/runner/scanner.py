"""Scanning: a picture, then its reading, and what it takes to read the same table again."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from firmware.appliance.effects import StartScan
from firmware.appliance.events import (
    BoardScanFinished,
    Event,
    ScanFailed,
    ScanFinished,
    StageReached,
)
from firmware.appliance.faults import Fault
from firmware.appliance.runner.camera_desk import CameraDesk
from firmware.appliance.runner.crew import Crew, Outcome
from firmware.appliance.runner.editions import Editions
from firmware.appliance.runner.failures import told
from firmware.appliance.runner.in_turn import InTurn
from firmware.appliance.runner.photos import photo_of
from firmware.board_games.eye import (
    NETWORK_GAME,
    BoardEye,
    usual_board_eye,
)
from firmware.board_games.scan import check_boards
from firmware.board_games.spots import Spot
from firmware.scan import Eye, usual_eye
from firmware.screens.board_crops import spot_crops
from firmware.screens.crop import tile_crops
from firmware.screens.views import Bitmap, Stage
from firmware.settings import Settings
from hardware.camera import Frame
from scoring.faces import Place
from vision.editions.description import Description
from vision.editions.edition import Edition
from vision.photo import Photo
from vision.reading import Reading
from vision.rescore import Memory, read_again

PHOTO_NAME: Final = "camera"
"""What a photo of the camera is called in readings and errors."""


class PhotoStore(Protocol):
    """Where photos are kept."""

    def __call__(self, photo: Photo) -> str | None:
        """Keep a photo, later; gives a reference to it, or None if none are kept."""
        ...


class Scanner:
    """Does ``StartScan``; all methods belong to the loop's thread.

    Args:
        desk: gives the pictures.
        crew: to call back from the thread that reads.
        heavy: reads the photos, one at a time.
        report: takes the events.
        keep_photo: keeps the photos.
        eye: what reads a photo of Between Two Cities in full; None: the real one.
        board_eye: what reads one of another game; None: the real one.
    """

    def __init__(
        self,
        desk: CameraDesk,
        crew: Crew,
        heavy: InTurn,
        report: Callable[[Event], None],
        keep_photo: PhotoStore,
        eye: Eye | None = None,
        board_eye: BoardEye | None = None,
    ) -> None:
        self._desk = desk
        self._crew = crew
        self._heavy = heavy
        self._report = report
        self._keep_photo = keep_photo
        self._eye = eye
        self._board_eye = board_eye
        self._editions = Editions()
        self._job: int | None = None
        self._memory: Memory | None = None

    def start(self, effect: StartScan) -> None:
        """Take a photo and read it; the answer is reported."""
        self._job = effect.job
        if effect.earlier is None:
            self._memory = None
        self._desk.capture(lambda picture: self._pictured(effect, picture))

    def make_ready(self, settings: Settings) -> None:
        """Load the edition in use before it is asked for; what is wrong with it a scan will say."""
        is_real = self._board_eye is None or settings.game == NETWORK_GAME
        if is_real:
            self._heavy.begin(
                lambda: self._editions.make_ready(settings.edition, settings.game), _ready
            )

    def cancel(self, job: int) -> None:
        """Nobody waits for this scan any longer."""
        if job == self._job:
            self._job = None
            self._desk.cancel()

    def _pictured(self, effect: StartScan, picture: Frame | Fault) -> None:
        if isinstance(picture, Fault):
            self._report(ScanFailed(effect.job, picture))
            return
        memory = self._memory
        # The places of a table that was read before are known, unless something has moved.
        is_new = memory is None and effect.game == NETWORK_GAME
        stage = Stage.LOCATE if is_new else Stage.RECOGNISE
        self._report(StageReached(effect.job, stage))
        self._heavy.begin(
            lambda: self._finished(effect, picture, memory),
            lambda outcome: self._done(effect, outcome),
        )

    def _finished(
        self, effect: StartScan, frame: Frame, memory: Memory | None
    ) -> "_Read | _BoardRead | None":
        """Read a picture; beside the loop. None: nobody waits for it any longer."""
        if self._job != effect.job:
            return None
        if effect.game != NETWORK_GAME:
            return self._read_boards(effect, frame)
        return self._read(effect, frame, memory)

    def _read_boards(self, effect: StartScan, frame: Frame) -> "_BoardRead":
        photo = photo_of(frame, PHOTO_NAME)
        edition = self._editions.pictured(effect.edition, effect.game)
        reading = (self._board_eye or usual_board_eye())(photo, edition)
        self._announce(effect, Stage.SCORE)
        description = edition.description
        crops = spot_crops(photo, check_boards(reading, description))
        return _BoardRead(photo, reading, description, crops)

    def _announce(self, effect: StartScan, stage: Stage) -> None:
        self._crew.call(lambda: self._report(StageReached(effect.job, stage)))

    def _read(self, effect: StartScan, frame: Frame, memory: Memory | None) -> "_Read":
        def in_full(photo: Photo, *, edition: Edition | None = None) -> Reading:
            if memory is not None:
                self._announce(effect, Stage.LOCATE)
            return (self._eye or usual_eye())(photo, edition=edition)

        photo = photo_of(frame, PHOTO_NAME)
        edition = self._editions.taught(effect.edition)
        reading, after = read_again(photo, memory, edition=edition, eye=in_full)
        self._announce(effect, Stage.SCORE)
        return _Read(photo, reading, tile_crops(photo, reading), after)

    def _done(self, effect: StartScan, outcome: Outcome) -> None:
        if outcome.error is not None:
            self._report(ScanFailed(effect.job, told(outcome.error)))
            return
        read: _Read | _BoardRead | None = outcome.value
        if read is None or self._job != effect.job:
            return
        reference = self._keep_photo(read.photo)
        if isinstance(read, _Read):
            self._memory = read.memory
            self._report(ScanFinished(effect.job, read.reading, read.crops, reference))
            return
        self._report(
            BoardScanFinished(effect.job, read.reading, read.description, read.crops, reference)
        )


def _ready(_outcome: Outcome) -> None:
    """Nobody waits for it."""


@dataclass(frozen=True, slots=True, eq=False)
class _Read:
    """What came of a picture."""

    photo: Photo
    reading: Reading
    crops: Mapping[Place, Bitmap]
    memory: Memory


@dataclass(frozen=True, slots=True, eq=False)
class _BoardRead:
    """The same of a game known by pictures."""

    photo: Photo
    reading: Reading
    description: Description
    crops: Mapping[Spot, Bitmap]
