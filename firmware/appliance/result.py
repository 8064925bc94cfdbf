"""A result on the appliance: what was read, what a person said about it, and its score."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Final

from firmware.appliance.faults import Fault, fault_of
from firmware.corrections import Correction, apply_corrections
from firmware.errors import UsageError
from firmware.scan import Scan, score_reading
from firmware.screens.views import Bitmap, Other
from firmware.settings import Settings, seat_names
from scoring.faces import Face, Place, city_name
from scoring.games.between_two_cities.players import USUAL_OWNERS
from scoring.games.between_two_cities.table import Variant
from vision.reading import GridReading, Reading
from vision.rescore.naming import is_same_table, known_cities

Answer = Face | Other
"""What a person may say of a place."""

Owners = tuple[int, ...]
"""Two players: who owns each city, 0 or 1."""

LEAST_ALIKE: Final = 0.5
"""Share of tiles that two scans of one table have in common; fewer: it is another table."""


@dataclass(frozen=True, slots=True, eq=False)
class Result:
    """A table that was scanned.

    Attributes:
        table: number of its scan.
        seen: what the eye makes of the photo.
        read: the same, with what a person said at the scan before as its guesses.
        outcome: the score, or why the table cannot be scored.
        crops: pictures of the tiles that a person must look at.
        photo: reference to the stored photo; None: there is none.
        corrections: what a person said about tiles, in this order.
        owners: what a person said about whose each city is; None: nothing.
        before: the score of the scan before, if that was of the same table.
        earlier: number of that scan.
        looked: whether a person has gone through what is not sure, or refused to.
        saving: number of the job that stores it; None: none is under way.
        save_fault: why it is not stored; None: it is, or will be.
        failed_s: when storing failed.
    """

    table: int
    seen: Reading
    read: Reading
    outcome: Scan | Fault
    crops: Mapping[Place, Bitmap] = field(default_factory=dict)
    photo: str | None = None
    corrections: tuple[Correction, ...] = ()
    owners: Owners | None = None
    before: Scan | None = None
    earlier: int | None = None
    looked: bool = False
    saving: int | None = None
    save_fault: Fault | None = None
    failed_s: float = 0.0

    @property
    def game(self) -> str:
        """Which it is of."""
        return self.seen.game

    @property
    def reading(self) -> Reading:
        """What was read, with all that a person said."""
        return apply_corrections(self.read, self.corrections)

    @property
    def scan(self) -> Scan | None:
        """The score; None: the table cannot be scored."""
        return self.outcome if isinstance(self.outcome, Scan) else None

    @property
    def unsure(self) -> tuple[Place, ...]:
        """The tiles that a person has still to look at, in reading order."""
        cities = enumerate(self.reading.cities)
        return tuple((index, cell) for index, city in cities for cell in city.unsure)

    @property
    def said(self) -> object:
        """All that a person said, to compare."""
        return self.corrections, self.owners

    @property
    def owners_open(self) -> bool:
        """Whether a person has to say whose each city is."""
        return self.scan is not None and not self.scan.owners_known

    @property
    def questions(self) -> int:
        """How many things a person can still decide."""
        return len(self.unsure) + self.owners_open

    @property
    def saved(self) -> bool | None:
        """Whether it is stored as it is now; None: that is not known yet."""
        return None if self.saving is not None else self.save_fault is None


def scored(result: Result, settings: Settings) -> Result:
    """The result with the score that all corrections and settings give."""
    return replace(result, outcome=outcome_of(result.reading, result.owners, settings))


def scored_anew(result: Result, settings: Settings) -> Result:
    """The result after other settings, that of the scan before with it, so that they compare."""
    before = result.before
    if before is not None:
        outcome = outcome_of(before.reading, result.owners, settings)
        before = outcome if isinstance(outcome, Scan) else None
    return scored(replace(result, before=before), settings)


def outcome_of(reading: Reading, owners: Owners | None, settings: Settings) -> Scan | Fault:
    """The score of a reading, or why it has none."""
    variant = Variant(settings.variant)
    two = variant is Variant.TWO_PLAYER
    try:
        return score_reading(
            reading,
            variant=variant,
            owners=owners if two and len(reading.cities) == len(USUAL_OWNERS) else None,
            players=seat_names(settings.players, 2 if two else len(reading.cities)),
        )
    except UsageError as error:
        return fault_of(error)


def answered(result: Result, place: Place, answer: Face | None) -> Result:
    """The result after a person said what lies at a place; not yet scored again."""
    index, cell = place
    said = Correction(city_name(index), cell, answer)
    return replace(result, corrections=(*forgotten(result, place).corrections, said))


def forgotten(result: Result, place: Place) -> Result:
    """The result without what was said about a place; not yet scored again."""
    index, cell = place
    kept = (
        other
        for other in result.corrections
        if (other.city, other.cell) != (city_name(index), cell)
    )
    return replace(result, corrections=tuple(kept))


def options(result: Result, place: Place) -> tuple[Answer, ...]:
    """What to offer for a place: the likeliest first, every face once, ``LATER`` last.

    First comes what a person has said, then what the eye takes it for and its other guesses.
    """
    index, cell = place
    row, column = cell
    said = result.reading.cities[index].grid[row][column]
    city = result.read.cities[index]
    guesses: list[Face | None] = [said, city.grid[row][column], *city.alternatives.get(cell, ())]
    offered: list[Answer] = [Other.NO_TILE if guess is None else guess for guess in guesses]
    return tuple(dict.fromkeys([*offered, *Face, Other.NO_TILE, Other.LATER]))


OWNER_OPTIONS: Final[tuple[Owners, ...]] = tuple(
    tuple(0 if city in own else 1 for city in range(4))
    for own in sorted(
        combinations(range(4), 2),
        key=lambda own: own != tuple(c for c, owner in enumerate(USUAL_OWNERS) if owner == 0),
    )
)
"""All ways to share four cities between two players, the usual one first."""


def with_earlier_answers(seen: Reading, earlier: Result) -> Reading:
    """What a person said about the same tiles at the scan before, as guesses.

    A tile is taken for the same where the eye sees the same again. It may be another one after
    all, so a person has to look once more, even where the eye is sure of what was put right.
    Both scans have the same number of cities.
    """
    cities = list(seen.cities)
    for correction in earlier.corrections:
        index = ord(correction.city) - ord("A")
        place = (index, correction.cell)
        if _face(seen, place) is _face(earlier.seen, place):
            cities[index] = _with_guess(cities[index], correction)
    return replace(seen, cities=tuple(cities))


def _face(reading: Reading, place: Place) -> Face | None:
    index, (row, column) = place
    return reading.cities[index].grid[row][column]


def _with_guess(city: GridReading, correction: Correction) -> GridReading:
    cell, guess = correction.cell, correction.face
    row, column = cell
    seen = city.grid[row][column]
    if guess is seen:
        return city
    others = tuple(face for face in (seen, *city.alternatives.get(cell, ())) if face is not None)
    line = (*city.grid[row][:column], guess, *city.grid[row][column + 1 :])
    return replace(
        city,
        grid=(*city.grid[:row], line, *city.grid[row + 1 :]),
        unsure=tuple(sorted({*city.unsure, cell})),
        alternatives={**city.alternatives, cell: others},
    )


def of_one_table(before: Reading, after: Reading) -> bool:
    """Whether two scans show the same table, some tiles of which may have changed.

    A city may have been covered at one of the scans, so that their numbers differ.
    """
    if len(before.cities) != len(after.cities):
        pairs_of_cities = known_cities(before.cities, after.cities)
        return is_same_table(before.cities, after.cities, pairs_of_cities)
    pairs = [
        (old, new)
        for city, other in zip(before.cities, after.cities, strict=True)
        for row, other_row in zip(city.grid, other.grid, strict=True)
        for old, new in zip(row, other_row, strict=True)
    ]
    alike = sum(old == new for old, new in pairs)
    return alike >= LEAST_ALIKE * len(pairs)
