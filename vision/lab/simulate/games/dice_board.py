"""Tables of the dice board: companies of four cards, complete, turned over or scattered."""

from typing import Final

import numpy as np

from scoring.faces import Cell
from vision.editions.description import Description
from vision.lab.simulate.content import Content, GridContent, random_turn, shuffle
from vision.lab.simulate.drawing import Rng

QUARTERS: Final = ("nw", "ne", "se", "sw")
"""Quarters of a sign, clockwise."""
SIGHT: Final = "-sight"
_QUARTERS: Final[tuple[Cell, ...]] = ((0, 0), (0, 1), (1, 1), (1, 0))
"""Cells of the quarters of an upright sign."""
_Laid = dict[Cell, tuple[str, int]]
"""Cards and their quarter turns by their cells."""


def deal(rng: Rng, description: Description, most_missing: int) -> Content:
    """Deal a board on which two to four players have laid companies.

    Args:
        rng: Source of all choices.
        description: Description of an edition of the game; a card is named ``COMPANY-QUARTER``
            and may have a face ``COMPANY-QUARTER-sight`` on its other side.
        most_missing: Above 0, fewer companies are complete.
    """
    faces = {face.name for face in description.grid_faces}
    companies = sorted({name[:-3] for name in faces if name.endswith(QUARTERS)})
    colours = sorted({name.split("-")[0] for name in companies})
    players = shuffle(rng, colours)[: int(rng.integers(2, 5))]
    cells, laid = list(np.ndindex(description.rows, description.columns)), _Laid()
    complete = float(rng.uniform(0.1, 0.4) if most_missing else rng.uniform(0.35, 0.9))
    left_over: list[str] = []
    for company in companies:
        if company.split("-")[0] not in players:
            continue
        if rng.random() < complete and _lay_sign(rng, description, laid, company, faces):
            continue
        cards = shuffle(rng, [f"{company}-{quarter}" for quarter in QUARTERS])
        count = int(rng.integers(0, 5))
        free = [cell for cell in shuffle(rng, cells) if cell not in laid]
        for cell, card in zip(free, cards[:count], strict=False):
            laid[cell] = card, random_turn(rng, description)
        left_over += cards[count:]
    wide, known = description.columns, {cell: laid.get(cell) for cell in cells}
    rows = [[known[cell] for cell in cells[n : n + wide]] for n in range(0, len(cells), wide)]
    tiles = tuple(tuple(card and card[0] for card in row) for row in rows)
    turns = tuple(tuple(None if card is None else card[1] for card in row) for row in rows)
    content = GridContent(tiles, turns, has_pawns=True)
    return Content((content,), tuple(shuffle(rng, left_over)), ("die", "die"))


def _lay_sign(
    rng: Rng, description: Description, laid: _Laid, company: str, faces: set[str]
) -> bool:
    """Lay a complete company on a free block of 2x2 plots; return whether there was one."""
    corners = list(np.ndindex(description.rows - 1, description.columns - 1))
    turns = random_turn(rng, description) if rng.random() < 0.6 else 0
    for row, column in shuffle(rng, corners):
        cells = [(row + down, column + right) for down, right in _QUARTERS]
        if laid.keys() & set(cells):
            continue
        over = SIGHT if rng.random() < 0.35 and f"{company}-nw{SIGHT}" in faces else ""
        for number, quarter in enumerate(QUARTERS):
            laid[cells[(number + turns) % 4]] = f"{company}-{quarter}{over}", turns
        return True
    return False
