"""Aiming the camera: picture after picture, until a person has seen enough."""

from dataclasses import replace
from typing import Final

from firmware.appliance.events import Aimed, JobFailed
from firmware.appliance.modes import Aiming, Failed
from firmware.appliance.moves import (
    Turn,
    back,
    go,
    look_to_aim,
    note,
    open_camera,
    then,
    with_picture,
)
from firmware.appliance.state import State
from firmware.screens.views import AimPage
from hardware.buttons import Button

LONGEST_S: Final = 900.0
"""Without a button; then nobody looks any longer."""


def pressed(state: State, mode: Aiming, button: Button) -> Turn:
    """SCAN finds focus and exposure anew, NEXT shows figures, heights, the picture, OK leaves.

    Before there is a picture, NEXT gives it up.
    """
    if button is (Button.NEXT if mode.seen is None else Button.OK):
        # Where it hangs now, focus and exposure are others than where it was opened
        return then(back(state), open_camera)
    if mode.seen is None:
        return state, ()
    mode = replace(mode, used_s=state.now_s)
    if button is Button.NEXT:
        return go(state, replace(mode, page=AimPage((mode.page + 1) % len(AimPage))))
    return then(go(state, replace(mode, seen=None)), open_camera)


def aimed(state: State, mode: Aiming, event: Aimed) -> Turn:
    """Show the picture and take the next one."""
    mode = replace(mode, job=None, seen=event.seen, picture=event.picture)
    state = replace(with_picture(state), mode=mode)
    if state.now_s - mode.used_s >= LONGEST_S:
        return back(state)
    return look_to_aim(state, mode)


def failed(state: State, _mode: Aiming, event: JobFailed) -> Turn:
    """There is no picture."""
    return note(replace(state, mode=Failed(event.fault, scans=False)), event.fault)
