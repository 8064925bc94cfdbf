"""Between Two Cities: three to seven cities of a box, laid round the middle of the table.

Every city is whole and has two duplex tiles, unless the condition says otherwise; the tiles are
those of the drawn edition.
"""

import zlib
from typing import Final

import numpy as np

from scoring.faces import Cell, Face
from vision.simulate.conditions import (
    CONDITIONS,
    FULL_SIZE_WH,
    Shot,
    check_size,
    jpeg_file,
    recorded,
)
from vision.simulate.deal import DealtCity, Pair, deal_cities
from vision.simulate.materials import MATERIALS
from vision.simulate.table import Surroundings, simulate_table

_TILES_ACROSS: Final = 26.0
"""Square root of the area that the photo shows, in tile widths."""


def take_photo(
    condition: str, seed: int, size_wh: tuple[int, int] = FULL_SIZE_WH, name: str = "photo"
) -> Shot:
    """Lay a table and photograph it.

    Args:
        condition: one of ``CONDITIONS``.
        seed: 0 or more.
        size_wh: of the photo; sides of ``SHORTEST_SIDE_PX`` to ``LONGEST_SIDE_PX`` pixels.
        name: of the photo without ``.jpg``, for the truth.

    Raises:
        ValueError: unknown condition, negative seed, or a size out of range.
    """
    if condition not in CONDITIONS:
        raise ValueError(f"no condition {condition!r}; choose one of {', '.join(CONDITIONS)}")
    check_size(size_wh)
    chosen = CONDITIONS[condition]
    rng = np.random.default_rng([seed, zlib.crc32(condition.encode())])
    cities = deal_cities(rng, int(rng.integers(3, 8)) if chosen.has_cities else 0)
    grids, duplexes = _with_gaps(rng, cities, chosen.most_missing)
    around = chosen.setting(rng, _ordinary(rng, size_wh, len(cities)))
    quality = int(rng.integers(chosen.jpeg_quality[0], chosen.jpeg_quality[1] + 1))
    table = simulate_table(seed, grids, size_wh, around, duplexes)
    truth = {
        "photo": f"{name}.jpg",
        "kind": "table",
        "subset": condition,
        "size": list(size_wh),
        **table.truth,
        "conditions": {**recorded(around), "jpeg_quality": quality},
    }
    return Shot(jpeg_file(table.image, quality), truth)


def _ordinary(rng: np.random.Generator, size_wh: tuple[int, int], cities: int) -> Surroundings:
    """A table that a careful family photographs from above in good light."""
    tile_px = float(np.sqrt(size_wh[0] * size_wh[1])) / _TILES_ACROSS
    names = list(MATERIALS)
    return Surroundings(
        material=names[int(rng.integers(len(names)))],
        tile_px=tile_px * float(rng.uniform(0.85, 1.0 if cities > 5 else 1.12)),
        tilt=float(rng.uniform(0.02, 0.14)),
        props=int(rng.integers(3, 9)),
        strays=int(rng.integers(0, 4)),
        carelessness=float(rng.uniform(0.5, 1.2)),
        strength=0.25,
        barrel=float(rng.uniform(0.0, 0.05)),
    )


def _with_gaps(
    rng: np.random.Generator, cities: list[DealtCity], most: int
) -> tuple[list[list[list[Face | None]]], list[tuple[Pair, ...]]]:
    """The grids of the cities with tiles taken away, and the duplex tiles that remain."""
    grids: list[list[list[Face | None]]] = []
    duplexes: list[tuple[Pair, ...]] = []
    for city in cities:
        grid: list[list[Face | None]] = [list(row) for row in city.grid]
        gone: set[Cell] = set()
        for _ in range(int(rng.integers(1, most + 1)) if most else 0):
            gone.add((int(rng.integers(4)), int(rng.integers(4))))
        for pair in city.duplexes:  # one half cannot be missing
            gone |= {*pair} if gone & {*pair} else set()
        for row, column in gone:
            grid[row][column] = None
        grids.append(grid)
        duplexes.append(tuple(pair for pair in city.duplexes if not gone & {*pair}))
    return grids, duplexes
