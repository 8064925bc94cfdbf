"""Training scenes of the locator: composed tables and re-taken real photos, with their targets."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Homography, Image, floats, transformed
from vision.locate import shape_of
from vision.networks import LOCATOR_STRIDE_PX, LOCATOR_UNIT_PX
from vision.rectify import UNIT_SQUARE
from vision.simulate.clutter import scatter_props
from vision.simulate.photometry import photographed
from vision.simulate.scene import (
    CityPlan,
    TableCanvas,
    TileSource,
    camera_view,
    rotated,
    square,
)
from vision.training import sources
from vision.training.truth import PhotoTruth

INNER = 0.72
"""Cells in this inner part of a tile must call themselves tile; those in the rim may choose."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture and the tiles in it: faces (n,), quads (n, 4, 2)."""

    image: Image
    faces: NDArray[np.int64]
    quads_px: NDArray[np.float32]


def random_view(rng: np.random.Generator, size: int) -> Homography:
    """A camera from straight above to well aside, tiles of 13 to 58 px."""
    return camera_view(
        (size, size),
        tile_px=float(np.exp(rng.uniform(np.log(13), np.log(58)))),
        tilt=float(rng.uniform(0, 0.75) if rng.random() < 0.4 else abs(rng.normal(0, 0.15))),
        towards=float(rng.uniform(0, 2 * np.pi)),
        roll=float(rng.uniform(0, 2 * np.pi)),
    )


def random_plan(rng: np.random.Generator, centre: tuple[float, float]) -> CityPlan:
    """A city laid by careful or careless hands, at times with tiles missing."""
    careless = float(rng.choice([0.4, 1.0, 1.0, 2.5, 4.0]))
    cells = [(r, c) for r in range(4) for c in range(4)]
    count = int(rng.integers(1, 9)) if rng.random() < 0.2 else 0
    missing = frozenset(cells[int(i)] for i in rng.choice(16, count, replace=False))
    return CityPlan(
        centre=centre,
        angle=float(rng.uniform(0, 2 * np.pi)),
        gap=float(abs(rng.normal(0.0, 0.04)) * careless),
        shift=0.012 * careless,
        twist=0.01 * careless,
        missing=missing,
    )


def scattered(
    rng: np.random.Generator, reach: float, count: int, apart: float
) -> list[tuple[float, float]]:
    """Up to ``count`` points within ``reach`` of the origin and ``apart`` from one another."""
    places: list[tuple[float, float]] = []
    for _ in range(count * 6):
        x, y = (float(v) for v in rng.uniform(-reach, reach, 2))
        if len(places) < count and all(np.hypot(x - a, y - b) > apart for a, b in places):
            places.append((x, y))
    return places


def lay_false_grid(
    rng: np.random.Generator, canvas: TableCanvas, centre: tuple[float, float]
) -> None:
    """Something like a city that is none: a grid of other cards, backs or plain squares."""
    angle = float(rng.uniform(0, 2 * np.pi))
    pattern = [sources.false_tile(rng)[1] for _ in range(int(rng.choice([1, 2, 4, 16])))]
    for row in range(4):
        for column in range(4):
            picture = pattern[int(rng.integers(len(pattern)))]
            place = floats([column - 1.5, row - 1.5]) * np.float32(1.03)
            corners = rotated(square(place, 0.0), angle) + floats(centre)
            canvas.lay_tile(picture, corners, (0.03, 0.03, 0.4))


def composed_scene(
    rng: np.random.Generator, size: int, tiles: TileSource, others: TileSource
) -> Scene:
    """A table of our own making; ``others`` gives tiles for a second edition on the same table."""
    view = random_view(rng, size)
    middle = transformed(floats([[0, 0], [1, 0]]), view)
    tile_px = float(np.hypot(*(middle[1] - middle[0])))
    canvas = TableCanvas(sources.table_top(rng, (size, size), tile_px), view)
    reach = 0.6 * size / tile_px
    scatter_props(rng, canvas, reach, int(rng.integers(0, 7)), px_per_tile=max(tile_px, 12.0))
    count = int(rng.integers(1, 8))
    for number, place in enumerate(scattered(rng, reach, count, 6.2)):
        if rng.random() < 0.22:
            lay_false_grid(rng, canvas, place)
        else:
            canvas.lay_city(rng, number, random_plan(rng, place), tiles)
    for place in scattered(rng, reach, int(rng.integers(0, 4)), 1.6):
        if all(
            np.hypot(*(t.quad_px.mean(axis=0) - transformed(floats([place]), view)[0]))
            > 1.5 * np.sqrt(cv2.contourArea(t.quad_px))
            for t in canvas.tiles
        ):
            canvas.lay_stray(rng, place, tiles if rng.random() < 0.7 else others)
    if rng.random() < 0.25:
        scatter_props(rng, canvas, reach, 2, largest=0.5)
    quads = floats([t.quad_px for t in canvas.tiles]).reshape(-1, 4, 2)
    faces = np.array([t.face for t in canvas.tiles], np.int64)
    return Scene(photographed(rng, canvas.finished(), float(rng.uniform(0, 1.1))), faces, quads)


