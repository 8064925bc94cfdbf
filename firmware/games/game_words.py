"""Words and signs of a game: its faces, places, parts of a score and notes."""

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar

from firmware.base.language import Phrase, join_phrases, without_break_hyphens
from firmware.screens import words
from firmware.screens.pictograms import SPECIAL_ANSWER_SIGNS
from firmware.screens.question_views import SpecialAnswer
from firmware.screens.view import Bitmap, Piece, Text
from firmware.wording.notes import GameNote
from firmware.wording.places import Naming, slot_name, slot_phrase
from vision.reading import Place, PlaceKind


class GameWords:
    """Words and signs of a game; base class of ``Game``.

    A face has several names, by the room that there is:

    - ``face_text``: its display words, translated when they are drawn;
    - ``face_name``: the same in the language in use;
    - ``full_name``: its name in sentences, with all of its words;
    - ``label``: a few letters, for the annotated photo and the terminal;
    - ``name_in_cell``: its name in a cell of the web page.
    """

    notes: ClassVar[Sequence[GameNote] | type[GameNote]] = ()
    """Notes of its rules."""
    face_words: ClassVar[Mapping[str, Phrase]] = {}
    """Display words of faces and figures, by an identifier or a part of one. 12 letters fit in a
    row; a longer word may be broken behind a hyphen and a space."""
    part_words: ClassVar[Mapping[str, Phrase]] = {}
    """Words for the parts of a score, such as building types, by their identifiers."""
    slot_words: ClassVar[Mapping[str, Phrase]] = {}
    """Words for a place beside the cells, with its number ``{n}``, by the name of the slots or
    heap."""
    short_slot_words: ClassVar[Mapping[str, Phrase]] = {}
    """Display words for a place beside the cells, as ``slot_words``."""

    @property
    def note_texts(self) -> Mapping[str, str]:
        """Sentences of the notes of its rules, by their codes."""
        return {note: note.text for note in self.notes}

    @property
    def short_note_texts(self) -> Mapping[str, Phrase]:
        """Display texts of the notes of its rules, by their codes: three rows, without places."""
        return {note: note.short for note in self.notes}

    @property
    def signs(self) -> Mapping[str, Bitmap]:
        """Signs of its faces in the order in which tiles are taught; empty if it has none."""
        return {}

    def label(self, face: str) -> str:
        """Return a face in a few letters, for the annotated photo and the terminal."""
        return self.face_name(face) if self.face_words else face

    def face_text(self, face: str) -> Text:
        """Return the words of a face or kind of figure."""
        return _words_of(face, self.face_words)

    def face_name(self, face: str) -> str:
        """Return ``face_text`` in the language in use."""
        return str(self.face_text(face))

    def full_name(self, face: str) -> str:
        """Return the name of a face where there is room for all of its words."""
        return without_break_hyphens(self.face_name(face))

    def name_in_cell(self, face: str) -> str:
        """Return the name of a face for a cell of the web page."""
        return self.label(face)

    def piece(self, answer: str | SpecialAnswer, at: PlaceKind | None = None) -> Piece:
        """Return what lies at a place with its words and sign, for the display.

        Args:
            answer: Identifier of a face, a kind of figure or a place beside the board, or
                another answer.
            at: Kind of the place; None if no place is meant.
        """
        signs = self.signs
        if not isinstance(answer, SpecialAnswer):
            return Piece(answer, self.face_text(answer), signs.get(answer))
        word: Text = words.LATER
        if answer is SpecialAnswer.NO_TILE:
            word = words.NO_TILE if at is None or signs else words.NOTHING[at]
        return Piece(answer, word, SPECIAL_ANSWER_SIGNS[answer] if signs else None)

    def slot_name(self, place: tuple[str, int]) -> str:
        """Return the name of a place beside the cells: ``column 2``."""
        return slot_name(place, self.slot_words)

    def place_text(self, place: Place, naming: Naming) -> Text:
        """Return the words of a place on the display: ``A, row 3, column 4``, ``col 2``."""
        if place.kind is PlaceKind.LOOSE:
            return slot_phrase(place.piece, self.short_slot_words)
        return naming.cell_phrase(place.grid, place.cell)

    def group_of(self, face: str) -> str:
        """Return the beginning of a face that all faces of its group share.

        Where there are many faces, a person is asked for the group first.
        """
        return face

    def part_name(self, part: str) -> str:
        """Return the words of a part of a score, such as a building type."""
        return str(self.part_words.get(part, part))

    def owner_colour(self, face: str) -> str | None:
        """Return the colour of the player whose piece shows a face; None if it has no owner."""
        return None


def _words_of(identifier: str, words: Mapping[str, Phrase]) -> Text:
    """Return the words of an identifier part by part; a part without a word stays as it is."""
    if identifier in words:
        return words[identifier]
    with_hyphens = "|".join(re.escape(word) for word in words if "-" in word)
    parts = re.findall(f"{with_hyphens}|[^-]+" if with_hyphens else "[^-]+", identifier)
    return join_phrases(words.get(part, part) for part in parts) if parts else ""
