"""Short labels of what lies on cells and beside them: for the annotated photo and the terminal."""

from typing import Final

from firmware.board_games.city_blocks import plot_of, value_of
from firmware.board_games.dice_board import parse_card
from scoring.faces import Field
from scoring.games import cities, city_blocks, dice_board
from scoring.games.cities.notation import FIELD_OF_LETTER
from scoring.games.city_blocks.notation import KIND_OF_LETTER

_FIELD_LETTERS: Final = {field: letter for letter, field in FIELD_OF_LETTER.items()}
_KIND_LETTERS: Final = {kind: letter for letter, kind in KIND_OF_LETTER.items()}
_FIELDS: Final = {field.value: field for field in Field}
_COMPANY_LETTERS: Final = 3
_TURNED: Final = "*"


def label_of(face: str, game: str) -> str:
    """A few letters for a face: ``S``, ``H3``, ``$7``, ``tow nw``; else its whole name."""
    if game == cities.NAME and face in _FIELDS:
        return _FIELD_LETTERS[_FIELDS[face]]
    if game == city_blocks.NAME:
        plot, dollars = plot_of(face), value_of(face)
        if plot is not None:
            return f"{_KIND_LETTERS[plot.kind]}{'' if plot.value is None else plot.value}"
        if dollars is not None:
            return f"${dollars}"
    card = parse_card(face) if game == dice_board.NAME else None
    if card is not None:
        company = card["company"][:_COMPANY_LETTERS]
        return f"{company} {card['quarter']}{_TURNED if card['sight'] else ''}"
    return face


def owner_of(face: str, game: str) -> str | None:
    """The colour of the player whose piece it is; None: nobody's, or not known."""
    if game == city_blocks.NAME:
        plot = plot_of(face)
        return None if plot is None else plot.owner.value
    card = parse_card(face) if game == dice_board.NAME else None
    return None if card is None else card["colour"]
