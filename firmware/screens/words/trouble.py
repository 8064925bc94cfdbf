"""What is wrong, as the title of a screen, and what to do about it, in the three rows below."""

from typing import NamedTuple

from firmware.screens.words.said import Said


class Trouble(NamedTuple):
    """Words of a fault.

    Attributes:
        what: is wrong; one row, which is the title.
        remedy: what to do; three rows, two for a fault that the scanner retries by itself.
    """

    what: Said
    remedy: Said
