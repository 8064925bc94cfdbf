"""Training samples of the two tile readers: crops with their labels, endlessly varied."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.arrays import Corners, FloatImage, Homography, Image, floats, transformed
from vision.networks import EMBLEM_CLASSES, FACE_CLASSES
from vision.rectify import UNIT_SQUARE, emblem_crop, face_crop
from vision.simulate.photometry import photographed, smooth_field
from vision.simulate.scene import TableCanvas, TileSource, camera_view, rotated, square
from vision.training.sources import NO_FACE
from vision.training.truth import FACES

NO_TILE = FACE_CLASSES - 1
NO_EMBLEM = EMBLEM_CLASSES - 1
VEILED_SHARE = 0.12
"""So many crops lie under a mirrored lamp."""
NEIGHBOURS = tuple((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0))


@dataclass(frozen=True, slots=True)
class Exhibit:
    """A tile in a picture: what the crops are cut from."""

    image: Image
    quad_px: Corners
    face: int


@dataclass(frozen=True, slots=True)
class FaceSample:
    """A sample of the face reader.

    Attributes:
        crop: 48 x 48 pixels.
        label: of FACE_CLASSES: the face, and by how many quarters the crop begins at another corner
            of the tile; or ``NO_TILE``.
        corners: (8,) where the tile's corners lie off those of the crop, in tile widths.
    """

    crop: Image
    label: int
    corners: NDArray[np.float32]


def staged_exhibit(
    rng: np.random.Generator, table_top: Image, source: TileSource, middle: TileSource | None
) -> Exhibit:
    """What lies amid other tiles on a table.

    Args:
        rng: decides where all lies and from where it is seen.
        table_top: as large as the scene, which is square.
        source: of the tiles around.
        middle: gives what lies amid them, with a face below 0 for what is no tile; None: nothing,
            which looks like a place of a city from which a tile is missing.
    """
    size = table_top.shape[0]
    view = camera_view(
        (size, size),
        tile_px=float(rng.uniform(0.18, 0.42)) * size,
        tilt=float(rng.uniform(0, 0.5)),
        towards=float(rng.uniform(0, 2 * np.pi)),
        roll=float(rng.uniform(0, 2 * np.pi)),
    )
    canvas = TableCanvas(table_top, view)
    gap = float(rng.choice([0.0, 0.02, 0.06, 0.12]))
    shadow = (*rng.normal(0, 0.04, 2), float(rng.uniform(0, 0.6)))
    for dx, dy in NEIGHBOURS:
        if rng.random() < 0.3:
            continue
        place = floats([dx, dy]) * (1 + gap) + rng.normal(0, 0.015, 2)
        canvas.lay_tile(source(rng)[1], square(place, float(rng.normal(0, 0.015))), shadow)
    corners = square(rng.normal(0, 0.015, 2), float(rng.normal(0, 0.015)))
    if middle is None:
        return Exhibit(canvas.finished(), transformed(corners, view), NO_FACE)
    face, picture = middle(rng)
    quad = canvas.lay_tile(picture, corners, shadow)
    return Exhibit(canvas.finished(), quad, face)


def to_unit_square(quad_px: Corners) -> Homography:
    """From pixels to the unit square of a tile."""
    return np.asarray(cv2.getPerspectiveTransform(quad_px, UNIT_SQUARE), np.float64)


def in_pixels(corners: ArrayLike, quad_px: Corners) -> Corners:
    """Corners given in the unit square of the tile ``quad_px``."""
    back = np.asarray(np.linalg.inv(to_unit_square(quad_px)), np.float64)
    return transformed(floats(corners), back)


def jittered(rng: np.random.Generator, quad_px: Corners, amount: float) -> Corners:
    """A quad as an imperfect locator would give it; ``amount`` in tile widths."""
    turn, size = rng.normal(0, amount), 1 + rng.normal(0, amount)
    corners = rotated(UNIT_SQUARE - 0.5, turn) * np.float32(size) + 0.5
    moved_together = corners + rng.normal(0, amount, 2)
    return in_pixels(moved_together + rng.normal(0, amount * 0.4, (4, 2)), quad_px)


def misplaced(rng: np.random.Generator, quad_px: Corners) -> Corners:
    """A quad that no longer frames its tile: shifted by a good part of it, or of the wrong size."""
    size = float(rng.choice([1.0, 1.0, 0.5, 0.62, 1.7, 2.1]))
    shift = np.zeros(2)
    if size == 1.0:
        angle = rng.uniform(0, 2 * np.pi)
        shift = np.array([np.cos(angle), np.sin(angle)]) * rng.uniform(0.38, 0.6)
    turn = rng.normal(0, 0.05) if rng.random() < 0.7 else np.pi / 4
    corners = rotated(UNIT_SQUARE - 0.5, turn) * np.float32(size) + 0.5
    return in_pixels(corners + shift, quad_px)


def covered(rng: np.random.Generator, image: Image, quad_px: Corners, share: float) -> Image:
    """The picture with something flat of about ``share`` of the tile's area lying on the tile."""
    out = image.copy()
    side = float(np.sqrt(cv2.contourArea(quad_px)))
    weights = rng.dirichlet(np.ones(4)).astype(np.float32)
    centre = weights @ quad_px
    colour = tuple(int(v) for v in rng.integers(0, 256, 3))
    if rng.random() < 0.5:
        corners = int(rng.integers(3, 8))
        angles = np.sort(rng.uniform(0, 2 * np.pi, corners))
        radius = side * np.sqrt(share / 2.4) * rng.uniform(0.8, 1.2, corners)
        points = centre + np.column_stack([np.cos(angles), np.sin(angles)]) * radius[:, None]
        cv2.fillPoly(out, [points.astype(np.int32)], colour, cv2.LINE_AA)
    else:
        axes = side * np.sqrt(share / np.pi) * np.exp(rng.normal(0, 0.3, 2))
        cv2.ellipse(
            out,
            tuple(int(v) for v in centre),
            tuple(int(v) + 1 for v in axes),
            float(rng.uniform(0, 180)),
            0,
            360,
            colour,
            -1,
            cv2.LINE_AA,
        )
    return out


