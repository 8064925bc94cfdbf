"""Teaching an edition by a finished table, whose tiles are named group by group."""

from dataclasses import dataclass, field, replace

from firmware.appliance.base import Job, JobEvent, StepResult
from firmware.appliance.features.learning_corrections import TilesLearned
from firmware.appliance.features.scanning import start_scan
from firmware.appliance.features.teaching import DOUBTFUL_PHOTO, EditionWizardMode
from firmware.appliance.job_mode import JobFailed, start_job
from firmware.appliance.state import State
from firmware.appliance.stored_settings import change_settings
from firmware.appliance.transitions import continue_with, enter, go_back, handle_problem
from firmware.appliance.wizard import WizardCommand, WizardMode
from firmware.base.problem import Problem
from firmware.games.registry import game_or_unscored
from firmware.screens.device_views import WizardView
from firmware.screens.question_views import ConfirmView, DoubtView, SpecialAnswer
from firmware.screens.view import Bitmap, Hints, View
from firmware.screens.words import Hint, Question, Stage, WizardStep
from hardware.buttons import Button
from vision.arrays import Image
from vision.photo.load import Photo
from vision.reading import Point


@dataclass(frozen=True, slots=True)
class FindGroups(Job):
    """Take a photo of a finished table and put its tiles into groups that look alike.

    Answered by ``GroupsFound`` or ``JobFailed``.

    Attributes:
        game: Game of the tiles.
        edition: Name of the edition to teach.
        add: Whether examples are added to the edition; else it is learned anew.
        photo: Photo to use; None to take one.
        confirmed: Whether the last photo is used once more, as someone has confirmed that it shows
            what it should.
    """

    game: str
    edition: str
    add: bool = False
    photo: Photo | None = None
    confirmed: bool = False


