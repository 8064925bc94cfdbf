"""Scanning: taking a photo of the table, reading it, and finding the game it belongs to."""

from dataclasses import dataclass, field, replace
from functools import partial
from typing import ClassVar

from firmware.appliance.base import Command, FailedPhoto, Job, JobEvent, Mode, StepResult
from firmware.appliance.dialogs import ConfirmMode
from firmware.appliance.display_views import index_of_same_view
from firmware.appliance.features.joined_cities import with_known_cities
from firmware.appliance.job_mode import JobFailed, JobMode, clear_camera_problem, start_job
from firmware.appliance.problems import game_not_read_problem
from firmware.appliance.rescan import (
    as_new_game,
    merge_with_last_result,
    with_earlier_answers,
    with_more_photos,
)
from firmware.appliance.result import PatchAt, Result, default_options, no_patch, score_or_problem
from firmware.appliance.saving import ForgetPossibleEarlier, save_result
from firmware.appliance.state import State
from firmware.appliance.transitions import (
    LogProblem,
    continue_with,
    enter,
    handle_problem,
    take_id,
)
from firmware.base.problem import Problem
from firmware.report.scan_views import remark_views
from firmware.scan.read_photos import PhotoSeries, UnusedPhoto
from firmware.screens.device_views import HandsOffView, StageView
from firmware.screens.view import CropAt, Hints, View, no_crop
from firmware.screens.words import Hint, Question, Stage
from firmware.settings import Settings
from vision.editions.description import Description
from vision.photo.load import Photo
from vision.reading import GridReading, Reading


@dataclass(frozen=True, slots=True, eq=False)
class TakeAndReadPhoto(Job):
    """Take a photo and read it.

    Answered by ``StageReached`` for each stage, then by ``PhotoRead`` or ``JobFailed``. The stages
    are:

    - without a memory of the table: ``LOCATE``, ``SCORE``;
    - with one, unmoved: ``RECOGNISE``, ``SCORE``;
    - with one, moved: ``RECOGNISE``, ``LOCATE``, ``SCORE``.

    Attributes:
        game: Game on the table.
        edition: Edition to read with.
        expects_same_table: Whether the table of the last scan, of the same game, probably still
            lies there, see ``State``; then it is read in its old places if it has not moved.
        last_grids: Grids of the last scan, whose order those of the same table keep.
        photo: Photo to read; None to take one.
        trial: Whether nothing is stored.
    """

    game: str
    edition: str
    expects_same_table: bool = False
    last_grids: tuple[GridReading, ...] = ()
    photo: Photo | None = None
    trial: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class PhotoRead(JobEvent):
    """The photo was read, but not scored yet.

    Attributes:
        reading: Content of the photo; on a rescan its grids are in the order of the last scan, as
            far as they are the same.
        description: Description of the game.
        crop_at: Function that returns pictures of places and of unread regions.
        patch_at: Function that returns pictures of tiles to compare with later photos.
        photo_reference: Reference to the photo, which is stored later; None if nothing is stored.
        photo: Photo itself, reduced if nothing was found in it; None if it is not at hand.
        trial: Whether nothing is stored.
        is_upload: Whether the photo came from the web page, with nobody at the buttons.
        series: Photos of the table so far, to which further ones can be added; None if none can.
        unused: Photos of the series that add nothing.
    """

    reading: Reading
    description: Description
    crop_at: CropAt = no_crop
    patch_at: PatchAt = no_patch
    photo_reference: str | None = None
    photo: Photo | None = None
    trial: bool = False
    is_upload: bool = False
    series: PhotoSeries | None = None
    unused: tuple[UnusedPhoto, ...] = ()


