"""Teaching an edition by photos of tiles that are laid out in a known order."""

from abc import abstractmethod
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from typing import Final

from firmware.appliance.base import Job, JobEvent, StepResult
from firmware.appliance.dialogs import NoticeMode
from firmware.appliance.features.game_choice import ChooseGame
from firmware.appliance.job_mode import JobFailed, start_job
from firmware.appliance.menu import list_view
from firmware.appliance.state import State
from firmware.appliance.stored_settings import change_settings
from firmware.appliance.transitions import continue_with, enter, go_back, handle_problem, to_mode
from firmware.appliance.wizard import StartWizard, WizardCommand, WizardMode
from firmware.base.problem import Problem
from firmware.games.registry import game_or_unscored
from firmware.screens.device_views import MenuEntry, WizardView
from firmware.screens.question_views import ConfirmView
from firmware.screens.view import Hints, View
from firmware.screens.words import Hint, MenuWord, Notice, Question, Stage, WizardStep
from hardware.buttons import Button
from vision.photo.load import Photo

DOUBTFUL_PHOTO: Final = "teach-doubtful"
"""Code of the problem of a photo that does not seem to fit, although a person may know better."""
WAY_UP_UNKNOWN: Final = "teach-which-way"
"""Code of the problem of a photo in which the eye cannot tell which way up the tiles lie."""
CORNERS: Final = (
    MenuWord.TOP_LEFT,
    MenuWord.TOP_RIGHT,
    MenuWord.BOTTOM_RIGHT,
    MenuWord.BOTTOM_LEFT,
)
"""Corners of the photo in which the shop may lie."""


@dataclass(frozen=True, slots=True)
class LearnLayout(Job):
    """Take a photo of tiles laid out in a known order, and learn them.

    Answered by ``LayoutLearned`` or ``JobFailed``; nothing is stored if it fails.

    Attributes:
        game: Game of the tiles.
        edition: Name of the edition.
        add: Whether examples are added to the edition; else it is learned anew.
        same_photo: Whether the last photo is used once more.
        corner: Corner of the photo in which the shop lies; None to let the eye find it.
        arrangement: Name of the arrangement that is laid out; empty for the standard grid, whose
            order the eye checks.
        photo: Photo to use; None to take one.
        confirmed: Whether someone has confirmed that the photo shows what it should.
    """

    game: str
    edition: str
    add: bool
    same_photo: bool = False
    corner: MenuWord | None = None
    arrangement: str = ""
    photo: Photo | None = field(default=None, compare=False)
    confirmed: bool = False


@dataclass(frozen=True, slots=True)
class LayoutLearned(JobEvent):
    """The edition knows the tiles of the photo and is stored.

    Attributes:
        order_checked: Whether the eye knew the look and checked the order of the tiles; else only
            a person can.
    """

    order_checked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionWizardMode(WizardMode):
    """Wizard that teaches an edition.

    Attributes:
        edition: Name of the edition.
        add: Whether examples are added to an edition; else it is learned anew.
        doubtful: Whether it asks about a photo that does not seem to show what it should.
    """

    edition: str = field(kw_only=False)
    add: bool = field(default=False, kw_only=False)
    doubtful: bool = False

    @abstractmethod
    def learn_anyway(self, state: State) -> StepResult:
        """Learn the last photo: someone has confirmed that it shows what it should."""

    def ask_about_photo(self, state: State, problem: Problem) -> StepResult:
        """Ask about a photo that does not seem to show what it should."""
        return replace(state, mode=replace(self, job_id=None, doubtful=True, problem=problem)), ()

    def press_at_question(self, state: State, button: Button) -> StepResult:
        """OK learns the photo all the same; SCAN shows the problem, to take another photo."""
        match button:
            case Button.OK:
                return self.learn_anyway(state)
            case Button.SCAN:
                return enter(state, self.retry_mode(self.problem))
            case Button.NEXT:
                return state, ()


class TeachStep(StrEnum):
    """Steps of teaching by laid out tiles."""

    LAY = "lay"
    PHOTO = "photo"
    CORNER = "corner"
    """The look is so new that a person has to say in which corner the shop lies."""
    MORE = "more"
    """The edition is learned; more photos add examples."""


