"""The games of which ``simulate`` makes photos and ``bench`` judges readings."""

from firmware.errors import UsageError, suggestion
from scoring.games import GAMES
from vision.editions.description import READING_ONLY


def check_game(game: str) -> None:
    """Refuse a game that nobody knows.

    Raises:
        UsageError: ``unknown-game``.
    """
    games = [*GAMES, READING_ONLY]
    if game not in games:
        raise UsageError(
            "unknown-game", f"there is no game {game}: {suggestion(game, games)}", "--game"
        )
