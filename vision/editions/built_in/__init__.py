"""Built-in editions, drawn for Stadtblick: one folder a game.

Each drawing is an SVG file in true size, and beside it the PNG picture of it that the eye compares
with photos. ``edition.toml`` describes the edition (docs/edition-format.md); docs/printing.md says
how to change a drawing.
"""

from functools import cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.arrays import Image

BUILT_IN_FOLDER: Final = Path(__file__).parent

_BETWEEN_TWO_CITIES: Final = BUILT_IN_FOLDER / "between-two-cities"


@cache
def tile_picture(name: str, size_px: int) -> Image:
    """Return the picture of an upright tile of Between Two Cities.

    Args:
        name: Name of a face, or ``back``.
        size_px: Side of the picture, at most that of the file.

    Returns:
        BGR picture (size_px, size_px, 3), read-only.

    Raises:
        ValueError: The file has fewer pixels.
    """
    file = _BETWEEN_TWO_CITIES / f"{name}.png"
    picture = cv2.imread(str(file), cv2.IMREAD_COLOR)
    if picture is None:
        raise FileNotFoundError(file)
    if not 0 < size_px <= len(picture):
        raise ValueError(f"{name} has {len(picture)} pixels a side: {size_px} cannot be given")
    size_wh = size_px, size_px
    reduced = np.asarray(cv2.resize(picture, size_wh, interpolation=cv2.INTER_AREA), np.uint8)
    reduced.setflags(write=False)
    return reduced
