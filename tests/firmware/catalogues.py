"""The texts that the code marks for translation, and the catalogues with their translations."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from jinja2.ext import babel_extract

from firmware.base.language import DISPLAY, DOMAIN, LANGUAGES, SOURCE_LANGUAGE
from tests.syntax import nodes_of

ROOT: Final = Path(__file__).parents[2]
PACKAGES: Final = ("scoring", "vision", "hardware", "firmware")
TRANSLATED: Final = tuple(language for language in LANGUAGES if language != SOURCE_LANGUAGE)

_TEXT: Final = ("_", "N_", "D_")
_WITH_TEXT: Final = ("Message", "Problem")
_COUNTED: Final = ("_n", "NN_", "DN_")
_MARKING: Final = re.compile(
    rf"(?:\b(?:{'|'.join((*_TEXT, *_COUNTED, *_WITH_TEXT))})|Error)\(".encode()
)
"""Beginning of a call that marks a text; most files have none and need not be parsed."""


class Marked(NamedTuple):
    """A text of the code.

    Attributes:
        context: None: it has none.
        one: English text; of a counted text the wording for one.
        many: Wording for any other number; None if it is not counted.
    """

    context: str | None
    one: str
    many: str | None = None


@cache
def marked_texts() -> frozenset[Marked]:
    """All texts of the program."""
    files = (file for package in PACKAGES for file in (ROOT / package).rglob("*.py"))
    calls = [(file, call) for file in files for call in _calls_in(file)]
    found = {text for _file, call in calls for text in _texts_of(call)}
    found |= {text for file, call in calls for text in _templates_of(file, call)}
    for file in (ROOT / "firmware" / "page" / "templates").glob("*.html"):
        found |= set(_texts_in_page(file))
    return frozenset(found)


def _texts_in_page(file: Path) -> Iterator[Marked]:
    """Yield the texts of a template of the page."""
    with file.open("rb") as source:
        for _line, function, texts, _comments in babel_extract(source, (*_TEXT, *_COUNTED), (), {}):
            given = [texts] if isinstance(texts, str) else list(filter(None, texts or ()))
            if given:
                yield Marked(None, *given[: 2 if function in _COUNTED else 1])


def _calls_in(file: Path) -> list[ast.Call]:
    source = file.read_bytes()
    nodes = nodes_of(source, expressions=True) if _MARKING.search(source) else ()
    return [each for each in nodes if isinstance(each, ast.Call)]


def _name_of(call: ast.Call) -> str:
    return str(getattr(call.func, "id", getattr(call.func, "attr", "")))


def _texts_of(call: ast.Call) -> Iterator[Marked]:
    name = _name_of(call)
    if name not in (*_TEXT, *_COUNTED):
        return
    given = [arg.value if isinstance(arg, ast.Constant) else None for arg in call.args]
    one, more = (*(each if isinstance(each, str) else None for each in given), None, None)[:2]
    context = DISPLAY if name in ("D_", "DN_") else None
    if not one:
        return
    if name in _COUNTED:
        if more:
            yield Marked(context, one, more)
    else:
        yield Marked((context and more) or context, one)


def _templates_of(file: Path, call: ast.Call) -> Iterator[Marked]:
    """Yield the texts of errors and problems (second argument) and ``Message`` (first argument).

    A text that is put together where it is used (an f-string) could not be looked up.
    """
    name = _name_of(call)
    place = 0 if name == "Message" else 1
    is_error = name.endswith("Error") and len(call.args) > 2
    if place >= len(call.args) or not (is_error or name in _WITH_TEXT):
        return
    text = call.args[place]
    choices = (text.body, text.orelse) if isinstance(text, ast.IfExp) else (text,)
    for choice in choices:
        assert not isinstance(choice, ast.JoinedStr), f"{file}, line {choice.lineno}"
        if isinstance(choice, ast.Constant) and isinstance(choice.value, str):
            yield Marked(None, choice.value)


def po_file(language: str) -> Path:
    return ROOT / "firmware" / "locale" / language / "LC_MESSAGES" / f"{DOMAIN}.po"


@cache
def catalogue(language: str) -> Catalog:
    with po_file(language).open("rb") as file:
        return read_po(file, locale=language)


@cache
def translations(language: str) -> dict[Marked, tuple[str, ...]]:
    """The translation of each text; two for one with a plural."""
    found = {}
    for message in catalogue(language):
        if not message.id:
            continue
        ids = (message.id,) if isinstance(message.id, str) else message.id
        wordings = (message.string,) if isinstance(message.string, str) else message.string
        found[Marked(message.context, *ids)] = tuple(wordings)
    return found
