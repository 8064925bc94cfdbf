"""JSON as text that strict programs read, and values as JSON holds them.

A file name that is no UTF-8 has lone surrogates in Python. JSON could escape them, but many
programs refuse the result.
"""

import json
import re
from typing import Any, Final

import msgspec

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


def to_plain(value: object) -> Any:
    """Convert data classes, enumerations and tuples to dicts, texts and lists, as JSON has them."""

    def with_lists(part: Any) -> Any:
        if isinstance(part, dict):
            return {key: with_lists(each) for key, each in part.items()}
        return [with_lists(each) for each in part] if isinstance(part, tuple | list) else part

    return with_lists(msgspec.to_builtins(value))


def select_attributes(value: object, *names: str) -> dict[str, Any]:
    """Return some attributes of a value by their names."""
    return {name: getattr(value, name) for name in names}
