"""Docstrings and their entries open with a noun or an imperative, never with half a sentence."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from inspect import cleandoc
from pathlib import Path

import pytest

from tests.syntax import nodes_of

ROOT = Path(__file__).parents[1]
FOLDERS = ("scoring", "vision", "hardware", "firmware", "systemd", "bench", "tests")
FORBIDDEN = frozenset(
    {"what", "whatever", "who", "whoever", "whose", "which", "whether", "where", "wherever"}
    | {"when", "why", "how", "it", "its", "they", "that", "those", "of", "so", "such", "and"}
)
"""First words of a riddle: the reader has to guess the noun or the verb that is left out."""
ONE = re.compile(r"one (?:that|which|who|whose|of|by|for|from|in|is|to|with)\b")
"""Riddle that opens with "one" and leaves out its noun."""

SECTION = re.compile(r"^(?:Args|Attributes):\n((?: {4}.*\n?|\n)+)", re.MULTILINE)
ENTRY = re.compile(r"^ {4}(\w+: (?:[a-z].*|(?:What|How|Which|Of|It|Its)\b.*))$", re.MULTILINE)

# Found in whole sources much faster than in their docstrings, which most sources need not give
OPENING = re.compile(
    rf"[\"'](?:\\\n|\s)*(?:{'|'.join(sorted(FORBIDDEN))}|one)\b".encode(), re.IGNORECASE
)
SECTION_LINES = re.compile(rb"^( *)(?:Args|Attributes):\n((?:\1 {4}.*\n|\s*\n)+)", re.MULTILINE)
UNCLEAR_LINE = re.compile(rb"^ +\w+: (?:[a-z]|(?:What|How|Which|Of|It|Its)\b)", re.MULTILINE)

Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def documented(source: bytes) -> Iterator[Documented]:
    """Return the nodes that may have a docstring."""
    return (node for node in nodes_of(source) if isinstance(node, Documented))


@cache
def docstrings(source: bytes) -> list[tuple[int, str]]:
    """Return line and text of all docstrings, those below constants and attributes included."""
    return [
        (statement.lineno, cleandoc(statement.value.value))
        for node in documented(source)
        for statement in node.body
        if isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    ]


def riddles(source: bytes) -> Iterator[str]:
    """Yield the first lines of docstrings that open with a forbidden word."""
    if OPENING.search(source) is None:
        return
    for line, text in docstrings(source):
        if re.split(r"\W", text.lower(), maxsplit=1)[0] in FORBIDDEN or ONE.match(text.lower()):
            yield f"{line}: {text.partition(chr(10))[0]}"


def test_no_docstring_opens_with_half_a_sentence():
    paths = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
    found = {str(path.relative_to(ROOT)): list(riddles(path.read_bytes())) for path in paths}
    assert not {path: lines for path, lines in found.items() if lines}, (
        f"begin with a noun or an imperative, none of {sorted(FORBIDDEN)}, nor 'one that'"
    )


def unclear_entries(source: bytes) -> Iterator[str]:
    """Yield the entries of docstrings that go on a sentence instead of naming a thing."""
    if not any(UNCLEAR_LINE.search(lines) for _indent, lines in SECTION_LINES.findall(source)):
        return
    for _line, text in docstrings(source):
        for section in SECTION.finditer(text):
            yield from (entry[1] for entry in ENTRY.finditer(section[1]))


def test_entries_of_docstrings_begin_with_a_noun():
    paths = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
    found = {
        str(path.relative_to(ROOT)): list(unclear_entries(path.read_bytes())) for path in paths
    }
    assert not {path: lines for path, lines in found.items() if lines}, (
        "begin with a noun and a capital: 'size: Size in pixels.'"
    )


def test_unclear_entry_is_found():
    text = "Read it.\n\n    Args:\n        path: of the file.\n        size: Size in pixels.\n    "
    source = f'def read(path, size):\n    """{text}"""\n'
    assert list(unclear_entries(source.encode())) == ["path: of the file."]


@pytest.mark.parametrize(
    "text", ["What a face is.", "Whether it is open.", "One that was found.", "Of one city."]
)
def test_riddle_is_found(text):
    source = f'"""Module."""\ndef first():\n    """{text}"""\n'
    assert list(riddles(source.encode())) == [f"3: {text}"]


def test_riddle_below_a_constant_is_found():
    source = b'"""Module."""\nWIDTH = 3\n"""Of the tiles."""\nclass Tile:\n    """Tile."""\n'
    assert list(riddles(source)) == ["3: Of the tiles."]


def test_counted_noun_is_allowed():
    assert list(riddles(b'"""One bed for each player."""')) == []


def test_plain_docstring_is_allowed():
    source = (
        b'"""Faces of tiles."""\nclass Face:\n    """Face of a tile."""\n    def name(self): ...\n'
    )
    assert list(riddles(source)) == []
