"""Jobs that read photos: a scan, and several photos of one table."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from firmware.appliance.features.game_choice import EditionLost
from firmware.appliance.features.photo_series import ReadSeriesPhoto, SeriesPhotoRead
from firmware.appliance.features.scanning import PhotoRead, TakeAndReadPhoto
from firmware.appliance.job_mode import JobFailed, StageReached
from firmware.appliance.runner.available_editions import EditionInUse
from firmware.appliance.runner.job_runner import JobRunner
from firmware.appliance.runner.tasks import SerialQueue, ignore, problem_from
from firmware.base.errors import UsageError
from firmware.report.place_pictures import place_bitmap, place_patch
from firmware.scan.make_scan import default_reader
from firmware.scan.read_photos import PhotoSeries, UnusedPhoto, halve_photo
from firmware.screens.words import Stage
from firmware.settings import Settings
from firmware.settings.edition_fallback import with_built_in_edition
from vision.editions.edition import STANDARD_EDITION, Edition
from vision.editions.learning import model_of
from vision.errors import VisionError
from vision.photo.load import Photo
from vision.reading import Reading
from vision.rereading import TableMemory, can_read_in_place, read_again, reorder_grids

if TYPE_CHECKING:
    from vision.calibration.reader import PhotoReader

FAILED_PHOTO_PX: Final = 800
"""Minimum longer side in pixels of a failed photo as kept for the page."""


class ScanJobs:
    """Jobs of scans. A table that was read before is read faster, with the help of ``TableMemory``.

    Attributes:
        last_photo: Last photo with a city or board; None before the first one.

    Args:
        jobs: Runner of the jobs.
        reading_queue: Queue in which photos are read, one at a time.
        keep_photo: Function that has a photo stored later, and returns a reference to it.
        reader: Function that reads a photo in full; None for ``default_reader``.
    """

    def __init__(
        self,
        jobs: JobRunner,
        reading_queue: SerialQueue,
        keep_photo: Callable[[Photo], str],
        reader: "PhotoReader | None" = None,
    ) -> None:
        self.last_photo: Photo | None = None
        self._jobs = jobs
        self._reading_queue = reading_queue
        self._keep_photo = keep_photo
        self._reader = reader
        self._editions = EditionInUse()
        self._memory: TableMemory | None = None

    def preload_edition(self, settings: Settings) -> None:
        """Load the edition in use, so that the first scan need not wait for it."""

        def load() -> None:
            edition = self._edition_or_standard(settings.edition, settings.game)
            if self._reader is None:
                model_of(edition)

        self._reading_queue.add(load, ignore)

    def _edition_or_standard(self, name: str, game: str) -> Edition:
        """Load an edition, or the built-in one with an ``EditionLost`` event.

        Raises:
            UsageError: It cannot be used, and its game has no built-in one.
            VisionError: The same.
        """
        try:
            return self._editions.load(name, game)
        except (UsageError, VisionError) as error:
            if name == STANDARD_EDITION:
                raise
            after, problem = with_built_in_edition(Settings(game=game, edition=name), error)
            self._jobs.report_in_next_pass(EditionLost(game, name, after.game, problem))
            if after.game != game:
                raise
        return self._editions.load(STANDARD_EDITION, game)

    def scan(self, effect: TakeAndReadPhoto) -> None:
        """Take a photo unless one is given, and read it."""
        if not effect.expects_same_table:
            self._memory = None
        self._jobs.begin_with_photo(
            effect.job_id, effect.photo, partial(self._queue_reading, effect)
        )

    def _queue_reading(self, effect: TakeAndReadPhoto, get_photo: Callable[[], Photo]) -> None:
        memory = self._memory
        # The places of a table that was read before are known, unless something has moved.
        self._jobs.report_stage(effect.job_id, Stage.LOCATE if memory is None else Stage.RECOGNISE)
        self._jobs.run_in_queue(
            effect.job_id,
            lambda: self._read(effect, get_photo, memory),
            partial(self._finish_scan, effect),
        )

    def _finish_scan(
        self, effect: TakeAndReadPhoto, read: "_FinishedReading | _UnreadablePhoto | None"
    ) -> None:
        if isinstance(read, _UnreadablePhoto):
            problem = problem_from(read.error)
            self._jobs.report(JobFailed(effect.job_id, problem, read.photo))
        elif read is not None:
            self._show_scoring_then_report(read)

    def _read(
        self, effect: TakeAndReadPhoto, get_photo: Callable[[], Photo], memory: TableMemory | None
    ) -> "_FinishedReading | _UnreadablePhoto | None":
        """Read a photo, in the reading queue; return None if the job was cancelled."""
        if not self._jobs.is_current(effect.job_id):
            return None
        photo = get_photo()
        edition = self._edition_or_standard(effect.edition, effect.game)
        read_in_full = partial(self._read_in_full, effect, tried_in_place=memory is not None)
        new_memory = None
        try:
            if can_read_in_place(edition):
                reading, new_memory = read_again(photo, memory, edition, reader=read_in_full)
            else:
                reading = read_in_full(photo, edition)
        except VisionError as error:
            return _UnreadablePhoto(error, halve_photo(photo, FAILED_PHOTO_PX))
        is_upload = effect.photo is not None
        event = _event_of(effect, photo, reading, edition, is_upload=is_upload)
        event = replace(event, trial=effect.trial)
        if is_upload and not effect.trial:
            series = PhotoSeries.beginning_with(photo, reading)
            event = replace(event, series=series)
        return _FinishedReading(photo, event, new_memory)

    def _read_in_full(
        self, effect: TakeAndReadPhoto, photo: Photo, edition: Edition, *, tried_in_place: bool
    ) -> Reading:
        """Read a photo without knowing where its tiles lie.

        Args:
            effect: Request to read it.
            photo: Photo to read.
            edition: Edition to read with.
            tried_in_place: Whether reading it in place was tried first.
        """
        if tried_in_place:
            self._report_stage(effect.job_id, Stage.LOCATE)
        reading = (self._reader or default_reader())(photo, edition)
        return reorder_grids(
            reading, effect.last_grids, any_grid_turn=edition.description.any_grid_turn
        )

    def read_series_photo(self, effect: ReadSeriesPhoto) -> None:
        """Read one of several photos of a table; after the last one join all."""
        self._memory = None
        self._jobs.begin(effect.job_id)
        self._jobs.report_stage(effect.job_id, Stage.LOCATE)
        self._jobs.run_in_queue(
            effect.job_id,
            lambda: self._read_series_photo(effect),
            partial(self._finish_series_photo, effect),
        )

    def _finish_series_photo(
        self,
        effect: ReadSeriesPhoto,
        read: "_FinishedReading | _UnreadablePhoto | PhotoSeries | None",
    ) -> None:
        if read is None or not self._jobs.is_current(effect.job_id):
            return
        if isinstance(read, _UnreadablePhoto):
            problem = problem_from(read.error)
            self._jobs.report(JobFailed(effect.job_id, problem, unused=read.unused))
            return
        if isinstance(read, PhotoSeries):
            self._jobs.report(SeriesPhotoRead(effect.job_id, read))
            return
        self._show_scoring_then_report(read)

    def _read_series_photo(
        self, effect: ReadSeriesPhoto
    ) -> "_FinishedReading | _UnreadablePhoto | PhotoSeries | None":
        """Read one photo of a series, in the reading queue; join all after the last.

        The result is None if the job was cancelled.
        """
        if not self._jobs.is_current(effect.job_id):
            return None
        edition = self._edition_or_standard(effect.edition, effect.game)
        series = effect.series
        if effect.source is not None:
            reader = self._reader or default_reader(calibrated=False)
            series = series.read(effect.source, edition, reader, effect.joined_count)
        if not effect.is_last:
            return series
        try:
            photo, reading = series.join(edition)
        except VisionError as error:
            return _UnreadablePhoto(error, unused=series.unused)
        event = _event_of(effect, photo, reading, edition, is_upload=True)
        new_series = series.cut_from_joined(photo, reading)
        return _FinishedReading(
            photo, replace(event, series=new_series, unused=series.unused), None
        )

    def _show_scoring_then_report(self, read: "_FinishedReading") -> None:
        """Have the display show that points are counted; report the reading in the next pass.

        The loop scores the table as it handles the reading, and draws nothing meanwhile.
        """
        job_id = read.event.job_id
        self._jobs.report_stage(job_id, Stage.SCORE)
        self._jobs.run_in_next_pass(job_id, partial(self._keep_and_report, read))

    def _keep_and_report(self, read: "_FinishedReading") -> None:
        """Remember the table and its photo, store that and report the reading."""
        event, kept = read.event, None
        self._memory = read.memory
        if event.reading.grids:  # no record will refer to a photo in which nothing was found
            self.last_photo = read.photo
            kept = None if event.trial else self._keep_photo(read.photo)
        self._jobs.report(replace(event, photo_reference=kept))

    def _report_stage(self, job_id: int, stage: Stage) -> None:
        self._jobs.report_in_next_pass(StageReached(job_id, stage))


@dataclass(frozen=True, slots=True, eq=False)
class _FinishedReading:
    """Reading that is to be scored, and what is kept of it for the next scan.

    ``memory`` is None for editions that cannot be read in place.
    """

    photo: Photo
    event: PhotoRead
    memory: TableMemory | None


@dataclass(frozen=True, slots=True, eq=False)
class _UnreadablePhoto:
    """Photo, reduced, that cannot be read; or photos of a series none of which can be read.

    ``error`` is that of the first one.
    """

    error: VisionError
    photo: Photo | None = None
    unused: tuple[UnusedPhoto, ...] = ()


def _event_of(
    effect: TakeAndReadPhoto | ReadSeriesPhoto,
    photo: Photo,
    reading: Reading,
    edition: Edition,
    *,
    is_upload: bool,
) -> PhotoRead:
    """Return the event of a reading, with its pictures."""
    source = photo, reading, edition.description
    return PhotoRead(
        effect.job_id,
        reading,
        edition.description,
        partial(place_bitmap, *source),
        partial(place_patch, *source),
        photo=photo if reading.grids else halve_photo(photo, FAILED_PHOTO_PX),
        is_upload=is_upload,
    )
