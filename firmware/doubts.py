"""What a person has to look at before a result is sure, and what may change by it."""

from collections.abc import Sequence
from dataclasses import dataclass

from firmware.language import NN_, _, _n
from scoring.faces import Cell, Face, Grid, Place
from vision.reading import Reading, Unread


@dataclass(frozen=True, slots=True)
class Doubts:
    """All that is not sure about one result.

    Attributes:
        unsure: tiles, or gaps, that were not read for sure, in reading order.
        missing: places scored without a tile, in reading order.
        unread: what looks like a city but was not read.
        owners_known: whether it is certain whose each city is.
    """

    unsure: tuple[Place, ...] = ()
    missing: tuple[Place, ...] = ()
    unread: tuple[Unread, ...] = ()
    owners_known: bool = True

    @property
    def count(self) -> int:
        """How many things there are to look at; a gap that is also unsure is one."""
        places = len({*self.unsure, *self.missing})
        return places + len(self.unread) + (not self.owners_known)

    def may_change_total(self, city: int, *, has_factories: bool) -> bool:
        """Whether the points of a city may still change.

        Factories are ranked over the whole table (rulebook, "Fabriken"), so a tile of one city
        may change the points of every other city that has some.
        """
        of_table = bool(self.unsure or self.missing or self.unread)
        of_city = any(index == city for index, _cell in (*self.unsure, *self.missing))
        return of_city or (of_table and has_factories)


def doubts_of(
    reading: Reading | None,
    *,
    missing: Sequence[Place] = (),
    owners_known: bool = True,
) -> Doubts:
    """What is not sure about a result.

    Args:
        reading: what the photo showed; None: the table was not read from a photo.
        missing: places that were scored without a tile, beside those of the reading.
        owners_known: whether it is certain whose each city is.
    """
    cities = reading.cities if reading else ()
    unsure = ((index, cell) for index, city in enumerate(cities) for cell in city.unsure)
    gaps = ((index, cell) for index, city in enumerate(cities) for cell in _gaps(city.grid))
    return Doubts(
        tuple(sorted(unsure)),
        tuple(sorted({*missing, *gaps})),
        reading.unread if reading else (),
        owners_known,
    )


def doubts_in_words(doubts: Doubts) -> str:
    """What there is to look at, in a few words: ``1 city not read, 2 tiles to check``."""
    missing = set(doubts.missing) - set(doubts.unsure)
    counted = (
        (len(doubts.unread), NN_("{n} city not read", "{n} cities not read")),
        (len(doubts.unsure), NN_("{n} tile to check", "{n} tiles to check")),
        (len(missing), NN_("{n} tile missing", "{n} tiles missing")),
    )
    said = [_n(*wording, count) for count, wording in counted if count]
    if not doubts.owners_known:
        said.append(_("owners of the cities unknown"))
    return ", ".join(said)


def has_factories(grid: Grid) -> bool:
    """Whether a factory was read in a city."""
    return any(Face.FACTORY in row for row in grid)


def _gaps(grid: Grid) -> list[Cell]:
    return [
        (row, column)
        for row, faces in enumerate(grid)
        for column, face in enumerate(faces)
        if face is None
    ]
