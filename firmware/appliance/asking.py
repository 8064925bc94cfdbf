"""What a yes does."""

from firmware.appliance import preferences
from firmware.appliance.modes import Asking, InMenu, Teaching
from firmware.appliance.moves import Turn, back, go
from firmware.appliance.state import State
from firmware.screens.views import Question
from hardware.buttons import Button


def pressed(state: State, mode: Asking, button: Button) -> Turn:
    """OK is a yes, SCAN a no."""
    if button is Button.SCAN:
        return go(state, mode.before)
    return _yes(state, mode) if button is Button.OK else (state, ())


def _yes(state: State, mode: Asking) -> Turn:
    if mode.question is Question.CANCEL_WIZARD:
        return back(state)
    if mode.question is Question.REPLACE_EDITION and isinstance(mode.before, InMenu):
        return go(state, Teaching(mode.before.levels[-1].subject, add=False))
    if mode.question is Question.RESET_SETTINGS:
        state, effects = preferences.reset(state)
    elif mode.question is Question.CLEAR_NAMES:
        state, effects = preferences.change(state, players=())
    else:
        effects = ()
    state, more = go(state, mode.before)
    return state, (*effects, *more)
