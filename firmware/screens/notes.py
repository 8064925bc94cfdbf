"""Pages on what the eye says about a photo: what it could not read, and what was odd."""

import re
from collections.abc import Sequence
from typing import Final

from firmware.screens import typeset
from firmware.screens.canvas import BODY_ROWS, ROW_LETTERS
from firmware.screens.result_views import NoteView, UnreadListView
from firmware.screens.texts import worded
from firmware.screens.words.notes import CALIBRATION_NOTES, NOTES
from firmware.screens.words.result import UNREAD_REASONS
from scoring.faces import city_name
from vision.reading import Reading, Unread

_OF_ONE_TILE: Final = re.compile(r".*( at|: check) \[\d+,\d+\]")
"""Notes on a tile that is not sure: a person is asked about it anyway."""


def unread_views(unread: Sequence[Unread]) -> tuple[UnreadListView, ...]:
    """A page for each reason, more for one without words of its own that has more lines."""
    reasons = dict.fromkeys(typeset.printable(each.why) for each in unread)
    parts = [
        (reason, part)
        for reason in reasons
        for part in range(_pages(reason, is_worded=worded(reason, UNREAD_REASONS) is not None))
    ]
    return tuple(
        UnreadListView(count=len(unread), why=reason, part=part, number=number)
        for number, (reason, part) in enumerate(parts, start=1)
    )


def note_views(reading: Reading) -> tuple[NoteView, ...]:
    """A page for each note on the photo, and for each on cities, which may be several.

    Notes on single tiles are left out.
    """
    notes: dict[str, tuple[str, list[str]]] = {note: (note, []) for note in reading.notes}
    for index, city in enumerate(reading.cities):
        for note in city.notes:
            if not _OF_ONE_TILE.fullmatch(note):
                known = worded(note, NOTES)
                notes.setdefault(known.pattern if known else note, (note, []))[1].append(
                    city_name(index)
                )
    return remark_pages([(note, tuple(cities)) for note, cities in notes.values()])


def remark_pages(notes: Sequence[tuple[str, tuple[str, ...]]]) -> tuple[NoteView, ...]:
    """The pages of notes, each with the letters of the cities that it is about."""
    parts = [
        (note, cities, part)
        for note, cities in notes
        for part in range(_pages(note, is_worded=worded(note, NOTES) is not None))
    ]
    return tuple(
        NoteView(note=note, cities=cities, part=part, number=number)
        for number, (note, cities, part) in enumerate(parts, start=1)
    )


def doubtful_notes(reading: Reading) -> int:
    """How many notes on the photo are a reason to look at it.

    Those on cities are not counted: what they are about is, as unsure tiles. A calibration that
    was not used makes nothing worse than having none.
    """
    return sum(worded(note, CALIBRATION_NOTES) is None for note in reading.notes)


def _pages(text: str, *, is_worded: bool) -> int:
    """Pages that a text takes; one with words of its own has one in every language."""
    rows = len(typeset.wrap(typeset.printable(text), ROW_LETTERS))
    return 1 if is_worded else max(-(-rows // BODY_ROWS), 1)
