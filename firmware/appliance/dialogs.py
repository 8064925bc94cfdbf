"""Dialogs: questions to answer with yes or no, and notices to confirm."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from firmware.appliance.base import Mode, StepResult
from firmware.appliance.state import State
from firmware.appliance.transitions import enter, go_back
from firmware.screens.device_views import NoticeView
from firmware.screens.question_views import ConfirmView
from firmware.screens.view import View
from firmware.screens.words import Notice, Question
from hardware.buttons import Button


@dataclass(frozen=True, slots=True)
class ConfirmMode(Mode):
    """Question before something is done. OK means yes, SCAN no.

    Attributes:
        before: Mode to return to; None for ``go_back``.
    """

    question: ClassVar[Question]
    """Question on the display."""

    before: Mode | None = None

    @abstractmethod
    def confirm(self, state: State) -> StepResult:
        """Act on the answer yes."""

    def refuse(self, state: State) -> StepResult:
        """Act on the answer no: return to the mode before."""
        return go_back(state) if self.before is None else enter(state, self.before)

    def view(self, state: State) -> View:
        return ConfirmView(question=self.question)

    def press(self, state: State, button: Button) -> StepResult:
        match button:
            case Button.OK:
                return self.confirm(state)
            case Button.SCAN:
                return self.refuse(state)
            case Button.NEXT:
                return state, ()


@dataclass(frozen=True, slots=True)
class NoticeMode(Mode):
    """Notice on the display. OK leads back.

    Attributes:
        notice: Text of the notice.
    """

    notice: Notice

    def view(self, state: State) -> View:
        return NoticeView(notice=self.notice)

    def press(self, state: State, button: Button) -> StepResult:
        return go_back(state) if button is Button.OK else (state, ())
