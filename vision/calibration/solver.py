"""Calibration from the detected sheets of several photos, and checks of these photos."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

import cv2
import numpy as np

from vision.calibration.camera_model import Calibration, Lens, TablePlane
from vision.calibration.lens_fit import (
    LensFit,
    corner_errors_mm,
    corner_errors_px,
    fit_lens,
    fit_plane,
)
from vision.calibration.sheet import SheetDetection
from vision.errors import CalibrationError
from vision.message import Message

MIN_PHOTOS: Final = 5
"""Minimum number of photos; three determine a lens in theory, five leave some to check it."""
MIN_COVERAGE: Final = 0.2
"""Minimum of ``covered_share``; with less, the lens is not known towards the edges of the photo."""
MIN_ANGLE_DEG: Final = 15.0
"""Minimum angle between the two most different poses of the sheet; with less, they do not determine
the focal length."""
MAX_ERROR: Final = 0.0007
"""Maximum error as a share of the longer side: 1.4 px of 2000. A good set has a tenth of it."""
_MAX_DEVIATION: Final = 0.01
"""Maximum standard deviation of focal length and principal point as a share of the longer side."""
_MIN_CORNER_MOVE: Final = 0.003
"""Mean distance of corners, as a share of the longer side, below which two photos are the same."""
_MAX_ERROR_RATIO: Final = 3.0
"""Error of a photo, as a multiple of the median error, above which it is left out."""
_MAX_KEPT_ERROR_PX: Final = 0.5
"""Error up to which a photo is kept in any case."""
_MASK_WIDTH: Final = 256
"""Width in pixels of the mask on which ``covered_share`` is measured."""

_MAKE_IT_FLAT = Message("glue the sheet to something flat, hold it still and take sharp photos")


@dataclass(frozen=True, slots=True)
class RejectedPhoto:
    """Photo that was not used.

    Attributes:
        photo_name: Name of the photo.
        reason: Problem, and after a colon the remedy.
    """

    photo_name: str
    reason: str


@dataclass(frozen=True, slots=True, eq=False)
class CalibrationResult:
    """Calibration, and the photos that were not used for it."""

    calibration: Calibration
    left_out: tuple[RejectedPhoto, ...]


def calibrate(sheets: Sequence[SheetDetection], table: int = -1) -> CalibrationResult:
    """Find lens and table from photos of the sheet in different poses.

    Args:
        sheets: Sheet in each photo, all taken at the same size with the same zoom and focus.
        table: Index of the photo with the sheet lying on the table.

    Raises:
        CalibrationError: ``calibration-too-few-photos``, ``calibration-sizes-differ``,
            ``calibration-low-coverage``, ``calibration-one-angle``, ``calibration-inexact`` or
            ``calibration-table-unclear``.
    """
    _check_count(sheets)
    _check_sizes(sheets)
    table_sheet = sheets[table]
    kept, alike = _without_repetitions(sheets, table_sheet)
    _check_count(kept)
    fit = _checked_fit(kept)
    good, spoiled = _without_spoiled(kept, fit)
    if table_sheet not in good:
        raise CalibrationError(
            "calibration-table-unclear",
            "the sheet fits worse here than in the other photos: {advice}",
            table_sheet.photo_name,
            advice=_MAKE_IT_FLAT,
        )
    if spoiled:
        _check_count(good)
        fit = _checked_fit(good)
    coverage = covered_share(good)
    _check_coverage(coverage)
    _check_error(fit.error_px, table_sheet)
    errors_mm = [
        corner_errors_mm(fit.lens, plane, sheet)
        for plane, sheet in zip(fit.planes, good, strict=True)
    ]
    calibration = Calibration(
        lens=fit.lens,
        plane=fit.planes[good.index(table_sheet)],
        reprojection_error_px=fit.error_px,
        reprojection_error_mm=float(np.sqrt(np.mean(np.concatenate(errors_mm) ** 2))),
        coverage=coverage,
        photo_count=len(good),
    )
    return CalibrationResult(calibration, (*alike, *spoiled))


def locate_table(calibration: Calibration, sheet: SheetDetection) -> Calibration:
    """Locate the table again by one photo of the sheet; the lens is kept.

    Raises:
        CalibrationError: ``calibration-other-size``, ``calibration-table-unclear`` or
            ``calibration-inexact``.
    """
    lens = calibration.lens
    if sheet.size_wh != lens.size_wh:
        (width, height), (calibrated_width, calibrated_height) = sheet.size_wh, lens.size_wh
        raise CalibrationError(
            "calibration-other-size",
            "the photo has {width} x {height} pixels and the calibration is for "
            "{calibrated_width} x {calibrated_height}: take photos as for the calibration, or "
            "calibrate again",
            sheet.photo_name,
            width=width,
            height=height,
            calibrated_width=calibrated_width,
            calibrated_height=calibrated_height,
        )
    plane = fit_plane(lens, sheet)
    if plane is None:
        raise CalibrationError(
            "calibration-table-unclear",
            "the sheet has no possible place here: {advice}",
            sheet.photo_name,
            advice=_MAKE_IT_FLAT,
        )
    _check_error(_rms_px(lens, plane, sheet), sheet)
    return replace(calibration, plane=plane)


def covered_share(sheets: Sequence[SheetDetection]) -> float:
    """Return the share of the photo's area, 0 to 1, that the sheet covers in any photo."""
    width, height = sheets[0].size_wh
    scale = _MASK_WIDTH / width
    mask = np.zeros((max(1, round(height * scale)), _MASK_WIDTH), np.uint8)
    for sheet in sheets:
        hull = cv2.convexHull(np.asarray(sheet.corners_px * scale, np.float32))
        cv2.fillConvexPoly(mask, np.rint(hull).astype(np.int32).reshape(-1, 1, 2), 1)
    return float(mask.mean())


