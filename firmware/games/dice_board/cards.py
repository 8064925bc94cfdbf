"""Cards of the dice board as they were read."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from firmware.games.findings import faces_in
from scoring.faces import Cell
from scoring.games.dice_board.table import CARDS_PER_COMPANY
from vision.reading import GridReading

Owner = tuple[str, str]
"""Colour and company."""

QUARTERS: Final = ("nw", "ne", "se", "sw")
"""Quarters of an upright sign, clockwise from its top left."""
BLOCK: Final = ((0, 0), (0, 1), (1, 1), (1, 0))
"""The plots of a block in the same order."""
_CARD: Final = re.compile(
    rf"(?P<colour>[a-z]+)-(?P<company>[a-z0-9-]+)-(?P<quarter>{'|'.join(QUARTERS)})"
    r"(?P<sight>-sight)?"
)


@dataclass(frozen=True, slots=True)
class Card:
    """A card on the board.

    Attributes:
        cell: Cell on which it lies.
        face: Face that it shows.
        owner: Colour and company.
        quarter: Index in ``QUARTERS``.
        turn: Clockwise quarter turns; None if unknown, then any fits.
        has_sight: True if it is turned over.
        confidence: Confidence of the reading.
    """

    cell: Cell
    face: str
    owner: Owner
    quarter: int
    turn: int | None
    has_sight: bool
    confidence: float


@lru_cache(maxsize=512)
def parse_card(face: str) -> re.Match[str] | None:
    """Return colour, company, quarter and sight of a card; None if the rules know no such card."""
    return _CARD.fullmatch(face)


def is_complete(cards: Sequence[Card]) -> bool:
    """Return whether four cards form their sign: each in its place, all turned alike."""
    if len(cards) != CARDS_PER_COMPANY:
        return False
    top = min(card.cell[0] for card in cards)
    left = min(card.cell[1] for card in cards)
    corners = [(top + row, left + column) for row, column in BLOCK]
    return any(
        all(
            card.cell == corners[(card.quarter + turn) % len(corners)] and card.turn in (turn, None)
            for card in cards
        )
        for turn in range(len(corners))
    )


def cards_on(grid: GridReading) -> Iterator[Card]:
    """Yield the cards that the rules know."""
    for (row, column), face in faces_in(grid):
        card = card_at((row, column), face, grid.turns[row][column], grid.confidence[row][column])
        if card is not None:
            yield card


def card_at(cell: Cell, face: str, turn: int | None, confidence: float = 1.0) -> Card | None:
    """Return a card that lies on a cell; None if the rules know no such card."""
    match = parse_card(face)
    if match is None:
        return None
    return Card(
        cell,
        face,
        (match["colour"], match["company"]),
        QUARTERS.index(match["quarter"]),
        turn,
        match["sight"] is not None,
        confidence,
    )
