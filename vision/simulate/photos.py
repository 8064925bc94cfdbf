"""Photos of tables of any game, under the conditions of all simulated photos.

A photo follows from its edition, condition, seed and size alone.
"""

import zlib
from dataclasses import replace
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Final, Protocol

import numpy as np

from vision.editions.edition import Edition
from vision.errors import VisionError
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
from vision.simulate.games import other_games
from vision.simulate.materials import MATERIALS
from vision.simulate.table import Surroundings

_MOST_STRAY_FACES: Final = 20
_FEWER_COVERS: Final = 4
"""Things cover several of the small tiles on a board, so fewer of them lie there."""


class Photographer(Protocol):
    """Lays a table and photographs it."""

    def __call__(
        self, condition: str, seed: int, size_wh: tuple[int, int] = ..., name: str = ...
    ) -> Shot:
        """Take one photo.

        Args:
            condition: one of ``CONDITIONS``.
            seed: 0 or more.
            size_wh: of the photo, see ``check_size``.
            name: of the photo without ``.jpg``, for the truth.
        """
        ...


def photographer(edition: Edition) -> Photographer:
    """What takes photos of tables of an edition's game.

    Raises:
        VisionError: ``edition-not-drawn``: tables of this game are laid with drawn tiles alone.
    """
    own: Photographer | None = getattr(_module_of(edition.description.game), "take_photo", None)
    if own is None:
        return partial(take_photo, edition)
    if not edition.is_standard:
        raise VisionError(
            "edition-not-drawn",
            "photos of {game} show the drawn tiles alone: leave out --edition",
            "--edition",
            game=edition.description.game,
        )
    return own


def dealer(game: str) -> Dealer:
    """What deals the pieces of a game to a table."""
    deal: Dealer = _module_of(game).deal
    return deal


def _module_of(game: str) -> ModuleType:
    name = f"vision.simulate.games.{game.replace('-', '_')}"
    return import_module(name) if find_spec(name) is not None else other_games


def take_photo(
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
    content = dealer(description.game)(rng, description, chosen.most_missing)
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
