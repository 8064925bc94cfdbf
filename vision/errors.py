"""What can be wrong with what the eye is given.

VisionError
├── PhotoError        a photo that cannot be used: missing, not an image, cut short, too large
├── EditionError      photos or pictures that no edition can be learned from (vision.editions)
├── DescriptionError  a description or pictures of a game that cannot be used (vision.boards)
├── TruthError        ground truth that cannot be used (vision.figures)
└── CalibrationError  photos or a file that give no calibration (vision.calibration)
"""


class VisionError(Exception):
    """Base of the eye's errors.

    Attributes:
        code: short stable identifier, such as ``photo-truncated``.
        message: one line saying what is wrong and what to do.
        where: the file (or place in it) that is meant.
    """

    def __init__(self, code: str, message: str, where: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.where = where


class PhotoError(VisionError, ValueError):
    """The photo cannot be used."""
