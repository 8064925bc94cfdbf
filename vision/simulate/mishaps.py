"""What people do to a table before they photograph it: cover tiles, turn them, cut cities off."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from scoring.faces import Place
from vision.arrays import Corners, FloatImage, Points, floats, transformed
from vision.simulate.props import random_prop
from vision.simulate.scene import TableCanvas, rectangle
from vision.simulate.sprites import Prop

COVERS: Final = ("token", "finger", "coin", "die", "hand", "pencil", "reference-card", "token")
"""What lies on a tile that cannot be seen, a token most often."""
_HALF_TURN_CHANCE: Final = 0.5
_WIDEST_COVER: Final = 3.0


@dataclass(frozen=True, slots=True)
class Mishaps:
    """How many of each kind are in a photo.

    Attributes:
        covered: tiles that something lies on.
        turned: single tiles that lie upside down or turned by a quarter.
        cut_off: cities that run off the edge of the picture.
    """

    covered: int = 0
    turned: int = 0
    cut_off: int = 0


NO_MISHAPS: Final = Mishaps()


def choose_turned(
    rng: np.random.Generator, singles: Sequence[Place], count: int
) -> dict[Place, int]:
    """Which of the single tiles lie turned, by how many quarters clockwise."""
    chosen = rng.permutation(len(singles))[:count]
    return {
        singles[int(n)]: 2 if rng.random() < _HALF_TURN_CHANCE else int(rng.choice([1, 3]))
        for n in chosen
    }


def cut_off(
    rng: np.random.Generator, place: tuple[float, float], reach: tuple[float, float]
) -> tuple[float, float]:
    """A place for a city such that about one or two of its rows lie outside the picture.

    Args:
        rng: decides how many.
        place: where the city would lie, tile widths from the middle of the picture.
        reach: of the picture from its middle, tile widths.
    """
    beyond = float(rng.uniform(-1.3, -0.4))  # of the city's middle
    across = int(abs(place[0]) / reach[0] < abs(place[1]) / reach[1])
    moved = list(place)
    moved[across] = float(np.copysign(reach[across] + beyond, place[across]))
    return moved[0], moved[1]


def cover_tile(rng: np.random.Generator, canvas: TableCanvas, quad: Corners) -> FloatImage:
    """Lay something on a tile.

    Args:
        rng: decides what and how.
        canvas: the table with all tiles laid.
        quad: of the tile on the plane.

    Returns:
        Which part (h, w) of each pixel of the picture it hides, 0 to 1.
    """
    size = float(np.hypot(*(quad[1] - quad[0])))
    prop = random_prop(rng, 96.0, COVERS[int(rng.integers(len(COVERS)))])
    wide, tall = (
        side * size * min(1.0, _WIDEST_COVER / max(prop.size_tiles)) for side in prop.size_tiles
    )
    angle = float(rng.uniform(0, 2 * np.pi))
    tip = _tip(prop, tall, angle)
    corners = rectangle(
        quad.mean(axis=0) + floats(rng.uniform(-0.25, 0.25, 2) * size) + tip, angle, (wide, tall)
    )
    canvas.lay(prop.image_bgra, corners, (0.05, 0.06, 0.45))
    return _hidden(prop, corners, canvas)


def _tip(prop: Prop, tall: float, angle: float) -> Points:
    """How far to move a long thing so that its upper end lies where its middle would."""
    if max(prop.size_tiles) < 1.2:
        return floats([0, 0])
    reach = max(0.0, tall / 2 - 0.35)
    return floats([-np.sin(angle) * reach, np.cos(angle) * reach])


def _hidden(prop: Prop, corners: Corners, canvas: TableCanvas) -> FloatImage:
    height, width = canvas.image.shape[:2]
    h, w = prop.image_bgra.shape[:2]
    source = floats([[0, 0], [w, 0], [w, h], [0, h]]) - 0.5
    warp = cv2.getPerspectiveTransform(source, transformed(corners, canvas.view))
    alpha = cv2.warpPerspective(prop.image_bgra[..., 3], warp, (width, height))
    return floats(alpha) / np.float32(255)


def share_inside(mask: FloatImage, quad_px: Corners) -> float:
    """The mean of a mask (h, w) over a quad; what lies outside the picture counts as 0."""
    low = np.floor(quad_px.min(axis=0)).astype(int)
    high = np.ceil(quad_px.max(axis=0)).astype(int) + 1
    x0, y0 = np.maximum(low, 0)
    x1, y1 = np.minimum(high, mask.shape[1::-1])
    if x1 <= x0 or y1 <= y0:
        return 0.0
    inside = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillConvexPoly(inside, np.rint(quad_px - floats([x0, y0])).astype(np.int32), 1)
    area = max(float(cv2.contourArea(quad_px)), 1.0)
    return min(1.0, float((mask[y0:y1, x0:x1] * inside).sum()) / max(area, float(inside.sum())))


def lies_outside(quad_px: Corners, size_wh: tuple[int, int]) -> bool:
    """Whether a part of a quad lies outside the picture."""
    low, high = quad_px.min(axis=0), quad_px.max(axis=0)
    return bool((low < -0.5).any() or high[0] > size_wh[0] - 0.5 or high[1] > size_wh[1] - 0.5)
