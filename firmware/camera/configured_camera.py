"""Open the camera that settings or an option name; pictures in files are decoded as all photos."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Final, cast

from firmware.base.errors import UsageError, as_typed
from hardware.camera import Camera, open_camera
from hardware.camera.frame import Image
from hardware.errors import N_, CameraError
from hardware.settings import CameraKind, CameraSettings
from vision.errors import PhotoError
from vision.photo.load import load_photo

_NUMBERED: Final = re.compile(r"(picamera|v4l2)(?::(?:/dev/video)?([0-9]{1,3}))?")


def named_camera(given: str, default: CameraSettings) -> CameraSettings:
    """Return the settings of the camera that an option names.

    Args:
        given: ``picamera`` or ``v4l2``, both with ``:N`` or not, ``none``, or the path of a photo
            or of a folder of photos.
        default: Camera of the settings, for all that ``given`` leaves open.

    Raises:
        UsageError: ``unknown-camera``.
    """
    numbered = _NUMBERED.fullmatch(given)
    if numbered is not None:
        kind = cast(CameraKind, numbered[1])
        number = int(numbered[2]) if numbered[2] else default.number if kind == default.kind else 0
        return replace(default, kind=kind, number=number)
    if given == "none":
        return replace(default, kind="none")
    path = Path(given).expanduser()
    if path.is_dir():
        return replace(default, kind="folder", source=str(path))
    if path.is_file():
        return replace(default, kind="file", source=str(path))
    raise UsageError(
        "unknown-camera",
        "there is no such camera, photo or folder: name picamera, v4l2, none or a path",
        as_typed("--camera", given),
    )


def open_camera_of(settings: CameraSettings) -> Camera:
    """Open a camera of any kind.

    Raises:
        CameraError: There is none, or it does not work.
    """
    return open_camera(settings, read=read_picture)


def read_picture(path: Path) -> Image:
    """Read a picture from a file, upright, with the limits and checks of ``vision.photo.load``.

    Raises:
        CameraError: ``camera-picture``.
    """
    try:
        return load_photo(path).image_bgr
    except PhotoError as error:
        raise CameraError(
            "camera-picture",
            N_("{name} cannot be read, {why}"),
            str(path),
            name=path.name,
            why=error.message,
        ) from error
