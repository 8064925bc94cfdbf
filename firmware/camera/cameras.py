"""Open the camera of the settings; pictures in files are decoded as all photos are."""

from pathlib import Path

from hardware.camera import Camera, open_camera
from hardware.camera.frame import Image
from hardware.errors import N_, CameraError
from hardware.settings import CameraSettings
from vision.errors import PhotoError
from vision.photo.load import load_photo


def open_camera_of(settings: CameraSettings) -> Camera:
    """Open a camera of any kind.

    Raises:
        CameraError: there is none, or it does not work.
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
