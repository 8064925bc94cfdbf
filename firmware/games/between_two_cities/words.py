"""Words for the data of the rules: reasons of points, tie-breaks.

The wording is looked up when it is used, see ``firmware.base.language``.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from firmware.base.language import D_, DN_, N_, NN_, Phrase, _, _n, without_break_hyphens
from firmware.games import player_words
from firmware.wording.places import short_cells
from scoring.faces import Cell, Face, city_name
from scoring.games.between_two_cities.contributions import OrderOutcome
from scoring.games.between_two_cities.score_sheet import (
    BuildingType,
    Reason,
    ReasonKind,
    TieBreaker,
)

_MAX_ORDERS: Final = 4
"""Largest number of sentences on the orders of the cities."""

BUILDING_TYPE_NAMES: Final[Mapping[str, Phrase]] = {
    BuildingType.SHOPS: Phrase(N_("shops")),
    BuildingType.FACTORIES: Phrase(N_("factories")),
    BuildingType.TAVERNS: Phrase(N_("taverns")),
    BuildingType.OFFICES: Phrase(N_("offices")),
    BuildingType.PARKS: Phrase(N_("parks")),
    BuildingType.HOUSES: Phrase(N_("houses")),
}
_LONE_SHOP: Final = NN_("{n} shop on its own", "{n} shops on their own")
_SHOP_ROW: Final = NN_("{n} shop in row {line}", "{n} shops in row {line}")
_SHOP_COLUMN: Final = NN_("{n} shop in column {line}", "{n} shops in column {line}")
_LONE_HOUSES: Final = NN_(
    "{n} house, but no other building type in the city",
    "{n} houses, but no other building type in the city",
)
_REASONS: Final = {
    ReasonKind.FACTORIES_MOST: NN_(
        "{n} factory at {each}: the most of all cities",
        "{n} factories at {each}: the most of all cities",
    ),
    ReasonKind.FACTORIES_SECOND: NN_(
        "{n} factory at {each}: the second most of all cities",
        "{n} factories at {each}: the second most of all cities",
    ),
    ReasonKind.FACTORIES_FEWER: NN_(
        "{n} factory at {each}: fewer than in other cities",
        "{n} factories at {each}: fewer than in other cities",
    ),
    ReasonKind.TAVERN_SET: NN_("{n} tavern on its own", "{n} different taverns"),
    ReasonKind.OFFICE_SET: NN_("{n} office on its own", "set of {n} offices"),
    ReasonKind.OFFICES_BY_TAVERN: NN_(
        "{n} office beside a tavern: {each} more", "{n} offices beside a tavern: {each} more each"
    ),
    ReasonKind.PARK_GROUP: NN_("{n} park on its own", "{n} connected parks"),
    ReasonKind.HOUSES: NN_(
        "{n} house: {each}, as there are {types}", "{n} houses: {each} each, as there are {types}"
    ),
    ReasonKind.HOUSES_BY_FACTORY: NN_(
        "{n} house beside a factory, at {each}", "{n} houses beside a factory, at {each}"
    ),
}
_TIE_BREAKERS: Final[Mapping[int, str]] = {
    TieBreaker.HIGHER_CITY: N_("higher city"),
    TieBreaker.SHOP_COUNT: N_("number of shops"),
    TieBreaker.FACTORY_COUNT: N_("number of factories"),
    TieBreaker.TAVERN_COUNT: N_("number of taverns"),
    TieBreaker.OFFICE_COUNT: N_("number of offices"),
    TieBreaker.PARK_COUNT: N_("number of parks"),
    TieBreaker.HOUSE_COUNT: N_("number of houses"),
}
tie_break_sentence: Final = partial(player_words.tie_break_sentence, _TIE_BREAKERS)

FACE_WORDS: Final[Mapping[str, Phrase]] = {
    Face.SHOP: D_("shop"),
    Face.FACTORY: D_("factory"),
    Face.TAVERN_FOOD: D_("food"),
    Face.TAVERN_BED: D_("bed"),
    Face.TAVERN_MUSIC: D_("music"),
    Face.TAVERN_DRINK: D_("drink"),
    Face.OFFICE: D_("office"),
    Face.PARK: D_("park"),
    Face.HOUSE: D_("house"),
}
"""Short word for each face."""
_FACES: Final = {
    **FACE_WORDS,
    Face.TAVERN_FOOD: Phrase(N_("tavern with food")),
    Face.TAVERN_BED: Phrase(N_("tavern with bed")),
    Face.TAVERN_MUSIC: Phrase(N_("tavern with music")),
    Face.TAVERN_DRINK: Phrase(N_("tavern with drink")),
}
BUILDING_TYPE_WORDS: Final = {
    BuildingType.SHOPS: D_("Shop"),
    BuildingType.FACTORIES: D_("Factory"),
    BuildingType.TAVERNS: D_("Tavern"),
    BuildingType.OFFICES: D_("Office"),
    BuildingType.PARKS: D_("Park"),
    BuildingType.HOUSES: D_("House"),
}
TIE_BREAKER_WORDS: Final[Mapping[int, Phrase]] = {
    TieBreaker.HIGHER_CITY: D_("other city"),
    TieBreaker.SHOP_COUNT: D_("shops"),
    TieBreaker.FACTORY_COUNT: D_("factories"),
    TieBreaker.TAVERN_COUNT: D_("taverns"),
    TieBreaker.OFFICE_COUNT: D_("offices"),
    TieBreaker.PARK_COUNT: D_("parks"),
    TieBreaker.HOUSE_COUNT: D_("houses"),
}
LEFT: Final = D_("{letter} left")
RIGHT: Final = D_("{letter} right")
LOWER_COUNTS: Final = D_("Lower city {letter} counts")
LOWER_WILL_COUNT: Final = D_("The lower city counts")
"""Text while it is open which city is the lower one."""
BOTH_EQUAL: Final = D_("Both cities are equal")
ARE_ADDED: Final = D_("Both cities together")
LEGEND: Final = D_("The signs")
OWNERS: Final = D_("Who owns which city?")
OWNERS_GUESSED: Final = D_("Guessed: please check")
OWNERS_ON_PHOTO: Final = D_("Please check whose city is which")
OWNER: Final = D_("{letters}: {name}?")
NEW_WINNER: Final = D_("Winner now:")
NEW_WINNERS: Final = DN_("{n} shares the victory", "{n} share the victory")
CITY_COUNT: Final = D_("Cities")


def building_type_name(building_type: BuildingType) -> str:
    """Return a building type in words, in the plural."""
    return str(BUILDING_TYPE_NAMES[building_type])


def full_face_name(face: Face) -> str:
    """Return the name of what is printed on a tile."""
    return without_break_hyphens(_FACES[face])


def reason_sentence(reason: Reason) -> str:
    """Word the reason for points of a city; rows and columns count from 1."""
    types = ", ".join(map(building_type_name, reason.types))
    wording, line = _wording(reason)
    return _n(*wording, len(reason.cells), each=reason.each, types=types, line=line)


def better_sentences(potential: Mapping[str, Any]) -> tuple[str, ...]:
    """Return in sentences the best score of a city's tiles, and the most valuable ones."""
    given, total, bound = potential["given"], potential["total"], potential["bound"]
    if total < bound:
        wording = (
            NN_(
                "{given} point as laid, {total} if laid better, {bound} at most",
                "{given} points as laid, {total} if laid better, {bound} at most",
            )
            if total > given
            else NN_(
                "{given} point as laid; nothing better was found, {bound} at most",
                "{given} points as laid; nothing better was found, {bound} at most",
            )
        )
    elif total > given:
        wording = NN_(
            "{given} point as laid, {total} if laid best",
            "{given} points as laid, {total} if laid best",
        )
    else:
        wording = NN_(
            "{given} point as laid; these tiles cannot score more",
            "{given} points as laid; these tiles cannot score more",
        )
    cells: dict[str, list[Cell]] = {}
    for one in potential["valuable"]:
        cells.setdefault(one["face"], []).append(one["at"])
    tiles = [f"{full_face_name(Face(face))} {short_cells(at)}" for face, at in cells.items()]
    points = _n(*wording, given, given=given, total=total, bound=bound)
    if not tiles:
        return (points,)
    worth = _n(
        "Most valuable (row/column), {n} point: {tiles}",
        "Most valuable (row/column), {n} points: {tiles}",
        potential["worth"],
        tiles="; ".join(tiles),
    )
    return points, worth


def _wording(reason: Reason) -> tuple[tuple[str, str], int | None]:
    """Return the wording, and the number of the row or column for a line of shops."""
    if reason.kind is ReasonKind.SHOP_LINE:
        (row, column), (last_row, _last_column) = reason.cells[0], reason.cells[-1]
        if len(reason.cells) == 1:
            return _LONE_SHOP, None
        return (_SHOP_ROW, row + 1) if row == last_row else (_SHOP_COLUMN, column + 1)
    if reason.kind is ReasonKind.HOUSES and not reason.types:
        return _LONE_HOUSES, None
    return _REASONS[reason.kind], None


def order_sentences(outcomes: Sequence[OrderOutcome]) -> tuple[str, ...]:
    """Return who wins in how many orders of the cities, the most frequent winners first."""
    total = sum(each.orders for each in outcomes)
    return tuple(
        _("{cities}: {points} points, in {n} of {total} orders").format(
            cities=_(" and ").join(
                "+".join(city_name(city) for city in pair) for pair in each.pairs
            ),
            points=each.final,
            n=each.orders,
            total=total,
        )
        for each in outcomes[:_MAX_ORDERS]
    )
