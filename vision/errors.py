"""What can be wrong with what the eye is given.

VisionError
├── PhotoError        a photo that cannot be used: missing, not an image, cut short, too large
├── EditionError      photos or pictures that no edition can be learned from (vision.editions)
├── DescriptionError  a description or pictures of a game that cannot be used (vision.boards)
├── TruthError        ground truth that cannot be used (vision.figures)
└── CalibrationError  photos or a file that give no calibration (vision.calibration)
"""

Value = int | float | str
"""What may be filled in."""


class VisionError(Exception):
    """Base of the eye's errors.

    Attributes:
        code: short stable identifier, such as ``photo-truncated``.
        template: one line saying what is wrong and what to do, with the names of ``values`` in
            braces; whoever speaks another language looks it up.
        values: what is filled in.
        message: the template with its values.
        where: the file (or place in it) that is meant.
    """

    def __init__(self, code: str, template: str, where: str, **values: Value) -> None:
        self.message = template.format(**values) if values else template
        super().__init__(self.message)
        self.code = code
        self.template = template
        self.values = values
        self.where = where


class PhotoError(VisionError, ValueError):
    """The photo cannot be used."""
