"""Errors of ``vision``: a code, a message that can be translated, and where the fault is.

VisionError
├── PhotoError        a photo that cannot be used: missing, not an image, cut short, too large
├── EditionError      photos or pictures that no edition can be learned from (vision.editions)
├── DescriptionError  a description or pictures of a game that cannot be used
├── TruthError        ground truth that cannot be used (vision.lab.evaluation)
└── CalibrationError  photos or a file that give no calibration (vision.calibration)
"""

from collections.abc import Mapping

Value = int | float | str
"""Value of a placeholder in a message template."""


class Message(str):
    """English message for a person that keeps its template and values for translation.

    Attributes:
        template: English text with the names of ``values`` in braces; key of the translation
            catalogues.
        values: Values of the placeholders; messages among them are translated as well, floats
            have at most six significant digits.
    """

    template: str
    values: Mapping[str, Value]

    def __new__(cls, template: str, **values: Value) -> "Message":
        """Fill in a template; a message without further values is returned as it is."""
        if isinstance(template, Message) and not values:
            return template
        message = super().__new__(cls, _fill_in(template, values))
        message.template = str(template)
        message.values = values
        return message


def _fill_in(template: str, values: Mapping[str, Value]) -> str:
    if not values:
        return template
    texts = {
        name: f"{value:g}" if isinstance(value, float) else value for name, value in values.items()
    }
    return template.format(**texts)


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
    """The photo cannot be used."""
