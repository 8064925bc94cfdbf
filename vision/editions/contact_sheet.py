"""One picture that shows all that an edition has learned."""

import cv2
import numpy as np

from vision.arrays import Image
from vision.editions.edition import FACES, PICTURE_PX, Edition

_GAP_PX = 8
_LABEL_PX = 20
_PAPER = 245
_INK = (40, 40, 40)


def contact_sheet(edition: Edition) -> Image:
    """A column for each face under its name, a row for each example; BGR."""
    step = PICTURE_PX + _GAP_PX
    height = _LABEL_PX + edition.example_count * step + _GAP_PX
    sheet = np.full((height, len(FACES) * step + _GAP_PX, 3), _PAPER, np.uint8)
    for column, face in enumerate(FACES):
        left = _GAP_PX + column * step
        origin = (left, _LABEL_PX - 6)
        cv2.putText(sheet, face.value, origin, cv2.FONT_HERSHEY_SIMPLEX, 0.4, _INK, 1, cv2.LINE_AA)
        for row, picture in enumerate(edition.examples[face]):
            top = _LABEL_PX + row * step
            sheet[top : top + PICTURE_PX, left : left + PICTURE_PX] = picture
    return sheet
