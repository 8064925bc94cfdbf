"""TOML that people have written, read with care."""

import tomllib
from typing import Any, Final

from firmware.errors import UsageError
from vision.errors import Message

MAX_BYTES: Final = 64 * 1024
"""The settings with all comments take less than 4 KB."""
_MAX_LINE: Final = 1000
"""Characters; what ``tomllib`` takes for a dotted key grows with the square of its length."""


def decoded(code: str, data: bytes) -> str:
    """The text of a file.

    Raises:
        UsageError: of this code; it is no UTF-8, or has lines that are too long.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(code, "this is no text in UTF-8", "") from error
    for number, line in enumerate(text.split("\n"), start=1):
        if len(line) > _MAX_LINE:
            said = Message("the line has more than {most} characters", most=_MAX_LINE)
            raise UsageError(code, said, f"line {number}")
    return text


def parsed(code: str, text: str) -> dict[str, Any]:
    """What a text says.

    Raises:
        UsageError: of this code; it is no TOML. ``where`` is line and column, or empty.
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        said, _, place = str(error).removesuffix(")").rpartition(" (at ")
        raise UsageError(code, "this is no TOML, {said}", place, said=said) from error
    except ValueError as error:
        raise UsageError(code, "a number in it is far too large", "") from error
    except RecursionError as error:
        raise UsageError(code, "it is nested too deeply", "") from error
