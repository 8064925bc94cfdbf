"""Words of the display for players of the same final score, for games that compare further.

The games themselves break ties: ``rank_key`` in ``scoring.games.*.points``.
"""

from collections.abc import Mapping
from typing import Final

from firmware.base.language import D_, Phrase
from firmware.games.scan import Scan
from firmware.screens.view import Text
from firmware.screens.words import mark_unsure
from scoring.ranking import TieBreak

TIE_BROKEN: Final = (D_("Tie: {by} {numbers}"), D_("{by} {numbers}"))
TIE_SHARED: Final = D_("Tie: rank is shared")


def tie_break_texts(scan: Scan, seat: int, criteria: Mapping[int, Phrase]) -> tuple[Text, ...]:
    """Return what decides between a player and those with the same points; empty if nothing does.

    It has a question mark while the rank is open.

    Args:
        scan: Scan of a game whose players have ``rank`` and ``tie_break``.
        seat: Index of the player.
        criteria: Words for what breaks ties, by ``TieBreak.by``.
    """
    player = scan.sheet.players[seat]
    tie: TieBreak | None = player.tie_break
    if tie is None or tie.by is None:
        return ()
    is_open = scan.shown_numbers.rank(seat, player.rank) != str(player.rank)
    numbers = mark_unsure(f"{tie.own}:{tie.other}", unsure=is_open)
    return tuple(wording.fill(by=criteria[tie.by], numbers=numbers) for wording in TIE_BROKEN)
