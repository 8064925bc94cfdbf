"""Words for the data of the rules: reasons of points, tie-breaks.

The wording is looked up when it is used, see ``firmware.base.language``.
"""

from collections.abc import Mapping
from functools import partial
from typing import Final

from firmware.base.language import D_, N_, NN_, Phrase, _, _n, without_break_hyphens
from firmware.games import player_words
from firmware.games.player_words import COLOUR_WORDS
from firmware.wording.places import cell_name
from scoring.faces import Field
from scoring.games.cities.score_sheet import Category, Reason, ReasonKind, TouristScore

CATEGORY_NAMES: Final[Mapping[str, Phrase]] = {
    Category.SIGHTS: Phrase(N_("sights")),
    Category.PARKS: Phrase(N_("parks")),
    Category.CAFES: Phrase(N_("cafes")),
}
_LEVELS: Final = {
    1: N_("Cities, level 1: for beginners"),
    2: N_("Cities, level 2: dilemma"),
    3: N_("Cities, level 3: brain-teaser"),
}
_COUNTED_SIGHTS: Final = NN_(
    "{n} sight field, counted already for the tourist in {first}",
    "{n} connected sight fields, counted already for the tourist in {first}",
)
_COUNTED_PARKS: Final = NN_(
    "{n} park field, counted already for the tourist in {first}",
    "{n} connected park fields, counted already for the tourist in {first}",
)
_REASONS: Final = {
    ReasonKind.SIGHT_AREA: NN_("{n} sight field on its own", "{n} connected sight fields"),
    ReasonKind.CAFES_BESIDE: NN_("{n} cafe beside the sights", "{n} cafes beside the sights"),
    ReasonKind.PARK_AREA: NN_("{n} park field on its own", "{n} connected park fields"),
    ReasonKind.WATER_BESIDE: NN_(
        "{n} water field beside the park", "{n} water fields beside the park"
    ),
    ReasonKind.WATER_SEEN: NN_(
        "sees {n} water field from the cafe", "sees {n} water fields from the cafe"
    ),
    ReasonKind.PARKS_SEEN: NN_(
        "sees {n} park field from the cafe", "sees {n} park fields from the cafe"
    ),
}
_REASONS_FOR_NOTHING: Final = {
    ReasonKind.NOTHING_SEEN: N_("sees nothing that counts from the cafe"),
    ReasonKind.CAFE_WORTH_NOTHING: N_("a cafe is worth nothing at level 1"),
    ReasonKind.NO_FIELD: N_("stands where no field lies"),
}
_TIE_BREAKS: Final = (
    N_("best tourist"),
    N_("second best tourist"),
    N_("third best tourist"),
    N_("fourth best tourist"),
    N_("fifth best tourist"),
    N_("sixth best tourist"),
    N_("seventh best tourist"),
)
"""Sentences on ties, by the first comparison in which the players differ."""
tie_break_sentence: Final = partial(
    player_words.tie_break_sentence, dict(enumerate(_TIE_BREAKS, 1))
)

FACE_WORDS: Final = {
    "sight": D_("sight"),
    "cafe": D_("cafe"),
    "park": D_("park"),
    "water": D_("water"),
    "tourist": D_("tourist"),
    "tile": D_("tile"),
    **COLOUR_WORDS,
}
TOURISTS: Final = D_("Tourists:")
CITY_TOURISTS: Final = D_("City {letter}, tourists:")
LETTER_TOURISTS: Final = D_("{letter}, tourists:")
_TOURISTS_BY_POINTS: Final = (
    D_("best tourist"),
    D_("2nd tourist"),
    D_("3rd tourist"),
    D_("4th tourist"),
    D_("5th tourist"),
    D_("6th tourist"),
    D_("7th tourist"),
)
TIE_BREAKER_WORDS: Final = dict(enumerate(_TOURISTS_BY_POINTS, 1))
"""Display words for ties, by the first comparison in which the players differ."""
NO_TOURISTS: Final = D_("none")


def category_name(category: Category) -> str:
    """Return a category of points in words, in the plural."""
    return str(CATEGORY_NAMES[category])


def field_name(field: Field) -> str:
    """Return the name of a field."""
    return without_break_hyphens(FACE_WORDS[field])


def level_heading(level: int) -> str:
    """Return the title of the game with its level: 1, 2 or 3."""
    return _(_LEVELS[level])


def reason_sentence(reason: Reason) -> str:
    """Word the reason for points of a tourist, or for none; the cells that score are not named."""
    n = len(reason.cells)
    if reason.kind in _REASONS_FOR_NOTHING:
        return _(_REASONS_FOR_NOTHING[reason.kind])
    if reason.counted_for is not None:
        is_park = reason.category is Category.PARKS
        wording = _COUNTED_PARKS if is_park else _COUNTED_SIGHTS
        return _n(*wording, n, first=cell_name("", reason.counted_for))
    return _n(*_REASONS[reason.kind], n)


def tourist_heading(tourist: TouristScore) -> str:
    """Return the place and the points of a tourist in words."""
    return _n(
        "tourist in {place}: {n} point",
        "tourist in {place}: {n} points",
        tourist.points,
        place=cell_name("", tourist.at),
    )


def alone_sentence(name: str, final: int, points: str, level: int) -> str:
    """Return the result of a player who plays alone.

    Args:
        name: Name of the player.
        final: Points.
        points: Points as shown, such as ``57?`` if they may change.
        level: Level at which they were reached.
    """
    return _n(
        "{name} plays alone: {points} point at level {level}",
        "{name} plays alone: {points} points at level {level}",
        final,
        name=name,
        points=points,
        level=level,
    )
