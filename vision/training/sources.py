"""Where training pictures come from: drawn faces, ground-truthed photos, table tops."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Image, floats
from vision.editions.own import back_picture, face_picture
from vision.rectify import crop_window
from vision.simulate.materials import table_material
from vision.simulate.props import random_prop
from vision.simulate.scene import TileSource
from vision.training.truth import FACES, PhotoTruth

TILE_PICTURE_PX = 80
NO_FACE = -1
"""Stands for the face of what is no tile."""
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


def false_tile(rng: np.random.Generator) -> tuple[int, Image]:
    """Something square that is no tile of the game: a kitchen tile, a picture, a back."""
    kind = rng.random()
    if kind < 0.15:
        return NO_FACE, tile_back(rng)
    side = TILE_PICTURE_PX
    if kind < 0.3:
        plain = np.empty((side, side, 3), np.uint8)
        plain[:] = rng.integers(0, 256, 3)
        return NO_FACE, plain
    if kind < 0.45:
        thing = random_prop(rng, float(side)).image_bgra[..., :3]
        size = min(thing.shape[:2])
        return NO_FACE, np.asarray(cv2.resize(thing[:size, :size], (side, side)), np.uint8)
    return NO_FACE, table_material(rng, (side, side), float(rng.uniform(0.7, 1.3)) * side)


def tile_back(rng: np.random.Generator) -> Image:
    """The back of a tile: the drawn one, or a plain dark or coloured one."""
    if rng.random() < 0.4:
        return back_picture(TILE_PICTURE_PX)
    back = np.empty((TILE_PICTURE_PX, TILE_PICTURE_PX, 3), np.uint8)
    back[:] = rng.integers(10, 140, 3)
    cv2.circle(
        back, (TILE_PICTURE_PX // 2,) * 2, 14, tuple(int(v) for v in rng.integers(0, 255, 3)), 2
    )
    return back


def half(image: Image) -> Image:
    """The picture at half its width and height."""
    h, w = image.shape[:2]
    return np.asarray(cv2.resize(image, (w // 2, h // 2), interpolation=cv2.INTER_AREA), np.uint8)
