"""What the rules say about a reading that can be scored but may not be right.

A remark is data; ``remark_sentence`` words it, and the display has shorter words of its own.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from firmware.board_games.spots import Naming, Spot
from firmware.language import N_, _
from scoring.faces import city_name


class RemarkKind(StrEnum):
    """What is odd."""

    UNKNOWN_FACE = "unknown-face"
    MORE_BOARDS = "more-boards"
    TILE_TWICE = "tile-twice"
    TILES_DIFFER = "tiles-differ"
    ON_WATER = "on-water"
    NO_FIELD = "no-field"
    COLOURS_MIXED = "colours-mixed"
    TOO_MANY_TOURISTS = "too-many-tourists"
    BUILDING_TWICE = "building-twice"
    VALUE_TWICE = "value-twice"
    VALUE_LEFT = "value-left"
    VALUE_GONE = "value-gone"
    VALUES_BESIDE = "values-beside"
    NO_VALUES = "no-values"
    CARD_TWICE = "card-twice"
    OUT_OF_PLACE = "out-of-place"
    PARTLY_TURNED = "partly-turned"
    NO_RULES = "no-rules"


@dataclass(frozen=True, slots=True)
class Remark:
    """Something odd.

    Attributes:
        kind: what.
        spots: where; a person must look there, unless they have said what lies there.
        names: of faces, colours or companies that it is about.
        grid: index of the grid that it is about; None: all, or the only one.
        count: a number that belongs to it.
        needs_a_person: whether the result is doubtful even without spots.
        shown: the places that the sentence names, if they are others than ``spots``.
    """

    kind: RemarkKind
    spots: tuple[Spot, ...] = ()
    names: tuple[str, ...] = ()
    grid: int | None = None
    count: int = 0
    needs_a_person: bool = False
    shown: tuple[Spot, ...] = ()


_SENTENCES: Final = {
    RemarkKind.UNKNOWN_FACE: N_("the rules know no {names}: left out at {places}"),
    RemarkKind.MORE_BOARDS: N_("more than one board was read: only A is scored"),
    RemarkKind.TILE_TWICE: N_(
        "{names} was read more than once in city {city}: check the tiles at {places}"
    ),
    RemarkKind.TILES_DIFFER: N_(
        "not all cities have {names}, though all are built of the same 16 numbers: "
        "check the tiles at {places}"
    ),
    RemarkKind.ON_WATER: N_("tourists cannot stand on water: scored without {places}"),
    RemarkKind.NO_FIELD: N_("tourists where no tile was read, worth nothing: check {places}"),
    RemarkKind.COLOURS_MIXED: N_(
        "tourists of more than one colour in city {city} ({names}): check {places}"
    ),
    RemarkKind.TOO_MANY_TOURISTS: N_(
        "{count} tourists in city {city}, but a player has 7: scored with 7 of them"
    ),
    RemarkKind.BUILDING_TWICE: N_(
        "more {names} were read than the game has: check {places}, scored without the least "
        "certain one"
    ),
    RemarkKind.VALUE_TWICE: N_(
        "{names} was read more than once: check {places}, scored with one of them"
    ),
    RemarkKind.VALUE_LEFT: N_(
        "a street is full and won, but its value tile still lies beside it: check {places}, "
        "it counts for nobody"
    ),
    RemarkKind.VALUE_GONE: N_(
        "a street is full and won, but its value tile is gone: check {places}, it counts 0"
    ),
    RemarkKind.VALUES_BESIDE: N_(
        "value tiles lie beside the board and with the players: scored are those of the players"
    ),
    RemarkKind.NO_VALUES: N_("no value tile was found: nobody has points"),
    RemarkKind.CARD_TWICE: N_(
        "{names} was read more than once: check {places}, scored with one of them"
    ),
    RemarkKind.OUT_OF_PLACE: N_(
        "the four cards of {names} are not each in their place: it is not complete, and only "
        "three of them are listed ({places})"
    ),
    RemarkKind.PARTLY_TURNED: N_(
        "{names} is complete, but only some of its cards are turned over ({places})"
    ),
    RemarkKind.NO_RULES: N_("there are no rules for this game: it is read, but not scored"),
}


def remark_sentence(remark: Remark, naming: Naming) -> str:
    """A remark in words."""
    return _(_SENTENCES[remark.kind]).format(
        names=", ".join(remark.names),
        places=naming.spots(remark.shown or remark.spots),
        city="" if remark.grid is None else city_name(remark.grid),
        count=remark.count,
    )
