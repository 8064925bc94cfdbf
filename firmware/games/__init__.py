"""How tables and sheets of each game are written: as JSON, as text, in words.

One package a game and one line each in the registry below, beside that of ``scoring.games``.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, Protocol

from rich.console import Console

from firmware.games import between_two_cities, cities, city_blocks, dice_board
from firmware.terminal import Json
from scoring.games import find_game


class GameForm(Protocol):
    """What the package of a game offers; table and sheet are the types of its rules."""

    NAME: str
    """Identifier of the game in files and JSON."""

    def table_from(self, value: object) -> Any:
        """The table that a JSON value describes.

        Raises:
            UsageError: it does not have the shape of a table; ``where`` is the place in it.
        """
        ...

    def sheet_json(self, sheet: Any) -> Json:
        """A score sheet as JSON."""
        ...

    def print_sheet(self, console: Console, sheet: Any, table: Any, *, reasons: bool) -> None:
        """Print a score sheet, with ``reasons`` also why each point is given."""
        ...


_MODULES: Final[tuple[GameForm, ...]] = (between_two_cities, cities, city_blocks, dice_board)

FORMS: Final[Mapping[str, GameForm]] = MappingProxyType({form.NAME: form for form in _MODULES})
"""Every game that can be written, by its identifier."""


def find_form(name: str) -> GameForm:
    """How a game is written.

    Raises:
        UnknownGameError: there are no rules for a game of this name.
    """
    return FORMS[find_game(name).NAME]