def _rms_px(lens: Lens, plane: TablePlane, sheet: SheetDetection) -> float:
    return float(np.sqrt(np.mean(corner_errors_px(lens, plane, sheet) ** 2)))


def _check_count(sheets: Sequence[SheetDetection]) -> None:
    if len(sheets) < MIN_PHOTOS:
        raise CalibrationError(
            "calibration-too-few-photos",
            "too few different photos show the sheet ({count}): take at least {least}, better 10, "
            "with the sheet in different places and tilted differently",
            Message("photos"),
            count=len(sheets),
            least=MIN_PHOTOS,
        )


def _check_sizes(sheets: Sequence[SheetDetection]) -> None:
    for sheet in sheets:
        if sheet.size_wh != sheets[0].size_wh:
            raise CalibrationError(
                "calibration-sizes-differ",
                "the photo has {size} pixels and {other} has {other_size}: take all photos with "
                "the same camera, held the same way up, without zoom",
                sheet.photo_name,
                size=_size(sheet),
                other=sheets[0].photo_name,
                other_size=_size(sheets[0]),
            )


def _size(sheet: SheetDetection) -> str:
    return f"{sheet.size_wh[0]} x {sheet.size_wh[1]}"


def _without_repetitions(
    sheets: Sequence[SheetDetection], table_sheet: SheetDetection
) -> tuple[list[SheetDetection], list[RejectedPhoto]]:
    """Leave out photos that repeat another one; that of the table is always kept."""
    kept = [table_sheet]
    left_out = []
    for sheet in sheets:
        if sheet is table_sheet:
            continue
        same = next((other for other in kept if _are_alike(sheet, other)), None)
        if same is None:
            kept.append(sheet)
        else:
            why = Message(
                "it shows the same as {other}: move or tilt the sheet between photos",
                other=same.photo_name,
            )
            left_out.append(RejectedPhoto(sheet.photo_name, why))
    return [sheet for sheet in sheets if sheet in kept], left_out


def _are_alike(one: SheetDetection, other: SheetDetection) -> bool:
    places = {tuple(mm): px for mm, px in zip(one.corners_mm, one.corners_px, strict=True)}
    moves = [
        np.linalg.norm(places[tuple(mm)] - px)
        for mm, px in zip(other.corners_mm, other.corners_px, strict=True)
        if tuple(mm) in places
    ]
    return bool(moves) and float(np.mean(moves)) < _MIN_CORNER_MOVE * max(one.size_wh)


def _checked_fit(sheets: Sequence[SheetDetection]) -> LensFit:
    """Fit a lens, and check that the poses determine it."""
    fit = fit_lens(sheets)
    longer = max(sheets[0].size_wh)
    if fit is None or _largest_angle_deg(fit.planes) < MIN_ANGLE_DEG:
        raise CalibrationError(
            "calibration-one-angle",
            "all photos show the sheet at nearly the same angle: lift one side of it by 20 to 40 "
            "degrees in at least four photos, each time another side",
            Message("photos"),
        )
    if max(fit.focal_deviation_px, fit.centre_deviation_px) > _MAX_DEVIATION * longer:
        raise CalibrationError(
            "calibration-one-angle",
            "the photos leave the focal length open, the sheet is tilted too little or always to "
            "the same side: lift each of its four sides once by 20 to 40 degrees",
            Message("photos"),
        )
    return fit


def _largest_angle_deg(planes: Sequence[TablePlane]) -> float:
    """Return the largest angle between the normals of any two sheets."""
    cosines = [one.rotation[:, 2] @ two.rotation[:, 2] for one, two in combinations(planes, 2)]
    return float(np.degrees(np.arccos(np.clip(min(cosines), -1, 1))))


def _without_spoiled(
    sheets: Sequence[SheetDetection], fit: LensFit
) -> tuple[list[SheetDetection], list[RejectedPhoto]]:
    """Leave out photos whose corners fit far worse than those of the others."""
    errors = [float(np.sqrt(np.mean(each**2))) for each in fit.errors_px]
    limit = max(_MAX_ERROR_RATIO * float(np.median(errors)), _MAX_KEPT_ERROR_PX)
    good, spoiled = [], []
    for sheet, error in zip(sheets, errors, strict=True):
        if error <= limit:
            good.append(sheet)
            continue
        why = Message(
            "its corners are off by {error} px: {advice}",
            error=round(error, 1),
            advice=_MAKE_IT_FLAT,
        )
        spoiled.append(RejectedPhoto(sheet.photo_name, why))
    return good, spoiled


def _check_coverage(coverage: float) -> None:
    if coverage < MIN_COVERAGE:
        raise CalibrationError(
            "calibration-low-coverage",
            "the sheet covered only {coverage}% of the picture and {least}% are needed: take "
            "photos with the sheet in each corner of the picture, or closer",
            Message("photos"),
            coverage=round(100 * coverage),
            least=round(100 * MIN_COVERAGE),
        )


def _check_error(error_px: float, sheet: SheetDetection) -> None:
    limit = MAX_ERROR * max(sheet.size_wh)
    if error_px > limit:
        raise CalibrationError(
            "calibration-inexact",
            "the corners are off by {error} px and {limit} px are allowed: {advice}, without "
            "changing zoom or focus",
            sheet.photo_name,
            error=round(error_px, 1),
            limit=round(limit, 1),
            advice=_MAKE_IT_FLAT,
        )
