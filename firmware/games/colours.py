"""Colours of players and names of companies, in identifiers and in words."""

from typing import Final

from firmware.base.language import D_, N_, Phrase

COLOUR_WORDS: Final = {
    "red": D_("red"),
    "blue": D_("blue"),
    "green": D_("green"),
    "yellow": D_("yellow"),
}
"""Every colour that a player may have by its identifier, in the order of the dice board."""
COMPANY_WORDS: Final = {
    "bakery": Phrase(N_("bakery")),
    "brewery": Phrase(N_("brewery")),
    "shipyard": Phrase(N_("shipyard")),
    "theatre": Phrase(N_("theatre")),
    "post": Phrase(N_("post")),
}
"""The companies of the standard edition of the dice board."""


def colour_of(name: str) -> str:
    """The colour in the name of a figure: ``red`` of ``tourist-red``."""
    return name.rpartition("-")[2]


def colour_name(colour: str) -> str:
    """A colour as the name of a player; one without a word of its own as it is."""
    word = str(COLOUR_WORDS.get(colour, colour))
    return word[:1].upper() + word[1:]


def player_of(colour: str) -> str:
    """A player without a name in tables and sheets, whatever the language: ``Red``."""
    return colour[:1].upper() + colour[1:]


def is_colour_name(name: str) -> bool:
    """Whether a player is called by the colour of the pieces: ``Red``, ``Red B``, ``red``."""
    colour, _space, letter = name.partition(" ")
    return colour.lower() in COLOUR_WORDS and (not letter or letter.isupper())


def player_name(name: str) -> str:
    """The name of a player as it is said; who has none but a colour is called by that."""
    if not is_colour_name(name):
        return name
    colour, space, letter = name.partition(" ")
    return f"{colour_name(colour.lower())}{space}{letter}"


def company_name(company: str) -> str:
    """A company in words; one of another edition as it is called there."""
    return str(COMPANY_WORDS.get(company, company))
