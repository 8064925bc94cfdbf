"""Errors of devices.

HardwareError
├── CameraError     the camera is missing, busy, silent or broken
├── ButtonsError    the GPIO lines of the buttons cannot be opened or read
├── DisplayError    the display is missing, badly wired or stopped answering
├── SignalsError    the GPIO lines of buzzer and lamp cannot be opened or used
└── HotspotError    the scanner's own network cannot be switched on or off
"""

Value = int | float | str
"""Value to fill into a message."""


class SystemReason(str):
    """Words of the operating system for an error, to be translated like a template."""

    __slots__ = ()


def N_(template: str) -> str:  # noqa: N802 - the customary name, known to xgettext and Babel
    """Mark a template for the catalogues of translations.

    Needed where the template is no literal in the call of an error; those are found by themselves.
    """
    return template


def error_reason(error: BaseException) -> str:
    """Return the words of an error in one line, those of the operating system if they are its."""
    if isinstance(error, OSError) and error.errno and error.strerror:
        return SystemReason(error.strerror)
    return " ".join(str(error).split()) or type(error).__name__


class HardwareError(Exception):
    """Base of the errors of devices.

    Attributes:
        code: Short stable identifier, such as ``display-not-found``.
        template: One line saying what is wrong, then after a colon what to do, with the names of
            ``values`` in braces; key of the translation catalogues.
        values: Values of the placeholders.
        message: Template with its values.
        where: Device, such as ``I2C bus 1, address 0x3C``.
    """

    def __init__(self, code: str, template: str, where: str, **values: Value) -> None:
        self.message = template.format(**values) if values else template
        super().__init__(self.message)
        self.code = code
        self.template = template
        self.values = values
        self.where = where


class CameraError(HardwareError):
    """The camera is missing, busy, silent or broken."""


class ButtonsError(HardwareError):
    """The GPIO lines of the buttons cannot be opened or read."""


class SignalsError(HardwareError):
    """The GPIO lines of buzzer and lamp cannot be opened or used."""


class HotspotError(HardwareError):
    """The scanner's own network cannot be switched on or off."""


class DisplayError(HardwareError):
    """The display is missing, badly wired or stopped answering."""
