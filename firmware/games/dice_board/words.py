"""Words of the dice board."""

from collections.abc import Mapping
from typing import Final

from firmware.base.language import D_, N_, Phrase, _n
from firmware.games.player_words import COLOUR_WORDS
from scoring.games.dice_board.score_sheet import CompanyScore
from scoring.games.dice_board.table import CARDS_PER_COMPANY

COMPANY_WORDS: Final = {
    "bakery": Phrase(N_("bakery")),
    "brewery": Phrase(N_("brewery")),
    "shipyard": Phrase(N_("shipyard")),
    "theatre": Phrase(N_("theatre")),
    "post": Phrase(N_("post")),
}
"""Words for the companies of the standard edition."""
FACE_WORDS: Final[Mapping[str, Phrase]] = {
    **COLOUR_WORDS,
    **COMPANY_WORDS,
    "nw": D_("top left"),
    "ne": D_("top right"),
    "se": D_("bottom right"),
    "sw": D_("bottom left"),
    "sight": D_("turned"),
}


def company_name(company: str) -> str:
    """Return the name of a company; that of another edition stands for itself."""
    return str(COMPANY_WORDS.get(company, company))


def points_sentence(company: CompanyScore) -> str:
    """Return the points of a company as the sum of its plots, or its number of cards."""
    if not company.complete:
        return _n(
            "{n} of {all} cards: 0",
            "{n} of {all} cards: 0",
            len(company.plots),
            all=CARDS_PER_COMPANY,
        )
    return "+".join(str(plot.value) for plot in company.plots) + f" = {company.points}"
