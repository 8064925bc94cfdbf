"""A calibration as the content of a file, checked when it is read.

The file is JSON of format version 1. A file that is damaged raises an error and is left alone.
"""

import json
import math
import os
from typing import Any, Final

import numpy as np

from vision.calibration.values import Calibration, Lens, TablePlane
from vision.errors import CalibrationError
from vision.json_checks import UnfitError, check, entries, number, of
from vision.photo.regular_file import read_start

FORMAT: Final = "stadtblick-calibration"
VERSION: Final = 1
MAX_BYTES: Final = 64 * 1024

_SIZE_PX: Final = (320, 20_000)
_FOCAL: Final = (0.2, 20.0)
"""Of the longer side of the photo: from a fisheye to a long telephoto lens."""
_DISTANCE_MM: Final = (50.0, 10_000.0)


def calibration_to_bytes(calibration: Calibration) -> bytes:
    """The content of a file; ``calibration_from_bytes`` gives the same calibration again."""
    lens, plane = calibration.lens, calibration.plane
    value = {
        "format": FORMAT,
        "version": VERSION,
        "lens": {
            "size_wh": list(lens.size_wh),
            "camera_matrix": lens.camera_matrix.tolist(),
            "distortion": lens.distortion.tolist(),
        },
        "plane": {
            "rotation_vector": plane.rotation_vector.tolist(),
            "translation_mm": plane.translation_mm.tolist(),
        },
        "reprojection_error_px": calibration.reprojection_error_px,
        "reprojection_error_mm": calibration.reprojection_error_mm,
        "coverage": calibration.coverage,
        "photo_count": calibration.photo_count,
    }
    return (json.dumps(value, indent=2, allow_nan=False) + "\n").encode()


def load_calibration(path: str | os.PathLike[str]) -> Calibration:
    """Read a calibration from a file.

    Raises:
        CalibrationError: ``calibration-missing``, ``calibration-unreadable`` or an error of
            ``calibration_from_bytes``.
    """
    where = os.fspath(path)
    try:
        data = read_start(path, MAX_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise CalibrationError(
            "calibration-missing",
            "there is no calibration yet: make one with stadtblick calibrate",
            where,
        ) from error
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise CalibrationError(
            "calibration-unreadable",
            "the calibration cannot be read ({why}): check the permissions of the file",
            where,
            why=why,
        ) from error
    return calibration_from_bytes(data, where)


def calibration_from_bytes(data: bytes, where: str) -> Calibration:
    """The calibration that is the content of a file.

    Args:
        data: the content.
        where: name of the file, for errors.

    Raises:
        CalibrationError: ``calibration-damaged`` or ``calibration-too-new``.
    """
    try:
        value = _parsed(data)
        if value["version"] > VERSION:
            raise CalibrationError(
                "calibration-too-new",
                "the calibration has format version {version} and {last} is the last one known: "
                "update Stadtblick, or calibrate again",
                where,
                version=value["version"],
                last=VERSION,
            )
        return _calibration(value)
    except UnfitError as damage:
        raise CalibrationError(
            "calibration-damaged",
            "the calibration is damaged at {place}: calibrate again",
            where,
            place=str(damage),
        ) from damage


def _parsed(data: bytes) -> dict[str, Any]:
    try:
        value = json.loads(data.decode("utf-8")) if len(data) <= MAX_BYTES else None
    except (ValueError, RecursionError):
        value = None
    told = of(dict, value, "JSON")
    check(told.get("format") == FORMAT, "format")
    check(of(int, told.get("version"), "version") >= 1, "version")
    return told


def _calibration(told: dict[str, Any]) -> Calibration:
    count = of(int, told.get("photo_count"), "photo_count")
    check(1 <= count <= 100_000, "photo_count")
    return Calibration(
        lens=_lens(of(dict, told.get("lens"), "lens")),
        plane=_plane(of(dict, told.get("plane"), "plane")),
        reprojection_error_px=number(
            told.get("reprojection_error_px"), "reprojection_error_px", 0, 100
        ),
        reprojection_error_mm=number(
            told.get("reprojection_error_mm"), "reprojection_error_mm", 0, 100
        ),
        coverage=number(told.get("coverage"), "coverage", 0, 1),
        photo_count=count,
    )


def _lens(told: dict[str, Any]) -> Lens:
    sides = [of(int, *side) for side in entries(told.get("size_wh"), "size_wh")]
    least, most = _SIZE_PX
    check(len(sides) == 2 and all(least <= side <= most for side in sides), "size_wh")
    width, height = sides
    matrix = [_numbers(*row, 3) for row in entries(told.get("camera_matrix"), "camera_matrix")]
    check(len(matrix) == 3, "camera_matrix")
    (fx, skew, cx), (zero, fy, cy), last = matrix
    check(not skew and not zero and last == [0, 0, 1], "camera_matrix")
    near, far = (share * max(width, height) for share in _FOCAL)
    check(near < fx < far and near < fy < far and 0.9 < fx / fy < 1.1, "focal length")
    in_middle = 0.2 * width < cx < 0.8 * width and 0.2 * height < cy < 0.8 * height
    check(in_middle, "principal point")
    distortion = _numbers(told.get("distortion"), "distortion", 5)
    lens = Lens(np.array(matrix), np.array(distortion), (width, height))
    check(max(map(abs, distortion)) <= 100 and lens.is_one_to_one, "distortion")
    return lens


def _plane(told: dict[str, Any]) -> TablePlane:
    rotation = _numbers(told.get("rotation_vector"), "rotation_vector", 3)
    translation = _numbers(told.get("translation_mm"), "translation_mm", 3)
    check(math.hypot(*rotation) <= 2 * math.pi, "rotation_vector")
    plane = TablePlane.from_vectors(rotation, translation)
    least, most = _DISTANCE_MM
    check(least < math.hypot(*translation) < most, "translation_mm")
    # The camera sees the upper side of the table
    check(translation[2] > 0 and plane.camera_height_mm > 0, "translation_mm")
    return plane


def _numbers(given: Any, place: str, count: int) -> list[float]:
    numbers = [number(*entry) for entry in entries(given, place)]
    check(len(numbers) == count, place)
    return numbers
