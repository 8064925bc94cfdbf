"""Text form of a board, which reads back as the same board.

A building is the letter of its owner, the letter of its kind (``E`` stands for education), and its
value if it has one; ``--`` is a plot without a building. Plots are parted by spaces, rows from the
top by `` / ``:

    bH1 rS4 --  rF7 bE  -- / rC bM rP bS2 bF3 rH5 / …

More spaces and line breaks between plots change nothing. The text may hold a board that the
rules do not allow, such as one of three rows.
"""

import re
from typing import Final

from scoring.errors import N_, NotationError
from scoring.faces import BuildingKind, Side
from scoring.games.city_blocks.table import Board, Building

SIDE_OF_LETTER: Final = {"b": Side.BLUE, "r": Side.RED}
KIND_OF_LETTER: Final = {
    "H": BuildingKind.HOUSE,
    "S": BuildingKind.SHOP,
    "F": BuildingKind.FACTORY,
    "E": BuildingKind.SCHOOL,
    "P": BuildingKind.POWER_PLANT,
    "M": BuildingKind.MALL,
    "C": BuildingKind.COURT,
}
LETTER_OF_SIDE: Final = {side: letter for letter, side in SIDE_OF_LETTER.items()}
LETTER_OF_KIND: Final = {kind: letter for letter, kind in KIND_OF_LETTER.items()}
_BUILDING: Final = re.compile(r"([br])([HSFEPMC])([0-9]?)")
_EMPTY: Final = "--"
_HIGHEST_VALUE: Final = 9
_MAX_SHOWN_CHARS: Final = 20
"""Maximum number of letters of an invalid plot in the error."""


def parse_board(text: str) -> Board:
    """Read a board from its text form.

    Args:
        text: Board such as ``bH1 rS4 -- / rC bM rP``.

    Returns:
        The board; whether the rules allow it is not checked.

    Raises:
        NotationError: A row is empty, or a plot is not written as ``bH1``, ``rC`` or ``--``;
            ``where`` is the place in the text.
    """
    return tuple(_parse_row(row, f"row {index}") for index, row in enumerate(text.split("/"), 1))


def format_board(board: Board) -> str:
    """Write a board as text that ``parse_board`` reads back as an equal one.

    Raises:
        NotationError: The board or a row is empty, or a value is not 0 to 9.
    """
    if not board or not all(board):
        raise NotationError("empty-row", N_("a board without plots has no text form"), "grid")
    return " / ".join(
        " ".join(
            _format_plot(building, f"row {row}, column {column}")
            for column, building in enumerate(buildings, 1)
        )
        for row, buildings in enumerate(board, 1)
    )


def _parse_row(text: str, where: str) -> tuple[Building | None, ...]:
    plots = text.split()
    if not plots:
        template = N_("a row has no plot; write '--' for one without a building")
        raise NotationError("empty-row", template, where)
    return tuple(
        _parse_plot(plot, f"{where}, column {column}") for column, plot in enumerate(plots, 1)
    )


def _parse_plot(text: str, where: str) -> Building | None:
    if text == _EMPTY:
        return None
    match = _BUILDING.fullmatch(text)
    if match is None:
        raise NotationError(
            "bad-plot",
            N_(
                "{text} is no plot; write owner {owners}, kind {kinds} and value, like bH1, or '--'"
            ),
            where,
            text=repr(text[:_MAX_SHOWN_CHARS]),
            owners=" ".join(SIDE_OF_LETTER),
            kinds=" ".join(KIND_OF_LETTER),
        )
    side, kind, value = match.groups()
    return Building(SIDE_OF_LETTER[side], KIND_OF_LETTER[kind], int(value) if value else None)


def _format_plot(building: Building | None, where: str) -> str:
    if building is None:
        return _EMPTY
    if building.value is not None and not 0 <= building.value <= _HIGHEST_VALUE:
        raise NotationError("bad-plot", N_("only values 0 to 9 have a text form"), where)
    value = "" if building.value is None else building.value
    return f"{LETTER_OF_SIDE[building.owner]}{LETTER_OF_KIND[building.kind]}{value}"
