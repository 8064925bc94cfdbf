"""From a photo to a score sheet: read, correct, score."""

import re
import time
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from os import PathLike
from typing import Final, Protocol

from firmware.doubts import Doubts, doubts_of
from firmware.edition_store import load_edition
from firmware.errors import UsageError
from firmware.owners import OWNERS_ASSUMED, owners_shown
from firmware.positions import unread_positions
from firmware.user_data import calibration_path
from scoring.errors import Breach, TableError
from scoring.faces import Face, Place, city_name
from scoring.games import find_game
from scoring.games.between_two_cities.legality import CITY_COUNTS, SUPPLY, TableBreach
from scoring.games.between_two_cities.sheet import Sheet
from scoring.games.between_two_cities.table import City, Table, Variant
from scoring.legality import SharedBreach
from vision.calibrated import load_eye
from vision.editions.edition import Edition
from vision.eye import EDITION, read_photo
from vision.photo import Photo, load_photo
from vision.reading import Reading

_SUPPLY: Final = {face: tiles.total for face, tiles in SUPPLY.items()}
"""Of tiles of each face in the box."""
_MOST_PLACES: Final = 6
"""Of places named in an error."""

_HOW_TO_LAY: Final = "lay each city as 4 x 4 tiles and take the whole table from above"
_HOW_TO_SEE: Final = "stadtblick read PHOTO shows what was read"

NO_CITY: Final = f"no city found: {_HOW_TO_LAY}"
"""The note of a reading without any city."""


class Eye(Protocol):
    """What reads a photo; ``vision.eye.read_photo`` is the real one."""

    def __call__(self, photo: Photo, *, edition: Edition | None = None) -> Reading:
        """Read a photo; ``edition`` is the taught look of the tiles, None: the usual one."""
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
    def doubts(self) -> Doubts:
        """What a person has to look at before the sheet is certain."""
        return doubts_of(self.reading, owners_known=self.owners_known)

    @property
    def needs_a_person(self) -> bool:
        """Whether the sheet may be wrong until someone has looked."""
        return self.doubts.count > 0


def check_edition(name: str | None) -> None:
    """Refuse an edition that nobody knows, or that is damaged.

    Raises:
        UsageError: ``unknown-edition``, ``edition-damaged`` or ``edition-format``.
    """
    taught_edition(name)


def taught_edition(name: str | None) -> Edition | None:
    """The taught edition of this name; None: the usual look, which needs no teaching.

    Raises:
        UsageError: ``unknown-edition``, ``edition-damaged`` or ``edition-format``.
    """
    return None if name is None or name == EDITION else load_edition(name)


def usual_eye(*, calibrated: bool = True) -> Eye:
    """The real eye; with ``calibrated`` it knows camera and table, if they were calibrated."""
    eye = partial(read_photo, supply=_SUPPLY)
    return load_eye(calibration_path(), eye=eye) if calibrated else eye


def read_file(
    path: str | PathLike[str],
    eye: Eye | None = None,
    edition: str | None = None,
    *,
    calibrated: bool = True,
) -> tuple[Photo, Reading]:
    """Load and read one photo; the time for loading is added to the reading's timings.

    Args:
        path: of the photo.
        eye: what reads it; None: the real one.
        edition: whose look the tiles have; None: the usual one.
        calibrated: whether the real one uses the stored calibration.

    Returns:
        The photo, and its reading; one without any city has a note that says so.

    Raises:
        VisionError: the photo cannot be used.
        UsageError: the edition cannot be used, see ``taught_edition``.
    """
    taught = taught_edition(edition)
    start = time.perf_counter()
    photo = load_photo(path)
    decode_ms = (time.perf_counter() - start) * 1000
    reading = (eye or usual_eye(calibrated=calibrated))(photo, edition=taught)
    timings: dict[str, float] = {"decode": decode_ms, **reading.timings_ms}
    timings["total"] = decode_ms + timings.get("total", sum(reading.timings_ms.values()))
    notes = reading.notes if reading.cities else (*reading.notes, NO_CITY)
    return photo, replace(reading, timings_ms=timings, notes=notes)


