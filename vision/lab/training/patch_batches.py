"""Training batches of the embedder: random faces, each photographed several times."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Image, floats
from vision.lab.simulate.drawing import Rng, Sketch, one_of
from vision.lab.simulate.light import compress_jpeg
from vision.lab.simulate.table_tops import table_top
from vision.lab.training.tile_families import (
    SIDE_PX,
    FamilyPool,
    any_background,
    random_tile_colour,
)
from vision.patches.embedding import (
    LOG_OFFSET,
    MARGIN_PX,
    PART_COUNT,
    PARTS_ACROSS,
    PATCH_PX,
    TILE_PX,
)

CANVAS_PX = 3 * SIDE_PX
FACES_AT_ONCE = 8
"""Faces of a family in a batch, so that most negatives are from the same box."""
ALIKE = 0.1
"""Faces that differ by less than this (root mean square of logarithms) count as the same."""
THUMBNAIL_PX = 7 * PARTS_ACROSS
MAX_CORNER_ERROR = 0.15
"""Mean corner error in tile widths above which a patch counts neither in the loss of corners nor in
that of whole tiles."""
BACKGROUNDS = 40
OTHER_SIZE = 0.05
"""Some tiles are larger or smaller than they are taken for, by about so much."""


@dataclass(frozen=True, slots=True, eq=False)
class PatchBatch:
    """A batch of patches.

    Attributes:
        patches: (n, PATCH_PX, PATCH_PX, 3).
        faces: (n,) number of the face; a patch of no whole tile has a number of its own.
        pictures: (n,) number of the picture of the face; -1 where something stands on the tile,
            or none is seen.
        alike: (faces, faces) True where two faces cannot be distinguished.
        apart: (pictures, pictures, PART_COUNT) difference of two pictures in each part.
        corners: (n, 4, 2) errors of the tile's corners, in tile widths.
        whole: (n,) 1 for a tile in its place; 0 for table or the joint between tiles; -1, ignored,
            for a tile whose corners are off by more than ``MAX_CORNER_ERROR``.
    """

    patches: NDArray[np.uint8]
    faces: NDArray[np.int64]
    pictures: NDArray[np.int64]
    alike: NDArray[np.bool_]
    apart: Floats
    corners: Floats
    whole: Floats


class PatchBatches:
    """Endless batches from families and table tops, each used several times."""

    def __init__(self, rng: Rng) -> None:
        self.rng, self.pool = rng, FamilyPool()
        self.backgrounds: list[Image] = []

    def _draw_background(self) -> Image:
        rng, room = self.rng, 80
        if len(self.backgrounds) < BACKGROUNDS or rng.random() < 0.02:
            size_wh = CANVAS_PX + room, CANVAS_PX + room
            self.backgrounds.append(table_top(rng, size_wh, float(rng.uniform(50, 140))))
            if len(self.backgrounds) > BACKGROUNDS:
                self.backgrounds.pop(int(rng.integers(BACKGROUNDS)))
        x, y = (int(v) for v in rng.integers(0, room, 2))
        part = one_of(rng, self.backgrounds)[y : y + CANVAS_PX, x : x + CANVAS_PX]
        return np.rot90(part, int(rng.integers(4))).copy()

    def draw(self, faces: int, views: int, others: int) -> PatchBatch:
        """Draw a batch: ``faces`` faces in ``views`` patches each, and ``others`` of no tile."""
        rng = self.rng
        patches: list[Image] = []
        corners: list[Floats] = []
        thumbnails: list[Floats] = []
        firsts: list[int] = []  # number of the first picture of each face
        pictures: list[int] = []
        while len(firsts) < faces:
            some = self._faces_to_distinguish()
            around = [picture for one in some for picture in one]
            for one in some[: faces - len(firsts)]:
                firsts.append(len(thumbnails))
                thumbnails += [_thumbnail(picture) for picture in one]
                for _ in range(views):
                    shown = int(rng.integers(len(one)))
                    canvas, bare = self._draw_among(one[shown], around)
                    patch, off = _cut_patch(rng, canvas, (0.0, 0.0))
                    patches.append(patch)
                    corners.append(off)
                    pictures.append(firsts[-1] + shown if bare else -1)
        patches += [self._draw_no_tile(aside=bool(n % 2)) for n in range(others)]
        off = np.concatenate([floats(corners), np.zeros((others, 4, 2), np.float32)])
        is_near = np.abs(off).mean(axis=(1, 2)) < MAX_CORNER_ERROR
        whole = np.where(np.arange(len(off)) < faces * views, np.where(is_near, 1, -1), 0)
        flat = np.stack(thumbnails)[firsts].reshape(faces, -1)
        alike = np.zeros((faces + others, faces + others), bool)
        alike[:faces, :faces] = np.sqrt(((flat[:, None] - flat) ** 2).mean(axis=2)) < ALIKE
        return PatchBatch(
            relit(rng, np.stack(patches)),
            np.concatenate([np.repeat(np.arange(faces), views), faces + np.arange(others)]),
            np.array([*pictures, *[-1] * others]),
            alike,
            _apart(np.stack(thumbnails)),
            off,
            floats(whole),
        )

    def _draw_no_tile(self, *, aside: bool) -> Image:
        """Draw a patch between tiles, or of the table."""
        rng, off = self.rng, np.zeros(2)
        if aside:
            pictures = [picture for face in self.pool.family(rng).faces for picture in face]
            canvas, _ = self._draw_among(one_of(rng, pictures), pictures)
            off = rng.permutation([1, rng.random()]) * rng.choice([-1, 1], 2)
            off = off * rng.uniform(0.32, 0.5, 2)
        elif rng.random() < 0.4:
            small = any_background(rng)(rng, random_tile_colour(rng), SIDE_PX)
            canvas = np.asarray(cv2.resize(small, (CANVAS_PX, CANVAS_PX)), np.uint8)
        else:
            canvas = self._draw_background()
        return _cut_patch(rng, canvas, (float(off[0]), float(off[1])))[0]

    def _faces_to_distinguish(self) -> list[list[Image]]:
        """Return the pictures of some faces of one box, at times with slightly changed copies."""
        rng = self.rng
        faces = self.pool.family(rng).faces
        some = [list(faces[n]) for n in rng.permutation(len(faces))[:FACES_AT_ONCE].tolist()]
        if rng.random() < 0.5:
            some = [[np.rot90(p, int(rng.integers(4))).copy() for p in one] for one in some]
        if rng.random() < 0.25:  # windows of tiles are embedded, too
            some = [[_zoomed(rng, one[0])] for one in some]
        if rng.random() < 0.6:  # the same face the other way round, or with one colour changed
            some += [[_changed(rng, one[0])] for one in some[: FACES_AT_ONCE // 2]]
        return some

    def _draw_among(self, face: Image, neighbours: list[Image]) -> tuple[Image, bool]:
        """Draw a face among others or on a table; return also whether nothing stands on it."""
        rng, canvas = self.rng, self._draw_background()
        lonely, gap = rng.random() < 0.15, float(rng.choice([0, 0, 1, 2, 4, 7]))
        shade = np.float32(rng.choice([0, 1], p=[0.2, 0.8]) * rng.uniform(0.1, 0.5))
        for place in [n for n in range(9) if n != 4] + [4]:
            if place != 4 and (lonely or rng.random() < 0.18):
                continue
            picture, spot = face, np.full(2, SIDE_PX)
            if place != 4:
                picture = np.rot90(one_of(rng, neighbours), int(rng.integers(4)))
                steps = np.array(divmod(place, 3)) - 1
                spot = np.rint(SIDE_PX + steps * (SIDE_PX + gap) + rng.normal(0, 1.2, 2)).astype(
                    int
                )
            (ya, xa), (yb, xb) = np.maximum(spot, 0), np.minimum(spot + SIDE_PX, CANVAS_PX)
            edge = canvas[max(ya - 2, 0) : yb + 3, max(xa - 2, 0) : xb + 3]
            edge[:] = edge * (1 - shade)
            y, x = spot
            canvas[ya:yb, xa:xb] = picture[ya - y : yb - y, xa - x : xb - x]
        bare = bool(rng.random() >= 0.12)
        if not bare:  # something small stands on it
            x, y = (SIDE_PX + rng.uniform(0.15, 0.85, 2) * SIDE_PX).tolist()
            wide, tall = (rng.uniform(0.06, 0.17, 2) * SIDE_PX).tolist()
            Sketch(canvas, 1).oval(
                x, y, wide, tall, random_tile_colour(rng), float(rng.uniform(0, 180))
            )
        return canvas, bare


def _changed(rng: Rng, face: Image) -> Image:
    """Return a face turned, or with its colours exchanged in one part."""
    chance = rng.random()
    if chance < 0.4:
        return np.rot90(face, int(rng.integers(1, 4))).copy()
    other = face.copy()
    if chance < 0.6:  # another hue where one colour stands out
        grey = face.astype(np.int16)
        away = np.abs(grey - np.median(grey.reshape(-1, 3), axis=0)).sum(axis=2)
        part = away > np.percentile(away, float(rng.uniform(50, 85)))
        other[part] = np.clip(face[part] * np.exp2(rng.normal(0, 0.7, 3)), 0, 255).astype(np.uint8)
        return other
    size = int(rng.uniform(0.12, 0.35) * SIDE_PX)  # an emblem is another
    x, y = (int(v) for v in rng.integers(4, SIDE_PX - size - 4, 2))
    part = other[y : y + size, x : x + size]
    part[:] = part[::-1, :, rng.permutation(3)] if rng.random() < 0.5 else part.mean(axis=(0, 1))
    return other


def _zoomed(rng: Rng, face: Image) -> Image:
    """Enlarge about half of a face to the size of a whole one."""
    size = int(rng.uniform(0.45, 0.6) * SIDE_PX)
    x, y = (int(v) for v in rng.integers(0, SIDE_PX - size + 1, 2))
    part = cv2.resize(
        face[y : y + size, x : x + size], (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_LINEAR
    )
    return np.asarray(part, np.uint8)


def _thumbnail(face: Image) -> Floats:
    """Return a face as the network can see it: small, logarithms less their mean."""
    small = cv2.resize(face, (THUMBNAIL_PX, THUMBNAIL_PX), interpolation=cv2.INTER_AREA)
    levels = np.log(floats(small) + LOG_OFFSET)
    return floats(levels - levels.mean(axis=(0, 1)))


def _apart(thumbnails: Floats) -> Floats:
    """Compute ``PatchBatch.apart`` of thumbnails (n, THUMBNAIL_PX, THUMBNAIL_PX, 3)."""
    side = THUMBNAIL_PX // PARTS_ACROSS
    parts = thumbnails.reshape(len(thumbnails), PARTS_ACROSS, side, PARTS_ACROSS, side, 3)
    flat = parts.transpose(1, 3, 0, 2, 4, 5).reshape(PART_COUNT, len(thumbnails), -1)
    square = (flat**2).sum(axis=2)
    away = square[:, :, None] + square[:, None] - 2 * flat @ flat.transpose(0, 2, 1)
    return floats(np.sqrt(np.maximum(away, 0) / flat.shape[2]).transpose(1, 2, 0))


def _square(low: float, high: float) -> Floats:
    return floats([[low, low], [high, low], [high, high], [low, high]])


def _cut_patch(rng: Rng, canvas: Image, aside: tuple[float, float]) -> tuple[Image, Floats]:
    """Cut a patch of the middle tile, from near or far; return also the errors of its corners."""
    true = _square(SIDE_PX - 0.5, 2 * SIDE_PX - 0.5)
    spread = float(rng.choice([0.005, 0.02, 0.04, 0.07, 0.12], p=[0.22, 0.33, 0.25, 0.1, 0.1]))
    angle = float(rng.normal(0, spread * 0.7))
    c, s = np.cos(angle), np.sin(angle)
    scale = spread * 0.6 if rng.random() < 0.7 else OTHER_SIZE
    turn = floats([[c, s], [-s, c]]) * np.float32(np.exp(rng.normal(0, scale)))
    middle = true.mean(axis=0)
    off = rng.normal(0, spread, 2) + aside + rng.normal(0, spread * 0.4, (4, 2))
    guess = floats((true - middle) @ turn + middle + off * SIDE_PX)
    seen = int(np.exp(rng.uniform(np.log(20), np.log(90))))
    shrink = SIDE_PX * PATCH_PX / TILE_PX / seen
    if shrink > 1.3:
        canvas = np.asarray(cv2.GaussianBlur(canvas, (0, 0), 0.4 * shrink), np.uint8)
    meant = _square(MARGIN_PX - 0.5, MARGIN_PX + TILE_PX - 0.5)
    place = (meant + 0.5) * np.float32(seen / PATCH_PX) - 0.5
    warp = cv2.getPerspectiveTransform(guess, place)
    edges = cv2.BORDER_REPLICATE
    patch = floats(cv2.warpPerspective(canvas, warp, (seen, seen), borderMode=edges)) / np.float32(
        255
    )
    if rng.random() < 0.5:
        blur = float(abs(rng.normal(0, 0.025))) * seen + 0.2
        patch = floats(cv2.GaussianBlur(patch, (0, 0), blur))
    if rng.random() < 0.6:
        noise = rng.uniform(-0.5, 0.5, patch.shape)
        patch = floats(patch + noise * abs(rng.normal(0, 0.06)))
    levels = compress_jpeg(patch, int(rng.integers(40, 95)) if rng.random() < 0.4 else 100)
    how = cv2.INTER_AREA if seen > PATCH_PX else cv2.INTER_LINEAR
    small = cv2.resize(levels, (PATCH_PX, PATCH_PX), interpolation=how)
    to_patch = cv2.getPerspectiveTransform(guess, meant)
    lies = cv2.perspectiveTransform(true[:, None], to_patch)[:, 0]
    return np.asarray(small, np.uint8), floats((lies - meant) / TILE_PX)


def relit(rng: Rng, patches: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Light each patch (n, h, w, 3) in its own way."""
    n = len(patches)

    def some(share: float, values: NDArray[np.floating], none: float) -> Floats:
        """Pick ``values`` with probability ``share``, else the neutral ``none``."""
        return floats(np.where(rng.random(n) < share, values, none)).reshape(n, 1, 1, 1)

    out = floats(patches)
    gains = np.exp2(floats(rng.normal(0, 0.25, (n, 1, 1, 3))))
    out *= gains * some(0.7, np.exp2(rng.normal(0, 0.5, n)), 1.0)
    line = np.linspace(-1, 1, patches.shape[1], dtype=np.float32)
    down, across = line[None, :, None, None], line[None, None, :, None]
    slope = floats(rng.normal(0, 0.12, (2, n, 1, 1, 1)))
    out *= np.exp2(slope[0] * down + slope[1] * across)
    edge = floats(rng.normal(0, 1, (3, n, 1, 1, 1)))  # of a shadow
    side = edge[0] * down + edge[1] * across + 0.5 * edge[2]
    out *= 1 - some(0.15, rng.uniform(0.2, 0.7, n), 0.0) / (1 + np.exp(-side * 6))
    veil = 1 + 0.8 * floats(rng.normal(0, 1, (n, 1, 1, 1))) * down
    haze = some(0.25, rng.uniform(0, 0.5, n), 0.0) * np.clip(veil, 0, 1.5)
    out = out * (1 - haze) + 240 * haze
    out = 255 * np.clip(out / 255, 0, None) ** some(0.5, np.exp2(rng.normal(0, 0.3, n)), 1.0)
    grey = out.mean(axis=3, keepdims=True)
    out = grey + (out - grey) * some(0.35, np.exp2(rng.normal(0, 0.5, n)), 1.0)
    return np.asarray(np.clip(out, 0, 255), np.uint8)
