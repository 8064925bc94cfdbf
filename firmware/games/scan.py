"""Scan: photos of a table that were read, checked and scored."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from firmware.base.errors import printable
from firmware.base.language import _
from firmware.games.doubts import Doubts, collect_doubts
from firmware.games.findings import Finding
from firmware.games.game import GAME_WITHOUT_RULES, Game
from firmware.games.scoring_options import ScoringOptions
from firmware.wording.notes import HARMLESS, note_sentence, notes_to_read
from firmware.wording.places import Naming
from firmware.wording.ranges import Ranges, ShownNumbers
from scoring.faces import CityCell
from vision.editions.description import Description
from vision.editions.edition import STANDARD_EDITION
from vision.reading import Note, Place, Reading


@dataclass(frozen=True)
class Scan:
    """Table that was read, checked and perhaps scored.

    What lies on a table passes five types: the eye makes a ``Reading`` of photos, the rules a
    ``Scan`` of a reading and its corrections. The appliance keeps both in a ``Result`` with all
    that it knows of the table, and the history stores a ``ScanRecord`` of that, which is read as a
    ``StoredScan``.

    Attributes:
        reading: Reading with the corrections, and with the places that the rules doubt as unsure.
        description: Description of the game in the edition.
        game: Game with the rules; None if it is read without rules.
        table: Table to score, of the type of the rules; None without rules or grids.
        sheet: Score of the table; None if it was not scored.
        findings: Objections of the rules, and what photos leave open.
        options: Options with which it was checked and scored.
        ranges: Points and ranks that open places can change; None if nothing is doubtful or
            nothing was scored.
    """

    reading: Reading
    description: Description
    game: Game | None
    table: Any = None
    sheet: Any = None
    findings: tuple[Finding, ...] = ()
    options: ScoringOptions = field(default_factory=ScoringOptions)
    ranges: Ranges | None = None

    @property
    def _wording_game(self) -> Game:
        return self.game or GAME_WITHOUT_RULES

    @property
    def naming(self) -> Naming:
        """Names of the places of this reading."""
        return Naming.of(self.reading, self.description, self._wording_game.slot_words)

    @cached_property
    def doubts(self) -> Doubts:
        """Doubts about places, unread regions and findings, without notes on the photo."""
        missing: Sequence[CityCell] = ()
        if self.sheet is not None:
            missing = self.sheet.missing
        elif self.game is not None and self.table is not None:
            missing = self.game.missing_cells(self.table)
        return collect_doubts(self.reading, missing, self.findings)

    def score_may_change(self, grid: int) -> bool:
        """Return whether the score of a grid may still change once its doubts are resolved."""
        return self.game is not None and self.game.score_may_change(self, grid)

    @cached_property
    def all_doubts(self) -> Doubts:
        """Everything that may still change the result: ``doubts`` and notes on the photo.

        A city may be missing from a photo that has a note. Notes on cities do not count, as the
        places they are about are unsure anyway; nor do those of ``HARMLESS``, such as a
        calibration that was not used.
        """
        notes = [
            note
            for note in self.reading.notes
            if note.code not in HARMLESS and note not in self.doubts.notes
        ]
        return replace(self.doubts, notes=(*self.doubts.notes, *notes))

    @property
    def order(self) -> tuple[int, ...]:
        """Grids clockwise round the table: set by a person, else as the photos show them."""
        join = self.reading.join
        listed = tuple(range(len(self.reading.grids)))
        return self.options.order or (listed if join is None else join.order)

    @property
    def doubt_count(self) -> int:
        """Number of ``all_doubts``: as long as there are any, the result is not certain.

        While there are any, points and ranks are shown as ``shown_numbers`` gives them.
        """
        return self.all_doubts.count

    @property
    def ranges_cover_all(self) -> bool:
        """True if ``ranges`` cover all that can change: no city is unread, no note open."""
        doubts = self.all_doubts
        return not doubts.unread and not doubts.notes

    @cached_property
    def shown_numbers(self) -> ShownNumbers:
        """Points and ranks of the sheet as people see them."""
        is_complete = not self.doubt_count or (self.ranges is not None and self.ranges_cover_all)
        return ShownNumbers(self.ranges, "" if is_complete else "?")

    def shown_city_points(self, city: int, total: int) -> str:
        """Return the points of a city as people see them; they are ``total`` as read."""
        return self.shown_numbers.city(city, total, may_change=self.score_may_change(city))

    @cached_property
    def open_places(self) -> tuple[Place, ...]:
        """Doubtful places, those that decide most first, those that change no rank last.

        Places that were scored as empty, although something should lie there, are among them.
        Without a score, or with ranges that are only bounds, they come in reading order.
        """
        places = dict.fromkeys(doubt.place for doubt in self.doubts.places)
        ranked = dict.fromkeys(self.ranges.by_influence if self.ranges is not None else ())
        return (
            *(each for each in ranked if each in places),
            *(each for each in places if each not in ranked),
        )

    @property
    def places_without_effect(self) -> frozenset[Place]:
        """Doubtful places that change no rank, whatever lies there."""
        return frozenset() if self.ranges is None else self.ranges.without_effect

    @property
    def needs_a_person(self) -> bool:
        """True if ``doubts`` has any, or nothing was found: decides the exit code.

        Notes on the photo alone, which ``doubt_count`` counts as well, need no person.
        """
        return self.doubts.count > 0 or not self.reading.grids

    @property
    def notes(self) -> tuple[Note, ...]:
        """Notes on the photo, on each grid, and of the rules."""
        return (*self.reading.all_notes, *(each.note for each in self.findings))

    @property
    def edition_line(self) -> str:
        """Line that names the edition."""
        name = self.reading.edition
        is_standard = name == STANDARD_EDITION
        return _("Edition: {name}").format(name=_("standard") if is_standard else printable(name))

    @property
    def note_sentences(self) -> tuple[str, ...]:
        """Sentences of the notes that people read, see ``notes_to_read``."""
        return tuple(self.sentence(note) for note in notes_to_read(self.notes))

    def sentence(self, note: Note, naming: Naming | None = None) -> str:
        """Return the sentence of a note.

        Args:
            note: Note of this scan.
            naming: Names of the places in it; None for those of the scan.
        """
        game = self._wording_game
        return note_sentence(note, naming or self.naming, game.note_texts, game.full_name)

    def face_name(self, face: str) -> str:
        """Return the name of a face or kind of figure; without rules its identifier."""
        return face if self.game is None else self.game.full_name(face)
