"""Calibration: from photos of a printed sheet to the lens and the table it looks at.

``detect_sheet`` finds the sheet in each photo, ``calibrate`` makes a ``Calibration`` of all of
them, and with that ``plane_to_photo_px`` and ``photo_px_to_plane`` turn pixels into millimetres and
back. Coordinates: ``vision.calibration.values``.
"""

from vision.calibration.file_format import (
    calibration_from_bytes,
    calibration_to_bytes,
    load_calibration,
)
from vision.calibration.geometry import photo_px_to_plane, plane_to_photo_px
from vision.calibration.sheet import SheetView, detect_sheet
from vision.calibration.solve import LeftOut, Outcome, calibrate, locate_table
from vision.calibration.values import Calibration, Lens, TablePlane
from vision.errors import CalibrationError

__all__ = [
    "Calibration",
    "CalibrationError",
    "LeftOut",
    "Lens",
    "Outcome",
    "SheetView",
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