_WORDS_BY_STEP: Final = {
    TeachStep.LAY: (WizardStep.TEACH_LAY, Hint.CANCEL, Hint.OK),
    TeachStep.PHOTO: (WizardStep.TEACH_PHOTO, Hint.CANCEL, Hint.PHOTO),
    TeachStep.MORE: (WizardStep.TEACH_TURN, Hint.DONE, Hint.PHOTO),
}
"""Text, hint for SCAN and hint for OK of each step."""


@dataclass(frozen=True, slots=True)
class TeachingMode(EditionWizardMode):
    """Step of teaching an edition.

    Attributes:
        learned: Whether a photo of this wizard was learned.
        step: Step of the wizard.
        corner: Corner that was chosen or is offered; None before.
        order_checked: Whether the eye has checked the order of all tiles that were taught.
        arrangement: Name of the arrangement that is laid out; empty for the standard grid, whose
            order the eye checks.
    """

    learned: bool = False
    step: TeachStep = TeachStep.LAY
    corner: MenuWord | None = None
    order_checked: bool = True
    arrangement: str = ""

    @property
    def can_finish(self) -> bool:
        return self.learned

    def idle_view(self, state: State) -> View:
        if self.doubtful:
            return ConfirmView(question=Question.LEARN_DOUBTFUL)
        if self.step is TeachStep.CORNER:
            corners = [MenuEntry(label=corner) for corner in CORNERS]
            selected = CORNERS.index(self.corner or CORNERS[0])
            return list_view(MenuWord.SHOP_CORNER, corners, selected, Hint.BACK)
        step, scan, ok = _WORDS_BY_STEP[self.step]
        view = WizardView(
            step=step,
            number=list(_WORDS_BY_STEP).index(self.step) + 1,
            count=len(_WORDS_BY_STEP),
            signs=tuple(game_or_unscored(state.settings.game).signs.values()),
            hints=Hints(scan, Hint.MORE, ok),
        )
        return self.with_status(view, worked=self.learned)

    def press_idle(self, state: State, button: Button) -> StepResult:
        """OK takes the photo, SCAN leaves, NEXT shows more of the text."""
        if self.doubtful:
            return self.press_at_question(state, button)
        if self.step is TeachStep.CORNER:
            return self._press_at_corner(state, button)
        match button:
            case Button.NEXT:
                return self.show_next_part(state)
            case Button.SCAN:
                return self._use_edition(state) if self.step is TeachStep.MORE else go_back(state)
            case Button.OK if self.step is TeachStep.LAY:
                return enter(state, replace(self, step=TeachStep.PHOTO, part=0))
            case Button.OK:
                return self.learn(state)

    def receive_result(self, state: State, event: JobEvent) -> StepResult:
        match event:
            case LayoutLearned():
                return self._offer_more(state, event)
            case JobFailed():
                return self._ask_or_repeat(state, event.problem)
        return state, ()

    def retry_mode(self, problem: Problem | None) -> "TeachingMode":
        return replace(
            self,
            step=TeachStep.MORE if self.learned else TeachStep.PHOTO,
            corner=None,
            doubtful=False,
            job_id=None,
            problem=problem,
            part=0,
        )

    def take_photo(self, state: State, photo: Photo | None) -> StepResult:
        return replace(self, corner=None, doubtful=False).learn(state, photo)

    def finish(self, state: State) -> StepResult:
        return continue_with(
            change_settings(replace(state, menu=None), edition=self.edition), go_back
        )

    def learn(
        self, state: State, photo: Photo | None = None, *, same_photo: bool = False
    ) -> StepResult:
        """Learn from a photo.

        Args:
            state: State before.
            photo: Photo to use; None to take one.
            same_photo: Whether to use the last photo instead.
        """
        has_photo = same_photo or photo is not None
        job = partial(self._job, state.settings.game, same_photo=same_photo, photo=photo)
        state = replace(state, expects_same_table=False)  # other tiles lie where the table was
        stage = Stage.TEACH if has_photo else Stage.CAPTURE
        return start_job(state, replace(self, stage=stage), job)

    def learn_anyway(self, state: State) -> StepResult:
        mode = replace(self, doubtful=False, problem=None, stage=Stage.TEACH)
        job = partial(self._job, state.settings.game, same_photo=True, confirmed=True)
        return start_job(state, mode, job)

    def _job(
        self,
        game: str,
        job_id: int,
        *,
        same_photo: bool,
        photo: Photo | None = None,
        confirmed: bool = False,
    ) -> LearnLayout:
        return LearnLayout(
            job_id,
            game,
            self.edition,
            self.add,
            same_photo=same_photo,
            corner=self.corner,
            arrangement=self.arrangement,
            photo=photo,
            confirmed=confirmed,
        )

    def _press_at_corner(self, state: State, button: Button) -> StepResult:
        corner = self.corner or CORNERS[0]
        match button:
            case Button.NEXT:
                following = CORNERS[(CORNERS.index(corner) + 1) % len(CORNERS)]
                return enter(state, replace(self, corner=following))
            case Button.SCAN:
                return enter(state, self.retry_mode(None))
            case Button.OK:
                return replace(self, corner=corner).learn(state, same_photo=True)

    def _use_edition(self, state: State) -> StepResult:
        notice = Notice.TAUGHT if self.order_checked else Notice.TAUGHT_UNCHECKED
        so_far = change_settings(replace(state, menu=None), edition=self.edition)
        return continue_with(so_far, to_mode(NoticeMode(notice)))

    def _offer_more(self, state: State, event: LayoutLearned) -> StepResult:
        """Offer to add examples from more photos."""
        mode = TeachingMode(
            self.edition,
            add=True,
            learned=True,
            step=TeachStep.MORE,
            order_checked=self.order_checked and event.order_checked,
            arrangement=self.arrangement,
        )
        return replace(self.after_photo(state), mode=mode), ()

    def _ask_or_repeat(self, state: State, problem: Problem) -> StepResult:
        """Ask for the corner, or about a doubtful photo; else take another one."""
        if problem.code == WAY_UP_UNKNOWN and self.corner is None:
            asking = replace(self, job_id=None, step=TeachStep.CORNER, corner=CORNERS[0])
            return replace(state, mode=asking), ()
        if problem.code == DOUBTFUL_PHOTO:
            return self.ask_about_photo(state, problem)
        return handle_problem(replace(state, mode=self.retry_mode(problem)), problem)


