"""The camera: at the ribbon cable, by USB, or pictures from files; and a stand-in."""

from collections.abc import Callable
from pathlib import Path

from hardware.camera.files import FileCamera
from hardware.camera.frame import Camera, Frame, Image, brightness
from hardware.camera.picamera import open_picamera
from hardware.camera.stand_in import Hang, StandInCamera
from hardware.camera.supervised import SupervisedCamera
from hardware.camera.v4l2 import open_v4l2
from hardware.errors import N_, CameraError
from hardware.settings import CameraSettings

__all__ = [
    "Camera",
    "FileCamera",
    "Frame",
    "Hang",
    "Image",
    "StandInCamera",
    "SupervisedCamera",
    "brightness",
    "open_camera",
]


def open_camera(
    settings: CameraSettings | None = None, *, read: Callable[[Path], Image] | None = None
) -> Camera:
    """Open the camera and let it settle; it takes some seconds.

    Args:
        settings: Camera to open; a camera module at the ribbon cable by default.
        read: Function that reads pictures from files; see ``FileCamera``.

    Raises:
        CameraError: There is none, or it does not work; the code names the reason.
    """
    settings = settings or CameraSettings()
    match settings.kind:
        case "picamera":
            return open_picamera(settings)
        case "v4l2":
            return open_v4l2(settings)
        case "none":
            code = "camera-none"
            template = N_("no camera is set: set its kind in the settings, such as picamera")
        case kind:
            if settings.path is not None:
                return FileCamera(settings.path, in_turn=kind == "folder", read=read)
            code = "camera-picture"
            template = N_("no {kind} of pictures is set: set its path in the settings")
    raise CameraError(code, template, "camera", kind=settings.kind)
