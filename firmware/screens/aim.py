"""What the camera sees while it is being mounted, as a view and as a picture of one bit."""

import math
from itertools import groupby

import cv2
import numpy as np

from firmware.camera.aim import Aim
from firmware.screens.crop import one_bit
from firmware.screens.views import AIM_PICTURE_WH, AimView, Bitmap
from vision.arrays import Image


def aim_view(aim: Aim, image_bgr: Image) -> AimView:
    """What the display says of a picture.

    Args:
        aim: what the picture says.
        image_bgr: the picture.
    """
    stand = aim.stand
    height_mm = None if stand is None else stand.height_mm
    return AimView(
        advice=aim.advice,
        picture=aim_picture(aim, image_bgr, AIM_PICTURE_WH),
        light=aim.light,
        sharpness=aim.sharpness,
        players=0 if stand is None else stand.players,
        height_cm=None if height_mm is None else round(height_mm / 10),
        tilt_deg=None if stand is None else round(stand.tilt_deg),
        heights_cm=grouped_heights(aim),
    )


def aim_picture(aim: Aim, image_bgr: Image, most_wh: tuple[int, int]) -> Bitmap:
    """The picture in lit and dark pixels, with the outline of the cities that fit.

    Args:
        aim: what the picture says.
        image_bgr: the picture, larger than the result.
        most_wh: width and height of the result at most; its sides are as those of the picture.
    """
    height, width = image_bgr.shape[:2]
    shrink = min(most_wh[0] / width, most_wh[1] / height)
    size_wh = (round(width * shrink), round(height * shrink))
    bitmap = one_bit(image_bgr, size_wh)
    if aim.stand is None or aim.stand.table_px is None:
        return bitmap
    rows = np.frombuffer(bitmap.bits, np.uint8).reshape(size_wh[1], -1)
    lit = np.unpackbits(rows, axis=1)[:, : size_wh[0]]
    outline = np.rint((np.array(aim.stand.table_px) + 0.5) * shrink - 0.5).astype(np.int32)
    for level, thickness in ((0, 3), (1, 1)):
        cv2.polylines(lit, [outline], isClosed=True, color=level, thickness=thickness)
    return Bitmap(size_wh, np.packbits(lit, axis=1).tobytes())


def grouped_heights(aim: Aim) -> tuple[tuple[str, int], ...]:
    """Heights in cm, rounded up, with the numbers of players that need as much: ``("2-4", 68)``."""
    rounded = [(players, math.ceil(height_mm / 10)) for players, height_mm in aim.heights_mm]
    groups = []
    for height_cm, several in groupby(rounded, key=lambda each: each[1]):
        counts = [players for players, _ in several]
        span = f"{counts[0]}-{counts[-1]}" if len(counts) > 1 else f"{counts[0]}"
        groups.append((span, height_cm))
    return tuple(groups)
