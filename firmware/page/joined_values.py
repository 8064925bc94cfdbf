"""Values of several photos of one table for the templates: the photos, and what they leave open."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from firmware.appliance.base import Mode
from firmware.appliance.features.photo_series import PhotoSeriesMode
from firmware.appliance.result import Result
from firmware.base.language import _n
from firmware.history.player_names import is_person_name
from firmware.wording.notes import UNUSED_PHOTO_CODES, ScanNote, note_sentence, photo_name
from firmware.wording.places import Naming
from scoring.faces import city_name
from vision.reading import Join


@dataclass(frozen=True, slots=True)
class PhotoLine:
    """Photo of a table.

    Attributes:
        index: Index of the photo.
        name: Name of the photo in words.
        cities: Letters of the cities that it shows; empty if it shows none.
    """

    index: int
    name: str
    cities: str


@dataclass(frozen=True, slots=True)
class OrderCard:
    """City in the order round the table.

    Attributes:
        index: Index of its grid.
        letter: Name of the city.
        earlier: Order with this city one place earlier, as an address has it.
        later: Order with this city one place later, as an address has it.
    """

    index: int
    letter: str
    earlier: str
    later: str


@dataclass(frozen=True, slots=True)
class SeatBetween:
    """Seat between two neighbouring cities.

    Attributes:
        first: Place of one city in the order, from 1.
        second: Place of the next one.
        name: Name of the player; empty if it is not known.
    """

    first: int
    second: int
    name: str


def joined_values(result: Result, chosen_order: Sequence[int] | None = None) -> dict[str, Any]:
    """Return the photos of a table, and the question that they leave open.

    Args:
        result: Result of the photos.
        chosen_order: Order of the cities that a person has chosen so far; None for that of the
            photos.

    Returns:
        ``photos``, ``shared`` and ``unused`` (sentences), ``same`` (indices and letters of two
        cities, or None), ``order`` (cards, or empty), ``order_text``, ``seats`` and ``is_open``;
        empty for a single photo.
    """
    join = result.reading_to_correct.join
    if join is None:
        return {}
    scan, codes = result.scan, set()
    if scan is not None:
        codes = {each.note.code for each in scan.findings}
    pair = join.perhaps_same[0] if ScanNote.PERHAPS_SAME in codes else None
    order = None
    if pair is None and ScanNote.ORDER_ASSUMED in codes:
        listed = range(len(result.reading_to_correct.grids))
        chosen = tuple(chosen_order or ())
        order = chosen if sorted(chosen) == list(listed) else join.order
    return {
        "photos": _photos(join),
        "shared": _shared(join),
        "unused": _unused_sentences(result),
        "same": None if pair is None else (pair, tuple(map(city_name, pair))),
        "order": () if order is None else _cards(order),
        "order_text": "" if order is None else _order_text(order),
        "seats": () if order is None else _seats(result, len(order)),
        "is_open": pair is not None or order is not None,
    }


def series_values(mode: Mode) -> dict[str, Any] | None:
    """Return how far several photos of a table are; None if none are being sent."""
    if not isinstance(mode, PhotoSeriesMode):
        return None
    naming = Naming(lettered=False)
    unused = [note_sentence(note, naming) for note in mode.series.unused_notes]
    return {
        "key": mode.key,
        "sent": mode.sent_so_far,
        "count": mode.photo_count,
        "adds": mode.adds_to,
        "read": len(mode.series.kept),
        "unused": unused,
        "is_waiting": mode.job_id is None,
    }


def parse_order(text: str) -> tuple[int, ...] | None:
    """Return the indices in a text such as ``0,2,1``; None if it is none."""
    parts = text.split(",")
    if not all(part.isascii() and part.isdigit() and len(part) < 4 for part in parts):
        return None
    return tuple(map(int, parts))


def _photos(join: Join) -> list[PhotoLine]:
    return [
        PhotoLine(
            index,
            photo_name(photo.name),
            ", ".join(city_name(grid) for grid in sorted({view.grid for view in photo.grids})),
        )
        for index, photo in enumerate(join.photos)
    ]


def _shared(join: Join) -> list[str]:
    """Return which cities several photos show."""
    seen = [{view.grid for view in photo.grids} for photo in join.photos]
    counts = {grid: sum(grid in each for each in seen) for each in seen for grid in each}
    return [
        _n(
            "City {letter} is in {n} photo: it counts once.",
            "City {letter} is in {n} photos: it counts once.",
            count,
            letter=city_name(grid),
        )
        for grid, count in sorted(counts.items())
        if count > 1
    ]


def _unused_sentences(result: Result) -> list[str]:
    """Return what is wrong with photos that add nothing."""
    scan = result.corrected_scan
    return [
        scan.sentence(note)
        for note in result.reading_to_correct.notes
        if note.code in UNUSED_PHOTO_CODES
    ]


def _cards(order: Sequence[int]) -> list[OrderCard]:
    return [
        OrderCard(grid, city_name(grid), _swapped(order, at, at - 1), _swapped(order, at, at + 1))
        for at, grid in enumerate(order)
    ]


def _swapped(order: Sequence[int], at: int, other: int) -> str:
    """Return an order in which two neighbours have changed places; the ends are neighbours, too."""
    changed, other = list(order), other % len(order)
    changed[at], changed[other] = changed[other], changed[at]
    return _order_text(changed)


def _order_text(order: Sequence[int]) -> str:
    return ",".join(map(str, order))


def _seats(result: Result, count: int) -> list[SeatBetween]:
    names = result.options.players or ()
    return [
        SeatBetween(
            at or count, at + 1, names[at] if at < len(names) and is_person_name(names[at]) else ""
        )
        for at in range(count)
    ]
