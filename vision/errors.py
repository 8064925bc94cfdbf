"""What can be wrong with what the eye is given.

VisionError
├── PhotoError        a photo that cannot be used: missing, not an image, cut short, too large
├── EditionError      photos or pictures that no edition can be learned from (vision.editions)
├── DescriptionError  a description or pictures of a game that cannot be used
├── TruthError        ground truth that cannot be used (vision.lab.evaluation)
└── CalibrationError  photos or a file that give no calibration (vision.calibration)
"""

from collections.abc import Mapping

Value = int | float | str
"""What may be filled in."""


class Message(str):
    """What is said to a person: a text of the catalogue with its values, as a text in English.

    Attributes:
        template: the text, in English, with the names of ``values`` in braces; whoever speaks
            another language looks it up.
        values: what is filled in; messages among them are said in that language, too.
    """

    template: str
    values: Mapping[str, Value]

    def __new__(cls, template: str, **values: Value) -> "Message":
        """A message; a message without values is the same again."""
        if isinstance(template, Message) and not values:
            return template
        made = super().__new__(cls, template.format(**values) if values else template)
        made.template = str(template)
        made.values = values
        return made


class DescribedError(Exception):
    """Says what is wrong, where, and what to do.

    Attributes:
        code: short stable identifier, such as ``photo-truncated``.
        template: one line saying what is wrong, then after a colon what to do, with the names of
            ``values`` in braces; in English, as the catalogue has it.
        values: what is filled in.
        message: the template with its values.
        where: the file (or place in it) that is meant.
    """

    def __init__(self, code: str, template: str, where: str, **values: Value) -> None:
        self.message = Message(template, **values)
        super().__init__(self.message)
        self.code = code
        self.template = self.message.template
        self.values = self.message.values
        self.where = where


class VisionError(DescribedError):
    """Base of the eye's errors."""


class CalibrationError(VisionError, ValueError):
    """No calibration can be made from these photos, or the stored one cannot be used."""


class PhotoError(VisionError, ValueError):
    """The photo cannot be used."""
