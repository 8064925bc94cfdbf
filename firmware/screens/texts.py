"""Every word that the display and the annotated photo show, in English.

A function returns its wordings best first: the display takes the first one that fits. Letters a
row: 21. ``_`` and ``_n`` mark what a translation has to replace.
"""

from collections.abc import Sequence

from scoring.faces import Face
from scoring.games.between_two_cities.sheet import Category, TieBreak, TieBreaker


def _(text: str) -> str:
    return text


def _n(one: str, many: str, count: int) -> str:
    return (one if count == 1 else many).format(n=count)


CATEGORIES = {
    Category.SHOPS: _("Shop"),
    Category.FACTORIES: _("Factory"),
    Category.TAVERNS: _("Tavern"),
    Category.OFFICES: _("Office"),
    Category.PARKS: _("Park"),
    Category.HOUSES: _("House"),
}
"""At most 7 letters, so that two digits stand well apart from them."""

TIE_BREAKERS = {
    TieBreaker.HIGHER_CITY: _("best city"),
    TieBreaker.SHOP_COUNT: _("shops"),
    TieBreaker.FACTORY_COUNT: _("factories"),
    TieBreaker.TAVERN_COUNT: _("taverns"),
    TieBreaker.OFFICE_COUNT: _("offices"),
    TieBreaker.PARK_COUNT: _("parks"),
    TieBreaker.HOUSE_COUNT: _("houses"),
}

FACES = {
    Face.SHOP: _("shop"),
    Face.FACTORY: _("factory"),
    Face.TAVERN_FOOD: _("food"),
    Face.TAVERN_BED: _("bed"),
    Face.TAVERN_MUSIC: _("music"),
    Face.TAVERN_DRINK: _("drink"),
    Face.OFFICE: _("office"),
    Face.PARK: _("park"),
    Face.HOUSE: _("house"),
}
"""What is written on a tile of the annotated photo: one short word."""

NO_TILE = _("no tile")
NO_TILE_UNSURE = _("empty?")
NOT_READ_BECAUSE = _("not read:")

LEFT = _("left")
RIGHT = _("right")
NEXT = _("next ►")
SHARED_VICTORY = _("Shared victory")
MAP = _("Map")
NOT_READ = "?"
PLACE_LEGEND = _("rows, columns from 0")
READY_TITLE = _("Stadtblick")
READY = _("Ready")
READY_HINT = _("press to scan")
HOLD_TITLE = _("Taking the photo")
HOLD = _("Hold still")
READING = _("Reading…")
ERROR_TITLE = _("Problem")
OWNERS = _("Whose city is which?")
OWNERS_GUESSED = _("Guessed: please check")
OWNERS_ON_PHOTO = _("Please check whose city is which")
BOTH_EQUAL = (_("Both cities are equal"),)
SUM_COUNTS = (_("Both cities together"), _("Sum of both"))


def page(number: int, count: int) -> str:
    """Which page of how many."""
    return f"{number}/{count}"


def mark(text: str | int, *, provisional: bool) -> str:
    """Something that may still change by what a person finds has a question mark."""
    return f"{text}?" if provisional else str(text)


def winner(count: int, *, provisional: bool) -> str:
    """The title of the page of the winners."""
    title = _("Winner") if count == 1 else SHARED_VICTORY
    return mark(title, provisional=provisional)


def seat(number: int) -> str:
    """A player without a name."""
    return _("Player {n}").format(n=number)


def ranked(rank: int, name: str, *, provisional: bool) -> str:
    """A player's name behind the rank."""
    return f"{rank}{'?' if provisional else '.'} {name}"


def more(count: int) -> str:
    """Winners who have no room."""
    return _("+{n} more").format(n=count)


def city(letter: str) -> str:
    """The title of the page of a city."""
    return _("City {letter}").format(letter=letter)


def points(count: int, *, provisional: bool) -> tuple[str, ...]:
    """Points of a city."""
    wordings = _n("{n} point", "{n} points", count), str(count)
    return tuple(mark(wording, provisional=provisional) for wording in wordings)


def lower_counts(letter: str) -> tuple[str, ...]:
    """Which city of a player counts, being worth less."""
    return (_("Lower city {letter} counts").format(letter=letter),)


def tie_break(tie: TieBreak) -> tuple[str, ...]:
    """How a tie was broken, or that it was not; this player's number comes first."""
    if tie.by is TieBreaker.SHARED:
        return (_("Tie: rank is shared"),)
    by = TIE_BREAKERS[tie.by]
    numbers = f"{tie.own}:{tie.other}"
    return _("Tie: {by} {numbers}").format(by=by, numbers=numbers), f"{by} {numbers}"


def unsure(count: int) -> str:
    """The title of the tiles that a person must look at."""
    return _n("Check {n} tile", "Check {n} tiles", count)


def missing(count: int) -> str:
    """The title of the places scored without a tile."""
    return _n("{n} tile missing", "{n} tiles missing", count)


def unread(count: int) -> str:
    """The title of what looks like a city but was not read."""
    return _n("{n} city not read", "{n} cities not read", count)


def owner(letters: Sequence[str], name: str) -> str:
    """Which cities are taken to be whose."""
    return mark(f"{' '.join(letters)}: {name}", provisional=True)


def to_check(count: int) -> tuple[str, ...]:
    """The mark in the hint row of a result that may still change."""
    return _n("check {n}", "check {n}", count), f"{count}?"


def place(letter: str, row: int, column: int, *, provisional: bool) -> str:
    """A place in a city, counted from 0 as in corrections."""
    return mark(f"{letter} {row},{column}", provisional=provisional)
