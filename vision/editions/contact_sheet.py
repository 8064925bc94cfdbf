"""Contact sheet: one picture of all faces of an edition, and of its board."""

from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np

from vision.arrays import Image
from vision.editions.edition import Edition

THUMB_PX: Final = 96
"""Side of the picture of a face."""
COLUMNS: Final = 8
"""Pictures in a row."""
_GAP_PX: Final = 8
_LABEL_PX: Final = 18
_BOARD_PX: Final = 600
"""Longer side of the board's picture."""
_PAPER: Final = 245
_INK: Final = (40, 40, 40)
_FONT: Final = cv2.FONT_HERSHEY_SIMPLEX
_FONT_SIZE: Final = 0.38


def draw_contact_sheet(edition: Edition) -> Image:
    """Draw all pictures of the faces, each under its name, in the order of the description; BGR."""
    pictures = list(_named_pictures(edition))
    step_x, step_y = THUMB_PX + _GAP_PX, THUMB_PX + _LABEL_PX + _GAP_PX
    rows = -(-len(pictures) // COLUMNS)
    height, width = rows * step_y + _GAP_PX, COLUMNS * step_x + _GAP_PX
    sheet = np.full((height, width, 3), _PAPER, np.uint8)
    for number, (label, picture) in enumerate(pictures):
        row, column = divmod(number, COLUMNS)
        left, top = _GAP_PX + column * step_x, _GAP_PX + row * step_y
        _draw_label(sheet, label, (left, top + _LABEL_PX - 6))
        thumb = _resize_to(picture, THUMB_PX)
        top += _LABEL_PX
        sheet[top : top + thumb.shape[0], left : left + thumb.shape[1]] = thumb
    if edition.board_picture is None:
        return sheet
    board = _resize_to(edition.board_picture, _BOARD_PX)
    below = np.full((board.shape[0] + _GAP_PX, width, 3), _PAPER, np.uint8)
    below[: board.shape[0], _GAP_PX : _GAP_PX + board.shape[1]] = board
    return np.vstack((sheet, below))


def _named_pictures(edition: Edition) -> Iterator[tuple[str, Image]]:
    for face in edition.description.faces:
        pictures = edition.pictures.get(face.name, ())
        for number, picture in enumerate(pictures, 1):
            yield (face.name if len(pictures) == 1 else f"{face.name} {number}"), picture


def _resize_to(picture: Image, longer_side_px: int) -> Image:
    height, width = picture.shape[:2]
    scale = longer_side_px / max(height, width)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def _draw_label(sheet: Image, label: str, at: tuple[int, int]) -> None:
    """Draw a label no wider than a picture."""
    (width, _), _ = cv2.getTextSize(label, _FONT, _FONT_SIZE, 1)
    size = _FONT_SIZE * min(1.0, THUMB_PX / width)
    cv2.putText(sheet, label, at, _FONT, size, _INK, 1, cv2.LINE_AA)
