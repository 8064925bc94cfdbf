"""Text form of a city, which reads back as the same city.

One letter a field, rows from the top joined by ``/``; a small letter, or ``,`` where no field
lies, has a tourist standing on it:

    SSSPWWCC/SSSPWWCC/SsSPWWCC/SSSPpWCC/PPPPWWSS/PPPPWWSS/CcWWWWSS/CCWWWWsS

The tourists are read in reading order, row by row from the top left. So a city reads back as an
equal one if its tourists are listed in reading order; others come back in that order, and of
several tourists on one area it is then the first in reading order who gets the points.

The text may hold a city that the rules do not allow, such as one with a tourist on water.
"""

from typing import Final

from scoring.errors import N_, NotationError
from scoring.faces import Cell, Field
from scoring.games.cities.table import City

FIELD_OF_LETTER: Final[dict[str, Field | None]] = {
    "S": Field.SIGHT,
    "C": Field.CAFE,
    "P": Field.PARK,
    "W": Field.WATER,
    ".": None,
}
"""The fields by their letters, where no tourist stands."""
LETTER_OF_FIELD: Final = {field: letter for letter, field in FIELD_OF_LETTER.items()}

_TOURIST_LETTERS: Final = {"S": "s", "C": "c", "P": "p", "W": "w", ".": ","}
_LETTER_WITHOUT_TOURIST: Final = {taken: letter for letter, taken in _TOURIST_LETTERS.items()}


def parse_city(text: str) -> City:
    """Read a city from its text form.

    Args:
        text: City such as ``SsPP/CCWW``, rows of any number and length.

    Returns:
        The city with its tourists in reading order; whether the rules allow it is not checked.

    Raises:
        NotationError: A row is empty or a letter is none of the known ones; ``where`` is the
            place in the text.
    """
    rows = text.split("/")
    fields = tuple(_parse_row(row, index) for index, row in enumerate(rows))
    tourists = tuple(
        (row, column)
        for row, letters in enumerate(rows)
        for column, letter in enumerate(letters)
        if letter in _LETTER_WITHOUT_TOURIST
    )
    return City(fields, tourists)


def format_city(city: City) -> str:
    """Write a city as text.

    Returns:
        Text that ``parse_city`` reads back as a city with the same fields, and the same
        tourists in reading order.

    Raises:
        NotationError: The city or a row is empty, a tourist stands outside the city, or two
            stand on one field.
    """
    if not city.fields or not all(city.fields):
        raise NotationError("empty-row", N_("a city without fields has no text form"), "fields")
    letters = [[LETTER_OF_FIELD[field] for field in row] for row in city.fields]
    for index, tourist in enumerate(city.tourists):
        _place_tourist(letters, tourist, f"tourist {index + 1}")
    return "/".join(map("".join, letters))


def _parse_row(row: str, index: int) -> tuple[Field | None, ...]:
    if not row:
        template = N_("a row has no letter; write '.' for a place without a field")
        raise NotationError("empty-row", template, f"row {index + 1}")
    letters = [_LETTER_WITHOUT_TOURIST.get(letter, letter) for letter in row]
    for column, letter in enumerate(letters):
        if letter not in FIELD_OF_LETTER:
            raise NotationError(
                "unknown-letter",
                N_("{letter} is no field; use one of {known}"),
                f"row {index + 1}, column {column + 1}",
                letter=repr(letter),
                known=" ".join([*FIELD_OF_LETTER, *_LETTER_WITHOUT_TOURIST]),
            )
    return tuple(FIELD_OF_LETTER[letter] for letter in letters)


def _place_tourist(letters: list[list[str]], tourist: Cell, where: str) -> None:
    """Replace the letter of the field on which the tourist stands."""
    row, column = tourist
    if not (0 <= row < len(letters) and 0 <= column < len(letters[row])):
        template = N_("a tourist outside the city has no text form")
        raise NotationError("tourist-off-grid", template, where)
    letter = letters[row][column]
    if letter not in _TOURIST_LETTERS:
        raise NotationError("field-taken", N_("two tourists on one field have no text form"), where)
    letters[row][column] = _TOURIST_LETTERS[letter]
