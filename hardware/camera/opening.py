"""From the wiring to the camera."""

from pathlib import Path

from hardware.camera.files import FileCamera, FolderCamera
from hardware.camera.frame import Camera, CameraWiring
from hardware.camera.picamera import open_picamera
from hardware.camera.v4l2 import open_v4l2
from hardware.errors import CameraError


def open_camera(wiring: CameraWiring | None = None) -> Camera:
    """Open the camera and let it settle; it takes some seconds.

    Drivers are imported here and not before, so nothing of a camera is needed for another kind.

    Args:
        wiring: which one; without it the one of the wiring guide.

    Raises:
        CameraError: There is none, or it does not work; the code says why.
    """
    wiring = wiring or CameraWiring()
    match wiring.kind:
        case "picamera":
            return open_picamera(wiring)
        case "v4l2":
            return open_v4l2(wiring)
        case "folder":
            return FolderCamera(_source(wiring))
        case "file":
            return FileCamera(_source(wiring))
    raise CameraError(
        "camera-none", "no camera is set: name its kind in the settings, such as picamera", "camera"
    )


def _source(wiring: CameraWiring) -> Path:
    if wiring.source is None:
        raise CameraError(
            "camera-picture",
            f"no {wiring.kind} of pictures is set: name it in the settings",
            "camera",
        )
    return wiring.source
