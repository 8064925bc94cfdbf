"""What ``--camera`` means."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Final, cast

from firmware.errors import UsageError
from hardware.settings import CameraKind, CameraSettings

_NUMBERED: Final = re.compile(r"(picamera|v4l2)(?::(?:/dev/video)?([0-9]{1,3}))?")


def camera_of(given: str, usual: CameraSettings) -> CameraSettings:
    """The camera that is meant.

    Args:
        given: ``picamera``, ``v4l2``, both with ``:N`` or not, ``none``, or the path of a photo or
            of a folder of photos.
        usual: that of the settings, for all that is not said.

    Raises:
        UsageError: ``unknown-camera``.
    """
    numbered = _NUMBERED.fullmatch(given)
    if numbered is not None:
        kind = cast(CameraKind, numbered[1])
        number = int(numbered[2]) if numbered[2] else usual.number if kind == usual.kind else 0
        return replace(usual, kind=kind, number=number)
    if given == "none":
        return replace(usual, kind="none")
    path = Path(given).expanduser()
    if path.is_dir():
        return replace(usual, kind="folder", source=str(path))
    if path.is_file():
        return replace(usual, kind="file", source=str(path))
    raise UsageError(
        "unknown-camera",
        "there is no such camera, photo or folder: name picamera, v4l2, none or a path",
        f"--camera {given}",
    )
