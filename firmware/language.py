"""Words in the user's language: the one place where a catalogue takes effect.

Texts are looked up when ``_`` or ``_n`` is called. ``N_`` and ``NN_`` only mark a text that is
written down in one place and looked up in another.
"""

from gettext import gettext, ngettext


def _(text: str) -> str:
    """The text in the user's language."""
    return gettext(text)


def _n(one: str, many: str, count: int, **values: object) -> str:
    """The wording for a count, with ``{n}`` and further values filled in."""
    return ngettext(one, many, count).format(n=count, **values)


def N_(text: str) -> str:  # noqa: N802 - the usual name, known to the tools that collect texts
    """Mark a text for the catalogue."""
    return text


def NN_(one: str, many: str) -> tuple[str, str]:  # noqa: N802 - see N_
    """Mark a text with a plural for the catalogue."""
    return one, many
