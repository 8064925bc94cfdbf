"""Time limits of the tests."""

PROCESS_LIMIT_S = 200.0
"""Longest run of a process that a test starts, in seconds.

Shorter than ``faulthandler_timeout`` in ``pyproject.toml``: the test fails and its worker goes on.
"""
