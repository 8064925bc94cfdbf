"""Words in the user's language: the one place where a catalogue takes effect.

Texts are looked up when ``_`` or ``_n`` is called. ``N_`` and ``NN_`` only mark a text that is
written down in one place and looked up in another. ``D_`` and ``DN_`` mark the short texts of the
display. The catalogues are in ``firmware/locale``.
"""

import gettext
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Final, Literal

DOMAIN: Final = "stadtblick"
"""Name of the catalogues."""

DISPLAY: Final = "display"
"""Context of the short texts of the display, which may be translated otherwise elsewhere."""

Language = Literal["en", "de", "hu"]
"""A language, as ISO 639-1 names it."""

SOURCE_LANGUAGE: Final = "en"
"""The language of the texts in the code, which needs no catalogue."""

LANGUAGES: Final[tuple[Language, ...]] = (SOURCE_LANGUAGE, "de", "hu")
"""The languages that everything is written in."""

_catalogues: list[gettext.NullTranslations] = [gettext.NullTranslations()]
"""The one in use; a list, so that it can be exchanged."""
_here: ContextVar[gettext.NullTranslations | None] = ContextVar("catalogue", default=None)
"""What takes its place in one context, such as an answer to one phone."""


_wordings: ContextVar[Mapping[str, str]] = ContextVar("wordings", default={})  # noqa: B039
"""Texts said there in place of others."""


@cache
def _catalogue_of(language: str) -> gettext.NullTranslations:
    folder = str(resources.files("firmware") / "locale")
    if language == SOURCE_LANGUAGE:
        return gettext.NullTranslations()
    return gettext.translation(DOMAIN, folder, [language], fallback=True)


def _spoken() -> gettext.NullTranslations:
    return _here.get() or _catalogues[0]


@contextmanager
def in_language(language: str, wordings: Mapping[str, str] | None = None) -> Iterator[None]:
    """Speak a language in this context alone, whatever is spoken elsewhere.

    Args:
        language: one of ``LANGUAGES``.
        wordings: Texts by those in whose place they are said here; all in English.
    """
    token, before = _here.set(_catalogue_of(language)), _wordings.set(wordings or {})
    try:
        yield
    finally:
        _here.reset(token)
        _wordings.reset(before)


def use_language(language: str | None) -> None:
    """Speak a language from now on.

    Args:
        language: one of ``LANGUAGES``; None: that of the system, see ``system_language``.
    """
    _catalogues[0] = _catalogue_of(language or system_language())


def system_language() -> str:
    """The one of ``LANGUAGES`` that the system lists first, or English if it lists none.

    The first of the variables LANGUAGE, LC_ALL, LC_MESSAGES and LANG that is set counts.
    """
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        listed = os.environ.get(variable)
        if listed:
            codes = (re.split(r"[_.@]", name)[0] for name in listed.split(":"))
            return next((code for code in codes if code in LANGUAGES), SOURCE_LANGUAGE)
    return SOURCE_LANGUAGE


def current_language() -> Language:
    """The language that is spoken now."""
    code = _spoken().info().get("language", SOURCE_LANGUAGE)
    return next((language for language in LANGUAGES if language == code), SOURCE_LANGUAGE)


def format_decimal(value: float) -> str:
    """A number with one decimal place, as the language writes it."""
    point = "." if current_language() == SOURCE_LANGUAGE else ","
    return f"{value:.1f}".replace(".", point)


def _(text: str) -> str:
    """The text in the user's language."""
    return _spoken().gettext(_wordings.get().get(text, text))


def _n(one: str, many: str, count: int, **values: object) -> str:
    """The wording for a count, with ``{n}`` and further values filled in."""
    return _spoken().ngettext(one, many, count).format(n=count, **values)


def ngettext(one: str, many: str, count: int) -> str:
    """The wording for a count, with nothing filled in."""
    return _spoken().ngettext(one, many, count)


def N_(text: str) -> str:  # noqa: N802 - the usual name, known to the tools that collect texts
    """Mark a text for the catalogue."""
    return text


def NN_(one: str, many: str) -> tuple[str, str]:  # noqa: N802 - see N_
    """Mark a text with a plural for the catalogue."""
    return one, many


@dataclass(frozen=True, slots=True)
class Phrase:
    """A text that is said later, in the language that is spoken when ``str`` is called.

    Attributes:
        text: in English; of a counted text the wording for one.
        many: the wording for any other number, which is the value ``n``; None: it is not counted.
        context: in the catalogue; None: none.
        values: by name, to be filled in; phrases among them are said in that language, too.
    """

    text: str
    many: str | None = None
    context: str | None = None
    values: tuple[tuple[str, object], ...] = ()

    def of(self, **values: object) -> "Phrase":
        """The same with values."""
        return replace(self, values=(*self.values, *values.items()))

    def __str__(self) -> str:
        values, catalogue = dict(self.values), _spoken()
        if self.many is not None:
            count = int(str(values["n"]))
            said = (
                catalogue.ngettext(self.text, self.many, count)
                if self.context is None
                else catalogue.npgettext(self.context, self.text, self.many, count)
            )
        elif self.context is not None:
            said = catalogue.pgettext(self.context, self.text)
        else:
            said = catalogue.gettext(self.text)
        return said.format(**values) if values else said


def join_word(word: object) -> str:
    """A word of the display as it is said elsewhere: without the places where it may be broken."""
    return str(word).replace("- ", "")


def D_(text: str, context: str = DISPLAY) -> Phrase:  # noqa: N802 - see N_
    """Mark a short text of the display; a further context where it is said in two ways."""
    return Phrase(text, context=context)


def DN_(one: str, many: str) -> Phrase:  # noqa: N802 - see N_
    """Mark a short text of the display with a number, ``{n}``."""
    return Phrase(one, many, DISPLAY)
