"""City Blocks: from the buildings and value tiles that were read to the board that is scored."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from firmware.doubts import Finding
from firmware.errors import UsageError
from firmware.games import ScoringOptions, finding, unknown_faces
from firmware.language import D_, N_, Phrase
from firmware.notes import ScanNote
from scoring.faces import Building, Cell, Side
from scoring.games.city_blocks.legality import SPECIALS, VALUE_TILES, VALUES
from scoring.games.city_blocks.sheet import Street, StreetLine
from scoring.games.city_blocks.streets import score_streets
from scoring.games.city_blocks.table import COLUMNS, ROWS, Board, Collected, Plot, Table
from vision.reading import GridReading, LoosePiece, Place, PlaceKind, Reading

_BUILDING: Final = re.compile(
    rf"(?P<owner>{'|'.join(Side)})-(?P<kind>{'|'.join(Building)})(?:-(?P<value>[0-9]{{1,2}}))?"
)
_VALUE: Final = re.compile(r"value-(?P<value>[0-9]{1,2})")
_SLOTS: Final = {StreetLine.ROW: ROWS, StreetLine.COLUMN: COLUMNS}
"""Names of the slots, which are those of the streets, and how many there are."""


class BlocksNote(StrEnum):
    """What the rules find odd."""

    BUILDING_TWICE = "building-twice"
    VALUE_TWICE = "value-twice"
    VALUE_LEFT = "value-left"
    VALUE_GONE = "value-gone"
    VALUES_BESIDE = "values-beside"
    NO_VALUES = "no-values"


TEXTS: Final[Mapping[str, str]] = {
    BlocksNote.BUILDING_TWICE: N_(
        "more {names} were read than the game has: check {places}, scored without the least "
        "certain one"
    ),
    BlocksNote.VALUE_TWICE: N_(
        "{names} was read more than once: check {places}, scored with one of them"
    ),
    BlocksNote.VALUE_LEFT: N_(
        "a street is full and won, but its value tile still lies beside it: check {places}, "
        "it counts for nobody"
    ),
    BlocksNote.VALUE_GONE: N_(
        "a street is full and won, but its value tile is gone: check {places}, it counts 0"
    ),
    BlocksNote.VALUES_BESIDE: N_(
        "value tiles lie beside the board and with the players: scored are those of the players"
    ),
    BlocksNote.NO_VALUES: N_("no value tile was found: nobody has points"),
}

SHORT_TEXTS: Final[Mapping[str, Phrase]] = {
    BlocksNote.BUILDING_TWICE: D_("More buildings of a kind than there are: check them"),
    BlocksNote.VALUE_TWICE: D_("A value tile was read twice: one of them counts"),
    BlocksNote.VALUE_LEFT: D_("A street is won, but its value still lies there"),
    BlocksNote.VALUE_GONE: D_("A street is won, but its value is gone: counts 0"),
    BlocksNote.VALUES_BESIDE: D_("Values beside the board are not counted"),
    BlocksNote.NO_VALUES: D_("No value tile was found: nobody has points"),
}


@dataclass(frozen=True, slots=True)
class _Values:
    """Value tiles, none of them twice.

    Attributes:
        beside: by street line and index.
        collected: of each player.
    """

    beside: dict[tuple[StreetLine, int], int]
    collected: dict[Side, list[int]]

    @property
    def anybody_has_some(self) -> bool:
        return any(self.collected.values())


def check(reading: Reading) -> tuple[Finding, ...]:
    """What the rules say: rulebook, "Spielmaterial" and "Bonus verteilen"."""
    if not reading.grids:
        return ()
    grid = reading.grids[0]
    return (
        *unknown_faces(reading, lambda face: plot_of(face) is not None),
        *_unknown_pieces(grid),
        *_surplus_buildings(grid),
        *_repeated_values(grid),
        *_street_findings(grid),
    )


def table_of(reading: Reading, options: ScoringOptions) -> Table:
    """The board, with the tiles that the players hold if any were read, else those beside it.

    Raises:
        UsageError: ``players-are-colours``.
    """
    if options.players is not None:
        raise UsageError(
            "players-are-colours",
            "the players of this game are blue and red: leave out --players",
            "--players",
        )
    grid = reading.grids[0]
    board, values = _board(grid), _values(grid)
    if values.anybody_has_some:
        blue, red = (tuple(values.collected[side]) for side in (Side.BLUE, Side.RED))
        return Table(board, collected=Collected(blue, red))
    rows, columns = (
        tuple(values.beside.get((line, index)) for index in range(count))
        for line, count in _SLOTS.items()
    )
    return Table(board, rows, columns)


def plot_of(face: str) -> Plot | None:
    """The building that a face shows; None: the rules know no such building."""
    match = _BUILDING.fullmatch(face)
    if match is None:
        return None
    kind, value = Building(match["kind"]), match["value"]
    if (value is None) != (kind in SPECIALS):
        return None
    if value is None:
        return Plot(Side(match["owner"]), kind)
    return Plot(Side(match["owner"]), kind, int(value)) if int(value) in VALUES[kind] else None


def value_of(face: str) -> int | None:
    """The dollars on a value tile; None: it is none."""
    match = _VALUE.fullmatch(face)
    return int(match["value"]) if match and int(match["value"]) in VALUE_TILES else None


def _cells(grid: GridReading) -> Iterator[tuple[Cell, str]]:
    for row, names in enumerate(grid.grid):
        for column, name in enumerate(names):
            if name is not None:
                yield (row, column), name


def _supply(plot: Plot) -> int:
    return SPECIALS.get(plot.kind, 1)


def _surplus(grid: GridReading) -> frozenset[Cell]:
    """The least certain of those buildings of which the game has fewer than were read."""
    surest_first = sorted(
        _cells(grid), key=lambda found: (-grid.confidence[found[0][0]][found[0][1]], found[0])
    )
    counted: Counter[Plot] = Counter()
    left_out = set()
    for cell, face in surest_first:
        plot = plot_of(face)
        if plot is not None:
            counted[plot] += 1
            if counted[plot] > _supply(plot):
                left_out.add(cell)
    return frozenset(left_out)


def _board(grid: GridReading) -> Board:
    surplus = _surplus(grid)
    plots = {cell: plot_of(face) for cell, face in _cells(grid) if cell not in surplus}
    return tuple(
        tuple(plots.get((row, column)) for column in range(len(names)))
        for row, names in enumerate(grid.grid)
    )


def _surest_first(pieces: Sequence[LoosePiece]) -> list[LoosePiece]:
    return sorted(pieces, key=lambda piece: -piece.confidence)


def _values(grid: GridReading) -> _Values:
    once: dict[int, LoosePiece] = {}
    for piece in _surest_first(grid.loose):
        value = value_of(piece.face)
        if value is not None:
            once.setdefault(value, piece)
    found = _Values({}, {side: [] for side in Side})
    for value, piece in sorted(once.items()):
        if piece.place in set(_SLOTS):
            found.beside[StreetLine(piece.place), piece.number] = value
        elif piece.place in set(Side):
            found.collected[Side(piece.place)].append(value)
    return found


def _place(piece: LoosePiece) -> Place:
    return Place(PlaceKind.LOOSE, 0, (piece.place, piece.number))


def _unknown_pieces(grid: GridReading) -> Iterator[Finding]:
    for piece in grid.loose:
        if value_of(piece.face) is None:
            yield finding(ScanNote.UNKNOWN_FACE, (_place(piece),), names=piece.face)


def _surplus_buildings(grid: GridReading) -> Iterator[Finding]:
    surplus = {grid.face(cell) for cell in _surplus(grid)}
    for face in sorted(name for name in surplus if name is not None):
        places = [Place(PlaceKind.TILE, 0, cell) for cell, name in _cells(grid) if name == face]
        yield finding(BlocksNote.BUILDING_TWICE, places, needs_a_person=True, names=face)


def _repeated_values(grid: GridReading) -> Iterator[Finding]:
    count = Counter(piece.face for piece in grid.loose if value_of(piece.face) is not None)
    for face, times in count.items():
        if times > 1:
            places = [_place(piece) for piece in grid.loose if piece.face == face]
            yield finding(BlocksNote.VALUE_TWICE, places, names=face)


def _street_findings(grid: GridReading) -> Iterator[Finding]:
    """Value tiles that should have been taken, or have gone without being seen."""
    if grid.size != (ROWS, COLUMNS):
        return
    values = _values(grid)
    won = [_slot(street) for street in score_streets(Table(_board(grid))) if street.winner]
    lying = {Place(PlaceKind.LOOSE, 0, (line.value, index)) for line, index in values.beside}
    if values.anybody_has_some:
        if lying:
            yield finding(BlocksNote.VALUES_BESIDE)
        left = [slot for slot in won if slot in lying]
        if left:
            yield finding(BlocksNote.VALUE_LEFT, left)
    elif not lying:
        yield finding(BlocksNote.NO_VALUES, needs_a_person=True)
    else:
        gone = [slot for slot in won if slot not in lying]
        if gone:
            yield finding(BlocksNote.VALUE_GONE, gone)


def _slot(street: Street) -> Place:
    return Place(PlaceKind.LOOSE, 0, (street.line.value, street.index))
