"""Results: the views of the last scan."""

from dataclasses import dataclass
from typing import ClassVar

from firmware.appliance.base import Mode, StepResult
from firmware.appliance.display_views import display_views
from firmware.appliance.features.alerts import active_alerts
from firmware.appliance.features.reviewing import review_result
from firmware.appliance.features.scanning import start_scan
from firmware.appliance.result import Result
from firmware.appliance.state import State
from firmware.appliance.transitions import enter, go_home, show_result
from firmware.screens.view import View
from firmware.screens.words import Alert, Hint
from hardware.buttons import Button


@dataclass(frozen=True, slots=True)
class ResultMode(Mode):
    """View of the result, or of the problem that prevents a score.

    Attributes:
        index: Index of the view.
    """

    forgets_menu: ClassVar[bool] = True
    needs_result: ClassVar[bool] = True
    ends_on_new_settings: ClassVar[bool] = True

    index: int = 0

    @property
    def can_be_interrupted(self) -> bool:
        return True

    def view(self, state: State) -> View:
        alerts = (Alert.RECORD,) if state.last_result.new_bests else ()
        views = display_views(state.last_result, (*active_alerts(state), *alerts))
        return views[self.index % len(views)]

    def press(self, state: State, button: Button) -> StepResult:
        """NEXT shows the next view, SCAN scans again; OK reviews what is unsure, or leaves.

        Only the first view and those that list what is unsure lead to the review, so that a person
        can leave the doubts open.
        """
        result, view = state.last_result, self.view(state)
        match button:
            case Button.SCAN:
                return start_scan(state, view_before=view)
            case Button.NEXT:
                return enter(state, ResultMode((self.index + 1) % len(display_views(result))))
            case Button.OK:
                return review_result(state) if view.hints.ok is Hint.CHECK else go_home(state)

    def show_changed_result(self, state: State, before: Result) -> StepResult:
        return show_result(state)
