"""A text in every language of the display."""

from typing import NamedTuple

from firmware.language import Language


class Said(NamedTuple):
    """One text; a language more is a field more, and every text without it fails the type check."""

    en: str
    de: str
    hu: str

    def in_(self, language: Language) -> str:
        """The text in a language."""
        return {"en": self.en, "de": self.de, "hu": self.hu}[language]


class Counted(NamedTuple):
    """A text with a number, ``{n}``; Hungarian has no plural after one."""

    one: Said
    many: Said

    def for_number(self, n: int) -> Said:
        """The text for a number, which is still to be filled in."""
        return self.one if n == 1 else self.many
