"""Past games: one after the other with all their views; deleting one; statistics of all."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import ClassVar

from firmware.appliance.base import Command, Event, FollowHistory, Job, JobEvent, StepResult
from firmware.appliance.dialogs import ConfirmMode, NoticeMode
from firmware.appliance.display_views import display_views
from firmware.appliance.features.game_choice import game_title
from firmware.appliance.features.players import (
    NamesChanged,
    RenamePlayer,
    SetNamesOfGame,
)
from firmware.appliance.job_mode import JobMode, receive_failure, start_job
from firmware.appliance.result import Result
from firmware.appliance.saving import LoadLastResult, with_compared_results
from firmware.appliance.state import State
from firmware.appliance.transitions import continue_with, enter, go_back, go_home, take_id
from firmware.screens.device_views import PastGameView
from firmware.screens.result_views import ScoreView
from firmware.screens.view import Hints, Text, View
from firmware.screens.words import Hint, Notice, Question, Stage
from hardware.buttons import Button


@dataclass(frozen=True, slots=True)
class PastGameEntry:
    """Past game in the list of the display.

    Attributes:
        seq: Number in the history.
        when: Date and time, in wordings of which the first that fits is shown; empty if unknown.
        game: Identifier of the game.
        winners: Players who won; empty for a game without rules.
        points: Points of each winner; with a question mark if something was unsure.
    """

    seq: int
    when: tuple[str, ...]
    game: str
    winners: tuple[Text, ...]
    points: str


@dataclass(frozen=True, slots=True)
class ListPastGames(Job):
    """List the past games. Answered by ``PastGamesListed`` or ``JobFailed``."""


@dataclass(frozen=True, slots=True)
class ComputeStatistics(Job):
    """Compute statistics of all past games. Answered by ``StatisticsComputed`` or ``JobFailed``."""


@dataclass(frozen=True, slots=True)
class OpenPastGame(Job):
    """Load a past game. Answered by ``PastGameOpened`` or ``JobFailed``.

    Attributes:
        seq: Number in the history.
    """

    seq: int


@dataclass(frozen=True, slots=True)
class MoveGameToBin(Job):
    """Move a past game to the bin of the history; list the others.

    Answered by ``PastGamesListed`` or ``JobFailed``.

    Attributes:
        seq: Number in the history.
        moved_by_page: Whether the page has moved it already, and perhaps brought it back meanwhile;
            then it stays as it is.
    """

    seq: int
    moved_by_page: bool = False


@dataclass(frozen=True, slots=True)
class DeletePhotoFiles(Job):
    """Delete the photo files of the history and keep the games.

    Answered by ``PhotosDeleted`` or ``JobFailed``.
    """


@dataclass(frozen=True, slots=True)
class PastGamesListed(JobEvent):
    """The past games were listed. A deleted last result is forgotten in any mode.

    Attributes:
        games: Past games, the latest first.
        deleted_results: ``Result.result_id`` of each result of the game that was deleted; empty if
            none was.
    """

    games: tuple[PastGameEntry, ...]
    deleted_results: tuple[int, ...] = ()

    def apply(self, state: State) -> StepResult:
        return replace_deleted_result(state, self.deleted_results)


@dataclass(frozen=True, slots=True)
class HistoryChanged(Event):
    """Another program, such as ``stadtblick history``, has changed the history.

    Attributes:
        names: Names of all players in the history, the most frequent first.
        renamed: Old and new name of each renamed player, in order.
        named: Names of the last result; None if it is not in the history.
        deleted_result: ``Result.result_id`` of the last result if it was deleted; else None.
    """

    names: tuple[str, ...]
    renamed: tuple[tuple[str, str], ...] = ()
    named: SetNamesOfGame | None = None
    deleted_result: int | None = None

    def apply(self, state: State) -> StepResult:
        so_far: StepResult = state, ()
        for old, new in self.renamed:
            so_far = continue_with(so_far, RenamePlayer(old, new).run)
        if self.named is not None:
            so_far = continue_with(so_far, self.named.run)
        so_far = continue_with(so_far, NamesChanged(self.names).apply)
        deleted = () if self.deleted_result is None else (self.deleted_result,)
        return continue_with(so_far, lambda state: replace_deleted_result(state, deleted))


@dataclass(frozen=True, slots=True)
class PhotosDeleted(JobEvent):
    """All photos were deleted, also that of the last result."""

    def apply(self, state: State) -> StepResult:
        state, result = replace(state, mode=state.mode.without_photo()), state.result
        if result is None or (result.photo_reference, result.photo) == (None, None):
            return state, ()
        return replace(state, result=replace(result.without_photo, photo_reference=None)), ()


@dataclass(frozen=True, slots=True)
class StatisticsComputed(JobEvent):
    """Statistics of all past games were computed.

    Attributes:
        views: Views to show; empty if no game was scored yet.
    """

    views: tuple[ScoreView, ...]


@dataclass(frozen=True, slots=True, eq=False)
class PastGameOpened(JobEvent):
    """A past game was loaded.

    Attributes:
        result: Result with all corrections.
    """

    result: Result


@dataclass(frozen=True, slots=True, kw_only=True)
class PastGamesMode(JobMode):
    """List of past games, of which one may be open.

    Attributes:
        games: Past games, the latest first; empty until they are known.
        index: Index of the game that is shown.
        result: Result of the open game; None if none is open.
        view_index: Index of the view of that result.
    """

    stage: Stage = Stage.HISTORY
    games: tuple[PastGameEntry, ...] = ()
    index: int = 0
    result: Result | None = None
    view_index: int = 0

    @property
    def can_be_interrupted(self) -> bool:
        return True

    def idle_view(self, state: State) -> View:
        if self.result is not None:
            views = display_views(self.result)
            following = Hint.NEXT if len(views) > 1 else Hint.NOTHING
            hints = Hints(Hint.DELETE, following, Hint.BACK)
            return replace(views[self.view_index], hints=hints)
        game, count = self.games[self.index], len(self.games)
        return PastGameView(
            when=game.when,
            game=game_title(state, game.game),
            winners=game.winners,
            points=game.points,
            number=self.index + 1,
            count=count,
            hints=Hints(Hint.BACK, Hint.NEXT if count > 1 else Hint.NOTHING, Hint.OPEN),
        )

    def press_idle(self, state: State, button: Button) -> StepResult:
        """NEXT goes on; OK opens a game, or leads back to the list; SCAN deletes it, or leaves."""
        if self.result is not None:
            return self._press_in_game(state, button, self.result)
        match button:
            case Button.SCAN:
                return go_back(state)
            case Button.NEXT:
                return enter(state, replace(self, index=(self.index + 1) % len(self.games)))
            case Button.OK:
                return start_job(state, self, lambda job_id: OpenPastGame(job_id, self.seq))

    def receive_result(self, state: State, event: JobEvent) -> StepResult:
        match event:
            case PastGamesListed(games=()):
                return replace(state, mode=NoticeMode(Notice.NO_GAMES)), ()
            case PastGamesListed():
                index = min(self.index, len(event.games) - 1)
                mode = PastGamesMode(games=event.games, index=index)
                return replace(state, mode=mode), ()
            case PhotosDeleted():
                return replace(state, mode=NoticeMode(Notice.PHOTOS_DELETED)), ()
            case PastGameOpened():
                opened = replace(self, job_id=None, result=event.result)
                return replace(state, mode=opened), ()
        return receive_failure(state, event)

    @property
    def seq(self) -> int:
        """Number in the history of the game that is shown."""
        return self.games[self.index].seq

    def _press_in_game(self, state: State, button: Button, result: Result) -> StepResult:
        match button:
            case Button.SCAN:
                return enter(state, ConfirmDeletingGame(self))
            case Button.NEXT:
                view_index = (self.view_index + 1) % len(display_views(result))
                return enter(state, replace(self, view_index=view_index))
            case Button.OK:
                return enter(state, replace(self, result=None, view_index=0))


@dataclass(frozen=True, slots=True, kw_only=True)
class StatisticsMode(JobMode):
    """Statistics of all past games.

    Attributes:
        views: Views; empty until they are known.
        index: Index of the view.
    """

    stage: Stage = Stage.HISTORY
    views: tuple[ScoreView, ...] = ()
    index: int = 0

    @property
    def can_be_interrupted(self) -> bool:
        return True

    def idle_view(self, state: State) -> View:
        return self.views[self.index]

    def press_idle(self, state: State, button: Button) -> StepResult:
        """NEXT shows the next view, SCAN leaves."""
        match button:
            case Button.SCAN:
                return go_back(state)
            case Button.NEXT:
                return enter(state, replace(self, index=(self.index + 1) % len(self.views)))
            case Button.OK:
                return state, ()

    def receive_result(self, state: State, event: JobEvent) -> StepResult:
        if not isinstance(event, StatisticsComputed):
            return receive_failure(state, event)
        has_views = bool(event.views)
        mode = StatisticsMode(views=event.views) if has_views else NoticeMode(Notice.NO_GAMES)
        return replace(state, mode=mode), ()


@dataclass(frozen=True, slots=True)
class ConfirmDeletingGame(ConfirmMode):
    """Question whether to delete the past game that is open.

    Attributes:
        before: List with the open game.
    """

    question: ClassVar[Question] = Question.DELETE_GAME

    before: PastGamesMode

    def confirm(self, state: State) -> StepResult:
        shown = self.before
        waiting = PastGamesMode(games=shown.games, index=shown.index)
        return start_job(state, waiting, lambda job_id: MoveGameToBin(job_id, shown.seq))


@dataclass(frozen=True, slots=True)
class ConfirmDeletingPhotos(ConfirmMode):
    """Question whether to delete all photos."""

    question: ClassVar[Question] = Question.DELETE_PHOTOS

    def confirm(self, state: State) -> StepResult:
        return start_job(state, PastGamesMode(), DeletePhotoFiles)


@dataclass(frozen=True, slots=True)
class ForgetDeletedGame(FollowHistory):
    """Forget a past game that the page has moved to the bin, as last result and in the list.

    Attributes:
        seq: Number in the history.
    """

    seq: int

    def run(self, state: State) -> StepResult:
        state, job_id = take_id(state)  # no mode waits for it: PastGamesListed applies in any mode
        so_far: StepResult = state, (MoveGameToBin(job_id, self.seq, moved_by_page=True),)
        is_listed = isinstance(state.mode, PastGamesMode)
        return continue_with(so_far, show_past_games) if is_listed else so_far


@dataclass(frozen=True, slots=True, eq=False)
class UseCorrectedGame(FollowHistory):
    """Use a past game as it was corrected in the history, if a result may belong to it.

    Attributes:
        game: Past game with all corrections.
    """

    game: Result

    def is_needed(self, state: State) -> bool:
        """Return whether the last or next result may belong to this game."""
        possible = None if state.result is None else state.result.possible_earlier
        return any(
            known is not None and known.seq == self.game.seq
            for known in (possible, state.result_before_trial)
        )

    def run(self, state: State) -> StepResult:
        def with_corrections(known: Result) -> Result:
            if known.seq != self.game.seq:
                return known
            return replace(self.game.without_photo, result_id=known.result_id, earlier=None)

        return with_compared_results(state, with_corrections), ()


@dataclass(frozen=True, slots=True)
class DeletePhotos(Command):
    """Delete the photos of all games, also the one that the last result holds."""

    def run(self, state: State) -> StepResult:
        state, job_id = take_id(state)  # no mode waits for it: PhotosDeleted applies in any mode
        return state, (DeletePhotoFiles(job_id),)


def replace_deleted_result(state: State, deleted_ids: Collection[int]) -> StepResult:
    """Load the latest result of the history in place of the last one, if that was deleted.

    Args:
        state: State before.
        deleted_ids: ``Result.result_id`` of each result of the deleted game.
    """
    result, mode, before_trial = state.result, state.mode, state.result_before_trial
    if before_trial is not None and before_trial.result_id in deleted_ids:
        state = replace(state, result_before_trial=None)
    if result is None or result.result_id not in deleted_ids:
        return state, ()
    state = replace(state, result=None, expects_same_table=False)
    if isinstance(mode, ConfirmMode) and mode.before is not None and mode.before.needs_result:
        state = replace(state, mode=replace(mode, before=None))
    so_far: StepResult = state, (LoadLastResult(),)
    return continue_with(so_far, go_home) if mode.needs_result else so_far


def show_past_games(state: State) -> StepResult:
    """List the past games, and show the latest one."""
    return start_job(state, PastGamesMode(), ListPastGames)


def show_statistics(state: State) -> StepResult:
    """Compute the statistics, and show the first view of them."""
    return start_job(state, StatisticsMode(), ComputeStatistics)
