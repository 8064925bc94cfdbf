"""Practice for the embedding: random faces, each taken several times as tables and cameras vary."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Image, floats
from vision.embedding import (
    LIFT,
    MARGIN_PX,
    PARTS,
    PARTS_ACROSS,
    PATCH_PX,
    TILE_PX,
)
from vision.simulate.table_tops import table_top
from vision.training.tile_art import SIDE_PX, Family, any_ground, family, tint

Rng = np.random.Generator
Floats = NDArray[np.float32]

CANVAS_PX = 3 * SIDE_PX
FACES_AT_ONCE = 8
"""Of one family in a batch, so that most negatives are from the same box."""
ALIKE = 0.1
"""Faces that differ by less than this (root mean square of logarithms) count as the same."""
SIGN_PX = 7 * PARTS_ACROSS
FAR = 0.15
"""A tile whose corners lie off by more than this in the mean is not asked where they lie."""


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """A batch of patches.

    Attributes:
        patches: (n, PATCH_PX, PATCH_PX, 3).
        faces: (n,) number of the face; those that are no whole tile have numbers of their own.
        pictures: (n,) number of the picture of the face; -1 where something stands on the tile,
            or none is seen.
        alike: (faces, faces) whether two faces cannot be told apart.
        apart: (pictures, pictures, PARTS) by how much two pictures differ in each part.
        corners: (n, 4, 2) how far off the tile's corners lie, in tile widths.
        whole: (n,) 1 for a tile in its place, 0 for none or one far off, -1 for neither.
    """

    patches: NDArray[np.uint8]
    faces: NDArray[np.int64]
    pictures: NDArray[np.int64]
    alike: NDArray[np.bool_]
    apart: Floats
    corners: Floats
    whole: Floats


class Practice:
    """Endless lessons from families and table tops that come again."""

    def __init__(self, rng: Rng) -> None:
        self.rng = rng
        self.families: list[Family] = []
        self.grounds: list[Image] = []

    def _family(self) -> Family:
        if len(self.families) < 300 or self.rng.random() < 0.25:
            new = family(self.rng, least_faces=2)
            if len(self.families) < 300:
                self.families.append(new)
            else:
                self.families[int(self.rng.integers(300))] = new
            return new
        return self.families[int(self.rng.integers(len(self.families)))]

    def _ground(self) -> Image:
        if len(self.grounds) < 40 or self.rng.random() < 0.02:
            size = float(self.rng.uniform(50, 140))
            picture = table_top(self.rng, (CANVAS_PX + 80, CANVAS_PX + 80), size)
            if len(self.grounds) >= 40:
                self.grounds.pop(int(self.rng.integers(40)))
            self.grounds.append(picture)
        picture = self.grounds[int(self.rng.integers(len(self.grounds)))]
        x, y = (int(v) for v in self.rng.integers(0, 80, 2))
        return np.rot90(
            picture[y : y + CANVAS_PX, x : x + CANVAS_PX], int(self.rng.integers(4))
        ).copy()

    def lesson(self, faces: int, views: int, others: int) -> Lesson:
        """Draw a lesson of so many faces in so many views each, and so many patches of no tile."""
        rng = self.rng
        patches: list[Image] = []
        corners: list[Floats] = []
        whole: list[float] = []
        signs: list[Floats] = []
        first_signs: list[Floats] = []
        numbers: list[int] = []
        while len(first_signs) < faces:
            some = self._faces_to_tell_apart()
            around = [picture for one in some for picture in one]
            for one in some[: faces - len(first_signs)]:
                first_signs.append(_sign(one[0]))
                signs += [_sign(picture) for picture in one]
                for _ in range(views):
                    shown = int(rng.integers(len(one)))
                    canvas, bare = self._surrounded(one[shown], around)
                    patch, off = _seen(rng, canvas, (0.0, 0.0))
                    patches.append(patch)
                    corners.append(off)
                    whole.append(1.0 if np.abs(off).mean() < FAR else -1.0)
                    numbers.append(len(signs) - len(one) + shown if bare else -1)
        for n in range(others):
            if n % 2:
                pictures = list(self._family().faces)
                canvas, _ = self._surrounded(pictures[int(rng.integers(len(pictures)))], pictures)
                aside = (
                    rng.uniform(0.32, 0.5, 2)
                    * rng.choice([-1, 1], 2)
                    * rng.permutation([1, rng.random()])
                )
                patch, _ = _seen(rng, canvas, (float(aside[0]), float(aside[1])))
            else:
                canvas = self._ground()
                if rng.random() < 0.4:
                    small = any_ground(rng)(rng, tint(rng), SIDE_PX)
                    canvas = np.asarray(cv2.resize(small, (CANVAS_PX, CANVAS_PX)), np.uint8)
                patch, _ = _seen(rng, canvas, (0.0, 0.0))
            patches.append(patch)
            corners.append(np.zeros((4, 2), np.float32))
            whole.append(0.0)
        flat = np.stack(first_signs).reshape(faces, -1)
        apart = np.sqrt(((flat[:, None] - flat[None]) ** 2).mean(axis=2))
        alike = np.zeros((faces + others, faces + others), bool)
        alike[:faces, :faces] = apart < ALIKE
        return Lesson(
            relit(rng, np.stack(patches)),
            np.concatenate([np.repeat(np.arange(faces), views), faces + np.arange(others)]),
            np.array([*numbers, *[-1] * others]),
            alike,
            _apart(np.stack(signs)),
            floats(corners),
            floats(whole),
        )

    def _faces_to_tell_apart(self) -> list[list[Image]]:
        """Faces of one box, at times with such as differ from them by little: pictures of each."""
        rng = self.rng
        box = self._family()
        some = [
            [box.faces[n], *box.others[n]]
            for n in rng.permutation(len(box.faces))[:FACES_AT_ONCE].tolist()
        ]
        if rng.random() < 0.5:
            some = [[np.rot90(p, int(rng.integers(4))).copy() for p in one] for one in some]
        if rng.random() < 0.25:  # a part of a tile is looked at more closely
            some = [[_zoomed(rng, one[0])] for one in some]
        if rng.random() < 0.6:  # the same face the other way round, or with one colour changed
            some += [[_changed(rng, one[0])] for one in some[: FACES_AT_ONCE // 2]]
        return some

    def _surrounded(self, face: Image, neighbours: list[Image]) -> tuple[Image, bool]:
        """A face among others, or on a table, with gaps and shadows; whether nothing is on it."""
        rng = self.rng
        canvas = self._ground()
        lonely = rng.random() < 0.15
        gap = float(rng.choice([0, 0, 1, 2, 4, 7]))
        shade = float(rng.uniform(0, 0.5))
        places = [(r, c) for r in range(3) for c in range(3) if (r, c) != (1, 1)]
        for row, column in [*places, (1, 1)]:
            if (row, column) != (1, 1) and (lonely or rng.random() < 0.18):
                continue
            picture = face
            if (row, column) != (1, 1):
                picture = np.rot90(
                    neighbours[int(rng.integers(len(neighbours)))], int(rng.integers(4))
                )
            off = rng.normal(0, 1.2, 2)
            x, y = (
                round(float(SIDE_PX + (n - 1) * (SIDE_PX + gap) + o))
                for n, o in zip((column, row), off, strict=True)
            )
            if (row, column) == (1, 1):
                x = y = SIDE_PX
            xa, ya, xb, yb = (
                max(x, 0),
                max(y, 0),
                min(x + SIDE_PX, CANVAS_PX),
                min(y + SIDE_PX, CANVAS_PX),
            )
            if shade > 0.1:
                edge = canvas[max(ya - 2, 0) : yb + 3, max(xa - 2, 0) : xb + 3]
                edge[:] = (edge * np.float32(1 - shade)).astype(np.uint8)
            canvas[ya:yb, xa:xb] = picture[ya - y : yb - y, xa - x : xb - x]
        bare = bool(rng.random() >= 0.12)
        if not bare:
            _put_token(rng, canvas)
        return canvas, bare


def _put_token(rng: Rng, canvas: Image) -> None:
    """Something small stands on the middle tile."""
    x, y = (int(v) for v in SIDE_PX + rng.uniform(0.15, 0.85, 2) * SIDE_PX)
    axes = tuple(int(v) for v in rng.uniform(0.06, 0.17, 2) * SIDE_PX)
    cv2.ellipse(
        canvas, (x, y), axes, float(rng.uniform(0, 180)), 0, 360, tint(rng), -1, cv2.LINE_AA
    )


def _changed(rng: Rng, face: Image) -> Image:
    """The same face turned, or with its colours exchanged in one part."""
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
    """About half of a face, as large as a whole one."""
    size = int(rng.uniform(0.45, 0.6) * SIDE_PX)
    x, y = (int(v) for v in rng.integers(0, SIDE_PX - size + 1, 2))
    part = cv2.resize(
        face[y : y + size, x : x + size], (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_LINEAR
    )
    return np.asarray(part, np.uint8)


def _sign(face: Image) -> Floats:
    """What the network could see of a face: logarithms less their mean."""
    small = cv2.resize(face, (SIGN_PX, SIGN_PX), interpolation=cv2.INTER_AREA)
    levels = np.log(floats(small) + LIFT)
    return floats(levels - levels.mean(axis=(0, 1)))


def _apart(signs: Floats) -> Floats:
    """``Lesson.apart`` of signs (n, SIGN_PX, SIGN_PX, 3)."""
    side = SIGN_PX // PARTS_ACROSS
    parts = signs.reshape(len(signs), PARTS_ACROSS, side, PARTS_ACROSS, side, 3)
    flat = parts.transpose(1, 3, 0, 2, 4, 5).reshape(PARTS, len(signs), -1)
    square = (flat**2).sum(axis=2)
    away = square[:, :, None] + square[:, None] - 2 * flat @ flat.transpose(0, 2, 1)
    return floats(np.sqrt(np.maximum(away, 0) / flat.shape[2]).transpose(1, 2, 0))


def _seen(rng: Rng, canvas: Image, aside: tuple[float, float]) -> tuple[Image, Floats]:
    """A patch of the middle tile, taken from near or far, and where its corners lie."""
    low = float(SIDE_PX) - 0.5
    high = low + SIDE_PX
    true = floats([[low, low], [high, low], [high, high], [low, high]])
    spread = float(rng.choice([0.005, 0.02, 0.04, 0.07, 0.12], p=[0.22, 0.33, 0.25, 0.1, 0.1]))
    angle = float(rng.normal(0, spread * 0.7))
    c, s = np.cos(angle), np.sin(angle)
    middle = true.mean(axis=0)
    guess = (
        (true - middle)
        @ floats([[c, s], [-s, c]])
        * np.float32(np.exp(rng.normal(0, spread * 0.6)))
    )
    guess = guess + middle + floats(rng.normal(0, spread, 2) + aside) * SIDE_PX
    guess = floats(guess + rng.normal(0, spread * 0.4, (4, 2)) * SIDE_PX)
    seen = int(np.exp(rng.uniform(np.log(20), np.log(90))))
    edge = MARGIN_PX / PATCH_PX * seen - 0.5
    far = edge + TILE_PX / PATCH_PX * seen
    place = floats([[edge, edge], [far, edge], [far, far], [edge, far]])
    warp = cv2.getPerspectiveTransform(guess, place)
    shrink = SIDE_PX / (far - edge)
    if shrink > 1.3:
        canvas = np.asarray(cv2.GaussianBlur(canvas, (0, 0), 0.4 * shrink), np.uint8)
    patch = np.asarray(
        cv2.warpPerspective(canvas, warp, (seen, seen), borderMode=cv2.BORDER_REPLICATE), np.uint8
    )
    if rng.random() < 0.5:
        blur = float(abs(rng.normal(0, 0.025))) * seen + 0.2
        patch = np.asarray(cv2.GaussianBlur(patch, (0, 0), blur), np.uint8)
    if rng.random() < 0.6:
        noise = rng.integers(-128, 128, patch.shape, np.int8)
        patch = np.clip(patch + noise * np.float32(abs(rng.normal(0, 0.06))), 0, 255).astype(
            np.uint8
        )
    if rng.random() < 0.4:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(40, 95))]
        packed = cv2.imencode(".jpg", patch, quality)[1]
        patch = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    how = cv2.INTER_AREA if seen > PATCH_PX else cv2.INTER_LINEAR
    patch = np.asarray(cv2.resize(patch, (PATCH_PX, PATCH_PX), interpolation=how), np.uint8)
    to_patch = cv2.getPerspectiveTransform(guess, (place + 0.5) * np.float32(PATCH_PX / seen) - 0.5)
    lies = cv2.perspectiveTransform(true[:, None], to_patch)[:, 0]
    low, high = MARGIN_PX - 0.5, MARGIN_PX + TILE_PX - 0.5
    meant = floats([[low, low], [high, low], [high, high], [low, high]])
    return np.asarray(patch, np.uint8), floats((lies - meant) / TILE_PX)


def relit(rng: Rng, patches: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Each patch (n, h, w, 3) in a light of its own."""
    n = len(patches)

    def some(share: float, values: NDArray[np.floating], none: float) -> Floats:
        """Values where chance has it, and elsewhere what changes nothing."""
        return floats(np.where(rng.random(n) < share, values, none)).reshape(n, 1, 1, 1)

    out = floats(patches)
    out *= np.exp2(floats(rng.normal(0, 0.25, (n, 1, 1, 3)))) * some(
        0.7, np.exp2(rng.normal(0, 0.5, n)), 1.0
    )
    line = np.linspace(-1, 1, patches.shape[1], dtype=np.float32)
    slope = floats(rng.normal(0, 0.12, (2, n, 1, 1, 1)))
    out *= np.exp2(slope[0] * line[None, :, None, None] + slope[1] * line[None, None, :, None])
    edge = floats(rng.normal(0, 1, (3, n, 1, 1)))  # of a shadow
    side = edge[0] * line[None, :, None] + edge[1] * line[None, None, :] + 0.5 * edge[2]
    shade = some(0.15, rng.uniform(0.2, 0.7, n), 0.0)[..., 0]
    out *= (1 - shade / (1 + np.exp(-side * 6)))[..., None]
    haze = some(0.25, rng.uniform(0, 0.5, n), 0.0)
    veil = 1 + 0.8 * floats(rng.normal(0, 1, (n, 1, 1, 1))) * line[None, :, None, None]
    haze = haze * np.clip(veil, 0, 1.5)
    out = out * (1 - haze) + 240 * haze
    power = some(0.5, np.exp2(rng.normal(0, 0.3, n)), 1.0)
    out = 255 * np.clip(out / 255, 0, None) ** power
    grey = out.mean(axis=3, keepdims=True)
    out = grey + (out - grey) * some(0.35, np.exp2(rng.normal(0, 0.5, n)), 1.0)
    return np.asarray(np.clip(out, 0, 255), np.uint8)
