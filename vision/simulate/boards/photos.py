"""Photos of tables of the games known by pictures, under the conditions of all simulated photos.

A photo follows from its edition, condition, seed and size alone.
"""

import zlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from vision.editions.edition import Edition
from vision.simulate.boards import cities, city_blocks, dice_board, other_games
from vision.simulate.boards.content import Content, Dealer, shuffled
from vision.simulate.boards.table import simulate_board_table
from vision.simulate.conditions import (
    CONDITIONS,
    FULL_SIZE_WH,
    Shot,
    check_size,
    jpeg_file,
    recorded,
)
from vision.simulate.materials import MATERIALS
from vision.simulate.table import Surroundings

DEALERS: Final[Mapping[str, Dealer]] = {
    "cities": cities.deal,
    "city-blocks": city_blocks.deal,
    "dice-board": dice_board.deal,
}
_MOST_STRAY_FACES: Final = 20
_FEWER_COVERS: Final = 4
"""Things cover several of the small tiles on a board, so fewer of them lie there."""


def take_board_photo(
    edition: Edition,
    condition: str,
    seed: int,
    size_wh: tuple[int, int] = FULL_SIZE_WH,
    name: str = "photo",
) -> Shot:
    """Lay a table of an edition's game and photograph it.

    Args:
        edition: of any game known by pictures.
        condition: one of ``CONDITIONS``. Of a board, ``edge`` cuts off a part, and ``turned``
            tiles lie askew in their places, as they may lie in any quarter turn anyway.
        seed: 0 or more.
        size_wh: of the photo, see ``check_size``.
        name: of the photo without ``.jpg``, for the truth.

    Raises:
        ValueError: unknown condition, negative seed, or a size out of range.
    """
    if condition not in CONDITIONS:
        raise ValueError(f"no condition {condition!r}; choose one of {', '.join(CONDITIONS)}")
    check_size(size_wh)
    chosen, description = CONDITIONS[condition], edition.description
    rng = np.random.default_rng(
        [seed, zlib.crc32(condition.encode()), zlib.crc32(description.game.encode())]
    )
    deal = DEALERS.get(description.game, other_games.deal)
    content = deal(rng, description, chosen.most_missing)
    if not chosen.has_cities:
        names = [face.name for face in description.faces]
        content = Content((), tuple(shuffled(rng, names)[:_MOST_STRAY_FACES]))
    around = chosen.setting(rng, _ordinary(rng))
    if description.board is not None:
        covered = -(-around.mishaps.covered // _FEWER_COVERS)
        around = replace(around, mishaps=replace(around.mishaps, covered=covered))
    quality = int(rng.integers(chosen.jpeg_quality[0], chosen.jpeg_quality[1] + 1))
    table = simulate_board_table(seed, edition, content, size_wh, around)
    truth = {
        "photo": f"{name}.jpg",
        "kind": "table",
        "subset": condition,
        "size": list(size_wh),
        **table.truth,
        "conditions": {**recorded(around), "jpeg_quality": quality},
    }
    return Shot(jpeg_file(table.image, quality), truth)


def _ordinary(rng: np.random.Generator) -> Surroundings:
    """A table that a careful family photographs from above in good light."""
    names = list(MATERIALS)
    return Surroundings(
        material=names[int(rng.integers(len(names)))],
        tile_px=float(rng.uniform(0.86, 0.97)),
        tilt=float(rng.uniform(0.02, 0.14)),
        props=int(rng.integers(2, 8)),
        strays=int(rng.integers(0, 9)),
        carelessness=float(rng.uniform(0.5, 1.2)),
        strength=0.25,
        barrel=float(rng.uniform(0.0, 0.05)),
    )
