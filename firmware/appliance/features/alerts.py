"""Alerts on *ready* and on results: what a person should know about the scanner."""

from dataclasses import dataclass, replace
from typing import Final

from firmware.appliance.base import Event, StepResult
from firmware.appliance.state import State
from firmware.screens.words import Alert

_SAVE_ALERTS: Final = {
    "not-saved-disk-full": Alert.STORAGE_FULL,
    "not-saved-read-only": Alert.READ_ONLY,
}
"""Alerts by the code of the problem; ``NOT_SAVED`` for all others."""


@dataclass(frozen=True, slots=True)
class HealthChanged(Event):
    """The problems of the computer have changed.

    Attributes:
        alerts: Alerts about the computer, the worst first.
    """

    alerts: tuple[Alert, ...] = ()

    def apply(self, state: State) -> StepResult:
        return replace(state, health=self.alerts), ()


@dataclass(frozen=True, slots=True)
class ClockKnownChanged(Event):
    """Date and time have become known or unknown.

    Attributes:
        known: Whether they are known.
    """

    known: bool

    def apply(self, state: State) -> StepResult:
        return replace(state, clock_known=self.known), ()


def active_alerts(state: State) -> tuple[Alert, ...]:
    """Return the alerts of a state, the most important first."""
    problem = None if state.result is None else state.result.save_problem
    conditions = (
        (Alert.SAFE_MODE, state.safe_mode),
        (_SAVE_ALERTS.get(problem.code if problem else "", Alert.NOT_SAVED), problem is not None),
        (Alert.NOT_SAVED, state.settings_unsaved),
        (Alert.CAMERA, state.camera.problem is not None),
        (Alert.EDITION, state.edition_problem is not None),
        (Alert.SETTINGS_RESET, state.settings_problem is not None),
        *((alert, True) for alert in state.health),
    )
    return tuple(dict.fromkeys(alert for alert, holds in conditions if holds))
