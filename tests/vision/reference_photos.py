"""Simulated photos of the reference grid."""

from functools import cache

import numpy as np

from scoring.faces import Face
from vision.arrays import Image
from vision.photo import Photo
from vision.simulate.table import Surroundings, simulate_table

FACES = tuple(Face)
IN_ORDER = (FACES[0:3], FACES[3:6], FACES[6:9])


def photo_of(image: Image, name: str = "test.jpg") -> Photo:
    height, width = image.shape[:2]
    return Photo(np.ascontiguousarray(image), name, (width, height))


@cache
def reference_image(
    seed: int = 1, grid: tuple[tuple[Face, ...], ...] = IN_ORDER, tile_px: float = 90.0
) -> Image:
    """The reference grid, upside down in the photo: one grid lies at the near side, facing in."""
    around = Surroundings(
        material="felt", props=0, strays=0, strength=0.2, tile_px=tile_px, score_board=False
    )
    return simulate_table(seed, [grid], (1280, 960), around).image


def other_look(image: Image) -> Image:
    """The same with red and blue exchanged, which no network has learned."""
    return np.ascontiguousarray(image[:, :, ::-1])