def coarser(rng: np.random.Generator, crop: Image) -> Image:
    """The crop as if the tile had been photographed with fewer pixels."""
    if rng.random() < 0.5:
        return crop
    size = crop.shape[0]
    less = int(size * rng.uniform(0.42, 1.0))
    small = cv2.resize(crop, (less, less), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, (size, size), interpolation=cv2.INTER_LINEAR), np.uint8)


def aged_print(rng: np.random.Generator, crop: Image) -> Image:
    """Another print run: hue, saturation and brightness of the inks differ a little."""
    if rng.random() < 0.5:
        return crop
    hsv = cv2.cvtColor(crop, cv2.COLOR_BGR2HSV).astype(np.int16)
    hsv[..., 0] = (hsv[..., 0] + int(rng.normal(0, 3))) % 180
    hsv[..., 1:] = np.clip(hsv[..., 1:] * rng.uniform(0.75, 1.2, 2), 0, 255)
    return np.asarray(cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2BGR), np.uint8)


def veiled(rng: np.random.Generator, crop: FloatImage) -> FloatImage:
    """A lamp mirrored all over the tile: its bright colours drown in white.

    Takes and returns float32 (h, w, 3), about 0 to 1; darker colours stay apart.
    """
    h, w = crop.shape[:2]
    share = floats(rng.uniform(0.15, 0.6) + 0.15 * smooth_field(rng, (w, h), cells=2))
    colour = np.exp2(floats(rng.normal(0, 0.12, 3)))
    return floats(crop + np.clip(share, 0, 0.7)[..., None] * colour)


def as_photographed(rng: np.random.Generator, crop: Image, strength: float) -> Image:
    """The crop as a camera may have taken it, up to that strength, at times under a lamp."""
    effects = (veiled,) if rng.random() < VEILED_SHARE else ()
    return photographed(rng, crop, float(rng.uniform(0, strength)), effects)


