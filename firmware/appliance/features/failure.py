"""Failures: why something did not work, with what was seen in the photo."""

from dataclasses import dataclass, replace

from firmware.appliance.base import Mode, Turn
from firmware.appliance.fault import Fault
from firmware.appliance.fault_view import fault_view
from firmware.appliance.features.scanning import start_scan
from firmware.appliance.result import Result, fault_pages
from firmware.appliance.state import State
from firmware.appliance.transitions import enter, go_back
from firmware.screens.result_views import ResultView
from firmware.screens.view import Hints, View
from firmware.screens.words import Hint
from hardware.buttons import Button


@dataclass(frozen=True, slots=True)
class FailureMode(Mode):
    """Fault on the display.

    Attributes:
        fault: What went wrong.
        can_rescan: Whether SCAN scans again.
        page: Page of the text.
        remarks: Pages with what was seen in the photo.
    """

    fault: Fault
    can_rescan: bool = True
    page: int = 0
    remarks: tuple[ResultView, ...] = ()

    @property
    def can_be_interrupted(self) -> bool:
        return True

    def view(self, state: State) -> View:
        hints = Hints(Hint.RETRY if self.can_rescan else Hint.NOTHING, Hint.MORE, Hint.OK)
        first = fault_view(self.fault, self.page, hints, retrying=self.fault.of_camera)
        pages = fault_pages(first, self.remarks)
        return pages[self.page % len(pages)]

    def press(self, state: State, button: Button) -> Turn:
        """SCAN tries again, NEXT shows more of the text, OK goes back."""
        match button:
            case Button.SCAN:
                return start_scan(state) if self.can_rescan else (state, ())
            case Button.NEXT:
                return enter(state, replace(self, page=self.page + 1))
            case Button.OK:
                return go_back(state)

    def handle_camera_opened(self, state: State) -> Turn:
        return go_back(state) if self.fault.of_camera else (state, ())

    def show_changed_result(self, state: State, before: Result) -> Turn:
        return enter(replace(state, same_table=True), state.standard_modes.result())
