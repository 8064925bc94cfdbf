"""View that helps to mount the camera: live picture, advice and measurements."""

import math
from itertools import groupby

import cv2
import numpy as np

from firmware.camera.aim_measurement import AimMeasurement
from firmware.screens.device_views import AIM_PICTURE_WH, AimView
from firmware.screens.dithering import to_bitmap
from firmware.screens.view import Bitmap
from firmware.wording.ranges import Range
from vision.arrays import Image


def aim_view(measured: AimMeasurement, image_bgr: Image) -> AimView:
    """Return the view of a picture.

    Args:
        measured: Measurements of the picture.
        image_bgr: Shape (height, width, 3), the picture itself.
    """
    pose = measured.pose
    height_mm = None if pose is None else pose.height_mm
    return AimView(
        advice=measured.advice,
        picture=aim_picture(measured, image_bgr, AIM_PICTURE_WH),
        light=measured.light,
        sharpness=measured.sharpness,
        players=0 if pose is None else pose.players,
        height_cm=None if height_mm is None else round(height_mm / 10),
        tilt_deg=None if pose is None else round(pose.tilt_deg),
        heights_cm=grouped_heights_cm(measured),
    )


def aim_picture(measured: AimMeasurement, image_bgr: Image, most_wh: tuple[int, int]) -> Bitmap:
    """Return a picture in lit and dark pixels, with the outline of the cities that fit.

    Args:
        measured: Measurements of the picture.
        image_bgr: Shape (height, width, 3), larger than the result.
        most_wh: Largest width and height of the result, which keeps the proportions.
    """
    height, width = image_bgr.shape[:2]
    shrink = min(most_wh[0] / width, most_wh[1] / height)
    size_wh = (round(width * shrink), round(height * shrink))
    bitmap = to_bitmap(image_bgr, size_wh)
    if measured.pose is None or measured.pose.table_px is None:
        return bitmap
    rows = np.frombuffer(bitmap.bits, np.uint8).reshape(size_wh[1], -1)
    lit = np.unpackbits(rows, axis=1)[:, : size_wh[0]]
    outline = np.rint((np.array(measured.pose.table_px) + 0.5) * shrink - 0.5).astype(np.int32)
    for level, thickness in ((0, 3), (1, 1)):
        cv2.polylines(lit, [outline], isClosed=True, color=level, thickness=thickness)
    return Bitmap(size_wh, np.packbits(lit, axis=1).tobytes())


def grouped_heights_cm(measured: AimMeasurement) -> tuple[tuple[str, int], ...]:
    """Return the needed heights, rounded up, by the numbers of players: ``("2–4", 68)``."""
    rounded = [(players, math.ceil(height_mm / 10)) for players, height_mm in measured.heights_mm]
    groups = []
    for height_cm, several in groupby(rounded, key=lambda each: each[1]):
        counts = [players for players, _ in several]
        groups.append((str(Range(counts[0], counts[-1])), height_cm))
    return tuple(groups)
