"""Menus for teaching editions, and the name of a new one."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, Final

from firmware.appliance.base import Mode, StepResult
from firmware.appliance.dialogs import ConfirmMode
from firmware.appliance.features.grouping import GroupingMode
from firmware.appliance.features.learning_corrections import undo_teaching
from firmware.appliance.features.teaching import TeachingMode
from firmware.appliance.menu import Menu, MenuItem, MenuMode, menu_item
from firmware.appliance.name_entry import LATIN, NameEntryMode
from firmware.appliance.problems import edition_exists_problem
from firmware.appliance.state import State
from firmware.appliance.transitions import enter, to_mode
from firmware.screens.words import MenuWord, Question

EDITION_LETTERS: Final = LATIN + "0123456789-_"
"""Letters of edition names, which are names of folders, too."""


@dataclass(frozen=True, slots=True)
class TeachMenu(Menu):
    """Ways to teach, and the editions that were taught."""

    @property
    def title(self) -> MenuWord:
        return MenuWord.TEACH

    def items(self, state: State, mode: MenuMode) -> Iterator[MenuItem]:
        grouping = GroupingMode(state.choices.next_edition_name)
        yield menu_item(MenuWord.FROM_TABLE, to_mode(grouping))
        yield menu_item(MenuWord.NEW_EDITION, to_mode(EditionNameMode(menu=mode)))
        for name in state.game_choice.editions[1:]:
            yield menu_item(name, mode.to_submenu(TaughtEditionMenu(name)))


@dataclass(frozen=True, slots=True)
class TaughtEditionMenu(Menu):
    """Actions for an edition that was taught.

    Attributes:
        edition: Name of the edition.
    """

    can_be_interrupted: ClassVar[bool] = False

    edition: str

    @property
    def title(self) -> str:
        return self.edition

    def items(self, state: State, mode: MenuMode) -> Iterable[MenuItem]:
        return (
            menu_item(MenuWord.ADD_EXAMPLES, to_mode(TeachingMode(self.edition, add=True))),
            menu_item(MenuWord.UNDO_TEACHING, partial(undo_teaching, edition=self.edition)),
            menu_item(MenuWord.TEACH_AGAIN, to_mode(ConfirmReplacingEdition(mode, self.edition))),
        )


@dataclass(frozen=True, slots=True)
class ConfirmReplacingEdition(ConfirmMode):
    """Question whether to replace an edition by a new one.

    Attributes:
        edition: Name of the edition.
    """

    question: ClassVar[Question] = Question.REPLACE_EDITION

    before: Mode
    edition: str

    def confirm(self, state: State) -> StepResult:
        return enter(state, TeachingMode(self.edition, add=False))


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionNameMode(NameEntryMode):
    """Name of a new edition being written.

    Attributes:
        menu: Menu to return to.
    """

    writes_person_name: ClassVar[bool] = False

    menu: MenuMode

    def alphabets(self, state: State) -> tuple[str, ...]:
        return (EDITION_LETTERS if self.text else EDITION_LETTERS.replace("-", ""),)

    def leave(self, state: State) -> StepResult:
        return enter(state, self.menu)

    def accept(self, state: State, name: str) -> StepResult:
        if name.lower() in (edition.lower() for edition in state.choices.all_editions):
            return enter(state, replace(self, problem=edition_exists_problem(name)))
        return enter(state, TeachingMode(name, add=False))
