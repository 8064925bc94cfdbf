"""Bonuses of the streets: rulebook, "Bonus verteilen" and "Sieger"."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from scoring.faces import BuildingKind, Cell, Side
from scoring.games.city_blocks.score_sheet import (
    PlacedBuilding,
    Reason,
    ReasonKind,
    Street,
    StreetDirection,
)
from scoring.games.city_blocks.table import COLUMNS, ROWS, Board, Building, PlayerTiles, Table

VOIDED_BY: Final[Mapping[BuildingKind, frozenset[BuildingKind]]] = {
    BuildingKind.HOUSE: frozenset({BuildingKind.POWER_PLANT, BuildingKind.MALL}),
    BuildingKind.FACTORY: frozenset({BuildingKind.SCHOOL, BuildingKind.MALL}),
    BuildingKind.SHOP: frozenset(),
}
"""Kinds of buildings with a value, each with those that void it in a street, of either player."""

_VOID_KIND: Final = {
    BuildingKind.HOUSE: ReasonKind.HOUSES_VOID,
    BuildingKind.FACTORY: ReasonKind.FACTORIES_VOID,
}


def score_streets(table: Table) -> tuple[Street, ...]:
    """Score all streets of a board, rows from the top, then columns from the left.

    Args:
        table: Table that the rules allow.
    """
    rows = (
        (StreetDirection.ROW, row, [(row, column) for column in range(COLUMNS)], value)
        for row, value in enumerate(table.row_values or [None] * ROWS)
    )
    columns = (
        (StreetDirection.COLUMN, column, [(row, column) for row in range(ROWS)], value)
        for column, value in enumerate(table.column_values or [None] * COLUMNS)
    )
    return tuple(_score_street(table.grid, *street) for street in (*rows, *columns))


def won_tiles(streets: Sequence[Street]) -> PlayerTiles:
    """Return the bonuses of each player in the order of the streets."""
    blue, red = (
        tuple(street.bonus for street in streets if street.winner is side and street.bonus)
        for side in (Side.BLUE, Side.RED)
    )
    return PlayerTiles(blue, red)


def street_winner(buildings: Iterable[Building | None]) -> Side | None:
    """Return the winner of a street as ``score_streets`` does, without reasons: fast.

    Args:
        buildings: Building on each plot along the street; None on a plot without one.
    """
    built = tuple(buildings)
    if None in built:
        return None
    kinds = {building.kind for building in built if building is not None}
    counting = {kind for kind, void_by in VOIDED_BY.items() if not void_by & kinds}
    lead = 0
    for building in built:
        if building is not None and building.kind in counting:
            value = building.value or 0
            lead += value if building.owner is Side.BLUE else -value
    if not lead:
        return None
    return Side.BLUE if lead > 0 else Side.RED


def _score_street(
    grid: Board, direction: StreetDirection, index: int, cells: Sequence[Cell], value: int | None
) -> Street:
    buildings = tuple(_buildings_on(grid, cells))
    reasons = tuple(reason for side in Side for reason in _side_reasons(side, buildings))
    blue, red = (
        sum(reason.points for reason in reasons if reason.side is side)
        for side in (Side.BLUE, Side.RED)
    )
    full = len(buildings) == len(cells)
    winner = None
    if full and blue != red:
        winner = Side.BLUE if blue > red else Side.RED
    return Street(
        direction=direction,
        index=index,
        blue=blue,
        red=red,
        winner=winner,
        bonus=0 if winner is None or value is None else value,
        value=value,
        full=full,
        reasons=reasons,
    )


def _buildings_on(grid: Board, cells: Sequence[Cell]) -> Iterator[PlacedBuilding]:
    for row, column in cells:
        building = grid[row][column]
        if building is not None:
            yield PlacedBuilding((row, column), building.owner, building.kind, building.value or 0)


def _side_reasons(side: Side, street: Sequence[PlacedBuilding]) -> Iterator[Reason]:
    """List the reasons for one player's sum among all buildings of a street."""
    own = [building for building in street if building.owner is side]
    voiding = {
        kind: tuple(building for building in street if building.kind in special)
        for kind, special in VOIDED_BY.items()
    }
    counted = tuple(b for b in own if b.kind in VOIDED_BY and not voiding[b.kind])
    if counted:
        points = sum(building.value for building in counted)
        yield Reason(side, ReasonKind.COUNTED, points, counted)
    for kind, reason_kind in _VOID_KIND.items():
        void = tuple(building for building in own if building.kind is kind)
        if void and voiding[kind]:
            yield Reason(side, reason_kind, 0, void, voiding[kind])
    specials = tuple(building for building in own if building.kind not in VOIDED_BY)
    if specials:
        yield Reason(side, ReasonKind.SPECIAL, 0, specials)
