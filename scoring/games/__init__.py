"""The games that can be scored: one module each, and one line each in the registry below."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, Protocol

from scoring.errors import Breach, UnknownGameError
from scoring.games import between_two_cities, cities, city_blocks, dice_board


class Game(Protocol):
    """What the module of a game offers; table and sheet are types of its own."""

    NAME: str
    """Identifier of the game in files and JSON."""
    LEVELS: tuple[int, ...]
    """The levels at which it can be played; 1 alone for a game without levels."""

    def status(self, table: Any, *, lenient: bool = False) -> tuple[Breach, ...]:
        """All that the rules have against a table; empty if it can be scored."""
        ...

    def score(self, table: Any, *, lenient: bool = False) -> Any:
        """The sheet of a table.

        Raises:
            TableError: the rules do not allow the table.
        """
        ...


_MOST_LETTERS: Final = 40
"""Of an unknown name that are repeated in the error."""

_MODULES: Final[tuple[Game, ...]] = (between_two_cities, cities, city_blocks, dice_board)

GAMES: Final[Mapping[str, Game]] = MappingProxyType({game.NAME: game for game in _MODULES})
"""Every game with rules by its identifier."""


def find_game(name: str) -> Game:
    """The rules of a game.

    Args:
        name: its identifier, such as ``between-two-cities``.

    Raises:
        UnknownGameError: there are no rules for a game of this name.
    """
    if name not in GAMES:
        raise UnknownGameError(
            "unknown-game",
            f"no rules for the game {name[:_MOST_LETTERS]!r}; known are {', '.join(GAMES)}",
            "$.game",
        )
    return GAMES[name]
