"""Photos of tiles laid out as a layout says, seen at an angle."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import cv2
import numpy as np

from vision.arrays import Corners, Image, floats
from vision.editions.description import Description
from vision.editions.edition import Edition
from vision.photo.load import Photo
from vision.teaching.layout import Layout
from vision.teaching.learn_layout import LayoutPhoto, LearnedLayout, learn_layout

TABLE = (70, 80, 95)


def photo_of_layout(
    pictures: Mapping[str, Image],
    layout: Layout,
    tile_px: int = 80,
    turns: Mapping[tuple[int, int], int] | None = None,
) -> tuple[Photo, Corners]:
    """A photo of these tiles and the corners of the whole in it, from its top left clockwise.

    Args:
        pictures: Pictures of the faces.
        layout: Face at each place.
        tile_px: Side of a tile.
        turns: Clockwise quarter turns of the tile in a row and column.
    """
    rows, columns = len(layout), len(layout[0])
    flat = np.full((rows * tile_px, columns * tile_px, 3), TABLE, np.uint8)
    for row, names in enumerate(layout):
        for column, name in enumerate(names):
            if name is not None:
                size = (tile_px, tile_px)
                tile = cv2.resize(pictures[name], size, interpolation=cv2.INTER_AREA)
                tile = np.rot90(tile, -(turns or {}).get((row, column), 0))
                top, left = row * tile_px, column * tile_px
                flat[top : top + tile_px, left : left + tile_px] = tile
    return photo_of_flat(flat)


def photo_of_flat(flat: Image) -> tuple[Photo, Corners]:
    """A photo of something flat on a table, and its corners in it."""
    height, width = flat.shape[:2]
    edges = floats([[0, 0], [width, 0], [width, height], [0, height]]) - 0.5
    tilt = floats([[0.06, 0.03], [0.97, 0.0], [1.0, 0.98], [0.0, 0.95]])
    corners = floats(tilt * floats([width, height]) + 60)
    warp = cv2.getPerspectiveTransform(edges, corners)
    size = (width + 120, height + 120)
    image = cv2.warpPerspective(
        flat, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=TABLE
    )
    noise = np.random.default_rng(3).normal(0, 3, image.shape)
    noisy = np.clip(image.astype(np.float64) * 0.9 + noise, 0, 255).astype(np.uint8)
    return Photo(noisy, "photo.jpg", size), corners


def learned_of(
    description: Description,
    photo: Photo,
    corners_px: Corners | None,
    layout: Layout,
    earlier: Edition | None = None,
) -> Edition:
    """The edition that ``learn_layout`` makes."""
    return learned_layout_of(description, photo, corners_px, layout, earlier).edition


def learned_layout_of(
    description: Description,
    photo: Photo,
    corners_px: Corners | None,
    layout: Layout,
    earlier: Edition | None = None,
    **more: Any,
) -> LearnedLayout:
    """Result of learning a photo of a layout, beside an earlier edition or alone."""
    known = Edition(description, {}) if earlier is None else earlier
    return learn_layout(
        replace(known, description=description), LayoutPhoto(photo, layout, corners_px, **more)
    )
