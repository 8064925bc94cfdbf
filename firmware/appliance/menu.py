"""Menus: lists to choose from. A feature subclasses ``Menu`` for each of its own.

An entry opens a submenu, or sets something and goes back up.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from firmware.appliance.base import Mode, SetupStep, StepResult, Transition
from firmware.appliance.state import State
from firmware.appliance.stored_settings import change_settings
from firmware.appliance.transitions import continue_with, enter, go_back
from firmware.screens.device_views import MenuEntry, MenuView
from firmware.screens.view import Hints, MenuLabel, View
from firmware.screens.words import Hint, MenuWord
from hardware.buttons import Button


@dataclass(frozen=True, slots=True)
class MenuItem:
    """Entry of a menu with its action.

    Attributes:
        entry: Text on the display.
        choose: Action of OK.
    """

    entry: MenuEntry
    choose: Transition


class Menu(ABC):
    """Menu with a title and entries."""

    __slots__ = ()

    can_be_interrupted: ClassVar[bool] = True
    """True if commands may close the menu."""

    ok_hint: ClassVar[Hint] = Hint.CHOOSE
    """Hint for OK."""

    @property
    @abstractmethod
    def title(self) -> MenuLabel:
        """Heading of the menu."""

    @abstractmethod
    def items(self, state: State, mode: "MenuMode") -> Iterable[MenuItem]:
        """Return the entries, at least one.

        Args:
            state: State of the appliance.
            mode: Mode that holds the open menus, for transitions out of it.
        """


@dataclass(frozen=True, slots=True)
class MenuLevel:
    """Menu and its marked entry.

    Attributes:
        menu: Open menu.
        selected: Index of the marked entry; None for the choice in use, else the first entry.
        label: Label of the marked entry, which is found by it if others come or go meanwhile.
    """

    menu: Menu
    selected: int | None = None
    label: MenuLabel | None = None


@dataclass(frozen=True, slots=True)
class MenuMode(Mode):
    """Open menu. NEXT marks the next entry, OK chooses the marked one, SCAN goes back.

    Attributes:
        levels: First menu, and those opened from it; the last one is shown.
        before: Mode that the first menu was opened from and closes to; None for ``go_back``.
    """

    levels: tuple[MenuLevel, ...]
    before: Mode | None = None

    @property
    def menu(self) -> Menu:
        """Menu that is shown."""
        return self.levels[-1].menu

    @property
    def can_be_interrupted(self) -> bool:
        return self.menu.can_be_interrupted

    def items(self, state: State) -> tuple[MenuItem, ...]:
        """Return the entries of the menu that is shown."""
        return tuple(self.menu.items(state, self))

    def view(self, state: State) -> View:
        items = self.items(state)
        scan = Hint.SKIP if state.setup_steps else Hint.BACK
        return list_view(
            self.menu.title,
            [item.entry for item in items],
            self._selected(items),
            scan,
            self.menu.ok_hint,
        )

    def press(self, state: State, button: Button) -> StepResult:
        items = self.items(state)
        selected = self._selected(items)
        match button:
            case Button.SCAN:
                return self.close(state)
            case Button.OK:
                marked = self._with_marked(selected, items)
                is_kept = self.before is None and not state.setup_steps
                state = replace(state, menu=marked) if is_kept else state
                return marked.items(state)[selected].choose(state)
            case Button.NEXT:
                return enter(state, self._with_marked((selected + 1) % len(items), items))

    def repeats_left(self, state: State, button: Button) -> int | None:
        if button is not Button.NEXT:
            return None
        items = self.items(state)
        return len(items) - 1 - self._selected(items)

    @property
    def above(self) -> "MenuMode | None":
        """Mode in which the menu above is shown; None if there is none."""
        return replace(self, levels=self.levels[:-1]) if self.levels[1:] else None

    def close(self, state: State) -> StepResult:
        """Go up to the menu above, or out of the menus."""
        if self.above is not None:
            return enter(state, self.above)
        state = replace(state, menu=None)
        return go_back(state) if self.before is None else enter(state, self.before)

    def to_submenu(self, menu: Menu) -> Transition:
        """Return the transition to a submenu."""
        levels = *self.levels, MenuLevel(menu)
        return lambda state: enter(state, replace(self, levels=levels))

    def to_setting(self, **changes: Any) -> Transition:
        """Return the transition that changes settings and goes up."""
        return lambda state: continue_with(change_settings(state, **changes), self.close)

    def _with_marked(self, index: int, items: tuple[MenuItem, ...]) -> "MenuMode":
        """Return the mode with another entry marked."""
        level = MenuLevel(self.menu, index, items[index].entry.label)
        return replace(self, levels=(*self.levels[:-1], level))

    def _selected(self, items: tuple[MenuItem, ...]) -> int:
        level, labels = self.levels[-1], [item.entry.label for item in items]
        if level.selected is not None:
            selected = min(level.selected, len(items) - 1)
            is_moved = level.label is not None and labels[selected] != level.label
            return next(
                (index for index, label in enumerate(labels) if is_moved and label == level.label),
                selected,
            )
        return next((number for number, item in enumerate(items) if item.entry.ticked), 0)


@dataclass(frozen=True, slots=True)
class MenuStep(SetupStep):
    """Setup question that is a menu; asked if that leaves a choice.

    Attributes:
        menu: Menu to open.
    """

    menu: Menu

    def open(self, state: State) -> StepResult | None:
        mode = menu_mode(self.menu)
        return enter(state, mode) if len(mode.items(state)) > 1 else None


def menu_mode(menu: Menu, before: Mode | None = None) -> MenuMode:
    """Return the mode of a menu that is open, without a menu above.

    Args:
        menu: Menu to open.
        before: Mode that it closes to; None for ``go_back``.
    """
    return MenuMode((MenuLevel(menu),), before)


def menu_item(
    label: MenuLabel,
    choose: Transition,
    value: MenuLabel | None = None,
    *,
    ticked: bool = False,
) -> MenuItem:
    """Return an entry of a menu.

    Args:
        label: Text at its left.
        choose: Action of OK.
        value: Text at its right end; None for none.
        ticked: Whether it is the choice in use.
    """
    return MenuItem(MenuEntry(label=label, value=value, ticked=ticked), choose)


def setting_item(mode: MenuMode, state: State, label: MenuLabel, **setting: str | int) -> MenuItem:
    """Return an entry that gives one setting a value and goes up.

    Args:
        mode: Open menus.
        state: State of the appliance.
        label: Text of the entry.
        **setting: Field of ``Settings`` with its value.
    """
    [(name, value)] = setting.items()
    ticked = getattr(state.settings, name) == value
    return menu_item(label, mode.to_setting(**setting), ticked=ticked)


def list_view(
    title: MenuLabel,
    entries: Iterable[MenuEntry],
    selected: int,
    scan: Hint,
    ok: Hint = Hint.CHOOSE,
) -> MenuView:
    """Return the view of a list of choices.

    Args:
        title: Heading.
        entries: Entries, at least one.
        selected: Index of the marked entry.
        scan: Hint for SCAN.
        ok: Hint for OK.
    """
    entries = tuple(entries)
    following = Hint.DOWN if len(entries) > 1 else Hint.NOTHING
    return MenuView(
        title=title,
        entries=entries,
        selected=selected,
        hints=Hints(scan, following, ok),
    )


def menu_word(name: str) -> MenuWord | str:
    """Return the word for an identifier; the identifier itself if there is none."""
    return MenuWord.__members__.get(name.upper().replace("-", "_"), name)
