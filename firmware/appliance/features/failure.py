"""Failures: why something did not work, with what was seen in the photo."""

from dataclasses import dataclass, field, replace

from firmware.appliance.base import FailedPhoto, Mode, StepResult
from firmware.appliance.display_views import problem_and_remark_views, problem_view
from firmware.appliance.features.scanning import start_scan
from firmware.appliance.problems import is_camera_problem
from firmware.appliance.result import Result
from firmware.appliance.state import State
from firmware.appliance.transitions import enter, go_back, show_result
from firmware.base.problem import Problem
from firmware.scan.read_photos import UnusedPhoto
from firmware.screens.result_views import ResultView
from firmware.screens.view import Hints, View
from firmware.screens.words import Hint
from hardware.buttons import Button


@dataclass(frozen=True, slots=True)
class FailureMode(Mode):
    """Problem on the display.

    Attributes:
        problem: Cause of the failure.
        can_retry: Whether SCAN tries again.
        index: Index of the view: parts of the text, then remarks.
        remarks: Views of what was seen in the photo.
        failed: Photo that failed; None if there was none, or it was deleted.
        unused: Photos of a series that add nothing; empty for a single photo.
    """

    problem: Problem
    can_retry: bool = True
    index: int = 0
    remarks: tuple[ResultView, ...] = ()
    failed: FailedPhoto | None = field(default=None, compare=False)
    unused: tuple[UnusedPhoto, ...] = field(default=(), compare=False)

    @property
    def can_be_interrupted(self) -> bool:
        return True

    def view(self, state: State) -> View:
        hints = Hints(Hint.RETRY if self.can_retry else Hint.NOTHING, Hint.MORE, Hint.OK)
        first = problem_view(self.problem, 0, hints, retrying=is_camera_problem(self.problem))
        views = problem_and_remark_views(first, self.remarks)
        return views[self.index % len(views)]

    def press(self, state: State, button: Button) -> StepResult:
        """SCAN tries again, NEXT shows more of the text, OK goes back."""
        match button:
            case Button.SCAN:
                return start_scan(state) if self.can_retry else (state, ())
            case Button.NEXT:
                return enter(state, replace(self, index=self.index + 1))
            case Button.OK:
                return go_back(state)

    def without_photo(self) -> Mode:
        unused = tuple(replace(each, photo=None) for each in self.unused)
        return replace(self, failed=None, unused=unused)

    def handle_camera_opened(self, state: State) -> StepResult:
        return go_back(state) if is_camera_problem(self.problem) else (state, ())

    def show_changed_result(self, state: State, before: Result) -> StepResult:
        return show_result(state)