def windowed(exhibit: Exhibit) -> Exhibit:
    """The neighbourhood of the tile alone, so that later steps touch few pixels."""
    x0, y0 = exhibit.quad_px.min(axis=0)
    x1, y1 = exhibit.quad_px.max(axis=0)
    reach = 0.9 * max(x1 - x0, y1 - y0)
    h, w = exhibit.image.shape[:2]
    left, top = int(max(0, x0 - reach)), int(max(0, y0 - reach))
    right, bottom = int(min(w, x1 + reach)), int(min(h, y1 + reach))
    window = exhibit.image[top:bottom, left:right]
    return Exhibit(window, exhibit.quad_px - floats([left, top]), exhibit.face)


def face_sample(rng: np.random.Generator, exhibit: Exhibit) -> FaceSample:
    """A varied crop of the tile, turned by a random quarter, or of no tile at all."""
    exhibit = windowed(exhibit)
    image, true_quad = exhibit.image, exhibit.quad_px
    no_corners = np.zeros(8, np.float32)
    kind = rng.random()
    if exhibit.face == NO_FACE:
        turned = np.roll(true_quad, int(rng.integers(0, 4)), axis=0)
        crop = face_crop(image, jittered(rng, turned, 0.04))
        label, offsets = NO_TILE, no_corners
    elif kind < 0.12:
        crop = face_crop(image, misplaced(rng, true_quad))
        label, offsets = NO_TILE, no_corners
    elif kind < 0.17:
        image = covered(rng, image, true_quad, 0.75)
        crop = face_crop(image, jittered(rng, true_quad, 0.03))
        label, offsets = NO_TILE, no_corners
    else:
        if kind < 0.25:
            image = covered(rng, image, true_quad, float(rng.uniform(0.03, 0.2)))
        turns = int(rng.integers(0, 4)) if rng.random() < 0.6 else 0
        true_quad = np.roll(true_quad, turns, axis=0)
        amount = float(rng.choice([0.015, 0.04, 0.07]))
        taken = jittered(rng, true_quad, amount)
        crop = face_crop(image, taken)
        label = turns * len(FACES) + exhibit.face
        offsets = (transformed(true_quad, to_unit_square(taken)) - UNIT_SQUARE).ravel()
    crop = as_photographed(rng, aged_print(rng, coarser(rng, crop)), 0.9)
    return FaceSample(crop, label, np.clip(offsets, -0.4, 0.4))


def background_sample(rng: np.random.Generator, image: Image, quads: Sequence[Corners]) -> Image:
    """A face crop somewhere on the table where no tile is."""
    h, w = image.shape[:2]
    for _ in range(20):
        side = float(rng.uniform(30, 110)) * min(1.0, w / 1200)
        centre = rng.uniform(0, 1, 2) * (w, h)
        if all(np.hypot(*(quad.mean(axis=0) - centre)) > 0.9 * side + 40 for quad in quads):
            break
    quad = square(centre, float(rng.uniform(0, 2 * np.pi)), side)
    return as_photographed(rng, face_crop(image, quad), 0.9)


def emblem_sample(rng: np.random.Generator, exhibit: Exhibit) -> tuple[Image, int]:
    """A varied 32x32 crop of the emblem and its face, or of a tile corner without an emblem."""
    exhibit = windowed(exhibit)
    image, quad, label = exhibit.image, exhibit.quad_px, exhibit.face
    if label == NO_FACE:
        label = NO_EMBLEM
    kind = rng.random()
    if kind < 0.14:
        quad, label = np.roll(quad, int(rng.integers(1, 4)), axis=0), NO_EMBLEM
    elif kind < 0.2:
        quad, label = misplaced(rng, quad), NO_EMBLEM
    taken = jittered(rng, quad, float(rng.choice([0.01, 0.025, 0.04])))
    crop = emblem_crop(image, taken)
    if kind > 0.95:
        size = crop.shape[0]
        crop = covered(rng, crop, square((size / 2, size / 2), 0, size * 0.6), 0.7)
        label = NO_EMBLEM
    crop = aged_print(rng, coarser(rng, crop))
    return as_photographed(rng, crop, 0.7), label
