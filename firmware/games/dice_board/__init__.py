"""The Stadtgesellschaftsspiel, the dice board, on the appliance."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

from firmware.doubts import Finding
from firmware.games import Game, GameFaces, ScoringOptions
from firmware.games.dice_board import reading as seen
from firmware.games.dice_board.board_file import load_board
from firmware.games.dice_board.words import FACE_WORDS
from firmware.language import N_, Phrase
from scoring.games.dice_board import NAME
from scoring.games.dice_board.table import Table
from vision.boards.teach_layout import Layout, even
from vision.editions.description import Description
from vision.reading import Reading

if TYPE_CHECKING:
    from firmware.scan import Scan

_COMPANY_LETTERS: Final = 3
_TURNED: Final = "*"
_SIGNS_A_ROW: Final = 3
"""When they are laid out to be learned."""


class DiceBoard(Game):
    """The game of companies on a board with numbers along its edges."""

    name = NAME
    title = N_("Dice board")
    faces = GameFaces(
        None,
        (1, 1),
        has_board=True,
        faces=re.compile(r"(?:red|blue|green|yellow)-[a-z0-9_-]+-(?:nw|ne|se|sw)(?:-sight)?"),
    )
    note_texts: ClassVar[Mapping[str, str]] = seen.TEXTS
    short_note_texts: ClassVar[Mapping[str, Phrase]] = seen.SHORT_TEXTS
    face_words: ClassVar[Mapping[str, Phrase]] = FACE_WORDS
    print_help: ClassVar[Mapping[str, str]] = {
        "is_duplex": N_("what has no back gets an empty page")
    }

    def arrangements(self, description: Description) -> Mapping[str, Layout]:
        """For each colour its complete signs, three in a row, and the same turned over."""
        names = [face.name for face in description.faces]
        signs: dict[str, dict[str, None]] = {}
        for name in names:
            match = seen.parse_card(name)
            if match is not None:
                key = match["colour"] + ("" if match["sight"] is None else "-sights")
                signs.setdefault(key, {})[f"{match['colour']}-{match['company']}"] = None
        layouts = {}
        for key, companies in signs.items():
            side = "-sight" if key.endswith("-sights") else ""
            listed = list(companies)
            rows: list[list[str | None]] = []
            for first in range(0, len(listed), _SIGNS_A_ROW):
                beside = listed[first : first + _SIGNS_A_ROW]
                for left, right in (("nw", "ne"), ("sw", "se")):
                    row = [
                        f"{sign}-{quarter}{side}" for sign in beside for quarter in (left, right)
                    ]
                    rows.append([name if name in names else None for name in row])
            layouts[key] = even(rows)
        return layouts

    def check(self, reading: Reading, description: Description) -> Sequence[Finding]:
        """Cards that cannot be so."""
        return seen.check(reading)

    def table_defaults(self, board: Path | None) -> Mapping[str, object]:
        """The numbers along the edges of an own print."""
        if board is None:
            return {}
        read = load_board(board)
        return {
            "row_numbers": list(read.row_numbers),
            "column_numbers": list(read.column_numbers),
        }

    def table_of(
        self, reading: Reading, description: Description, options: ScoringOptions
    ) -> Table:
        """The companies by player and name; a player is called by the colour of the cards."""
        return seen.table_of(reading, description, options)

    def badges(self, scan: "Scan") -> tuple[str, ...]:
        """What each player has, beside the first board."""
        letters = super().badges(scan)
        if scan.sheet is None:
            return letters
        mark = "?" if self.may_change(scan, 0) else ""
        totals = (f"{name} {points}{mark}" for name, points in scan.sheet.totals)
        return (", ".join(totals), *letters[1:])

    def label(self, face: str) -> str:
        """``tow nw`` for a card, ``tow nw*`` for one that is turned over."""
        card = seen.parse_card(face)
        if card is None:
            return face
        turned = _TURNED if card["sight"] else ""
        return f"{card['company'][:_COMPANY_LETTERS]} {card['quarter']}{turned}"

    def owner(self, face: str) -> str | None:
        """The colour of a card."""
        card = seen.parse_card(face)
        return None if card is None else card["colour"]


GAME: Final = DiceBoard()