@dataclass(frozen=True, slots=True)
class StartTeaching(StartWizard):
    """Start a wizard that teaches an edition.

    Attributes:
        game: Game of the tiles, which is chosen; empty for the one that is set.
    """

    game: str = ""

    def run(self, state: State) -> StepResult:
        so_far = enter(state, state.standard_modes.ready())
        return continue_with(so_far, ChooseGame(self.game).run, to_mode(self.mode))


@dataclass(frozen=True, slots=True)
class ChooseCorner(WizardCommand):
    """Choose the corner of the photo in which the shop lies.

    Attributes:
        corner: Corner of the photo.
    """

    corner: MenuWord

    def fits(self, mode: WizardMode) -> bool:
        is_asked = isinstance(mode, TeachingMode) and mode.step is TeachStep.CORNER
        return mode.job_id is None and is_asked

    def run_in(self, mode: WizardMode, state: State) -> StepResult:
        if not isinstance(mode, TeachingMode):
            return state, ()
        return replace(mode, corner=self.corner).learn(state, same_photo=True)


@dataclass(frozen=True, slots=True)
class LearnAnyway(WizardCommand):
    """Learn the last photo, although it does not seem to show what it should."""

    def fits(self, mode: WizardMode) -> bool:
        return mode.job_id is None and isinstance(mode, EditionWizardMode) and mode.doubtful

    def run_in(self, mode: WizardMode, state: State) -> StepResult:
        return mode.learn_anyway(state) if isinstance(mode, EditionWizardMode) else (state, ())
