"""Writing names with three buttons: NEXT and SCAN run through the letters, OK takes one.

The first of the keys is that the name is done: the letters begin behind it. Other alphabets are a
key away, the next one each time.
"""

from dataclasses import replace
from enum import StrEnum
from typing import Final

from firmware.appliance.faults import NAME_TAKEN, edition_exists
from firmware.appliance.modes import InMenu, Seating, Teaching, Writing
from firmware.appliance.moves import Turn, go
from firmware.appliance.state import State
from hardware.buttons import Button

_LATIN: Final = "abcdefghijklmnopqrstuvwxyz"
_OF_LANGUAGES: Final = {"de": _LATIN + "äöüß", "hu": "aábcdeéfghiíjklmnoóöőpqrstuúüűvwxyz"}
FURTHER: Final = (
    "áàâãäåāăąæćĉċčçďđðéèêëēĕėęěğģĝġĥħíìîïīĭįıĵķĺļľłńņňñŋóòôõöőøōœŕřśŝşšșťţțŧþúùûüűūŭůųŵýÿŷźżžß",
    "αάβγδεέζηήθιίϊκλμνξοόπρσςτυύϋφχψωώ",
    "абвгґдђѓеёєжзѕиіїйјкќлљмнњопрстћуўфхцчџшщъыьэюя",
    "0123456789-.'&",
)
"""Of names of people, beside the letters of the language: all that the display can show."""
WITH_MARKS: Final = 1
"""Which of the alphabets those of Latin letters with marks are."""
OF_EDITIONS: Final = (_LATIN + "0123456789-_",)
"""The names of editions are names of folders, too."""
MOST_LETTERS: Final = 18
"""More are not shown whole everywhere."""


class Key(StrEnum):
    """What else can be done to a name, by the sign that stands among the letters."""

    DONE = "✓"
    SPACE = " "
    ALPHABET = "…"
    DELETE = "←"


def begin(before: InMenu | Seating, text: str = "") -> Writing:
    """Begin to write, or go on with what is there.

    Args:
        before: to come back to; a menu: it is the name of a new edition.
        text: what is there.
    """
    begins_word = not text or text.endswith((" ", "-"))
    return Writing(before, text, capitals=isinstance(before, Seating) and begins_word)


def keys(state: State, mode: Writing) -> tuple[str, ...]:
    """The letters to choose from, and what else can be done."""
    alphabets, is_person = _alphabets(state, mode), isinstance(mode.before, Seating)
    letters: list[str] = []
    if len(mode.text) < MOST_LETTERS:
        letters += alphabets[mode.alphabet]
        if mode.capitals:
            letters = [upper for each in letters if (upper := _capital(each))]
        if is_person and mode.text and not mode.text.endswith(" "):
            letters.append(Key.SPACE)
        if len(alphabets) > 1:
            letters.append(Key.ALPHABET)
    return (Key.DONE, *letters, *([Key.DELETE] if mode.text else []))


def _alphabets(state: State, mode: Writing) -> tuple[str, ...]:
    if not isinstance(mode.before, Seating):
        return OF_EDITIONS
    return (_OF_LANGUAGES.get(state.settings.language, _LATIN), *FURTHER)


def _capital(letter: str) -> str:
    """The capital of a letter; empty: it has none that is one letter of its own."""
    upper = letter.upper()
    return upper if (len(upper) == 1 and upper.lower() == letter) or not letter.isalpha() else ""


def pressed(state: State, mode: Writing, button: Button) -> Turn:
    """NEXT and SCAN mark the next key and the one before, OK takes the marked one."""
    if mode.problem is not None:
        if button is Button.NEXT:
            return go(state, replace(mode, page=mode.page + 1))
        return (
            go(state, replace(mode, problem=None, page=0)) if button is Button.OK else (state, ())
        )
    offered = keys(state, mode)
    if button is not Button.OK:
        step = 1 if button is Button.NEXT else -1
        return go(state, replace(mode, selected=(mode.selected + step) % len(offered)))
    key = offered[mode.selected]
    if key == Key.DONE:
        return _done(state, mode)
    if key == Key.ALPHABET:
        alphabet = (mode.alphabet + 1) % len(_alphabets(state, mode))
        return go(state, replace(mode, alphabet=alphabet, selected=1))
    text = mode.text[:-1] if key == Key.DELETE else mode.text + key
    # A letter with a mark stands among others without
    alphabet = 0 if mode.alphabet == WITH_MARKS else mode.alphabet
    return go(state, replace(begin(mode.before, text), alphabet=alphabet))


def _done(state: State, mode: Writing) -> Turn:
    name, before = mode.text.strip(), mode.before
    if not name:
        return go(state, before)
    if isinstance(before, Seating):
        if name in before.names:
            return go(state, replace(mode, problem=NAME_TAKEN))
        return go(state, Seating((*before.names, name)))
    if name.lower() in (edition.lower() for edition in state.choices.all_editions):
        return go(state, replace(mode, problem=edition_exists(name)))
    return go(state, Teaching(name, add=False))
