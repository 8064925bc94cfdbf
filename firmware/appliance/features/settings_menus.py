"""Menus of the settings."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, Final

from firmware.appliance.base import StepResult
from firmware.appliance.dialogs import ConfirmMode
from firmware.appliance.features.calibrating import CalibratingMode
from firmware.appliance.features.first_start import FIRST_START, LanguageMenu
from firmware.appliance.features.past_games import ConfirmDeletingPhotos
from firmware.appliance.features.phone import show_page_address
from firmware.appliance.menu import Menu, MenuItem, MenuMode, menu_item, menu_word
from firmware.appliance.state import State
from firmware.appliance.stored_settings import change_settings, reset_settings
from firmware.appliance.transitions import ask_setup_steps, continue_with, go_home, to_mode
from firmware.base.language import Phrase
from firmware.screens.words import PERCENT, Hint, MenuWord, Question

CONTRASTS: Final = (26, 77, 128, 207, 255)
"""Contrasts of the display to choose from, 0 to 255: even steps for the eye, the default among
them."""


@dataclass(frozen=True, slots=True)
class SettingsMenu(Menu):
    """Settings of the scanner."""

    @property
    def title(self) -> MenuWord:
        return MenuWord.SETTINGS

    def items(self, state: State, mode: MenuMode) -> Iterable[MenuItem]:
        display = state.settings.display
        turned = replace(display, upside_down=not display.upside_down)
        return (
            menu_item(
                MenuWord.LANGUAGE,
                mode.to_submenu(LanguageMenu()),
                menu_word(state.settings.language),
            ),
            menu_item(
                MenuWord.CONTRAST, mode.to_submenu(ContrastMenu()), _percent(display.contrast)
            ),
            menu_item(
                MenuWord.UPSIDE_DOWN,
                partial(change_settings, display=turned),
                _yes_or_no(display.upside_down),
            ),
            menu_item(MenuWord.DELETE_PHOTOS, to_mode(ConfirmDeletingPhotos(mode))),
            menu_item(MenuWord.SET_UP, partial(ask_setup_steps, steps=FIRST_START)),
            menu_item(MenuWord.RESET_SETTINGS, to_mode(ConfirmReset(mode))),
            menu_item(MenuWord.DEVICE, mode.to_submenu(DeviceMenu())),
        )


@dataclass(frozen=True, slots=True)
class ContrastMenu(Menu):
    """Contrasts of the display."""

    @property
    def title(self) -> MenuWord:
        return MenuWord.CONTRAST

    def items(self, state: State, mode: MenuMode) -> Iterator[MenuItem]:
        display = state.settings.display
        for contrast in CONTRASTS:
            choose = partial(change_settings, display=replace(display, contrast=contrast))
            yield menu_item(_percent(contrast), choose, ticked=display.contrast == contrast)


@dataclass(frozen=True, slots=True)
class DeviceMenu(Menu):
    """Condition of the scanner; OK on an entry opens the setup that it lacks, else goes back."""

    ok_hint: ClassVar[Hint] = Hint.OK

    @property
    def title(self) -> MenuWord:
        return MenuWord.DEVICE

    def items(self, state: State, mode: MenuMode) -> Iterator[MenuItem]:
        facts = (
            (MenuWord.CAMERA_WORKS, state.camera.problem is None, go_home),
            (MenuWord.CALIBRATED, state.calibrated, to_mode(CalibratingMode(table_only=False))),
            (MenuWord.TIME_KNOWN, state.clock_known, show_page_address),  # a phone sets the clock
        )
        for label, holds, remedy in facts:
            yield menu_item(label, mode.close if holds else remedy, _yes_or_no(holds))
        yield menu_item(MenuWord.VERSION, mode.close, state.version)


@dataclass(frozen=True, slots=True)
class ConfirmReset(ConfirmMode):
    """Question whether to reset the settings."""

    question: ClassVar[Question] = Question.RESET_SETTINGS

    def confirm(self, state: State) -> StepResult:
        return continue_with(reset_settings(state), self.refuse)


def _percent(contrast: int) -> Phrase:
    return PERCENT.fill(n=round(contrast / 2.55))


def _yes_or_no(holds: bool) -> MenuWord:  # noqa: FBT001 - it is a value, not a switch
    return MenuWord.YES if holds else MenuWord.NO
