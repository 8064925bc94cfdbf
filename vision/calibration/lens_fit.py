"""Fit of the lens and of the pose of each sheet to the detected corners.

Zhang's method (A flexible new technique for camera calibration, 2000) as OpenCV implements it.
Pixels are assumed to be square, as they are on camera sensors.

The number of distortion terms depends on the photos: a further term needs a minimum number of
photos, and is kept only if it lowers Schwarz's information criterion (BIC). With few photos further
terms fit noise and bend the rim of the photo.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration.camera_model import Lens, TablePlane, back_project, project
from vision.calibration.sheet import SheetDetection

_NO_K3: Final = cv2.CALIB_FIX_K3
_NO_TANGENTIAL: Final = cv2.CALIB_ZERO_TANGENT_DIST
_MODELS: Final = (
    # minimum number of photos, number of distortion terms, flags for OpenCV
    (0, 1, _NO_K3 | _NO_TANGENTIAL | cv2.CALIB_FIX_K2),
    (0, 2, _NO_K3 | _NO_TANGENTIAL),
    (8, 4, _NO_K3),
    (12, 5, 0),
)


@dataclass(frozen=True, slots=True, eq=False)
class LensFit:
    """Lens and poses fitted to photos of the sheet.

    Attributes:
        lens: Lens.
        planes: Pose of the sheet in each photo.
        errors_px: Shape (n,) for each photo, distances of detected from projected corners.
        focal_deviation_px: Standard deviation of the focal length.
        centre_deviation_px: Standard deviation of the principal point, the larger of x and y.
    """

    lens: Lens
    planes: tuple[TablePlane, ...]
    errors_px: tuple[NDArray[np.float64], ...]
    focal_deviation_px: float
    centre_deviation_px: float

    @property
    def error_px(self) -> float:
        """Root mean square of all errors."""
        return float(np.sqrt(np.mean(np.concatenate(self.errors_px) ** 2)))


def fit_lens(sheets: Sequence[SheetDetection]) -> LensFit | None:
    """Fit lens and poses to photos of the same size; None if they do not determine a lens."""
    fits = list(_fit_models(sheets))
    return min(fits, key=lambda scored: scored[0])[1] if fits else None


def _fit_models(sheets: Sequence[SheetDetection]) -> Iterator[tuple[float, LensFit]]:
    """Yield the fit of each distortion model with a valid lens, and its information criterion."""
    values = 2 * sum(len(sheet.corners_px) for sheet in sheets)
    for photos, terms, flags in _MODELS:
        if len(sheets) < photos:
            continue
        fit = _fit(sheets, flags | cv2.CALIB_FIX_ASPECT_RATIO)
        if fit is None or not fit.lens.is_injective:
            continue
        variance = max(fit.error_px**2 / 2, np.finfo(float).tiny)
        yield values * float(np.log(variance)) + terms * float(np.log(values)), fit


def _fit(sheets: Sequence[SheetDetection], flags: int) -> LensFit | None:
    try:
        _, matrix, distortion, rotations, translations, deviations, _, _ = (
            cv2.calibrateCameraExtended(
                [_object_points(sheet) for sheet in sheets],
                [np.asarray(sheet.corners_px, np.float32) for sheet in sheets],
                sheets[0].size_wh,
                np.eye(3),  # states the ratio of the focal lengths that is held
                np.zeros(5),
                flags=flags,
            )
        )
    except cv2.error:  # a set without a solution, such as one of equal photos
        return None
    spread = np.asarray(deviations, np.float64).reshape(-1)
    known = (matrix, distortion, spread[:4], *rotations, *translations)
    if not all(np.isfinite(value).all() for value in known):
        return None
    lens = Lens(
        np.asarray(matrix, np.float64),
        np.asarray(distortion, np.float64).reshape(-1)[:5],
        sheets[0].size_wh,
    )
    if lens.focal_px <= 0:
        return None
    planes = tuple(
        TablePlane.from_vectors(rotation, np.asarray(translation).reshape(3))
        for rotation, translation in zip(rotations, translations, strict=True)
    )
    errors = tuple(
        corner_errors_px(lens, plane, sheet) for plane, sheet in zip(planes, sheets, strict=True)
    )
    return LensFit(lens, planes, errors, float(spread[:2].max()), float(spread[2:4].max()))


def fit_plane(lens: Lens, sheet: SheetDetection) -> TablePlane | None:
    """Fit the pose of the sheet before a known lens; None if there is none."""
    found, rotation, translation = cv2.solvePnP(
        _object_points(sheet),
        sheet.corners_px,
        lens.camera_matrix,
        lens.distortion,
        flags=cv2.SOLVEPNP_IPPE,
    )
    if not found:
        return None
    rotation, translation = cv2.solvePnPRefineLM(
        _object_points(sheet),
        sheet.corners_px,
        lens.camera_matrix,
        lens.distortion,
        rotation,
        translation,
    )
    return TablePlane.from_vectors(rotation, np.asarray(translation).reshape(3))


def corner_errors_px(lens: Lens, plane: TablePlane, sheet: SheetDetection) -> NDArray[np.float64]:
    """Return the distances (n,) of detected from projected corners."""
    expected = project(lens, plane, sheet.corners_mm)
    return np.asarray(np.linalg.norm(expected - sheet.corners_px, axis=1), np.float64)


def corner_errors_mm(lens: Lens, plane: TablePlane, sheet: SheetDetection) -> NDArray[np.float64]:
    """Return the distances (n,) of detected from true corners on the sheet."""
    found = back_project(lens, plane, sheet.corners_px)
    return np.asarray(np.linalg.norm(found - sheet.corners_mm, axis=1), np.float64)


def _object_points(sheet: SheetDetection) -> NDArray[np.float32]:
    """Return the corners on the sheet with z = 0, as (n, 3)."""
    return np.column_stack([sheet.corners_mm, np.zeros(len(sheet.corners_mm))]).astype(np.float32)
