"""The display's words in one language, with numbers and names filled in.

A method that returns several wordings gives the best first: the display takes the first one that
fits.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from firmware.language import Language, current_language
from firmware.screens import typeset
from firmware.screens.doubt_views import Other
from firmware.screens.result_views import Seat
from firmware.screens.setup_views import MenuWord, Piece
from firmware.screens.words import Said, notes, pieces, result, setup
from scoring.faces import Cell, Face, city_name
from scoring.games.between_two_cities.sheet import TieBreak, TieBreaker

_PART = re.compile("power-plant|[^-]+")
"""Of the name of a piece; one of the parts has a hyphen of its own."""
_SIGHT = "sight"
"""The last part of the name of a card that is turned over."""

_BREAK = "- "
"""Where a long word may be broken."""
_LETTERS_KEPT = (5, 3)
"""Of each word of a name that has no room."""

NOT_READ = "?"
"""In the place of the letter of a city that was not read."""


class Worded(NamedTuple):
    """A remark of the eye that has words of its own.

    Attributes:
        pattern: that its English wording matches.
        said: its words.
        values: what is to be filled in.
    """

    pattern: str
    said: Said
    values: dict[str, str]


def worded(remark: str, words: Mapping[str, Said]) -> Worded | None:
    """The words of a remark of the eye; None: it has none of its own.

    Args:
        remark: in English, as the eye makes it.
        words: by a pattern of the English wording.
    """
    for pattern, said in words.items():
        match = re.fullmatch(pattern, remark)
        if match:
            return Worded(pattern, said, match.groupdict())
    return None


def mark(text: str | int, *, provisional: bool) -> str:
    """Something that may still change by what a person finds has a question mark."""
    return f"{text}?" if provisional else str(text)


@dataclass(frozen=True, slots=True)
class Texts:
    """What is said in a language."""

    language: Language

    @classmethod
    def of(cls, language: Language | None) -> "Texts":
        """In a language; None: the one that all texts are in now, see ``firmware.language``."""
        return cls(language or current_language())

    def say(self, said: Said, **values: object) -> str:
        """A text with its values filled in."""
        text = said.in_(self.language)
        return text.format(**values) if values else text

    def each(self, wordings: Sequence[Said], **values: object) -> tuple[str, ...]:
        """All wordings of a text, best first."""
        return tuple(self.say(said, **values) for said in wordings)

    def face(self, face: Face | Other) -> str:
        """What lies at a place."""
        return self.say(result.FACES[face])

    def piece(self, identifier: str) -> str:
        """A face or figure, part by part; what has no word of its own stays as it is."""
        if identifier in pieces.WORDS:
            return self.say(pieces.WORDS[identifier])
        name, dash, last = identifier.rpartition("-")
        is_turned = bool(dash) and last == _SIGHT
        parts = _PART.findall(name if is_turned else identifier)
        words = [self.say(pieces.WORDS[part]) if part in pieces.WORDS else part for part in parts]
        if is_turned:
            words.append(self.say(pieces.SIGHT_UP))
        return typeset.printable(" ".join(words))

    def word(self, word: MenuWord | Face | Piece | str) -> tuple[str, ...]:
        """A word or name of a menu, and a shorter one where there is one."""
        if isinstance(word, Face):
            return (self.face(word),)
        if isinstance(word, Piece):
            whole = self.piece(word.name).replace(_BREAK, "")
            shorter = (" ".join(part[:n] for part in whole.split()) for n in _LETTERS_KEPT)
            return (whole, *shorter)
        if isinstance(word, MenuWord):
            known = (setup.MENU_WORDS[word], setup.SHORT_WORDS.get(word))
            return tuple(self.say(said) for said in known if said is not None)
        return (typeset.printable(word),)

    def name(self, seat: Seat) -> str:
        """A player's name, or the seat of who has none."""
        return typeset.printable(seat.name) or self.say(result.SEAT, n=seat.number)

    def winner(self, count: int, *, provisional: bool) -> str:
        """The title of the page of the winners."""
        title = result.WINNER if count == 1 else result.SHARED_VICTORY
        return mark(self.say(title), provisional=provisional)

    def ranked(self, rank: int, name: str, *, provisional: bool) -> str:
        """A player's name behind the rank."""
        return f"{rank}{'?' if provisional else '.'} {name}"

    def tie_break(self, tie: TieBreak) -> tuple[str, ...]:
        """How a tie was broken, or that it was not; this player's number comes first."""
        if tie.by is TieBreaker.SHARED:
            return (self.say(result.TIE_SHARED),)
        by = self.say(result.TIE_BREAKERS[tie.by])
        return self.each(result.TIE, by=by, numbers=f"{tie.own}:{tie.other}")

    def unread_reason(self, why: str) -> str:
        """Why something was not read; a reason without words of its own stays in English."""
        return self._remark(why, result.UNREAD_REASONS)

    def note(self, note: str) -> str:
        """What the eye says of a photo or a city; a note without words of its own: in English."""
        return self._remark(note, notes.NOTES)

    def about(self, cities: Sequence[str]) -> tuple[str, ...]:
        """What a note is about, as a title: the photo, or cities by their letters."""
        if not cities:
            return (self.say(notes.ABOUT_PHOTO),)
        if len(cities) == 1:
            return (self.say(result.CITY, letter=cities[0]),)
        return self.each(notes.CITIES, letters=" ".join(cities))

    def _remark(self, remark: str, words: Mapping[str, Said]) -> str:
        known = worded(remark, words)
        if known is None:
            return typeset.printable(remark)
        return self.say(known.said, **known.values)

    def place(self, city: int, cell: Cell, *, provisional: bool) -> str:
        """A place in a city, counted from 0 as in corrections."""
        row, column = cell
        return mark(f"{city_name(city)} {row},{column}", provisional=provisional)
