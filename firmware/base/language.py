"""Translation of texts, and the language in use.

``_`` and ``_n`` translate a text when they are called. ``N_`` and ``NN_`` only mark a text for the
catalogue, to be translated elsewhere. ``D_`` and ``DN_`` return a ``Phrase``: a short text of the
display, translated when it is drawn. The catalogues are in ``firmware/locale``.
"""

import gettext
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import date
from enum import Enum
from functools import cache
from importlib import resources
from typing import Final, Literal

DOMAIN: Final = "stadtblick"
"""Name of the catalogues."""

DISPLAY: Final = "display"
"""Catalogue context of the display's short texts, translated apart from the same text elsewhere."""

Language = Literal["en", "de", "hu"]
"""ISO 639-1 code of a language."""

SOURCE_LANGUAGE: Final = "en"
"""Language of the texts in the code, which needs no catalogue."""

LANGUAGES: Final[tuple[Language, ...]] = (SOURCE_LANGUAGE, "de", "hu")
"""Languages of all texts."""

LANGUAGE_NAMES: Final[Mapping[Language, str]] = {"en": "English", "de": "Deutsch", "hu": "Magyar"}
"""Names of the languages, each in itself."""

_catalogues: list[gettext.NullTranslations] = [gettext.NullTranslations()]
"""Catalogue of the process; a list, so that it can be exchanged."""
_context_catalogue: ContextVar[gettext.NullTranslations | None] = ContextVar(
    "catalogue", default=None
)
"""Catalogue of one context, such as the answer to one phone; None for that of the process."""
_wordings: ContextVar[Mapping[str, str]] = ContextVar("wordings", default={})  # noqa: B039
"""English texts of one context by the texts that they replace."""


@cache
def _load_catalogue(language: str) -> gettext.NullTranslations:
    folder = str(resources.files("firmware") / "locale")
    if language == SOURCE_LANGUAGE:
        return gettext.NullTranslations()
    return gettext.translation(DOMAIN, folder, [language], fallback=True)


def _catalogue_in_use() -> gettext.NullTranslations:
    return _context_catalogue.get() or _catalogues[0]


@contextmanager
def in_language(language: str, wordings: Mapping[str, str] | None = None) -> Iterator[None]:
    """Use a language in this context alone.

    Args:
        language: One of ``LANGUAGES``.
        wordings: English texts by the English texts that they replace in this context.
    """
    token, before = _context_catalogue.set(_load_catalogue(language)), _wordings.set(wordings or {})
    try:
        yield
    finally:
        _context_catalogue.reset(token)
        _wordings.reset(before)


def use_language(language: str | None) -> None:
    """Set the language of the process.

    Args:
        language: One of ``LANGUAGES``; None for that of the system.
    """
    _catalogues[0] = _load_catalogue(language or system_language())


def system_language() -> str:
    """Return the first of ``LANGUAGES`` that the system lists, or English.

    The first of the variables LANGUAGE, LC_ALL, LC_MESSAGES and LANG that is set counts.
    """
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        listed = os.environ.get(variable)
        if listed:
            codes = (re.split(r"[_.@]", name)[0] for name in listed.split(":"))
            return next((code for code in codes if code in LANGUAGES), SOURCE_LANGUAGE)
    return SOURCE_LANGUAGE


def current_language() -> Language:
    """Return the language in use."""
    code = _catalogue_in_use().info().get("language", SOURCE_LANGUAGE)
    return next((language for language in LANGUAGES if language == code), SOURCE_LANGUAGE)


def format_decimal(value: float, places: int = 1) -> str:
    """Format a number with fixed decimal places and the decimal mark of the language."""
    return _localize_mark(f"{value:.{places}f}")


def format_number(value: float) -> str:
    """Format a number with at most six significant digits and the decimal mark of the language."""
    return _localize_mark(f"{value:g}")


def format_percent(share: float, places: int = 0) -> str:
    """Format a share as a percentage: ``45%``, in German with a no-break space before the sign."""
    space = "\N{NO-BREAK SPACE}" if current_language() == "de" else ""
    return f"{format_decimal(100 * share, places)}{space}%"


