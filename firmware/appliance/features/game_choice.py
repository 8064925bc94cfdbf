"""Choosing a game and an edition to read with."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from firmware.appliance.base import Command, Effect, Event, StepResult
from firmware.appliance.choices import GameChoice
from firmware.appliance.dialogs import NoticeMode
from firmware.appliance.menu import Menu, MenuItem, MenuMode, menu_item, setting_item
from firmware.appliance.state import State
from firmware.appliance.stored_settings import (
    UseSettings,
    change_settings,
    return_to_result_view,
)
from firmware.appliance.transitions import LogProblem, continue_with, to_mode
from firmware.base.language import Phrase
from firmware.base.problem import Problem
from firmware.screens.words import MenuWord, Notice
from firmware.settings import Settings
from vision.editions.edition import STANDARD_EDITION


@dataclass(frozen=True, slots=True)
class RefreshEditions(Effect):
    """List the editions again. Answered by ``EditionsChanged``."""


@dataclass(frozen=True, slots=True)
class EditionsChanged(Event):
    """The taught editions have changed.

    Attributes:
        games: Games that can be scanned now.
    """

    games: tuple[GameChoice, ...]

    def apply(self, state: State) -> StepResult:
        return replace(state, choices=replace(state.choices, games=self.games)), ()


@dataclass(frozen=True, slots=True)
class EditionLost(Event):
    """The edition in use is missing, damaged or of another game; the built-in one replaces it.

    The stored settings stay until someone chooses something: the edition may be repaired.

    Attributes:
        game: Game of the settings that named it.
        edition: Name of the edition.
        fallback: Game whose built-in edition replaces it; the same one if that has one.
        problem: Cause of the failure.
    """

    game: str
    edition: str
    fallback: str
    problem: Problem

    def apply(self, state: State) -> StepResult:
        settings = state.settings
        if (settings.game, settings.edition) != (self.game, self.edition):
            return state, ()
        game = state.choices.game(self.fallback) or state.choices.games[0]
        changes = {**game_changes(settings, game), "edition": STANDARD_EDITION}
        settings = replace(settings, **changes)
        state = replace(state, settings=settings, edition_problem=self.problem)
        store = UseSettings(settings, is_stored=False)
        return state, (LogProblem(self.problem), store, RefreshEditions())


@dataclass(frozen=True, slots=True)
class GameMenu(Menu):
    """Games that can be scanned."""

    @property
    def title(self) -> MenuWord:
        return MenuWord.GAME

    def items(self, state: State, mode: MenuMode) -> Iterable[MenuItem]:
        return (_game_item(state, mode, game) for game in state.choices.games)


@dataclass(frozen=True, slots=True)
class EditionMenu(Menu):
    """Editions of the game."""

    @property
    def title(self) -> MenuWord:
        return MenuWord.EDITION

    def items(self, state: State, mode: MenuMode) -> Iterable[MenuItem]:
        return (
            setting_item(mode, state, edition_word(name), edition=name)
            for name in state.game_choice.editions
        )


@dataclass(frozen=True, slots=True)
class ChooseGame(Command):
    """Scan another game from now on.

    Attributes:
        game: Identifier of the game.
    """

    game: str

    def run(self, state: State) -> StepResult:
        game = state.choices.game(self.game)
        if game is None or state.settings.game == game.name:
            return state, ()
        state = replace(state, expects_same_table=False, must_ask_players=False)
        changes = game_changes(state.settings, game)
        return return_to_result_view(change_settings(state, **changes))


@dataclass(frozen=True, slots=True)
class DropEdition(Command):
    """Stop using an edition that was removed; allowed at any time.

    Attributes:
        name: Name of the edition.
    """

    name: str

    def is_allowed(self, state: State) -> bool:
        return True

    def run(self, state: State) -> StepResult:
        so_far: StepResult = state, (RefreshEditions(),)
        if state.edition_problem is not None:  # removing it has probably solved that
            return continue_with(
                so_far, lambda state: change_settings(state, edition=state.settings.edition)
            )
        if state.settings.edition != self.name:
            return so_far
        game = state.game_choice
        rest = tuple(each for each in game.editions if each != self.name)
        game = replace(game, editions=rest) if rest else state.choices.games[0]
        changes = game_changes(state.settings, game)
        return continue_with(so_far, lambda state: change_settings(state, **changes))


def game_changes(settings: Settings, game: GameChoice) -> dict[str, Any]:
    """Return the settings to change for another game; those that fit it stay.

    Args:
        settings: Settings in use.
        game: Other game.
    """
    fits = settings.edition in game.editions or not game.editions
    return {
        "game": game.name,
        "variant": settings.variant if settings.variant in game.variants else game.variants[0],
        "level": settings.level if settings.level in game.levels else game.levels[0],
        "edition": settings.edition if fits else game.editions[0],
    }


def game_title(state: State, name: str) -> Phrase | str:
    """Return the title of a game; its identifier if it cannot be scanned."""
    game = state.choices.game(name)
    return name if game is None else Phrase(game.title)


def edition_word(name: str) -> MenuWord | str:
    """Return the name of an edition, for the built-in one a word."""
    return MenuWord.STANDARD_EDITION if name == STANDARD_EDITION else name


def _game_item(state: State, mode: MenuMode, game: GameChoice) -> MenuItem:
    """Return the entry of a game; a notice follows if another edition has to be used."""
    settings = state.settings
    changes = game_changes(settings, game)

    def choose(state: State) -> StepResult:
        is_other = state.settings.game != game.name
        state = replace(
            state,
            expects_same_table=state.expects_same_table and not is_other,
            must_ask_players=state.must_ask_players or is_other,
        )
        if changes["edition"] == settings.edition or not is_other:
            return mode.to_setting(**changes)(state)
        is_standard = changes["edition"] == STANDARD_EDITION
        notice = Notice.STANDARD_EDITION if is_standard else Notice.OTHER_EDITION
        state = replace(state, menu=mode.above)
        return continue_with(change_settings(state, **changes), to_mode(NoticeMode(notice)))

    return menu_item(game_title(state, game.name), choose, ticked=settings.game == game.name)
