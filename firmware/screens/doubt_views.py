"""What the screens say, as data, that ask about a tile, or tell what has changed."""

from dataclasses import dataclass
from enum import StrEnum

from firmware.screens.hints import DOUBT_HINTS, Hints
from firmware.screens.result_views import ResultView, Seat, TableMap
from firmware.screens.view import View
from scoring.faces import Cell, Face, Place


@dataclass(frozen=True, slots=True)
class Bitmap:
    """A one-bit picture.

    Attributes:
        size_wh: width and height in pixels.
        bits: rows from the top, eight pixels a byte, the leftmost in the highest bit, each row
            filled up to whole bytes; 1 is lit. As ``PIL.Image.tobytes`` of mode ``"1"`` has them.
    """

    size_wh: tuple[int, int]
    bits: bytes


class Other(StrEnum):
    """What a person may say of a tile, or of the owners, instead of naming it."""

    NO_TILE = "no-tile"
    LATER = "later"
    """Left undecided for now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnersQuestionView(View):
    """Two players: whose city is which? NEXT offers another way to share them.

    Attributes:
        owners: the letters of the cities of each player, as offered.
        table: where the cities lie.
        option: number of what is offered, from 1.
        options: how many there are.
    """

    owners: tuple[tuple[tuple[str, ...], Seat], ...]
    table: TableMap
    option: int = 1
    options: int = 1
    hints: Hints = DOUBT_HINTS


@dataclass(frozen=True, slots=True, kw_only=True)
class UnsureView(View):
    """One tile that a person must look at.

    Attributes:
        number: of this one among all that are not sure, from 1.
        count: of all that are not sure.
        city: its index on the table.
        cell: row and column in the city.
        guess: what is offered: what the eye takes it for, then the others.
        option: number of what is offered, from 1; shown behind the guess where there is room.
        options: how many there are to choose from.
        crop: what the photo shows there; None: it is not known where the tile lies.
        table: where the cities lie.
        rows_cols: rows and columns of the city.
    """

    number: int
    count: int
    city: int
    cell: Cell
    guess: Face | Other
    crop: Bitmap | None
    table: TableMap
    option: int = 1
    options: int = 1
    rows_cols: tuple[int, int] = (4, 4)
    hints: Hints = DOUBT_HINTS


@dataclass(frozen=True, slots=True)
class WinnerChange:
    """Others win than before."""

    before: tuple[Seat, ...]
    after: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class FinalChange:
    """A player has other final points than before."""

    player: Seat
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class CityCountChange:
    """There are more or fewer cities than before."""

    before: int
    after: int


@dataclass(frozen=True, slots=True)
class TotalChange:
    """A city has other points than before."""

    letter: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class TileChange:
    """Another tile lies at a place than before; None: no tile."""

    place: Place
    before: Face | None
    after: Face | None


Change = WinnerChange | FinalChange | CityCountChange | TotalChange | TileChange


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangesView(ResultView):
    """What is other than at the scan before.

    Attributes:
        changes: those of this page, as many as it has room for; none at all: everything is as
            before.
        number: of this page among those of the changes, from 1.
    """

    changes: tuple[Change, ...]
    number: int = 1