@dataclass(frozen=True, slots=True)
class LearnGroups(Job):
    """Learn the tiles of the groups found last. Answered by ``TilesLearned`` or ``JobFailed``.

    Attributes:
        names: Face of each group; None for a group that is left out.
        confirmed: Whether someone has confirmed the names, although they do not seem to be right.
    """

    names: tuple[str | None, ...]
    confirmed: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class GroupsFound(JobEvent):
    """The tiles of a finished table are in groups.

    Attributes:
        pictures: Tile of each group, the largest group first.
        faces: Faces of the game.
        tile_centres_px: Centres of all tiles, in pixels of the photo.
        pictured: Index in ``tile_centres_px`` of the tile in each picture.
        strips: Some tiles of each group in a row, for the web page.
        mixed: Indices of the groups whose tiles differ in a detail.
    """

    pictures: tuple[Bitmap, ...]
    faces: tuple[str, ...]
    tile_centres_px: tuple[Point, ...]
    pictured: tuple[int, ...]
    strips: tuple[Image, ...] = ()
    mixed: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class GroupingMode(EditionWizardMode):
    """Groups of tiles being named.

    Attributes:
        pictures: Tile of each group; empty before the photo.
        faces: Faces of the game.
        tile_centres_px: Centres of all tiles, in pixels of the photo.
        pictured: Index in ``tile_centres_px`` of the tile in each picture.
        named: Face of each of the first groups; None for a group that is left out.
        option: Index of the answer that is offered for the next group.
        found_by: Job that has found the groups.
        strips: Some tiles of each group in a row, for the web page.
        photo: Photo from the web page; None if the camera took it.
        mixed: Indices of the groups whose tiles differ in a detail.
    """

    pictures: tuple[Bitmap, ...] = ()
    faces: tuple[str, ...] = ()
    tile_centres_px: tuple[Point, ...] = ()
    pictured: tuple[int, ...] = ()
    named: tuple[str | None, ...] = ()
    option: int = 0
    found_by: int = 0
    strips: tuple[Image, ...] = field(default=(), compare=False)
    photo: Photo | None = field(default=None, compare=False)
    mixed: tuple[int, ...] = ()

    @property
    def answers(self) -> tuple[str | SpecialAnswer, ...]:
        """Answers for the next group, faces that were not named yet first.

        The display shows one tile of the group alone: if others differ, leaving it out comes first.
        """
        faces = sorted(self.faces, key=lambda face: face in self.named)
        is_mixed = len(self.named) in self.mixed
        return (SpecialAnswer.LATER, *faces) if is_mixed else (*faces, SpecialAnswer.LATER)

    def idle_view(self, state: State) -> View:
        if self.doubtful:
            return ConfirmView(question=Question.LEARN_DOUBTFUL)
        if not self.pictures:
            hints = Hints(Hint.CANCEL, Hint.MORE, Hint.PHOTO)
            view = WizardView(step=WizardStep.TEACH_TABLE, number=1, count=1, hints=hints)
            return self.with_status(view, worked=False)
        answers, number = self.answers, len(self.named)
        return DoubtView(
            number=number + 1,
            count=len(self.pictures),
            guess=game_or_unscored(state.settings.game).piece(answers[self.option]),
            option=self.option + 1,
            options=len(answers),
            tile_centres_px=self.tile_centres_px,
            pictured=self.pictured[number],
            crop=self.pictures[number],
        )

    def press_idle(self, state: State, button: Button) -> StepResult:
        """OK takes the photo, then the answer for a group; NEXT offers more, SCAN goes back."""
        if self.doubtful:
            return self.press_at_question(state, button)
        return (
            self._press_at_group(state, button)
            if self.pictures
            else self._press_before_photo(state, button)
        )

    def repeats_left(self, state: State, button: Button) -> int | None:
        is_list = self.job_id is None and self.pictures and not self.doubtful
        if button is not Button.NEXT or not is_list:
            return None
        return len(self.faces) - self.option

    def receive_result(self, state: State, event: JobEvent) -> StepResult:
        match event:
            case GroupsFound():
                return self._show_groups(state, event)
            case TilesLearned():
                return self._scan_table(state)
            case JobFailed() if event.problem.code == DOUBTFUL_PHOTO:
                return self.ask_about_photo(state, event.problem)
            case JobFailed():
                return handle_problem(
                    replace(state, mode=self.retry_mode(event.problem)), event.problem
                )
        return state, ()

    def retry_mode(self, problem: Problem | None) -> "GroupingMode":
        return replace(
            self,
            pictures=(),
            named=(),
            option=0,
            doubtful=False,
            job_id=None,
            problem=problem,
            part=0,
        )

    def take_photo(self, state: State, photo: Photo | None) -> StepResult:
        return GroupingMode(self.edition, self.add).find_groups(state, photo)

    def find_groups(self, state: State, photo: Photo | None = None) -> StepResult:
        """Put the tiles of a table into groups.

        Args:
            state: State before.
            photo: Photo to use; None to take one.
        """
        game = state.settings.game
        stage = Stage.CAPTURE if photo is None else Stage.TEACH
        return start_job(
            replace(state, expects_same_table=False),
            replace(self, stage=stage, photo=photo),
            lambda job_id: FindGroups(job_id, game, self.edition, self.add, photo),
        )

    def learn_named(self, state: State) -> StepResult:
        """Learn the groups, each of which was named or left out."""
        if not any(self.named):
            return go_back(state)
        mode = replace(self, stage=Stage.TEACH, doubtful=False, problem=None)
        return start_job(state, mode, lambda job_id: LearnGroups(job_id, self.named))

    def learn_anyway(self, state: State) -> StepResult:
        mode = replace(self, doubtful=False, problem=None, stage=Stage.TEACH)
        if self.pictures:
            return start_job(
                state, mode, lambda job_id: LearnGroups(job_id, self.named, confirmed=True)
            )
        game = state.settings.game
        return start_job(
            state,
            mode,
            lambda job_id: FindGroups(job_id, game, self.edition, self.add, confirmed=True),
        )

    def press_at_question(self, state: State, button: Button) -> StepResult:
        if button is Button.SCAN and self.pictures:  # other names may fit
            return enter(state, replace(self, doubtful=False, named=(), option=0))
        return EditionWizardMode.press_at_question(self, state, button)

    def _press_before_photo(self, state: State, button: Button) -> StepResult:
        match button:
            case Button.NEXT:
                return self.show_next_part(state)
            case Button.SCAN:
                return go_back(state)
            case Button.OK:
                return self.find_groups(state)

    def _press_at_group(self, state: State, button: Button) -> StepResult:
        answers = self.answers
        match button:
            case Button.NEXT:
                option = (self.option + 1) % len(answers)
                return enter(state, replace(self, option=option))
            case Button.SCAN if self.named:
                return enter(state, replace(self, named=self.named[:-1], option=0))
            case Button.SCAN:
                return enter(state, replace(self, pictures=()))
            case Button.OK:
                return self._name_group(state, answers[self.option])

    def _name_group(self, state: State, answer: str | SpecialAnswer) -> StepResult:
        face = None if isinstance(answer, SpecialAnswer) else answer
        mode = replace(self, named=(*self.named, face), option=0)
        is_last = len(mode.named) == len(self.pictures)
        return mode.learn_named(state) if is_last else enter(state, mode)

    def _show_groups(self, state: State, event: GroupsFound) -> StepResult:
        """Show the groups that were found, to be named one after the other."""
        mode = GroupingMode(
            self.edition,
            self.add,
            pictures=event.pictures,
            faces=event.faces,
            tile_centres_px=event.tile_centres_px,
            pictured=event.pictured,
            found_by=event.job_id,
            strips=event.strips,
            photo=self.photo,
            mixed=event.mixed,
        )
        return replace(self.after_photo(state), mode=mode), ()

    def _scan_table(self, state: State) -> StepResult:
        """Scan the table that has just taught the edition."""
        state = replace(state, mode=replace(self, job_id=None))
        so_far = change_settings(state, edition=self.edition)
        return continue_with(so_far, lambda state: start_scan(state, self.photo))


@dataclass(frozen=True, slots=True)
class NameGroups(WizardCommand):
    """Name all groups of tiles at once.

    Attributes:
        found_by: Job that has found the groups.
        names: Face of each group; None for a group that is left out.
    """

    found_by: int
    names: tuple[str | None, ...]

    def fits(self, mode: WizardMode) -> bool:
        if not isinstance(mode, GroupingMode) or mode.job_id is not None or not mode.pictures:
            return False
        is_complete = len(self.names) == len(mode.pictures)
        are_known = {None, *mode.faces}.issuperset(self.names)
        return is_complete and are_known and self.found_by == mode.found_by

    def run_in(self, mode: WizardMode, state: State) -> StepResult:
        if not isinstance(mode, GroupingMode):
            return state, ()
        return replace(mode, named=self.names).learn_named(state)
