"""Where training pictures come from: drawn faces, ground-truthed photos, table tops."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.arrays import Image, floats
from vision.editions.own import face_picture
from vision.rectify import crop_window
from vision.simulate.materials import table_material
from vision.simulate.scene import TileSource
from vision.training.truth import FACES, PhotoTruth

TILE_PICTURE_PX = 80
SUPPLY = floats([24, 24, 7, 7, 7, 7, 28, 24, 28])
"""How many tiles of each face a game has."""


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile's face and its picture, TILE_PICTURE_PX square."""

    face: int
    picture: Image


def drawn_tiles() -> list[Tile]:
    """The drawn edition, one tile a face."""
    return [Tile(n, face_picture(face, TILE_PICTURE_PX)) for n, face in enumerate(FACES)]


def photographed_tiles(photo: PhotoTruth) -> list[Tile]:
    """The fully visible tiles of a photo, rectified, with the light that fell on them."""
    whole = (0.005, 0.005, 0.995, 0.995)
    return [
        Tile(tile.face, crop_window(photo.image_bgr, tile.quad_px, whole, TILE_PICTURE_PX))
        for tile in photo.tiles
        if not tile.hidden
    ]


def tile_source(tiles: Sequence[Tile]) -> TileSource:
    """Draw tiles at random, a face as often as the square root of its number in the game."""
    by_face = {n: [tile for tile in tiles if tile.face == n] for n in range(len(FACES))}
    present = [n for n, some in by_face.items() if some]
    weights = np.sqrt(SUPPLY[present])
    weights = weights / weights.sum()

    def draw(rng: np.random.Generator) -> tuple[int, Image]:
        face = present[int(rng.choice(len(present), p=weights))]
        some = by_face[face]
        return face, some[int(rng.integers(len(some)))].picture

    return draw


def table_top(rng: np.random.Generator, size_wh: tuple[int, int], tile_px: float = 64.0) -> Image:
    """A table top of this size, a new one each time, for tiles of about ``tile_px``."""
    return table_material(rng, size_wh, tile_px)
