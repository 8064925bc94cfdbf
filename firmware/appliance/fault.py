"""Faults as the machine passes them on: a code and a message."""

from dataclasses import dataclass
from typing import Final

from firmware.base.errors import Refusal, message_of
from hardware.errors import CameraError, HardwareError
from vision.errors import Message


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that went wrong.

    Attributes:
        code: Short stable identifier, such as ``camera-missing``.
        message: What is wrong, and after a colon what to do; a ``Message`` is translate when it is
            shown.
        where: Device, file or photo; empty if it goes without saying.
    """

    code: str
    message: str
    where: str = ""

    @property
    def of_camera(self) -> bool:
        """Whether the camera is to blame."""
        return self.code.startswith("camera-")

    @classmethod
    def from_error(cls, error: Refusal | HardwareError) -> "Fault":
        """Return the fault for an error."""
        return cls(error.code, message_of(error), error.where)


CAMERA_SILENT: Final = Fault(
    code="camera-silent",
    message=Message("the camera does not answer: check its cable, then press SCAN"),
    where="camera",
)
TOO_SLOW: Final = Fault(
    code="job-too-slow",
    message=Message("this takes far too long and was given up: try again"),
    where="appliance",
)
NO_TILES: Final = Fault(
    code="no-tiles",
    message=Message("nothing of the game was found: lay it flat and whole in the picture"),
    where="camera",
)
NAME_TAKEN: Final = Fault(
    code="name-taken",
    message=Message("another player has this name already: choose another one"),
    where="players",
)
NOT_OFF: Final = Fault(
    code="shut-down-failed",
    message=Message("the computer does not switch itself off: hold OK to try again"),
    where="appliance",
)


def no_camera() -> CameraError:
    """Return the error for a scan without a photo on a computer that has no camera."""
    return CameraError(
        "camera-missing", "there is no camera here: give a photo", "stadtblick serve"
    )


def game_not_read(game: str) -> Fault:
    """Return the fault for a game that cannot be read from photos."""
    message = Message("photos of this game cannot be read yet: choose another game in the menu")
    return Fault(code="game-not-read", message=message, where=game)


def edition_exists(name: str) -> Fault:
    """Return the fault for a new edition whose name exists."""
    message = Message(
        "there is an edition {name} already: choose another name, or add examples to it", name=name
    )
    return Fault(code="edition-exists", message=message, where=name)
