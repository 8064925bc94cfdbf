"""Learning of tiles that a person has corrected, and undoing that."""

from dataclasses import dataclass, replace
from typing import ClassVar

from firmware.appliance.base import Job, JobEvent, Mode, StepResult
from firmware.appliance.dialogs import ConfirmMode, NoticeMode
from firmware.appliance.job_mode import JobMode, receive_failure, start_job
from firmware.appliance.result import Result, seen_at
from firmware.appliance.state import State
from firmware.appliance.stored_settings import change_settings
from firmware.appliance.transitions import enter, go_back
from firmware.games.registry import game_or_unscored
from firmware.scan.corrections import Correction
from firmware.screens.device_views import NoticeView
from firmware.screens.question_views import DoubtfulTileView
from firmware.screens.view import Hints, View
from firmware.screens.words import Hint, Notice, Question, Stage
from hardware.buttons import Button
from vision.editions.edition import STANDARD_EDITION


@dataclass(frozen=True, slots=True, eq=False)
class LearnCorrections(Job):
    """Add corrected tiles of the last photo to the edition in use.

    Answered by ``TilesLearned`` or ``JobFailed``.

    Attributes:
        result: Result with the corrections.
        edition: Name of the edition to store; a new one for a copy of the built-in edition.
        corrections: Corrections of the result to learn.
    """

    result: Result
    edition: str
    corrections: tuple[Correction, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class UndoTeaching(Job):
    """Remove what an edition was taught last. Answered by ``TeachingUndone`` or ``JobFailed``.

    Attributes:
        edition: Name of the edition.
        is_only_teaching: Whether it has learned nothing else, so that it is removed.
    """

    edition: str
    is_only_teaching: bool


@dataclass(frozen=True, slots=True)
class TilesLearned(JobEvent):
    """The edition has learned tiles that a person named, in groups or one by one, and is stored."""


@dataclass(frozen=True, slots=True)
class TeachingUndone(JobEvent):
    """The last teaching of an edition was undone; if it was the only one, the edition is gone."""


@dataclass(frozen=True, slots=True)
class ConfirmLearning(ConfirmMode):
    """Question whether to learn the corrected tiles."""

    question: ClassVar[Question] = Question.LEARN_TILES
    needs_result: ClassVar[bool] = True

    before: Mode

    def confirm(self, state: State) -> StepResult:
        """Ask about each corrected tile that looks like another face, then learn."""
        result = state.last_result
        doubtful = tuple(filter(result.contradicts_eye, result.misread_tiles))
        accepted = tuple(each for each in result.misread_tiles if each not in doubtful)
        return _learn_or_ask(state, DoubtfulTilesMode(doubtful, accepted, self.before))


@dataclass(frozen=True, slots=True)
class DoubtfulTilesMode(Mode):
    """Question whether to learn a tile that does not look like the chosen face.

    Attributes:
        doubtful: Corrections still to ask about; the first one is shown.
        accepted: Corrections to learn.
        after: Mode that follows if nothing is learned.
    """

    needs_result: ClassVar[bool] = True

    doubtful: tuple[Correction, ...]
    accepted: tuple[Correction, ...]
    after: Mode

    def view(self, state: State) -> View:
        result, correction = state.last_result, self.doubtful[0]
        game = game_or_unscored(result.game_id)
        return DoubtfulTileView(
            place=game.place_text(correction.place, result.corrected_scan.naming),
            seen=game.face_text(str(seen_at(result.eye_reading, correction.place))),
            answer=game.face_text(str(correction.content)),
        )

    def press(self, state: State, button: Button) -> StepResult:
        """OK learns the tile all the same, SCAN leaves it out."""
        if button is Button.NEXT:
            return state, ()
        first, *rest = self.doubtful
        accepted = (*self.accepted, first) if button is Button.OK else self.accepted
        return _learn_or_ask(state, DoubtfulTilesMode(tuple(rest), accepted, self.after))


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningMode(JobMode):
    """Corrected tiles are being learned.

    Attributes:
        edition: Name of the edition that learns them.
        after: Mode that follows if that is cancelled.
    """

    needs_result: ClassVar[bool] = True

    stage: Stage = Stage.TEACH
    edition: str
    after: Mode

    def cancel(self, state: State) -> StepResult:
        return enter(state, self.after)

    def receive_result(self, state: State, event: JobEvent) -> StepResult:
        if not isinstance(event, TilesLearned):
            return receive_failure(state, event)
        settings, seen = state.settings, state.last_result.eye_reading
        is_in_use = (settings.game, settings.edition) == (seen.game, seen.edition)
        is_new = self.edition != seen.edition
        state = replace(state, mode=LearnedMode(self.edition, is_new))
        return change_settings(state, edition=self.edition) if is_in_use else (state, ())


@dataclass(frozen=True, slots=True)
class LearnedMode(Mode):
    """Notice that tiles were learned, which can be undone.

    Attributes:
        edition: Name of the edition that has learned them.
        is_new: Whether it is a copy of the built-in edition that was made for them.
    """

    edition: str
    is_new: bool

    def view(self, state: State) -> View:
        return NoticeView(notice=Notice.TAUGHT, hints=Hints(Hint.UNDO, ok=Hint.OK))

    def press(self, state: State, button: Button) -> StepResult:
        match button:
            case Button.SCAN:
                return undo_teaching(state, self.edition, is_only_teaching=self.is_new)
            case Button.OK:
                return go_back(state)
            case Button.NEXT:
                return state, ()


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoingTeachingMode(JobMode):
    """The last teaching of an edition is being undone.

    Attributes:
        edition: Name of the edition.
        is_only_teaching: Whether it has learned nothing else, so that it is removed.
    """

    stage: Stage = Stage.TEACH
    edition: str
    is_only_teaching: bool = False

    def receive_result(self, state: State, event: JobEvent) -> StepResult:
        if not isinstance(event, TeachingUndone):
            return receive_failure(state, event)
        state = replace(state, mode=NoticeMode(Notice.UNLEARNED))
        is_removed = self.is_only_teaching and state.settings.edition == self.edition
        return change_settings(state, edition=STANDARD_EDITION) if is_removed else (state, ())


def undo_teaching(state: State, edition: str, *, is_only_teaching: bool = False) -> StepResult:
    """Undo what an edition learned last.

    Args:
        state: State before.
        edition: Name of the edition.
        is_only_teaching: Whether it has learned nothing else, so that it is removed.
    """
    mode = UndoingTeachingMode(edition=edition, is_only_teaching=is_only_teaching)
    return start_job(state, mode, lambda job_id: UndoTeaching(job_id, edition, is_only_teaching))


def _learn_or_ask(state: State, mode: DoubtfulTilesMode) -> StepResult:
    """Ask about the next tile, else learn; the built-in edition is copied for that."""
    if mode.doubtful or not mode.accepted:
        return enter(state, mode if mode.doubtful else mode.after)
    result = state.last_result
    edition = result.eye_reading.edition
    if edition == STANDARD_EDITION:
        edition = state.choices.next_edition_name
    learning = LearningMode(edition=edition, after=mode.after)
    return start_job(
        state,
        learning,
        lambda job_id: LearnCorrections(job_id, result, edition, mode.accepted),
    )
