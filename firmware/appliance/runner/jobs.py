"""Jobs of the machine: take a picture and read, calibrate or learn from it, beside the loop."""

import ctypes
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from firmware.appliance.base import Event
from firmware.appliance.choices import GameChoice
from firmware.appliance.features.aiming import AimingPictureTaken, TakeAimingPicture
from firmware.appliance.features.calibrating import (
    CalibrationFinished,
    CalibrationPhotoTaken,
    CalibrationStored,
    SolveCalibration,
    StoreCalibration,
    TakeCalibrationPhoto,
)
from firmware.appliance.features.game_choice import EditionLost, EditionsChanged, RefreshEditions
from firmware.appliance.features.grouping import FindGroups, GroupsFound, LearnGroups
from firmware.appliance.features.lessons import (
    LearnCorrections,
    LessonUndone,
    TilesLearned,
    UndoLesson,
)
from firmware.appliance.features.photo_series import ReadSeriesPhoto, SeriesPhotoRead
from firmware.appliance.features.scanning import ScanFinished, StartScan
from firmware.appliance.features.teaching import LayoutLearned, LearnLayout
from firmware.appliance.jobs import JobFailed, StageReached
from firmware.appliance.runner.camera_service import CameraService, photo_from_frame
from firmware.appliance.runner.tasks import (
    SerialQueue,
    TaskResult,
    TaskRunner,
    ignore,
    problem_from,
)
from firmware.appliance.transitions import CancelJob
from firmware.base.errors import UsageError
from firmware.base.problem import Problem
from firmware.base.user_data import calibration_path, write_safely
from firmware.games.options import STANDARD_VARIANT as PLAIN
from firmware.games.registry import game_called, games
from firmware.report.place_pictures import decoded_quad_bitmap, place_bitmap, place_patch
from firmware.scan.photos import PhotoSeries, halve_photo
from firmware.scan.scan import Eye, usual_eye
from firmware.screens.device_views import CalibratedView
from firmware.screens.words import Stage
from firmware.settings import Settings
from firmware.settings.edition import without_edition
from firmware.settings.file import setting_location
from firmware.teaching.user_editions import (
    edition_stamp,
    load_edition,
    remove_edition,
    rename_edition,
    save_edition,
    stored_names,
    undo_edition,
)
from hardware.camera import Frame
from vision.editions.description import READING_ONLY, Turned
from vision.editions.edition import STANDARD, Edition
from vision.editions.folder import built_in_games
from vision.editions.learning import model_of
from vision.errors import VisionError
from vision.photo.load import Photo
from vision.reading import Reading
from vision.rescore import TableMemory, can_read_in_place, read_again, reorder_cities

if TYPE_CHECKING:
    from firmware.teaching.session import TeachingSession
    from vision.calibration import Calibration, SheetView
    from vision.teaching.tile_groups import TileGroups

    Found = tuple[TeachingSession, Photo, TileGroups]

FAILED_PX: Final = 800
"""Least longer side of a photo that failed, as it is kept for the page."""
PHOTO_NAME: Final = "camera"
"""Name of a photo of the camera in readings and errors."""


def game_choices() -> tuple[GameChoice, ...]:
    """Return the games that can be scanned; reading only if there is an edition for it."""
    found = [
        GameChoice(
            name=name,
            title=game.title,
            variants=game.variants,
            levels=tuple(game.rules.LEVELS),
            seats=game.seats,
            editions=(*((STANDARD,) if name in built_in_games() else ()), *stored_names(name)),
            teachable=game.taught_on_device,
        )
        for name, game in games().items()
    ]
    without_rules = tuple(stored_names(READING_ONLY))
    if without_rules:
        found.append(
            GameChoice(
                READING_ONLY,
                game_called(READING_ONLY).title,
                (PLAIN,),
                (1,),
                editions=without_rules,
            )
        )
    return tuple(choice for choice in found if choice.editions)


class EditionInUse:
    """Cache of the edition that was used last; one that was taught since is loaded again."""

    def __init__(self) -> None:
        self._kept: tuple[Hashable, Edition] | None = None

    def load(self, name: str, game: str) -> Edition:
        """Return an edition; see ``firmware.teaching.user_editions.load_edition``."""
        source = name, game, edition_stamp(name)
        if self._kept is None or self._kept[0] != source:
            self._kept = None  # an exception must not leave the old one
            where = setting_location("edition")
            self._kept = source, load_edition(name, game, where, pictured=False)
        return self._kept[1]


