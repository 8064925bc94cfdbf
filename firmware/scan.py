"""From a photo to a score sheet: read, correct, score."""

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import hypot
from os import PathLike
from typing import Final, Protocol

from firmware.corrections import Correction, apply_corrections
from firmware.errors import UsageError, suggestion
from scoring.errors import TableError
from scoring.games import find_game
from scoring.games.between_two_cities.legality import CITY_COUNTS
from scoring.sheet import Sheet
from scoring.table import City, Table, Variant
from vision.eye import EDITION, read_photo
from vision.photo import Photo, load_photo
from vision.reading import CityReading, Reading, city_name

_LEAST_LEAD: Final = 0.5
"""How much better two cities of one owner must agree in direction than in any other pairing."""


class Eye(Protocol):
    """What reads a photo; ``vision.eye.read_photo`` is the real one."""

    def __call__(self, photo: Photo, *, edition: str | None = None) -> Reading:
        """Read a photo; ``edition`` names the tile art, None: the usual one."""
        ...


@dataclass(frozen=True, slots=True)
class Scan:
    """A photo, read and scored.

    Attributes:
        reading: after the corrections.
        table: what was scored.
        sheet: its score; cities with missing tiles are scored without them.
        notes: one line each: what was odd and did not stop the scan.
        owners_known: whether it is certain whose each city is.
    """

    reading: Reading
    table: Table
    sheet: Sheet
    notes: tuple[str, ...] = ()
    owners_known: bool = True

    @property
    def needs_a_person(self) -> bool:
        """Whether the sheet may be wrong until someone has looked."""
        return reading_needs_a_person(self.reading) or not self.owners_known


def check_edition(name: str | None) -> None:
    """Refuse an edition that nobody knows.

    Raises:
        UsageError: ``unknown-edition``.
    """
    if name is not None and name != EDITION:
        advice = suggestion(name, [EDITION])
        raise UsageError("unknown-edition", f"there is no edition {name}: {advice}", "--edition")


def read_file(
    path: str | PathLike[str], eye: Eye | None = None, edition: str | None = None
) -> tuple[Photo, Reading]:
    """Load and read one photo; the time for loading is added to the reading's timings.

    Args:
        path: of the photo.
        eye: what reads it; None: the real one.
        edition: whose look the tiles have; None: the usual one.

    Raises:
        VisionError: the photo or the edition cannot be used.
    """
    start = time.perf_counter()
    photo = load_photo(path)
    decode_ms = (time.perf_counter() - start) * 1000
    reading = (eye or read_photo)(photo, edition=edition)
    timings: dict[str, float] = {"decode": decode_ms, **reading.timings_ms}
    timings["total"] = decode_ms + timings.get("total", sum(reading.timings_ms.values()))
    return photo, replace(reading, timings_ms=timings)


def score_reading(
    reading: Reading,
    *,
    variant: Variant = Variant.STANDARD,
    corrections: Sequence[Correction] = (),
    players: tuple[str, ...] | None = None,
) -> Scan:
    """Score what was read.

    Args:
        reading: of one photo.
        variant: how the players share the cities.
        corrections: what a person knows better.
        players: names in seat order.

    Raises:
        UsageError: ``no-city``, ``city-count``, a breach of the rules under its own code, or a
            correction that does not fit the reading.
    """
    reading = apply_corrections(reading, corrections)
    _check_city_count(reading, variant)
    notes = all_notes(reading)
    owners = _owners(reading) if variant is Variant.TWO_PLAYER else None
    owners_known = variant is Variant.STANDARD or owners is not None
    if not owners_known:
        notes += (_UNKNOWN_OWNERS,)
    table = replace(table_of(reading, variant), owners=owners, players=players)
    try:
        sheet = find_game(reading.game).score(table, lenient=True)
    except TableError as error:
        place = _place_in_photo(error.where, reading.photo)
        raise UsageError(error.code, error.message, place) from error
    return Scan(reading, table, sheet, notes, owners_known)


