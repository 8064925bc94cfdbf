"""Rules of games: modules in this folder, or registered from outside.

Every module and package in this folder is a game; it is imported when it is asked for. A game
from elsewhere joins them with ``registered``.
"""

import pkgutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Final, Protocol, cast

from scoring.errors import N_, Breach, UnknownGameError


class GameRules(Protocol):
    """Interface of a game: a module, or any object with these attributes.

    A table need not be legal: ``list_breaches`` lists what the rules forbid. A sheet has at least
    ``game``, ``winners`` and ``missing``, pairs (grid, (row, column)) of the places that were
    scored without a tile; most have ``players`` with ``name``, ``final``, ``rank`` and, where ties
    are broken, ``tie_break``. ``winners`` are indices of ``players``, or names in a game without
    these. A sheet contains identifiers and numbers only; the caller that displays it supplies the
    wording.
    """

    NAME: str
    """Identifier in files and JSON: that of its module here, with hyphens."""
    LEVELS: tuple[int, ...]
    """The levels at which it can be played, the default one first; (1,) without levels."""
    VARIANTS: tuple[str, ...]
    """Identifiers of its variants, the default one first; ("standard",) without variants."""

    def list_breaches(self, table: Any, *, lenient: bool = False) -> tuple[Breach, ...]:
        """List all breaches of the rules by a table; none if it can be scored.

        Args:
            table: Table of the game's own type.
            lenient: True to allow a table with missing parts.
        """
        ...

    def score(self, table: Any, *, lenient: bool = False) -> Any:
        """Score a table; return its sheet.

        Args:
            table: Table of the game's own type.
            lenient: True to score a table with missing parts as it lies.

        Raises:
            TableError: The rules do not allow the table; it has all breaches of ``list_breaches``.
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
_MAX_SHOWN_CHARS: Final = 40
"""Maximum number of letters of an unknown name in the error."""

GAMES: Final[Mapping[str, GameRules]] = _games
"""Every game with rules by its identifier; what is registered later joins in."""


@contextmanager
def registered(game: GameRules) -> Iterator[None]:
    """Add a game from outside this package for as long as the context lasts.

    Raises:
        ValueError: There are rules for a game of this name already.
    """
    if game.NAME in GAMES:
        raise ValueError(f"there are rules for {game.NAME} already: give the game another NAME")
    _games.registered[game.NAME] = game
    try:
        yield
    finally:
        del _games.registered[game.NAME]


def find_rules(name: str) -> GameRules:
    """Return the rules of a game.

    Args:
        name: Identifier, such as ``between-two-cities``.

    Raises:
        UnknownGameError: There are no rules for a game of this name.
    """
    if name not in GAMES:
        raise UnknownGameError(
            "unknown-game",
            N_("no rules for the game {game}; known are {games}"),
            "$.game",
            game=repr(name[:_MAX_SHOWN_CHARS]),
            games=", ".join(GAMES),
        )
    return GAMES[name]
