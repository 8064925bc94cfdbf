"""Writing names with three buttons: NEXT and SCAN run through the letters, OK takes one.

The keys form a ring: the letter taken last, to double it; all letters; the space, in names of
people; the key of the next alphabet; and the keys that cancel, delete and finish, in this order, so
that SCAN reaches finish first.
"""

from abc import abstractmethod
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import ClassVar, Final, Self

from firmware.appliance.base import Mode, StepResult
from firmware.appliance.display_views import problem_view
from firmware.appliance.state import State
from firmware.appliance.transitions import enter
from firmware.base.problem import Problem
from firmware.screens.device_views import NameView
from firmware.screens.view import Hints, View
from firmware.screens.words import Hint
from firmware.settings import MAX_NAME_LETTERS
from hardware.buttons import Button

LATIN: Final = "abcdefghijklmnopqrstuvwxyz"
ALPHABETS_BY_LANGUAGE: Final = {"de": LATIN + "äöüß", "hu": "aábcdeéfghiíjklmnoóöőpqrstuúüűvwxyz"}
"""Alphabet of each language; ``LATIN`` for all others."""
FURTHER_ALPHABETS: Final = (
    "áàâãäåāăąæćĉċčçďđðéèêëēĕėęěğģĝġĥħíìîïīĭįıĵķĺļľłńņňñŋóòôõöőøōœŕřśŝşšșťţțŧþúùûüűūŭůųŵýÿŷźżžß",
    "αάβγδεέζηήθιίϊκλμνξοόπρσςτυύϋφχψωώ",
    "абвгґдђѓеёєжзѕиіїйјкќлљмнњопрстћуўфхцчџшщъыьэюя",
    "0123456789-.'&",
)
"""Further letters of names of people: everything that the display can show."""
ACCENTED_LATIN: Final = 1
"""Index of the accented Latin letters; after one of them the alphabet changes back."""


class Key(StrEnum):
    """Keys among the letters, by their sign."""

    DONE = "✓"
    SPACE = " "
    ALPHABET = "…"
    CANCEL = "×"
    DELETE = "←"


_KEY_HINTS: Final = {
    Key.DONE: Hint.DONE,
    Key.SPACE: Hint.SPACE,
    Key.ALPHABET: Hint.OTHER,
    Key.CANCEL: Hint.CANCEL,
    Key.DELETE: Hint.DELETE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class NameEntryMode(Mode):
    """Name being written letter by letter.

    Attributes:
        text: Name so far.
        alphabet: Index of the alphabet whose letters are offered.
        selected: Index of the marked key.
        capitals: Whether the next letter is a capital.
        problem: Problem of the name; None if none is known.
        part: Index of the shown part of the problem's text.
    """

    writes_person_name: ClassVar[bool]
    """True if the name is a person's, which may have spaces and capitals."""

    text: str = ""
    alphabet: int = 0
    selected: int = 0
    capitals: bool = False
    problem: Problem | None = None
    part: int = 0

    @property
    def seat(self) -> int | None:
        """Number of the seat that the name is for, from 1; None if it is for no player."""
        return None

    @abstractmethod
    def alphabets(self, state: State) -> tuple[str, ...]:
        """Return the alphabets, each as its letters."""

    @abstractmethod
    def leave(self, state: State) -> StepResult:
        """Return to the mode that asked for the name, without one."""

    @abstractmethod
    def accept(self, state: State, name: str) -> StepResult:
        """Use the name, or show why it cannot be used."""

    def keys(self, state: State) -> tuple[str, ...]:
        """Return the letters to choose from, and the other keys."""
        alphabets = self.alphabets(state)
        letters: list[str] = []
        if len(self.text) < MAX_NAME_LETTERS:
            letters += alphabets[self.alphabet]
            if self.capitals:
                letters = [upper for each in letters if (upper := _capital(each))]
            if self.writes_person_name and self.text and not self.text.endswith(" "):
                letters.append(Key.SPACE)
            if len(alphabets) > 1:
                letters.append(Key.ALPHABET)
        if not self.text:
            return (*letters, Key.CANCEL)
        ending = (Key.CANCEL, Key.DELETE, Key.DONE)
        return (*self._doubled, *letters, *ending) if letters else (Key.DONE, *ending[:2])

    @property
    def _doubled(self) -> tuple[str, ...]:
        """Letter taken last, as the first key; empty at the beginning of a word."""
        last = self.text[-1:]
        return (last.lower(),) if last.isalnum() else ()

    def with_text(self, text: str) -> Self:
        """Return the mode with another text, and the first key marked."""
        begins_word = not text or text.endswith((" ", "-"))
        return replace(
            self, text=text, selected=0, capitals=self.writes_person_name and begins_word
        )

    def view(self, state: State) -> View:
        if self.problem is not None:
            hints = Hints(Hint.NOTHING, Hint.MORE, Hint.OK)
            return problem_view(self.problem, self.part, hints)
        keys = self.keys(state)
        key = keys[self.selected]
        ok = next((hint for sign, hint in _KEY_HINTS.items() if sign == key), Hint.TAKE)
        return NameView(
            seat=self.seat,
            name=self.text,
            letters="".join(keys),
            offered=self.selected,
            hints=Hints(Hint.PREVIOUS, Hint.NEXT, ok),
        )

    def press(self, state: State, button: Button) -> StepResult:
        """NEXT and SCAN mark the next key and the one before, OK presses the marked one."""
        if self.problem is not None:
            return self._press_at_problem(state, button)
        keys = self.keys(state)
        if button is not Button.OK:
            step = 1 if button is Button.NEXT else -1
            return enter(state, replace(self, selected=(self.selected + step) % len(keys)))
        key = keys[self.selected]
        if key == Key.CANCEL:
            return self.leave(state)
        if key == Key.DONE:
            return self.accept(state, self.text.strip())
        if key == Key.ALPHABET:
            alphabet = (self.alphabet + 1) % len(self.alphabets(state))
            return enter(state, replace(self, alphabet=alphabet, selected=len(self._doubled)))
        text = self.text[:-1] if key == Key.DELETE else self.text + key
        alphabet = 0 if self.alphabet == ACCENTED_LATIN else self.alphabet
        return enter(state, replace(self.with_text(text), alphabet=alphabet))

    def repeats_left(self, state: State, button: Button) -> int | None:
        """SCAN and NEXT go round the keys without end."""
        return 1 if self.problem is None and button is not Button.OK else None

    def _press_at_problem(self, state: State, button: Button) -> StepResult:
        match button:
            case Button.NEXT:
                return enter(state, replace(self, part=self.part + 1))
            case Button.OK:
                return enter(state, replace(self, problem=None, part=0))
            case Button.SCAN:
                return state, ()


def _capital(letter: str) -> str:
    """Return the capital of a letter; empty if it has none that is a single letter."""
    upper = letter.upper()
    return upper if (len(upper) == 1 and upper.lower() == letter) or not letter.isalpha() else ""
