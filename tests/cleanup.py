"""Close at the end of a test whatever it has opened, even if it fails."""

from contextlib import ExitStack

AT_THE_END = ExitStack()
"""``tests/conftest.py`` closes it after each test."""
