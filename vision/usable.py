"""Tell a photo that shows nothing from one that shows no city."""

import cv2
import numpy as np

from vision.arrays import Image
from vision.errors import PhotoError

TOO_DARK = 24
"""99th percentile of brightness, 0 to 255, under which nothing can be read."""
LEAST_DETAIL = 1.5
"""Grey levels that the finest details reach in a photo that shows anything sharply."""
LEAST_SHARPNESS = 0.3
"""The finest details relative to those thrice as coarse; sharp photos reach 0.8 and more, also
noisy ones, those blurred by 4 pixels 0.4, by 8 pixels 0.2."""
NOTABLE_DETAIL = 6.0
"""Details of so many grey levels are no blur, whatever lies beside them."""


def refuse_if_hopeless(image: Image, name: str) -> None:
    """Refuse a photo that shows nothing.

    Raises:
        PhotoError: ``photo-too-dark`` or ``photo-blurred``.
    """
    height, width = image.shape[:2]
    shrink = 640 / max(height, width)
    size = (max(1, round(width * shrink)), max(1, round(height * shrink)))
    grey = cv2.cvtColor(cv2.resize(image, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    if float(np.percentile(grey, 99)) < TOO_DARK:
        raise PhotoError(
            "photo-too-dark", "the photo is too dark to see a table: switch on a light", name
        )
    levels = grey.astype(np.float32)
    soft, softer = (cv2.GaussianBlur(levels, (0, 0), sigma) for sigma in (1.0, 3.0))
    fine = float(np.percentile(np.abs(levels - soft), 99.5))
    coarse = float(np.percentile(np.abs(soft - softer), 99.5))
    smooth = fine < NOTABLE_DETAIL and fine < LEAST_SHARPNESS * coarse
    if smooth or fine < LEAST_DETAIL:
        raise PhotoError(
            "photo-blurred",
            "nothing in the photo is sharp: focus the camera and hold it still",
            name,
        )
