"""Words for players: names by the colours of their pieces, and sentences on ties.

Names are stored in English, such as ``Red`` and ``P3``, and shown in the language in use.
"""

import unicodedata
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from firmware.base.language import D_, _
from scoring.legality import seat_number
from scoring.ranking import TieBreak

COLOUR_WORDS: Final = {
    "red": D_("red"),
    "blue": D_("blue"),
    "green": D_("green"),
    "yellow": D_("yellow"),
}
"""Words for the colours of players by their identifiers, in the order of the dice board."""


def with_composed_names(table: dict[str, Any]) -> dict[str, Any]:
    """Return a table of JSON with the accents in its players' names on the letters (NFC)."""
    composed = partial(unicodedata.normalize, "NFC")
    changed = dict(table)
    if "players" in table:
        changed["players"] = tuple(map(composed, table["players"]))
    if "companies" in table:
        changed["companies"] = [
            {**company, "player": composed(company["player"])} for company in table["companies"]
        ]
    return changed


def colour_of_figure(name: str) -> str:
    """Return the colour in the name of a figure: ``red`` of ``tourist-red``."""
    return name.rpartition("-")[2]


def shown_name_of_colour(colour: str) -> str:
    """Return a colour as the name of a player, translated; one without a word stands for itself."""
    word = str(COLOUR_WORDS.get(colour, colour))
    return word[:1].upper() + word[1:]


def stored_name_of_colour(colour: str) -> str:
    """Return a colour as the name of a player in tables and sheets, in every language: ``Red``."""
    return colour[:1].upper() + colour[1:]


def is_colour_name(name: str) -> bool:
    """Return whether a player is named by the colour of the pieces: ``Red``, ``Red B``, ``red``."""
    colour, _space, letter = name.partition(" ")
    return colour.lower() in COLOUR_WORDS and (not letter or letter.isupper())


def shown_name(name: str) -> str:
    """Return the stored name of a player for people; colour and seat (``P3``) are translated."""
    if seat := seat_number(name):
        return _("Player {n}").format(n=seat)
    if not is_colour_name(name):
        return name
    colour, space, letter = name.partition(" ")
    return f"{shown_name_of_colour(colour.lower())}{space}{letter}"


def shown_name_unless_seat(name: str) -> str:
    """Return the shown name; ``P3`` stays, as a ``PlayerLabel`` words a nameless player itself."""
    return name if seat_number(name) else shown_name(name)


def tie_break_sentence(
    criteria: Mapping[int, str], tie_break: TieBreak, names: Sequence[str]
) -> str:
    """Return how a player stands to the players with the same final score.

    Args:
        criteria: Criteria that break ties, in English, by their numbers.
        tie_break: Tie of the player.
        names: Names of all players, in seat order.
    """
    rivals = ", ".join(names[index] for index in tie_break.against)
    if tie_break.by is None:
        return _("equal in everything with {rivals}").format(rivals=rivals)
    criterion, own, other = _(criteria[tie_break.by]), tie_break.own, tie_break.other
    sentence = _("{by}: {own} ({rivals}: {other})")
    return sentence.format(by=criterion, own=own, rivals=rivals, other=other)
