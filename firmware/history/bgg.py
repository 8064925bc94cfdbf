"""Links to BoardGameGeek, where people log their plays.

A play can only be stored there by somebody who is logged in, and no documented address fills one
in; the link searches for the game, whose page has a button for it.
"""

from typing import Final
from urllib.parse import urlencode

from firmware.games.registry import game_or_unscored

_SEARCH: Final = "https://boardgamegeek.com/geeksearch.php"


def bgg_link(game: str) -> str | None:
    """Return the address that searches BoardGameGeek for a game; None if it was never published."""
    title = game_or_unscored(game).bgg_title
    if title is None:
        return None
    query = {"action": "search", "objecttype": "boardgame", "q": title}
    return f"{_SEARCH}?{urlencode(query)}"