@dataclass(frozen=True, slots=True)
class PhotoLevels:
    """A ground-truthed photo at full, half and quarter size."""

    levels: tuple[Image, ...]
    quads_px: NDArray[np.float32]
    faces: NDArray[np.int64]

    @classmethod
    def of(cls, photo: PhotoTruth) -> "PhotoLevels":
        """Of one photo."""
        levels = [photo.image_bgr]
        for _ in range(2):
            levels.append(sources.half(levels[-1]))
        quads = floats([t.quad_px for t in photo.tiles]).reshape(-1, 4, 2)
        return cls(tuple(levels), quads, np.array([t.face for t in photo.tiles], np.int64))


def retaken_scene(rng: np.random.Generator, size: int, photo: PhotoLevels) -> Scene:
    """A real photo turned, tilted, zoomed and lit anew."""
    tile_px = float(np.median(np.sqrt([cv2.contourArea(q) for q in photo.quads_px])))
    wanted = float(np.exp(rng.uniform(np.log(15), np.log(52))))
    h, w = photo.levels[0].shape[:2]
    if rng.random() < 0.75:
        middle = photo.quads_px[int(rng.integers(len(photo.quads_px)))].mean(axis=0)
        middle = middle + rng.normal(0, 2.5, 2) * tile_px
    else:
        middle = rng.uniform(0.1, 0.9, 2) * (w, h)
    view = camera_view(
        (size, size),
        wanted,
        float(min(abs(rng.normal(0, 0.25)), 0.7)),
        float(rng.uniform(0, 2 * np.pi)),
        float(rng.uniform(0, 2 * np.pi)),
    )
    to_plane = np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, tile_px]]) / tile_px
    warp = view @ to_plane
    level = int(np.clip(np.floor(np.log2(tile_px / wanted)), 0, 2))
    k = 2.0**level
    from_level = np.array([[k, 0, (k - 1) / 2], [0, k, (k - 1) / 2], [0, 0, 1]])
    outside = tuple(float(v) for v in rng.integers(0, 256, 3))
    taken = cv2.warpPerspective(
        photo.levels[level], warp @ from_level, (size, size), borderValue=outside
    )
    image = np.asarray(taken, np.uint8)
    quads = transformed(photo.quads_px.reshape(-1, 2), warp).reshape(-1, 4, 2)
    return Scene(photographed(rng, image, float(rng.uniform(0, 0.8))), photo.faces, quads)


def targets(scene: Scene) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """What the locator should say.

    Returns:
        (9, h/8, w/8): tile or not (1, 0; -1: either is right), the way to the tile's centre (x, y)
        in units of LOCATOR_UNIT_PX, the five numbers of its shape, and the weight of these; and
        (h/8, w/8) faces, -1 for none.
    """
    h, w = (n // LOCATOR_STRIDE_PX for n in scene.image.shape[:2])
    maps = np.zeros((9, h, w), np.float32)
    faces = np.full((h, w), -1, np.int64)
    for face, quad in zip(scene.faces, scene.quads_px, strict=True):
        to_cells = (quad - (LOCATOR_STRIDE_PX - 1) / 2) / LOCATOR_STRIDE_PX
        x0, y0 = np.maximum(np.floor(to_cells.min(axis=0)).astype(int), 0)
        x1, y1 = np.minimum(np.ceil(to_cells.max(axis=0)).astype(int) + 1, (w, h))
        if x1 <= x0 or y1 <= y0:
            continue
        ys, xs = np.mgrid[y0:y1, x0:x1].astype(np.float32)
        points = np.stack([xs, ys], axis=-1).reshape(-1, 1, 2)
        to_tile = cv2.getPerspectiveTransform(to_cells, UNIT_SQUARE * 2 - 1)
        place = cv2.perspectiveTransform(points, to_tile)
        off_centre = np.abs(place.reshape(y1 - y0, x1 - x0, 2)).max(axis=2)
        inside, core = off_centre < 1, off_centre < INNER
        centre = quad.mean(axis=0)
        window = maps[:, y0:y1, x0:x1]
        window[0][inside & (window[0] == 0)] = -1
        window[0][core] = 1
        pixel = np.stack([xs, ys], axis=0) * LOCATOR_STRIDE_PX + (LOCATOR_STRIDE_PX - 1) / 2
        shape = shape_of(
            (quad[1] + quad[2] - quad[0] - quad[3]) / 2, (quad[2] + quad[3] - quad[0] - quad[1]) / 2
        )
        for axis in range(2):
            window[1 + axis][inside] = (centre[axis] - pixel[axis])[inside] / LOCATOR_UNIT_PX
        for number, value in enumerate(shape):
            window[3 + number][inside] = value
        window[8][inside] = np.where(core, 1.0, 0.3)[inside]
        faces[y0:y1, x0:x1][core] = face
    return maps, faces


def photo_tiles(photos: Sequence[PhotoTruth]) -> list[TileSource]:
    """One source of tiles for each photo, so that a city's tiles share their light."""
    return [sources.tile_source(sources.photographed_tiles(photo)) for photo in photos]
