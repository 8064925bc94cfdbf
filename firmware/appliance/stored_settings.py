"""Changing and storing the settings."""

from dataclasses import dataclass, fields, replace
from typing import Any, Final

from firmware.appliance.base import Command, Effect, Event, StepResult
from firmware.appliance.result import with_settings
from firmware.appliance.saving import save_result
from firmware.appliance.state import State
from firmware.appliance.transitions import LogProblem, continue_with
from firmware.base.problem import Problem
from firmware.settings import Settings

_EDITION_SETTINGS: Final = {"game", "edition"}
"""Settings that choose the edition."""
_SCORE_SETTINGS: Final = {"variant", "level", "players"}
"""Settings that the score of a table depends on."""
_DEVICE_SETTINGS: Final = {"camera", "display", "buttons", "signals"}
"""Settings of the connected devices, which a reset keeps."""


@dataclass(frozen=True, slots=True)
class UseSettings(Effect):
    """Use settings, and by default store them.

    Answered by ``SettingsStored`` or ``SettingsNotStored``.

    Attributes:
        settings: New settings.
        is_stored: Whether they are stored, too; if not, there is no answer.
    """

    settings: Settings
    is_stored: bool = True


@dataclass(frozen=True, slots=True)
class RestartProgram(Effect):
    """End the program so that the service manager starts it again."""


@dataclass(frozen=True, slots=True)
class SettingsStored(Event):
    """The settings are stored."""

    def apply(self, state: State) -> StepResult:
        return replace(state, settings_problem=None, settings_unsaved=False), ()


@dataclass(frozen=True, slots=True)
class SettingsNotStored(Event):
    """The settings are in use, but could not be stored.

    Attributes:
        problem: Cause of the failure.
    """

    problem: Problem

    def apply(self, state: State) -> StepResult:
        return replace(state, settings_unsaved=True), (LogProblem(self.problem),)


@dataclass(frozen=True, slots=True)
class ChangeSettings(Command):
    """Change settings.

    Attributes:
        changes: Fields of ``Settings`` with their new values.
        result_id: ``Result.result_id`` of the result to score again; None for that of a table
            that still lies there.
    """

    changes: tuple[tuple[str, Any], ...]
    result_id: int | None = None

    def run(self, state: State) -> StepResult:
        is_meant = state.result is not None and state.result.result_id == self.result_id
        if is_meant:
            state = replace(state, expects_same_table=True)
        state = replace(state, must_ask_players=False)
        changed = change_settings(state, scores_past_game=is_meant, **dict(self.changes))
        return return_to_result_view(changed)


def return_to_result_view(so_far: StepResult) -> StepResult:
    """Return to the first view of the result from a mode that shows it or asks about it."""
    state, effects = so_far
    if state.mode.ends_on_new_settings:
        state = replace(state, mode=state.standard_modes.result())
    return state, effects


def change_settings(state: State, *, scores_past_game: bool = False, **changes: Any) -> StepResult:
    """Change settings, store them, and score the table that still lies there again.

    An earlier result keeps the settings it was played with, also one that was looked at after a
    start. In safe mode nothing is stored: the settings in use are not the stored ones, which would
    be lost.

    Args:
        state: State before.
        scores_past_game: Whether a past game that was looked at is scored again, too.
        **changes: Fields of ``Settings`` with their new values.
    """
    replaces_fallback_edition = (
        state.edition_problem is not None and not _EDITION_SETTINGS.isdisjoint(changes)
    )
    before, settings = state.settings, replace(state.settings, **changes)
    if settings == before and not replaces_fallback_edition:
        return state, ()
    so_far = (
        replace(state, settings=settings, edition_problem=None),
        (_store_effect(state, settings),),
    )
    result = state.result
    is_rescored = state.expects_same_table and not _SCORE_SETTINGS.isdisjoint(changes)
    if result is None or result.game_id != settings.game or not is_rescored:
        return so_far
    if result.is_past and not scores_past_game:
        return so_far
    rescored = with_settings(result, settings, takes_names="players" in changes)
    return continue_with(so_far, lambda state: save_result(state, rescored))


def change_settings_without_rescoring(state: State, **changes: Any) -> StepResult:
    """Change settings and store them; no result is scored again.

    Args:
        state: State before.
        **changes: Fields of ``Settings`` with their new values.
    """
    settings = replace(state.settings, **changes)
    if settings == state.settings:
        return state, ()
    return replace(state, settings=settings), (_store_effect(state, settings),)


def _store_effect(state: State, settings: Settings) -> UseSettings:
    return UseSettings(settings, is_stored=not state.safe_mode)


def reset_settings(state: State) -> StepResult:
    """Set everything to its default, except how the devices are connected.

    In safe mode the devices are reset, too, as they may be what keeps the appliance from starting;
    then the program restarts.
    """
    if state.safe_mode:
        return state, (UseSettings(Settings()), RestartProgram())
    defaults = Settings()
    names = {field.name for field in fields(defaults)} - _DEVICE_SETTINGS
    return change_settings(state, **{name: getattr(defaults, name) for name in names})