@dataclass(frozen=True, slots=True)
class ScanningMode(JobMode):
    """A photo is being taken and read.

    Attributes:
        view_before: View of the result that was shown before; None if there was none.
    """

    forgets_menu: ClassVar[bool] = True

    view_before: View | None = field(default=None, compare=False)

    def progress_view(self, state: State) -> View:
        if self.stage is Stage.CAPTURE:
            return HandsOffView(is_rescan=state.expects_same_table, hints=Hints(next=Hint.CANCEL))
        return StageView(stage=self.stage)

    def receive_result(self, state: State, event: JobEvent) -> StepResult:
        match event:
            case PhotoRead():
                return score_scan(state, event)
            case JobFailed():
                failed = None if event.photo is None else FailedPhoto(event.photo)
                mode = state.standard_modes.failure(event.problem, can_retry=True, failed=failed)
                return handle_problem(replace(state, mode=mode), event.problem)
        return state, ()


@dataclass(frozen=True, slots=True)
class ConfirmSameTable(ConfirmMode):
    """Question whether the table is that of an earlier game, which is then updated."""

    question: ClassVar[Question] = Question.SAME_TABLE
    needs_result: ClassVar[bool] = True

    @property
    def can_be_interrupted(self) -> bool:
        return True

    def confirm(self, state: State) -> StepResult:
        return update_earlier_game(state)

    def refuse(self, state: State) -> StepResult:
        return store_as_new_game(state)


@dataclass(frozen=True, slots=True, eq=False)
class StartScan(Command):
    """Scan the table.

    Attributes:
        photo: Photo to read; None to take one.
        trial: Whether nothing is stored.
    """

    photo: Photo | None = None
    trial: bool = False

    @property
    def needs_camera(self) -> bool:
        return self.photo is None

    def run(self, state: State) -> StepResult:
        return start_scan(state, self.photo, trial=self.trial)


@dataclass(frozen=True, slots=True)
class AnswerSameTable(Command):
    """Answer whether the table of a result is that of an earlier game.

    Attributes:
        result_id: ``Result.result_id`` of the result.
        is_same: Whether the earlier game is updated; else it is a new game.
    """

    result_id: int
    is_same: bool

    def run(self, state: State) -> StepResult:
        result = state.result
        if result is None or result.result_id != self.result_id:
            return self.refuse(state)
        if not self.is_same:
            return store_as_new_game(state)
        return update_earlier_game(state) if result.possible_earlier is not None else (state, ())


def start_scan(
    state: State,
    photo: Photo | None = None,
    *,
    trial: bool = False,
    view_before: View | None = None,
) -> StepResult:
    """Take a photo and read it.

    Args:
        state: State before.
        photo: Photo of another table to read instead; None to take one.
        trial: Whether nothing is stored.
        view_before: View of the result to come back to if the same table lies there.
    """
    settings, result = state.settings, state.result_to_compare
    if state.choices.game(settings.game) is None:
        problem = game_not_read_problem(settings.game)
        return enter(state, state.standard_modes.failure(problem, can_retry=False))
    state = replace(
        state, expects_same_table=state.expects_same_table and photo is None, must_ask_players=False
    )
    is_same_game = result is not None and result.game_id == settings.game
    job = partial(
        TakeAndReadPhoto,
        game=settings.game,
        edition=settings.edition,
        expects_same_table=_expects_compared_table(state) and is_same_game,
        last_grids=result.eye_reading.grids if result is not None and is_same_game else (),
        photo=photo,
        trial=trial,
    )
    return start_job(state, ScanningMode(view_before=view_before), job)


def update_earlier_game(state: State) -> StepResult:
    """Store the last result in place of the earlier game that it may belong to."""
    result = state.last_result
    if result.possible_earlier is None:
        return enter(state, state.standard_modes.result())
    state, new_id = take_id(state)  # the save under the old number is undone
    updated = replace(
        with_earlier_answers(result, result.possible_earlier, state.settings),
        result_id=new_id,
        seq=None,
    )
    return _replace_result(state, updated, result)


