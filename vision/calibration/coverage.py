"""How much of the picture the sheet covered."""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from vision.calibration.sheet import SheetView

_MASK_WIDTH: Final = 256


def covered_share(views: Sequence[SheetView]) -> float:
    """Share of the picture, 0 to 1, that lies within the corners of the sheet in some photo."""
    width, height = views[0].size_wh
    scale = _MASK_WIDTH / width
    mask = np.zeros((max(1, round(height * scale)), _MASK_WIDTH), np.uint8)
    for view in views:
        hull = cv2.convexHull(np.asarray(view.corners_px * scale, np.float32))
        cv2.fillConvexPoly(mask, np.rint(hull).astype(np.int32).reshape(-1, 1, 2), 1)
    return float(mask.mean())
