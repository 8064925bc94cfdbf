"""JSON as text that strict programs read.

A file name that is no UTF-8 has lone surrogates in Python. JSON could escape them, but many
programs refuse the result.
"""

import json
import re
from typing import Final

_LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_BEYOND_ASCII: Final = re.compile(r"[^\x00-\x7f]")


def json_text(value: object, *, indent: int | None = None, ascii_only: bool = True) -> str:
    """Encode a JSON value; lone surrogates become replacement characters.

    Args:
        value: Plain dicts and lists.
        indent: Columns of each level; None for a single line.
        ascii_only: True to escape all other letters.
    """
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    whole = _LONE_SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)
    return (
        _BEYOND_ASCII.sub(lambda found: json.dumps(found[0])[1:-1], whole) if ascii_only else whole
    )
