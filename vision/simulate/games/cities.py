"""Tables of Cities: every player has laid the same tiles in another way and sent out tourists."""

from dataclasses import replace
from typing import Final

import numpy as np

from scoring.faces import Cell
from vision.editions.description import Description
from vision.simulate.content import (
    Content,
    GridContent,
    cell_grid,
    lying,
    shuffled,
    without_some,
)

MOST_PLAYERS: Final = 4
TOURISTS: Final = 7
WATER: Final = "water"
_GAP_CHANCE: Final = 0.1


def deal(rng: np.random.Generator, description: Description, most_missing: int) -> Content:
    """One to four cities of the same tiles; those not chosen are left over."""
    cities = min(MOST_PLAYERS, description.most_grids)
    players = int(rng.integers(1, cities + 1))
    names = shuffled(rng, [face.name for face in description.faces])
    wanted = description.tile_rows * description.tile_columns
    chosen, left_over = names[:wanted], names[wanted:]
    kinds: list[str | None] = [*shuffled(rng, [token.kind for token in description.tokens])]
    grids = tuple(
        _city(rng, description, chosen, kinds[number % len(kinds)] if kinds else None, most_missing)
        for number in range(players)
    )
    return Content(grids, tuple(left_over * int(rng.integers(1, players + 1))))


def _city(
    rng: np.random.Generator,
    description: Description,
    chosen: list[str],
    kind: str | None,
    most_missing: int,
) -> GridContent:
    deck: list[str | None] = list(shuffled(rng, chosen))
    width = description.tile_columns
    rows = [deck[width * row : width * (row + 1)] for row in range(description.tile_rows)]
    missing = int(rng.integers(1, most_missing + 1)) if most_missing else 0
    missing = missing or int(rng.random() < _GAP_CHANCE)
    city = lying(rng, description, without_some(rng, rows, missing))
    if kind is None:
        return city
    free = _where_tourists_may_stand(description, city)
    few = rng.random() < (0.8 if most_missing else 0.35)
    count = int(rng.integers(0, TOURISTS)) if few else TOURISTS
    stood = tuple((cell, kind) for cell in sorted(shuffled(rng, free)[:count]))
    idle = (kind,) * (TOURISTS - len(stood)) if rng.random() < 0.7 else ()
    return replace(city, tokens=stood, idle_tokens=idle)


def _where_tourists_may_stand(description: Description, city: GridContent) -> list[Cell]:
    return [
        (r, c)
        for r, row in enumerate(cell_grid(description, city))
        for c, shown in enumerate(row)
        if shown not in (None, WATER)
    ]
