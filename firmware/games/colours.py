"""Colours of players and names of companies, in identifiers and in words."""

from typing import Final

from firmware.language import D_, N_, Phrase, _

COLOURS: Final = {
    "red": N_("red"),
    "blue": N_("blue"),
    "green": N_("green"),
    "yellow": N_("yellow"),
}
"""Every colour that a player may have by its identifier, in the order of the dice board."""


def colour_of(name: str) -> str:
    """The colour in the name of a figure: ``red`` of ``tourist-red``."""
    return name.rpartition("-")[2]


def colour_name(colour: str) -> str:
    """A colour as the name of a player; one without a word of its own as it is."""
    word = _(COLOURS[colour]) if colour in COLOURS else colour
    return word[:1].upper() + word[1:]


def player_of(colour: str) -> str:
    """A player without a name in tables and sheets, whatever the language: ``Red``."""
    return colour[:1].upper() + colour[1:]


def is_colour_name(name: str) -> bool:
    """Whether a player is called by the colour of the pieces: ``Red``, ``Red B``, ``red``."""
    colour, _space, letter = name.partition(" ")
    return colour.lower() in COLOURS and (not letter or letter.isupper())


def player_name(name: str) -> str:
    """The name of a player as it is said; who has none but a colour is called by that."""
    if not is_colour_name(name):
        return name
    colour, space, letter = name.partition(" ")
    return f"{colour_name(colour.lower())}{space}{letter}"


_COMPANIES: Final = {
    "bakery": N_("bakery"),
    "brewery": N_("brewery"),
    "shipyard": N_("shipyard"),
    "theatre": N_("theatre"),
    "post": N_("post"),
}
"""Those of the standard edition of the dice board."""


def company_name(company: str) -> str:
    """A company in words; one of another edition as it is called there."""
    return _(_COMPANIES[company]) if company in _COMPANIES else company


COLOUR_WORDS: Final = {
    "red": D_("red"),
    "blue": D_("blue"),
    "green": D_("green"),
    "yellow": D_("yellow"),
}
COMPANY_WORDS: Final = {company: Phrase(word) for company, word in _COMPANIES.items()}
"""For the display, by the identifier."""
