"""The Stadtgesellschaftsspiel, the dice board, on the appliance."""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from firmware.doubts import Finding
from firmware.games import Game, GameFaces, ScoringOptions
from firmware.games.dice_board import reading as seen
from firmware.language import N_
from scoring.games.dice_board import NAME
from scoring.games.dice_board.table import Table
from vision.editions.description import Description
from vision.reading import Reading

if TYPE_CHECKING:
    from firmware.scan import Scan

_COMPANY_LETTERS: Final = 3
_TURNED: Final = "*"


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

    def check(self, reading: Reading, description: Description) -> Sequence[Finding]:
        """Cards that cannot be so."""
        return seen.check(reading)

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
