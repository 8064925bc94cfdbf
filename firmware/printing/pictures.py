"""Drawn pieces as pictures for a PDF, each made once."""

from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO

import cv2
import numpy as np
from reportlab.lib.utils import ImageReader

from firmware.printing.page import MM_PER_INCH
from vision.arrays import Image

_JPEG_QUALITY = 90
_FULL_COLOUR = [
    cv2.IMWRITE_JPEG_QUALITY,
    _JPEG_QUALITY,
    cv2.IMWRITE_JPEG_SAMPLING_FACTOR,
    cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444,
]
"""Colours as sharp as the shapes: thin red lines on green stay clean."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A square piece to cut out.

    Attributes:
        name: what is on it; pieces of one name look alike.
        draw: gives its picture for an edge in pixels.
    """

    name: str
    draw: Callable[[int], Image]


class Pictures:
    """Pictures of pieces, kept for the copies that follow.

    Attributes:
        px_per_mm: how finely they are drawn.
    """

    def __init__(self, dpi: float) -> None:
        """Draw with so many dots to an inch."""
        self.px_per_mm = dpi / MM_PER_INCH
        self._made: dict[tuple[str, float, float], ImageReader] = {}

    def pixels(self, length_mm: float) -> int:
        """A length in whole pixels."""
        return round(length_mm * self.px_per_mm)

    def of(self, piece: Piece, edge_mm: float, bleed_mm: float = 0.0) -> ImageReader:
        """The picture of a piece, ``bleed_mm`` larger at each edge: its outermost pixels go on."""
        key = piece.name, edge_mm, bleed_mm
        if key not in self._made:
            image = piece.draw(self.pixels(edge_mm))
            rim = self.pixels(bleed_mm)
            if rim:
                image = np.pad(image, ((rim, rim), (rim, rim), (0, 0)), mode="edge")
            self._made[key] = for_pdf(image)
        return self._made[key]


def for_pdf(image: Image) -> ImageReader:
    """A picture (h, w, 3), BGR, as a PDF takes it."""
    _, jpeg = cv2.imencode(".jpg", image, _FULL_COLOUR)
    return ImageReader(BytesIO(jpeg.tobytes()))
