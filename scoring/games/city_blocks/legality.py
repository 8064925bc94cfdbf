"""Legality of boards and value tiles: rulebook, "Spielmaterial", "Spielverlauf"."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Final

from scoring.errors import N_, Breach, BreachKind
from scoring.faces import BuildingKind, Side
from scoring.games.city_blocks.table import COLUMNS, ROWS, Board, Building, Table
from scoring.legality import size_breaches

VALUES: Final[Mapping[BuildingKind, range]] = {
    BuildingKind.HOUSE: range(1, 6),
    BuildingKind.SHOP: range(2, 7),
    BuildingKind.FACTORY: range(3, 8),
}
"""The buildings with a value: each player has one of each value."""
SPECIALS: Final[Mapping[BuildingKind, int]] = {
    BuildingKind.SCHOOL: 2,
    BuildingKind.POWER_PLANT: 1,
    BuildingKind.MALL: 1,
    BuildingKind.COURT: 1,
}
"""Number of each player's buildings without a value."""
VALUE_TILES: Final = range(1, 16)
"""The value tiles in dollars, one of each."""

_PlacedTile = tuple[str, int | None]
"""The JSON path of a value tile and its value; None if a player has taken the tile."""


class TableBreach(BreachKind):
    """Breaches of the rules of this game, beside ``SharedBreach``."""

    VALUE_OUT_OF_RANGE = N_("the value of a {kind} is {least} to {most}; correct it")
    MISSING_VALUE = N_("this {kind} has no value; give its number, {least} to {most}")
    VALUE_OF_SPECIAL = N_("a {kind} has no value; leave it out or correct the kind")
    REPEATED_BUILDING = N_(
        "a second {owner} {kind} {value}, but the game has one; correct one of them"
    )
    TOO_MANY_BUILDINGS = N_(
        "{owner} {kind} number {given}, but the game has {allowed}; correct one of them"
    )
    NO_VALUES = N_(
        "neither the values beside the board nor the tiles collected; "
        "give `row_values` and `column_values`, or `collected`"
    )
    HALF_THE_VALUES = N_("only one of the two lists of values; give this one as well")
    VALUES_AND_COLLECTED = N_(
        "both values beside the board and tiles collected; leave out one of them"
    )
    VALUE_COUNT = N_(
        "values: {given} instead of {allowed}; "
        "give one for each street, null where the tile is gone"
    )
    NO_SUCH_VALUE_TILE = N_("a value tile is {least} to {most}; correct this one")
    REPEATED_VALUE_TILE = N_(
        "the game has one value tile {value}, and it is named earlier; correct one of them"
    )
    TOO_MANY_COLLECTED = N_(
        "{given} tiles collected, but the board has {allowed} streets; "
        "leave out the spare tiles drawn at the start"
    )


def list_breaches(table: Table, *, lenient: bool = False) -> tuple[Breach, ...]:  # noqa: ARG001
    """List all breaches of the rules by a board and its value tiles.

    Args:
        table: Any table.
        lenient: No effect, as empty plots and value tiles that a player has taken are always
            allowed. Accepted so that all games have the same interface.

    Returns:
        Every breach of a kind of ``TableBreach`` or ``SharedBreach``: those of the size of the
        board, of its buildings, of their supply, of the value tiles. Empty if the table can be
        scored.
    """
    return tuple(
        chain(
            size_breaches(table.grid, "$.grid", ROWS, COLUMNS),
            _building_breaches(table.grid),
            _supply_breaches(table.grid),
            _basis_breaches(table),
            _beside_breaches(table),
            _collected_breaches(table),
        )
    )


def _buildings(grid: Board) -> Iterator[tuple[str, Building]]:
    """Yield every building in reading order, each with its JSON path."""
    for row, buildings in enumerate(grid):
        for column, building in enumerate(buildings):
            if building is not None:
                yield f"$.grid[{row}][{column}]", building


