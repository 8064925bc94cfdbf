"""Quality of a photo and of its grids: brightness, sharpness and colour."""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Corners, Image, darkest_channel, percentile, to_grey
from vision.errors import PhotoError
from vision.patches.cut import WHOLE_QUAD, cut_upright
from vision.reading import Note, NoteCode, note

MIN_BRIGHTNESS: Final = 24
"""Minimum 99th percentile of brightness, 0 to 255, of a photo in which anything can be read."""
MIN_GOOD_BRIGHTNESS: Final = 60
"""The same for a photo or grid with enough light to be read well; below it there is a note."""
MIN_DETAIL: Final = 1.5
"""Minimum amplitude of the finest details, in grey levels, of a photo with anything sharp in it."""
MIN_SHARPNESS: Final = 0.42
"""Minimum amplitude of the finest details relative to details three times as coarse.

Sharp photos reach 0.8 and more, noisy ones too; photos blurred by 4 pixels, which can just be read,
0.4; by 8 pixels 0.2.
"""
DETAIL_PERCENTILE: Final = 99.5
"""Percentile of the details' amplitudes that is compared."""
MIN_SHARP_DETAIL: Final = 9.0
"""Amplitude in grey levels of details that no blurred photo shows."""
MIN_COLOUR: Final = 0.06
"""Minimum difference between channels relative to the brightest level; printed tiles have more."""
_LONGER_SIDE_PX: Final = 640
"""Longer side of the reduced image in which quality is measured."""


def refuse_if_poor(image: Image, name: str) -> None:
    """Raise an error for a photo that is too dark, blurred or colourless.

    Call it only if no tile is sure: poor photos may show a grid well enough.

    Raises:
        PhotoError: ``photo-too-dark``, ``photo-blurred`` or ``photo-colourless``.
    """
    grey = _reduce(to_grey(image))
    if percentile(grey, 99) < MIN_BRIGHTNESS:
        raise PhotoError(
            "photo-too-dark", "the photo is too dark to see a table: switch on a light", name
        )
    if _is_blurred(grey):
        raise PhotoError(
            "photo-blurred",
            "nothing in the photo is sharp: focus the camera and hold it still",
            name,
        )
    refuse_if_colourless(image, name)


def refuse_if_colourless(image: Image, name: str) -> None:
    """Raise an error for a photo in black and white.

    Raises:
        PhotoError: ``photo-colourless``.
    """
    # Sampling single pixels is enough and faster than averaging
    small = _reduce(image, cv2.INTER_NEAREST)
    blue, green, red = cv2.split(small)
    highest = np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)
    difference = highest - darkest_channel(small)
    brightest = max(percentile(highest, 99), 1.0)
    if percentile(difference, 99) < MIN_COLOUR * brightest:
        raise PhotoError(
            "photo-colourless",
            "the photo has no colours, by which tiles are known: take it with a colour camera",
            name,
        )


def photo_notes(image: Image) -> list[Note]:
    """Return notes on a photo that is too poor to be sure that no grid was missed."""
    grey = _reduce(to_grey(image))
    notes = []
    if percentile(grey, 99) < MIN_GOOD_BRIGHTNESS:
        notes.append(Note(NoteCode.DARK))
    if _is_blurred(grey):
        notes.append(Note(NoteCode.BLURRED))
    return notes


def grid_quality_note(image: Image, outline_px: Corners, tile_px: float) -> Note | None:
    """Return a note on what makes a grid hard to read; None if light and focus are good.

    Args:
        image: Decoded image of the photo.
        outline_px: Corners of the grid.
        tile_px: Side of its tiles.
    """
    side = min(_LONGER_SIDE_PX, round(4 * tile_px))
    grey = to_grey(cut_upright(image, outline_px, WHOLE_QUAD, side))
    if percentile(grey, 99) < MIN_GOOD_BRIGHTNESS:
        return note(NoteCode.TOO_DARK)
    if _is_blurred(grey):
        return note(NoteCode.OUT_OF_FOCUS)
    return None


def _reduce(image: Image, interpolation: int = cv2.INTER_AREA) -> Image:
    height, width = image.shape[:2]
    shrink = _LONGER_SIDE_PX / max(height, width)
    size = (max(1, round(width * shrink)), max(1, round(height * shrink)))
    return np.asarray(cv2.resize(image, size, interpolation=interpolation), np.uint8)


def _is_blurred(grey: NDArray[np.uint8]) -> bool:
    levels = grey.astype(np.float32)
    soft = cv2.GaussianBlur(levels, (0, 0), 1.0)
    details = cv2.absdiff(levels, soft)
    # Counting takes a tenth of the time of the percentile, which few photos need
    if (
        np.count_nonzero(details >= MIN_SHARP_DETAIL)
        >= (1 - DETAIL_PERCENTILE / 100) * details.size
    ):
        return False
    fine = float(np.percentile(details, DETAIL_PERCENTILE))
    softer = cv2.GaussianBlur(levels, (0, 0), 3.0)
    coarse = float(np.percentile(np.abs(soft - softer), DETAIL_PERCENTILE))
    return fine < MIN_SHARPNESS * coarse or fine < MIN_DETAIL
