"""Dice board with open places, to score many assignments quickly.

The rules score a company only when its four cards form their sign. So of the cards that may lie at
an open place those matter that could complete one; and, as long as nobody has points, those of a
colour that is not on the board yet, whose player would share the victory.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from firmware.games.dice_board.cards import BLOCK, Card, Owner
from scoring.games.dice_board.table import Board
from scoring.outcome import FinalBounds, Outcome, outcome_by_totals
from vision.reading import Place

Content = str | None


@dataclass(frozen=True, slots=True)
class _Chance:
    """Company that is complete if one of certain cards lies at each of some open places.

    Attributes:
        owner: Colour and company.
        needed: Faces of these cards, by the index of the open place; empty for a company that is
            surely complete.
        points: Points of the company.
    """

    owner: Owner
    needed: Mapping[int, frozenset[str]]
    points: int


class OpenBoard:
    """Board with open places, see ``scoring.outcome.AssignmentScorer``."""

    def __init__(
        self,
        colours: Sequence[str],
        sure: Sequence[Card],
        possible: Mapping[Place, Sequence[Card]],
        numbers: Board,
    ) -> None:
        """Find the companies that are complete, and those that open places could complete.

        Args:
            colours: Colours of the players, in seat order.
            sure: Cards at sure places, each quarter of a company once.
            possible: Cards that may lie at each open place, each of which may be empty too.
            numbers: Numbers along the edges.
        """
        self._colours = tuple(colours)
        self._numbers = numbers
        self._sure = {card.cell: card for card in sure}
        known = {(card.owner, card.quarter) for card in sure}
        self._possible = [
            [card for card in own if (card.owner, card.quarter) not in known]
            for own in possible.values()
        ]
        self._at_cell = {place.cell: index for index, place in enumerate(possible)}
        self._quarter_by_face = {
            card.face: (card.owner, card.quarter) for own in self._possible for card in own
        }
        possible_colours = dict.fromkeys(card.owner[0] for own in self._possible for card in own)
        self._unseen = tuple(each for each in possible_colours if each not in colours)
        cells = [*self._sure, *self._at_cell]
        self._cards_by_quarter = {cell: _group_by_quarter(self._cards_at(cell)) for cell in cells}
        self._chances = tuple(self._find_chances())
        self._wanted: list[set[str]] = [set() for _ in self._possible]
        for chance in self._chances:
            for index, faces in chance.needed.items():
                self._wanted[index] |= faces
        self._has_sure_company = not all(chance.needed for chance in self._chances)
        self.contents: Mapping[Place, tuple[Content, ...]] = {
            place: (None, *self._needed_at(index)) for index, place in enumerate(possible)
        }

    def score_assignment(self, assignment: Sequence[Content]) -> Outcome | None:
        """Return points and ranks of an assignment; None if a card would lie there twice."""
        laid = [self._quarter_by_face[face] for face in assignment if face is not None]
        if len(set(laid)) < len(laid):
            return None
        totals = {owner[0]: 0 for owner, _quarter in laid}
        for chance in self._chances:
            if all(assignment[index] in faces for index, faces in chance.needed.items()):
                totals[chance.owner[0]] = totals.get(chance.owner[0], 0) + chance.points
        own = [totals.pop(colour, 0) for colour in self._colours]
        return outcome_by_totals(own, tuple(totals.values()))

    def bounds(self) -> FinalBounds:
        """Return bounds that hold for each company by itself."""
        least: dict[str, int] = {}
        best: dict[Owner, int] = {}
        for chance in self._chances:
            best[chance.owner] = max(best.get(chance.owner, 0), chance.points)
            if not chance.needed:
                colour = chance.owner[0]
                least[colour] = least.get(colour, 0) + chance.points
        most: dict[str, int] = {}
        for (colour, _company), points in best.items():
            most[colour] = most.get(colour, 0) + points
        players = tuple((least.get(each, 0), most.get(each, 0)) for each in self._colours)
        return FinalBounds(players, tuple(most.get(each, 0) for each in self._unseen))

    def _find_chances(self) -> Iterator[_Chance]:
        rows, columns = self._numbers.row_numbers, self._numbers.column_numbers
        for top, left in product(range(len(rows) - 1), range(len(columns) - 1)):
            cells = [(top + row, left + column) for row, column in BLOCK]
            if not all(cell in self._sure or cell in self._at_cell for cell in cells):
                continue
            points = sum(rows[row] + columns[column] for row, column in cells)
            first = [card.owner for card in self._cards_at(cells[0])]
            for owner, turn in product(dict.fromkeys(first), range(len(BLOCK))):
                needed = self._needed(owner, turn, cells)
                if needed is not None:
                    yield _Chance(owner, needed, points)

    def _cards_at(self, cell: tuple[int, int]) -> Sequence[Card]:
        """Return the card that surely lies at a cell, or those that may lie there."""
        index = self._at_cell.get(cell)
        return [self._sure[cell]] if index is None else self._possible[index]

    def _needed(
        self, owner: Owner, turn: int, cells: Sequence[tuple[int, int]]
    ) -> dict[int, frozenset[str]] | None:
        """Return the cards needed at the open places of a block; None if it cannot be complete."""
        needed = {}
        for quarter in range(len(BLOCK)):
            cell = cells[(quarter + turn) % len(BLOCK)]
            cards = self._cards_by_quarter[cell].get((owner, quarter))
            if cards is None:
                return None
            fitting = {card.face for card in cards if card.turn in (turn, None)}
            if not fitting:
                return None
            if cell in self._at_cell:
                needed[self._at_cell[cell]] = frozenset(fitting)
        return needed

    def _needed_at(self, index: int) -> tuple[str, ...]:
        """Return the faces that may matter, one of those that score alike.

        These are faces that could complete a company; and where no company is surely complete, one
        of each colour that no sure card has: with 0 points for all, its player would win as well.
        """
        alike = {
            (card.owner, card.quarter, card.turn): card.face
            for card in self._possible[index]
            if card.face in self._wanted[index]
        }
        if not self._has_sure_company:
            named = {owner[0] for owner, _quarter, _turn in alike}
            for card in self._possible[index]:
                colour = card.owner[0]
                if colour in self._unseen and colour not in named:
                    named.add(colour)
                    alike[card.owner, card.quarter, card.turn] = card.face
        return tuple(alike.values())


def _group_by_quarter(cards: Sequence[Card]) -> dict[tuple[Owner, int], list[Card]]:
    """Group cards by company and the quarter of it that they show."""
    groups: dict[tuple[Owner, int], list[Card]] = {}
    for card in cards:
        groups.setdefault((card.owner, card.quarter), []).append(card)
    return groups