def score_reading(
    reading: Reading,
    *,
    variant: Variant = Variant.STANDARD,
    owners: tuple[int, ...] | None = None,
    players: tuple[str, ...] | None = None,
) -> Scan:
    """Score what was read.

    Args:
        reading: of one photo, after a person's corrections.
        variant: how the players share the cities.
        owners: two players only: who owns each city; None: as the cities show it.
        players: names in seat order.

    Raises:
        UsageError: ``no-city``, ``city-count`` or a breach of the rules under its own code.
    """
    _check_city_count(reading, variant)
    table = table_of(reading, variant, owners)
    owners_known = variant is Variant.STANDARD or table.owners is not None
    notes = all_notes(reading)
    if not owners_known:
        notes += (OWNERS_ASSUMED,)
    table = replace(table, players=players)
    try:
        sheet = find_game(reading.game).score(table, lenient=True)
    except TableError as error:
        raise _refusal(error.breaches[0], reading) from error
    return Scan(reading, table, sheet, notes, owners_known)


def table_of(
    reading: Reading,
    variant: Variant = Variant.STANDARD,
    owners: tuple[int, ...] | None = None,
) -> Table:
    """The table that a reading shows; None where no tile was found.

    Args:
        reading: of one photo.
        variant: how the players share the cities.
        owners: two players only: who owns each city; None: as the cities show it.
    """
    if variant is Variant.TWO_PLAYER and owners is None:
        owners = owners_shown(reading)
    return Table(tuple(City(city.grid) for city in reading.cities), variant, owners)


def all_notes(reading: Reading) -> tuple[str, ...]:
    """The notes of the photo, and those of its cities under their letters."""
    of_cities = (
        f"city {city_name(index)}: {note}"
        for index, city in enumerate(reading.cities)
        for note in city.notes
    )
    return tuple(chain(reading.notes, of_cities))


def _check_city_count(reading: Reading, variant: Variant) -> None:
    found = len(reading.cities)
    unread = len(reading.unread)
    if found == 0:
        places = "1 place looks" if unread == 1 else f"{unread} places look"
        advice = (
            f"{places} like one but cannot be read ({unread_positions(reading)}), "
            "take the photo from above, closer and with more light"
            if unread
            else _HOW_TO_LAY
        )
        raise UsageError("no-city", f"no city found: {advice}", reading.photo)
    fewest, most = CITY_COUNTS[variant]
    if not fewest <= found <= most:
        cities = "1 city" if found == 1 else f"{found} cities"
        more = f" and {unread} more that cannot be read ({unread_positions(reading)})"
        needed = f"{fewest}" if fewest == most else f"{fewest} to {most}"
        raise UsageError(
            "city-count",
            f"found {cities}{more if unread else ''}, {variant.value} needs {needed}: "
            f"{_count_advice(found, fewest)} {_HOW_TO_SEE}",
            reading.photo,
        )


def _count_advice(found: int, fewest: int) -> str:
    if found < fewest:
        return "is a city outside the picture?"
    return "choose the other variant, or photograph one game alone."


def _refusal(breach: Breach, reading: Reading) -> UsageError:
    """What the rules have against a reading, in words for someone who has the photo."""
    message = breach.message
    values = breach.values
    if breach.code == TableBreach.TOO_MANY_TILES.code:
        face = Face(str(values["face"]))
        message = (
            f"{values['given']} tiles {face.value} were read, but the game has "
            f"{values['allowed']}: put right with --set what is really something else, such as "
            f"{_places_of(face, reading)}, {_HOW_TO_SEE}"
        )
    elif breach.code == SharedBreach.PLAYER_COUNT.code and reading.unread:
        unread = len(reading.unread)
        cities = "1 city was" if unread == 1 else f"{unread} cities were"
        message = (
            f"{values['given']} names for {values['players']} players, and {cities} not read "
            f"({unread_positions(reading)}): take the photo again, or name those of the cities read"
        )
    return UsageError(breach.code, message, _place_in_photo(breach.where, reading.photo))


def _places_of(face: Face, reading: Reading) -> str:
    """Where a face was read, beginning where it is least certain; those unsure have a ``?``."""
    doubt: dict[Place, tuple[bool, float]] = {
        (index, (row, column)): ((row, column) not in city.unsure, city.confidence[row][column])
        for index, city in enumerate(reading.cities)
        for row, faces in enumerate(city.grid)
        for column, found in enumerate(faces)
        if found is face
    }
    places = sorted(doubt, key=doubt.__getitem__)
    named = [
        f"{city_name(index)}:{row},{column}{'' if doubt[index, (row, column)][0] else '?'}"
        for index, (row, column) in places[:_MOST_PLACES]
    ]
    more = len(places) - len(named)
    return " ".join(named) + (f" and {more} more" if more else "")


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
