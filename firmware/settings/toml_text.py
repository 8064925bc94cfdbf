"""From bytes to TOML: what is none is said with its line."""

import re
import tomllib
from typing import Any, Final

MAX_BYTES: Final = 64 * 1024
"""The settings with all comments take less than 4 KB."""
_MAX_LINE: Final = 1000
"""Characters; what ``tomllib`` takes for a dotted key grows with the square of its length."""
_TOML_ERROR: Final = re.compile(r"(?P<said>.*) \(at (?P<place>[^()]*)\)", re.DOTALL)


class NotTomlError(ValueError):
    """What was read is no TOML.

    Attributes:
        what: what is wrong with it.
        place: line and column; empty if it is the whole file.
    """

    def __init__(self, what: str, place: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.place = place


def text_of(data: bytes) -> str:
    """The text of a file.

    Raises:
        NotTomlError: it is too large, no UTF-8, or has lines that are too long.
    """
    if len(data) > MAX_BYTES:
        raise NotTomlError(f"these are more than {MAX_BYTES} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise NotTomlError("this is no text in UTF-8") from error
    for number, line in enumerate(text.split("\n"), start=1):
        if len(line) > _MAX_LINE:
            raise NotTomlError(f"the line has more than {_MAX_LINE} characters", f"line {number}")
    return text


def content_of(text: str) -> dict[str, Any]:
    """What a TOML text says.

    Raises:
        NotTomlError: it is no TOML.
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        match = _TOML_ERROR.fullmatch(str(error))
        if match is None:
            raise NotTomlError(f"this is no TOML, {error}") from error
        raise NotTomlError(f"this is no TOML, {match['said']}", match["place"]) from error
    except ValueError as error:
        raise NotTomlError("a number in it is far too large") from error
    except RecursionError as error:
        raise NotTomlError("it is nested too deeply") from error
