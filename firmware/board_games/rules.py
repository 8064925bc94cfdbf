"""The games with rules that are known by pictures: one module each, one line each below."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, Protocol

from firmware.board_games import cities, city_blocks, dice_board
from firmware.board_games.options import ScoringOptions
from firmware.board_games.remarks import Remark
from scoring.games import cities as cities_rules
from scoring.games import city_blocks as city_blocks_rules
from scoring.games import dice_board as dice_board_rules
from vision.boards.description import Description
from vision.reading import Reading


class ReadableGame(Protocol):
    """What the module of a game offers."""

    def look(self, reading: Reading, description: Description) -> tuple[Remark, ...]:
        """What the rules say about a reading: what may be wrong with it."""
        ...

    def table_of(
        self, reading: Reading, description: Description, options: ScoringOptions
    ) -> Any:
        """The table that a reading of one grid or more shows, as the rules of the game take it."""
        ...


READABLE: Final[Mapping[str, ReadableGame]] = MappingProxyType(
    {
        cities_rules.NAME: cities,
        city_blocks_rules.NAME: city_blocks,
        dice_board_rules.NAME: dice_board,
    }
)
"""By the identifier of the game."""
