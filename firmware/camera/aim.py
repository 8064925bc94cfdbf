"""What a picture says about where the camera is, and what to do about it: for aiming it.

With the printed calibration sheet flat on the table, its edges along those of the table, one
picture tells height and tilt of the camera and how much of the table it sees. No calibration is
needed: the lens is taken as its maker describes it.
"""

import math
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.base.user_data import calibration_path
from firmware.screens.words import Advice
from hardware.camera import Frame, brightness
from hardware.mount import (
    CAMERAS,
    MARGIN,
    MODULE_3,
    STEEPEST_TILT_DEG,
    TILE_PX,
    CameraModel,
    mount_for,
    table_for,
)
from vision.arrays import Image
from vision.calibration import CalibrationError, SheetView, detect_sheet, load_calibration
from vision.calibration.geometry import back_project, project
from vision.calibration.lens_fit import fit_plane
from vision.calibration.values import Lens, TablePlane
from vision.errors import VisionError
from vision.eye.photo_quality import photo_notes
from vision.photo.load import Photo
from vision.reading import NoteCode, Quad, as_quad

TILE_MM: Final = 45.0
PLAYERS: Final = range(2, 8)

DARK: Final = 20.0
"""Mean of all pixels, 0 to 255, below which hardly anything can be read."""
BRIGHT: Final = 235.0
MOST_SKEW_DEG: Final = 5.0
"""A table is still square to the picture."""
MOST_BLUR: Final = 1 / 48
"""Of the width of a tile: what the eye takes for one pixel of it."""
FULL_BLUR_PX: Final = 0.9
"""What a sharp edge measures."""
LEAST_BLUR_PX: Final = 1.4
"""No edge that measures less is blurred, however small the tiles are."""
SHARP: Final = 0.8
"""What the finest details of a sharp picture reach, relative to those thrice as coarse."""

_NEAREST_SHIFT_MM: Final = 20.0
_SHIFTS: Final = 20
_LOOKED_AT_PX: Final = 640


@dataclass(frozen=True, slots=True)
class Stand:
    """Where the camera stands, as the sheet tells it.

    Attributes:
        height_mm: of the lens above the table; None: nobody knows this lens.
        tilt_deg: between its axis and the plumb line.
        skew_deg: by how much it leans sideways, or the sheet is turned in the picture; whichever
            is more. Positive is clockwise, as the picture shows it.
        tile_px: side of the smallest tile of the cities that fit, or of one in the middle.
        players: the most whose cities fit; 0: not even two.
        table_px: outline of the cities of so many players, in pixels of the picture.
    """

    height_mm: float | None
    tilt_deg: float
    skew_deg: float
    tile_px: float
    players: int
    table_px: Quad | None


@dataclass(frozen=True, slots=True)
class Aim:
    """What one picture says.

    Attributes:
        advice: what has to be done first.
        light: mean brightness, 0 to 1.
        sharpness: 0 to 1; 1 is as sharp as can be.
        stand: where the camera stands; None: the sheet was not found.
        heights_mm: by the number of players, from how far above its middle this lens sees their
            cities; empty: nobody knows this lens.
    """

    advice: Advice
    light: float
    sharpness: float
    stand: Stand | None
    heights_mm: tuple[tuple[int, float], ...]


def aim(frame: Frame, calibrated: Lens | None = None) -> Aim:
    """What a picture says about where the camera is.

    Args:
        frame: the picture.
        calibrated: the lens, if it was calibrated; one for pictures of another size is not used.
    """
    image = frame.image_bgr
    lens, is_known = _lens_of(frame, calibrated)
    heights = _heights_mm(lens.focal_px, lens.size_wh) if is_known else ()
    light = brightness(image)
    found = {note.code for note in photo_notes(image)}
    sheet, missing = _sheet_of(image)
    plane = None if sheet is None else fit_plane(lens, sheet)
    stand = None
    if sheet is not None and plane is not None:
        stand = _stand(lens, plane, is_known=is_known)
    if sheet is None or stand is None:
        blurred, sharpness = NoteCode.BLURRED in found, _sharpness(image)
    else:
        blur_px = _blur_px(image, sheet)
        sharpness = min(1.0, FULL_BLUR_PX / blur_px)
        blurred = blur_px > max(MOST_BLUR * stand.tile_px, LEAST_BLUR_PX)
    checks = (
        (Advice.TOO_DARK, light < DARK or NoteCode.DARK in found),
        (Advice.TOO_BRIGHT, light > BRIGHT),
        (Advice.OUT_OF_FOCUS, blurred),
        (missing, sheet is None),
        (Advice.TOO_SLANTED, stand is None),
        (Advice.TOO_SLANTED, stand is not None and stand.tilt_deg > STEEPEST_TILT_DEG),
        (Advice.NOT_SQUARE, stand is not None and abs(stand.skew_deg) > MOST_SKEW_DEG),
        (Advice.TOO_NEAR, stand is not None and not stand.players),
        (Advice.TOO_FAR, stand is not None and stand.tile_px < TILE_PX),
    )
    advice = next((advice for advice, holds in checks if holds), Advice.GOOD)
    return Aim(advice, light / 255, sharpness, stand, heights)


def known_lens() -> Lens | None:
    """The lens as it was calibrated; None: it was not, or the calibration is damaged."""
    with suppress(VisionError, OSError):
        return load_calibration(calibration_path()).lens
    return None


