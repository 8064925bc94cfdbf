"""JSON as text that strict programs read.

A file name that is no UTF-8 has halves of letters (lone surrogates) in Python, which JSON could
escape, but no text can hold, so that many programs refuse it.
"""

import json
import re
from typing import Final

_HALF_LETTER: Final = re.compile("[\ud800-\udfff]")
_BEYOND_ASCII: Final = re.compile(r"[^\x00-\x7f]")


def json_text(value: object, *, indent: int | None = None, ascii_only: bool = True) -> str:
    """A JSON value; halves of letters become replacement characters.

    Args:
        value: plain dicts and lists.
        indent: columns of each level; None: all in one line.
        ascii_only: whether other letters are escaped.
    """
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    whole = _HALF_LETTER.sub("\N{REPLACEMENT CHARACTER}", text)
    return (
        _BEYOND_ASCII.sub(lambda found: json.dumps(found[0])[1:-1], whole) if ascii_only else whole
    )
