"""Links to BoardGameGeek, where people log their plays.

A play can only be stored there by somebody who is logged in; the link opens the page of the game,
which has a button for it.
"""

from typing import Final
from urllib.parse import quote

_IDS: Final = {"between-two-cities": 168435}
"""Numbers of the games at BoardGameGeek."""
_PAGE: Final = "https://boardgamegeek.com/boardgame/{id}/{name}"


def bgg_id(game: str) -> int | None:
    """Return the number of a game at BoardGameGeek; None if it is not known."""
    return _IDS.get(game)


def bgg_link(game: str) -> str | None:
    """Return the address of the page of a game at BoardGameGeek; None if it is not known."""
    number = bgg_id(game)
    return None if number is None else _PAGE.format(id=number, name=quote(game, safe=""))
