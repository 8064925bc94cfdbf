"""An entry of a menu, and how one opens another menu. What stands in each is in ``menu_items``."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from firmware.appliance.modes import InMenu, MenuKind, MenuLevel
from firmware.appliance.moves import Turn, go
from firmware.appliance.state import State
from firmware.screens.views import MenuEntry, MenuLabel, MenuWord

Choose = Callable[[State], Turn]


@dataclass(frozen=True, slots=True)
class Item:
    """An entry of a menu.

    Attributes:
        entry: what is shown.
        choose: what OK does.
    """

    entry: MenuEntry
    choose: Choose


def item(
    label: MenuLabel,
    choose: Choose,
    value: MenuLabel | None = None,
    *,
    ticked: bool = False,
) -> Item:
    """An entry, what it shows at its right end, and whether it is the one in use."""
    return Item(MenuEntry(label=label, value=value, ticked=ticked), choose)


def below(mode: InMenu, kind: MenuKind, subject: str = "", selected: int = 0) -> Choose:
    """Opens another menu, from which one comes back to this one."""
    deeper = InMenu((*mode.levels, MenuLevel(kind, selected, subject)))
    return partial(go, mode=deeper)


def open_menu(state: State) -> Turn:
    """Open the main menu."""
    return go(state, InMenu((MenuLevel(MenuKind.MAIN),)))


def word(name: str) -> MenuWord | str:
    """The word for an identifier; one without a word is shown as it is."""
    return MenuWord(name) if name in set(MenuWord) else name
