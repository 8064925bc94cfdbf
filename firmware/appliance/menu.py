"""The menus: moving through them. What stands in each is in ``menu_items``."""

from dataclasses import replace

from firmware.appliance.menu_items import items
from firmware.appliance.modes import InMenu, MenuKind, MenuLevel
from firmware.appliance.moves import Turn, go, up
from firmware.appliance.state import State
from hardware.buttons import Button


def open_menu(state: State) -> Turn:
    """Open the main menu."""
    return go(state, InMenu((MenuLevel(MenuKind.MAIN),)))


def pressed(state: State, mode: InMenu, button: Button) -> Turn:
    """NEXT marks the next entry, OK chooses the marked one, SCAN goes back."""
    level = mode.levels[-1]
    entries = items(state, mode)
    if button is Button.SCAN:
        return up(state, mode)
    if button is Button.OK:
        return entries[min(level.selected, len(entries) - 1)].choose(state)
    marked = replace(level, selected=(level.selected + 1) % len(entries))
    return go(state, InMenu((*mode.levels[:-1], marked)))
