"""How people write the places of a reading, and how they are read.

People count from 1, at the top left of a city or board as it is read upright:

    A 3,4     row 3, column 4 of city A; --set A:3,4=park
    row 2     the second slot beside the rows; --set row:2=value-7

Where there is only one grid it needs no letter. JSON counts from 0 (``vision.reading``).
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from scoring.faces import Cell, city_name
from vision.editions.description import Description
from vision.reading import Place, PlaceKind, Reading

_ORDER: Final = {kind: number for number, kind in enumerate(PlaceKind)}
_ANY_FIGURE: Final = "token"
_PLACE: Final = re.compile(
    r"(?:(?P<letters>[A-Za-z]{1,2}):)?"
    r"(?:(?P<name>[A-Za-z][A-Za-z0-9_-]+):)?"
    r"(?P<first>[0-9]{1,3})(?:,(?P<second>[0-9]{1,3}))?"
)


def cell_words(cell: Cell) -> str:
    """Row and column, counted from 1: ``3,4``."""
    row, column = cell
    return f"{row + 1},{column + 1}"


def cells_words(cells: Iterable[Cell]) -> str:
    """Several cells of one grid."""
    return " ".join(map(cell_words, cells))


def in_reading_order(places: Iterable[Place]) -> tuple[Place, ...]:
    """Each place once: by grid, then tiles, figures, loose pieces."""
    return tuple(sorted(set(places), key=_order))


def _order(place: Place) -> tuple[int, int, str, int, int]:
    if place.kind is PlaceKind.LOOSE:
        name, number = place.piece
        return place.grid, _ORDER[place.kind], name, number, 0
    row, column = place.cell
    return place.grid, _ORDER[place.kind], "", row, column


@dataclass(frozen=True, slots=True)
class Naming:
    """How the places of a reading are called.

    Attributes:
        lettered: whether grids are told apart by letters.
        figure: what figures are called in corrections.
    """

    lettered: bool
    figure: str = _ANY_FIGURE

    @classmethod
    def of(cls, reading: Reading, description: Description) -> "Naming":
        """For one reading."""
        lettered = description.most_grids > 1 or len(reading.grids) > 1
        return cls(lettered, figure_word(description))

    def cell(self, grid: int, cell: Cell) -> str:
        """A cell: ``A 3,4``, or ``3,4``."""
        letter = f"{city_name(grid)} " if self.lettered else ""
        return f"{letter}{cell_words(cell)}"

    def place(self, place: Place) -> str:
        """A place for people: ``A 3,4``, ``A row 2``."""
        if place.kind is not PlaceKind.LOOSE:
            return self.cell(place.grid, place.cell)
        name, number = place.piece
        letter = f"{city_name(place.grid)} " if self.lettered else ""
        return f"{letter}{name} {number + 1}"

    def places(self, places: Sequence[Place]) -> str:
        """Several places, with semicolons between them."""
        return "; ".join(dict.fromkeys(map(self.place, places)))

    def correction(self, place: Place, said: str) -> str:
        """What puts a place right: ``A:3,4=park``; after ``--set`` it is an option."""
        letter = f"{city_name(place.grid)}:" if self.lettered else ""
        if place.kind is PlaceKind.LOOSE:
            name, number = place.piece
            return f"{letter}{name}:{number + 1}={said}"
        figure = f"{self.figure}:" if place.kind is PlaceKind.FIGURE else ""
        return f"{letter}{figure}{cell_words(place.cell)}={said}"


def figure_word(description: Description) -> str:
    """What all figures of a game are called: ``tourist`` of tourist-red and tourist-blue."""
    words = {token.kind.split("-")[0] for token in description.tokens}
    return words.pop() if len(words) == 1 else _ANY_FIGURE


@dataclass(frozen=True, slots=True)
class GivenPlace:
    """A place as somebody wrote it.

    Attributes:
        letters: of the city or board; empty: the only one.
        name: of slots, of a heap or of figures; empty: a cell is meant.
        numbers: row and column, or one number; from 0.
    """

    letters: str
    name: str
    numbers: tuple[int, ...]


def given_place(text: str) -> GivenPlace | None:
    """Read ``[CITY:][NAME:]NUMBER[,NUMBER]``; None: it is none, or counts from 0."""
    match = _PLACE.fullmatch(text.strip())
    if match is None:
        return None
    given = [int(number) - 1 for number in (match["first"], match["second"]) if number is not None]
    if min(given) < 0:
        return None
    return GivenPlace((match["letters"] or "").upper(), (match["name"] or "").lower(), tuple(given))


def is_figure_word(name: str, description: Description) -> bool:
    """Whether a name in a correction means the figures of a game."""
    return bool(description.tokens) and name in (figure_word(description), _ANY_FIGURE)