class Jobs:
    """Scanning, calibrating and teaching, one job at a time.

    The result of a job is reported as an event, ``JobFailed`` if it failed. The loop's thread calls
    the public methods and owns the attributes; the thread that reads uses ``_editions`` alone, and
    looks at the number of the job to see whether it was cancelled.

    Args:
        camera: Camera that takes the pictures.
        tasks: Runner by which the thread that reads calls back.
        heavy: Queue that reads, calibrates and learns, one photo at a time.
        report: Receiver of the events.
        keep_photo: Function that stores the photo of a scan later; it gives a reference to it.
        eye: Function that reads a photo in full; None for the real eye.
    """

    def __init__(
        self,
        camera: CameraService,
        tasks: TaskRunner,
        heavy: SerialQueue,
        report: Callable[[Event], None],
        keep_photo: Callable[[Photo], str],
        eye: Eye | None = None,
    ) -> None:
        self._camera = camera
        self._tasks = tasks
        self._heavy = heavy
        self._report = report
        self._keep_photo = keep_photo
        self._eye = eye
        self._editions = EditionInUse()
        self._job: int | None = None
        self._memory: TableMemory | None = None
        self._sheets: list[SheetView] = []
        self._photo: Photo | None = None
        self._tiles: Photo | None = None
        self._calibration: Calibration | None = None
        self._groups: Found | None = None

    def make_ready(self, settings: Settings) -> None:
        """Load the edition in use, so that the first scan need not wait for it."""

        def load() -> None:
            edition = self._edition_or_usual(settings.edition, settings.game)
            if self._eye is None:
                model_of(edition)

        self._heavy.add(load, ignore)

    def _edition_or_usual(self, name: str, game: str) -> Edition:
        """Load an edition, or the built-in one with an ``EditionLost`` event.

        Raises:
            UsageError: It cannot be used, and its game has no built-in one.
            VisionError: The same.
        """
        try:
            return self._editions.load(name, game)
        except (UsageError, VisionError) as error:
            if name == STANDARD:
                raise
            after, problem = without_edition(Settings(game=game, edition=name), error)
            lost = EditionLost(game, name, after.game, problem)
            self._tasks.call(lambda: self._report(lost))
            if after.game != game:
                raise
        return self._editions.load(STANDARD, game)

    def cancel(self, effect: CancelJob) -> None:
        """Cancel a job; an edition that is being learned is not stored."""
        if effect.job_id == self._job:
            self._job = None
            self._camera.cancel()

    def scan(self, effect: StartScan) -> None:
        """Take a photo and read it."""
        if not effect.again:
            self._memory = None
        given = effect.photo
        if given is not None:
            self._job = effect.job_id
            self._scan(effect, lambda: given)
        else:
            self._photograph(
                effect.job_id,
                lambda frame: self._scan(effect, partial(photo_from_frame, frame, PHOTO_NAME)),
            )

    def _scan(self, effect: StartScan, take: Callable[[], Photo]) -> None:
        memory = self._memory
        # The places of a table that was read before are known, unless something has moved.
        stage = Stage.LOCATE if memory is None else Stage.RECOGNISE
        self._report(StageReached(effect.job_id, stage))

        def done(read: "_Read | _Unreadable | None") -> None:
            if isinstance(read, _Unreadable):
                problem = problem_from(read.error)
                self._report(JobFailed(effect.job_id, problem, read.photo))
            elif read is not None and self._job == effect.job_id:
                self._memory = read.memory
                if read.finished.reading.grids:
                    self._photo = read.photo
                kept = None if effect.trial else self._keep_photo(read.photo)
                self._report(replace(read.finished, photo=kept, trial=effect.trial))

        self._work(effect.job_id, lambda: self._read(effect, take, memory), done)

    def _read(
        self, effect: StartScan, take: Callable[[], Photo], memory: TableMemory | None
    ) -> "_Read | _Unreadable | None":
        """Read a picture on the thread that reads; return None if the job was cancelled."""
        if self._job != effect.job_id:
            return None
        photo = take()
        wanted = self._edition_or_usual(effect.edition, effect.game)

        def announce(stage: Stage) -> None:
            self._tasks.call(lambda: self._report(StageReached(effect.job_id, stage)))

        def in_full(photo: Photo, edition: Edition) -> Reading:
            if memory is not None:
                announce(Stage.LOCATE)
            reading = (self._eye or usual_eye())(photo, edition)
            return reorder_cities(reading, effect.known, any_turn=_may_be_turned(edition))

        after = None
        try:
            if can_read_in_place(wanted):
                reading, after = read_again(photo, memory, wanted, eye=in_full)
            else:
                reading = in_full(photo, wanted)
        except VisionError as error:
            return _Unreadable(halve_photo(photo, FAILED_PX), error)
        announce(Stage.SCORE)
        is_upload = effect.photo is not None
        finished = _finished(effect, photo, reading, wanted, is_upload=is_upload)
        if is_upload and not effect.trial:
            series = PhotoSeries.beginning_with(photo, reading, "1")
            finished = replace(finished, series=series)
        return _Read(photo, finished, after)

    def read_series_photo(self, effect: ReadSeriesPhoto) -> None:
        """Read one of several photos of a table; after the last one join all."""
        self._memory, self._job = None, effect.job_id
        self._report(StageReached(effect.job_id, Stage.LOCATE))

        def done(read: "_Read | PhotoSeries | None") -> None:
            if read is None or self._job != effect.job_id:
                return
            if isinstance(read, PhotoSeries):
                self._report(SeriesPhotoRead(effect.job_id, read))
                return
            if read.finished.reading.grids:
                self._photo = read.photo
            self._report(replace(read.finished, photo=self._keep_photo(read.photo)))

        self._work(effect.job_id, lambda: self._read_series_photo(effect), done)

    def _read_series_photo(self, effect: ReadSeriesPhoto) -> "_Read | PhotoSeries | None":
        """Read a photo beside the loop; return None if the job was cancelled."""
        if self._job != effect.job_id:
            return None
        wanted = self._edition_or_usual(effect.edition, effect.game)
        series = effect.series
        if effect.source is not None:
            eye = self._eye or usual_eye(calibrated=False)
            series = series.read(effect.source, wanted, eye, effect.count)
        if not effect.is_last:
            return series
        self._tasks.call(lambda: self._report(StageReached(effect.job_id, Stage.SCORE)))
        photo, reading = series.join(wanted)
        finished = _finished(effect, photo, reading, wanted, is_upload=True)
        return _Read(photo, replace(finished, series=series.within(photo, reading)), None)

    def look_to_aim(self, effect: TakeAimingPicture) -> None:
        """Take a picture and measure how the camera stands."""

        def seen(frame: Frame) -> AimingPictureTaken:
            from firmware.camera.aim_measurement import calibrated_lens, measure_aim
            from firmware.report.aim_view import aim_view

            view = aim_view(measure_aim(frame, calibrated_lens()), frame.image_bgr)
            return AimingPictureTaken(effect.job_id, view, photo_from_frame(frame, PHOTO_NAME))

        done = self._report

        self._photograph(
            effect.job_id, lambda frame: self._work(effect.job_id, lambda: seen(frame), done)
        )

    def photograph_sheet(self, effect: TakeCalibrationPhoto) -> None:
        """Take a photo and detect the calibration sheet in it."""
        if effect.first:
            self._sheets = []
        self._with_photo(
            effect.job_id, effect.photo, lambda take: self._find_sheet(effect.job_id, take)
        )

    def _find_sheet(self, job: int, take: Callable[[], Photo]) -> None:
        name = f"photo {len(self._sheets) + 1}"

        def find() -> "SheetView":
            from vision.calibration import detect_sheet

            return detect_sheet(replace(take(), name=name))

        def done(sheet: "SheetView") -> None:
            if self._job == job:
                self._sheets.append(sheet)
            self._report(CalibrationPhotoTaken(job))

        self._report(StageReached(job, Stage.CALIBRATE))
        self._work(job, find, done)

    def calibrate(self, effect: SolveCalibration) -> None:
        """Solve lens and table from the photos of the sheet."""
        self._job = effect.job_id
        sheets = tuple(self._sheets)

        def done(found: "Calibration") -> None:
            self._calibration = found
            view = CalibratedView.of(found, table_only=effect.table_only)
            self._report(CalibrationFinished(effect.job_id, view))

        self._work(effect.job_id, lambda: _solved(sheets, table_only=effect.table_only), done)

    def keep_calibration(self, effect: StoreCalibration) -> None:
        """Store the last calibration."""
        found = self._calibration
        assert found is not None  # noqa: S101 - it was found before
        self._job = effect.job_id

        def store() -> None:
            from vision.calibration import calibration_to_bytes

            write_safely(calibration_path(), calibration_to_bytes(found))

        self._work(
            effect.job_id, store, lambda _done: self._report(CalibrationStored(effect.job_id))
        )

    def teach(self, effect: LearnLayout) -> None:
        """Learn an edition from a photo, taken if none is given."""
        if effect.same_photo and self._tiles is not None:
            self._job = effect.job_id
            self._learn(effect, self._tiles)
        else:
            self._with_photo(effect.job_id, effect.photo, lambda take: self._learn(effect, take()))

    def _learn(self, effect: LearnLayout, photo: Photo) -> None:
        def learned() -> tuple[Edition, Event]:
            edition, known_look = _lesson(effect, photo)
            return edition, LayoutLearned(effect.job_id, known_look)

        def done(news: tuple[Event, ...]) -> None:
            self._tiles = None
            self._report_all(news)

        self._tiles = photo
        self._report(StageReached(effect.job_id, Stage.TEACH))
        self._store_learned(effect.job_id, learned, done)

    def group(self, effect: FindGroups) -> None:
        """Group the tiles of a photo of a table."""

        def found_in(photo: Photo) -> tuple["Found", GroupsFound]:
            from firmware.teaching.session import start_session
            from vision.teaching.learn_groups import draw_group_strips, find_groups

            session = start_session(effect.edition, effect.game, add=effect.add)
            self._tiles = photo
            groups = find_groups(session.description, photo, sure=effect.sure)
            quads = (groups.quads_px[group[0]] for group in groups.groups)
            pictures = tuple(decoded_quad_bitmap(photo.image_bgr, quad) for quad in quads)
            faces = tuple(face.name for face in session.description.faces)
            strips = tuple(draw_group_strips(photo, groups))
            centres = groups.quads_px.mean(axis=1).tolist()
            event = GroupsFound(
                effect.job_id,
                pictures,
                faces,
                tiles=tuple((x, y) for x, y in centres),
                shown=tuple(group[0] for group in groups.groups),
                strips=strips,
                mixed=groups.mixed,
            )
            return (session, photo, groups), event

        def done(found: tuple["Found", GroupsFound]) -> None:
            self._tiles = None
            self._groups, event = found
            self._report(event)

        def learn_from(take: Callable[[], Photo]) -> None:
            self._report(StageReached(effect.job_id, Stage.TEACH))
            self._work(effect.job_id, lambda: found_in(take()), done)

        if effect.sure and self._tiles is not None:
            photo = self._tiles
            self._job = effect.job_id
            learn_from(lambda: photo)
        else:
            self._with_photo(effect.job_id, effect.photo, learn_from)

    def learn_groups(self, effect: LearnGroups) -> None:
        """Learn the names that a person gave to the last groups."""
        assert self._groups is not None  # noqa: S101 - they were found before
        session, photo, groups = self._groups

        def learned() -> tuple[Edition, Event]:
            names = {n: name for n, name in enumerate(effect.names) if name is not None}
            edition = session.learn_groups(photo, groups, names, sure=effect.sure)
            return edition, TilesLearned(effect.job_id)

        self._job = effect.job_id
        self._store_learned(effect.job_id, learned, self._report_all)

    def learn_corrected(self, effect: LearnCorrections) -> None:
        """Learn the tiles that a person corrected in the photo of the last result."""
        assert self._photo is not None  # noqa: S101 - it was read before
        photo, result = self._photo, effect.result

        def learned() -> tuple[Edition, Event]:
            name = result.eye_reading.edition
            known = load_edition(name, result.game, name)
            from firmware.teaching.session import learn_corrections

            mine = rename_edition(known, effect.edition)
            edition = learn_corrections(mine, photo, result.eye_reading, effect.corrections)
            return edition, TilesLearned(effect.job_id)

        self._job = effect.job_id
        self._store_learned(effect.job_id, learned, self._report_all)

    def undo_lesson(self, effect: UndoLesson) -> None:
        """Undo the last lesson of an edition."""

        def undone() -> tuple[Event, ...]:
            (remove_edition if effect.is_new else undo_edition)(effect.edition)
            return EditionsChanged(game_choices()), LessonUndone(effect.job_id)

        self._job = effect.job_id
        self._work(effect.job_id, undone, self._report_all)

    def _store_learned(
        self,
        job: int,
        learned: Callable[[], tuple[Edition, Event]],
        done: Callable[[tuple[Event, ...]], None],
    ) -> None:
        """Learn an edition, and store it unless the job was cancelled meanwhile."""

        def learn_and_store() -> tuple[Event, ...]:
            edition, finished = learned()
            if self._job != job:
                return ()
            save_edition(edition, replace=True)
            return EditionsChanged(game_choices()), finished

        self._work(job, learn_and_store, done)

    def look_for_editions(self, _effect: RefreshEditions) -> None:
        """Report which editions there are."""

        def looked(result: TaskResult) -> None:
            if result.error is None:
                self._report(EditionsChanged(result.value))

        self._heavy.add(game_choices, looked)

    def _report_all(self, news: tuple[Event, ...]) -> None:
        for event in news:
            self._report(event)

    def _with_photo(
        self, job: int, given: Photo | None, use: Callable[[Callable[[], Photo]], None]
    ) -> None:
        """Take a picture for a job unless a photo is given; ``use`` gets a function for it."""
        self._job = job
        if given is not None:
            use(lambda: given)
        else:
            self._photograph(job, lambda frame: use(partial(photo_from_frame, frame, "photo")))

    def _photograph(self, job: int, use: Callable[[Frame], None]) -> None:
        """Take a picture for a job."""

        def receive(picture: Frame | Problem) -> None:
            if isinstance(picture, Problem):
                self._report(JobFailed(job, picture))
            else:
                use(picture)

        self._job = job
        self._camera.capture(receive)

    def _work(self, job: int, work: Callable[[], Any], done: Callable[[Any], None]) -> None:
        """Run work that takes long for a job."""

        def ended(result: TaskResult) -> None:
            if result.error is not None:
                self._report(JobFailed(job, problem_from(result.error)))
            else:
                done(result.value)

        self._heavy.add(work, ended)


