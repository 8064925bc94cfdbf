"""What a person says about how a reading is scored."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ScoringOptions:
    """How to score.

    Attributes:
        level: of games that have levels.
        players: names; None: players are called by their colours.
    """

    level: int = 1
    players: tuple[str, ...] | None = None
