"""Checks for refusals and their messages."""

import re
from contextlib import contextmanager

import pytest

from firmware.base.errors import FirmwareError
from hardware.errors import HardwareError
from vision.errors import VisionError


@contextmanager
def refused(code, expected="", where=None):
    """The block ends in an error of this code, whose one line has these words in it."""
    with pytest.raises((FirmwareError, HardwareError, VisionError)) as caught:
        yield caught
    assert caught.value.code == code
    assert expected in caught.value.message
    assert where is None or caught.value.where == str(where)
    assert re.search("[:;] ", caught.value.message), "says what to do"
    assert caught.value.message.isprintable()
