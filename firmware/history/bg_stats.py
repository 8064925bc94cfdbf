"""Export of scans as plays to BG Stats, an app in which players keep their results.

The app takes one play as JSON, in a link that opens it or in a file ``.bgsplay``.
"""

from typing import Any, Final
from urllib.parse import quote

from firmware.base.json_text import json_text
from firmware.base.language import _
from firmware.games.player_words import shown_name
from firmware.games.registry import game_or_unscored
from firmware.history.record import StoredScan
from firmware.history.stored_sheet import parse_results

_LINK: Final = "bgstats://app.bgstatsapp.com/createPlay.html?data="
"""Address that opens the app itself, so that nothing goes through a server."""


def bg_stats_play(scan: StoredScan, history: str) -> dict[str, Any] | None:
    """Return a scan as a play of BG Stats; None if it has no points.

    Without a known date the play has none, and the app takes today. Its identifier stays, whatever
    is corrected later.

    Args:
        scan: Scan of the history.
        history: Identifier of the history, ``History.identity``.
    """
    record = scan.record
    results = parse_results(record.sheet)
    if not results:
        return None
    play: dict[str, Any] = {  # without a number of BoardGameGeek the app finds the game by its name
        "sourceName": "Stadtblick",
        "sourcePlayId": f"{history}-{scan.seq}",
        "game": {
            "name": _(game_or_unscored(record.game).title),
            "sourceGameId": record.game,
            "highestWins": True,
            "noPoints": False,
        },
        "players": [
            {
                "name": shown_name(one.name),
                "sourcePlayerId": one.name,
                "rank": one.rank,
                "score": one.points,
                "winner": one.won,
                "startPlayer": False,
            }
            for one in results
        ],
    }
    if scan.at.known:
        local = scan.at.utc.astimezone().replace(tzinfo=None)
        play["playDate"] = local.isoformat(" ", timespec="seconds")
    return play


def bg_stats_link(scan: StoredScan, history: str) -> str | None:
    """Return the link that opens the app with the play; None if the scan has no points."""
    play = bg_stats_play(scan, history)
    return None if play is None else _LINK + quote(json_text(play, ascii_only=False), safe="")
