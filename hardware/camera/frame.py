"""Interface of cameras, their frames, and the brightness of a frame.

A picture is an array of ``uint8`` of shape (height, width, 3), blue first (BGR), x to the right,
y down, as the camera sees the table.
"""

from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from hardware.errors import CameraError

Image = NDArray[np.uint8]
"""A picture of shape (height, width, 3), blue, green, red."""

MAX_LIGHT_RATIO: Final = 1.6
"""A picture brighter or darker by more than this factor was taken in another light. Tiles laid
on a table change it by less, the sun going down or a lamp by more."""

_STEP_PX: Final = 16


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture that a camera took.

    Attributes:
        image_bgr: ``uint8`` of shape (height, width, 3), blue first; nobody else writes to it.
        taken_s: Monotonic seconds; the exposure began at this moment or later.
        settled_anew: True if the light had changed so much that exposure and white balance were
            found anew for this picture; colours and brightness may differ from those before it.
        sensor: Driver's name of the camera's sensor; empty if unknown.
    """

    image_bgr: Image
    taken_s: float
    settled_anew: bool = False
    sensor: str = ""


class Camera(Protocol):
    """Interface of anything that takes pictures of the table."""

    def capture(self, timeout_s: float) -> Frame:
        """Take a picture whose exposure begins after the call.

        Args:
            timeout_s: Seconds after which to give up, as far as the driver can: it may wait for
                several frames so long each. Only ``SupervisedCamera`` ends every wait.

        Raises:
            CameraError: There is no picture; the code names the reason.
        """
        ...

    def close(self) -> None:
        """Release the camera; calling it again does nothing."""
        ...


def brightness(image_bgr: Image) -> float:
    """Return the mean of all pixels and colours, 0 to 255, from each 16th row and column."""
    return float(image_bgr[::_STEP_PX, ::_STEP_PX].mean())


def light_changed(before: float, now: float) -> bool:
    """Return whether two brightnesses are those of different lights."""
    least = 1.0  # two black pictures are alike
    darker, brighter = sorted((max(before, least), max(now, least)))
    return brighter > darker * MAX_LIGHT_RATIO


def half_turned(image_bgr: Image) -> Image:
    """Return the picture turned by 180 degrees."""
    return np.array(image_bgr[::-1, ::-1], order="C")


def check_open(where: str, *, closed: bool) -> None:
    """Refuse to use a camera after ``close``.

    Raises:
        CameraError: ``camera-closed``.
    """
    if closed:
        raise CameraError("camera-closed", "the camera is closed: open it again", where)


def silent_error(where: str) -> CameraError:
    """Return the error of a camera that sends no picture."""
    return CameraError(
        "camera-silent",
        "the camera does not answer: check both ends of its cable, then press SCAN again",
        where,
    )
