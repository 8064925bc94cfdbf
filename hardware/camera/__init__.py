"""The camera: at the ribbon cable, by USB, or pictures from files; and a stand-in."""

from hardware.camera.files import FileCamera, FolderCamera
from hardware.camera.frame import Camera, CameraKind, CameraWiring, Frame, Image
from hardware.camera.opening import open_camera
from hardware.camera.stand_in import Hang, StandInCamera
from hardware.camera.steady import SteadyCamera

__all__ = [
    "Camera",
    "CameraKind",
    "CameraWiring",
    "FileCamera",
    "FolderCamera",
    "Frame",
    "Hang",
    "Image",
    "StandInCamera",
    "SteadyCamera",
    "open_camera",
]
