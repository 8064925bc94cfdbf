"""Tables of the dice board: companies of four cards, complete, turned over or scattered."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from scoring.faces import Cell
from vision.editions.description import Description
from vision.simulate.content import Content, GridContent, random_turn, shuffled

QUARTERS: Final = ("nw", "ne", "se", "sw")
"""Of a sign, clockwise."""
SIGHT: Final = "-sight"
_PLACES: Final[tuple[Cell, ...]] = ((0, 0), (0, 1), (1, 1), (1, 0))
"""Of the quarters of an upright sign."""


@dataclass(slots=True)
class _Board:
    tiles: list[list[str | None]]
    turns: list[list[int | None]]

    def is_free(self, cell: Cell) -> bool:
        row, column = cell
        return self.tiles[row][column] is None

    def lay(self, cell: Cell, name: str, turns: int) -> None:
        self.tiles[cell[0]][cell[1]], self.turns[cell[0]][cell[1]] = name, turns


def deal(rng: np.random.Generator, description: Description, most_missing: int) -> Content:
    """A board on which two to four players have laid companies.

    Args:
        rng: decides all.
        description: of an edition of the game; a card is named ``COMPANY-QUARTER`` and may have a
            face ``COMPANY-QUARTER-sight`` on its other side.
        most_missing: where over 0, fewer companies are complete.
    """
    faces = {face.name for face in description.grid_faces}
    companies = sorted({name[:-3] for name in faces if name.endswith(QUARTERS)})
    colours = sorted({name.split("-")[0] for name in companies})
    players = shuffled(rng, colours)[: int(rng.integers(2, 5))]
    rows, columns = description.rows, description.columns
    board = _Board([[None] * columns for _ in range(rows)], [[None] * columns for _ in range(rows)])
    complete = float(rng.uniform(0.1, 0.4) if most_missing else rng.uniform(0.35, 0.9))
    left_over: list[str] = []
    for company in companies:
        if company.split("-")[0] not in players:
            continue
        if rng.random() < complete and _lay_sign(rng, description, board, company, faces):
            continue
        cards = shuffled(rng, [f"{company}-{quarter}" for quarter in QUARTERS])
        laid = int(rng.integers(0, 5))
        _scatter(rng, description, board, cards[:laid])
        left_over += cards[laid:]
    tiles, turns = tuple(map(tuple, board.tiles)), tuple(map(tuple, board.turns))
    content = GridContent(tiles, turns, has_pawns=True)
    return Content((content,), tuple(shuffled(rng, left_over)), ("die", "die"))


def _lay_sign(
    rng: np.random.Generator,
    description: Description,
    board: _Board,
    company: str,
    faces: set[str],
) -> bool:
    """Lay a complete company on a free block of 2x2 plots; whether there is one."""
    corners = [(r, c) for r in range(description.rows - 1) for c in range(description.columns - 1)]
    turns = random_turn(rng, description) if rng.random() < 0.6 else 0
    for row, column in shuffled(rng, corners):
        places = [(row + down, column + right) for down, right in _PLACES]
        if not all(board.is_free(place) for place in places):
            continue
        over = SIGHT if rng.random() < 0.35 and f"{company}-nw{SIGHT}" in faces else ""
        for number, quarter in enumerate(QUARTERS):
            board.lay(places[(number + turns) % 4], f"{company}-{quarter}{over}", turns)
        return True
    return False


def _scatter(
    rng: np.random.Generator, description: Description, board: _Board, cards: list[str]
) -> None:
    places = [(r, c) for r in range(description.rows) for c in range(description.columns)]
    free = [place for place in shuffled(rng, places) if board.is_free(place)]
    for place, card in zip(free, cards, strict=False):
        board.lay(place, card, random_turn(rng, description))
