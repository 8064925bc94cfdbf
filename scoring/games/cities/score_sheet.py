"""Score sheet of Cities: points of every tourist with their reasons, players, winners."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from scoring.faces import Cell, CityCell
from scoring.ranking import TieBreak


class Category(StrEnum):
    """Kind of a tourist's points: the field they stand on."""

    SIGHTS = "sights"
    PARKS = "parks"
    CAFES = "cafes"


class ReasonKind(StrEnum):
    """Reason for a tourist's points."""

    SIGHT_AREA = "sight-area"
    """The sights connected by shared edges, the tourist on one of them."""
    CAFES_BESIDE = "cafes-beside"
    """Level 3: the cafes beside that sight area."""
    PARK_AREA = "park-area"
    """The parks connected by shared edges, the tourist on one of them."""
    WATER_BESIDE = "water-beside"
    """Level 3: the water fields beside that park area."""
    WATER_SEEN = "water-seen"
    """Levels 2 and 3: the water fields seen from the cafe."""
    PARKS_SEEN = "parks-seen"
    """Level 3: the park fields seen from the cafe."""
    AREA_COUNTED_BEFORE = "area-counted-before"
    """No points: the area of sights or parks has been counted for another tourist."""
    NOTHING_SEEN = "nothing-seen"
    """No points, levels 2 and 3: nothing that counts is seen from the cafe."""
    CAFE_WORTH_NOTHING = "cafe-worth-nothing"
    """No points, level 1: a cafe is not worth any there."""
    NO_FIELD = "no-field"
    """No points, in a lenient score: the tourist stands where no field lies."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Fields of a city that score together for a tourist, and their points.

    Attributes:
        category: Field under the tourist; None where no field lies.
        kind: Rule that gives the points, or none.
        points: One for each of ``cells``, or 0 for the kinds without points.
        cells: Fields that score, in reading order; for ``AREA_COUNTED_BEFORE`` the area,
            for the other kinds without points none.
        tourist: Cell of the tourist who gets the points.
        counted_for: For ``AREA_COUNTED_BEFORE``, cell of the tourist who got the points of
            the area; else None.
    """

    category: Category | None
    kind: ReasonKind
    points: int
    cells: tuple[Cell, ...]
    tourist: Cell
    counted_for: Cell | None = None


@dataclass(frozen=True, slots=True)
class TouristScore:
    """Points of one tourist.

    Attributes:
        at: Cell on which the tourist stands.
        points: Sum of all their reasons.
    """

    at: Cell
    points: int


@dataclass(frozen=True, slots=True)
class PlayerScore:
    """Result of one player.

    Attributes:
        name: Name as given with the table, or P1, P2, …
        final: Points of all tourists of the player.
        rank: 1 is best; players who share a rank leave out the next ones: 1, 1, 3.
        points: Same points by category; all categories are keys.
        tourists: Tourists in the order given.
        reasons: Reasons in the order of the tourists; those of a tourist add up to the tourist's
            points, and every tourist has at least one.
        tie_break: Comparison with players of the same ``final``, by the points of their best
            tourists (1), their second best (2) and so on; None if there are none.
    """

    name: str
    final: int
    rank: int
    points: Mapping[Category, int]
    tourists: tuple[TouristScore, ...]
    reasons: tuple[Reason, ...]
    tie_break: TieBreak | None


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """The score of a whole table.

    Attributes:
        game: Identifier of the game.
        level: Level at which the table was scored.
        players: Players in seat order; player i has city i of the table.
        winners: Indices of the players of rank 1.
        missing: City index and cell of every place scored without a field; empty unless a
            lenient score was asked for.
    """

    game: str
    level: int
    players: tuple[PlayerScore, ...]
    winners: tuple[int, ...]
    missing: tuple[CityCell, ...] = ()
