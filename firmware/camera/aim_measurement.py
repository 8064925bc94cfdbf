"""Measurements of a picture taken while the camera is being mounted, and advice.

With the printed calibration sheet flat on the table, its edges along those of the table, one
picture yields height and tilt of the camera and how much of the table it sees. No calibration is
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

from firmware.base.language import D_, Worded
from firmware.base.user_data import calibration_path
from hardware.camera import Frame, brightness
from hardware.mount import (
    CAMERAS,
    FINE_TILE_PX,
    MARGIN,
    MODULE_3,
    STEEPEST_TILT_DEG,
    CameraModel,
    find_mount,
    table_size,
)
from vision.arrays import Image
from vision.calibration import CalibrationError, SheetDetection, detect_sheet, load_calibration
from vision.calibration.camera_model import Lens, TablePlane, back_project, project
from vision.calibration.lens_fit import fit_plane
from vision.errors import VisionError
from vision.eye.photo_quality import photo_notes
from vision.photo.load import Photo
from vision.reading import NoteCode, Quad, as_quad

TILE_MM: Final = 45.0
PLAYERS: Final = range(2, 8)

MIN_LIGHT: Final = 20.0
"""Mean grey level, 0 to 255, below which hardly anything can be read."""
MAX_LIGHT: Final = 235.0
"""Mean grey level, 0 to 255, above which the picture is too bright."""
MAX_SKEW_DEG: Final = 5.0
"""Largest skew at which a table still counts as square to the picture."""
MAX_BLUR_TILES: Final = 1 / 48
"""Largest blur of a sharp picture, in tile widths: the eye resolves that much as one pixel."""
SHARP_BLUR_PX: Final = 0.9
"""Blur measured at an edge in perfect focus: sharpness 1."""
NEGLIGIBLE_BLUR_PX: Final = 1.4
"""Blur up to which an edge counts as sharp, however small the tiles are."""
SHARP_DETAIL_RATIO: Final = 0.8
"""Ratio of the finest details of a sharp picture to details three times as coarse."""

_SHIFT_STEP_MM: Final = 20.0
"""Distance between the points at which cities are tried to fit into the picture."""
_SHIFTS_EACH_WAY: Final = 20
_SHARPNESS_PX: Final = 640
"""Longest side to which a picture is reduced before its sharpness is measured."""


class Advice(Worded):
    """Advice on the mounting, in words of the display.

    At most 16 letters; 21 where no number of players stands beside it.
    """

    GOOD = D_("Good")
    TOO_DARK = D_("Too dark")
    TOO_BRIGHT = D_("Too bright")
    OUT_OF_FOCUS = D_("Out of focus")
    NO_SHEET = D_("Lay calibration sheet")
    """No part of the calibration sheet was found."""
    SHEET_UNCLEAR = D_("Sheet not clear")
    """Too little of the sheet was found."""
    TOO_SLANTED = D_("Tilted too much")
    """The camera is tilted more than the eye was tested with."""
    NOT_SQUARE = D_("Not square")
    """The camera leans sideways, or the edges of the table do not run along the picture."""
    TOO_NEAR = D_("Too near")
    """The cities of two players have no room."""
    TOO_FAR = D_("Too far away")
    """Tiles are smaller than the eye needs them."""


@dataclass(frozen=True, slots=True)
class CameraPose:
    """Pose of the camera above the table, measured by the calibration sheet.

    Attributes:
        height_mm: Height of the lens above the table; None if the lens is unknown.
        tilt_deg: Angle between the optical axis and the plumb line.
        skew_deg: Sideways lean of the camera, or turn of the sheet in the picture, whichever is
            larger. Positive is clockwise, as the picture shows it.
        tile_px: Side of the smallest tile of the cities that fit, or of one in the middle.
        players: Largest number of players whose cities fit; 0 if not even those of two fit.
        table_px: Outline of the cities of that many players, in pixels of the picture; None if
            ``players`` is 0.
    """

    height_mm: float | None
    tilt_deg: float
    skew_deg: float
    tile_px: float
    players: int
    table_px: Quad | None


@dataclass(frozen=True, slots=True)
class AimMeasurement:
    """Measurements of one picture.

    Attributes:
        advice: Most urgent thing to do.
        light: Mean brightness, 0 to 1.
        sharpness: Sharpness, 0 to 1; 1 is perfect focus.
        pose: Pose of the camera; None if the sheet was not found.
        heights_mm: Pairs of a number of players and the height above the middle of the table from
            which this lens sees their cities; empty if the lens is unknown.
    """

    advice: Advice
    light: float
    sharpness: float
    pose: CameraPose | None
    heights_mm: tuple[tuple[int, float], ...]


def measure_aim(frame: Frame, calibrated: Lens | None = None) -> AimMeasurement:
    """Measure light, sharpness and camera pose of a picture.

    Args:
        frame: Picture of the camera.
        calibrated: Calibrated lens, unused if it is for pictures of another size; None if the lens
            was not calibrated.
    """
    image = frame.image_bgr
    lens, is_known = _lens_of(frame, calibrated)
    heights = _heights_mm(lens.focal_px, lens.size_wh) if is_known else ()
    light = brightness(image)
    found = {note.code for note in photo_notes(image)}
    sheet, missing = _sheet_of(image)
    plane = None if sheet is None else fit_plane(lens, sheet)
    pose = None
    if sheet is not None and plane is not None:
        pose = _camera_pose(lens, plane, is_known=is_known)
    if sheet is None or pose is None:
        blurred, sharpness = NoteCode.BLURRED in found, _sharpness(image)
    else:
        blur_px = _blur_px(image, sheet)
        sharpness = min(1.0, SHARP_BLUR_PX / blur_px)
        blurred = blur_px > max(MAX_BLUR_TILES * pose.tile_px, NEGLIGIBLE_BLUR_PX)
    checks = (
        (Advice.TOO_DARK, light < MIN_LIGHT or NoteCode.DARK in found),
        (Advice.TOO_BRIGHT, light > MAX_LIGHT),
        (Advice.OUT_OF_FOCUS, blurred),
        (missing, sheet is None),
        (Advice.TOO_SLANTED, pose is None),
        (Advice.TOO_SLANTED, pose is not None and pose.tilt_deg > STEEPEST_TILT_DEG),
        (Advice.NOT_SQUARE, pose is not None and abs(pose.skew_deg) > MAX_SKEW_DEG),
        (Advice.TOO_NEAR, pose is not None and not pose.players),
        (Advice.TOO_FAR, pose is not None and pose.tile_px < FINE_TILE_PX),
    )
    advice = next((advice for advice, holds in checks if holds), Advice.GOOD)
    return AimMeasurement(advice, light / 255, sharpness, pose, heights)


def calibrated_lens() -> Lens | None:
    """Return the lens of the stored calibration; None if there is none or it is damaged."""
    with suppress(VisionError, OSError):
        return load_calibration(calibration_path()).lens
    return None


def _lens_of(frame: Frame, calibrated: Lens | None) -> tuple[Lens, bool]:
    """Return the lens and whether it is known; for an unknown one that of the Camera Module 3."""
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
    return tuple((count, find_mount(table_size(count), camera).height_mm) for count in PLAYERS)


def _sheet_of(image: Image) -> tuple[SheetDetection | None, Advice]:
    """Find the sheet; return None and advice if it is not found."""
    height, width = image.shape[:2]
    try:
        return detect_sheet(Photo(image, "camera", (width, height))), Advice.GOOD
    except CalibrationError as error:
        hidden = error.code == "sheet-hidden"
        return None, Advice.SHEET_UNCLEAR if hidden else Advice.NO_SHEET


def _camera_pose(lens: Lens, plane: TablePlane, *, is_known: bool) -> CameraPose | None:
    """Return the pose of the camera; None if its optical axis does not meet the table."""
    width, height = lens.size_wh
    middle_px = np.array([(width - 1) / 2, (height - 1) / 2])
    points_px = [middle_px, middle_px + np.array([width / 16, 0])]
    middle, beside = back_project(lens, plane, points_px)
    if not np.isfinite([middle, beside]).all():
        return None
    across = (beside - middle) / np.linalg.norm(beside - middle)
    turned_deg = (math.degrees(math.atan2(across[1], across[0])) + 45) % 90 - 45
    normal = plane.rotation[:, 2]
    lean_deg = math.degrees(math.atan2(normal[0], normal[2]))
    players, outline = 0, None
    for count in PLAYERS:
        fitting = _fitting_outline(lens, plane, middle, across, table_size(count))
        if fitting is not None:
            players, outline = count, fitting
    points = [middle] if outline is None else list(outline)
    table_px = None if outline is None else as_quad(project(lens, plane, outline).tolist())
    return CameraPose(
        height_mm=plane.camera_height_mm if is_known else None,
        tilt_deg=plane.tilt_deg,
        skew_deg=max(-turned_deg, lean_deg, key=abs),
        tile_px=min(_tile_px(lens, plane, point) for point in points),
        players=players,
        table_px=table_px,
    )


def _fitting_outline(
    lens: Lens,
    plane: TablePlane,
    middle: NDArray[np.float64],
    across: NDArray[np.float64],
    size_mm_wh: tuple[float, float],
) -> NDArray[np.float64] | None:
    """Fit a rectangle with a margin around it into the picture, as near to its middle as possible.

    Args:
        lens: Lens of the camera.
        plane: Plane of the table.
        middle: Point of the table in the middle of the picture, in mm.
        across: Unit vector on the table that runs to the right in the picture.
        size_mm_wh: Width and height of the rectangle.

    Returns:
        Corners (4, 2) on the table in mm, without the margin; None if it fits nowhere.
    """
    width, height = lens.size_wh
    along = np.array([-across[1], across[0]])
    half_w, half_h = (side * (0.5 + MARGIN) for side in size_mm_wh)
    signs = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    for shift_mm in _shifts_mm():
        centre = middle + shift_mm * along
        with_margin = centre + signs[:, :1] * half_w * across + signs[:, 1:] * half_h * along
        corners_px = project(lens, plane, with_margin)
        if (corners_px >= 0).all() and (corners_px <= (width - 1, height - 1)).all():
            return np.asarray(centre + (with_margin - centre) / (1 + 2 * MARGIN), np.float64)
    return None


def _shifts_mm() -> Iterator[float]:
    yield 0.0
    for number in range(1, _SHIFTS_EACH_WAY + 1):
        yield number * _SHIFT_STEP_MM
        yield -number * _SHIFT_STEP_MM


def _tile_px(lens: Lens, plane: TablePlane, point: NDArray[np.float64]) -> float:
    """Return the shorter side in pixels of a tile at a point of the table."""
    half = TILE_MM / 2
    ends = point + np.array([(-half, 0), (half, 0), (0, -half), (0, half)])
    left, right, top, bottom = project(lens, plane, ends)
    return float(min(np.linalg.norm(right - left), np.linalg.norm(bottom - top)))


def _blur_px(image: Image, sheet: SheetDetection) -> float:
    """Return the blur of the sheet's edges, as standard deviation in pixels.

    A blurred edge has the steepness contrast / (sqrt(2 pi) x deviation).
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
    """Return the sharpness of a picture of any scene, 0 to 1.

    The picture is reduced first, so that its noise counts little.
    """
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    shrink = min(1.0, _SHARPNESS_PX / max(grey.shape))
    small = cv2.resize(grey, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    levels = small.astype(np.float32)
    soft, softer = (cv2.GaussianBlur(levels, (0, 0), sigma) for sigma in (1.0, 3.0))
    fine, coarse = (
        np.percentile(cv2.absdiff(*pair), 99.5) for pair in ((levels, soft), (soft, softer))
    )
    return min(1.0, float(fine / max(coarse, 1.0)) / SHARP_DETAIL_RATIO)
