"""Calibration of lens and table plane from photos of a printed sheet.

``detect_sheet`` finds the sheet in each photo, ``calibrate`` makes a ``Calibration`` of all of
them, and ``plane_to_photo_px`` and ``photo_px_to_plane`` convert between pixels and millimetres.
Coordinate frames: ``vision.calibration.camera_model``.
"""

from vision.calibration.camera_model import (
    Calibration,
    Lens,
    TablePlane,
    photo_px_to_plane,
    plane_to_photo_px,
)
from vision.calibration.file_format import (
    calibration_from_bytes,
    calibration_to_bytes,
    load_calibration,
)
from vision.calibration.sheet import SheetDetection, detect_sheet
from vision.calibration.solver import CalibrationResult, RejectedPhoto, calibrate, locate_table
from vision.errors import CalibrationError

__all__ = [
    "Calibration",
    "CalibrationError",
    "CalibrationResult",
    "Lens",
    "RejectedPhoto",
    "SheetDetection",
    "TablePlane",
    "calibrate",
    "calibration_from_bytes",
    "calibration_to_bytes",
    "detect_sheet",
    "load_calibration",
    "locate_table",
    "photo_px_to_plane",
    "plane_to_photo_px",
]
