"""What a test has opened and is closed at its end, whatever becomes of the test."""

from contextlib import ExitStack

AT_THE_END = ExitStack()
"""``tests/conftest.py`` closes it after each test."""
