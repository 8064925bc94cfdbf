"""Cities on the appliance."""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from firmware.doubts import Finding
from firmware.games import Game, GameFaces, ScoringOptions, empty_cells
from firmware.games.cities import reading as seen
from firmware.games.cities.words import FACE_WORDS
from firmware.language import N_, Phrase
from scoring.faces import Place, city_name
from scoring.games.cities import NAME
from scoring.games.cities.notation import FIELD_OF_LETTER
from scoring.games.cities.table import Table
from vision.boards.teach_layout import Layout, in_rows
from vision.editions.description import Description
from vision.reading import Reading

if TYPE_CHECKING:
    from firmware.scan import Scan

_LETTERS: Final[Mapping[str, str]] = {
    field.value: letter for letter, field in FIELD_OF_LETTER.items() if field is not None
}


class Cities(Game):
    """The game in which everybody builds an own city and sends tourists into it."""

    name = NAME
    title = N_("Cities")
    seats = 4
    faces = GameFaces(
        (8, 8),
        (2, 2),
        has_board=False,
        faces=re.compile(r"tile-(?:[1-9]|1\d|2[0-4])"),
        cells=frozenset(("sight", "cafe", "park", "water")),
    )
    note_texts: ClassVar[Mapping[str, str]] = seen.TEXTS
    short_note_texts: ClassVar[Mapping[str, Phrase]] = seen.SHORT_TEXTS
    face_words: ClassVar[Mapping[str, Phrase]] = FACE_WORDS
    print_help: ClassVar[Mapping[str, str]] = {
        "sets": N_("sets of 24 tiles, one for each player, 1 to 4 (default: 2)")
    }

    def arrangements(self, description: Description) -> Mapping[str, Layout]:
        """All tiles, six in a row."""
        return {"tiles": in_rows([face.name for face in description.faces], 6)}

    def check(self, reading: Reading, description: Description) -> Sequence[Finding]:
        """Tiles and tourists that cannot be so."""
        return seen.check(reading, description)

    def table_of(
        self, reading: Reading, description: Description, options: ScoringOptions
    ) -> Table:
        """The cities in their order; a player is called by the colour of the tourists."""
        return seen.table_of(reading, options)

    def missing(self, table: Table) -> Sequence[Place]:
        """A city is full at the end."""
        return empty_cells([city.fields for city in table.cities])

    def badges(self, scan: "Scan") -> tuple[str, ...]:
        """The letter of each city, its player and the points."""
        if scan.sheet is None:
            return super().badges(scan)
        return tuple(
            f"{city_name(n)} {player.name} {player.final}{'?' if self.may_change(scan, n) else ''}"
            for n, player in enumerate(scan.sheet.players)
        )

    def label(self, face: str) -> str:
        """The letter of a field."""
        return _LETTERS.get(face, face)


GAME: Final = Cities()
