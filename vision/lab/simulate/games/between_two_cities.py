"""Between Two Cities: three to seven cities of a box, laid round the middle of the table.

Every city is whole and has 12 single tiles and 2 duplex tiles, unless the condition says otherwise.
The pairs of faces on the duplex tiles are our own: the rulebook only counts their halves.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from scoring.faces import Cell, Face
from vision.editions.description import Description
from vision.lab.simulate.content import Content, DuplexPair, GridContent, shuffle
from vision.lab.simulate.drawing import Rng

SIDE: Final = 4
DUPLEXES_PER_CITY: Final = 2
MAX_CITIES: Final = 7
_MAX_STRAYS: Final = 20

SINGLES: Final[Mapping[Face, int]] = {
    Face.SHOP: 16,
    Face.FACTORY: 16,
    Face.TAVERN_FOOD: 5,
    Face.TAVERN_BED: 5,
    Face.TAVERN_MUSIC: 5,
    Face.TAVERN_DRINK: 5,
    Face.OFFICE: 20,
    Face.PARK: 16,
    Face.HOUSE: 20,
}
"""Single tiles in the box."""
HALVES: Final[Mapping[Face, int]] = {face: 2 if face.is_tavern else 8 for face in Face}
"""Halves of duplex tiles in the box."""


def deal(rng: Rng, description: Description, most_missing: int) -> Content:
    """Deal three cities or more, each with up to a number of gaps."""
    cities = deal_cities(rng, int(rng.integers(3, description.most_grids + 1)))
    if most_missing:
        cities = [_with_gaps(rng, city, most_missing) for city in cities]
    left_over = shuffle(rng, [face.value for face in Face] * 3)[:_MAX_STRAYS]
    return Content(tuple(cities), tuple(left_over), ("score-board",), is_round=True)


def laid_out(
    grids: Sequence[Sequence[Sequence[Face | None]]],
    duplexes: Sequence[Sequence[DuplexPair]] | None = None,
    things: tuple[str, ...] = ("score-board",),
) -> Content:
    """Return a table with cities in clockwise order.

    Args:
        grids: Rows of faces of each grid; None without a tile.
        duplexes: Pairs of cells of each city that are one piece; None if all tiles are single.
        things: Other parts of the game that lie there.
    """
    pairs = duplexes or [()] * len(grids)
    cities = tuple(_city(grid, some) for grid, some in zip(grids, pairs, strict=True))
    return Content(cities, tuple(face.value for face in Face) * 2, things, is_round=True)


def deal_cities(rng: Rng, count: int) -> list[GridContent]:
    """Deal a number of whole cities from the tiles of one box.

    Raises:
        ValueError: The box has not enough tiles for that number.
    """
    if not 0 <= count <= MAX_CITIES:
        raise ValueError(f"{count} cities; the tiles are enough for {MAX_CITIES}")
    supplies = [
        iter(shuffle(rng, [face for face, number in box.items() for _ in range(number)]))
        for box in (SINGLES, HALVES)
    ]
    return [_dealt(rng, *supplies) for _ in range(count)]


def _dealt(rng: Rng, singles: Iterator[Face], halves: Iterator[Face]) -> GridContent:
    duplexes: list[DuplexPair] = []
    while len(duplexes) < DUPLEXES_PER_CITY:
        pair = _random_pair(rng)
        if not {*pair} & {cell for other in duplexes for cell in other}:
            duplexes.append(pair)
    joined = {cell for pair in duplexes for cell in pair}
    return _city(
        [[next(halves if (r, c) in joined else singles) for c in range(SIDE)] for r in range(SIDE)],
        duplexes,
    )


def _random_pair(rng: Rng) -> DuplexPair:
    along, across = int(rng.integers(SIDE - 1)), int(rng.integers(SIDE))
    if rng.random() < 0.5:
        return (across, along), (across, along + 1)
    return (along, across), (along + 1, across)


def _city(grid: Sequence[Sequence[str | None]], duplexes: Sequence[DuplexPair]) -> GridContent:
    tiles = tuple(tuple(None if face is None else str(face) for face in row) for row in grid)
    turns = tuple(tuple(None if face is None else 0 for face in row) for row in tiles)
    return GridContent(tiles, turns, duplexes=tuple(duplexes))


def _with_gaps(rng: Rng, city: GridContent, most: int) -> GridContent:
    """Take one to ``most`` tiles away from a city, of a duplex tile both halves."""
    cells = shuffle(rng, list(np.ndindex(SIDE, SIDE)))[: int(rng.integers(1, most + 1))]
    gone: set[Cell] = {(row, column) for row, column in cells}
    for pair in city.duplexes:
        gone |= {*pair} if gone & {*pair} else set()
    rows = enumerate(city.tiles)
    grid = [[None if (r, c) in gone else face for c, face in enumerate(row)] for r, row in rows]
    return _city(grid, [pair for pair in city.duplexes if not gone & {*pair}])