def table_of(reading: Reading, variant: Variant = Variant.STANDARD) -> Table:
    """The table that a reading shows; None where no tile was found."""
    return Table(tuple(City(city.grid) for city in reading.cities), variant)


def reading_needs_a_person(reading: Reading) -> bool:
    """Whether a tile or a whole city has to be looked at."""
    missing = any(None in row for city in reading.cities for row in city.grid)
    return missing or bool(reading.unread) or any(city.unsure for city in reading.cities)


def all_notes(reading: Reading) -> tuple[str, ...]:
    """The notes of the photo, of its cities under their letters, and of what was not read."""
    of_cities = (
        f"city {city_name(index)}: {note}"
        for index, city in enumerate(reading.cities)
        for note in city.notes
    )
    unread = (f"something like a city was not read: {region.why}" for region in reading.unread)
    return tuple(chain(reading.notes, of_cities, unread))


def _check_city_count(reading: Reading, variant: Variant) -> None:
    found = len(reading.cities)
    unread = len(reading.unread)
    if found == 0:
        advice = (
            f"{unread} places look like one but cannot be read, take the photo from above, "
            "closer and with more light"
            if unread
            else "lay each city as 4 x 4 tiles and take the whole table from above"
        )
        raise UsageError("no-city", f"no city found: {advice}", reading.photo)
    fewest, most = CITY_COUNTS[variant]
    if not fewest <= found <= most:
        cities = "1 city" if found == 1 else f"{found} cities"
        more = f" and {unread} more that cannot be read" if unread else ""
        needed = f"{fewest}" if fewest == most else f"{fewest} to {most}"
        raise UsageError(
            "city-count",
            f"found {cities}{more}, {variant.value} needs {needed}: {_count_advice(found, fewest)}",
            reading.photo,
        )


def _count_advice(found: int, fewest: int) -> str:
    if found < fewest:
        return "is a city outside the picture?"
    return "choose the other variant, or photograph one game alone"


_PLACE: Final = re.compile(r"\$\.cities\[(\d+)\](?:\.grid\[(\d+)\]\[(\d+)\])?")


def _place_in_photo(json_path: str, photo: str) -> str:
    if json_path.startswith("$.players"):
        return "--players"
    match = _PLACE.match(json_path)
    if match is None:
        return photo
    index, row, column = match.groups()
    city = f"{photo}, city {city_name(int(index))}"
    return city if row is None else f"{city} {row},{column}"


_UNKNOWN_OWNERS: Final = (
    "the cities do not show by the way they face to whom they belong: "
    "A and D are taken to be the first player's, B and C the second's"
)


def _owners(reading: Reading) -> tuple[int, ...] | None:
    """Who owns each of four cities, by the way it faces; player 0 owns the first.

    Rulebook, "Zwei-Spieler Variante": the two cities of a player lie upright for that player.
    None: they do not show it.
    """
    up = [_up_direction(city) for city in reading.cities]
    agreement: Mapping[tuple[int, ...], float] = {
        owners: sum(
            _dot(up[a], up[b]) for a in range(4) for b in range(a + 1, 4) if owners[a] == owners[b]
        )
        for owners in ((0, 0, 1, 1), (0, 1, 0, 1), (0, 1, 1, 0))
    }
    second, best = sorted(agreement, key=agreement.__getitem__)[1:]
    if agreement[best] - agreement[second] < _LEAST_LEAD:
        return None
    return best


def _up_direction(city: CityReading) -> tuple[float, float]:
    top_left, top_right, bottom_right, bottom_left = city.corners_px
    x = top_left[0] + top_right[0] - bottom_left[0] - bottom_right[0]
    y = top_left[1] + top_right[1] - bottom_left[1] - bottom_right[1]
    length = hypot(x, y) or 1.0
    return x / length, y / length


def _dot(a: tuple[float, float], b: tuple[float, float]) -> float:
    return a[0] * b[0] + a[1] * b[1]
