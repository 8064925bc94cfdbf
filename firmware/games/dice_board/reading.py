"""The dice board: from the cards that were read to the companies that are scored."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from firmware.doubts import Finding
from firmware.errors import UsageError
from firmware.games import ScoringOptions, finding, unknown_faces
from firmware.games.colours import COLOURS, colour_name, company_name
from firmware.language import D_, N_, Phrase
from scoring.faces import Cell
from scoring.games.dice_board.table import CARDS_PER_COMPANY, Board, Company, Table
from vision.editions.description import Description
from vision.reading import GridReading, Place, PlaceKind, Reading

QUARTERS: Final = ("nw", "ne", "se", "sw")
"""Of an upright sign, clockwise from its top left."""
_BLOCK: Final = ((0, 0), (0, 1), (1, 1), (1, 0))
"""The plots of a block in the same order."""
_CARD: Final = re.compile(
    rf"(?P<colour>[a-z]+)-(?P<company>[a-z0-9-]+)-(?P<quarter>{'|'.join(QUARTERS)})"
    r"(?P<sight>-sight)?"
)
_LISTED: Final = CARDS_PER_COMPANY - 1
"""Cards of a company whose four cards do not lie in their places: four would be complete."""


class DiceBoardNote(StrEnum):
    """What the rules find odd."""

    CARD_TWICE = "card-twice"
    OUT_OF_PLACE = "out-of-place"
    PARTLY_TURNED = "partly-turned"


TEXTS: Final[Mapping[str, str]] = {
    DiceBoardNote.CARD_TWICE: N_(
        "{names} was read more than once: check {places}, scored with one of them"
    ),
    DiceBoardNote.OUT_OF_PLACE: N_(
        "the four cards of {names} are not each in their place: it is not complete, and only "
        "three of them are listed ({places})"
    ),
    DiceBoardNote.PARTLY_TURNED: N_(
        "{names} is complete, but only some of its cards are turned over ({places})"
    ),
}

SHORT_TEXTS: Final[Mapping[str, Phrase]] = {
    DiceBoardNote.CARD_TWICE: D_("A card was read twice: one of them counts"),
    DiceBoardNote.OUT_OF_PLACE: D_("Four cards of a company are not in their places"),
    DiceBoardNote.PARTLY_TURNED: D_("Only some cards of a company are turned over"),
}


@dataclass(frozen=True, slots=True)
class Card:
    """A card on the board.

    Attributes:
        cell: where it lies.
        face: what it shows.
        owner: colour and company.
        quarter: index in ``QUARTERS``.
        turn: by how many quarters it is turned clockwise; None: not known, any will do.
        has_sight: whether it is turned over.
        confidence: of the reading.
    """

    cell: Cell
    face: str
    owner: tuple[str, str]
    quarter: int
    turn: int | None
    has_sight: bool
    confidence: float


def check(reading: Reading) -> tuple[Finding, ...]:
    """What the rules say: rulebook, numbers 1, 3 and 4."""
    if not reading.grids:
        return ()
    cards = list(_cards(reading.grids[0]))
    unknown = unknown_faces(reading, lambda face: parse_card(face) is not None)
    return (*unknown, *_repeated_cards(cards), *_company_findings(cards))


def table_of(reading: Reading, description: Description, options: ScoringOptions) -> Table:
    """The companies by player and name; a player is called by the colour of the cards.

    Raises:
        UsageError: ``player-count``.
    """
    companies = _companies(list(_cards(reading.grids[0])))
    colours = list(dict.fromkeys(colour for colour, _name in companies))
    names = dict(zip(colours, _names(colours, options.players), strict=True))
    return Table(
        tuple(
            Company(names[colour], _listed_plots(cards), company_name(name))
            for (colour, name), cards in companies.items()
        ),
        _board(description),
    )


def parse_card(face: str) -> re.Match[str] | None:
    """Colour, company, quarter and sight of a card; None: the rules know no such card."""
    return _CARD.fullmatch(face)


def is_complete(cards: Sequence[Card]) -> bool:
    """Whether four cards form their sign: each in its place, all turned alike."""
    if len(cards) != CARDS_PER_COMPANY:
        return False
    top = min(card.cell[0] for card in cards)
    left = min(card.cell[1] for card in cards)
    corners = [(top + row, left + column) for row, column in _BLOCK]
    return any(
        all(
            card.cell == corners[(card.quarter + turn) % len(corners)] and card.turn in (turn, None)
            for card in cards
        )
        for turn in range(len(corners))
    )


def _cards(grid: GridReading) -> Iterator[Card]:
    for row, names in enumerate(grid.grid):
        for column, face in enumerate(names):
            match = None if face is None else parse_card(face)
            if face is not None and match is not None:
                yield Card(
                    (row, column),
                    face,
                    (match["colour"], match["company"]),
                    QUARTERS.index(match["quarter"]),
                    grid.turns[row][column],
                    match["sight"] is not None,
                    grid.confidence[row][column],
                )


def _companies(cards: Sequence[Card]) -> dict[tuple[str, str], list[Card]]:
    """The cards of each company, each quarter once, in the order of colours and then of plots."""
    surest: dict[tuple[tuple[str, str], int], Card] = {}
    for card in sorted(cards, key=lambda card: (-card.confidence, card.cell)):
        surest.setdefault((card.owner, card.quarter), card)
    order = list(COLOURS)
    kept = sorted(
        surest.values(),
        key=lambda card: (
            order.index(card.owner[0]) if card.owner[0] in order else len(order),
            card.owner[0],
            card.cell,
        ),
    )
    companies: dict[tuple[str, str], list[Card]] = {}
    for card in kept:
        companies.setdefault(card.owner, []).append(card)
    return companies


def _listed_plots(cards: Sequence[Card]) -> tuple[Cell, ...]:
    plots = tuple(card.cell for card in cards)
    return plots if is_complete(cards) else plots[:_LISTED]


def _names(colours: Sequence[str], players: tuple[str, ...] | None) -> tuple[str, ...]:
    if players is None:
        return tuple(map(colour_name, colours))
    if len(players) != len(colours):
        raise UsageError(
            "player-count",
            "{names} names for {players} players: name those of the cards on the board, in this "
            "order: {colours}",
            "--players",
            names=len(players),
            players=len(colours),
            colours=", ".join(colours),
        )
    return players


def _board(description: Description) -> Board:
    usual = Board()
    numbers = description.numbers
    return Board(
        tuple(numbers.get("row_numbers", usual.row_numbers)),
        tuple(numbers.get("column_numbers", usual.column_numbers)),
    )


def _places(cards: Sequence[Card]) -> tuple[Place, ...]:
    return tuple(Place(PlaceKind.TILE, 0, card.cell) for card in cards)


def _repeated_cards(cards: Sequence[Card]) -> Iterator[Finding]:
    same: dict[tuple[tuple[str, str], int], list[Card]] = {}
    for card in cards:
        same.setdefault((card.owner, card.quarter), []).append(card)
    for (owner, quarter), group in same.items():
        if len(group) > 1:
            name = "-".join((*owner, QUARTERS[quarter]))
            yield finding(DiceBoardNote.CARD_TWICE, _places(group), names=name)


def _company_findings(cards: Sequence[Card]) -> Iterator[Finding]:
    for owner, own in _companies(cards).items():
        if len(own) < CARDS_PER_COMPANY:
            continue
        name = "-".join(owner)
        if not is_complete(own):
            yield finding(DiceBoardNote.OUT_OF_PLACE, named=_places(own)[:_LISTED], names=name)
        elif len({card.has_sight for card in own}) > 1:
            yield finding(DiceBoardNote.PARTLY_TURNED, named=_places(own), names=name)
