"""Parse TOML from outside: what would cost memory out of proportion is refused before."""

import re
import tomllib
from typing import Any, Final

MOST_PARTS: Final = 8
"""Of a dotted key; the memory that ``tomllib`` takes grows with the square of their number."""
MOST_DEPTH: Final = 16
"""Of lists and tables in one another."""

_TOKEN: Final = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+(?:"""|\Z)'
    r"|'''(?:[^']|'(?!''))*+(?:'''|\Z)"
    r'|"(?:[^"\\\n]|\\[^\n])*+"?'
    r"|'[^'\n]*+'?"
    r"|\#[^\n]*+"
    r"|[A-Za-z0-9_+:-]++"
    r"|[ \t]++"
    r"|.",
    re.DOTALL,
)
"""Texts, remarks, words, blanks, or another character; an open text ends with its line or file."""


class TooDeepError(ValueError):
    """A key has too many parts, or lists and tables lie in one another too deeply.

    Attributes:
        line: Number of the line, from 1.
    """

    def __init__(self, line: int) -> None:
        super().__init__(f"nested too deeply in line {line}")
        self.line = line


def parse_toml(text: str) -> dict[str, Any]:
    """Return the content of a TOML document.

    Raises:
        TooDeepError: It has more than ``MOST_PARTS`` or ``MOST_DEPTH``.
        tomllib.TOMLDecodeError: It is no TOML.
        ValueError: A number in it is far too large.
    """
    depth = parts = 0
    for token in _TOKEN.finditer(text):
        first = text[token.start()]
        if first in "[{":
            depth += 1
        elif first in "]}":
            depth -= 1
        elif first == ".":
            parts += 1
        elif first in "\n=,":
            parts = 0
        if depth > MOST_DEPTH or parts >= MOST_PARTS:
            raise TooDeepError(text.count("\n", 0, token.start()) + 1)
    return tomllib.loads(text)
