"""Writing names with three buttons: first a group of letters, then the letter."""

from dataclasses import replace
from typing import Final

from firmware.appliance.faults import NAME_TAKEN, edition_exists
from firmware.appliance.modes import InMenu, Teaching, Writing
from firmware.appliance.moves import Turn, change, go, then, to
from firmware.appliance.state import State
from firmware.screens.words import MenuWord
from hardware.buttons import Button

_LETTERS: Final = ("abcde", "fghij", "klmno", "pqrst", "uvwxyz")
_DIGITS: Final = ("01234", "56789")
SEAT_GROUPS: Final = (*_LETTERS, "äöüß", "áéíóú", "őű", *_DIGITS, "-.'&")
"""Letters of the names of players, in English, German and Hungarian."""
EDITION_GROUPS: Final = (*_LETTERS, *_DIGITS, "-_")
"""Letters of the names of editions, which are names of folders, too."""
MOST_LETTERS: Final = 18
"""More are not shown whole everywhere."""

GroupKey = str | MenuWord
"""A group of letters, or what else can be chosen beside the groups."""


def begin(menu: InMenu, seat: int | None, text: str = "") -> Writing:
    """Begin to write, or to change what is there.

    Args:
        menu: to come back to.
        seat: index of the player; None: a new edition.
        text: what is there.
    """
    begins_word = not text or text.endswith((" ", "-"))
    return Writing(menu, seat, text, capitals=seat is not None and begins_word)


def group_keys(mode: Writing) -> tuple[GroupKey, ...]:
    """The groups of letters, and what else can be done to the name."""
    full = len(mode.text) >= MOST_LETTERS
    keys: list[GroupKey] = [] if full else [_in_case(group, mode) for group in _groups(mode)]
    if mode.seat is not None and mode.text and not mode.text.endswith(" ") and not full:
        keys.append(MenuWord.SPACE)
    if mode.text:
        keys.append(MenuWord.DELETE)
    return tuple(keys)


def letters(mode: Writing) -> str:
    """The letters of the chosen group."""
    return _in_case(_groups(mode)[mode.group or 0], mode)


def _groups(mode: Writing) -> tuple[str, ...]:
    return SEAT_GROUPS if mode.seat is not None else EDITION_GROUPS


def _in_case(group: str, mode: Writing) -> str:
    if not mode.capitals:
        return group
    # The capital of ß is two letters.
    return "".join(letter if letter == "ß" else letter.upper() for letter in group)


def pressed(state: State, mode: Writing, button: Button) -> Turn:
    """NEXT offers the next key, OK takes it, SCAN is done with the letter, then with the name."""
    if mode.problem is not None:
        if button is Button.NEXT:
            return go(state, replace(mode, page=mode.page + 1))
        return go(state, replace(mode, problem=None, page=0))
    if mode.group is None:
        return _group_pressed(state, mode, button)
    offered = letters(mode)
    if button is Button.NEXT:
        return go(state, replace(mode, selected=(mode.selected + 1) % len(offered)))
    if button is Button.SCAN:
        return go(state, replace(mode, group=None, selected=mode.group))
    return go(state, begin(mode.menu, mode.seat, mode.text + offered[mode.selected]))


def _group_pressed(state: State, mode: Writing, button: Button) -> Turn:
    keys = group_keys(mode)
    if button is Button.NEXT:
        return go(state, replace(mode, selected=(mode.selected + 1) % len(keys)))
    if button is Button.SCAN:
        return _done(state, mode)
    key = keys[mode.selected]
    if key is MenuWord.DELETE:
        return go(state, begin(mode.menu, mode.seat, mode.text[:-1]))
    if key is MenuWord.SPACE:
        return go(state, begin(mode.menu, mode.seat, mode.text + " "))
    return go(state, replace(mode, group=mode.selected, selected=0))


def _done(state: State, mode: Writing) -> Turn:
    name = mode.text.strip()
    if mode.seat is not None:
        names = list(state.settings.players)
        names += [""] * (mode.seat + 1 - len(names))
        names[mode.seat] = name
        if name and names.count(name) > 1:
            return go(state, replace(mode, problem=NAME_TAKEN))
        while names and not names[-1]:
            names.pop()
        return then(change(state, players=tuple(names)), to(mode.menu))
    if not name:
        return go(state, mode.menu)
    if name.lower() in (edition.lower() for edition in state.choices.all_editions):
        return go(state, replace(mode, problem=edition_exists(name)))
    return go(state, Teaching(name, add=False))
