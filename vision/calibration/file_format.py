"""A calibration as the content of a file, checked when it is read.

The file is JSON of format version 1. A file that is damaged raises an error and is left alone.
"""

import json
import math
import os
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from vision.calibration.errors import CalibrationError
from vision.calibration.values import Calibration, Lens, TablePlane
from vision.errors import Message
from vision.regular_file import read_start

FORMAT: Final = "stadtblick-calibration"
VERSION: Final = 1
MAX_BYTES: Final = 64 * 1024

_SIZE_PX: Final = (320, 20_000)
_FOCAL: Final = (0.2, 20.0)
"""Of the longer side of the photo: from a fisheye to a long telephoto lens."""
_DISTANCE_MM: Final = (50.0, 10_000.0)


class _DamageError(ValueError):
    """What is wrong with the content; becomes a ``CalibrationError``."""


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
    except _DamageError as damage:
        raise CalibrationError(
            "calibration-damaged",
            "the calibration is damaged, {damage}: calibrate again",
            where,
            damage=damage.args[0],
        ) from damage


def _parsed(data: bytes) -> dict[str, Any]:
    if len(data) > MAX_BYTES:
        raise _DamageError(Message("it is larger than {most} bytes", most=MAX_BYTES))
    try:
        value = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise _DamageError(Message("it is not complete JSON")) from error
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise _DamageError(Message("it does not state the format {format}", format=FORMAT))
    version = value.get("version")
    if type(version) is not int or version < 1:
        raise _DamageError(Message("its version is not a positive whole number"))
    return value


def _calibration(value: dict[str, Any]) -> Calibration:
    return Calibration(
        lens=_lens(_part(value, "lens")),
        plane=_plane(_part(value, "plane")),
        reprojection_error_px=_number(value, "reprojection_error_px", 0, 100),
        reprojection_error_mm=_number(value, "reprojection_error_mm", 0, 100),
        coverage=_number(value, "coverage", 0, 1),
        photo_count=_whole(value.get("photo_count"), "photo_count", 1, 100_000),
    )


def _lens(value: dict[str, Any]) -> Lens:
    size = value.get("size_wh")
    if not isinstance(size, list) or len(size) != 2:
        raise _DamageError(Message("size_wh is not a pair"))
    width, height = (_whole(side, "size_wh", *_SIZE_PX) for side in size)
    lens = Lens(
        _array(value, "camera_matrix", (3, 3)), _array(value, "distortion", (5,)), (width, height)
    )
    (fx, skew, cx), (zero, fy, cy), last = lens.camera_matrix.tolist()
    if skew or zero or last != [0, 0, 1]:
        raise _DamageError(Message("camera_matrix is not that of a camera"))
    least, most = (share * max(width, height) for share in _FOCAL)
    if not (least < fx < most and least < fy < most and 0.9 < fx / fy < 1.1):
        raise _DamageError(Message("the focal length in camera_matrix is impossible"))
    if not (0.2 * width < cx < 0.8 * width and 0.2 * height < cy < 0.8 * height):
        raise _DamageError(Message("the principal point in camera_matrix is far from the middle"))
    if np.abs(lens.distortion).max() > 100 or not lens.is_one_to_one:
        raise _DamageError(Message("distortion folds the picture"))
    return lens


def _plane(value: dict[str, Any]) -> TablePlane:
    rotation = _array(value, "rotation_vector", (3,))
    translation = _array(value, "translation_mm", (3,))
    if float(np.linalg.norm(rotation)) > 2 * math.pi:
        raise _DamageError(Message("rotation_vector turns more than once"))
    plane = TablePlane.from_vectors(rotation, translation)
    least, most = _DISTANCE_MM
    if not least < float(np.linalg.norm(translation)) < most:
        raise _DamageError(Message("translation_mm puts the table out of reach"))
    if translation[2] <= 0 or plane.camera_height_mm <= 0:
        raise _DamageError(Message("the camera does not see the upper side of the table"))
    return plane


def _part(value: dict[str, Any], key: str) -> dict[str, Any]:
    part = value.get(key)
    if not isinstance(part, dict):
        raise _DamageError(Message("{key} is missing", key=key))
    return part


def _array(value: dict[str, Any], key: str, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Finite numbers in nested lists of exactly this shape."""
    try:
        array = np.array(value.get(key), object)
    except ValueError:  # lists of different lengths
        array = np.array(None)
    if array.shape != shape:
        raise _DamageError(Message("{key} does not have the right number of entries", key=key))
    if not all(map(_is_number, array.ravel())):
        raise _DamageError(Message("{key} contains something other than numbers", key=key))
    return array.astype(np.float64)


def _is_number(value: object) -> bool:
    """Numbers that a float can hold; true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 2**53


def _number(value: dict[str, Any], key: str, least: float, most: float) -> float:
    number = value.get(key)
    if not _is_number(number) or not least <= number <= most:  # type: ignore[operator]
        raise _DamageError(
            Message("{key} is not a number from {least} to {most}", key=key, least=least, most=most)
        )
    return float(number)  # type: ignore[arg-type]


def _whole(number: object, key: str, least: int, most: int) -> int:
    if type(number) is not int or not least <= number <= most:
        raise _DamageError(
            Message(
                "{key} is not a whole number from {least} to {most}",
                key=key,
                least=least,
                most=most,
            )
        )
    return number
