"""Calibration sheet, a ChArUco board, and its detection in photos.

The white squares of the chessboard carry numbered markers, so that each inner corner is identified
even if a part of the sheet is hidden.

Coordinates on the sheet are in mm: (0, 0) is the top left corner of the board as its title is read,
x to the right, y down, and z away from the viewer, into the table.
"""

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.arrays import Image
from vision.errors import CalibrationError
from vision.photo.load import Photo

SQUARES_XY: Final = (7, 9)
"""Squares in a row and in a column; an odd number of rows looks the same in all OpenCV versions."""
SQUARE_MM: Final = 24.0
MARKER_MM: Final = 18.0
MARKER_MODULES: Final = 6
"""Modules along a side of a marker: 4 of its pattern and a black frame."""
DICTIONARY_NAME: Final = "4x4_50"
BOARD_MM: Final = (SQUARES_XY[0] * SQUARE_MM, SQUARES_XY[1] * SQUARE_MM)
"""Width and height of the whole board."""

MIN_CORNERS: Final = 12
"""Minimum number of detected corners, a quarter of 48; fewer determine the pose badly."""
_MIN_EXTENT_SQUARES: Final = 2
"""Minimum extent of the detected corners in both directions, in squares, so that they are not
collinear."""


@dataclass(frozen=True, slots=True, eq=False)
class SheetDetection:
    """Corners of the sheet as detected in one photo.

    Attributes:
        photo_name: Name of the photo.
        size_wh: Size of the photo in pixels.
        corners_px: Shape (n, 2), in pixels of the photo in its full size.
        corners_mm: Shape (n, 2), the same corners on the sheet.
    """

    photo_name: str
    size_wh: tuple[int, int]
    corners_px: NDArray[np.float64]
    corners_mm: NDArray[np.float64]


def charuco_board() -> cv2.aruco.CharucoBoard:
    """Return the board as OpenCV's object, in mm."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    return cv2.aruco.CharucoBoard(SQUARES_XY, SQUARE_MM, MARKER_MM, dictionary)


def corner_positions_mm(numbers: ArrayLike) -> NDArray[np.float64]:
    """Return the positions (n, 2) on the sheet of the inner corners with these numbers (n,)."""
    rows, columns = np.divmod(np.asarray(numbers).reshape(-1), SQUARES_XY[0] - 1)
    return np.stack([columns + 1, rows + 1], axis=1) * SQUARE_MM


def detect_sheet(photo: Photo) -> SheetDetection:
    """Find the sheet in a photo.

    Raises:
        CalibrationError: ``sheet-not-found`` or ``sheet-hidden``.
    """
    found, numbers, _, markers = find_corners(photo.image_bgr)
    if numbers is None or not len(numbers):
        if markers is not None and len(markers):  # an array, or a tuple of them
            raise _hidden(photo, 0)
        raise CalibrationError(
            "sheet-not-found",
            "the calibration sheet cannot be seen: lay it into the picture as a whole, sharp, "
            "evenly lit and large enough",
            photo.name,
        )
    corners_mm = corner_positions_mm(numbers)
    extent = np.ptp(corners_mm, axis=0) / SQUARE_MM
    if len(corners_mm) < MIN_CORNERS or extent.min() < _MIN_EXTENT_SQUARES:
        raise _hidden(photo, len(corners_mm))
    # OpenCV 4 returns (n, 1, 2), OpenCV 5 (n, 2)
    corners_px = photo.to_photo_px(np.asarray(found, np.float64).reshape(-1, 2))
    return SheetDetection(photo.name, photo.size_wh, corners_px, corners_mm)


def find_corners(image_bgr: Image) -> Any:
    """Find corners and markers of the sheet.

    Returns:
        Corners, their numbers, markers and their numbers, each None if there are none: OpenCV's
        type information leaves that out.
    """
    gray = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY)
    return cv2.aruco.CharucoDetector(charuco_board()).detectBoard(gray)


def _hidden(photo: Photo, count: int) -> CalibrationError:
    whole = (SQUARES_XY[0] - 1) * (SQUARES_XY[1] - 1)
    return CalibrationError(
        "sheet-hidden",
        "only {count} of the {whole} corners of the sheet can be made out: show more of it, "
        "sharp and without glare",
        photo.name,
        count=count,
        whole=whole,
    )
