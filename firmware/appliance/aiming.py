"""Aiming the camera: picture after picture, until a person has seen enough."""

from dataclasses import replace
from typing import Final

from firmware.appliance.effects import LookToAim
from firmware.appliance.events import Aimed, JobFailed
from firmware.appliance.modes import Aiming, Failed
from firmware.appliance.moves import (
    Turn,
    back,
    go,
    note,
    open_camera,
    take_number,
    then,
    with_picture,
)
from firmware.appliance.state import State
from hardware.buttons import Button

LONGEST_S: Final = 900.0
"""Without a button; then nobody looks any longer."""


def begin(state: State) -> Turn:
    """Show the first picture."""
    return _look(state, Aiming(used_s=state.now_s))


def pressed(state: State, mode: Aiming, button: Button) -> Turn:
    """SCAN finds focus and exposure anew, NEXT shows heights or the picture, OK leaves.

    Before there is a picture, NEXT gives it up.
    """
    if button is (Button.NEXT if mode.seen is None else Button.OK):
        # Where it hangs now, focus and exposure are others than where it was opened
        return then(back(state), open_camera)
    if mode.seen is None:
        return state, ()
    mode = replace(mode, used_s=state.now_s)
    if button is Button.NEXT:
        return go(state, replace(mode, shows_heights=not mode.shows_heights))
    return then(go(state, replace(mode, seen=None)), open_camera)


def aimed(state: State, mode: Aiming, event: Aimed) -> Turn:
    """Show the picture and take the next one."""
    state = replace(with_picture(state), mode=replace(mode, job=None, seen=event.seen))
    if state.now_s - mode.used_s >= LONGEST_S:
        return back(state)
    return _look(state, replace(mode, seen=event.seen, picture=event.picture))


def failed(state: State, _mode: Aiming, event: JobFailed) -> Turn:
    """There is no picture."""
    return note(replace(state, mode=Failed(event.fault, scans=False)), event.fault)


def _look(state: State, mode: Aiming) -> Turn:
    state, job = take_number(state)
    # The job before is done: nothing is to be cancelled
    return replace(state, mode=replace(mode, job=job, since_s=state.now_s)), (LookToAim(job),)
