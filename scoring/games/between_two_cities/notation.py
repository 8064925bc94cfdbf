"""Text form of a city, which reads back as the same city.

One letter a tile, rows from the top joined by ``/``; ``E`` stands for eating. Where the duplex
tiles are stated they follow after a space, each as two cells ``row column``: ``00-01,23-33`` are
one that covers the first two cells of the top row and one at the lower right edge; ``-`` states
that there are none.

    SSSH/FEPP/OOBH/MDOP
    SSSH/FEPP/OOBH/MDOP 00-01,23-33

The text may hold a city that the rules do not allow, such as one of three rows.
"""

import re
from typing import Final

from scoring.errors import N_, NotationError
from scoring.faces import Cell, Face
from scoring.games.between_two_cities.table import City, Duplex

FACE_OF_LETTER: Final[dict[str, Face | None]] = {
    "S": Face.SHOP,
    "F": Face.FACTORY,
    "E": Face.TAVERN_FOOD,
    "B": Face.TAVERN_BED,
    "M": Face.TAVERN_MUSIC,
    "D": Face.TAVERN_DRINK,
    "O": Face.OFFICE,
    "P": Face.PARK,
    "H": Face.HOUSE,
    ".": None,
}
"""The faces by their letters; None: no tile there."""
LETTER_OF_FACE: Final = {face: letter for letter, face in FACE_OF_LETTER.items()}
_DUPLEX: Final = re.compile(r"([0-9])([0-9])-([0-9])([0-9])")
_NO_DUPLEXES: Final = "-"
_MAX_SHOWN_CHARS: Final = 20
"""Maximum number of letters of an invalid duplex in the error."""


def parse_city(text: str) -> City:
    """Read a city from its text form.

    Args:
        text: City such as ``SSSH/FEPP/OOBH/MDOP``, in capitals.

    Returns:
        The city; whether the rules allow it is not checked.

    Raises:
        NotationError: A row is empty, a letter is none of the known ones, or a duplex is not
            written as ``00-01``; ``where`` is the place in the text.
    """
    rows, space, duplexes = text.partition(" ")
    grid = tuple(_parse_row(row, index) for index, row in enumerate(rows.split("/")))
    return City(grid, _parse_duplexes(duplexes) if space else None)


def format_city(city: City) -> str:
    """Write a city as text that ``parse_city`` reads back as an equal one.

    Raises:
        NotationError: The grid or a row is empty, or a duplex lies outside rows and columns
            0 to 9.
    """
    if not city.grid or not all(city.grid):
        raise NotationError("empty-row", N_("a city without tiles has no text form"), "grid")
    rows = "/".join("".join(LETTER_OF_FACE[face] for face in row) for row in city.grid)
    if city.duplexes is None:
        return rows
    duplexes = ("-".join(map(_format_cell, duplex)) for duplex in city.duplexes)
    return f"{rows} {','.join(duplexes) or _NO_DUPLEXES}"


def _parse_row(row: str, index: int) -> tuple[Face | None, ...]:
    if not row:
        template = N_("a row has no letter; write '.' for a place without a tile")
        raise NotationError("empty-row", template, f"row {index + 1}")
    for column, letter in enumerate(row):
        if letter not in FACE_OF_LETTER:
            raise NotationError(
                "unknown-letter",
                N_("{letter} is no tile; use one of {known}"),
                f"row {index + 1}, column {column + 1}",
                letter=repr(letter),
                known=" ".join(FACE_OF_LETTER),
            )
    return tuple(FACE_OF_LETTER[letter] for letter in row)


def _parse_duplexes(text: str) -> tuple[Duplex, ...]:
    if text == _NO_DUPLEXES:
        return ()
    return tuple(_parse_duplex(part, index) for index, part in enumerate(text.split(",")))


def _parse_duplex(text: str, index: int) -> Duplex:
    match = _DUPLEX.fullmatch(text)
    if match is None:
        raise NotationError(
            "bad-duplex",
            N_("{text} is no duplex; write its two cells as row and column, like 00-01"),
            f"duplex {index + 1}",
            text=repr(text[:_MAX_SHOWN_CHARS]),
        )
    top, left, bottom, right = map(int, match.groups())
    return (top, left), (bottom, right)


def _format_cell(cell: Cell) -> str:
    if not all(0 <= number <= 9 for number in cell):
        template = N_("only rows and columns 0 to 9 have a text form")
        raise NotationError("bad-duplex", template, "duplexes")
    return "{}{}".format(*cell)
