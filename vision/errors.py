"""Errors of ``vision``: a code, a message that can be translated, and where the fault is.

VisionError
├── PhotoError        a photo that cannot be used: missing, not an image, cut short, too large
├── CalibrationError  photos or a file that give no calibration
├── EditionError      photos or names that no edition can be learned from (vision.editions.edition)
├── DescriptionError  a description or pictures that cannot be used (vision.editions.edition)
└── TruthError        ground truth that cannot be used (vision.lab.evaluation.photo_truth)
"""

from vision.message import Message, Value


class DescribedError(Exception):
    """Error with a message that says what is wrong, where, and what to do.

    Attributes:
        code: Short stable identifier, such as ``photo-truncated``.
        template: One line in English: what is wrong, then after a colon what to do; the names of
            ``values`` stand in braces.
        values: Values of the placeholders.
        message: Template with its values.
        where: File at fault, or a place in it.
    """

    def __init__(self, code: str, template: str, where: str, **values: Value) -> None:
        self.message = Message(template, **values)
        super().__init__(self.message)
        self.code = code
        self.template = self.message.template
        self.values = self.message.values
        self.where = where


class VisionError(DescribedError):
    """Base of the errors of ``vision``."""


class CalibrationError(VisionError, ValueError):
    """Photos from which no calibration can be made, or a stored one that cannot be used."""


class PhotoError(VisionError, ValueError):
    """Photo that cannot be used."""
