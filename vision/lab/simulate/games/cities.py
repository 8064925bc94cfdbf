"""Tables of Cities: every player has laid the same tiles in another way and sent out tourists."""

from dataclasses import replace
from typing import Final

from vision.editions.description import Description
from vision.lab.simulate.content import Content, GridContent, cell_grid, in_random_turns, shuffle
from vision.lab.simulate.drawing import Rng

MAX_PLAYERS: Final = 4
TOURISTS: Final = 7
WATER: Final = "water"
_GAP_CHANCE: Final = 0.1


def deal(rng: Rng, description: Description, most_missing: int) -> Content:
    """Lay one to four cities of the same tiles; tiles not chosen are left over."""
    players = int(rng.integers(1, min(MAX_PLAYERS, description.most_grids) + 1))
    names = shuffle(rng, [face.name for face in description.faces])
    wanted = description.tile_rows * description.tile_columns
    kinds = shuffle(rng, [token.kind for token in description.tokens])
    grids = tuple(
        _city(
            rng, description, names[:wanted], kinds[n % len(kinds)] if kinds else "", most_missing
        )
        for n in range(players)
    )
    return Content(grids, tuple(names[wanted:] * int(rng.integers(1, players + 1))))


def _city(
    rng: Rng, description: Description, chosen: list[str], kind: str, most_missing: int
) -> GridContent:
    deck: list[str | None] = [*shuffle(rng, chosen)]
    missing = int(rng.integers(1, most_missing + 1)) if most_missing else 0
    for n in rng.permutation(len(deck))[: missing or int(rng.random() < _GAP_CHANCE)]:
        deck[n] = None
    city = in_random_turns(rng, description, deck)
    if not kind:
        return city
    rows = enumerate(cell_grid(description, city))
    free = [(r, c) for r, row in rows for c, shown in enumerate(row) if shown not in (None, WATER)]
    few = rng.random() < (0.8 if most_missing else 0.35)
    count = int(rng.integers(0, TOURISTS)) if few else TOURISTS
    stood = tuple((cell, kind) for cell in sorted(shuffle(rng, free)[:count]))
    idle = (kind,) * (TOURISTS - len(stood)) if rng.random() < 0.7 else ()
    return replace(city, tokens=stood, idle_tokens=idle)
