"""Words in the user's language: the one place where a catalogue takes effect.

Texts are looked up when ``_`` or ``_n`` is called. ``N_`` and ``NN_`` only mark a text that is
written down in one place and looked up in another. The catalogues are in ``firmware/locale``.
"""

import gettext
import os
from importlib import resources
from typing import Final

DOMAIN: Final = "stadtblick"
"""Name of the catalogues."""

SOURCE_LANGUAGE: Final = "en"
"""The language of the texts in the code, which needs no catalogue."""

LANGUAGES: Final = (SOURCE_LANGUAGE, "de", "hu")
"""The languages that everything is written in, as ISO 639-1 names them."""

_catalogues: list[gettext.NullTranslations] = [gettext.NullTranslations()]
"""The one in use; a list, so that it can be exchanged."""


def use_language(language: str | None) -> None:
    """Speak a language from now on.

    Args:
        language: one of ``LANGUAGES``; None: that of the system, by the variables LANGUAGE,
            LC_ALL, LC_MESSAGES and LANG in this order, or English if it is none of them.
    """
    languages = None if language is None else [language]
    folder = str(resources.files("firmware") / "locale")
    if language == SOURCE_LANGUAGE or (language is None and _speaks_english_first()):
        _catalogues[0] = gettext.NullTranslations()
    else:
        _catalogues[0] = gettext.translation(DOMAIN, folder, languages, fallback=True)


def _speaks_english_first() -> bool:
    """Whether the system lists English before another language with a catalogue.

    gettext passes over languages without a catalogue, and English has none.
    """
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        listed = os.environ.get(variable)
        if listed:
            codes = (name.replace(".", "_").split("_")[0] for name in listed.split(":"))
            known = [code for code in codes if code in LANGUAGES]
            return bool(known) and known[0] == SOURCE_LANGUAGE
    return False


def _(text: str) -> str:
    """The text in the user's language."""
    return _catalogues[0].gettext(text)


def _n(one: str, many: str, count: int, **values: object) -> str:
    """The wording for a count, with ``{n}`` and further values filled in."""
    return _catalogues[0].ngettext(one, many, count).format(n=count, **values)


def N_(text: str) -> str:  # noqa: N802 - the usual name, known to the tools that collect texts
    """Mark a text for the catalogue."""
    return text


def NN_(one: str, many: str) -> tuple[str, str]:  # noqa: N802 - see N_
    """Mark a text with a plural for the catalogue."""
    return one, many
