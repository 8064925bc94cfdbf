"""Registry of the games: the packages of ``firmware.games``, and games added from outside."""

import pkgutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import Final

from firmware import games as package
from firmware.base.language import N_
from firmware.games.game import GAME_WITHOUT_RULES, Game
from scoring.errors import UnknownGameError
from scoring.games import find_rules

_registered: Final[dict[str, Game]] = {}


@cache
def _own_games() -> Mapping[str, Game]:
    modules = (
        import_module(f"{package.__name__}.{each.name}")
        for each in sorted(pkgutil.iter_modules(package.__path__), key=lambda each: each.name)
        if each.ispkg
    )
    return {module.GAME.name: module.GAME for module in modules}


def games() -> Mapping[str, Game]:
    """Return every game with rules by its identifier."""
    return {**_own_games(), **_registered}


def find_game(name: str) -> Game:
    """Return a game with rules; ``game_or_unscored`` also takes others.

    Raises:
        UnknownGameError: No game with rules has this name, or only its rules are there.
    """
    find_rules(name)
    game = games().get(name)
    if game is None:
        raise UnknownGameError(
            "unknown-game",
            N_("the game {game} has rules, but no package in firmware/games: add it"),
            "$.game",
            game=repr(name),
        )
    return game


def game_or_unscored(name: str) -> Game:
    """Return the game of this name; for one without rules ``GAME_WITHOUT_RULES``."""
    return games().get(name, GAME_WITHOUT_RULES)


@contextmanager
def registered(game: Game) -> Iterator[None]:
    """Add a game for as long as the context lasts; its rules have to be registered before.

    Raises:
        ValueError: A game of this name exists.
    """
    if game.name in games():
        raise ValueError(f"there is a game {game.name} already: name yours otherwise")
    _registered[game.name] = game
    try:
        yield
    finally:
        del _registered[game.name]
