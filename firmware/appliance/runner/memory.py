"""Giving memory back to the system after work that needed much of it."""

import ctypes
from contextlib import suppress


def give_back_memory() -> None:
    """Let go of what the last photo took, so that the waiting appliance is small.

    The C library keeps freed memory for later, several times what waiting needs. Where it has no
    way to give it back, nothing happens.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