def _lens_of(frame: Frame, calibrated: Lens | None) -> tuple[Lens, bool]:
    """The lens, and whether anybody knows it; else that of the usual camera stands in."""
    height, width = frame.image_bgr.shape[:2]
    if calibrated is not None and calibrated.size_wh == (width, height):
        return calibrated, True
    known = next((each for each in CAMERAS if frame.sensor in each.sensors), None)
    focal_px = width / (2 * (known or MODULE_3).reach_wh[0])
    matrix = np.array([[focal_px, 0, (width - 1) / 2], [0, focal_px, (height - 1) / 2], [0, 0, 1]])
    return Lens(matrix, np.zeros(5), (width, height)), known is not None


@cache
def _heights_mm(focal_px: float, size_wh: tuple[int, int]) -> tuple[tuple[int, float], ...]:
    angles = [2 * math.degrees(math.atan(side / (2 * focal_px))) for side in size_wh]
    camera = CameraModel("this lens", (angles[0], angles[1]), size_wh, 0.0, ())
    return tuple((count, mount_for(table_for(count), camera).height_mm) for count in PLAYERS)


def _sheet_of(image: Image) -> tuple[SheetView | None, Advice]:
    """The sheet, or what to say because it is missing."""
    height, width = image.shape[:2]
    try:
        return detect_sheet(Photo(image, "camera", (width, height))), Advice.GOOD
    except CalibrationError as error:
        hidden = error.code == "sheet-hidden"
        return None, Advice.SHEET_UNCLEAR if hidden else Advice.NO_SHEET


def _stand(lens: Lens, plane: TablePlane, *, is_known: bool) -> Stand | None:
    """Where the camera stands; None: its axis does not meet the table."""
    width, height = lens.size_wh
    middle_px = np.array([(width - 1) / 2, (height - 1) / 2])
    look_px = [middle_px, middle_px + np.array([width / 16, 0])]
    middle, beside = back_project(lens, plane, look_px)
    if not np.isfinite([middle, beside]).all():  # it does not look at the table
        return None
    across = (beside - middle) / np.linalg.norm(beside - middle)
    turned_deg = (math.degrees(math.atan2(across[1], across[0])) + 45) % 90 - 45
    normal = plane.rotation[:, 2]
    lean_deg = math.degrees(math.atan2(normal[0], normal[2]))
    players, outline = 0, None
    for count in PLAYERS:
        fitting = _fitting(lens, plane, middle, across, table_for(count))
        if fitting is not None:
            players, outline = count, fitting
    places = [middle] if outline is None else list(outline)
    table_px = None if outline is None else as_quad(project(lens, plane, outline).tolist())
    return Stand(
        height_mm=plane.camera_height_mm if is_known else None,
        tilt_deg=plane.tilt_deg,
        skew_deg=max(-turned_deg, lean_deg, key=abs),
        tile_px=min(_tile_px(lens, plane, place) for place in places),
        players=players,
        table_px=table_px,
    )


def _fitting(
    lens: Lens,
    plane: TablePlane,
    middle: NDArray[np.float64],
    across: NDArray[np.float64],
    size_mm_wh: tuple[float, float],
) -> NDArray[np.float64] | None:
    """Corners (4, 2) on the table of a place of this size that the picture shows with its margin.

    The one nearest to the middle of the picture; None: there is none.
    """
    width, height = lens.size_wh
    along = np.array([-across[1], across[0]])
    half_w, half_h = (side * (0.5 + MARGIN) for side in size_mm_wh)
    signs = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    for shift_mm in _shifts():
        centre = middle + shift_mm * along
        with_margin = centre + signs[:, :1] * half_w * across + signs[:, 1:] * half_h * along
        corners_px = project(lens, plane, with_margin)
        if (corners_px >= 0).all() and (corners_px <= (width - 1, height - 1)).all():
            return np.asarray(centre + (with_margin - centre) / (1 + 2 * MARGIN), np.float64)
    return None


def _shifts() -> Iterator[float]:
    yield 0.0
    for number in range(1, _SHIFTS + 1):
        yield number * _NEAREST_SHIFT_MM
        yield -number * _NEAREST_SHIFT_MM


def _tile_px(lens: Lens, plane: TablePlane, place: NDArray[np.float64]) -> float:
    """The shorter side in pixels of a tile at a place of the table."""
    half = TILE_MM / 2
    ends = place + np.array([(-half, 0), (half, 0), (0, -half), (0, half)])
    left, right, top, bottom = project(lens, plane, ends)
    return float(min(np.linalg.norm(right - left), np.linalg.norm(bottom - top)))


def _blur_px(image: Image, sheet: SheetView) -> float:
    """How wide the edges of the sheet are smeared: standard deviation in pixels.

    An edge of a contrast smeared by so much has a steepness of contrast / (2.5 x deviation).
    """
    low = np.floor(sheet.corners_px.min(axis=0)).astype(int).clip(0)
    high = np.ceil(sheet.corners_px.max(axis=0)).astype(int)
    crop = image[low[1] : high[1] + 1, low[0] : high[0] + 1]
    grey = cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY).astype(np.float32)
    dark, bright = np.percentile(grey, (5, 95))
    across = cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=1 / 8)
    down = cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=1 / 8)
    steepness = float(np.percentile(cv2.magnitude(across, down), 99))
    return float(bright - dark) / (math.sqrt(2 * math.pi) * max(steepness, 1e-6))


def _sharpness(image: Image) -> float:
    """How sharp a picture of anything is, 0 to 1; reduced, so that its noise counts little."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    shrink = min(1.0, _LOOKED_AT_PX / max(grey.shape))
    small = cv2.resize(grey, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    levels = small.astype(np.float32)
    soft, softer = (cv2.GaussianBlur(levels, (0, 0), sigma) for sigma in (1.0, 3.0))
    fine, coarse = (
        np.percentile(cv2.absdiff(*pair), 99.5) for pair in ((levels, soft), (soft, softer))
    )
    return min(1.0, float(fine / max(coarse, 1.0)) / SHARP)
