"""Pictures with a transparent surrounding, to be laid on a table."""

from collections.abc import Callable
from typing import NamedTuple

import cv2
import numpy as np

from vision.arrays import Image
from vision.simulate.drawing import Board

_SUPERSAMPLING = 2
_BLEED_PX = 7


class Prop(NamedTuple):
    """Something that lies on a table.

    Attributes:
        image_bgra: (height, width, 4); straight alpha, 255 opaque. Fully transparent pixels near
            the edge carry the colour of the object, so that the picture can be warped.
        size_tiles: width and height in edges of a game tile.
    """

    image_bgra: Image
    size_tiles: tuple[float, float]


PropMaker = Callable[[np.random.Generator, float], Prop]
"""Takes the generator and the resolution in pixels per tile edge."""


def blank(width: float, height: float, px_per_tile: float) -> Board:
    """A transparent board whose unit is the edge of a game tile."""
    px = px_per_tile * _SUPERSAMPLING
    shape = max(4, round(height * px)), max(4, round(width * px)), 4
    return Board(np.zeros(shape, np.uint8), px)


def thinned(board: Board, share: float) -> None:
    """Make all that is drawn so far translucent: ``share`` 0 vanishes, 1 stays."""
    board.image[:] = cv2.convertScaleAbs(board.image, alpha=share)


def finished(board: Board) -> Prop:
    """Reduce a board made by ``blank`` and drawn upon to its final resolution."""
    drawn = board.image  # colour times alpha, as all was drawn on transparent black
    height, width = drawn.shape[:2]
    size_wh = max(2, width // _SUPERSAMPLING), max(2, height // _SUPERSAMPLING)
    small = cv2.resize(drawn, size_wh, interpolation=cv2.INTER_AREA)
    alpha = small[:, :, 3]
    if alpha.min() < 255:
        spread = cv2.blur(small.astype(np.float32), (_BLEED_PX, _BLEED_PX))
        source = np.where((alpha > 0)[:, :, None], small.astype(np.float32), spread)
        colour = source[:, :, :3] * (255.0 / np.maximum(source[:, :, 3:], 1e-3))
        small[:, :, :3] = np.clip(colour + 0.5, 0, 255).astype(np.uint8)
    return Prop(
        small.astype(np.uint8, copy=False), (width / board.px_per_unit, height / board.px_per_unit)
    )
