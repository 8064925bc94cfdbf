"""Score sheet of Between Two Cities: points with their reasons, players, winners."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum, StrEnum

from scoring.faces import Cell, CityCell
from scoring.games.between_two_cities.table import Variant
from scoring.ranking import TieBreak


class BuildingType(StrEnum):
    """A building type, in the order of the reference card, in which ties compare them."""

    SHOPS = "shops"
    FACTORIES = "factories"
    TAVERNS = "taverns"
    OFFICES = "offices"
    PARKS = "parks"
    HOUSES = "houses"


class ReasonKind(StrEnum):
    """Reason for the points of some cells of a city."""

    SHOP_LINE = "shop-line"
    """1 to 4 shops in an unbroken row or column."""
    FACTORIES_MOST = "factories-most"
    """All factories of a city that has the most of the table."""
    FACTORIES_SECOND = "factories-second"
    """All factories of a city that has the second most of the table."""
    FACTORIES_FEWER = "factories-fewer"
    """All factories of any other city."""
    TAVERN_SET = "tavern-set"
    """1 to 4 taverns of different kinds."""
    OFFICE_SET = "office-set"
    """1 to 6 offices."""
    OFFICES_BY_TAVERN = "offices-by-tavern"
    """The bonus of all offices with a tavern beside them."""
    PARK_GROUP = "park-group"
    """Parks connected by shared edges."""
    HOUSES = "houses"
    """All houses with no factory beside them."""
    HOUSES_BY_FACTORY = "houses-by-factory"
    """All houses with a factory beside them."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Cells of a city that score together, and their points.

    Attributes:
        category: Building type the points belong to.
        kind: Rule that gives the points.
        points: Points of all cells together; 0 for houses in a city of houses alone.
        cells: Tiles that score; along the line for a shop line, else in reading order.
        each: Points of each single cell where all are worth the same (factories, houses, the
            bonus of offices), else None.
        beside: Taverns or factories that the rule found beside ``cells``.
        types: Other building types of the city, which houses count; else empty.
    """

    category: BuildingType
    kind: ReasonKind
    points: int
    cells: tuple[Cell, ...]
    each: int | None = None
    beside: tuple[Cell, ...] = ()
    types: tuple[BuildingType, ...] = ()


@dataclass(frozen=True, slots=True)
class Points:
    """Points of one city by building type; the names of the fields are those of BuildingType."""

    shops: int
    factories: int
    taverns: int
    offices: int
    parks: int
    houses: int

    @classmethod
    def of(cls, reasons: Iterable[Reason]) -> "Points":
        """Add up reasons by their building type."""
        sums = dict.fromkeys((building_type.value for building_type in BuildingType), 0)
        for reason in reasons:
            sums[reason.category.value] += reason.points
        return cls(**sums)

    def __getitem__(self, building_type: BuildingType) -> int:
        points: int = getattr(self, building_type.value)
        return points

    @property
    def total(self) -> int:
        """Points of the whole city."""
        return sum(self[building_type] for building_type in BuildingType)


@dataclass(frozen=True, slots=True)
class CityScore:
    """Points of one city.

    Attributes:
        name: Letter in the order of the table: A, B, C, …
        points: Points by building type.
        reasons: Reasons, which add up to ``points``, and name every tile of the city.
    """

    name: str
    points: Points
    reasons: tuple[Reason, ...]

    @property
    def total(self) -> int:
        """Points of the whole city."""
        return self.points.total


class TieBreaker(IntEnum):
    """Tie-breakers between players with the same final score, by their index in ``RankKey``."""

    HIGHER_CITY = 1
    SHOP_COUNT = 2
    FACTORY_COUNT = 3
    TAVERN_COUNT = 4
    OFFICE_COUNT = 5
    PARK_COUNT = 6
    HOUSE_COUNT = 7


@dataclass(frozen=True, slots=True)
class PlayerScore:
    """Result of one player.

    Attributes:
        name: Name as given with the table, or P1, P2, …
        cities: Indices of the player's left and right city.
        final: Points of the lower of both cities; with two players, of both together.
        rank: 1 is best; players who share a rank leave out the next ones: 1, 1, 3.
        tie_break: Comparison with players of the same ``final``, by a ``TieBreaker``; None if
            there are none.
    """

    name: str
    cities: tuple[int, int]
    final: int
    rank: int
    tie_break: TieBreak | None


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """The score of a whole table.

    Attributes:
        game: Identifier of the game.
        variant: Variant by which the players were scored.
        cities: Cities in the order of the table.
        players: Players in seat order.
        winners: Indices of the players of rank 1.
        missing: City index and cell of every place scored without a tile; empty unless a
            lenient score was asked for.
    """

    game: str
    variant: Variant
    cities: tuple[CityScore, ...]
    players: tuple[PlayerScore, ...]
    winners: tuple[int, ...]
    missing: tuple[CityCell, ...] = ()
