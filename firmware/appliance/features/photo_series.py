"""Several photos of one table from the phone: sent one after the other, then scored as one."""

from dataclasses import dataclass, field, replace
from functools import partial

from firmware.appliance.base import Command, Job, JobEvent, StepResult
from firmware.appliance.features.scanning import PhotoRead, score_scan
from firmware.appliance.job_mode import JobFailed, JobMode, start_job
from firmware.appliance.problems import game_not_read_problem
from firmware.appliance.result import Result
from firmware.appliance.state import State
from firmware.appliance.transitions import enter, go_back, handle_problem
from firmware.scan.read_photos import PhotoSeries, PhotoSource
from firmware.screens.device_views import StageView
from firmware.screens.view import View
from firmware.screens.words import Stage
from firmware.settings import Settings
from hardware.buttons import Button
from vision.joining.picture import MAX_PHOTOS
from vision.photo.load import decode_photo


@dataclass(frozen=True, slots=True, eq=False)
class ReadSeriesPhoto(Job):
    """Read one of several photos of a table; after the last one join all.

    Answered by ``StageReached``, then ``SeriesPhotoRead``, ``PhotoRead`` or ``JobFailed``.

    Attributes:
        game: Game on the table.
        edition: Edition to read with.
        series: Photos before.
        source: Photo to read; None to join those that were read.
        joined_count: Number of photos that share the joined picture.
        is_last: Whether all photos are joined after this one.
    """

    game: str
    edition: str
    series: PhotoSeries
    source: PhotoSource | None
    joined_count: int
    is_last: bool


@dataclass(frozen=True, slots=True, eq=False)
class SeriesPhotoRead(JobEvent):
    """A photo of a series was read, and further ones follow.

    Attributes:
        series: Photos so far.
    """

    series: PhotoSeries


@dataclass(frozen=True, slots=True, kw_only=True)
class PhotoSeriesMode(JobMode):
    """Several photos of one table are being read, or the next one is awaited.

    Attributes:
        key: Key that the phone sends with each photo of this series.
        sent_so_far: Number of photos that were sent, with the one that is being read.
        photo_count: Number of photos that the phone sends in all.
        adds_to: ``Result.result_id`` of the result that gets the photos; None for a new table.
        series: Photos before the one that is being read.
    """

    key: str
    sent_so_far: int
    photo_count: int
    adds_to: int | None = None
    series: PhotoSeries = field(default_factory=PhotoSeries)

    @property
    def can_be_interrupted(self) -> bool:
        return self.job_id is None

    def progress_view(self, state: State) -> View:
        return StageView(stage=self.stage)

    def idle_view(self, state: State) -> View:
        return StageView(stage=Stage.NEXT_PHOTO)

    def press_idle(self, state: State, button: Button) -> StepResult:
        """NEXT cancels, as while a photo is being read."""
        return go_back(state) if button is Button.NEXT else (state, ())

    def receive_result(self, state: State, event: JobEvent) -> StepResult:
        match event:
            case SeriesPhotoRead():
                return replace(state, mode=replace(self, series=event.series, job_id=None)), ()
            case PhotoRead():
                return score_scan(state, event, before_more_photos=_result_of(state, self.adds_to))
            case JobFailed():
                mode = state.standard_modes.failure(
                    event.problem, can_retry=True, unused=event.unused
                )
                return handle_problem(replace(state, mode=mode), event.problem)
        return state, ()


@dataclass(frozen=True, slots=True, eq=False)
class AddPhoto(Command):
    """Read one of several photos of a table.

    Attributes:
        data: Content of the file.
        key: Key of the series, which the phone makes.
        number: Number of the photo among those that the phone sends, from 1.
        photo_count: Number of photos that the phone sends in all.
        adds_to: ``Result.result_id`` of the result that gets the photos; None for a new table.
    """

    data: bytes
    key: str
    number: int
    photo_count: int
    adds_to: int | None = None

    def can_be_added(self, state: State) -> bool:
        """Return whether it is the first photo of a series, or the next one of that being read."""
        mode = state.mode
        if self.number > 1:
            return (
                isinstance(mode, PhotoSeriesMode)
                and (mode.key, mode.job_id, mode.sent_so_far) == (self.key, None, self.number - 1)
                and _has_settings_of(mode.series, state.settings)
            )
        if self.adds_to is None:
            return True
        result = _result_of(state, self.adds_to)
        return result is not None and room_for_photos(result, state.settings) >= self.photo_count

    def run(self, state: State) -> StepResult:
        if not self.can_be_added(state):
            return self.refuse(state)
        before = state.mode
        if not isinstance(before, PhotoSeriesMode) or self.number == 1:
            return _start(state, self._first(state), self.data)
        photo_count = max(self.photo_count, self.number)
        return _start(
            state, replace(before, sent_so_far=self.number, photo_count=photo_count), self.data
        )

    def _first(self, state: State) -> PhotoSeriesMode:
        result = _result_of(state, self.adds_to)
        series = PhotoSeries() if result is None or result.series is None else result.series
        return PhotoSeriesMode(
            key=self.key,
            sent_so_far=1,
            photo_count=self.photo_count,
            adds_to=self.adds_to,
            series=series,
        )


@dataclass(frozen=True, slots=True)
class EndPhotoSeries(Command):
    """Score the photos that are there, or forget them.

    Attributes:
        key: Key of the series.
        is_scored: Whether they are scored.
    """

    key: str
    is_scored: bool

    def run(self, state: State) -> StepResult:
        mode = state.mode
        if not isinstance(mode, PhotoSeriesMode) or mode.key != self.key:
            return self.refuse(state) if self.is_scored else (state, ())
        if not self.is_scored:
            return go_back(state)
        return _start(state, replace(mode, photo_count=mode.sent_so_far), None)


def room_for_photos(result: Result, settings: Settings) -> int:
    """Return the number of photos that can be added to those of a result."""
    series = result.series
    if series is None or not _has_settings_of(series, settings):
        return 0
    return max(MAX_PHOTOS - len(series.kept), 0)


def _has_settings_of(series: PhotoSeries, settings: Settings) -> bool:
    """Return whether photos were read with the game and edition that are set."""
    wanted = settings.game, settings.edition
    return all((seen.game, seen.edition) == wanted for _photo, seen in series.kept)


def _result_of(state: State, result_id: int | None) -> Result | None:
    result = state.result
    return result if result is not None and result.result_id == result_id else None


def _start(state: State, mode: PhotoSeriesMode, data: bytes | None) -> StepResult:
    settings, name = state.settings, str(mode.series.given + 1)
    if state.choices.game(settings.game) is None:
        problem = game_not_read_problem(settings.game)
        return enter(state, state.standard_modes.failure(problem, can_retry=False))
    source = None if data is None else PhotoSource(name, partial(decode_photo, data, name))
    left = mode.photo_count - mode.sent_so_far + (source is not None)
    job = partial(
        ReadSeriesPhoto,
        game=settings.game,
        edition=settings.edition,
        series=mode.series,
        source=source,
        joined_count=len(mode.series.kept) + left,
        is_last=mode.sent_so_far >= mode.photo_count,
    )
    state = replace(state, expects_same_table=False, must_ask_players=False)
    return start_job(state, replace(mode, stage=Stage.LOCATE), job)
