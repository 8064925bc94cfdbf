"""First start: language, game, who plays, aiming and calibrating, one after the other."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from firmware.appliance.features.aiming import AimingStep
from firmware.appliance.features.calibrating import CalibratingStep
from firmware.appliance.features.game_choice import GameMenu
from firmware.appliance.features.players import PLAYER_STEPS
from firmware.appliance.menu import (
    Menu,
    MenuItem,
    MenuMode,
    MenuStep,
    menu_word,
    setting_item,
)
from firmware.appliance.state import State
from firmware.screens.words import MenuWord


@dataclass(frozen=True, slots=True)
class LanguageMenu(Menu):
    """Languages of the display."""

    @property
    def title(self) -> MenuWord:
        return MenuWord.LANGUAGE

    def items(self, state: State, mode: MenuMode) -> Iterable[MenuItem]:
        return (
            setting_item(mode, state, menu_word(name), language=name)
            for name in state.choices.languages
        )


FIRST_START: Final = (
    MenuStep(LanguageMenu()),
    MenuStep(GameMenu()),
    *PLAYER_STEPS,
    AimingStep(),
    CalibratingStep(),
)
"""Questions of the first start, in order."""