def store_as_new_game(state: State) -> StepResult:
    """Store the last result as a game of its own, and restore the game that it has updated.

    While a person is still to be asked whether its game is an earlier one, this only answers no.
    """
    result = state.last_result
    if result.earlier is None or result.possible_earlier is not None:
        state = replace(state, result=replace(result, possible_earlier=None))
        so_far = enter(state, state.standard_modes.result())
        forget = ForgetPossibleEarlier(result.result_id)
        return continue_with(so_far, lambda state: (state, (forget,)))
    state, new_id = take_id(state)  # the save under the old number is undone
    new_game = replace(as_new_game(result, state.settings), result_id=new_id)
    return _replace_result(state, new_game, result)


def _replace_result(state: State, result: Result, replaced: Result) -> StepResult:
    """Show and store a result in place of one of the same photo, whose save is undone."""
    so_far = enter(replace(state, expects_same_table=True), state.standard_modes.result())
    superseded_ids = [replaced.result_id]
    if replaced.possible_earlier is not None and replaced.earlier is not None:
        # Scanned again while the question was open: the first scan has a game of its own
        superseded_ids.append(replaced.earlier.result_id)
    return continue_with(so_far, lambda state: save_result(state, result, superseded_ids))


def score_scan(
    state: State, event: PhotoRead, *, before_more_photos: Result | None = None
) -> StepResult:
    """Score the photo, and compare it with the last scan.

    A photo in which nothing was found keeps the earlier result: a hand may have been in front.

    Args:
        state: State before.
        event: Reading of the photo.
        before_more_photos: Result of the same table before photos were added, which the new one
            replaces; None if none were added.
    """
    state = clear_camera_problem(state)
    fresh = _score_photo(event, state.settings)
    superseded_ids = []
    if before_more_photos is None:
        result = merge_with_last_result(
            fresh,
            state.result_to_compare,
            state.settings,
            expects_same_table=_expects_compared_table(state),
        )
    else:
        fresh = with_known_cities(fresh, before_more_photos)
        result = with_more_photos(fresh, before_more_photos, state.settings)
        superseded_ids = [before_more_photos.result_id]
    problem = result.scan_or_problem if isinstance(result.scan_or_problem, Problem) else None
    logged = () if problem is None else (LogProblem(problem),)
    if problem is not None and not event.reading.grids:
        remarks = remark_views(result.corrected_scan, event.crop_at)
        failed = None if event.photo is None else FailedPhoto(event.photo, result.corrected_scan)
        mode = state.standard_modes.failure(
            problem, can_retry=True, remarks=remarks, failed=failed, unused=event.unused
        )
        return replace(state, mode=mode), logged
    mode = _mode_after_scan(state, result, event)
    before = state.result_to_compare if result.trial else None
    state = replace(
        state,
        mode=mode,
        expects_same_table=True,
        result_before_trial=None if before is None else before.without_photo,
    )
    return continue_with((state, logged), lambda state: save_result(state, result, superseded_ids))


def _expects_compared_table(state: State) -> bool:
    """Return whether the table of the last result probably still lies there, and is no trial."""
    return state.expects_same_table and state.result_to_compare is state.result


def _mode_after_scan(state: State, result: Result, event: PhotoRead) -> Mode:
    """Return the mode of the result, or the question whether its table is an earlier one."""
    view_before = state.mode.view_before if isinstance(state.mode, ScanningMode) else None
    returns_to_view = view_before is not None and result.earlier is not None
    next_mode = state.standard_modes.result(
        index_of_same_view(result, view_before) if returns_to_view else 0
    )
    if result.possible_earlier is None or event.is_upload or result.scan is None:
        return next_mode
    return ConfirmSameTable(next_mode)


def _score_photo(event: PhotoRead, settings: Settings) -> Result:
    """Return the result of the photo alone."""
    reading = event.reading
    options = default_options(reading, settings)
    return Result(
        result_id=event.job_id,  # unique among results too, see ``take_id``
        eye_reading=reading,
        reading_to_correct=reading,
        description=event.description,
        scan_or_problem=score_or_problem(reading, event.description, options),
        options=options,
        crop_at=event.crop_at,
        patch_at=event.patch_at,
        photo_reference=event.photo_reference,
        photo=event.photo,
        trial=event.trial,
        series=event.series,
    )
