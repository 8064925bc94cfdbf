"""Modes that every feature can lead to, and the first state of the machine."""

from dataclasses import dataclass

from firmware.appliance.base import FailedPhoto, Mode, StandardModes, StepResult
from firmware.appliance.choices import Choices
from firmware.appliance.features.failure import FailureMode
from firmware.appliance.features.main_menu import open_main_menu
from firmware.appliance.features.power import ask_to_shut_down
from firmware.appliance.features.ready import ReadyMode
from firmware.appliance.features.results import ResultMode
from firmware.appliance.state import State
from firmware.base.problem import Problem
from firmware.scan.read_photos import UnusedPhoto
from firmware.screens.result_views import ResultView
from firmware.settings import Settings


@dataclass(frozen=True, slots=True)
class FeatureModes(StandardModes):
    """Standard modes of the appliance."""

    def ready(self) -> Mode:
        return ReadyMode()

    def result(self, index: int = 0) -> Mode:
        return ResultMode(index)

    def failure(
        self,
        problem: Problem,
        *,
        can_retry: bool,
        remarks: tuple[ResultView, ...] = (),
        failed: FailedPhoto | None = None,
        unused: tuple[UnusedPhoto, ...] = (),
    ) -> Mode:
        return FailureMode(problem, can_retry, remarks=remarks, failed=failed, unused=unused)

    def open_menu(self, state: State) -> StepResult:
        return open_main_menu(state)

    def ask_to_shut_down(self, state: State) -> StepResult:
        return ask_to_shut_down(state)


def first_state(settings: Settings, choices: Choices) -> State:
    """Return the state of the machine before ``Started``.

    Args:
        settings: Settings in use.
        choices: Games, languages and names to choose from.
    """
    return State(settings, choices, FeatureModes(), ReadyMode())
