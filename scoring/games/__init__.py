"""Games with rules: plugins in this folder, or registered from outside.

Every module and package in this folder is a game; it is imported when it is asked for. A game
from elsewhere joins them with ``register``.
"""

import pkgutil
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, Final, Protocol, cast

from scoring.errors import N_, Breach, UnknownGameError


class GameRules(Protocol):
    """Interface of a game: a module, or any object with these attributes.

    A table may be any mixture of values: whether the rules allow it is for ``status`` to say. A
    sheet has at least ``game``, ``winners`` and ``missing``, the places that were scored without
    a tile. It holds data and no sentence: every kind of reason has an identifier, and whoever
    shows the sheet words it.
    """

    NAME: str
    """Identifier in files and JSON: that of its module here, with hyphens."""
    LEVELS: tuple[int, ...]
    """The levels at which it can be played, the usual one first; (1,) without levels."""
    VARIANTS: tuple[str, ...]
    """Identifiers of its variants, the usual one first; ("standard",) without variants."""

    def status(self, table: Any, *, lenient: bool = False) -> tuple[Breach, ...]:
        """List all breaches of the rules by a table; none if it can be scored.

        Args:
            table: of the game's own type.
            lenient: allow a table of which parts are missing.
        """
        ...

    def score(self, table: Any, *, lenient: bool = False) -> Any:
        """Score a table; return its sheet.

        Args:
            table: of the game's own type.
            lenient: score a table of which parts are missing, too, as it lies.

        Raises:
            TableError: the rules do not allow the table; it has all that ``status`` finds.
        """
        ...


class _Games(Mapping[str, GameRules]):
    """Every game by its identifier, in alphabetical order."""

    def __init__(self) -> None:
        modules = (module.name for module in pkgutil.iter_modules(__path__))
        self._modules: Final = {name.replace("_", "-"): name for name in modules}
        self.registered: Final[dict[str, GameRules]] = {}

    def __getitem__(self, name: str) -> GameRules:
        if name in self._modules:
            return cast(GameRules, import_module(f"{__name__}.{self._modules[name]}"))
        return self.registered[name]

    def __iter__(self) -> Iterator[str]:
        return iter(sorted([*self._modules, *self.registered]))

    def __len__(self) -> int:
        return len(self._modules) + len(self.registered)


_games: Final = _Games()
_MOST_LETTERS: Final = 40
"""Most letters of an unknown name in the error."""

GAMES: Final[Mapping[str, GameRules]] = _games
"""Every game with rules by its identifier; what is registered later joins in."""


def register(game: GameRules) -> None:
    """Add a game from outside this package.

    Raises:
        ValueError: there are rules for a game of this name already.
    """
    if game.NAME in GAMES:
        raise ValueError(f"there are rules for {game.NAME} already: give the game another NAME")
    _games.registered[game.NAME] = game


def unregister(name: str) -> None:
    """Take away a game that ``register`` has added.

    Raises:
        KeyError: no game of this name was registered.
    """
    del _games.registered[name]


def find_game(name: str) -> GameRules:
    """Return the rules of a game.

    Args:
        name: its identifier, such as ``between-two-cities``.

    Raises:
        UnknownGameError: there are no rules for a game of this name.
    """
    if name not in GAMES:
        raise UnknownGameError(
            "unknown-game",
            N_("no rules for the game {game}; known are {games}"),
            "$.game",
            game=repr(name[:_MOST_LETTERS]),
            games=", ".join(GAMES),
        )
    return GAMES[name]
