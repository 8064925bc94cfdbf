"""Names of places as people write them; ``firmware.scan.corrections`` parses them.

People count from 1, at the top left of a city or board as it is read upright:

    B, row 3, column 4    --set B:3,4=park
    row 2                 the second slot beside the rows; --set row:2=value-7

Where there is only one grid it needs no letter. In lists of many cells of one grid, under a title
that explains their order, they are written ``3/4``. JSON counts from 0 (``vision.reading``).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from firmware.base.language import N_, Phrase, _, _n
from scoring.faces import Cell, city_name
from vision.editions.description import Description
from vision.reading import Place, PlaceKind, Reading

ANY_FIGURE: Final = "token"
"""Word for any figure in corrections, whatever the game."""


def short_cell(cell: Cell) -> str:
    """Return row and column in short, counted from 1: ``3/4``."""
    row, column = cell
    return f"{row + 1}/{column + 1}"


def short_cells(cells: Iterable[Cell]) -> str:
    """Return several cells of one grid in short."""
    return " ".join(map(short_cell, cells))


def short_block(cells: Iterable[Cell], size: tuple[int, int]) -> str:
    """Return many cells of one grid in few words: ``all 16 tiles``, ``rows 1–3, columns 1–4``.

    Args:
        cells: Cells of the grid.
        size: Rows and columns of the grid.
    """
    columns: dict[int, list[int]] = {}
    for row, column in sorted(set(cells)):
        columns.setdefault(row, []).append(column)
    number = sum(map(len, columns.values()))
    if number == size[0] * size[1]:
        return _("all {n} tiles").format(n=number)
    blocks: dict[tuple[int, ...], list[int]] = {}
    for row, those in columns.items():
        blocks.setdefault(tuple(those), []).append(row)
    named = [
        _n(
            "row {rows}, columns {columns}",
            "rows {rows}, columns {columns}",
            len(rows),
            rows=_ranges(rows),
            columns=_ranges(those),
        )
        for those, rows in blocks.items()
    ]
    return _n("{n} tile: {places}", "{n} tiles: {places}", number, places="; ".join(named))


def _ranges(numbers: Sequence[int]) -> str:
    """Return ascending numbers counted from 1, with runs in short: ``1–3, 5``."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    ends = (dict.fromkeys((run[0] + 1, run[-1] + 1)) for run in runs)
    return ", ".join("–".join(map(str, each)) for each in ends)


def cell_phrase(letter: str, cell: Cell) -> Phrase:
    """Return the words of a cell: ``B, row 3, column 4``; without the letter if it is empty."""
    row, column = (number + 1 for number in cell)
    if not letter:
        return Phrase(N_("row {row}, column {column}")).fill(row=row, column=column)
    return Phrase(N_("{letter}, row {row}, column {column}")).fill(
        letter=letter, row=row, column=column
    )


def cell_name(letter: str, cell: Cell) -> str:
    """Return ``cell_phrase`` in the language in use."""
    return str(cell_phrase(letter, cell))


def slot_phrase(place: tuple[str, int], words: Mapping[str, Phrase]) -> Phrase | str:
    """Return the words of a place beside the cells: ``row 2``.

    Args:
        place: Name of the slots or heap, and the number from 0.
        words: Phrases by that name, with the number ``{n}``; a name without a phrase stands for
            itself.
    """
    name, number = place
    phrase = words.get(name)
    return f"{name} {number + 1}" if phrase is None else phrase.fill(n=number + 1)


def slot_name(place: tuple[str, int], words: Mapping[str, Phrase]) -> str:
    """Return ``slot_phrase`` in the language in use."""
    return str(slot_phrase(place, words))


@dataclass(frozen=True, slots=True)
class Naming:
    """Naming scheme of the places of a reading.

    Attributes:
        lettered: Whether letters distinguish the grids.
        figure: Word for figures in corrections.
        slots: Words for the places beside the cells, see ``slot_phrase``.
    """

    lettered: bool
    figure: str = ANY_FIGURE
    slots: Mapping[str, Phrase] = field(default_factory=dict)

    @classmethod
    def of(
        cls, reading: Reading, description: Description, slots: Mapping[str, Phrase]
    ) -> "Naming":
        """Return the naming for a reading, with these words for places beside the cells."""
        lettered = description.most_grids > 1 or len(reading.grids) > 1
        return cls(lettered, figure_word(description), slots)

    def cell_phrase(self, grid: int, cell: Cell) -> Phrase:
        """Return the words of a cell: ``A, row 3, column 4``, or without the letter."""
        return cell_phrase(city_name(grid) if self.lettered else "", cell)

    def cell(self, grid: int, cell: Cell) -> str:
        """Return ``cell_phrase`` in the language in use."""
        return str(self.cell_phrase(grid, cell))

    def place(self, place: Place) -> str:
        """Return the name of a place: ``A, row 3, column 4``, or ``A, row 2`` beside the cells."""
        if place.kind is not PlaceKind.LOOSE:
            return self.cell(place.grid, place.cell)
        letter = f"{city_name(place.grid)}, " if self.lettered else ""
        return letter + slot_name(place.piece, self.slots)

    def places(self, places: Sequence[Place]) -> str:
        """Return the names of several places, separated by semicolons."""
        return "; ".join(dict.fromkeys(map(self.place, places)))

    def correction(self, place: Place, answer: str) -> str:
        """Return the text of a correction, as ``--set`` takes it: ``A:3,4=park``."""
        return f"{self.written_place(place)}={answer}"

    def written_place(self, place: Place) -> str:
        """Return a place as corrections and addresses of the page write it: ``A:3,4``."""
        letter = f"{city_name(place.grid)}:" if self.lettered else ""
        if place.kind is PlaceKind.LOOSE:
            name, number = place.piece
            return f"{letter}{name}:{number + 1}"
        figure = f"{self.figure}:" if place.kind is PlaceKind.FIGURE else ""
        row, column = place.cell
        return f"{letter}{figure}{row + 1},{column + 1}"


def figure_word(description: Description) -> str:
    """Return the word for all figures of a game: ``tourist`` of tourist-red and tourist-blue."""
    words = {token.kind.split("-")[0] for token in description.tokens}
    return words.pop() if len(words) == 1 else ANY_FIGURE
