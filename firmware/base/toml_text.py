"""Decoding of TOML files that people write."""

import tomllib
from typing import Any, Final

from firmware.base.errors import UsageError
from vision.documents import NestedTooDeeplyError, parse_toml

MAX_BYTES: Final = 64 * 1024
"""Largest file that is read; the settings with all comments take less than 4 kB."""


def decode_text(code: str, data: bytes) -> str:
    """Decode the UTF-8 text of a file.

    Raises:
        UsageError: With this code, if it is no UTF-8.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(code, "this is no text in UTF-8", "") from error


def parse_toml_text(code: str, text: str) -> dict[str, Any]:
    """Parse a TOML text.

    Raises:
        UsageError: With this code, if it is no TOML. ``where`` is line and column, or empty.
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
