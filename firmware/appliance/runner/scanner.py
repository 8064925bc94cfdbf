"""Scanning: a picture, then its reading, and what it takes to read the same table again."""

import ctypes
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final, Protocol

from firmware.appliance.effects import StartScan
from firmware.appliance.events import Event, ScanFailed, ScanFinished, StageReached
from firmware.appliance.faults import Fault
from firmware.appliance.runner.camera_desk import CameraDesk, photo_of
from firmware.appliance.runner.crew import Crew, InTurn, Outcome, told
from firmware.editions import edition_stamp, load_edition
from firmware.scan import Eye, check, usual_eye
from firmware.screens import place_crops
from firmware.screens.views import Stage
from firmware.settings import Settings
from hardware.camera import Frame
from vision.calibrated import make_ready
from vision.editions.edition import Edition
from vision.photo import Photo
from vision.reading import Reading
from vision.rescore import Memory, can_remember, read_again

PHOTO_NAME: Final = "camera"
"""What a photo of the camera is called in readings and errors."""


class PhotoStore(Protocol):
    """Where photos are kept."""

    def __call__(self, photo: Photo) -> str | None:
        """Keep a photo, later; gives a reference to it, or None if none are kept."""
        ...


class EditionInUse:
    """The edition that was asked for last; one that was taught anew since is loaded anew."""

    def __init__(self) -> None:
        self._kept: tuple[Hashable, Edition] | None = None

    def of(self, name: str, game: str) -> Edition:
        """What ``firmware.editions.load_edition`` gives."""
        source = name, game, edition_stamp(name)
        if self._kept is None or self._kept[0] != source:
            self._kept = None  # an exception must not leave the old one
            self._kept = source, load_edition(name, game)
        return self._kept[1]


class Scanner:
    """Does ``StartScan``; all methods belong to the loop's thread.

    Args:
        desk: gives the pictures.
        crew: to call back from the thread that reads.
        heavy: reads the photos, one at a time.
        report: takes the events.
        keep_photo: keeps the photos.
        eye: what reads a photo in full; None: the real one.
    """

    def __init__(
        self,
        desk: CameraDesk,
        crew: Crew,
        heavy: InTurn,
        report: Callable[[Event], None],
        keep_photo: PhotoStore,
        eye: Eye | None = None,
    ) -> None:
        self._desk = desk
        self._crew = crew
        self._heavy = heavy
        self._report = report
        self._keep_photo = keep_photo
        self._eye = eye
        self._editions = EditionInUse()
        self._job: int | None = None
        self._memory: Memory | None = None

    def start(self, effect: StartScan) -> None:
        """Take a photo and read it; the answer is reported."""
        self._job = effect.job
        if not effect.again:
            self._memory = None
        self._desk.capture(lambda picture: self._pictured(effect, picture))

    def make_ready(self, settings: Settings) -> None:
        """Load the edition in use before it is asked for; what is wrong with it a scan will say."""
        if self._eye is None:
            self._heavy.begin(
                lambda: make_ready(self._editions.of(settings.edition, settings.game)), _ready
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
        stage = Stage.LOCATE if memory is None else Stage.RECOGNISE
        self._report(StageReached(effect.job, stage))
        self._heavy.begin(
            lambda: self._read(effect, picture, memory),
            lambda outcome: self._done(effect, outcome),
        )

    def _read(self, effect: StartScan, frame: Frame, memory: Memory | None) -> "_Read | None":
        """Read a picture; beside the loop. None: nobody waits for it any longer."""
        if self._job != effect.job:
            return None
        photo = photo_of(frame, PHOTO_NAME)
        wanted = self._editions.of(effect.edition, effect.game)

        def in_full(photo: Photo, edition: Edition) -> Reading:
            if memory is not None:
                self._announce(effect, Stage.LOCATE)
            return (self._eye or usual_eye())(photo, edition)

        after = None
        if can_remember(wanted):
            reading, after = read_again(photo, memory, wanted, eye=in_full)
        else:
            reading = in_full(photo, wanted)
        self._announce(effect, Stage.SCORE)
        scan = check(reading, wanted.description)
        finished = ScanFinished(effect.job, reading, wanted.description, place_crops(photo, scan))
        return _Read(photo, finished, after)

    def _announce(self, effect: StartScan, stage: Stage) -> None:
        self._crew.call(lambda: self._report(StageReached(effect.job, stage)))

    def _done(self, effect: StartScan, outcome: Outcome) -> None:
        if outcome.error is not None:
            self._report(ScanFailed(effect.job, told(outcome.error)))
            return
        read: _Read | None = outcome.value
        if read is None or self._job != effect.job:
            return
        self._memory = read.memory
        reference = self._keep_photo(read.photo)
        self._report(replace(read.finished, photo=reference))


def _ready(_outcome: Outcome) -> None:
    """Nobody waits for it."""


@dataclass(frozen=True, slots=True, eq=False)
class _Read:
    """What came of a picture; ``memory``: of the table, if its edition can be read again."""

    photo: Photo
    finished: ScanFinished
    memory: Memory | None


def give_back_memory() -> None:
    """Let go of what the last photo took, so that the waiting appliance is small.

    The C library keeps freed memory for later, several times what waiting needs. Where it has no
    way to give it back, nothing happens.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
