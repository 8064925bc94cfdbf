"""City Blocks on the appliance."""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final

from firmware.doubts import Finding
from firmware.games import Game, GameFaces, ScoringOptions
from firmware.games.city_blocks import reading as seen
from firmware.games.city_blocks.words import (
    FACE_WORDS,
    SLOT_WORDS,
    dollars,
    winner_sentence,
)
from firmware.games.colours import colour_name
from firmware.language import N_, Phrase
from scoring.faces import Side
from scoring.games.city_blocks import NAME
from scoring.games.city_blocks.notation import KIND_OF_LETTER
from scoring.games.city_blocks.table import Table
from vision.boards.teach_layout import Layout, even, in_rows
from vision.editions.description import Description
from vision.reading import Reading

if TYPE_CHECKING:
    from firmware.scan import Scan

_KIND_LETTERS: Final = {kind: letter for letter, kind in KIND_OF_LETTER.items()}


class CityBlocks(Game):
    """The game in which blue and red build on one board."""

    name = NAME
    title = N_("City Blocks")
    faces = GameFaces(
        (5, 6),
        (1, 1),
        has_board=True,
        faces=re.compile(
            r"(?:blue|red)-(?:house-[1-5]|shop-[2-6]|factory-[3-7]|school|power-plant|mall|court)"
            r"|value-(?:[1-9]|1[0-5])"
        ),
    )
    note_texts: ClassVar[Mapping[str, str]] = seen.TEXTS
    short_note_texts: ClassVar[Mapping[str, Phrase]] = seen.SHORT_TEXTS
    face_words: ClassVar[Mapping[str, Phrase]] = FACE_WORDS
    slot_words: ClassVar[Mapping[str, Phrase]] = SLOT_WORDS
    print_help: ClassVar[Mapping[str, str]] = {}

    def arrangements(self, description: Description) -> Mapping[str, Layout]:
        """The buildings of each colour, a kind in each row, and the values, five in a row."""
        names = [face.name for face in description.faces]
        layouts = {}
        for colour in ("blue", "red"):
            of_colour = [name for name in names if name.startswith(f"{colour}-")]
            kinds = ["house", "shop", "factory"]
            rows = [[name for name in of_colour if name.split("-")[1] == kind] for kind in kinds]
            rows.append([name for name in of_colour if name.split("-")[1] not in kinds])
            layouts[colour] = even(row for row in rows if row)
        layouts["values"] = in_rows([name for name in names if name.startswith("value-")], 5)
        return {name: layout for name, layout in layouts.items() if layout}

    def check(self, reading: Reading, description: Description) -> Sequence[Finding]:
        """Buildings and value tiles that cannot be so."""
        return seen.check(reading)

    def table_of(
        self, reading: Reading, description: Description, options: ScoringOptions
    ) -> Table:
        """The board, with the tiles that the players hold if any were read, else those beside."""
        return seen.table_of(reading, options)

    def winner_line(self, sheet: Any) -> str:
        """In dollars."""
        return winner_sentence(sheet)

    def badges(self, scan: "Scan") -> tuple[str, ...]:
        """What both players have, beside the first board."""
        letters = super().badges(scan)
        if scan.sheet is None:
            return letters
        mark = "?" if self.may_change(scan, 0) else ""
        totals = (
            f"{colour_name(side.value)} {dollars(scan.sheet.totals[side])}{mark}" for side in Side
        )
        return (", ".join(totals), *letters[1:])

    def label(self, face: str) -> str:
        """``H3`` for a building, ``$7`` for a value tile."""
        plot, value = seen.plot_of(face), seen.value_of(face)
        if plot is not None:
            return f"{_KIND_LETTERS[plot.kind]}{'' if plot.value is None else plot.value}"
        return face if value is None else f"${value}"

    def owner(self, face: str) -> str | None:
        """The colour of a building."""
        plot = seen.plot_of(face)
        return None if plot is None else plot.owner.value


GAME: Final = CityBlocks()
