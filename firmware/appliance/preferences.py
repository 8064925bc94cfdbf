"""Changing settings on the device; the result that is shown follows."""

from dataclasses import replace
from typing import Any, Final

from firmware.appliance.effects import Restart, StoreSettings
from firmware.appliance.moves import Turn, keep
from firmware.appliance.result import with_settings
from firmware.appliance.state import State
from firmware.settings import Settings

_SCORED_BY: Final = {"variant", "level", "players"}
"""The settings that the score of a table depends on."""


def change(state: State, **changes: Any) -> Turn:
    """Use settings with some changes from now on, and store them.

    In safe mode they are not stored: the settings in use are not those on the disk, which would
    be lost.

    Args:
        state: before.
        **changes: fields of ``Settings`` with their new values.
    """
    settings = replace(state.settings, **changes)
    if settings == state.settings:
        return state, ()
    state = replace(state, settings=settings)
    store = StoreSettings(settings, only_now=state.safe_mode)
    result = state.result
    if result is None or result.game != settings.game or not _SCORED_BY & changes.keys():
        return state, (store,)
    state, effects = keep(state, with_settings(result, settings))
    return state, (store, *effects)


def set_name(state: State, seat: int, name: str) -> Turn:
    """Give a seat a name, or take it away with an empty one."""
    names = list(state.settings.players)
    names += [""] * (seat + 1 - len(names))
    names[seat] = name
    while names and not names[-1]:
        names.pop()
    return change(state, players=tuple(names))


def reset(state: State) -> Turn:
    """All settings as they were at first, except how the devices are connected.

    In safe mode those too: they may be what keeps the appliance from starting. It starts anew.
    """
    if state.safe_mode:
        return state, (StoreSettings(Settings()), Restart())
    kept = state.settings
    fresh = replace(Settings(), camera=kept.camera, display=kept.display, buttons=kept.buttons)
    names = {name: getattr(fresh, name) for name in fresh.__dataclass_fields__}
    return change(state, **names)


def change_display(state: State, **changes: Any) -> Turn:
    """Change how the display shows things; see ``change``."""
    return change(state, display=replace(state.settings.display, **changes))
