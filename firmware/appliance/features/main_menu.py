"""Main menu, which leads to all features."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from firmware.appliance.base import StepResult
from firmware.appliance.features.aiming import start_aiming
from firmware.appliance.features.calibrating import CalibrateMenu, CalibratingMode
from firmware.appliance.features.edition_menus import TeachMenu
from firmware.appliance.features.game_choice import (
    EditionMenu,
    GameMenu,
    edition_word,
    game_title,
)
from firmware.appliance.features.past_games import show_past_games, show_statistics
from firmware.appliance.features.phone import show_page_address
from firmware.appliance.features.picking import pick_place
from firmware.appliance.features.players import PLAYER_STEPS, has_player_questions
from firmware.appliance.features.power import ask_to_shut_down
from firmware.appliance.features.reviewing import review_result
from firmware.appliance.features.scanning import store_as_new_game, update_earlier_game
from firmware.appliance.features.settings_menus import SettingsMenu
from firmware.appliance.features.starting import restart
from firmware.appliance.menu import Menu, MenuItem, MenuMode, menu_item, menu_mode
from firmware.appliance.result import Result
from firmware.appliance.state import State
from firmware.appliance.transitions import ask_setup_steps, enter, show_result, to_mode
from firmware.screens.words import MenuWord


@dataclass(frozen=True, slots=True)
class MainMenu(Menu):
    """Everything that the scanner can do."""

    @property
    def title(self) -> MenuWord:
        return MenuWord.MENU

    def items(self, state: State, mode: MenuMode) -> Iterator[MenuItem]:
        settings, game = state.settings, state.game_choice
        if state.result is not None:
            yield from _result_items(state, state.result)
        if has_player_questions(state):
            yield menu_item(MenuWord.WHO_PLAYS, partial(ask_setup_steps, steps=PLAYER_STEPS))
        yield menu_item(MenuWord.HISTORY, show_past_games)
        yield menu_item(MenuWord.STATISTICS, show_statistics)
        if len(state.choices.games) > 1 or game.name != settings.game:
            title = game_title(state, settings.game)
            yield menu_item(MenuWord.GAME, mode.to_submenu(GameMenu()), title)
        if state.safe_mode:
            yield menu_item(MenuWord.START_NORMALLY, restart)
        if game.editions:
            edition = edition_word(settings.edition)
            yield menu_item(MenuWord.EDITION, mode.to_submenu(EditionMenu()), edition)
        if game.taught_on_device:
            yield menu_item(MenuWord.TEACH, mode.to_submenu(TeachMenu()))
        yield menu_item(MenuWord.ON_PHONE, show_page_address)
        yield menu_item(MenuWord.AIM, start_aiming)
        calibrate = to_mode(CalibratingMode(table_only=False))
        if state.calibrated:
            calibrate = mode.to_submenu(CalibrateMenu())
        yield menu_item(MenuWord.CALIBRATE, calibrate)
        yield menu_item(MenuWord.SETTINGS, mode.to_submenu(SettingsMenu()))
        yield menu_item(MenuWord.SHUT_DOWN, ask_to_shut_down)


def open_main_menu(state: State) -> StepResult:
    """Open the main menu."""
    return enter(replace(state, setup_steps=()), menu_mode(MainMenu()))


def _result_items(state: State, result: Result) -> Iterator[MenuItem]:
    if state.expects_same_table and result.earlier is not None:
        yield menu_item(MenuWord.NEW_GAME, store_as_new_game)
    if state.expects_same_table and result.possible_earlier is not None:
        yield menu_item(MenuWord.SAME_GAME, update_earlier_game)
    if result.question_count:
        yield menu_item(MenuWord.TO_CHECK, review_result, str(result.question_count))
    if result.corrected_scan.reading.grids:
        yield menu_item(MenuWord.CORRECT_TILE, pick_place)
    if not state.expects_same_table:
        yield menu_item(MenuWord.LAST_RESULT, show_result)
