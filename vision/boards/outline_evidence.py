"""How certain it is that a lattice laid over a photo is the whole of a grid of tiles."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Corners, FloatImage, Image, floats
from vision.boards.outline_lattice import AROUND, PITCH_PX, Tiles, TopView, sides_of

_OFFSETS: Final = floats(np.arange(-14, 15) / PITCH_PX)
_NEAR: Final = 0.07
_APART: Final = (0.18, 0.45)
_STRIP: Final = (2, 8)


@dataclass(frozen=True, slots=True)
class Evidence:
    seams: float
    seams_hit: float
    outer: float
    outer_hit: float
    beyond: float
    step: float
    table: float


def measured(image_bgr: Image, unlike: FloatImage, corners: Corners, tiles: Tiles) -> Evidence:
    rows, columns = tiles.shape
    view = TopView.of(image_bgr, corners, rows, columns)
    likeness = TopView.warped(unlike, corners, rows, columns)
    seams, hits, outer, outer_hits, beyond, step, table = [], [], [], [], [], [], []
    for strengths, sides, lab, lik, shown in (
        (view.between_columns(_OFFSETS, 1), sides_of(tiles), view.lab, likeness, view.shown),
        (
            view.between_rows(_OFFSETS, 1),
            sides_of(tiles.T),
            view.lab.transpose(1, 0, 2),
            likeness.T,
            view.shown.T,
        ),
    ):
        near = np.abs(_OFFSETS) < _NEAR
        apart = (np.abs(_OFFSETS) > _APART[0]) & (np.abs(_OFFSETS) < _APART[1])
        on = strengths[:, :, near].max(axis=2)
        off = strengths[:, :, apart].mean(axis=2)
        hit = near[strengths.argmax(axis=2)]
        inner = np.zeros_like(sides)
        inner[:, 1:-1] = sides[:, 1:-1]
        body = slice(1, -1)
        if inner.any():
            seams.append(float((on - off)[body][inner].mean()))
            hits.append(float(hit[body][inner].mean()))
        for line in (0, -1):
            of_side = sides[:, line]
            outer.append(float((on - off)[body][of_side, line].mean()))
            outer_hits.append(float(hit[body][of_side, line].mean()))
            a, b = _strips(lab, line)
            step.append(float(np.median(np.linalg.norm(a - b, axis=1)[of_side])))
            a, b = _strips(lik[..., None], line)
            table.append(float(np.mean((a - b)[of_side])))
        if sides.shape[1] > 2:
            for band in (0, -1):
                c = (on - off)[band, 1:-1]
                beyond.append(float(c.mean()))
    return Evidence(
        min(seams), min(hits), min(outer), min(outer_hits), max(beyond), min(step), min(table)
    )


def _strips(values: FloatImage, line: int) -> tuple[FloatImage, FloatImage]:
    """Mean inside and outside of the first or last line, for each stretch."""
    near, far = _STRIP
    place = AROUND * PITCH_PX if line == 0 else values.shape[1] - AROUND * PITCH_PX
    right, left = values[:, place + near : place + far], values[:, place - far : place - near]
    inside, outside = (right, left) if line == 0 else (left, right)
    bands = slice(AROUND * PITCH_PX, values.shape[0] - AROUND * PITCH_PX)

    def means(strip: FloatImage) -> FloatImage:
        parts = strip[bands].reshape(-1, PITCH_PX, *strip.shape[1:])
        return floats(parts.mean(axis=(1, 2)))

    return means(inside), means(outside)