@dataclass(frozen=True, slots=True, eq=False)
class _Read:
    """Result of a picture; ``memory`` is None for editions that cannot be read again."""

    photo: Photo
    finished: ScanFinished
    memory: TableMemory | None


@dataclass(frozen=True, slots=True, eq=False)
class _Unreadable:
    """Picture that cannot be read, reduced, and why."""

    photo: Photo
    error: VisionError


def _finished(
    effect: StartScan | ReadSeriesPhoto,
    photo: Photo,
    reading: Reading,
    edition: Edition,
    *,
    is_upload: bool,
) -> ScanFinished:
    """Return the event of a reading, with its pictures."""
    known = photo, reading, edition.description
    return ScanFinished(
        effect.job_id,
        reading,
        edition.description,
        partial(place_bitmap, *known),
        partial(place_patch, *known),
        picture=photo if reading.grids else halve_photo(photo, FAILED_PX),
        is_upload=is_upload,
    )


def _may_be_turned(edition: Edition) -> bool:
    """Return whether nothing says which way up a grid of this edition is."""
    description = edition.description
    return description.turned is Turned.ANY and description.board is None


def _solved(sheets: "tuple[SheetView, ...]", *, table_only: bool) -> "Calibration":
    from vision.calibration import calibrate, load_calibration, locate_table

    if table_only:
        return locate_table(load_calibration(calibration_path()), sheets[-1])
    return calibrate(sheets).calibration


def _lesson(effect: LearnLayout, photo: Photo) -> tuple[Edition, bool]:
    """Learn from a photo; tell whether the order of its tiles was checked."""
    from firmware.teaching.session import start_session
    from vision.teaching.reference_grid import PhotoCorner

    session = start_session(effect.edition, effect.game, add=effect.add)
    corner = None if effect.corner is None else PhotoCorner(effect.corner.code)
    lesson = session.learn_arrangement(photo, effect.faces, corner, sure=effect.sure)
    return lesson.edition, lesson.all_known


def trim_memory() -> None:
    """Return the freed memory of the last photo to the system.

    The C library keeps it for later, several times what the waiting appliance needs. Does nothing
    where the C library cannot return it.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
