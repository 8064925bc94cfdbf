"""TOML that people have written, read with care."""

import tomllib
from typing import Any, Final

from firmware.base.errors import UsageError
from vision.documents import NestedTooDeeplyError, parse_toml

MAX_BYTES: Final = 64 * 1024
"""The settings with all comments take less than 4 KB."""


def decode_text(code: str, data: bytes) -> str:
    """The text of a file.

    Raises:
        UsageError: of this code; it is no UTF-8.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(code, "this is no text in UTF-8", "") from error


def parse_toml_text(code: str, text: str) -> dict[str, Any]:
    """What a text says.

    Raises:
        UsageError: of this code; it is no TOML. ``where`` is line and column, or empty.
    """
    try:
        return parse_toml(text)
    except NestedTooDeeplyError as error:
        raise UsageError(code, "it is nested too deeply", f"line {error.line}") from error
    except tomllib.TOMLDecodeError as error:
        said, _, place = str(error).removesuffix(")").rpartition(" (at ")
        raise UsageError(code, "this is no TOML, {said}", place, said=said) from error
    except ValueError as error:
        raise UsageError(code, "a number in it is far too large", "") from error
