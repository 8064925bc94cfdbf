"""Base classes for the parts of a feature: effects, events, commands and modes.

A feature subclasses them in one module of ``features``. The machine calls their methods, so it
needs no table of features. All values are immutable; all methods are pure.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias

from firmware.base.problem import Problem
from firmware.games.scan import Scan
from firmware.scan.read_photos import UnusedPhoto
from firmware.screens.result_views import ResultView
from firmware.screens.view import View
from hardware.buttons import Button
from vision.photo.load import Photo

if TYPE_CHECKING:
    from firmware.appliance.result import Result
    from firmware.appliance.state import State

StepResult: TypeAlias = tuple["State", tuple["Effect", ...]]
"""New state, and the effects to carry out in this order."""

Transition: TypeAlias = Callable[["State"], StepResult]
"""Function that leads from one state to the next."""


class Effect:
    """Request to the runner, such as to draw a screen or to take a photo.

    A ``Job`` is an effect that the mode waits for. The runner does the slow work of an effect in
    tasks, on other threads (``runner.tasks``).
    """

    __slots__ = ()


@dataclass(frozen=True, slots=True, eq=False)
class Job(Effect):
    """Effect that runs in the background. Its result comes as a ``JobEvent``.

    Attributes:
        job_id: Number of the job, unique since the start.
    """

    job_id: int


@dataclass(frozen=True, slots=True)
class Show(Effect):
    """Draw a view; made by the machine when the display has to change.

    Attributes:
        view: Content of the screen.
        language: Language of its words, as in the settings.
    """

    view: View
    language: str


class Event:
    """Something that happened outside the machine."""

    __slots__ = ()

    def apply(self, state: "State") -> StepResult:
        """Handle the event, whatever the mode; by default nothing changes.

        An event that depends on the mode calls a method of ``state.mode``, as a press does.
        """
        return state, ()


@dataclass(frozen=True, slots=True, eq=False)
class JobEvent(Event):
    """Result of a job, or its progress. Goes to the mode that waits for this job.

    Attributes:
        job_id: Number of the job.
    """

    job_id: int


Refusal: TypeAlias = Literal["busy", "outdated"]
"""Reason of a refusal: the command would disturb a job or someone at the buttons; or it is about
something that is no longer there, such as an earlier result."""


@dataclass(frozen=True, slots=True, eq=False)
class RefuseCommand(Effect):
    """Tell the sender of a command that it was not carried out.

    Attributes:
        command: Command that was refused.
        reason: Reason of that.
    """

    command: "Command"
    reason: Refusal


class Command(ABC):
    """Request from the web page or the API, carried out as if chosen with the buttons.

    The commands of the terminal are elsewhere, in ``firmware.commands``.
    """

    __slots__ = ()

    @property
    def needs_camera(self) -> bool:
        """True if the command fails without a camera."""
        return False

    def is_allowed(self, state: "State") -> bool:
        """Return whether the command can run now without disturbing someone at the buttons."""
        return is_interruptible(state)

    @abstractmethod
    def run(self, state: "State") -> StepResult:
        """Run the command; ``refuse`` it if it no longer fits. Called only if it is allowed."""

    def refuse(self, state: "State") -> StepResult:
        """Change nothing, and tell the sender that the command no longer fits."""
        return state, (RefuseCommand(self, "outdated"),)


class FollowHistory(Command):
    """Command to follow a change that the page has made in the history; always allowed."""

    __slots__ = ()

    def is_allowed(self, state: "State") -> bool:
        return True


class Mode(ABC):
    """State of display and buttons. One mode is active at a time."""

    __slots__ = ()

    takes_buttons: ClassVar[bool] = True
    """True if buttons do something, long presses included; False while switching off."""
    needs_result: ClassVar[bool] = False
    """True if the mode ends when the last result is deleted."""
    ends_on_new_settings: ClassVar[bool] = False
    """True if new settings or names end the mode. The first view of the result follows; after names
    for the next game it is *ready*."""
    forgets_menu: ClassVar[bool] = False
    """True if the menu that led here is forgotten on entry, so that going back skips it."""

    @property
    def job_id(self) -> int | None:
        """Job that the mode waits for."""
        return None

    @property
    def can_be_interrupted(self) -> bool:
        """True if commands may replace the mode."""
        return False

    @abstractmethod
    def view(self, state: "State") -> View:
        """Return what the display shows."""

    @abstractmethod
    def press(self, state: "State", button: Button) -> StepResult:
        """Handle a short press, or a repeat of a held button."""

    def repeats_left(self, state: "State", button: Button) -> int | None:
        """Return how often a held button may still repeat; None if holding is a long press."""
        return None

    def receive(self, state: "State", event: JobEvent) -> StepResult:
        """Handle an event of the job that the mode waits for; ignored unless overridden."""
        return state, ()

    def handle_tick(self, state: "State") -> StepResult:
        """Act as time passes; called whenever the clock advances: at ticks, presses and commands.

        Changing only ``now_s`` does not redraw the view.
        """
        return state, ()

    def handle_camera_opened(self, state: "State") -> StepResult:
        """React to a camera that works again."""
        return state, ()

    def handle_camera_lost(self, state: "State", problem: Problem) -> StepResult:
        """React to a camera that could not be opened."""
        return state, ()

    def handle_saving_ended(self, state: "State") -> StepResult:
        """React when an attempt to store the result has ended, with success or without."""
        return state, ()

    def show_changed_result(self, state: "State", before: "Result") -> StepResult:
        """Show a result that a command has changed.

        Args:
            state: State with the changed result.
            before: Result before the change.
        """
        return state, ()

    def without_photo(self) -> "Mode":
        """Return the mode without its photo, after all photos were deleted."""
        return self

    def after_interruption(self) -> "Mode | None":
        """Return the mode to come back to after a question; None for the last result or ready."""
        return self


class SetupStep(ABC):
    """Question of the first start, or about who plays; ``State.setup_steps`` holds open ones."""

    __slots__ = ()

    is_about_players: ClassVar[bool] = False
    """True if the step asks who plays, which game variant and which level."""

    @abstractmethod
    def open(self, state: "State") -> StepResult | None:
        """Ask the question; None if the game leaves no choice."""


@dataclass(frozen=True, slots=True, eq=False)
class FailedPhoto:
    """Photo of which there is no result.

    Attributes:
        photo: Photo, reduced.
        scan: Scan of it; None if it could not be read.
    """

    photo: Photo
    scan: Scan | None = None


class StandardModes(ABC):
    """Modes that every feature can lead to. The state holds them, so that no feature is imported.

    ``firmware.appliance.features.standard_modes`` implements them.
    """

    __slots__ = ()

    @abstractmethod
    def ready(self) -> Mode:
        """Return the mode in which nothing is going on."""

    @abstractmethod
    def result(self, index: int = 0) -> Mode:
        """Return the mode that shows a view of the last result."""

    @abstractmethod
    def failure(
        self,
        problem: Problem,
        *,
        can_retry: bool,
        remarks: tuple[ResultView, ...] = (),
        failed: FailedPhoto | None = None,
        unused: tuple[UnusedPhoto, ...] = (),
    ) -> Mode:
        """Return the mode that shows a problem.

        Args:
            problem: Cause of the failure.
            can_retry: Whether SCAN tries again.
            remarks: Views of what was seen in the photo.
            failed: Photo that failed; None if there was none.
            unused: Photos of a series that add nothing.
        """

    @abstractmethod
    def open_menu(self, state: "State") -> StepResult:
        """Open the main menu."""

    @abstractmethod
    def ask_to_shut_down(self, state: "State") -> StepResult:
        """Ask whether to switch the computer off."""


def is_interruptible(state: "State") -> bool:
    """Return whether commands may run now: no setup is open, and the mode can be interrupted."""
    return not state.safe_mode and not state.setup_steps and state.mode.can_be_interrupted
