"""Simulated photos of the reference grid."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import cv2
import numpy as np

from scoring.faces import Face
from tests.vision.cities import table_of_cities
from tests.vision.laid_out import learned_layout_of
from vision.arrays import Corners, Image, floats
from vision.editions.built_in import tile_picture
from vision.editions.edition import BETWEEN_TWO_CITIES, Edition
from vision.editions.folder import built_in_edition
from vision.lab.simulate.simulated_table import SimulatedTable, Surroundings
from vision.lab.simulate.table_canvas import opaque
from vision.photo.load import Photo
from vision.teaching.learn_layout import LearnedLayout
from vision.teaching.reference_grid import PhotoCorner

FACES = tuple(Face)
IN_ORDER = (FACES[0:3], FACES[3:6], FACES[6:9])


def photo_of(image: Image, name: str = "test.jpg") -> Photo:
    height, width = image.shape[:2]
    return Photo(np.ascontiguousarray(image), name, (width, height))


@cache
def reference_table(
    seed: int = 1, grid: tuple[tuple[Face | None, ...], ...] = IN_ORDER, turned: int = 0
) -> SimulatedTable:
    """The reference grid, upside down in the photo: one grid lies at the near side, facing in."""
    surroundings = Surroundings(
        material="felt", share=0.3 * len(grid) / 3, props=0, strays=0, strength=0.2, turned=turned
    )
    return table_of_cities(seed, [grid], (1280, 960), surroundings, things=())


def reference_image(seed: int = 1, grid: tuple[tuple[Face | None, ...], ...] = IN_ORDER) -> Image:
    """A photo of the reference grid."""
    return reference_table(seed, grid).image


def recolour(image: Image) -> Image:
    """The same with red and blue exchanged, which no network has learned."""
    return np.ascontiguousarray(image[:, :, ::-1])


def laid_out(pictures: Sequence[Image]) -> Image:
    """A photo of nine tiles that look like these square pictures, in the order of the grid."""
    table = reference_table()
    photo = table.image.copy()
    (city,) = table.truth["cities"]
    for picture, corners in zip(pictures, city["tile_corners_px"], strict=True):
        size = picture.shape[0]
        edges = floats([[0, 0], [size, 0], [size, size], [0, size]]) - 0.5
        warp = cv2.getPerspectiveTransform(edges, floats(corners))
        height, width = photo.shape[:2]
        tile = cv2.warpPerspective(opaque(picture), warp, (width, height), flags=cv2.INTER_AREA)
        covered = tile[..., 3] > 127
        photo[covered] = tile[covered, :3]
    return photo


def sister_taverns() -> list[Image]:
    """Drawn faces of a new edition, in which the four taverns differ by their emblems alone."""
    size, emblem = 128, slice(0, 48)
    pictures = [tile_picture(face, size) for face in FACES]
    model = next(p for p, face in zip(pictures, FACES, strict=True) if face.is_tavern)
    for n, face in enumerate(FACES):
        if face.is_tavern:
            tavern = model.copy()
            tavern[emblem, emblem] = pictures[n][emblem, emblem]
            pictures[n] = tavern
    return [recolour(picture) for picture in pictures]


def learn(
    photos: Sequence[Photo],
    shop_at: PhotoCorner | None = None,
    earlier: Edition | None = None,
    corners_px: Corners | None = None,
) -> LearnedLayout:
    """Learn from photos of the reference grid, one after the other."""
    description = replace(built_in_edition(BETWEEN_TWO_CITIES).description, name="mine")
    for photo in photos:
        learned_layout = learned_layout_of(
            description,
            photo,
            corners_px,
            IN_ORDER,
            earlier,
            is_reference=True,
            first_face_corner=shop_at,
        )
        earlier = learned_layout.edition
    return learned_layout
