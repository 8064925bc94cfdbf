"""Places of a reading that a person may be asked about or may correct, and how they are called."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from scoring.faces import Cell, city_name
from vision.boards.description import Description
from vision.reading import Reading

PieceAt = tuple[str, int]
"""Name of the slots or heap, and the number of the slot or piece."""


class What(StrEnum):
    """What a spot is about."""

    TILE = "tile"
    """What lies on a cell."""
    TOKEN = "token"  # noqa: S105 - a figure
    """Whether a figure stands on a cell, and of which kind."""
    BESIDE = "beside"
    """A piece in a slot or heap beside the cells."""


_ORDER: Final = {what: number for number, what in enumerate(What)}


@dataclass(frozen=True, slots=True)
class Spot:
    """One place of a reading.

    Attributes:
        what: lies or stands there.
        grid: its index in the reading.
        at: the cell; of ``BESIDE`` the name of the slots or heap and the number in it.
    """

    what: What
    grid: int
    at: Cell | PieceAt

    @property
    def cell(self) -> Cell:
        """Row and column; not for ``BESIDE``."""
        first, second = self.at
        return int(first), second

    @property
    def piece(self) -> PieceAt:
        """Name and number; for ``BESIDE`` alone."""
        first, second = self.at
        return str(first), second


def in_reading_order(spots: Iterable[Spot]) -> tuple[Spot, ...]:
    """Each spot once: by grid, then tiles, figures, pieces beside."""
    return tuple(sorted(set(spots), key=_order))


def _order(spot: Spot) -> tuple[int, int, str, int, int]:
    if spot.what is What.BESIDE:
        name, number = spot.piece
        return spot.grid, _ORDER[spot.what], name, number, 0
    row, column = spot.cell
    return spot.grid, _ORDER[spot.what], "", row, column


@dataclass(frozen=True, slots=True)
class Naming:
    """How places are called: where there is only one grid, it needs no letter.

    Attributes:
        lettered: whether grids are told apart by letters.
        figure: what figures are called in corrections.
    """

    lettered: bool
    figure: str = "token"

    @classmethod
    def of(cls, reading: Reading, description: Description) -> "Naming":
        """For one reading."""
        lettered = description.most_grids > 1 or len(reading.grids) > 1
        return cls(lettered, figure_word(description))

    def cell(self, grid: int, cell: Cell) -> str:
        """A cell: ``A 2,3``, or ``2,3``."""
        row, column = cell
        letter = f"{city_name(grid)} " if self.lettered else ""
        return f"{letter}{row},{column}"

    def spot(self, spot: Spot) -> str:
        """A place for people: ``A 2,3``, ``A row 2``."""
        if spot.what is not What.BESIDE:
            return self.cell(spot.grid, spot.cell)
        name, number = spot.piece
        letter = f"{city_name(spot.grid)} " if self.lettered else ""
        return f"{letter}{name} {number}"

    def spots(self, spots: Sequence[Spot]) -> str:
        """Several places, with semicolons between them."""
        return "; ".join(dict.fromkeys(map(self.spot, spots)))

    def option(self, spot: Spot, said: str) -> str:
        """The option that corrects a place: ``--set A:2,3=park``."""
        letter = f"{city_name(spot.grid)}:" if self.lettered else ""
        if spot.what is What.BESIDE:
            name, number = spot.piece
            return f"--set {letter}{name}:{number}={said}"
        row, column = spot.cell
        figure = f"{self.figure}:" if spot.what is What.TOKEN else ""
        return f"--set {letter}{figure}{row},{column}={said}"


def figure_word(description: Description) -> str:
    """What all figures of a game are called: ``tourist`` of tourist-red and tourist-blue."""
    words = {token.kind.split("-")[0] for token in description.tokens}
    return words.pop() if len(words) == 1 else "token"
