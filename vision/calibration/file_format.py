"""File format of calibrations: JSON, checked when it is read.

A damaged file raises an error and is not changed.
"""

import json
import math
import os
from typing import Final

import numpy as np

from vision.calibration.camera_model import Calibration, Lens, TablePlane
from vision.errors import CalibrationError
from vision.message import Message
from vision.photo.regular_file import read_start
from vision.toml_and_json import InvalidValueError, Node, shown_path

FORMAT: Final = "stadtblick-calibration"
VERSION: Final = 1
MAX_CALIBRATION_BYTES: Final = 64 * 1024

_SIZE_RANGE_PX: Final = (320, 20_000)
_FOCAL_RANGE: Final = (0.2, 20.0)
"""Range of the focal length as a share of the longer side: fisheye to long telephoto lens."""
_DISTANCE_RANGE_MM: Final = (50.0, 10_000.0)


def calibration_to_bytes(calibration: Calibration) -> bytes:
    """Encode a calibration; ``calibration_from_bytes`` decodes it exactly."""
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
        data = read_start(path, MAX_CALIBRATION_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise CalibrationError(
            "calibration-missing",
            "there is no calibration yet: make one with stadtblick calibrate",
            where,
        ) from error
    except OSError as error:
        why = Message(error.strerror or type(error).__name__)
        raise CalibrationError(
            "calibration-unreadable",
            "the calibration cannot be read ({why}): check the permissions of the file",
            where,
            why=why,
        ) from error
    return calibration_from_bytes(data, where)


def calibration_from_bytes(data: bytes, where: str) -> Calibration:
    """Decode a calibration.

    Args:
        data: Content of the file.
        where: Name of the file, for errors.

    Raises:
        CalibrationError: ``calibration-damaged`` or ``calibration-too-new``.
    """
    try:
        root = _parse_json(data)
        version = root["version"].integer(1)
        if version > VERSION:
            raise CalibrationError(
                "calibration-too-new",
                "the calibration has format version {version} and {last} is the last one known: "
                "update Stadtblick, or calibrate again",
                where,
                version=version,
                last=VERSION,
            )
        return _parse_calibration(root)
    except InvalidValueError as error:
        raise CalibrationError(
            "calibration-damaged",
            "the calibration is damaged at {place}: calibrate again",
            where,
            place=shown_path(error.path),
        ) from error


def _parse_json(data: bytes) -> Node:
    try:
        value = json.loads(data.decode("utf-8")) if len(data) <= MAX_CALIBRATION_BYTES else None
    except (ValueError, RecursionError):
        value = None
    root = Node(value)
    root["format"].require(root["format"].value == FORMAT)
    return root


def _parse_calibration(root: Node) -> Calibration:
    return Calibration(
        lens=_parse_lens(Node(root["lens"].members())),
        plane=_parse_plane(Node(root["plane"].members())),
        reprojection_error_px=root["reprojection_error_px"].number(0, 100),
        reprojection_error_mm=root["reprojection_error_mm"].number(0, 100),
        coverage=root["coverage"].number(0, 1),
        photo_count=root["photo_count"].integer(1, 100_000),
    )


def _parse_lens(node: Node) -> Lens:
    sides = [side.integer(*_SIZE_RANGE_PX) for side in node["size_wh"].items()]
    node["size_wh"].require(len(sides) == 2)
    width, height = sides
    camera_matrix = node["camera_matrix"]
    matrix = [row.numbers(3) for row in camera_matrix.items()]
    camera_matrix.require(len(matrix) == 3)
    (fx, skew, cx), (zero, fy, cy), last = matrix
    camera_matrix.require(not skew and not zero and last == (0, 0, 1))
    near, far = (share * max(width, height) for share in _FOCAL_RANGE)
    _require(near < fx < far and near < fy < far and 0.9 < fx / fy < 1.1, "focal length")
    in_middle = 0.2 * width < cx < 0.8 * width and 0.2 * height < cy < 0.8 * height
    _require(in_middle, "principal point")
    distortion = node["distortion"].numbers(5)
    lens = Lens(np.array(matrix), np.array(distortion), (width, height))
    node["distortion"].require(max(map(abs, distortion)) <= 100 and lens.is_injective)
    return lens


def _parse_plane(node: Node) -> TablePlane:
    rotation = node["rotation_vector"].numbers(3)
    translation = node["translation_mm"].numbers(3)
    node["rotation_vector"].require(math.hypot(*rotation) <= 2 * math.pi)
    plane = TablePlane.from_vectors(rotation, translation)
    least, most = _DISTANCE_RANGE_MM
    node["translation_mm"].require(least < math.hypot(*translation) < most)
    # The camera sees the upper side of the table
    node["translation_mm"].require(translation[2] > 0 and plane.camera_height_mm > 0)
    return plane


def _require(is_possible: bool, place: str) -> None:  # noqa: FBT001
    if not is_possible:
        raise InvalidValueError((place,))
