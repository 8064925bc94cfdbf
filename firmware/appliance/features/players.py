"""Players: variant, level, and names in seat order; known names are offered first."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Final

from firmware.appliance.base import Command, Event, FollowHistory, Mode, SetupStep, StepResult
from firmware.appliance.dialogs import ConfirmMode
from firmware.appliance.menu import (
    Menu,
    MenuItem,
    MenuMode,
    MenuStep,
    list_view,
    menu_item,
    menu_word,
    setting_item,
)
from firmware.appliance.name_entry import (
    ALPHABETS_BY_LANGUAGE,
    FURTHER_ALPHABETS,
    LATIN,
    NameEntryMode,
)
from firmware.appliance.problems import NAME_TAKEN
from firmware.appliance.result import Result, with_given_options, with_players
from firmware.appliance.saving import save_result, with_compared_results
from firmware.appliance.state import State
from firmware.appliance.stored_settings import (
    change_settings,
    change_settings_without_rescoring,
    return_to_result_view,
)
from firmware.appliance.transitions import continue_with, enter, go_back, go_home, to_mode
from firmware.games.registry import games
from firmware.games.scoring_options import ScoringOptions
from firmware.history.player_names import is_person_name, rename_in
from firmware.screens.view import MenuLabel, PlayerLabel, View
from firmware.screens.words import FIRST_SEAT, NEXT_SEAT, Hint, MenuWord, Question
from firmware.settings import seat_names
from hardware.buttons import Button

MAX_TITLE_LETTERS: Final = 13
"""Longest name that has room in a title beside a few words."""


@dataclass(frozen=True, slots=True)
class NamesChanged(Event):
    """The names of players in the history have changed.

    Attributes:
        names: Names, the most frequent first.
    """

    names: tuple[str, ...]

    def apply(self, state: State) -> StepResult:
        return replace(state, choices=replace(state.choices, names=self.names)), ()


@dataclass(frozen=True, slots=True)
class RenamePlayer(FollowHistory):
    """Rename a player in the last result and the next game, as the history has done.

    Attributes:
        old: Name of the player so far.
        new: New name; a player who has it already becomes the same person.
    """

    old: str
    new: str

    def run(self, state: State) -> StepResult:
        def rename(names: tuple[str, ...]) -> tuple[str, ...]:
            return rename_in(names, self.old, self.new)

        state = replace(state, choices=state.choices.with_name(self.new, replaced=self.old))
        state = with_compared_results(state, lambda each: with_players(each, rename))
        renamed = rename_players_of_result(state, rename)
        players = rename_in(state.settings.players, self.old, self.new)
        return continue_with(
            renamed, lambda state: change_settings_without_rescoring(state, players=players)
        )


@dataclass(frozen=True, slots=True)
class SetNamesOfGame(FollowHistory):
    """Take over the names of a game from the history; the names for the next game stay.

    Attributes:
        seq: Number of the game in the history.
        players: Names in seat order; None for those of seats or pieces.
    """

    seq: int
    players: tuple[str, ...] | None

    def run(self, state: State) -> StepResult:
        for name in self.players or ():
            if is_person_name(name):
                state = replace(state, choices=state.choices.with_name(name))
        state = with_compared_results(
            state, lambda each: self._with_names(each) if each.seq == self.seq else each
        )
        result = state.result
        if result is None or result.seq != self.seq:
            return state, ()
        own = replace(state, result=self._mark_if_new(result))
        return rename_players_of_result(own, lambda _names: self.players)

    def _with_names(self, result: Result) -> Result:
        return with_players(self._mark_if_new(result), lambda _names: self.players)

    def _mark_if_new(self, result: Result) -> Result:
        """Return a result with ``has_own_names`` if these names are new to it."""
        if result.options.players == self.players:
            return result
        # Names that are given now are no longer taken over from an earlier scan
        given = with_given_options(result, players=result.options.players)
        return replace(given, has_own_names=True)


@dataclass(frozen=True, slots=True)
class SetNamesForNextGame(Command):
    """Set the names for the next game; the one just played is over and keeps its own.

    Attributes:
        players: Names in seat order.
    """

    players: tuple[str, ...]

    def run(self, state: State) -> StepResult:
        state = replace(_keep_names_of_last_result(state), expects_same_table=False)
        so_far = change_settings_without_rescoring(state, players=self.players)
        return continue_with(so_far, go_home) if state.mode.ends_on_new_settings else so_far


def rename_players_of_result(
    state: State, change: Callable[[tuple[str, ...]], tuple[str, ...] | None]
) -> StepResult:
    """Rename the players of the last result, as the history has done.

    Args:
        state: State before.
        change: Function that returns the new names, as for ``with_players``.
    """
    if state.result is None:
        return state, ()
    changed = with_players(state.result, change)
    if changed.options.players == state.result.options.players:
        return replace(state, result=changed), ()
    so_far: StepResult = replace(state, result=changed), ()
    if changed.save_id is not None or changed.save_problem is not None:
        so_far = save_result(state, changed)  # what is stored next has the names before
    return return_to_result_view(so_far)


def _keep_names_of_last_result(state: State) -> State:
    """Return the state in which the last result keeps its names, even if others are set."""
    if state.result is None:
        return state
    return replace(state, result=replace(state.result, has_own_names=True))


@dataclass(frozen=True, slots=True)
class VariantMenu(Menu):
    """Variants of the game."""

    @property
    def title(self) -> MenuWord:
        return MenuWord.VARIANT

    def items(self, state: State, mode: MenuMode) -> Iterable[MenuItem]:
        return (
            setting_item(mode, state, menu_word(name), variant=name)
            for name in state.game_choice.variants
        )


@dataclass(frozen=True, slots=True)
class LevelMenu(Menu):
    """Levels of the game."""

    @property
    def title(self) -> MenuWord:
        return MenuWord.LEVEL

    def items(self, state: State, mode: MenuMode) -> Iterable[MenuItem]:
        return (
            setting_item(mode, state, menu_word(f"level-{level}"), level=level)
            for level in state.game_choice.levels
        )


@dataclass(frozen=True, slots=True)
class SeatingMode(Mode):
    """Question who sits at the next seat.

    Attributes:
        names: Names of the seats so far.
        selected: Index of the marked entry.
    """

    names: tuple[str, ...] = ()
    selected: int = 0

    def has_free_seat(self, state: State) -> bool:
        """Return whether there is another seat."""
        return len(self.names) < state.game_choice.named_seats

    def items(self, state: State) -> tuple[MenuItem, ...]:
        """Return the entries for the next seat, at least one."""
        return tuple(self._items(state))

    def view(self, state: State) -> View:
        scan = Hint.ADD_NAME if self.has_free_seat(state) else Hint.NOTHING
        entries = [item.entry for item in self.items(state)]
        return list_view(self._title(state), entries, self.selected, scan)

    def press(self, state: State, button: Button) -> StepResult:
        """NEXT marks the next entry, OK chooses the marked one, SCAN writes a new name."""
        items = self.items(state)
        match button:
            case Button.OK:
                return items[self.selected].choose(state)
            case Button.NEXT:
                return enter(state, replace(self, selected=(self.selected + 1) % len(items)))
            case Button.SCAN if self.has_free_seat(state):
                mode = PlayerNameMode(seating=replace(self, selected=0))
                return enter(state, mode.with_text(""))
        return state, ()

    def repeats_left(self, state: State, button: Button) -> int | None:
        if button is not Button.NEXT:
            return None
        return len(self.items(state)) - 1 - self.selected

    def _title(self, state: State) -> MenuLabel:
        """Return the seat whose name is asked for, clockwise from the near side of the photo.

        Where players do not sit between their cities, they have numbers alone, and a name that is
        too long for a title is left out.
        """
        if not self.has_free_seat(state):
            return MenuWord.WHO_PLAYS
        seat = PlayerLabel(len(self.names) + 1)
        game, options = (
            games().get(state.game_choice.name),
            ScoringOptions(variant=state.settings.variant),
        )
        if game is None or not game.seats_matter(options):
            return seat
        if not self.names:
            return FIRST_SEAT
        name = self.names[-1]
        return NEXT_SEAT.fill(name=name) if len(name) <= MAX_TITLE_LETTERS else seat

    def _items(self, state: State) -> Iterator[MenuItem]:
        last = state.settings.players
        if last and not self.names:
            yield menu_item(MenuWord.AS_LAST_TIME, go_back, str(sum(map(bool, last))))
        if self.has_free_seat(state):
            for name in dict.fromkeys([*state.choices.names, *last]):
                if name and name not in self.names:
                    yield menu_item(name, to_mode(SeatingMode((*self.names, name))))
        if self.names:
            yield menu_item(MenuWord.THAT_IS_ALL, self._finish)
            yield menu_item(MenuWord.PREVIOUS_NAME, to_mode(SeatingMode(self.names[:-1])))
        else:
            yield menu_item(MenuWord.NO_NAMES, self._finish)

    def _finish(self, state: State) -> StepResult:
        return continue_with(change_settings(state, players=self.names), _go_on)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerNameMode(NameEntryMode):
    """Name of a player being written.

    Attributes:
        seating: Seats so far.
    """

    writes_person_name: ClassVar[bool] = True

    seating: SeatingMode

    @property
    def seat(self) -> int | None:
        return len(self.seating.names) + 1

    def alphabets(self, state: State) -> tuple[str, ...]:
        first = ALPHABETS_BY_LANGUAGE.get(state.settings.language, LATIN)
        return (first, *FURTHER_ALPHABETS)

    def leave(self, state: State) -> StepResult:
        return enter(state, self.seating)

    def accept(self, state: State, name: str) -> StepResult:
        names = self.seating.names
        if name in names:
            return enter(state, replace(self, problem=NAME_TAKEN))
        return enter(state, SeatingMode((*names, name)))


@dataclass(frozen=True, slots=True)
class ConfirmNamingLastGame(ConfirmMode):
    """Question whether the game just played gets the names, too; else only the next one does."""

    question: ClassVar[Question] = Question.NAME_LAST_GAME
    needs_result: ClassVar[bool] = True

    def confirm(self, state: State) -> StepResult:
        """Name the players of the last result, and show it."""
        named = _named_last_game(state)
        state = replace(state, expects_same_table=True)
        return (
            go_back(state) if named is None else continue_with(save_result(state, named), go_back)
        )

    def refuse(self, state: State) -> StepResult:
        """Leave the last result its names, also if its table is scanned again."""
        return go_back(_keep_names_of_last_result(state))


@dataclass(frozen=True, slots=True)
class PlayerMenuStep(MenuStep):
    """Question about the players that is a menu."""

    is_about_players: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class NamesStep(SetupStep):
    """Question for the names of the players; asked if the game has seats."""

    is_about_players: ClassVar[bool] = True

    def open(self, state: State) -> StepResult | None:
        return enter(state, SeatingMode()) if state.game_choice.named_seats else None


PLAYER_STEPS: Final = (PlayerMenuStep(VariantMenu()), PlayerMenuStep(LevelMenu()), NamesStep())
"""Questions about who plays."""


def has_player_questions(state: State) -> bool:
    """Return whether the game leaves anything to ask about the players."""
    return any(step.open(state) is not None for step in PLAYER_STEPS)


def _go_on(state: State) -> StepResult:
    """Offer to rename the players of the game just played if it has others, and go on."""
    is_asked = _named_last_game(state) is not None
    return enter(state, ConfirmNamingLastGame()) if is_asked else go_back(state)


def _named_last_game(state: State) -> Result | None:
    """Return the game just played with the names of the settings; None if they are not for it.

    A table that still lies there has them already, unless it is a past game that was looked at.
    Another game of an earlier evening, and one with fewer seats than names, keeps its own.
    """
    result, players = state.result, state.settings.players
    if result is None or result.is_past != state.expects_same_table:
        return None
    game = games().get(result.game_id)
    if game is None or result.game_id != state.settings.game or not game.named_seats:
        return None
    count = game.player_count(len(result.reading_to_correct.grids), result.options)
    names = seat_names(players, count)
    if names is None or names == result.options.players or len(players) > count:
        return None
    return with_players(result, lambda _names: names)
