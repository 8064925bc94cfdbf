"""Problems that only the appliance has, beside the errors of the packages.

``firmware.wording.problem_text`` words all problems, ``firmware.screens.problem_words`` has short
words for the display.
"""

from typing import Final

from firmware.base.problem import Problem
from hardware.errors import CameraError
from vision.message import Message

CAMERA_SILENT: Final = Problem(
    code="camera-silent",
    message=Message("the camera does not answer: check its cable, then press SCAN"),
    where="camera",
)
TOO_SLOW: Final = Problem(
    code="job-too-slow",
    message=Message("this takes far too long and was given up: try again"),
    where="appliance",
)
NO_TILES: Final = Problem(
    code="no-tiles",
    message=Message("nothing of the game was found: lay it flat and whole in the picture"),
    where="camera",
)
NAME_TAKEN: Final = Problem(
    code="name-taken",
    message=Message("another player has this name already: choose another one"),
    where="players",
)
SHUT_DOWN_FAILED: Final = Problem(
    code="shut-down-failed",
    message=Message("the computer does not switch itself off: hold OK to try again"),
    where="appliance",
)


def is_camera_problem(problem: Problem) -> bool:
    """Return whether a problem is one of the camera."""
    return problem.code.startswith("camera-")


def no_camera_error() -> CameraError:
    """Return the error for a scan without a photo on a computer that has no camera."""
    return CameraError(
        "camera-missing", "there is no camera here: give a photo", "stadtblick serve"
    )


def game_not_read_problem(game: str) -> Problem:
    """Return the problem for a game that cannot be read from photos."""
    message = Message("photos of this game cannot be read yet: choose another game in the menu")
    return Problem(code="game-not-read", message=message, where=game)


def edition_exists_problem(name: str) -> Problem:
    """Return the problem for a new edition whose name exists."""
    message = Message(
        "there is an edition {name} already: choose another name, or add examples to it", name=name
    )
    return Problem(code="edition-exists", message=message, where=name)
