"""What the rules say in data, said in English: what a company is worth.

The wording is looked up when it is used, see ``firmware.language``.
"""

from typing import Final

from firmware.games.colours import COLOUR_WORDS, COMPANY_WORDS
from firmware.language import D_, _n
from scoring.games.dice_board.sheet import CompanyScore
from scoring.games.dice_board.table import CARDS_PER_COMPANY

FACE_WORDS: Final = {**COLOUR_WORDS, **COMPANY_WORDS, "sight": D_("turned")}


def points_sentence(company: CompanyScore) -> str:
    """What a company is worth, as the sum of its plots, or that it is not complete."""
    if not company.complete:
        return _n(
            "{n} of {all} cards: 0",
            "{n} of {all} cards: 0",
            len(company.plots),
            all=CARDS_PER_COMPANY,
        )
    return "+".join(str(plot.value) for plot in company.plots) + f" = {company.points}"


def complete_of(complete: int, companies: int) -> str:
    """How many of the companies of a player are complete."""
    return _n("{n} of {all}", "{n} of {all}", complete, all=companies)
