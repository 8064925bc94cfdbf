"""Score sheet of City Blocks: streets with their reasons, totals, winners."""

from dataclasses import dataclass
from enum import StrEnum

from scoring.faces import BuildingKind, Cell, CityCell, Side
from scoring.games.city_blocks.table import PlayerTiles


class Basis(StrEnum):
    """Basis of the totals."""

    STREETS = "streets"
    """The bonuses of the full streets, as the board and the values beside it stand."""
    COLLECTED = "collected"
    """The value tiles that the players hold."""


class StreetDirection(StrEnum):
    """Direction of a street."""

    ROW = "row"
    COLUMN = "column"


class ReasonKind(StrEnum):
    """Reason why buildings of a street count their values, or nothing."""

    COUNTED = "counted"
    """Houses, shops and factories that count their values."""
    HOUSES_VOID = "houses-void"
    """Houses in a street with a power plant or mall; they count 0."""
    FACTORIES_VOID = "factories-void"
    """Factories in a street with a school or mall; they count 0."""
    SPECIAL = "special"
    """Schools, power plants, malls and courts, which have the value 0."""


@dataclass(frozen=True, slots=True)
class PlacedBuilding:
    """A building and its place on the board.

    Attributes:
        cell: Row and column on the board.
        owner: Colour of the building.
        kind: Kind of building.
        value: Number on it; 0 for schools, power plants, malls and courts.
    """

    cell: Cell
    owner: Side
    kind: BuildingKind
    value: int


@dataclass(frozen=True, slots=True)
class Reason:
    """Buildings of a player in a street to which one rule applies, and their points.

    Attributes:
        side: Owner of the buildings.
        kind: Rule that applies to them.
        points: Points of all of them in the street; 0 unless ``kind`` is ``COUNTED``.
        buildings: Buildings along the street, at least one.
        void_by: Buildings of any player that make these count 0.
    """

    side: Side
    kind: ReasonKind
    points: int
    buildings: tuple[PlacedBuilding, ...]
    void_by: tuple[PlacedBuilding, ...] = ()

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Cells of the buildings."""
        return tuple(building.cell for building in self.buildings)


@dataclass(frozen=True, slots=True)
class Street:
    """Score of a row or column of the board.

    Attributes:
        direction: Row or column.
        index: Row from the top, or column from the left, from 0.
        blue: Sum of the blue buildings as they stand.
        red: Sum of the red buildings as they stand.
        winner: Player with the higher sum in a full street, even if its value tile is taken;
            None in a street that is not full, and where the sums are equal.
        bonus: Dollars for the winner; 0 without a winner, if a player has taken the value tile,
            and on the basis of the tiles collected, as their streets are unknown.
        value: Value of the tile beside the street; None if a player has taken it, or on the
            basis of the tiles collected.
        full: True if every plot is built on.
        reasons: Reasons of blue, then of red; those of a player add up to their sum, and together
            they name every building of the street once.
    """

    direction: StreetDirection
    index: int
    blue: int
    red: int
    winner: Side | None
    bonus: int
    value: int | None
    full: bool
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Totals:
    """Sum of the value tiles of each player, in dollars."""

    blue: int
    red: int

    def __getitem__(self, side: Side) -> int:
        return self.blue if side is Side.BLUE else self.red


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """The score of a board.

    Attributes:
        game: Identifier of the game.
        basis: Tiles that the totals are counted from.
        streets: Rows from the top, then columns from the left.
        tiles: Value tiles that add up to each total: the bonuses in the order of the streets,
            or the tiles collected as they were given.
        totals: Totals of both players.
        winners: Player with the higher total; both if the totals are equal.
        missing: Always empty: a plot without a building is allowed and nothing is missing.
    """

    game: str
    basis: Basis
    streets: tuple[Street, ...]
    tiles: PlayerTiles
    totals: Totals
    winners: tuple[Side, ...]
    missing: tuple[CityCell, ...] = ()
