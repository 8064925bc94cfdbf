"""Words for the data of the rules: reasons of sums, winners.

The wording is looked up when it is used, see ``firmware.base.language``.
"""

from collections.abc import Sequence
from typing import Final

from firmware.base.language import D_, N_, NN_, Phrase, _, _n, without_break_hyphens
from firmware.games.player_words import COLOUR_WORDS
from firmware.wording.places import cell_name, slot_name
from firmware.wording.ranges import ShownNumbers
from firmware.wording.winners import result_sentence
from scoring.faces import BuildingKind, Side
from scoring.games.city_blocks.score_sheet import (
    Basis,
    PlacedBuilding,
    Reason,
    ReasonKind,
    ScoreSheet,
    Street,
    StreetDirection,
)

_SUMS: Final = {
    StreetDirection.ROW: N_("Row {index}: blue {blue}, red {red}"),
    StreetDirection.COLUMN: N_("Column {index}: blue {blue}, red {red}"),
}
_REASONS: Final = {
    ReasonKind.COUNTED: NN_("{n} building: {buildings}", "{n} buildings: {buildings}"),
    ReasonKind.HOUSES_VOID: NN_("{n} house counts 0: {void_by}", "{n} houses count 0: {void_by}"),
    ReasonKind.FACTORIES_VOID: NN_(
        "{n} factory counts 0: {void_by}", "{n} factories count 0: {void_by}"
    ),
    ReasonKind.SPECIAL: NN_(
        "{n} building without a value: {buildings}", "{n} buildings without a value: {buildings}"
    ),
}
_TOTALS: Final = {
    Basis.STREETS: N_("Totals, as the streets stand"),
    Basis.COLLECTED: N_("Totals, from the tiles collected"),
}
_WINS: Final = {
    Side.BLUE: NN_("Blue wins with ${points}", "Blue wins with ${points}"),
    Side.RED: NN_("Red wins with ${points}", "Red wins with ${points}"),
}
_SHARED: Final = NN_(
    "Blue and red share the victory with ${points} each",
    "Blue and red share the victory with ${points} each",
)
_LEADS: Final = {
    Side.BLUE: NN_(
        "Blue leads with ${points}; the board is not full yet",
        "Blue leads with ${points}; the board is not full yet",
    ),
    Side.RED: NN_(
        "Red leads with ${points}; the board is not full yet",
        "Red leads with ${points}; the board is not full yet",
    ),
}
_LEVEL: Final = NN_(
    "Blue and red are tied with ${points} each; the board is not full yet",
    "Blue and red are tied with ${points} each; the board is not full yet",
)

FACE_WORDS: Final = {
    "house": D_("house"),
    "shop": D_("shop"),
    "factory": D_("factory"),
    "school": D_("school"),
    "power-plant": D_("power plant"),
    "mall": D_("mall"),
    "court": D_("court"),
    "value": D_("value"),
    "row": D_("row values"),
    "column": D_("column values"),
    **COLOUR_WORDS,
}
SLOT_WORDS: Final = {
    "row": Phrase(N_("row {n}")),
    "column": Phrase(N_("column {n}")),
    "blue": Phrase(N_("blue {n}")),
    "red": Phrase(N_("red {n}")),
}
SHORT_SLOT_WORDS: Final = {
    "row": D_("row {n}"),
    "column": D_("col {n}"),
    "blue": D_("blue {n}"),
    "red": D_("red {n}"),
}
SIDE_WORDS: Final = {Side.BLUE: D_("Blue"), Side.RED: D_("Red")}
STREET_WORDS: Final = {
    StreetDirection.ROW: D_("Rows blue:red"),
    StreetDirection.COLUMN: D_("Columns blue:red"),
}
OPEN: Final = D_("open")
TIE: Final = D_("tie")
DOLLARS: Final = D_("${n}")
LEADS: Final = D_("Leads so far")
LEVEL: Final = D_("Tied so far")
EQUAL_SUMS: Final = D_("Same sum: both win")
EQUAL_SO_FAR: Final = D_("Same sum so far")
VALUE_TILES: Final = D_("Value tiles:")
NO_VALUES: Final = D_("none")


def side_name(side: Side) -> str:
    """Return a player in words."""
    return without_break_hyphens(FACE_WORDS[side])


def building_name(kind: BuildingKind) -> str:
    """Return a kind of building in words."""
    return without_break_hyphens(FACE_WORDS[kind])


def dollars(value: int | str) -> str:
    """Return a value tile in words, or several together as shown."""
    return _("${value}").format(value=value)


def street_name(street: Street) -> str:
    """Return a row or column of the board in words; they count from 1."""
    return slot_name((street.direction.value, street.index), SLOT_WORDS)


def street_sums(street: Street) -> str:
    """Return a street and the sums of both players in words."""
    return _(_SUMS[street.direction]).format(
        index=street.index + 1, blue=street.blue, red=street.red
    )


def street_winner_in_words(street: Street) -> str:
    """Return the winner of a street, or why nobody wins it."""
    if street.winner is not None:
        return side_name(street.winner)
    return _("tie") if street.full else _("open")


def street_notes(streets: Sequence[Street]) -> list[str]:
    """Return why streets have no winner, for those reasons that occur."""
    open_count = sum(not street.full for street in streets)
    tied_count = sum(street.full and street.winner is None for street in streets)
    notes = []
    if tied_count:
        notes.append(
            _n(
                "{n} tie: equal sums, the value tile leaves the game",
                "{n} ties: equal sums, the value tiles leave the game",
                tied_count,
            )
        )
    if open_count:
        notes.append(
            _n(
                "{n} street is open: a plot without a building, nothing awarded",
                "{n} streets are open: plots without a building, nothing awarded",
                open_count,
            )
        )
    return notes


def reason_sentence(reason: Reason) -> str:
    """Word the reason for points of a player's buildings in a street."""
    return _n(
        *_REASONS[reason.kind],
        len(reason.buildings),
        buildings=", ".join(map(_with_value, reason.buildings)),
        void_by="; ".join(map(_with_place, reason.void_by)),
    )


def totals_title(basis: Basis) -> str:
    """Return in words what the totals are counted from."""
    return _(_TOTALS[basis])


def winner_sentence(sheet: ScoreSheet, numbers: ShownNumbers) -> str:
    """Return the winner, or the leader while streets are not full.

    The rulebook, "Sieger", ends the game with the last plot; with the tiles that the players hold
    a table is finished however much of the board is known.

    Args:
        sheet: Sheet of the game.
        numbers: Points and ranks as people see them.
    """
    side = sheet.winners[0]
    is_shared = len(sheet.winners) > 1
    is_unfinished = sheet.basis is Basis.STREETS and not all(
        street.full for street in sheet.streets
    )
    if is_unfinished:
        wording = _LEVEL if is_shared else _LEADS[side]
    else:
        wording = _SHARED if is_shared else _WINS[side]
    total = sheet.totals[side]
    sentence = _n(*wording, total, points=numbers.final(list(Side).index(side), total))
    names = [str(SIDE_WORDS[each]) for each in Side]
    return sentence if is_unfinished else result_sentence(numbers, names, sentence)


def _with_value(building: PlacedBuilding) -> str:
    name = building_name(building.kind)
    return f"{name} {building.value}" if building.value else name


def _with_place(building: PlacedBuilding) -> str:
    return _("{building} in {place}").format(
        building=building_name(building.kind), place=cell_name("", building.cell)
    )
