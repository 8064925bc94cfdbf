"""How much speaks for a lattice laid over a photo being the whole of a grid of tiles."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Corners, FloatImage, floats
from vision.boards.outline_lattice import PITCH_PX, Scene, Stretches, Tiles, TopView

_OFFSETS: Final = floats(np.arange(-14, 15) / PITCH_PX)
_NEAR: Final = np.abs(_OFFSETS) < 0.07
"""Where an edge lies on its line."""
_APART: Final = np.abs(_OFFSETS) > 0.18
"""Where an edge is something else."""
_STRIP_PX: Final = (2, 8)
"""What is compared on both sides of the outer lines, from the line."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for a lattice; each the least of the directions or sides, ``beyond`` the most.

    Attributes:
        seams: how much stronger edges are along inner lines than beside them, at most 2.
        weakest: the same as ``seams`` of the weakest inner line, as many tiles are halved or
            quartered by their pictures.
        seams_met: share of inner stretches whose strongest edge nearby lies on the line.
        sides: the same as ``seams`` for the outer lines.
        sides_met: the same as ``seams_met`` for the outer lines.
        beyond: the same as ``seams`` for inner lines continued beyond the lattice by a tile.
        step: difference in colour, in levels, between inside and outside.
        table: how much more unlike the table inside is than outside.
    """

    seams: float
    weakest: float
    seams_met: float
    sides: float
    sides_met: float
    beyond: float
    step: float
    table: float

    @property
    def is_hopeless(self) -> bool:
        """Whether a better fit of the same lattice would not help."""
        return min(self.seams, self.sides) < _HOPELESS

    @property
    def is_certain(self) -> bool:
        """Whether all of it together leaves no doubt."""
        return (
            self.seams > _LEAST.seams
            and self.weakest > _LEAST.weakest
            and self.seams_met > _LEAST.seams_met
            and self.sides > _LEAST.sides
            and self.sides_met > _LEAST.sides_met
            and self.beyond < max(_LEAST.beyond, _MOST_CONTINUED * self.seams)
            and self.step > _LEAST.step
            and self.table > _LEAST.table
        )


_LEAST: Final = Evidence(
    seams=0.3,
    weakest=0.25,
    seams_met=0.6,
    sides=0.4,
    sides_met=0.6,
    beyond=0.2,
    step=10.0,
    table=1.2,
)
"""What is asked for; of ``beyond`` what is always allowed."""
_HOPELESS: Final = 0.1
"""With ``seams`` or ``sides`` below this even a rough fit is none."""
_MOST_CONTINUED: Final = 0.62
"""How plain inner lines may seem to go on beyond the lattice, as a share of ``seams``: patterns of
a table also have lines."""


def evidence_for(scene: Scene, corners: Corners, tiles: Tiles) -> Evidence:
    """Measure what speaks for a lattice with these outer corners.

    Args:
        scene: that it lies in.
        corners: in its pixels.
        tiles: that make it up, at least two of them.
    """
    view = TopView.of(scene, corners, tiles)
    parts = [_measured(view), _measured(view.transposed)]
    seams, weakest, met, beyond = np.concatenate([part[0] for part in parts]).T
    sides, sides_met, step, table = np.concatenate([part[1] for part in parts]).T
    return Evidence(
        seams=float(seams.min()),
        weakest=float(weakest.min()),
        seams_met=float(met.min()),
        sides=float(sides.min()),
        sides_met=float(sides_met.min()),
        beyond=float(beyond.max()),
        step=float(step.min()),
        table=float(table.min()),
    )


def _measured(view: TopView) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Of the lines between columns.

    Returns:
        Of the inner lines (m, 4): ``seams``, ``weakest``, ``seams_met`` and ``beyond``; m is 0 if
        there are none. Of the first and the last line (2, 4): the others in their order.
    """
    edges = view.edges(_OFFSETS, beyond=1)
    clear = edges[:, :, _NEAR].max(axis=2) - edges[:, :, _APART].mean(axis=2)
    met = _NEAR[edges.argmax(axis=2)]
    inner = view.sides.copy()
    inner[:, [0, -1]] = False
    seams = np.zeros((0, 4), np.float32)
    if inner.any():
        body = clear[1:-1]
        weakest = min(
            body[inner[:, line], line].mean() for line in np.flatnonzero(inner.any(axis=0))
        )
        beyond = clear[[0, -1], 1:-1].mean(axis=1).max()
        seams = floats([[body[inner].mean(), weakest, met[1:-1][inner].mean(), beyond]])
    steps, table = (_inwards(view, values) for values in (view.lab, view.unlike[..., None]))
    sides = []
    for number, line in enumerate((0, -1)):
        known = view.sides[:, line]
        colour = np.linalg.norm(steps[number], axis=1)
        sides.append(
            (
                clear[1:-1, line][known].mean(),
                met[1:-1, line][known].mean(),
                np.median(colour[known]),
                table[number][known, 0].mean(),
            )
        )
    return seams, floats(sides)


def _inwards(view: TopView, values: FloatImage) -> tuple[Stretches, Stretches]:
    """By how much values (h, w, k) differ inside from outside: first and last line (rows, k)."""
    left, right = view.beside(values, floats([0]), *_STRIP_PX)
    change = right[:, :, 0] - left[:, :, 0]
    return floats(change[:, 0]), floats(-change[:, -1])
