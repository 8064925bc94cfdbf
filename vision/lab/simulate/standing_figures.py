"""Figures that stand on a table, seen in perspective, with the shadow they cast.

A figure is a stack of slices: each lies at its height above the plane, so that the body leans away
from the point below the camera.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Points, floats, in_channels
from vision.lab.simulate.drawing import Colour, Rng
from vision.lab.simulate.table_canvas import UNIT_MM, Shadow, Spot, TableCanvas, box_of

Profile = Sequence[tuple[float, float]]
"""Heights (0 to 1) and radii (1 at the foot) from the foot to the top."""

_HEAD: Final = tuple(
    (0.79 + 0.21 * float(np.sin(a)), 0.56 * float(np.cos(a))) for a in np.linspace(-0.9, 1.5, 9)
)
PROFILES: Final[tuple[Profile, ...]] = (
    ((0.0, 1.0), (0.1, 1.0), (0.2, 0.62), (0.4, 0.4), (0.6, 0.32), *_HEAD),
    ((0.0, 1.0), (0.06, 1.0), (0.14, 0.74), (0.55, 0.52), (0.6, 0.34), *_HEAD),
    ((0.0, 1.0), (0.25, 0.88), (0.58, 0.42), (0.62, 0.36), *_HEAD),
)
"""Forms of figures: a pawn, a person, a cone with a head."""
CIRCLE: Final = floats([(np.cos(a), np.sin(a)) for a in np.linspace(0, 2 * np.pi, 28)])
_SLICES: Final = 26
_LIT: Final = ((1.0, 0.58), (0.78, 0.72), (0.45, 0.87))
"""Sizes of the parts of a slice, each nearer to the lamp, and their brightness."""
_SUPERSAMPLING: Final = 3


@dataclass(frozen=True, slots=True)
class Lamp:
    """Lamp above a table.

    Attributes:
        away: Offset (x, y) of a shadow for each unit of height.
        darkness: Darkness of shadows, 0 to 1.
    """

    away: Spot
    darkness: float

    @classmethod
    def random(cls, rng: Rng) -> "Lamp":
        """Return a lamp in a random direction."""
        angle, slope = float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(0.25, 0.9))
        away = slope * float(np.cos(angle)), slope * float(np.sin(angle))
        return cls(away, float(rng.uniform(0.25, 0.6)))

    def shadow(self, thickness_mm: float) -> Shadow:
        """Return the shadow of a flat thing."""
        high = thickness_mm / UNIT_MM
        return self.away[0] * high, self.away[1] * high, self.darkness


@dataclass(frozen=True, slots=True, eq=False)
class SimulatedFigure:
    """Figure that stands on the plane.

    Attributes:
        foot: Centre of its foot.
        foot_mm: Diameter of its foot.
        height_mm: Height above the table.
        colour_bgr: Colour of its paint.
        profile: Form from the side.
        outline: Shape (n, 2), form from above; 1 is the radius of the foot.
    """

    foot: Spot
    foot_mm: float
    height_mm: float
    colour_bgr: Colour
    profile: Profile = PROFILES[0]
    outline: Points = field(default_factory=lambda: CIRCLE)

    def slices(self) -> list[tuple[float, float]]:
        """Return height and radius of its slices in units of the plane, from the foot up."""
        heights, radii = zip(*self.profile, strict=True)
        at = np.linspace(0, max(heights), _SLICES)
        wide = np.interp(at, heights, radii) * (self.foot_mm / 2 / UNIT_MM)
        return list(zip((at * (self.height_mm / UNIT_MM)).tolist(), wide.tolist(), strict=True))


def draw_figures(
    canvas: TableCanvas, figures: Sequence[SimulatedFigure], lamp: Lamp, *, hiding: bool = False
) -> NDArray[np.int32]:
    """Draw figures, the farthest from the camera's foot first, as the nearer ones hide them.

    Args:
        canvas: Canvas with the table.
        figures: Figures on the table.
        lamp: Lamp above the table.
        hiding: Whether the figures count as things that hide tiles.

    Returns:
        Shape (h, w), number of the figure that each pixel shows, from 1; 0 for none.
    """
    owner, foot = np.zeros(canvas.image.shape[:2], np.int32), canvas.camera.foot
    for figure in figures:
        _cast_shadow(canvas, figure, lamp)
    away = [-float(np.hypot(*(figure.foot - foot))) for figure in figures]
    for number in np.argsort(away, kind="stable").tolist():
        _draw(canvas, owner, number, figures[number], lamp)
    if hiding:
        canvas.hidden[owner > 0] = 1
    return owner


def _draw(
    canvas: TableCanvas, owner: NDArray[np.int32], number: int, figure: SimulatedFigure, lamp: Lamp
) -> None:
    foot, slices = floats(figure.foot), figure.slices()
    light = -floats(lamp.away) / max(float(np.hypot(*lamp.away)), 1e-6)
    parts = []
    for height, radius in slices:
        for size, bright in _LIT:
            middle = foot + light * np.float32(radius * (1 - size) * 0.8)
            outline = canvas.camera.to_ideal_px(middle + figure.outline * (radius * size), height)
            parts.append((outline, bright * (1 + 0.24 * height / slices[-1][0])))
    box = box_of(np.concatenate([outline for outline, _ in parts]), owner.shape, 2)
    if box is None:
        return
    under, origin = canvas.image[box], floats([box[1].start, box[0].start])
    h, w = under.shape[:2]
    drawn = np.zeros((h * _SUPERSAMPLING, w * _SUPERSAMPLING, 4), np.uint8)
    for outline, bright in parts:
        fixed = np.rint(((outline - origin + 0.5) * _SUPERSAMPLING - 0.5) * 16).astype(np.int32)
        paint = [min(255.0, v * bright + 12 * max(bright - 0.8, 0)) for v in figure.colour_bgr]
        cv2.fillConvexPoly(drawn, fixed, (*paint, 255), cv2.LINE_8, 4)
    small = floats(cv2.resize(drawn, (w, h), interpolation=cv2.INTER_AREA))
    alpha = small[..., 3] / np.float32(255)  # drawn on black, so colours are multiplied by it
    canvas.image[box] = under * in_channels(1 - alpha) + small[..., :3]
    owner[box][alpha > 0.5] = number + 1


def _cast_shadow(canvas: TableCanvas, figure: SimulatedFigure, lamp: Lamp) -> None:
    foot, away = floats(figure.foot), floats(lamp.away)
    discs = [
        canvas.camera.to_ideal_px(foot + away * np.float32(height) + figure.outline * radius)
        for height, radius in figure.slices()
    ]
    box = box_of(np.concatenate(discs), canvas.image.shape, 6)
    if box is None:
        return
    mask = np.zeros(canvas.image[box].shape[:2], np.uint8)
    for outline in discs:
        inside = np.rint(outline - floats([box[1].start, box[0].start])).astype(np.int32)
        cv2.fillConvexPoly(mask, inside, 255)
    softness = 0.6 + 0.02 * math.hypot(*mask.shape)
    shade = floats(cv2.GaussianBlur(mask, (0, 0), softness)) / np.float32(255)
    canvas.image[box] *= in_channels(1 - np.float32(lamp.darkness) * shade)
