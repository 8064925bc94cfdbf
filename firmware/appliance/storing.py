"""What became of results and settings that were to be stored, and of switching off."""

from dataclasses import replace

from firmware.appliance import events
from firmware.appliance.effects import Effect, Log
from firmware.appliance.modes import SwitchingOff
from firmware.appliance.moves import Turn, fail, off_if_stored
from firmware.appliance.result import Result
from firmware.appliance.state import State


def saved(state: State, event: events.Saved) -> Turn:
    """The result is stored as it is now."""
    result = _waiting(state, event.job)
    if result is None:
        return state, ()
    return off_if_stored(replace(state, result=replace(result, saving=None, save_fault=None)))


def save_failed(state: State, event: events.SaveFailed) -> Turn:
    """The result is shown but not stored; it will be tried again."""
    result = _waiting(state, event.job)
    if result is None:
        return state, ()
    known = result.save_fault is not None and result.save_fault.code == event.fault.code
    logged: tuple[Effect, ...] = () if known else (Log(event.fault),)
    failed = replace(result, saving=None, save_fault=event.fault, failed_s=state.now_s)
    state, effects = off_if_stored(replace(state, result=failed))
    return state, (*logged, *effects)


def _waiting(state: State, job: int) -> Result | None:
    """The result that is being stored by this job; None: it has changed since, or is another."""
    result = state.result
    return result if result is not None and result.saving == job else None


def settings_stored(state: State, _event: events.SettingsStored) -> Turn:
    """The settings on the disk are those in use."""
    return replace(state, settings_reset=False, settings_unsaved=False), ()


def settings_not_stored(state: State, event: events.SettingsNotStored) -> Turn:
    """The settings hold until the power goes."""
    return replace(state, settings_unsaved=True), (Log(event.fault),)


def editions_changed(state: State, event: events.EditionsChanged) -> Turn:
    """There are other editions to choose from."""
    return replace(state, choices=replace(state.choices, games=event.games)), ()


def shut_down_failed(state: State, event: events.ShutDownFailed) -> Turn:
    """The computer is still on."""
    logged = (Log(event.fault),)
    if not isinstance(state.mode, SwitchingOff):
        return state, logged
    state, effects = fail(state, event.fault, scans=False)
    return state, (*effects, *logged)