def _localize_mark(digits: str) -> str:
    return digits if current_language() == SOURCE_LANGUAGE else digits.replace(".", ",")


_DATE_FORMATS: Final[Mapping[Language, str]] = {
    "en": "%Y-%m-%d",
    "de": "%d.%m.%Y",
    "hu": "%Y. %m. %d.",
}


def format_date(day: date) -> str:
    """Format a date as the language writes it: ``2025-03-14``, in German ``14.03.2025``."""
    return day.strftime(_DATE_FORMATS[current_language()])


def format_month(day: date) -> str:
    """Name a month with its year, as in ``November 2026``, in Hungarian ``2026. november``."""
    return _("{month} {year}").format(month=_(_MONTHS[day.month - 1]), year=day.year)


def _(text: str) -> str:
    """Translate a text."""
    return _catalogue_in_use().gettext(_wordings.get().get(text, text))


def _n(one: str, many: str, count: int, **values: object) -> str:
    """Translate a text with a count; fill in ``{n}`` and further values."""
    return _catalogue_in_use().ngettext(one, many, count).format(n=count, **values)


def ngettext(one: str, many: str, count: int) -> str:
    """Translate a text with a count; fill in nothing."""
    return _catalogue_in_use().ngettext(one, many, count)


def N_(text: str) -> str:  # noqa: N802 - the customary name, known to xgettext and Babel
    """Mark a text for the catalogue."""
    return text


def NN_(one: str, many: str) -> tuple[str, str]:  # noqa: N802 - see N_
    """Mark a text with a plural for the catalogue."""
    return one, many


@dataclass(frozen=True, slots=True)
class Phrase:
    """Text that is translated when ``str`` is called.

    Attributes:
        text: English text; of a text with a count, the wording for one.
        many: Wording for any other count, which is the value ``n``; None for a text without count.
        context: Context in the catalogue; None without one.
        values: Values to fill in, by name; phrases among them are translated, too.
    """

    text: str
    many: str | None = None
    context: str | None = None
    values: tuple[tuple[str, object], ...] = ()

    def fill(self, **values: object) -> "Phrase":
        """Return the phrase with further values filled in."""
        return Phrase(self.text, self.many, self.context, (*self.values, *values.items()))

    def __str__(self) -> str:
        values, catalogue = dict(self.values), _catalogue_in_use()
        if self.many is not None:
            count = int(str(values["n"]))
            text = (
                catalogue.ngettext(self.text, self.many, count)
                if self.context is None
                else catalogue.npgettext(self.context, self.text, self.many, count)
            )
        elif self.context is not None:
            text = catalogue.pgettext(self.context, self.text)
        else:
            text = catalogue.gettext(self.text)
        return text.format(**values) if values else text


class Worded(Enum):
    """Base of enumerations whose values are their words on the display."""

    @property
    def code(self) -> str:
        """Short stable identifier, such as ``under-voltage``."""
        return self.name.lower().replace("_", "-")

    def __str__(self) -> str:
        return str(self.value)


def join_phrases(parts: Iterable[object]) -> Phrase:
    """Return one or more texts as one, with a space between each two."""
    values = {f"part{number}": part for number, part in enumerate(parts)}
    return Phrase(" ".join(f"{{{name}}}" for name in values)).fill(**values)


def without_break_hyphens(word: object) -> str:
    """Return a word of the display without the hyphens at which it may be broken."""
    return str(word).replace("- ", "")


def D_(text: str, context: str = DISPLAY) -> Phrase:  # noqa: N802 - see N_
    """Mark a short text of the display; another context distinguishes two meanings of it."""
    return Phrase(text, context=context)


def DN_(one: str, many: str) -> Phrase:  # noqa: N802 - see N_
    """Mark a short text of the display with a number, ``{n}``."""
    return Phrase(one, many, DISPLAY)


_MONTHS = (
    N_("January"),
    N_("February"),
    N_("March"),
    N_("April"),
    N_("May"),
    N_("June"),
    N_("July"),
    N_("August"),
    N_("September"),
    N_("October"),
    N_("November"),
    N_("December"),
)
