"""Tell a photo that shows nothing from one that shows no city, and why a city is hard to read."""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Corners, Image, percentile
from vision.errors import PhotoError
from vision.patches.cut import Pyramid, crop_window, level_for_tiles
from vision.patches.embedding import TILE_PX
from vision.reading import Note, NoteCode, note

MIN_BRIGHTNESS: Final = 24
"""99th percentile of brightness, 0 to 255, under which nothing can be read."""
MIN_CITY_BRIGHTNESS: Final = 60
"""The same of a city that is hard to read for want of light."""
MIN_DETAIL: Final = 1.5
"""Grey levels that the finest details reach in a photo that shows anything sharply."""
MIN_SHARPNESS: Final = 0.42
"""The finest details relative to those thrice as coarse; sharp photos reach 0.8 and more, also
noisy ones, those blurred by 4 pixels, which can just be read, 0.4, by 8 pixels 0.2."""
DETAIL_PERCENTILE: Final = 99.5
"""Percentile of the details of a photo that counts as what they reach."""
NOTABLE_DETAIL: Final = 9.0
"""Details of so many grey levels are no blur, whatever lies beside them."""
MIN_COLOUR: Final = 0.06
"""Between the channels of a pixel, relative to the brightest ones; printed tiles differ by more."""
MIN_TILE_PX: Final = 26
"""Of tiles of fewer pixels too little of the emblem is seen, and some are not found at all."""
_LONGER_SIDE_PX: Final = 640


def refuse_if_hopeless(image: Image, name: str) -> None:
    """Refuse a photo in which no city was found and which could not have shown one.

    Raises:
        PhotoError: ``photo-too-dark``, ``photo-blurred`` or ``photo-colourless``.
    """
    grey = _small(_grey(image))
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
    """Refuse a photo in black and white.

    Raises:
        PhotoError: ``photo-colourless``.
    """
    # Single pixels tell it as well as their means, which take longer
    planes = cv2.split(_small(image, cv2.INTER_NEAREST))
    most = np.asarray(cv2.max(cv2.max(planes[0], planes[1]), planes[2]), np.uint8)
    spread = most - np.asarray(cv2.min(cv2.min(planes[0], planes[1]), planes[2]), np.uint8)
    brightest = max(percentile(most, 99), 1.0)
    if percentile(spread, 99) < MIN_COLOUR * brightest:
        raise PhotoError(
            "photo-colourless",
            "the photo has no colours, by which tiles are known: take it with a colour camera",
            name,
        )


def photo_notes(image: Image) -> list[Note]:
    """Notes on a photo in which a city may have been missed altogether."""
    grey = _small(_grey(image))
    notes = []
    if percentile(grey, 99) < MIN_CITY_BRIGHTNESS:
        notes.append(Note(NoteCode.DARK))
    if _is_blurred(grey):
        notes.append(Note(NoteCode.BLURRED))
    return notes


def city_quality_note(image: Image, outline_px: Corners, tile_px: float) -> Note | None:
    """What makes a city hard to read and what to do about it; None: nothing that shows.

    Args:
        image: the photo.
        outline_px: of the city.
        tile_px: width of its tiles.
    """
    side = min(_LONGER_SIDE_PX, round(4 * tile_px))
    grey = _grey(crop_window(image, outline_px, (0.0, 0.0, 1.0, 1.0), side))
    if percentile(grey, 99) < MIN_CITY_BRIGHTNESS:
        return note(NoteCode.TOO_DARK)
    if _is_blurred(grey):
        return note(NoteCode.OUT_OF_FOCUS)
    return None


def edge_evenness(photo: Pyramid, grids_px: Sequence[Corners], tile_px: float) -> float:
    """Edges across the direction in which they are weakest, as a share of the strongest, 0 to 1.

    A camera that moves smears all edges but those along its way, whichever way the tiles lie;
    by how much is measured where tiles are as large as the patches that are embedded.

    Args:
        photo: that shows the grids.
        grids_px: corners (4, 2) of at least one grid.
        tile_px: width of their tiles.

    The directions are those of the structure tensor (Bigün and Granlund 1987).
    """
    halvings = level_for_tiles(tile_px)
    image = photo.level(halvings)
    shrink = min(1.0, TILE_PX / tile_px) * 2**halvings
    across_x = across_y = both = 0.0
    for corners in grids_px:
        outline = (corners + 0.5) / 2**halvings - 0.5
        left, top, wide, high = cv2.boundingRect(outline)
        right, bottom = left + wide, top + high
        left, top = max(left, 0), max(top, 0)
        part = image[top : max(bottom, 0), left : max(right, 0)]
        if not part.size:
            continue
        size_wh = [max(1, round(side * shrink)) for side in part.shape[1::-1]]
        small = cv2.resize(_grey(part), size_wh, interpolation=cv2.INTER_AREA)
        inside = np.zeros(small.shape, np.uint8)
        within = (outline - (left, top) + 0.5) * shrink - 0.5
        cv2.fillConvexPoly(inside, np.round(within).astype(np.int32), 1)
        x, y = (np.asarray(v[inside > 0], np.float32) for v in cv2.spatialGradient(small))
        across_x, across_y = across_x + float(x @ x), across_y + float(y @ y)
        both += float(x @ y)
    spread = float(np.hypot(across_x - across_y, 2 * both))
    return (across_x + across_y - spread) / max(across_x + across_y + spread, 1e-9)


def _small(image: Image, how: int = cv2.INTER_AREA) -> Image:
    height, width = image.shape[:2]
    shrink = _LONGER_SIDE_PX / max(height, width)
    size = (max(1, round(width * shrink)), max(1, round(height * shrink)))
    return np.asarray(cv2.resize(image, size, interpolation=how), np.uint8)


def _grey(image: Image) -> NDArray[np.uint8]:
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)


def _is_blurred(grey: NDArray[np.uint8]) -> bool:
    levels = grey.astype(np.float32)
    soft = cv2.GaussianBlur(levels, (0, 0), 1.0)
    details = cv2.absdiff(levels, soft)
    # Counting takes a tenth of the time of the percentile, which few photos need
    if np.count_nonzero(details >= NOTABLE_DETAIL) >= (1 - DETAIL_PERCENTILE / 100) * details.size:
        return False
    fine = float(np.percentile(details, DETAIL_PERCENTILE))
    softer = cv2.GaussianBlur(levels, (0, 0), 3.0)
    coarse = float(np.percentile(np.abs(soft - softer), DETAIL_PERCENTILE))
    return fine < MIN_SHARPNESS * coarse or fine < MIN_DETAIL
