"""Figures that stand on a simulated table, seen in perspective, with the shadow they cast.

A figure is a stack of discs: each lies at its height above the plane, so that the body leans away
from the point below the camera.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import FloatImage, Points, floats
from vision.simulate.camera import Camera
from vision.simulate.canvas import UNIT_MM, Canvas, Shadow, Spot

Profile = Sequence[tuple[float, float]]
"""Height (0 to 1) and radius (1: that of the foot) from the foot to the top."""

_HEAD: Final = tuple(
    (0.79 + 0.21 * float(np.sin(a)), 0.56 * float(np.cos(a))) for a in np.linspace(-0.9, 1.5, 9)
)
PROFILES: Final[tuple[Profile, ...]] = (
    ((0.0, 1.0), (0.1, 1.0), (0.2, 0.62), (0.4, 0.4), (0.6, 0.32), *_HEAD),
    ((0.0, 1.0), (0.06, 1.0), (0.14, 0.74), (0.55, 0.52), (0.6, 0.34), *_HEAD),
    ((0.0, 1.0), (0.25, 0.88), (0.58, 0.42), (0.62, 0.36), *_HEAD),
)
"""Forms of figures: a pawn, a person, a cone with a head."""
_SLICES: Final = 26
_CIRCLE: Final = np.stack(
    [np.cos(np.linspace(0, 2 * np.pi, 28)), np.sin(np.linspace(0, 2 * np.pi, 28))], axis=1
).astype(np.float32)
_SUPERSAMPLING: Final = 3
_SHADOW_ROOM_PX: Final = 6


@dataclass(frozen=True, slots=True)
class Lamp:
    """Where the light comes from.

    Attributes:
        away: how far (x, y) a shadow falls for each unit of height.
        darkness: of shadows, 0 to 1.
    """

    away: Spot
    darkness: float

    def shadow(self, thickness_mm: float) -> Shadow:
        """The shadow of something flat."""
        high = thickness_mm / UNIT_MM
        return self.away[0] * high, self.away[1] * high, self.darkness


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure on the plane.

    Attributes:
        foot: where it stands.
        foot_mm: diameter of what it stands on.
        height_mm: from the table to its top.
        colour_bgr: its paint.
        profile: its form.
    """

    foot: Spot
    foot_mm: float
    height_mm: float
    colour_bgr: tuple[int, int, int]
    profile: Profile = PROFILES[0]

    def slices(self) -> list[tuple[float, float]]:
        """Height and radius of its discs in units of the plane, from the foot up."""
        heights, radii = zip(*self.profile, strict=True)
        at = np.linspace(0, max(heights), _SLICES)
        tall, wide = self.height_mm / UNIT_MM, self.foot_mm / 2 / UNIT_MM
        return [
            (float(h) * tall, float(r) * wide)
            for h, r in zip(at, np.interp(at, heights, radii), strict=True)
        ]


def stand(canvas: Canvas, figures: Sequence[Figure], lamp: Lamp) -> FloatImage:
    """Draw figures, the farthest from the camera's foot first, as the nearer ones hide them.

    Returns:
        Which part (h, w) of each pixel of the picture they hide, 0 to 1.
    """
    hidden, camera = np.zeros(canvas.image.shape[:2], np.float32), canvas.camera
    for figure in figures:
        _cast_shadow(canvas.image, camera, figure, lamp)
    foot = camera.foot
    for figure in sorted(figures, key=lambda f: -float(np.hypot(*(floats(f.foot) - foot)))):
        _draw(canvas.image, hidden, camera, figure, lamp)
    return hidden


def _draw(
    image: FloatImage, hidden: FloatImage, camera: Camera, figure: Figure, lamp: Lamp
) -> None:
    discs = [(h, r, _disc(camera, figure, h, r)) for h, r in figure.slices()]
    box = _window(np.concatenate([outline for *_, outline in discs]), image.shape, 2)
    if box is None:
        return
    x0, y0, x1, y1 = box
    drawn = np.zeros(((y1 - y0) * _SUPERSAMPLING, (x1 - x0) * _SUPERSAMPLING, 4), np.uint8)
    light = -floats(lamp.away) / max(float(np.hypot(*lamp.away)), 1e-6)
    for height, radius, outline in discs:
        share = height / discs[-1][0]
        _fill(drawn, outline, (x0, y0), _shade(figure.colour_bgr, 0.58 + 0.2 * share))
        for size, bright in ((0.78, 0.86), (0.45, 1.04)):
            towards = floats(figure.foot) + light * np.float32(radius * (1 - size) * 0.8)
            lit = camera.ideal(towards + _CIRCLE * np.float32(radius * size), height)
            _fill(drawn, lit, (x0, y0), _shade(figure.colour_bgr, bright * (0.84 + 0.2 * share)))
    small = floats(cv2.resize(drawn, (x1 - x0, y1 - y0), interpolation=cv2.INTER_AREA))
    alpha = small[..., 3:] / np.float32(255)  # drawn on black, so colours are multiplied by it
    image[y0:y1, x0:x1] = image[y0:y1, x0:x1] * (1 - alpha) + small[..., :3]
    covered = hidden[y0:y1, x0:x1]
    covered[:] = 1 - (1 - covered) * (1 - alpha[..., 0])


def _cast_shadow(image: FloatImage, camera: Camera, figure: Figure, lamp: Lamp) -> None:
    discs = [
        camera.ideal(
            floats(figure.foot) + floats(lamp.away) * np.float32(h) + _CIRCLE * np.float32(r)
        )
        for h, r in figure.slices()
    ]
    box = _window(np.concatenate(discs), image.shape, _SHADOW_ROOM_PX)
    if box is None:
        return
    x0, y0, x1, y1 = box
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    for outline in discs:
        cv2.fillConvexPoly(mask, np.rint(outline - floats([x0, y0])).astype(np.int32), 255)
    softness = 0.6 + 0.02 * float(np.hypot(*mask.shape))
    shade = floats(cv2.GaussianBlur(mask, (0, 0), softness)) / np.float32(255)
    image[y0:y1, x0:x1] *= 1 - np.float32(lamp.darkness) * shade[..., None]


def _disc(camera: Camera, figure: Figure, height: float, radius: float) -> Points:
    return camera.ideal(floats(figure.foot) + _CIRCLE * np.float32(radius), height)


def _window(
    points_px: Points, shape: tuple[int, ...], room: int
) -> tuple[int, int, int, int] | None:
    """The part (left, top, right, bottom) of a picture round some points; None: nothing of it."""
    x0, y0 = (max(int(v), 0) for v in np.floor(points_px.min(axis=0)) - room)
    x1, y1 = np.ceil(points_px.max(axis=0)).astype(int) + room + 1
    x1, y1 = min(int(x1), shape[1]), min(int(y1), shape[0])
    return (x0, y0, x1, y1) if x1 - x0 > 1 and y1 - y0 > 1 else None


def _fill(
    drawn: NDArray[np.uint8], outline: Points, origin: tuple[int, int], colour: Sequence[int]
) -> None:
    inside = (outline - floats(origin) + np.float32(0.5)) * np.float32(_SUPERSAMPLING)
    fixed = np.rint((inside - np.float32(0.5)) * 16).astype(np.int32)
    cv2.fillConvexPoly(drawn, fixed, (*colour, 255), cv2.LINE_8, 4)


def _shade(colour: tuple[int, int, int], light: float) -> tuple[int, int, int]:
    blue, green, red = (min(255, round(part * light + 12 * max(light - 0.8, 0))) for part in colour)
    return blue, green, red
