"""What can be wrong with what is screwed on.

HardwareError
├── CameraError     the camera is missing, busy, silent or broken
├── ButtonsError    the lines of the buttons cannot be had
└── DisplayError    the display is missing, badly wired or stopped answering
"""


class HardwareError(Exception):
    """Base of the errors of devices.

    Attributes:
        code: short stable identifier, such as ``display-not-found``.
        message: one line saying what is wrong, then after a colon what to do.
        where: the device that is meant, such as ``I2C bus 1, address 0x3C``.
    """

    def __init__(self, code: str, message: str, where: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.where = where


class CameraError(HardwareError):
    """The camera is missing, busy, silent or broken."""


class ButtonsError(HardwareError):
    """The lines of the buttons cannot be had."""


class DisplayError(HardwareError):
    """The display is missing, badly wired or stopped answering."""
