"""Cities as the supply of the game allows them: 12 single tiles and 2 duplex tiles each.

The pairs of faces on the duplex tiles are our own: the rulebook only counts their halves.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from scoring.faces import Cell, Face

ROWS = COLUMNS = 4
DUPLEXES_PER_CITY: Final = 2
MOST_CITIES: Final = 7

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

Pair = tuple[Cell, Cell]
"""The two cells of a duplex tile: left and right, or upper and lower."""


@dataclass(frozen=True, slots=True)
class DealtCity:
    """A whole city: rows of faces, and where its duplex tiles lie."""

    grid: tuple[tuple[Face, ...], ...]
    duplexes: tuple[Pair, ...]


def deal_cities(rng: np.random.Generator, count: int) -> list[DealtCity]:
    """Deal so many cities from one box.

    Raises:
        ValueError: there are not enough tiles for so many.
    """
    if not 0 <= count <= MOST_CITIES:
        raise ValueError(f"{count} cities; the tiles are enough for {MOST_CITIES}")
    singles, halves = _shuffled(rng, SINGLES), _shuffled(rng, HALVES)
    return [_city(rng, singles, halves) for _ in range(count)]


def _shuffled(rng: np.random.Generator, supply: Mapping[Face, int]) -> Iterator[Face]:
    faces = [face for face, count in supply.items() for _ in range(count)]
    return iter([faces[int(n)] for n in rng.permutation(len(faces))])


def _city(rng: np.random.Generator, singles: Iterator[Face], halves: Iterator[Face]) -> DealtCity:
    duplexes: list[Pair] = []
    while len(duplexes) < DUPLEXES_PER_CITY:
        pair = _random_pair(rng)
        if not {*pair} & {cell for other in duplexes for cell in other}:
            duplexes.append(pair)
    joined = {cell for pair in duplexes for cell in pair}
    grid = tuple(
        tuple(next(halves if (r, c) in joined else singles) for c in range(COLUMNS))
        for r in range(ROWS)
    )
    return DealtCity(grid, tuple(duplexes))


def _random_pair(rng: np.random.Generator) -> Pair:
    if rng.random() < 0.5:
        row, column = int(rng.integers(ROWS)), int(rng.integers(COLUMNS - 1))
        return (row, column), (row, column + 1)
    row, column = int(rng.integers(ROWS - 1)), int(rng.integers(COLUMNS))
    return (row, column), (row + 1, column)
