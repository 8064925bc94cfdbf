"""Start of the program, and safe mode after starts that failed."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial

from firmware.appliance.base import Event, StepResult
from firmware.appliance.camera_recovery import start_opening_camera
from firmware.appliance.dialogs import NoticeMode
from firmware.appliance.features.power import ask_to_shut_down
from firmware.appliance.features.settings_menus import ConfirmReset
from firmware.appliance.menu import Menu, MenuItem, MenuMode, menu_item, menu_mode
from firmware.appliance.saving import LoadLastResult
from firmware.appliance.state import State
from firmware.appliance.stored_settings import RestartProgram
from firmware.appliance.transitions import (
    ask_setup_steps,
    continue_with,
    enter,
    go_home,
    to_mode,
)
from firmware.screens.words import MenuWord, Notice
from hardware.buttons import Button


@dataclass(frozen=True, slots=True)
class Started(Event):
    """The program runs; neither camera nor history is open yet."""

    def apply(self, state: State) -> StepResult:
        state = replace(state, last_use_s=state.now_s)
        if state.safe_mode:
            return continue_with((state, ()), to_mode(SafeModeNotice(Notice.SAFE_MODE)))
        so_far = continue_with((state, (LoadLastResult(),)), start_opening_camera)
        return (
            continue_with(so_far, partial(ask_setup_steps, steps=state.setup_steps))
            if state.setup_steps
            else so_far
        )


@dataclass(frozen=True, slots=True)
class SafeModeNotice(NoticeMode):
    """Notice that the scanner is in safe mode."""

    def press(self, state: State, button: Button) -> StepResult:
        return enter(state, menu_mode(SafeModeMenu())) if button is Button.OK else (state, ())


@dataclass(frozen=True, slots=True)
class SafeModeMenu(Menu):
    """Ways out of safe mode."""

    @property
    def title(self) -> MenuWord:
        return MenuWord.SAFE_MODE

    def items(self, state: State, mode: MenuMode) -> Iterable[MenuItem]:
        return (
            menu_item(MenuWord.START_NORMALLY, restart),
            menu_item(
                MenuWord.GO_ON, lambda state: continue_with(go_home(state), start_opening_camera)
            ),
            menu_item(MenuWord.RESET_SETTINGS, to_mode(ConfirmReset(mode))),
            menu_item(MenuWord.SHUT_DOWN, ask_to_shut_down),
        )


def restart(state: State) -> StepResult:
    """Restart the program in normal mode."""
    return continue_with(go_home(state), lambda state: (state, (RestartProgram(),)))