def _building_breaches(grid: Board) -> Iterator[Breach]:
    for where, building in _buildings(grid):
        kind = building.kind.value
        allowed = VALUES.get(building.kind)
        if allowed is None:
            if building.value is not None:
                yield TableBreach.VALUE_OF_SPECIAL.at(f"{where}.value", kind=kind)
            continue
        least, most = allowed[0], allowed[-1]
        if building.value is None:
            yield TableBreach.MISSING_VALUE.at(where, kind=kind, least=least, most=most)
        elif building.value not in allowed:
            yield TableBreach.VALUE_OUT_OF_RANGE.at(
                f"{where}.value", kind=kind, least=least, most=most
            )


def _supply_breaches(grid: Board) -> Iterator[Breach]:
    """List buildings that their player does not have in the box, with their places."""
    valued: set[Building] = set()
    specials: Counter[tuple[Side, BuildingKind]] = Counter()
    for where, building in _buildings(grid):
        owner, kind = building.owner.value, building.kind.value
        if building.kind in SPECIALS:
            specials[building.owner, building.kind] += 1
            given, allowed = specials[building.owner, building.kind], SPECIALS[building.kind]
            if given > allowed:
                yield TableBreach.TOO_MANY_BUILDINGS.at(
                    where, owner=owner, kind=kind, given=given, allowed=allowed
                )
        elif building.value is not None and building.value in VALUES[building.kind]:
            if building in valued:
                yield TableBreach.REPEATED_BUILDING.at(
                    where, owner=owner, kind=kind, value=building.value
                )
            valued.add(building)


def _basis_breaches(table: Table) -> Iterator[Breach]:
    lists = {"$.row_values": table.row_values, "$.column_values": table.column_values}
    absent = [where for where, values in lists.items() if values is None]
    if table.collected is not None:
        if len(absent) < len(lists):
            yield TableBreach.VALUES_AND_COLLECTED.at("$.collected")
    elif len(absent) == len(lists):
        yield TableBreach.NO_VALUES.at("$")
    elif absent:
        yield TableBreach.HALF_THE_VALUES.at(absent[0])


def _beside_breaches(table: Table) -> Iterator[Breach]:
    """Yield breaches by the value tiles that lie beside the board."""
    tiles: list[_PlacedTile] = []
    for where, values, allowed in (
        ("$.row_values", table.row_values, ROWS),
        ("$.column_values", table.column_values, COLUMNS),
    ):
        if values is not None:
            if len(values) != allowed:
                yield TableBreach.VALUE_COUNT.at(where, given=len(values), allowed=allowed)
            tiles += _placed_tiles(where, values)
    yield from _tile_breaches(tiles)


def _collected_breaches(table: Table) -> Iterator[Breach]:
    """Yield breaches by the value tiles that the players hold."""
    if table.collected is None:
        return
    tiles = [
        tile
        for side in Side
        for tile in _placed_tiles(f"$.collected.{side.value}", table.collected[side])
    ]
    streets = ROWS + COLUMNS
    if len(tiles) > streets:
        yield TableBreach.TOO_MANY_COLLECTED.at("$.collected", given=len(tiles), allowed=streets)
    yield from _tile_breaches(tiles)


def _placed_tiles(where: str, values: Sequence[int | None]) -> Iterator[_PlacedTile]:
    return ((f"{where}[{index}]", value) for index, value in enumerate(values))


def _tile_breaches(tiles: Iterable[_PlacedTile]) -> Iterator[Breach]:
    """Yield value tiles that do not exist or are named twice."""
    earlier: set[int] = set()
    for where, value in tiles:
        if value is None:
            continue
        if value not in VALUE_TILES:
            yield TableBreach.NO_SUCH_VALUE_TILE.at(
                where, least=VALUE_TILES[0], most=VALUE_TILES[-1]
            )
        elif value in earlier:
            yield TableBreach.REPEATED_VALUE_TILE.at(where, value=value)
        earlier.add(value)
