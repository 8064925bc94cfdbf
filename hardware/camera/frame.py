"""What a camera is, and what it gives.

A picture is an array of ``uint8`` of shape (height, width, 3), blue first (BGR), x to the right,
y down, as the camera sees the table.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
"""A picture of shape (height, width, 3), blue, green, red."""

CameraKind = Literal["picamera", "v4l2", "folder", "file", "none"]
"""What gives the pictures: a camera at the ribbon cable, a USB camera, or files."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture that a camera took.

    Attributes:
        image_bgr: ``uint8`` of shape (height, width, 3), blue first; nobody else writes to it.
        taken_s: monotonic seconds; the exposure began at this moment or later.
        settled_anew: the light had changed so much that exposure and white balance were found
            anew for this picture; colours and brightness may differ from those before it.
    """

    image_bgr: Image
    taken_s: float
    settled_anew: bool = False


class Camera(Protocol):
    """Anything that looks at the table."""

    @property
    def size_wh(self) -> tuple[int, int]:
        """Width and height in pixels of its pictures."""
        ...

    def capture(self, timeout_s: float) -> Frame:
        """Take a picture whose exposure begins after the call.

        Args:
            timeout_s: how long to wait for it at most.

        Raises:
            CameraError: There is no picture; the code says why.
        """
        ...

    def close(self) -> None:
        """Let go of the camera; more calls do nothing."""
        ...


@dataclass(frozen=True, slots=True)
class CameraWiring:
    """Which camera is used, and how.

    Attributes:
        kind: what gives the pictures.
        size_wh: width and height of its pictures in pixels. The default is the binned mode of
            the Camera Module 3; its full sensor is (4608, 2592).
        number: which camera, where several are connected: the index at the ribbon cables, or
            the number of ``/dev/video0``.
        source: the folder or file of the pictures, for the kinds ``folder`` and ``file``.
        upside_down: the camera is mounted head down.
    """

    kind: CameraKind = "picamera"
    size_wh: tuple[int, int] = (2304, 1296)
    number: int = 0
    source: Path | None = None
    upside_down: bool = False

    @property
    def place(self) -> str:
        """The place where the camera is looked for, in words."""
        match self.kind:
            case "picamera":
                return f"camera {self.number}"
            case "v4l2":
                return f"/dev/video{self.number}"
            case "folder" | "file":
                return str(self.source or f"{self.kind} of pictures")
        return "camera"
